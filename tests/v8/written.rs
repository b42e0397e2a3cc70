//! What is written for other viewers: valid by their definitions, and the same table when it is read again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::view::View;
use serde_json::Value;

use crate::wording::wording;
use crate::{Function, RECORDINGS, fixtures, open, raw, table, validator};

/// A recording without a count of samples; there is no raw one.
const NO_COUNTS: (&str, &str) = ("", "checkout-api-cpuonly.cpu");

fn run(options: &[&str], file: &Path) -> Output {
    Command::cargo_bin("flarescope")
        .unwrap()
        .arg("export")
        .arg(file)
        .args(options)
        .output()
        .unwrap()
}

fn export(options: &[&str], file: &Path) -> Vec<u8> {
    let output = run(options, file);
    assert!(
        output.status.success(),
        "{}: {}",
        file.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

fn refused(options: &[&str], file: &Path) -> String {
    let output = run(options, file);
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(1), 0),
        "{}",
        file.display()
    );
    String::from_utf8(output.stderr).unwrap()
}

/// Writes a file in one of V8's formats, checks it, and compares the tables before and after.
fn round_trip(file: &Path, format: &str, options: &[&str]) {
    let written = export(&[&["--to", format], options].concat(), file);
    let json = validator::parse(&written);
    let checked = if format == "cpuprofile" {
        validator::cpu(&json)
    } else {
        validator::heap(&json)
    };
    assert_eq!(checked, Ok(()), "{}", file.display());
    let (before, after) = (
        open(file),
        formats::read(written.as_slice(), "written").unwrap(),
    );
    let before = read(&before, &View::new(&before)).unwrap();
    let after = read(&after, &View::new(&after)).unwrap();
    assert_eq!(
        (before.total, before.samples),
        (after.total, after.samples),
        "{}",
        file.display()
    );
    assert_eq!(
        before.tree.height(NodeId::ROOT),
        after.tree.height(NodeId::ROOT),
        "{}",
        file.display()
    );
    assert_eq!(table(&before), table(&after), "{}", file.display());
}

#[test]
fn recordings_written_in_v8s_formats_are_valid_and_the_same() {
    for (file, stem) in RECORDINGS {
        let format = if stem.ends_with(".cpu") {
            "cpuprofile"
        } else {
            "heapprofile"
        };
        let by_bytes = if stem.ends_with("-objects.heap") {
            &["--sample-type", "space"][..]
        } else {
            &[]
        };
        round_trip(&raw(file), format, &[]);
        if by_bytes.is_empty() {
            round_trip(
                &fixtures()
                    .join("recordings")
                    .join(format!("{stem}.pprof.gz")),
                format,
                &[],
            );
        }
    }
    round_trip(
        &fixtures().join("recordings/checkout-api-cpuonly.cpu.pprof.gz"),
        "cpuprofile",
        &[],
    );
}

/// Microseconds of each function in a written `.cpuprofile`, by name and file, as two kinds of viewers find them.
struct Read {
    /// V8, speedscope: what passed since the entry before is an entry's own.
    from_before: HashMap<Function, i64>,
    /// Chrome DevTools: an entry lasts until the next one, and the last as long as the others on the average.
    to_next: HashMap<Function, f64>,
}

fn as_viewers(written: &Value) -> Read {
    let numbers = |key: &str| -> Vec<i64> {
        written[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|number| number.as_i64().unwrap())
            .collect()
    };
    let functions: HashMap<i64, Function> = written["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(name_and_file)
        .collect();
    let (samples, deltas) = (numbers("samples"), numbers("timeDeltas"));
    let mut read = Read {
        from_before: HashMap::new(),
        to_next: HashMap::new(),
    };
    let average = deltas[1..].iter().sum::<i64>() as f64 / (deltas.len() - 1) as f64;
    for (at, (id, delta)) in samples.iter().zip(&deltas).enumerate() {
        let function = &functions[id];
        *read.from_before.entry(function.clone()).or_default() += delta;
        *read.to_next.entry(function.clone()).or_default() +=
            deltas.get(at + 1).map_or(average, |delta| *delta as f64);
    }
    read
}

fn name_and_file(node: &Value) -> (i64, Function) {
    let text = |key: &str| node["callFrame"][key].as_str().unwrap().to_owned();
    (
        node["id"].as_i64().unwrap(),
        (text("functionName"), text("url")),
    )
}

#[test]
fn viewers_find_each_functions_own_time_from_whichever_side_they_count() {
    let mut compared = 0;
    for (file, stem) in RECORDINGS
        .iter()
        .filter(|(_, stem)| stem.ends_with(".cpu"))
        .chain([&NO_COUNTS])
    {
        let pprof = fixtures()
            .join("recordings")
            .join(format!("{stem}.pprof.gz"));
        let file = if file.is_empty() { pprof } else { raw(file) };
        let read = as_viewers(&validator::parse(&export(&["--to", "cpuprofile"], &file)));
        let expected = fs::read(fixtures().join("expected").join(format!("{stem}.json"))).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let mut own: HashMap<Function, i64> = HashMap::new();
        for function in expected["functions_by_cum"].as_array().unwrap() {
            let text = |key: &str| function[key].as_str().unwrap().to_owned();
            let flat = function["flat"]
                .as_array()
                .unwrap()
                .last()
                .unwrap()
                .as_i64()
                .unwrap();
            // What has no name has none in this format, and several stand at one place.
            let name = Some(text("name"))
                .filter(|name| name != "(anonymous)")
                .unwrap_or_default();
            *own.entry((name, text("file"))).or_default() += flat / 1_000;
        }
        for (function, microseconds) in &own {
            let (before, next) = (read.from_before.get(function), read.to_next.get(function));
            assert_eq!(
                before.copied().unwrap_or_default(),
                *microseconds,
                "{stem}: {function:?}"
            );
            // Only the beginning of all stacks gets what the last entry is given.
            let next = next.copied().unwrap_or_default();
            assert!(
                function.0 == "(root)" || next == *microseconds as f64,
                "{stem}: {function:?} {next}"
            );
            compared += 1;
        }
        let before: i64 = read.from_before.values().sum();
        assert_eq!(before, own.values().sum::<i64>(), "{stem}");
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn nothing_is_drawn_on_top_of_code_that_ran_before() {
    let written = validator::parse(&export(
        &["--to", "cpuprofile"],
        &raw("monolith.cpuprofile"),
    ));
    let functions: HashMap<i64, Function> = written["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(name_and_file)
        .collect();
    let ids = written["samples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_i64().unwrap());
    let mut blocks: Vec<&str> = ids.map(|id| functions[&id].0.as_str()).collect();
    blocks.dedup();
    assert_eq!(blocks[..3], ["(garbage collector)", "(root)", "(program)"]);
    assert_eq!(blocks.last(), Some(&"(root)"));
    assert_eq!(blocks.iter().filter(|name| **name == "(root)").count(), 2);
}

#[test]
fn only_what_we_wrote_is_counted_by_its_hits() {
    let frame = |name: &str| {
        format!(
            r#""callFrame":{{"functionName":"{name}","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}"#
        )
    };
    let file = |end: &str| {
        format!(
            r#"{{"nodes":[{{"id":1,{},"children":[2]}},{{"id":2,{},"hitCount":1}}],"startTime":0,"endTime":9,"samples":[2,2,1],"timeDeltas":[0,9,0]{end}}}"#,
            frame("(root)"),
            frame("f")
        )
    };
    let samples = |end: &str| {
        let profile = formats::read(file(end).as_bytes(), "written").unwrap();
        (0..profile.record_count())
            .map(|record| profile.values(record).to_vec())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        samples(r#","$flarescope":{"else":[{}],"counts":"hitCount"}"#),
        [[1, 9_000]]
    );
    for end in [
        "",
        r#","$flarescope":null"#,
        r#","$flarescope":{"counts":["hitCount"]}"#,
        r#","$flarescope":"hitCount""#,
    ] {
        assert_eq!(samples(end), [[2, 9_000], [1, 0]], "{end}");
    }
}

#[test]
fn foreign_profiles_written_in_v8s_formats_are_valid_and_the_same() {
    for (file, format) in [
        ("foreign/go-cpu.pb.gz", "cpuprofile"),
        ("foreign/go-heap.pb.gz", "heapprofile"),
        ("malformed/m21-no-lines-only-addresses.pb", "cpuprofile"),
        ("malformed/m22-inlined-three.pb", "cpuprofile"),
        ("malformed/m20-sample-without-stack.pb", "cpuprofile"),
        ("malformed/n04-wide-and-emoji.pb", "cpuprofile"),
    ] {
        round_trip(&fixtures().join(file), format, &[]);
    }
}

#[test]
fn lines_and_columns_survive() {
    let written = export(
        &["--to", "cpuprofile"],
        &fixtures().join("recordings/geo-router.cpu.pprof.gz"),
    );
    let places = |profile: &flarescope::model::profile::Profile| {
        let mut places: Vec<_> = profile
            .locations()
            .iter()
            .flat_map(|location| profile.lines(location))
            .map(|line| {
                let function = profile.functions()[line.function.unwrap() as usize];
                (
                    profile.text(function.name).into_owned(),
                    function.start_line,
                    line.line,
                    line.column,
                )
            })
            .collect();
        places.sort();
        places.retain(|(name, ..)| name != "(root)");
        places
    };
    let raw = places(&open(&raw("geo-router.cpuprofile")));
    assert!(
        raw.iter().filter(|(.., column)| *column > 0).count() > 10,
        "{raw:?}"
    );
    assert_eq!(
        places(&formats::read(written.as_slice(), "written").unwrap()),
        raw
    );
}

#[test]
fn a_root_and_filters_hold_for_v8s_formats() {
    let file = fixtures().join("recordings/checkout-api.cpu.pprof.gz");
    let written = export(&["--to", "cpuprofile", "--root", "priceCart"], &file);
    let profile = formats::read(written.as_slice(), "written").unwrap();
    assert_eq!(
        read(&profile, &View::new(&profile)).unwrap().total,
        520_151_000
    );
    let written = export(&["--to", "cpuprofile", "--focus", "validateAddress"], &file);
    let profile = formats::read(written.as_slice(), "written").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let focused = read(&open(&file), &View::new(&open(&file))).unwrap();
    let row = |reading| {
        table(reading)[&(
            "validateAddress".to_owned(),
            "file:///bundle/worker.js".to_owned(),
        )]
    };
    assert_eq!(
        (row(&reading), reading.total),
        (row(&focused), i128::from(row(&focused).1))
    );
}

#[test]
fn a_format_that_can_not_hold_the_values_says_so() {
    let mut wording = wording!();
    let (cpu, heap) = (
        raw("checkout-api.cpuprofile"),
        raw("checkout-api.heapprofile"),
    );
    wording.add(refused(&["--to", "heapprofile"], &cpu));
    wording.add(refused(&["--to", "cpuprofile"], &heap));
    let counts = refused(&["--to", "cpuprofile", "--sample-type", "samples"], &cpu);
    wording.add(&counts);
    assert!(counts.contains("--sample-type"), "{counts}");
    let negative = fixtures().join("cases/a06-negative.pb");
    for format in ["speedscope", "cpuprofile", "heapprofile"] {
        let said = refused(&["--to", format], &negative);
        wording.add(said);
    }
}

/// Checks a file against speedscope's own schema, as far as it binds a sampled profile.
fn check_speedscope(json: &Value) -> (i128, usize) {
    assert_eq!(
        json["$schema"],
        "https://www.speedscope.app/file-format-schema.json"
    );
    let frames = json["shared"]["frames"].as_array().unwrap();
    for frame in frames {
        assert!(
            frame["name"].is_string() && (frame["file"].is_string() || frame.get("file").is_none()),
            "{frame}"
        );
        assert!(
            frame
                .get("line")
                .is_none_or(|line| line.as_u64().is_some_and(|line| line > 0)),
            "{frame}"
        );
    }
    let profile = &json["profiles"][json["activeProfileIndex"].as_u64().unwrap() as usize];
    assert_eq!(profile["type"], "sampled");
    let (stacks, weights) = (
        profile["samples"].as_array().unwrap(),
        profile["weights"].as_array().unwrap(),
    );
    assert_eq!(stacks.len(), weights.len());
    let mut deepest = 0;
    for stack in stacks.iter().map(|stack| stack.as_array().unwrap()) {
        assert!(
            stack
                .iter()
                .all(|frame| (frame.as_u64().unwrap() as usize) < frames.len())
        );
        deepest = deepest.max(stack.len());
    }
    let total: i128 = weights
        .iter()
        .map(|weight| i128::from(weight.as_u64().unwrap()))
        .sum();
    assert_eq!(profile["startValue"], 0);
    assert_eq!(i128::from(profile["endValue"].as_u64().unwrap()), total);
    (total, deepest)
}

#[test]
fn speedscope_files_hold_the_view() {
    let mut seen = 0;
    for (file, stem) in RECORDINGS {
        let json: Value =
            serde_json::from_slice(&export(&["--to", "speedscope"], &raw(file))).unwrap();
        let profile = open(&raw(file));
        let reading = read(&profile, &View::new(&profile)).unwrap();
        let depth = reading.tree.height(NodeId::ROOT) as usize;
        assert_eq!(check_speedscope(&json), (reading.total, depth), "{file}");
        assert_eq!(
            json["profiles"][0]["unit"],
            if stem.ends_with(".cpu") {
                "nanoseconds"
            } else {
                "bytes"
            }
        );
        assert_eq!(
            json["name"]
                .as_str()
                .map(|name| name.trim_end_matches(".gz")),
            Some(*file)
        );
        seen += 1;
    }
    assert_eq!(seen, RECORDINGS.len());
    let file = fixtures().join("recordings/checkout-api.cpu.pprof.gz");
    let json: Value = serde_json::from_slice(&export(
        &["--to", "speedscope", "--root", "priceCart"],
        &file,
    ))
    .unwrap();
    assert_eq!(check_speedscope(&json).0, 520_151_000);
    let root = json["profiles"][0]["samples"][0][0].as_u64().unwrap() as usize;
    assert_eq!(json["shared"]["frames"][root]["name"], "priceCart");
    let json: Value = serde_json::from_slice(&export(
        &["--to", "speedscope", "--sample-type", "samples"],
        &file,
    ))
    .unwrap();
    assert_eq!(
        (check_speedscope(&json).0, &json["profiles"][0]["unit"]),
        (3_324, &"none".into())
    );
}

#[test]
fn no_name_reaches_the_output_as_a_command() {
    for file in [
        "malformed/n01-terminal-escapes.pb",
        "malformed/n02-newline-tab-nul.pb",
        "cases/a23-escapes.pb",
    ] {
        for format in ["cpuprofile", "speedscope"] {
            let text =
                String::from_utf8(export(&["--to", format], &fixtures().join(file))).unwrap();
            assert_eq!(
                text.chars().find(|c| c.is_control()),
                None,
                "{file} {format}"
            );
        }
    }
}

#[test]
fn deep_trees_are_written_without_the_programs_stack() {
    let stack: Vec<String> = (0..9_000).map(|level| format!("f{}", level % 11)).collect();
    let folded = format!("{} 40\n{} 2\n", stack.join(";"), stack[..5].join(";"));
    let file = tempfile::Builder::new()
        .suffix(".folded")
        .tempfile()
        .unwrap();
    fs::write(file.path(), folded).unwrap();
    // Folded stacks have no unit, so the values are made bytes first.
    let profile = open(file.path());
    let mut parts = profile.parts().clone();
    let ends: Vec<Vec<u32>> = (0..profile.record_count())
        .map(|record| profile.stack(record).collect())
        .collect();
    for end in ends {
        parts.stacks.extend(end.iter().rev());
        parts
            .stack_ends
            .push(u32::try_from(parts.stacks.len()).unwrap());
    }
    parts.sample_types[0].unit = parts.strings.push(b"bytes");
    let profile = flarescope::model::profile::Profile::new(parts);
    let subset =
        flarescope::model::graph::subset::Subset::new(&profile, &View::new(&profile), None)
            .unwrap();
    let counts = flarescope::model::graph::sample_values::SamplesFrom::Records;
    let written = formats::v8::heapprofile(&subset, counts).unwrap();
    let again = formats::read(written.as_bytes(), "written").unwrap();
    let (before, after) = (
        read(&profile, &View::new(&profile)).unwrap(),
        read(&again, &View::new(&again)).unwrap(),
    );
    assert_eq!(
        (after.total, after.samples, after.tree.height(NodeId::ROOT)),
        (42, 2, 9_000)
    );
    assert_eq!(table(&before).len(), table(&after).len());
}
