//! Cloudflare's API with hostile texts: the demo server's answers with every name replaced, or nothing but refusals.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::PAYLOAD;

/// The Worker that commands name; it keeps its name.
pub(crate) const WORKER: &str = "chat-rooms";

/// What answers.
pub(crate) struct Api {
    demo: Child,
    /// The address of the hostile API.
    pub(crate) base_url: String,
    /// The address of one that refuses everything with a hostile message.
    pub(crate) refusing_url: String,
    pub(crate) token: String,
    pub(crate) account: String,
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = self.demo.kill();
        let _ = self.demo.wait();
    }
}

impl Api {
    pub(crate) fn new() -> Self {
        let mut demo = Command::new(env!("CARGO_BIN_EXE_flarescope"))
            .args(["demo", "--serve", "127.0.0.1:0", "--time-scale", "0.01"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(demo.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., url, "token", token, "account", account] = words[..] else {
            panic!("the first line is {line:?}")
        };
        let (host, path) = url
            .strip_prefix("http://")
            .unwrap()
            .split_once('/')
            .unwrap();
        let host = host.to_owned();
        let at = |port: u16| format!("http://127.0.0.1:{port}/{path}");
        Self {
            base_url: at(serve(move |request| hostile(&ask(&host, request)))),
            refusing_url: at(serve(|_| refusal())),
            token: token.to_owned(),
            account: account.to_owned(),
            demo,
        }
    }
}

/// Answers every request on a port of its own, for as long as the test runs.
fn serve(answer: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = std::sync::Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = std::sync::Arc::clone(&answer);
            std::thread::spawn(move || {
                let request = request(&stream);
                let _ = (&stream).write_all(&answer(&request));
            });
        }
    });
    port
}

/// A request with its body; connections are not kept.
fn request(stream: &TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if !lower.starts_with("connection:") && !lower.starts_with("accept-encoding:") {
            head += &line;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    [head.as_bytes(), b"connection: close\r\n\r\n", &body].concat()
}

fn ask(host: &str, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(request).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// The same answer with hostile texts, where it is JSON.
fn hostile(answer: &[u8]) -> Vec<u8> {
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap()
        + 4;
    let (head, body) = (String::from_utf8_lossy(&answer[..end]), &answer[end..]);
    let lower = head.to_ascii_lowercase();
    let body = if lower.contains("transfer-encoding: chunked") {
        unchunked(body)
    } else {
        body.to_vec()
    };
    let body = match serde_json::from_slice::<Value>(&body) {
        Ok(mut value) => {
            spoil(&mut value);
            value.to_string().into_bytes()
        }
        Err(_) => body,
    };
    let kept: String = head
        .lines()
        .filter(|line| {
            let line = line.to_ascii_lowercase();
            !line.is_empty()
                && !["content-length", "transfer-encoding", "connection"]
                    .iter()
                    .any(|name| line.starts_with(name))
        })
        .map(|line| format!("{line}\r\n"))
        .collect();
    let length = format!(
        "content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [kept.into_bytes(), length.into_bytes(), body].concat()
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let line = body.windows(2).position(|two| two == b"\r\n").unwrap();
        let size = std::str::from_utf8(&body[..line]).unwrap();
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        if size == 0 {
            return out;
        }
        out.extend(&body[line + 2..line + 2 + size]);
        body = &body[line + 2 + size + 2..];
    }
}

/// Puts the payload into every text that is a name, a message or a remark.
fn spoil(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(spoil),
        Value::Object(fields) => {
            for (key, value) in fields {
                let is_text = [
                    "name",
                    "class",
                    "author_email",
                    "source",
                    "message",
                    "status",
                ]
                .contains(&key.as_str())
                    || key.starts_with("workers/");
                match value {
                    Value::String(text) if is_text && text != WORKER => *text += PAYLOAD,
                    other => spoil(other),
                }
            }
        }
        _ => {}
    }
}

fn refusal() -> Vec<u8> {
    let body = json!({"success": false, "result": null, "messages": [],
                      "errors": [{"code": 10_000, "message": PAYLOAD}]})
    .to_string();
    format!(
        "HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
