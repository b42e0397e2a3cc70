//! Several files as one profile, from the commands.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

#[path = "support/wording.rs"]
mod wording;

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

use wording::wording;

/// Two recordings of one Worker, busy and quiet, and one of allocations.
const CPU: &str = "status-page.cpu.pprof.gz";
const OTHER: &str = "status-page-idle.cpu.pprof.gz";
const HEAP: &str = "checkout-api.heap.pprof.gz";

fn run(arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recordings");
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("flarescope").unwrap();
    command
        .current_dir(folder)
        .env("FLARESCOPE_CACHE_DIR", cache.path())
        .args(arguments)
        .output()
        .unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn totals_add_up_and_each_file_can_be_taken_out_again() {
    let (one, other) = (
        json(&["top", CPU, "--json"]),
        json(&["top", OTHER, "--json"]),
    );
    let both = json(&["top", CPU, OTHER, "--json"]);
    let total = |value: &Value| value["total"].as_i64().unwrap();
    assert_eq!(total(&both), total(&one) + total(&other));
    assert!(one.get("captures").is_none(), "one file is no merge");
    let names: Vec<&str> = both["captures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|capture| capture["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, [CPU, OTHER]);

    let taken_out = json(&["top", CPU, OTHER, "--json", "--tag-focus", "capture=idle"]);
    assert_eq!(taken_out["shown"], other["shown"]);
    // Each row says of each file what that file's own table says.
    let figures = |row: &Value| {
        (
            row["self"].as_i64().unwrap(),
            row["total"].as_i64().unwrap(),
        )
    };
    let mut told = 0;
    for row in both["rows"].as_array().unwrap() {
        for (alone, held) in [&one, &other]
            .into_iter()
            .zip(row["captures"].as_array().unwrap())
        {
            let same = |other: &&Value| {
                (&other["function"], &other["file"]) == (&row["function"], &row["file"])
            };
            let of_it = alone["rows"]
                .as_array()
                .unwrap()
                .iter()
                .find(same)
                .map_or((0, 0), figures);
            assert_eq!(figures(held), of_it, "{}", row["function"]);
            told += 1;
        }
    }
    assert!(told >= 20, "{told}");
}

#[test]
fn an_export_of_several_is_opened_as_several() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("both.pprof");
    let written = written.to_str().unwrap();
    assert!(
        run(&["export", CPU, OTHER, "--to", "pprof", "-o", written])
            .status
            .success()
    );
    let (both, again) = (
        json(&["top", CPU, OTHER, "--json"]),
        json(&["top", written, "--json"]),
    );
    assert_eq!(both["captures"], again["captures"]);
    assert_eq!(both["rows"], again["rows"]);
}

#[test]
fn the_table_shows_the_lowest_and_the_highest_share() {
    let output = run(&["top", CPU, OTHER, "-n", "2"]);
    let text = String::from_utf8(output.stdout).unwrap();
    // 7.729 s of 10.3 s, and 46 ms of as much: one isolate is luck.
    assert!(text.contains("0.4–74.7"), "{text}");
    for size in ["120x40", "80x24"] {
        let screen = run(&["render", CPU, OTHER, "--size", size]);
        let screen = String::from_utf8(screen.stdout).unwrap();
        assert!(screen.contains("0.4–74.7"), "{screen}");
    }
}

#[test]
fn what_can_not_be_one_is_refused_in_words() {
    let mut wording = wording!();
    let output = run(&["top", CPU, HEAP]);
    assert_eq!(output.status.code(), Some(1));
    wording.add(words(&output));
    let output = run(&["export", "-", "-", "--to", "folded"]);
    assert_eq!(output.status.code(), Some(2));
    wording.add(words(&output));
    let output = run(&["top", CPU, "no-such-file"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        words(&output).contains("no-such-file"),
        "{}",
        words(&output)
    );
}
