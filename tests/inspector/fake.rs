//! A scripted inspector: it speaks as workerd does, plays one misfortune, and writes down what it was told.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};

/// What happens when a command comes.
#[derive(Debug, Clone)]
pub(crate) enum Turn {
    /// The connection is closed with this code and these words.
    Close(u16, &'static str),
    /// The connection is gone, as when the process dies.
    Reset,
    /// No answer, ever.
    Silence,
    /// An answer after a while, as when JavaScript runs.
    Late(Duration),
    /// This text instead of an answer.
    Text(&'static str),
    /// A message that says it is larger than anyone should read.
    Huge,
    /// An error with these words.
    Refuse(&'static str),
    /// The echo alone, without a result.
    Echo,
}

/// How the inspector behaves.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// At which command what happens.
    pub(crate) turn: Option<(&'static str, Turn)>,
    /// Which occurrence of the command is meant, from 1.
    pub(crate) occurrence: usize,
    /// Replies to other clients and events come before each reply.
    pub(crate) strays: bool,
    /// A second client ends both connections.
    pub(crate) exclusive: bool,
    /// A profile that a client left behind is running.
    pub(crate) left_running: bool,
    /// Status that an attempt to attach is answered with.
    pub(crate) attach: u16,
    /// Status and body of the list; `HOST` stands for where the inspector is.
    pub(crate) list: (u16, String),
    /// The profiles.
    pub(crate) cpu: String,
    pub(crate) heap: String,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            turn: None,
            occurrence: 1,
            strays: false,
            exclusive: false,
            left_running: false,
            attach: 101,
            list: (200, entries(&["checkout-api"])),
            cpu: include_str!("../fixtures/v8/no-traffic.cpuprofile")
                .trim_end()
                .to_owned(),
            heap: include_str!("../fixtures/v8/no-traffic.heapprofile")
                .trim_end()
                .to_owned(),
        }
    }
}

/// A list as workerd has it.
pub(crate) fn entries(names: &[&str]) -> String {
    let entry = |name: &&str| {
        json!({
            "id": name, "title": format!("workerd: worker {name}"), "type": "node", "description": "workerd worker",
            "webSocketDebuggerUrl": format!("ws://HOST/{name}"), "url": "https://workers.dev",
        })
    };
    Value::Array(names.iter().map(entry).collect()).to_string()
}

/// What it was told and what became of it.
#[derive(Debug, Default)]
struct Seen {
    log: Vec<String>,
    running: bool,
    crashed: bool,
}

pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

impl Fake {
    pub(crate) async fn start(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Seen {
            running: script.left_running,
            ..Seen::default()
        }));
        let (clients, _) = broadcast::channel(8);
        let served = Arc::new(Server {
            script,
            address,
            seen: Arc::clone(&seen),
            clients,
            count: AtomicUsize::new(0),
        });
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let served = Arc::clone(&served);
                tokio::spawn(async move { served.connection(stream).await });
            }
        });
        Self { address, seen }
    }

    /// The commands with their params, in the order they came; `close CODE` at the end of a connection.
    pub(crate) fn log(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        assert!(
            !seen.crashed,
            "a real runtime would have crashed: {:?}",
            seen.log
        );
        seen.log.clone()
    }

    /// Whether a profile is being recorded.
    pub(crate) fn is_recording(&self) -> bool {
        self.seen.lock().unwrap().running
    }

    /// Waits until a word stands in the log.
    pub(crate) async fn until(&self, word: &str) {
        for _ in 0..500 {
            if self
                .seen
                .lock()
                .unwrap()
                .log
                .iter()
                .any(|line| line.starts_with(word))
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        unreachable!("{word} never came: {:?}", self.log());
    }
}

struct Server {
    script: Script,
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
    clients: broadcast::Sender<()>,
    count: AtomicUsize,
}

impl Server {
    async fn connection(&self, mut stream: TcpStream) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => return,
            }
        }
        let head = String::from_utf8(head).unwrap();
        let header = |name: &str| {
            head.lines().skip(1).find_map(|line| {
                let (found, value) = line.split_once(": ")?;
                found.eq_ignore_ascii_case(name).then(|| value.to_owned())
            })
        };
        let path = head.split(' ').nth(1).unwrap().to_owned();
        // workerd wants a Host; `wrangler dev` sends away whoever looks like a web page or a browser.
        let proper = header("host").is_some_and(|host| host == self.address.to_string());
        if !proper || header("user-agent").is_some() || header("origin").is_some() {
            return answer(stream, 400, "who are you").await;
        }
        if let Some(key) = header("sec-websocket-key") {
            if self.script.attach != 101 {
                return answer(stream, self.script.attach, "").await;
            }
            let accept = derive_accept_key(key.as_bytes());
            let head = format!(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            self.note(format!("attach {path}"));
            return self
                .client(WebSocketStream::from_raw_socket(stream, Role::Server, None).await)
                .await;
        }
        let (status, list) = &self.script.list;
        match path.as_str() {
            "/json" => {
                answer(
                    stream,
                    *status,
                    &list.replace("HOST", &self.address.to_string()),
                )
                .await
            }
            "/json/version" => {
                answer(
                    stream,
                    200,
                    r#"{"Browser": "workerd", "Protocol-Version": "1.3" }"#,
                )
                .await
            }
            _ => answer(stream, 404, "").await,
        }
    }

    fn note(&self, line: String) {
        self.seen.lock().unwrap().log.push(line);
    }

    async fn client(&self, mut socket: WebSocketStream<TcpStream>) {
        let attached = Attached(&self.count);
        if attached.0.fetch_add(1, Ordering::SeqCst) > 0 && self.script.exclusive {
            let _ = self.clients.send(());
            return close(&mut socket, 1000, "client closed connection").await;
        }
        let mut other = self.clients.subscribe();
        loop {
            let message = tokio::select! {
                message = socket.next() => message,
                _ = other.recv() => return close(&mut socket, 1000, "client closed connection").await,
            };
            match message {
                Some(Ok(Message::Text(text))) => {
                    if !self.command(&text, &mut socket).await {
                        return;
                    }
                }
                Some(Ok(Message::Close(frame))) => {
                    self.note(format!(
                        "close {}",
                        frame.map_or(1005, |frame| u16::from(frame.code))
                    ));
                    // What is left is the other side's end of the stream.
                    drop(attached);
                    while let Some(Ok(_)) = socket.next().await {}
                    return;
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            }
        }
    }

    /// Answers a command; `false`: the connection is over.
    async fn command(&self, text: &str, socket: &mut WebSocketStream<TcpStream>) -> bool {
        let command: Value = serde_json::from_str(text).unwrap();
        let (id, method) = (
            command["id"].clone(),
            command["method"].as_str().unwrap().to_owned(),
        );
        let params = command
            .get("params")
            .map_or_else(String::new, |params| format!(" {params}"));
        self.note(format!("{method}{params}"));
        let had = {
            let mut seen = self.seen.lock().unwrap();
            let had = seen.running;
            // As workerd 2026-11-17: at the next sample the process is gone.
            seen.crashed |= method == "Profiler.enable" && had;
            match method.as_str() {
                "Profiler.start" | "HeapProfiler.startSampling" => seen.running = true,
                "Profiler.stop" | "HeapProfiler.stopSampling" => seen.running = false,
                _ => {}
            }
            had
        };
        let times = self
            .seen
            .lock()
            .unwrap()
            .log
            .iter()
            .filter(|line| line.split(' ').next() == Some(&method))
            .count();
        let echo = json!({ "id": id, "method": method, "params": {} });
        if self.script.strays {
            for stray in [
                json!({ "id": 100_000_005, "result": { "profile": { "nodes": [] } } }),
                json!({ "method": "Runtime.consoleAPICalled", "params": { "type": "log" } }),
                json!({ "id": id.as_u64().unwrap() + 1, "result": {} }),
            ] {
                socket.send(Message::text(stray.to_string())).await.unwrap();
            }
        }
        let turn = self
            .script
            .turn
            .as_ref()
            .filter(|(at, _)| *at == method && times == self.script.occurrence);
        let reply = match turn.map(|(_, turn)| turn) {
            Some(Turn::Close(code, reason)) => {
                close(socket, *code, reason).await;
                return false;
            }
            Some(Turn::Reset) => {
                socket.get_ref().set_zero_linger().unwrap();
                return false;
            }
            Some(Turn::Silence) => return true,
            Some(Turn::Huge) => {
                // A final text frame of 80 million bytes, of which none follows.
                let head = [&[0x81, 127][..], &80_000_000_u64.to_be_bytes()].concat();
                return socket.get_mut().write_all(&head).await.is_ok();
            }
            Some(Turn::Text(text)) => (*text).to_owned(),
            Some(Turn::Refuse(words)) => {
                json!({ "id": id, "error": { "code": -32_000, "message": words } }).to_string()
            }
            Some(Turn::Echo) => echo.to_string(),
            Some(Turn::Late(_)) | None => {
                if let Some(Turn::Late(time)) = turn.map(|(_, turn)| turn) {
                    tokio::time::sleep(*time).await;
                }
                match method.as_str() {
                    "Profiler.stop" if had => format!(
                        r#"{{"id":{id},"result":{{"profile":{}}}}}"#,
                        self.script.cpu
                    ),
                    "HeapProfiler.stopSampling" if had => {
                        format!(
                            r#"{{"id":{id},"result":{{"profile":{}}}}}"#,
                            self.script.heap
                        )
                    }
                    "HeapProfiler.startSampling" => json!({ "id": id, "result": {} }).to_string(),
                    _ => echo.to_string(),
                }
            }
        };
        socket.send(Message::text(reply)).await.is_ok()
    }
}

/// Counts a client for as long as it is attached.
struct Attached<'a>(&'a AtomicUsize);

impl Drop for Attached<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn close(socket: &mut WebSocketStream<TcpStream>, code: u16, reason: &'static str) {
    let _ = socket
        .close(Some(CloseFrame {
            code: CloseCode::from(code),
            reason: reason.into(),
        }))
        .await;
    while let Some(Ok(_)) = socket.next().await {}
}

async fn answer(mut stream: TcpStream, status: u16, body: &str) {
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status} As Scripted\r\nLocation: /elsewhere\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}
