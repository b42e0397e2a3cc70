//! Faults that were found by trying, each with an input that showed it: figures of comparisons, identity, exports, formats.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flarescope"))
        .args(arguments)
        .current_dir(folder)
        .env("FLARESCOPE_CACHE_DIR", folder.join("no-cache"))
        .env("HOME", folder)
        .output()
        .unwrap()
}

/// Runs a command in the folder with the inputs.
fn run(arguments: &[&str]) -> Output {
    run_in(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/edges"),
        arguments,
    )
}

fn value(output: &Output) -> Value {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A folder with a file of this text.
fn file(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

fn top(name: &str, text: &str, more: &[&str]) -> Value {
    let folder = file(name, text);
    let arguments = [&["top", name, "--json"], more].concat();
    value(&run_in(folder.path(), &arguments))
}

#[test]
fn scaling_takes_nothing_from_one_function_for_another() {
    let folder = file("base.folded", "main;a 500\nmain;b 500\n");
    // Stacks of one sample each, of both functions in turn: half of them is left.
    let new: String = (0..1000)
        .map(|at| format!("main;x{at};a 1\nmain;x{at};b 1\n"))
        .collect();
    fs::write(folder.path().join("new.folded"), new).unwrap();
    let output = run_in(
        folder.path(),
        &["diff", "base.folded", "new.folded", "--normalize", "--json"],
    );
    let value = value(&output);
    for row in value["rows"].as_array().unwrap() {
        if matches!(row["function"].as_str(), Some("a" | "b")) {
            assert_eq!(
                (&row["base_self"], &row["new_self"]),
                (&json!(500), &json!(500)),
                "{row}"
            );
        }
    }
}

#[test]
fn what_chance_can_do_is_of_busy_samples_whatever_is_filtered() {
    let noise = |more: &[&str]| {
        let arguments = [&["diff", "idle1.pprof", "idle2.pprof", "--json"], more].concat();
        let value = value(&run(&arguments));
        let rows = value["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["function"] == "work").unwrap();
        (
            row["noise"].as_f64().unwrap(),
            row["within"].as_bool().unwrap(),
        )
    };
    let (level, is_within) = noise(&[]);
    for more in [&["--no-idle"][..], &["--focus", "work"]] {
        let (other, also) = noise(more);
        assert!((level - other).abs() < 1e-9, "{level} {other} {more:?}");
        assert_eq!(is_within, also);
    }
    // 50 of 65 busy samples, 60 of 105: by the formula of the comparison.
    let (one, other) = (50.5 / 66.0, 60.5 / 106.0);
    let mean: f64 = (one * 65.0 + other * 105.0) / 170.0;
    let spread: f64 = (1.0 - mean) / mean * (1.0 / 65.0 + 1.0 / 105.0 + 1.0 / 200.0);
    assert!(
        (level - (1.96 * spread.sqrt()).exp()).abs() < 1e-6,
        "{level}"
    );
}

#[test]
fn nameless_functions_are_the_same_in_every_format() {
    let value = value(&run(&["diff", "nncol.pprof", "nncol.cpuprofile", "--json"]));
    for row in value["rows"].as_array().unwrap() {
        assert_eq!(row["status"], "same", "{row}");
    }
}

#[test]
fn a_filter_on_a_nameless_function_means_that_one() {
    let shown = |filter: &str, function: &str| {
        value(&run(&[
            "top",
            "nncol.cpuprofile",
            "--json",
            "--sample-type",
            "samples",
            filter,
            function,
        ]))["shown"]
            .clone()
    };
    let counts = |column: Option<i64>| {
        let top = value(&run(&[
            "top",
            "nncol.cpuprofile",
            "--json",
            "--sample-type",
            "samples",
        ]));
        let rows = top["rows"].as_array().unwrap().iter();
        let of_it = rows.filter(|row| row["column"].as_i64() == column && row["file"] == "w.js");
        of_it.map(|row| row["self"].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!(
        shown("--focus-function", "(anonymous)@w.js:5:40"),
        counts(Some(40))
    );
    assert_eq!(
        shown("--focus-function", "(anonymous)@w.js:5"),
        counts(None)
    );
}

#[test]
fn columns_of_what_is_executed_part_no_function() {
    let top = value(&run(&["top", "onefn.pprof", "--json"]));
    let rows = top["rows"].as_array().unwrap().iter();
    let nameless: Vec<&Value> = rows
        .filter(|row| row["function"] == "(anonymous)")
        .collect();
    assert_eq!(nameless.len(), 1, "{top}");
    assert_eq!(nameless[0]["total"], top["total"]);
}

#[test]
fn an_export_from_a_frame_down_has_no_caller_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("b.pprof");
    let output = output.to_str().unwrap();
    for format in ["pprof", "cpuprofile"] {
        let made = run(&[
            "export",
            "rtinl.pprof",
            "--root",
            "b",
            "--to",
            format,
            "-o",
            output,
        ]);
        assert!(made.status.success());
        let top = value(&run(&["top", output, "--json"]));
        let rows = top["rows"].as_array().unwrap();
        assert!(
            rows.iter().all(|row| row["function"] != "a"),
            "{format}: {top}"
        );
    }
}

#[test]
fn names_that_a_view_leaves_out_are_not_written() {
    for format in ["json", "speedscope"] {
        let output = run(&[
            "export", "rt.pprof", "--ignore", "^d$", "--hide", "^a$", "--to", format,
        ]);
        let text = String::from_utf8(output.stdout).unwrap();
        for name in ["\"a\"", "\"d\""] {
            assert!(!text.contains(name), "{name} in {text}");
        }
    }
    let value = value(&run(&["export", "rt.pprof", "--root", "b", "--to", "json"]));
    assert_eq!(value["shown"], value["nodes"][0]["total"]);
}

fn cpuprofile(deltas: &[f64]) -> String {
    let frame = |name: &str| json!({ "functionName": name, "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1 });
    json!({
        "nodes": [
            { "id": 1, "callFrame": frame("(root)"), "children": [2] },
            { "id": 2, "callFrame": frame("work"), "children": [] },
        ],
        "samples": vec![2; deltas.len()], "timeDeltas": deltas, "startTime": 0, "endTime": 300_000,
    })
    .to_string()
}

#[test]
fn fractions_of_a_microsecond_add_up() {
    for (delta, count, total) in [(0.4, 2000, 800), (100.5, 2000, 201_000)] {
        let top = top("it.cpuprofile", &cpuprofile(&vec![delta; count]), &[]);
        let found = top["total"].as_i64().unwrap() / 1000;
        assert!((found - total).abs() <= 1, "{delta}: {found} µs");
    }
}

#[test]
fn weights_that_are_fractions_are_refused_and_not_rounded_away() {
    let file_of = |unit: &str| {
        json!({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "shared": { "frames": [{ "name": "a" }, { "name": "b" }] },
            "profiles": [{ "type": "sampled", "name": "p", "unit": unit, "startValue": 0, "endValue": 1,
                "samples": [[0, 1], [0]], "weights": [0.3, 0.2] }],
        })
        .to_string()
    };
    for unit in ["none", "bytes"] {
        let folder = file("it.speedscope.json", &file_of(unit));
        let output = run_in(folder.path(), &["top", "it.speedscope.json"]);
        assert_eq!(output.status.code(), Some(1), "{unit}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("whole numbers"));
    }
    let top = top("it.speedscope.json", &file_of("seconds"), &[]);
    assert_eq!(top["total"], 500_000_000);
}

#[test]
fn logs_of_the_protocol_are_read_whatever_stands_around_the_profile() {
    let profile: Value = serde_json::from_str(&cpuprofile(&vec![1000.0; 20_000])).unwrap();
    let message = json!({ "id": 7, "result": { "profile": profile } }).to_string();
    assert!(message.len() > 64 << 10);
    let other = r#"{"method":"Runtime.consoleAPICalled","params":{}}"#;
    for (what, text) in [
        ("the profile first", format!("{message}\n{other}\n")),
        ("the profile alone", message.clone()),
        ("a byte order mark", format!("\u{feff}{other}\n{message}\n")),
        (
            "text among it",
            format!("{other}\nConnected.\n{message}\nDone.\n"),
        ),
        (
            "the last line cut",
            format!("{other}\n{message}\n{{\"method\":\"Runt"),
        ),
    ] {
        let top = top("log.jsonl", &text, &[]);
        assert_eq!(top["samples"], 20_000, "{what}");
    }
}
