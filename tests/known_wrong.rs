//! Numbers that are known to be wrong, each with what is right: written down before they are mended.
//!
//! What is right was counted by hand in the small files, and taken from `go tool pprof -top` for the recordings.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a command prints, run among the fixtures.
fn printed(arguments: &[&str]) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let output = Command::new(env!("CARGO_BIN_EXE_flarescope"))
        .args(arguments)
        .current_dir(fixtures)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The first line that holds all of some words, among them where its table stands.
fn line<'a>(text: &'a str, words: &[&str]) -> &'a str {
    text.lines()
        .find(|line| words.iter().all(|word| line.contains(word)))
        .unwrap_or_else(|| unreachable!("no line has {words:?}: {text}"))
}

/// The half width of an interval in a row, in points of a percentage.
fn half_width(row: &str) -> &str {
    let (_, after) = row.split_once('±').unwrap();
    let end = after.find(|c: char| !c.is_ascii_digit() && c != '.');
    &after[..end.unwrap_or(after.len())]
}

/// The figures of a text that are percentages by their one decimal or their sign, blanks before it or not.
fn percentages(text: &str) -> Vec<f64> {
    let words = text.replace(" %", "%");
    let words = words.split_whitespace().filter(|word| {
        let digits = word.trim_end_matches('%');
        let decimals = digits
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        digits.starts_with(|c: char| c.is_ascii_digit()) && (decimals == 1 || word.ends_with('%'))
    });
    words
        .filter_map(|word| word.trim_end_matches('%').parse().ok())
        .collect()
}

/// Rows of `top --json`: function, file, line, samples.
fn rows(arguments: &[&str]) -> Vec<(String, String, i64, i64)> {
    let text = printed(&[&["top", "--json"], arguments].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    let rows = report["rows"].as_array().unwrap().iter();
    let mut rows: Vec<_> = rows
        .filter(|row| row["samples"] != 0)
        .map(|row| {
            let text = |field: &str| row[field].as_str().unwrap().to_owned();
            let number = |field: &str| row[field].as_i64().unwrap_or_default();
            (
                text("function"),
                text("file"),
                number("line"),
                number("samples"),
            )
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.3));
    rows
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: the interval is of what a filter leaves, its percentage of the capture"]
fn under_a_filter_the_interval_has_the_base_of_its_percentage() {
    // Wilson's interval of 162 in 3,324 samples and of 254 in 5,769, at 95%.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let focused = printed(&["top", cpu, "--focus", "parseCart"]);
    assert_eq!(half_width(line(&focused, &["±", "parseCart"])), "0.7");
    let objects = "recordings/edge-metrics-objects.heap.pprof.gz";
    for heap in ["recordings/edge-metrics.heap.pprof.gz", objects] {
        let focused = printed(&["top", heap, "--focus", "^#merge$"]);
        assert_eq!(
            half_width(line(&focused, &["±", "#merge"])),
            "0.5",
            "{heap}"
        );
    }
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: the interval is of what --no-idle leaves, its percentage of the capture"]
fn without_idle_time_the_interval_has_the_base_of_its_percentage() {
    // 162 of 3,324 samples, 141 of which are idle.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let busy = printed(&["top", cpu, "--no-idle"]);
    assert_eq!(half_width(line(&busy, &["±", "parseCart"])), "0.7");
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: percentages of the zoom keep the interval of the capture"]
fn percentages_of_the_zoom_have_its_interval() {
    // handleCheckout has 2,911 samples, 2,221 of them in validateAddress.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let zoomed = printed(&["render", cpu, "--size", "120x40", "--keys", "enter %"]);
    let row = line(&zoomed, &["2,221", "±", "worker.js:25"]);
    assert!(zoomed.contains("of zoom"), "{zoomed}");
    assert_eq!(half_width(row), "1.5", "{row}");
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: rows from outside the zoom stand beside percentages of it"]
fn no_percentage_of_the_zoom_is_above_all_of_it() {
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    for keys in ["enter %", "j j enter %", "j j enter % tab j j j"] {
        let zoomed = printed(&["render", cpu, "--size", "120x40", "--keys", keys]);
        assert!(zoomed.contains("of zoom"), "{zoomed}");
        for percentage in percentages(&zoomed) {
            assert!(percentage <= 100.0, "{keys}: {percentage} in {zoomed}");
        }
    }
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: bottom-up, a function's self value stands beside a place's total"]
fn bottom_up_the_details_have_one_scope() {
    let heap = "recordings/checkout-api.heap.pprof.gz";
    let keys = "j p % S backspace t b enter";
    let zoomed = printed(&["render", heap, "--size", "120x40", "--keys", keys]);
    for percentage in percentages(&zoomed) {
        assert!(percentage <= 100.0, "{percentage} in {zoomed}");
    }
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: a sandwich counts self time at the outermost call alone"]
fn a_recursive_function_has_the_same_self_time_in_its_sandwich() {
    // 2.20 of 5.00 s.
    let cpu = "recordings/deep-parser.cpu.pprof.gz";
    let ranked = printed(&["top", cpu]);
    assert!(percentages(line(&ranked, &["±", "parsePrimary"])).contains(&44.1));
    let keys = "/ \"parsePrimary\" enter n esc B";
    let sandwich = printed(&["render", cpu, "--size", "120x40", "--keys", keys]);
    let middle = line(&sandwich, &["parsePrimary", "total", "self"]);
    assert!(percentages(middle).contains(&44.1), "{middle}");
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: functions without a name become one before they are told apart"]
fn three_callbacks_on_three_lines_are_three_functions() {
    let file = "found/n100-three-unnamed.cpuprofile";
    let at = |line, samples| {
        let (name, file) = ("(anonymous)", "file:///srv/worker/index.js");
        (name.to_owned(), file.to_owned(), line, samples)
    };
    assert_eq!(rows(&[file]), [at(15, 50), at(20, 30), at(32, 20)]);
    // In the call graph as well: fetch calls three.
    let graph: Value = serde_json::from_str(&printed(&["export", file, "--to", "json"])).unwrap();
    let nodes = graph["nodes"].as_array().unwrap();
    let mut samples: Vec<i64> = nodes
        .iter()
        .filter_map(|node| node["samples"].as_i64().filter(|samples| *samples > 0))
        .collect();
    samples.sort_unstable();
    assert_eq!(samples, [20, 30, 50]);
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: functions without a name become one before a map tells them apart"]
fn a_map_tells_functions_without_a_name_apart() {
    let file = "found/n102/keepnames.cpuprofile";
    let places = |arguments: &[&str]| -> Vec<(String, i64, i64)> {
        let rows = rows(arguments).into_iter();
        rows.map(|(_, file, line, samples)| (file, line, samples))
            .collect()
    };
    let bundle = "file:///srv/out.js".to_owned();
    assert_eq!(places(&[file]), [(bundle.clone(), 2, 70), (bundle, 3, 30)]);
    // By hand: the map's two names begin on the source's lines 3 and 7.
    let source = "src/math.ts".to_owned();
    assert_eq!(
        places(&[file, "--source-map", "found/n102/out.js.map"]),
        [(source.clone(), 3, 70), (source, 7, 30)]
    );
}

#[test]
#[ignore = "wrong number, to be mended on the new layers: columns of fixed width write over each other"]
fn no_column_of_the_table_writes_over_another() {
    for (arguments, name, figures) in [
        (
            &["found/A1-table-number-overlap.folded"][..],
            "alpha",
            ["9,999,999,999"; 3],
        ),
        (
            &[
                "found/A1-heap-objects-scaled.pprof",
                "--sample-type",
                "objects",
            ],
            "serialise",
            ["73,720,000", "73,720,000", "205,440,000"],
        ),
    ] {
        for size in ["80x24", "120x30", "200x50"] {
            let drawn = printed(&[&["render", "--size", size], arguments].concat());
            // The table stands below the icicle.
            let mut rows = drawn
                .lines()
                .filter(|line| line.contains(name) && !line.contains(" holds "));
            let row = rows.next_back().unwrap();
            let words: Vec<&str> = row
                .split(|c: char| c.is_whitespace() || c == '━')
                .filter(|word| word.contains(','))
                .collect();
            assert!(!words.is_empty(), "{size}: {drawn}");
            for word in words {
                assert!(figures.contains(&word), "{size}: {word} in {row}");
            }
        }
    }
}
