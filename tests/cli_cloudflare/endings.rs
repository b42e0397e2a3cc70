//! Captures of the command whose terminal goes, or that are cancelled: what arrives is kept, what is cancelled ends at once.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use flarescope::model::cloudflare::Capture;
use flarescope::store::Store;
use rustix::process::{Pid, Signal, kill_process};

use crate::{Place, text};

/// Starts a capture and waits until its call was sent.
fn sent(place: &Place, more: &[&str]) -> Child {
    let log = place.dir.path().join("log");
    let before = std::fs::read_to_string(&log).map_or(0, |text| text.matches("stage=sent").count());
    let child = place
        .command(&["capture", "--worker", "checkout-api", "--duration", "1s"])
        .args(more)
        .arg("--log")
        .arg(&log)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually(|| {
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        text.matches("stage=sent").count() > before
    });
    child
}

fn eventually(holds: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < patience, "it never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn kept(place: &Place) -> Vec<Capture> {
    Store::open(place.cache()).list().unwrap().captures
}

/// Sends a signal; returns the exit code and what was written to standard output.
fn end(child: Child, signal: Signal) -> (Option<i32>, String) {
    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), text(&output.stdout))
}

#[test]
fn capture_outlives_its_terminal() {
    let place = Place::new(&[]);
    let output = place.dir.path().join("out.pprof.gz");
    for (more, signal) in [
        (vec![], Signal::HUP),
        (vec!["--json"], Signal::HUP),
        (vec!["-o", output.to_str().unwrap()], Signal::HUP),
        (vec![], Signal::KILL),
    ] {
        let before = kept(&place).len();
        let since = Instant::now();
        let (code, written) = end(sent(&place, &more), signal);
        assert_eq!(code, (signal == Signal::HUP).then_some(129), "{more:?}");
        assert_eq!(written.starts_with("{\"error\""), more == ["--json"]);
        assert!(since.elapsed() < Duration::from_secs(3));
        eventually(|| kept(&place).len() > before);
    }
    // The file of `-o` was the command's own to write.
    assert!(!output.exists());
    let profile = kept(&place).remove(0);
    assert!(profile.target().version_id.is_some());
    // Each is reported at the next start, once: the worker writes that after the profile.
    let reported = std::cell::Cell::new(0);
    eventually(|| {
        let store = Store::open(place.cache());
        reported.set(reported.get() + store.drain_detached_results().len());
        reported.get() == 4
    });
}

#[test]
fn batch_keeps_what_runs_and_sends_no_more() {
    let place = Place::new(&[]);
    for more in [["--count", "3"].as_slice(), &["--canary"]] {
        let before = kept(&place).len();
        let (code, _) = end(sent(&place, more), Signal::HUP);
        assert_eq!(code, Some(129));
        eventually(|| kept(&place).len() > before);
        std::thread::sleep(Duration::from_millis(1500));
        assert_eq!(kept(&place).len(), before + 1);
    }
}

#[test]
fn interrupted_capture_ends_with_its_call() {
    let place = Place::new(&[]);
    for (signal, expected) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        for more in [["--json"].as_slice(), &["--json", "--count", "2"], &[]] {
            let (code, written) = end(sent(&place, more), signal);
            assert_eq!(code, Some(expected), "{more:?}");
            if more.is_empty() {
                assert_eq!(written, "");
            } else {
                let value: serde_json::Value = serde_json::from_str(&written).unwrap();
                assert!(value["error"]["message"].is_string(), "{written}");
            }
        }
    }
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(kept(&place).len(), 0);
    // Nobody holds the lock any more.
    let begun = Instant::now();
    let path = place.run(&["capture", "--worker", "checkout-api", "--duration", "1s"]);
    assert!(PathBuf::from(text(&path.stdout).trim()).exists());
    assert!(begun.elapsed() < Duration::from_secs(5));
}
