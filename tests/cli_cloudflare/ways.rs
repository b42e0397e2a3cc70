//! The way to Cloudflare: proxies, and certificates that a company's own authority has signed.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc;

use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::{BIN, text};
use crate::wording::wording;

fn run(base: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(BIN);
    command
        .args(["list", "accounts"])
        .env_clear()
        .env("HOME", "/nonexistent")
        .env("CLOUDFLARE_API_BASE_URL", base)
        .env("CLOUDFLARE_API_TOKEN", "cfut_secret-of-this-test")
        .envs(variables.iter().copied())
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(
        !format!("{output:?}").contains("secret-of-this-test"),
        "{output:?}"
    );
    output
}

/// A proxy that answers every call so; and the calls' first lines.
fn proxy(answer: &'static str) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (asked, calls) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let count = stream.read(&mut request).unwrap_or(0);
            let _ = asked.send(String::from_utf8_lossy(&request[..count]).into_owned());
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (address, calls)
}

const ELSEWHERE: &str = "https://api.example.invalid/client/v4";

#[test]
fn a_proxy_that_refuses_is_reported_as_such_and_never_sees_the_token() {
    let mut wording = wording!();
    for (answer, words) in [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n",
            "USER:PASSWORD@",
        ),
        (
            "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
            "HTTPS_PROXY",
        ),
        (
            "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n",
            "HTTPS_PROXY",
        ),
        ("", "HTTPS_PROXY"),
    ] {
        let (address, calls) = proxy(answer);
        let output = run(ELSEWHERE, &[("HTTPS_PROXY", &address)]);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stderr);
        wording.add(&told);
        assert!(told.contains(words), "{answer}: {told}");
        let asked = calls.recv().unwrap();
        assert!(
            asked.starts_with("CONNECT api.example.invalid:443 "),
            "{asked}"
        );
        assert!(!asked.contains("secret-of-this-test"), "{asked}");
    }
}

#[test]
fn hosts_that_need_no_proxy_go_without() {
    let mut wording = wording!();
    let (address, calls) = proxy("");
    let output = run(
        ELSEWHERE,
        &[("HTTPS_PROXY", &address), ("NO_PROXY", "example.invalid")],
    );
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    wording.add(&told);
    assert!(told.contains("HTTPS_PROXY"), "{told}");
    assert!(calls.try_recv().is_err(), "the proxy was asked");
}

fn fixture(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/tls")
        .join(name)
}

/// A server whose certificate no system knows, and that has one account.
fn unknown_server() -> String {
    let certificate = CertificateDer::from(std::fs::read(fixture("server.der")).unwrap());
    let key = PrivateKeyDer::try_from(std::fs::read(fixture("server.key.der")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // A client that does not trust it hangs up.
            let _ = serve(&config, stream.unwrap());
        }
    });
    format!("https://localhost:{port}/client/v4")
}

fn serve(config: &Arc<rustls::ServerConfig>, mut stream: TcpStream) -> std::io::Result<()> {
    let mut connection =
        rustls::ServerConnection::new(Arc::clone(config)).map_err(std::io::Error::other)?;
    let mut tls = rustls::Stream::new(&mut connection, &mut stream);
    let mut request = [0; 4096];
    let _ = tls.read(&mut request)?;
    let body = format!(
        r#"{{"success":true,"result":[{{"id":"{}","name":"Acme Retail"}}]}}"#,
        "a".repeat(32)
    );
    write!(
        tls,
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )?;
    tls.flush()
}

#[test]
#[cfg(target_os = "linux")]
fn an_unknown_certificate_is_refused_and_the_way_the_message_names_helps() {
    let mut wording = wording!();
    let base = unknown_server();
    let output = run(&base, &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    wording.add(&told);
    assert!(told.contains("SSL_CERT_FILE"), "{told}");
    let output = run(
        &base,
        &[("SSL_CERT_FILE", fixture("authority.pem").to_str().unwrap())],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Acme Retail"));
}
