//! `check`, `diff` of several captures a side, and `peek`: verdicts, exit codes, and never success for want of something.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

#[path = "support/wording.rs"]
mod wording;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use wording::wording;

/// Runs a command in the folder with the recordings, with a cache of its own.
fn run(arguments: &[&str]) -> Output {
    let cache = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_flarescope"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pairs"))
        .env("FLARESCOPE_CACHE_DIR", cache.path())
        .env("XDG_CONFIG_HOME", cache.path())
        .env("HOME", cache.path())
        .env_remove("CLOUDFLARE_API_TOKEN")
        .env_remove("GITHUB_STEP_SUMMARY")
        .output()
        .unwrap()
}

fn files(build: &str, places: &[usize]) -> String {
    let names: Vec<String> = places
        .iter()
        .map(|at| format!("{build}-{at}.cpuprofile"))
        .collect();
    names.join(",")
}

/// Returns a profile of functions without callers, each with so many samples of a millisecond.
fn cpuprofile(functions: &[(&str, usize)]) -> String {
    let node = |id: usize, name: &str, children: Vec<usize>| {
        json!({
            "id": id, "children": children, "hitCount": 0,
            "callFrame": { "functionName": name, "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1 },
        })
    };
    let ids: Vec<usize> = (2..functions.len() + 2).collect();
    let mut nodes = vec![node(1, "(root)", ids.clone())];
    let mut samples = Vec::new();
    for (id, (name, count)) in ids.iter().zip(functions) {
        nodes.push(node(*id, name, Vec::new()));
        samples.extend(vec![*id; *count]);
    }
    let deltas = vec![1000; samples.len()];
    let end = 1000 * (samples.len() + 1);
    json!({ "nodes": nodes, "samples": samples, "timeDeltas": deltas, "startTime": 0, "endTime": end })
        .to_string()
}

/// Runs `check` on files; returns its exit code and what it printed.
fn check(base: &str, new: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let (base, new) = (format!("files:{base}"), format!("files:{new}"));
    let mut arguments = vec!["check", "--baseline", &base, "--candidate", &new];
    arguments.extend(more);
    let output = run(&arguments);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn a_function_that_does_its_work_twice_fails_the_check_and_one_build_does_not() {
    let mut wording = wording!();
    let (same, twice) = (files("same", &[0, 1, 2, 3]), files("twice", &[0, 1, 2, 3]));
    let (code, text, _) = check(&same, &twice, &[]);
    assert_eq!(code, Some(3), "{text}");
    wording.add(text);
    let (code, json, _) = check(&same, &twice, &["--json"]);
    assert_eq!(code, Some(3));
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["verdict"], "worse");
    let first = &value["functions"][0];
    assert_eq!(
        (&first["function"], &first["verdict"]),
        (&"structuredCloneLite".into(), &"worse".into())
    );
    let number = |key: &str| first[key].as_f64().unwrap();
    assert!(number("low") > 0.0 && number("low") < number("change"));
    assert!(number("change") < number("high") && number("p") < 0.05);
    assert_eq!(value["sides"][0]["captures"].as_array().unwrap().len(), 4);
    let (code, text, _) = check(&same, &files("same", &[4, 5, 6, 7]), &[]);
    assert_ne!(code, Some(3), "{text}");
    let (code, markdown, _) = check(&same, &twice, &["--markdown"]);
    assert_eq!(code, Some(3));
    wording.add(markdown);
}

#[test]
fn nothing_that_is_missing_passes() {
    let (same, twice) = (files("same", &[0, 1, 2]), files("twice", &[0, 1, 2]));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let idle = write("idle.cpuprofile", &cpuprofile(&[("(idle)", 5000)]));
    let few = write("few.cpuprofile", &cpuprofile(&[("a", 20), ("b", 30)]));
    let other = write("other.cpuprofile", &cpuprofile(&[("x", 400), ("y", 600)]));
    let bytes = "../recordings/checkout-api.heap.pprof.gz";
    let broken = write("broken.cpuprofile", "{\"nodes\":[");
    let three = |one: &str| [one, one, one].join(",");
    let cases: &[(&str, String, String, i32)] = &[
        ("a side of two", files("same", &[0, 1]), twice.clone(), 4),
        (
            "the other side of two",
            same.clone(),
            files("twice", &[0, 1]),
            4,
        ),
        (
            "one capture on both sides",
            same.clone(),
            files("same", &[2, 3, 4]),
            4,
        ),
        ("nothing but idle time", same.clone(), three(&idle), 4),
        ("too few samples", same.clone(), three(&few), 4),
        ("nothing in common", same.clone(), three(&other), 4),
        ("another kind of values", same.clone(), three(bytes), 1),
        (
            "a file that is broken",
            same.clone(),
            format!("{twice},{broken}"),
            1,
        ),
        (
            "a file that is not there",
            same.clone(),
            format!("{twice},gone.pprof"),
            1,
        ),
    ];
    for (what, base, new, code) in cases {
        let (found, text, error) = check(base, new, &[]);
        assert_eq!(found, Some(*code), "{what}: {text}{error}");
        assert!(!(text.clone() + &error).trim().is_empty(), "{what}");
    }
    // Versions of a Worker that nothing is kept of, without any login.
    let output = run(&["check", "--worker", "checkout-api"]);
    assert_eq!(output.status.code(), Some(4));
    // A difference holds values below zero.
    let difference = folder.path().join("difference.pprof");
    let made = run(&[
        "diff",
        "same-0.cpuprofile",
        "twice-0.cpuprofile",
        "--to",
        "pprof",
        "-o",
        difference.to_str().unwrap(),
    ]);
    assert!(made.status.success());
    let (code, ..) = check(&same, &three(difference.to_str().unwrap()), &[]);
    assert_eq!(code, Some(1));
}

#[test]
fn what_is_asked_for_is_checked_first() {
    let (same, twice) = (files("same", &[0, 1, 2]), files("twice", &[0, 1, 2]));
    for (option, value) in [
        ("--fail-above", "0%"),
        ("--fail-above", "-5%"),
        ("--fail-above", "1e308"),
        ("--fail-above", "nan"),
        ("--min", "0"),
        ("--confidence", "100"),
        ("--baseline", "versions:1234"),
        ("--baseline", "range:now/-1h"),
    ] {
        let (code, text, error) = check(&same, &twice, &[&format!("{option}={value}")]);
        assert_eq!(code, Some(2), "{option} {value}: {text}{error}");
    }
    let output = run(&["check"]);
    assert_eq!(output.status.code(), Some(2), "no Worker");
}

#[test]
fn a_comparison_of_several_captures_has_verdicts_and_one_of_two_none() {
    let (same, twice) = (files("same", &[0, 1, 2]), files("twice", &[3, 4, 5]));
    let output = run(&["diff", &same, &twice, "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["verdict"], "worse");
    let rows = value["rows"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["function"] == "structuredCloneLite")
        .unwrap();
    assert_eq!(row["verdict"], "worse");
    assert!(row["noise"].is_null() && row["p"].as_f64().unwrap() < 0.05);
    // The figures are those of the merged captures.
    let merged = run(&[
        "top",
        "twice-3.cpuprofile",
        "twice-4.cpuprofile",
        "twice-5.cpuprofile",
        "--json",
    ]);
    let merged: Value = serde_json::from_slice(&merged.stdout).unwrap();
    let of_merged = merged["rows"].as_array().unwrap();
    let of_merged = of_merged
        .iter()
        .find(|row| row["function"] == "structuredCloneLite")
        .unwrap();
    assert_eq!(row["new_self"], of_merged["self"]);
    let same: Vec<&str> = same.split(',').collect();
    let twice: Vec<&str> = twice.split(',').collect();
    let arguments = [
        &["diff", "--base"],
        &same[..],
        &["--new"],
        &twice[..],
        &["--json"],
    ]
    .concat();
    assert_eq!(run(&arguments).stdout, output.stdout, "named one by one");
    let one = run(&["diff", "same-0.cpuprofile", "twice-0.cpuprofile", "--json"]);
    let one: Value = serde_json::from_slice(&one.stdout).unwrap();
    assert!(one.get("verdict").is_none() && one["rows"][0]["verdict"].is_null());
    assert!(
        one["rows"]
            .as_array()
            .unwrap()
            .iter()
            .any(|row| row["noise"].is_number())
    );
}

#[test]
fn annotations_and_the_summary_are_written_for_github() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    let (base, new) = (
        format!("files:{}", files("same", &[0, 1, 2, 3])),
        format!("files:{}", files("twice", &[0, 1, 2, 3])),
    );
    let output = Command::new(env!("CARGO_BIN_EXE_flarescope"))
        .args([
            "check",
            "--github",
            "--baseline",
            &base,
            "--candidate",
            &new,
        ])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pairs"))
        .env("GITHUB_STEP_SUMMARY", &summary)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("::error title=worse::structuredCloneLite"),
        "{text}"
    );
    let written = fs::read_to_string(summary).unwrap();
    assert!(written.starts_with("<!-- flarescope-check captures -->\n"));
}

/// What each caller and callee of a function holds, counted from the nodes of a `.cpuprofile`.
fn counted(file: &str, function: &str) -> (i64, i64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pairs");
    let value: Value = serde_json::from_slice(&fs::read(path.join(file)).unwrap()).unwrap();
    let nodes = value["nodes"].as_array().unwrap();
    let find = |id: &Value| nodes.iter().find(|node| node["id"] == *id).unwrap();
    let parent = |id: &Value| {
        nodes.iter().find(|node| {
            let children = node["children"].as_array();
            children.is_some_and(|children| children.contains(id))
        })
    };
    let is_it = |node: &Value| node["callFrame"]["functionName"] == function;
    let (mut own, mut total) = (0, 0);
    for sample in value["samples"].as_array().unwrap() {
        own += i64::from(is_it(find(sample)));
        let mut here = Some(find(sample));
        while let Some(node) = here {
            if is_it(node) {
                total += 1;
                break;
            }
            here = parent(&node["id"]);
        }
    }
    (own, total)
}

#[test]
fn peek_shows_a_function_between_its_callers_and_callees() {
    let mut wording = wording!();
    let file = "same-0.cpuprofile";
    let function = "handleCheckout";
    let output = run(&[
        "peek",
        file,
        "--function",
        function,
        "--sample-type",
        "samples",
        "--json",
    ]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (own, total) = counted(file, function);
    assert_eq!(
        (&value["self"], &value["total"]),
        (&own.into(), &total.into())
    );
    let sum = |key: &str| -> i64 {
        let all = value[key].as_array().unwrap();
        all.iter().map(|row| row["value"].as_i64().unwrap()).sum()
    };
    assert_eq!(sum("callers"), total);
    assert_eq!(own + sum("callees"), total);
    wording.add(String::from_utf8(run(&["peek", file, "--function", function]).stdout).unwrap());
    let none = run(&["peek", file, "--function", "nothing"]);
    assert_eq!(none.status.code(), Some(1));
}

#[test]
fn own_code_takes_what_the_runtime_and_packages_hold() {
    let file = "../recordings/monolith.cpu.pprof.gz";
    let rows = |more: &[&str]| -> Value {
        let arguments = [&["top", file, "--json", "--no-idle"], more].concat();
        serde_json::from_slice(&run(&arguments).stdout).unwrap()
    };
    let (all, own) = (rows(&[]), rows(&["--own-code"]));
    let of = |value: &Value, is_wanted: &dyn Fn(&str) -> bool| -> i64 {
        let rows = value["rows"].as_array().unwrap().iter();
        rows.filter(|row| is_wanted(row["file"].as_str().unwrap()))
            .map(|row| row["self"].as_i64().unwrap())
            .sum()
    };
    let is_own = |file: &str| file.starts_with("file:") && !file.contains("node_modules");
    assert!(of(&own, &is_own) > of(&all, &is_own));
    let named = own["rows"].as_array().unwrap().iter().filter(|row| {
        let (file, name) = (
            row["file"].as_str().unwrap(),
            row["function"].as_str().unwrap(),
        );
        !is_own(file) && !matches!(name, "(program)" | "(garbage collector)")
    });
    assert_eq!(named.count(), 0);
    assert_eq!(all["base"], own["base"]);
}
