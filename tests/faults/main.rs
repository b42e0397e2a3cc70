//! The walk: each fault of the demo server at each call, on the screen and in the commands. The reason is told in plain words,
//! with the ray where there was an answer, and there is always a next step.
#![cfg(feature = "demo")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod commands;
mod quota;
mod screen;
#[path = "../support/wording.rs"]
mod wording;

use flarescope::demo::{DemoServer, Injection, Options};

/// A demo server that meets these faults; a capture's second takes a fiftieth of one, and a slow answer is 1.2 s late.
fn demo(faults: &str) -> DemoServer {
    let faults = Injection::parse_list(faults).unwrap();
    DemoServer::start(&Options {
        faults,
        time_scale: 0.02,
        ..Options::default()
    })
    .unwrap()
}

/// A demo server without faults.
fn sound() -> DemoServer {
    DemoServer::start(&Options {
        time_scale: 0.02,
        ..Options::default()
    })
    .unwrap()
}

/// The faults of a read, and whether an answer came that had a ray.
const READS: &[(&str, bool)] = &[
    ("401", true),
    ("403", true),
    ("429", true),
    ("500", true),
    ("html", true),
    ("json-200", true),
    ("svg-200", true),
    ("empty", true),
    ("cut", true),
    ("slow", false),
    ("reset", false),
    ("redirect", true),
];
