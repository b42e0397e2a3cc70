//! Requests, one after the other, for as long as something is captured; never without end.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// However long the test takes, no more than this is sent.
const REQUESTS_MAX: u32 = 60_000;
const TIME_MAX: Duration = Duration::from_secs(30);

/// Two lanes of requests; ends when it is dropped.
pub(crate) struct Load {
    ends: Arc<AtomicBool>,
    answered: Arc<AtomicU32>,
    lanes: Vec<JoinHandle<()>>,
}

impl Load {
    /// Sends what `request` makes of each number: the path and the body of a POST.
    pub(crate) fn start(address: SocketAddr, request: fn(u32) -> (String, String)) -> Self {
        let (ends, answered) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU32::new(0)),
        );
        let lanes = (0..2).map(|lane| {
            let (ends, answered) = (Arc::clone(&ends), Arc::clone(&answered));
            std::thread::spawn(move || {
                let begun = Instant::now();
                let mut stream = BufReader::new(TcpStream::connect(address).unwrap());
                for number in 0..REQUESTS_MAX / 2 {
                    if ends.load(Ordering::Relaxed) || begun.elapsed() > TIME_MAX {
                        return;
                    }
                    let (path, body) = request(number * 2 + lane);
                    post(&mut stream, &path, &body);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        Self {
            lanes: lanes.collect(),
            ends,
            answered,
        }
    }

    /// How many requests were answered.
    pub(crate) fn answered(&self) -> u32 {
        self.answered.load(Ordering::Relaxed)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        for lane in self.lanes.drain(..) {
            let _ = lane.join();
        }
    }
}

fn post(stream: &mut BufReader<TcpStream>, path: &str, body: &str) {
    let length = body.len();
    let request =
        format!("POST {path} HTTP/1.1\r\nHost: sample\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.get_mut().write_all(request.as_bytes()).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(
            stream.read_line(&mut line).unwrap() > 0,
            "the Worker hung up"
        );
        if let Some((name, value)) = line.split_once(": ")
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    stream.read_exact(&mut vec![0; length]).unwrap();
}

/// A cart whose address takes the Worker's regular expression long.
pub(crate) fn cart(number: u32) -> (String, String) {
    let lines: Vec<String> = (0..80)
        .map(|line| {
            let quantity = (line * 3) % 120;
            format!(
                r#"{{"sku":"SKU-{}","qty":{quantity},"unitCents":{},"tags":["a","b"]}}"#,
                line * 13,
                100 + line
            )
        })
        .collect();
    let street = ["Kanalgrachtlaan", "Lindenwegstrass", "Marktplatznord"][number as usize % 3];
    let body = format!(
        r#"{{"id":"c{number}","shipTo":"{street} {}?\nNL-{}","coupon":null,"lines":[{}]}}"#,
        number % 90,
        10_000 + number % 900,
        lines.join(",")
    );
    ("/checkout".to_owned(), body)
}

/// A message for one of two rooms.
pub(crate) fn message(number: u32) -> (String, String) {
    let room = ["general", "incident-4711"][number as usize % 2];
    let text = r"**Deploy** of _edge_ @oncall finished & <ok>\n- step one **done**\n- step two _done_ @ada\n".repeat(3);
    (
        format!("/rooms/{room}"),
        format!(r#"{{"from":"member-{}","text":"{text}"}}"#, number % 40),
    )
}
