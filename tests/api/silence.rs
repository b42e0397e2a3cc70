//! Long silence: a capture answers after its window, and nothing shorter than its own limit may give it up.

use std::time::Duration;

use flarescope::api::{Client, ErrorKind};
use flarescope::model::cloudflare::CaptureRequest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{PROFILE, capture_request, settings};
use crate::wording::wording;

/// The longest window there is, and what the program grants beyond it.
const WINDOW: Duration = Duration::from_secs(50);
const SLACK: Duration = Duration::from_secs(45);

/// A client as the program makes it, and the place where its calls arrive.
async fn usual() -> (Client, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/client/v4", listener.local_addr().unwrap());
    (Client::new(settings(&base)).unwrap(), listener)
}

/// Takes a call, and answers it after a silence.
async fn answer_after(listener: TcpListener, silence: Duration) -> std::io::Result<()> {
    let (mut stream, _) = listener.accept().await?;
    let mut request = [0; 4096];
    let _ = stream.read(&mut request).await?;
    tokio::time::sleep(silence).await;
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/vnd.google.protobuf\r\ncontent-length: {}\r\n\r\n",
        PROFILE.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(PROFILE).await
}

/// The clock stands still, and jumps to whatever is due next: a time-out that is shorter than the silence comes first.
#[tokio::test(start_paused = true)]
async fn a_capture_outlives_the_silence_of_the_longest_window_to_the_last_second_of_its_limit() {
    let mut wording = wording!();
    let request = CaptureRequest {
        window: WINDOW,
        ..capture_request()
    };
    let (client, listener) = usual().await;
    let began = tokio::time::Instant::now();
    let server = tokio::spawn(answer_after(
        listener,
        WINDOW + SLACK - Duration::from_secs(1),
    ));
    assert_eq!(client.capture(&request).await.unwrap().bytes, PROFILE);
    assert!(began.elapsed() >= WINDOW + SLACK - Duration::from_secs(1));
    server.await.unwrap().unwrap();

    let (client, listener) = usual().await;
    let began = tokio::time::Instant::now();
    let server = tokio::spawn(answer_after(
        listener,
        WINDOW + SLACK + Duration::from_secs(60),
    ));
    let error = client.capture(&request).await.unwrap_err();
    assert_eq!(
        *error.kind(),
        ErrorKind::TimedOut {
            after: WINDOW + SLACK
        },
        "{error}"
    );
    wording.add(error.to_string());
    assert!((WINDOW + SLACK..WINDOW + SLACK + Duration::from_secs(2)).contains(&began.elapsed()));
    server.abort();
}

/// What the kernel says of the client's end of a connection: which timer runs there.
#[cfg(target_os = "linux")]
fn timer_of(stream: &TcpStream) -> String {
    let port = |address: std::net::SocketAddr| format!("0100007F:{:04X}", address.port());
    let (theirs, ours) = (
        port(stream.peer_addr().unwrap()),
        port(stream.local_addr().unwrap()),
    );
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let row = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = row
        .into_iter()
        .find(|row| row[1] == theirs && row[2] == ours)
        .unwrap();
    row[5].split(':').next().unwrap().to_owned()
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn the_system_keeps_looking_whether_a_silent_connection_still_stands() {
    let (client, listener) = usual().await;
    let capture = tokio::spawn(async move { client.capture(&capture_request()).await });
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut request = [0; 4096];
    assert!(stream.read(&mut request).await.unwrap() > 0);
    // 02 is the timer of keep-alive probes; without them none runs.
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while timer_of(&stream) != "02" {
        assert!(
            std::time::Instant::now() < until,
            "timer {}",
            timer_of(&stream)
        );
        tokio::task::yield_now().await;
    }
    capture.abort();
    // The measure sees what is missing, too.
    let plain = TcpStream::connect(listener.local_addr().unwrap())
        .await
        .unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    assert_eq!(timer_of(&stream), "00");
    drop(plain);
}
