//! Formats other than pprof: the numbers of every raw recording, broken files, and what is written.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

mod broken;
mod folded;
mod others;
mod recordings;
mod validator;
#[path = "../support/wording.rs"]
mod wording;
mod written;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use flarescope::formats;
use flarescope::model::graph::aggregate::Reading;
use flarescope::model::graph::frames::is_nameless;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::profile::Profile;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn raw(file: &str) -> PathBuf {
    let plain = fixtures().join("v8").join(file);
    if plain.exists() {
        plain
    } else {
        plain.with_file_name(format!("{file}.gz"))
    }
}

fn open(path: &Path) -> Profile {
    formats::read(fs::File::open(path).unwrap(), &path.to_string_lossy()).unwrap()
}

/// A function's name and file.
type Function = (String, String);

/// Self value, total and samples of each function. Nameless functions of a file are one, as to pprof, and have no total: some
/// call others.
fn table(reading: &Reading) -> HashMap<Function, (i64, i64, i64)> {
    let mut rows: HashMap<Function, (i64, i64, i64)> = HashMap::new();
    for row in rank(reading, Sort::Samples, false) {
        let info = reading.frames.info(row.frame);
        let key = (info.name.to_owned(), info.file.to_owned());
        let nameless = is_nameless(info.name);
        assert!(nameless || !rows.contains_key(&key), "two rows for {key:?}");
        let (own, total, samples) = rows.entry(key).or_default();
        *own += row.self_value;
        *total += if nameless { 0 } else { row.total };
        *samples += row.samples;
    }
    rows
}

/// The recordings in V8's own formats, with the stem of what is expected.
const RECORDINGS: &[(&str, &str)] = &[
    ("chat-rooms.cpuprofile", "chat-rooms.cpu"),
    ("checkout-api.cpuprofile", "checkout-api.cpu"),
    ("deep-parser.cpuprofile", "deep-parser.cpu"),
    ("edge-metrics.cpuprofile", "edge-metrics.cpu"),
    ("geo-router.cpuprofile", "geo-router.cpu"),
    ("monolith.cpuprofile", "monolith.cpu"),
    ("namer.cpuprofile", "namer.cpu"),
    ("no-traffic.cpuprofile", "no-traffic.cpu"),
    ("r2-binding.cpuprofile", "r2-binding.cpu"),
    ("status-page.cpuprofile", "status-page.cpu"),
    ("chat-rooms.heapprofile", "chat-rooms.heap"),
    ("checkout-api.heapprofile", "checkout-api.heap"),
    ("deep-parser.heapprofile", "deep-parser.heap"),
    ("edge-metrics.heapprofile", "edge-metrics-objects.heap"),
    ("geo-router.heapprofile", "geo-router.heap"),
    ("monolith.heapprofile", "monolith.heap"),
    ("no-traffic.heapprofile", "no-traffic.heap"),
    ("r2-binding.heapprofile", "r2-binding.heap"),
];
