//! What captures of the real runtime show, and that it survives them.

use std::process::Child;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::Place;
use super::load::{Load, cart, message};

/// The function with the most self value, idle time and the runtime's own aside, and its part of the capture.
fn culprit(place: &Place, capture: &Value) -> (String, f64) {
    let top = place.json(&[
        "top",
        capture["path"].as_str().unwrap(),
        "--json",
        "--sort",
        "self",
    ]);
    let base = top["base"].as_f64().unwrap();
    let mut rows = top["rows"].as_array().unwrap().iter();
    let row = rows
        .find(|row| !row["function"].as_str().unwrap().starts_with('('))
        .unwrap();
    (
        row["function"].as_str().unwrap().to_owned(),
        row["self"].as_f64().unwrap() / base,
    )
}

pub(crate) fn cpu_and_heap_captures_name_the_functions_that_are_known_to_cost() {
    let place = Place::new();
    let workers = place.json(&["list", "workers", "--json"]);
    let names: Vec<_> = workers
        .as_array()
        .unwrap()
        .iter()
        .map(|worker| &worker["name"])
        .collect();
    assert_eq!(names, ["checkout-api", "chat-rooms"]);

    let load = Load::start(place.server.checkout, cart);
    let arguments = [
        "capture",
        "--worker",
        "checkout-api",
        "--type",
        "cpu",
        "--duration",
        "3s",
        "--json",
    ];
    let capture = place.json(&arguments);
    assert!(
        load.answered() > 10,
        "only {} requests were answered",
        load.answered()
    );
    drop(load);
    assert_eq!(
        (&capture["kind"], &capture["origin"]),
        (&"cpu".into(), &"inspector".into())
    );
    assert!(capture["samples"].as_i64().unwrap() > 100, "{capture}");
    // Its address check has a regular expression with nested quantifiers. V8 may have put the one function into the other.
    let (function, share) = culprit(&place, &capture);
    assert!(
        ["validateAddress", "matchesAddressLine"].contains(&function.as_str()) && share > 0.25,
        "{function} {share}"
    );

    // A Durable Object has no target of its own: it is found in its Worker's isolate.
    let load = Load::start(place.server.chat, message);
    let arguments = [
        "capture",
        "--worker",
        "chat-rooms",
        "--type",
        "heap",
        "--duration",
        "3s",
        "--json",
    ];
    let capture = place.json(&arguments);
    drop(load);
    assert_eq!(capture["sample_type"]["unit"], "bytes");
    // Each message is turned into JSON once for each of 40 members.
    let (function, share) = culprit(&place, &capture);
    assert!(
        ["broadcast", "encodeFrame"].contains(&function.as_str()) && share > 0.2,
        "{function} {share}"
    );
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

pub(crate) fn a_cancelled_capture_leaves_an_isolate_that_can_be_captured_at_once() {
    let mut place = Place::new();
    for kind in ["cpu", "heap"] {
        let child = place.command(&[
            "capture",
            "--worker",
            "chat-rooms",
            "--type",
            kind,
            "--duration",
            "50s",
        ]);
        let child = { child }.spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        signal(&child, Signal::INT);
        let cancelled = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(130),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            cancelled.elapsed() < Duration::from_secs(3),
            "it answered by itself, not by running out of time"
        );
    }
    let capture = place.json(&[
        "capture",
        "--worker",
        "chat-rooms",
        "--duration",
        "1s",
        "--json",
    ]);
    assert_eq!(capture["kind"], "cpu");
    assert!(place.server.is_alive());
}

type Socket = WebSocketStream<TcpStream>;

async fn attach(place: &Place) -> Socket {
    let stream = TcpStream::connect(place.server.inspector).await.unwrap();
    client_async(
        format!("ws://{}/checkout-api", place.server.inspector),
        stream,
    )
    .await
    .unwrap()
    .0
}

async fn call(socket: &mut Socket, id: u64, method: &str) {
    socket
        .send(Message::text(format!(
            r#"{{"id":{id},"method":"{method}"}}"#
        )))
        .await
        .unwrap();
    while let Some(message) = socket.next().await {
        let reply: Value = serde_json::from_str(&message.unwrap().into_text().unwrap()).unwrap();
        if reply["id"] == id {
            return;
        }
    }
    unreachable!("no reply to {method}");
}

pub(crate) fn the_runtime_survives_a_second_client_while_a_profile_runs() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(with_a_second_client());
}

async fn with_a_second_client() {
    let mut place = Place::new();
    // A client that begins a profile and dies: enabling the profiler once more would now kill the runtime.
    let mut dead = attach(&place).await;
    call(&mut dead, 1, "Profiler.enable").await;
    call(&mut dead, 2, "Profiler.start").await;
    drop(dead);
    let arguments = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ];
    let load = Load::start(place.server.checkout, cart);
    place.json(&arguments);
    assert!(place.server.is_alive(), "the capture killed the runtime");

    // One that is still there when ours comes: both are thrown out, and the next one finds the profile of the first.
    let mut first = attach(&place).await;
    call(&mut first, 1, "Profiler.enable").await;
    call(&mut first, 2, "Profiler.start").await;
    let output = place.run(&arguments);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told["error"]["message"].is_string(), "{told}");
    place.json(&arguments);
    drop(load);
    assert!(place.server.is_alive(), "the capture killed the runtime");
}
