//! Two profiles compared: what each side holds against its own reading, what is refused, and the command's answers.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

#[path = "support/wording.rs"]
mod wording;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flarescope::formats;
use flarescope::model::diff::{
    Change, CompareError, Comparison, Normalise, Status, Width, compare,
};
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::view::{Identity, View};
use flarescope::model::profile::{Function, Line, Location, Parts, Profile, SampleType, Strings};
use flarescope::model::query::filter::{Filter, Pattern};

use wording::wording;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn open(path: &str) -> Profile {
    formats::read(fs::File::open(fixtures().join(path)).unwrap(), path).unwrap()
}

/// Every profile among the recordings and cases.
fn readable() -> Vec<(String, Profile)> {
    let files = ["recordings", "cases", "foreign", "malformed"]
        .map(|folder| fs::read_dir(fixtures().join(folder)).unwrap());
    let mut found: Vec<(String, Profile)> = files
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            Some((
                name.clone(),
                formats::read(fs::File::open(&path).unwrap(), &name).ok()?,
            ))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// A profile of one type whose stacks are names between `;`, root first.
fn profile(unit: &str, seconds: f64, stacks: &[(&str, i64)]) -> Profile {
    let mut strings = Strings::new();
    let mut parts = Parts {
        duration_nanos: (seconds * 1e9) as i64,
        ..Parts::default()
    };
    parts.sample_types = vec![SampleType {
        kind: strings.push(b"cpu"),
        unit: strings.push(unit.as_bytes()),
    }];
    for (stack, value) in stacks {
        for name in stack.split(';') {
            let at = u32::try_from(parts.functions.len()).unwrap();
            let file = strings.push(b"worker.js");
            parts.functions.push(Function {
                name: strings.push(name.as_bytes()),
                file,
                ..Function::default()
            });
            parts.lines.push(Line {
                function: Some(at),
                line: 1,
                column: 0,
            });
            parts.locations.push(Location {
                mapping: None,
                address: 0,
                lines_from: at,
                lines_to: at + 1,
                folded: false,
            });
            parts.stacks.push(at);
        }
        parts
            .stack_ends
            .push(u32::try_from(parts.stacks.len()).unwrap());
        parts.values.push(*value);
    }
    parts.strings = strings;
    Profile::new(parts)
}

fn compared(base: &Profile, new: &Profile, normalise: Normalise) -> Comparison {
    compare(base, new, &View::new(new), normalise, Width::Larger).unwrap()
}

/// The rows by name: own values, totals, status.
fn rows(comparison: &Comparison) -> Vec<(&str, [i64; 4], Status)> {
    let row = |change: Change| {
        let Change {
            frame,
            own,
            total,
            status,
        } = change;
        (
            comparison.reading.frames.name(frame),
            [own.base, own.new, total.base, total.new],
            status,
        )
    };
    comparison.changes().into_iter().map(row).collect()
}

#[test]
fn a_doubled_function_is_reported_beside_what_is_new_and_gone() {
    let (before, after) = (
        open("cases/a07-diff-before.pb"),
        open("cases/a07-diff-after.pb"),
    );
    let comparison = compared(&before, &after, Normalise::ByWindow);
    let million = |pair: [i64; 4]| pair.map(|value| value * 1_000_000);
    assert_eq!(
        rows(&comparison),
        [
            ("changed_only", million([0, 125, 0, 125]), Status::New),
            ("base_only", million([50, 0, 50, 0]), Status::Gone),
            ("both2", million([25, 50, 25, 50]), Status::Changed),
            ("both1", million([25, 25, 25, 25]), Status::Same),
        ]
    );
    assert!(!comparison.is_normalised(), "both windows are 5 s");
}

#[test]
fn a_profile_against_itself_is_all_zero() {
    let mut compared = 0;
    for (name, profile) in readable() {
        let view = View::new(&profile);
        let Ok(reading) = read(&profile, &view) else {
            continue;
        };
        for normalise in [Normalise::ByWindow, Normalise::Always, Normalise::Never] {
            match compare(&profile, &profile, &view, normalise, Width::Larger) {
                Ok(comparison) => {
                    assert_eq!(comparison.reading.tree.len(), reading.tree.len(), "{name}");
                    assert!(
                        comparison.reading.tree.nodes().all(|node| comparison
                            .reading
                            .tree
                            .total(node)
                            == 0),
                        "{name}"
                    );
                    let changes = comparison.changes();
                    assert!(
                        changes.iter().all(|change| change.status == Status::Same),
                        "{name}: {changes:?}"
                    );
                    assert_eq!(comparison.factor(), 1.0, "{name}");
                    compared += 1;
                }
                // Nothing can be made equal to nothing, and twice the largest values do not fit.
                Err(CompareError::NothingToScale { base, new }) => {
                    assert!(base <= 0 && base == new, "{name}")
                }
                Err(error) => assert!(
                    error == CompareError::Overflow && reading.base > i128::from(i64::MAX / 2),
                    "{name}: {error}"
                ),
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

type Sums = BTreeMap<(String, String, Option<i64>), (i64, i64)>;

/// What a profile's own reading says of each frame.
fn alone(profile: &Profile, view: &View) -> Sums {
    let reading = read(profile, view).unwrap();
    let mut sums = Sums::new();
    for row in rank(&reading, Sort::Name, false) {
        add(
            &mut sums,
            &reading.frames.info(row.frame),
            view,
            (row.self_value, row.total),
        );
    }
    sums.retain(|_, sum| *sum != (0, 0));
    sums
}

/// The line of a function may be another on the other side.
fn add(
    sums: &mut Sums,
    info: &flarescope::model::graph::frames::FrameInfo<'_>,
    view: &View,
    (own, total): (i64, i64),
) {
    let line = info.line.filter(|_| view.by == Identity::Line);
    let sum = sums
        .entry((info.name.to_owned(), info.file.to_owned(), line))
        .or_default();
    *sum = (sum.0 + own, sum.1 + total);
}

#[test]
fn each_side_holds_what_its_own_reading_says() {
    let recordings: Vec<(String, Profile)> = readable()
        .into_iter()
        .filter(|(name, _)| name.ends_with(".cpu.pprof.gz"))
        .collect();
    let mut pairs = 0;
    for ((base_name, base), (new_name, new)) in recordings.iter().zip(recordings.iter().skip(1)) {
        for by in [Identity::Function, Identity::Line, Identity::Package] {
            for focus in [None, Some("parse|handle|fetch")] {
                let filters = focus
                    .map(|text| Filter::Focus(Pattern::new(text).unwrap()))
                    .into_iter()
                    .collect();
                let view = View {
                    by,
                    filters,
                    hide_idle: focus.is_none(),
                    ..View::new(new)
                };
                let comparison = match compare(base, new, &view, Normalise::Never, Width::Larger) {
                    Ok(comparison) => comparison,
                    Err(CompareError::Kinds { .. }) => continue,
                    Err(error) => panic!("{base_name}, {new_name}: {error}"),
                };
                let (mut of_base, mut of_new) = (Sums::new(), Sums::new());
                for Change {
                    frame, own, total, ..
                } in comparison.changes()
                {
                    let info = comparison.reading.frames.info(frame);
                    add(&mut of_base, &info, &view, (own.base, total.base));
                    add(&mut of_new, &info, &view, (own.new, total.new));
                }
                let base_type = base.sample_type_named("cpu").unwrap();
                for (mut sums, profile, sample_type) in
                    [(of_base, base, base_type), (of_new, new, view.sample_type)]
                {
                    sums.retain(|_, sum| *sum != (0, 0));
                    let expected = alone(
                        profile,
                        &View {
                            sample_type,
                            ..view.clone()
                        },
                    );
                    assert_eq!(
                        sums, expected,
                        "{base_name}, {new_name} by {by:?}, focus {focus:?}"
                    );
                }
                pairs += 1;
            }
        }
    }
    assert!(pairs > 40, "{pairs}");
}

#[test]
fn equal_totals_are_equal_to_the_last_unit_and_parts_add_up() {
    let (base, new) = (
        open("recordings/status-page.cpu.pprof.gz"),
        open("recordings/monolith.cpu.pprof.gz"),
    );
    let comparison = compared(&base, &new, Normalise::ByWindow);
    assert!(comparison.is_normalised(), "windows of 10.3 s and 10 s");
    let all = comparison.total(NodeId::ROOT);
    assert_eq!(all.change(), 0);
    assert_eq!(i128::from(all.base), comparison.base.total);
    let tree = &comparison.reading.tree;
    for node in tree.nodes() {
        let parts = tree
            .unordered(node)
            .map(|child| comparison.total(child).new)
            .sum::<i64>();
        assert_eq!(comparison.total(node).new, comparison.own(node).new + parts);
        let weights = tree
            .unordered(node)
            .map(|child| tree.weight(child))
            .sum::<u64>();
        assert_eq!(tree.weight(node), tree.self_weight(node) + weights);
    }
    let own: i64 = comparison
        .changes()
        .iter()
        .map(|change| change.own.new)
        .sum();
    assert_eq!(own, all.new);
}

#[test]
fn what_is_gone_keeps_its_place() {
    let base = profile("ns", 1.0, &[("a;b", 70), ("a;c", 10)]);
    let new = profile("ns", 1.0, &[("a;c", 30), ("a;d", 5)]);
    let comparison = compared(&base, &new, Normalise::ByWindow);
    let tree = &comparison.reading.tree;
    let by_name = |name: &str| {
        tree.nodes().find(|n| {
            tree.frame(*n)
                .is_some_and(|f| comparison.reading.frames.name(f) == name)
        })
    };
    let weight = |name: &str| tree.weight(by_name(name).unwrap());
    assert_eq!(
        [weight("a"), weight("b"), weight("c"), weight("d")],
        [105, 70, 30, 5]
    );
    let a = comparison.total(by_name("a").unwrap());
    assert_eq!((a.base, a.new, a.change()), (80, 35, -45));
}

#[test]
fn windows_decide_whether_totals_are_made_equal() {
    for (base_seconds, new_seconds, expected) in [
        (10.0, 10.1, false),
        (10.0, 10.2, true),
        (10.2, 10.0, true),
        (0.0, 10.0, false),
        (5.0, 5.0, false),
    ] {
        let base = profile("ns", base_seconds, &[("a", 30), ("b", 70)]);
        let new = profile("ns", new_seconds, &[("a", 100), ("b", 100)]);
        let comparison = compared(&base, &new, Normalise::ByWindow);
        assert_eq!(
            comparison.is_normalised(),
            expected,
            "{base_seconds} s and {new_seconds} s"
        );
        let told: BTreeMap<&str, i64> = rows(&comparison)
            .into_iter()
            .map(|(name, values, _)| (name, values[1]))
            .collect();
        let value = if expected { 50 } else { 100 };
        assert_eq!(
            told,
            BTreeMap::from([("a", value), ("b", value)]),
            "{base_seconds} s and {new_seconds} s"
        );
        assert!(!compared(&base, &new, Normalise::Never).is_normalised());
        assert!(compared(&base, &new, Normalise::Always).is_normalised());
    }
}

#[test]
fn what_can_not_be_compared_is_refused_in_words() {
    let mut wording = wording!();
    let nanos = profile("nanoseconds", 1.0, &[("a", 1)]);
    let refuse = |base: &Profile, new: &Profile, normalise| {
        compare(base, new, &View::new(new), normalise, Width::Larger).unwrap_err()
    };
    let micros = profile("microseconds", 1.0, &[("a", 1)]);
    let units = refuse(&micros, &nanos, Normalise::ByWindow).to_string();
    wording.add(units);
    let heap = open("recordings/checkout-api.heap.pprof.gz");
    let kinds = refuse(&heap, &nanos, Normalise::ByWindow).to_string();
    wording.add(kinds);

    let nothing = profile("nanoseconds", 1.0, &[]);
    assert_eq!(
        refuse(&nothing, &nanos, Normalise::Always),
        CompareError::NothingToScale { base: 0, new: 1 }
    );
    let most = profile("nanoseconds", 1.0, &[("a", i64::MAX)]);
    assert_eq!(
        refuse(&most, &most, Normalise::Never),
        CompareError::Overflow
    );
    // Scaled by i64::MAX, what cancels out does not fit any more.
    let near = profile("nanoseconds", 1.0, &[("a", -1_000_000), ("b", 1_000_001)]);
    assert_eq!(
        refuse(&most, &near, Normalise::Always),
        CompareError::Overflow
    );
}

#[test]
fn values_below_zero_are_compared_by_their_sign() {
    let base = profile("ns", 1.0, &[("a", -40), ("b", 10)]);
    let new = profile("ns", 1.0, &[("a", 20), ("b", -10)]);
    let comparison = compared(&base, &new, Normalise::ByWindow);
    assert_eq!(
        rows(&comparison),
        [
            ("a", [-40, 20, -40, 20], Status::Changed),
            ("b", [10, -10, 10, -10], Status::Changed)
        ]
    );
    assert_eq!(comparison.reading.tree.weight(NodeId::ROOT), 50);
}

fn diff(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command.arg("diff").args(arguments).current_dir(fixtures());
    command
        .env(
            "FLARESCOPE_CACHE_DIR",
            std::env::temp_dir().join("flarescope-no-captures"),
        )
        .output()
        .unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = diff(arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_table_says_what_each_value_is_of() {
    let mut wording = wording!();
    let expected = [
        "–      –     0.125  62.5  +0.125  new    +0.125  changed_only  worker.js:1",
        "0.050  50.0  –      –     −0.050  gone   −0.050  base_only     worker.js:1",
        "0.025  25.0  0.050  25.0  +0.025  ×2     +0.025  both2         worker.js:1",
        "0.025  25.0  0.025  12.5  0.000   –      0.000   both1         worker.js:1",
    ]
    .map(|row| row.split_whitespace().collect::<Vec<_>>());
    let table = text(&["cases/a07-diff-before.pb", "cases/a07-diff-after.pb"]);
    let figures: Vec<Vec<&str>> = table
        .lines()
        .skip_while(|line| !line.contains("location"))
        .skip(1)
        .map(|line| {
            let mut words: Vec<&str> = line
                .split_whitespace()
                .map(|word| word.trim_end_matches('%'))
                .collect();
            // What chance can do has a test of its own.
            let noise = words.iter().position(|w| ["within", "beyond"].contains(w));
            words.drain(noise.unwrap() - 1..=noise.unwrap());
            words
        })
        .collect();
    assert_eq!(figures, expected);
    wording.add(table);
    let forced = text(&[
        "cases/a07-diff-before.pb",
        "cases/a07-diff-after.pb",
        "--normalize",
        "-n",
        "1",
    ]);
    wording.add(&forced);
    assert_eq!(forced.lines().count(), 5, "{forced}");
}

#[test]
fn the_fix_of_a_recorded_worker_is_the_first_row() {
    let table = text(&[
        "pair/r2-images-before.cpu.pprof.gz",
        "pair/r2-images-after.cpu.pprof.gz",
        "-n",
        "1",
    ]);
    let row: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    // Change of its own and of its total as `go tool pprof -diff_base` has them.
    assert_eq!(
        [row[4], row[8], row[9]],
        ["−4.261", "−4.349", "genericR2JsonReplacer"],
        "{table}"
    );
}

#[test]
fn a_report_for_a_ticket_is_markdown_that_no_name_can_break() {
    let mut wording = wording!();
    let report = text(&[
        "pair/r2-images-before.cpu.pprof.gz",
        "pair/r2-images-after.cpu.pprof.gz",
        "--markdown",
        "-n",
        "2",
    ]);
    wording.add(report);
    for odd in [
        "cases/a20-svg-templates.pb",
        "recordings/namer.cpu.pprof.gz",
    ] {
        let report = text(&[odd, odd, "--markdown", "-n", "100"]);
        for row in report.lines().filter(|line| line.starts_with("| ")) {
            let bars = row.replace("\\|", "").matches('|').count();
            assert_eq!(bars, 11, "{row}");
        }
    }
    let empty = text(&[
        "cases/a05-no-samples.pb",
        "cases/a05-no-samples.pb",
        "--markdown",
    ]);
    wording.add(&empty);
    assert!(!empty.contains('|'), "{empty}");
}

#[test]
fn no_change_is_said_in_words() {
    let mut wording = wording!();
    for more in [&[][..], &["--normalize"]] {
        let same = text(
            &[
                &["cases/a07-diff-before.pb", "cases/a07-diff-before.pb"],
                more,
            ]
            .concat(),
        );
        wording.add(&same);
        assert!(
            !same.contains("NaN") && !same.contains("inf") && !same.contains('+'),
            "{same}"
        );
    }
    let empty = text(&["cases/a05-no-samples.pb", "cases/a05-no-samples.pb"]);
    wording.add(empty);
}

#[test]
fn the_json_value_has_rows_that_add_up() {
    let (base, new) = (
        "recordings/status-page.cpu.pprof.gz",
        "recordings/checkout-api.cpu.pprof.gz",
    );
    let report: serde_json::Value =
        serde_json::from_str(&text(&[base, new, "--json", "--no-idle"])).unwrap();
    assert_eq!(
        report["sample_type"],
        serde_json::json!({ "type": "cpu", "unit": "nanoseconds" })
    );
    assert_eq!(report["normalized"], true);
    let rows = report["rows"].as_array().unwrap();
    let sum = |key: &str| {
        rows.iter()
            .map(|row| row[key].as_i64().unwrap())
            .sum::<i64>()
    };
    assert_eq!(sum("base_self"), report["base"]["shown"].as_i64().unwrap());
    assert_eq!(sum("new_self"), report["new"]["shown"].as_i64().unwrap());
    assert_eq!(sum("self_change"), sum("new_self") - sum("base_self"));
    let factor =
        report["base"]["total"].as_f64().unwrap() / report["new"]["total"].as_f64().unwrap();
    assert_eq!(report["factor"].as_f64().unwrap(), factor);
    assert!(
        report["new"]["shown"].as_f64().unwrap()
            < report["new"]["total"].as_f64().unwrap() * factor,
        "no idle"
    );
    let raw: serde_json::Value =
        serde_json::from_str(&text(&[base, new, "--json", "--raw"])).unwrap();
    assert_eq!(
        (&raw["normalized"], &raw["factor"]),
        (&false.into(), &1.0.into())
    );
    let shapes = rows.iter().map(|row| row["status"].as_str().unwrap());
    let expected =
        rows.iter().map(
            |row| match (row["base_total"].as_i64(), row["new_total"].as_i64()) {
                (Some(0), _) => "new",
                (_, Some(0)) => "gone",
                _ => "changed",
            },
        );
    assert!(shapes.eq(expected));
}

#[test]
fn a_pair_that_does_not_fit_is_refused() {
    let mut wording = wording!();
    let (heap, cpu) = (
        "recordings/checkout-api.heap.pprof.gz",
        "recordings/checkout-api.cpu.pprof.gz",
    );
    let output = diff(&[heap, cpu, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = told["error"]["message"].as_str().unwrap();
    wording.add(message);
    assert_eq!(diff(&["-", "-"]).status.code(), Some(2));
    assert_eq!(
        diff(&[cpu, cpu, "--sample-type", "space"]).status.code(),
        Some(2)
    );
    assert_eq!(diff(&[cpu, "no-such-file"]).status.code(), Some(1));
}

/// The stacks of both sides as `difffolded.pl` writes them: each stack once, its value in the base and in the new one.
fn differential(base: &str, new: &str) -> Vec<String> {
    let mut sums: BTreeMap<String, [i64; 2]> = BTreeMap::new();
    for (side, file) in [base, new].into_iter().enumerate() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        let output = command
            .args(["export", file, "--to", "folded"])
            .current_dir(fixtures())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (stack, value) = line.rsplit_once(' ').unwrap();
            sums.entry(stack.to_owned()).or_default()[side] += value.parse::<i64>().unwrap();
        }
    }
    let lines = sums
        .iter()
        .map(|(stack, [base, new])| format!("{stack} {base} {new}"));
    lines.collect()
}

fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn folded_stacks_with_both_values_are_those_of_the_flame_graph_tools() {
    for (base, new) in [
        PAIR,
        (
            "recordings/checkout-api.cpu.pprof.gz",
            "recordings/status-page.cpu.pprof.gz",
        ),
    ] {
        // Functions of one name in two places are two of our lines.
        let mut sums: BTreeMap<String, [i64; 2]> = BTreeMap::new();
        for line in text(&[base, new, "--to", "folded", "--raw"]).lines() {
            let [new, base, stack] = line.rsplitn(3, ' ').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let sum = sums.entry(stack.to_owned()).or_default();
            *sum = [
                sum[0] + base.parse::<i64>().unwrap(),
                sum[1] + new.parse::<i64>().unwrap(),
            ];
        }
        assert!(sums.len() > 20, "{sums:?}");
        let ours = sums
            .iter()
            .map(|(stack, [base, new])| format!("{stack} {base} {new}\n"))
            .collect::<String>();
        assert_eq!(lines(&ours), differential(base, new), "{base} {new}");
    }
}

const PAIR: (&str, &str) = (
    "pair/r2-images-before.cpu.pprof.gz",
    "pair/r2-images-after.cpu.pprof.gz",
);

#[test]
fn a_flame_graph_of_changes_is_red_and_blue_and_says_both_values() {
    let picture = text(&[PAIR.0, PAIR.1, "--to", "svg"]);
    let document = roxmltree::Document::parse(&picture).unwrap();
    let groups = document
        .descendants()
        .filter(|node| node.attribute("data-w").is_some());
    let frames: Vec<(&str, &str, Option<&str>)> = groups
        .map(|group| {
            let child = |tag: &str| {
                group
                    .children()
                    .find(|node| node.has_tag_name(tag))
                    .unwrap()
            };
            (
                child("title").text().unwrap(),
                child("rect").attribute("fill").unwrap(),
                group.attribute("data-mark"),
            )
        })
        .collect();
    let is = |name: &str| {
        *frames
            .iter()
            .find(|(title, ..)| title.starts_with(name))
            .unwrap()
    };
    // Sums of the two folded exports, and shares of the totals of both profiles.
    let (title, fill, mark) = is("handleList\n");
    for value in ["5.41 s", "3.87 s", "−1.54 s", "67.4", "48.2"] {
        assert!(title.contains(value), "{title}");
    }
    assert_eq!((fill, mark), ("#9abbec", Some("▾")));
    let (_, fill, mark) = is("keystreamWord\n");
    assert_eq!((fill, mark), ("#e0644c", Some("▴")));
    let (title, ..) = is("all\n");
    for value in ["8.03 s", "8.02 s", "−11.8 ms"] {
        assert!(title.contains(value), "{title}");
    }
    assert!(
        frames.iter().all(|(title, ..)| title.contains(" → ")),
        "{frames:?}"
    );
    // A function may have more in one place and less in another.
    assert!(
        frames
            .iter()
            .any(|(_, fill, mark)| *fill == "#dcd8d2" && mark.is_none())
    );
    // What is gone keeps its width.
    let gone = frames
        .iter()
        .filter(|(title, ..)| title.contains(" s → 0, "));
    assert!(gone.count() > 0, "{frames:?}");
    for meaning in [">▴ more</text>", ">▾ less</text>", ">about the same</text>"] {
        assert!(picture.contains(meaning), "{meaning}");
    }
}

#[test]
fn a_written_difference_shows_what_is_less_below_zero() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("less/by.pprof");
    let file = file.to_str().unwrap();
    assert_eq!(text(&[PAIR.0, PAIR.1, "--to", "pprof", "-o", file]), "");
    let top = |file: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        let output = command
            .args(["top", file, "--json"])
            .args(more)
            .current_dir(fixtures())
            .output()
            .unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let (base, new, difference) = (top(PAIR.0, &[]), top(PAIR.1, &[]), top(file, &[]));
    let number = |value: &serde_json::Value, key: &str| value[key].as_i64().unwrap();
    assert_eq!(
        number(&difference, "total"),
        number(&new, "total") - number(&base, "total")
    );
    assert!(number(&difference, "total") < 0);
    // Per cents are of the base, as pprof's are.
    assert_eq!(number(&difference, "base"), number(&base, "base"));
    assert_eq!(difference["rows"][0]["function"], "genericR2JsonReplacer");

    // Filters and equal totals hold for what is written.
    text(&[
        PAIR.0,
        PAIR.1,
        "--to",
        "pprof",
        "-o",
        file,
        "--focus",
        "handleList",
    ]);
    let focus = ["--focus", "handleList"];
    let shown = |file: &str| number(&top(file, &focus), "shown");
    assert_eq!(
        number(&top(file, &[]), "shown"),
        shown(PAIR.1) - shown(PAIR.0)
    );
    text(&[PAIR.0, PAIR.1, "--to", "pprof", "-o", file, "--normalize"]);
    let scaled = top(file, &[]);
    assert_eq!(
        (number(&scaled, "total"), number(&scaled, "base")),
        (0, number(&base, "total"))
    );
    assert_eq!(
        number(&top(file, &["--sample-type", "samples"]), "total"),
        0
    );
}

#[test]
fn a_tag_filter_sees_the_records_labels_and_not_the_base_s_mark() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("less.pprof");
    let file = file.to_str().unwrap();
    let (base, new) = ("cases/a07-diff-before.pb", "cases/a07-diff-after.pb");
    text(&[
        base,
        new,
        "--to",
        "pprof",
        "-o",
        file,
        "--tag-ignore",
        "true",
    ]);
    let profile = open(file);
    let reading = read(&profile, &View::new(&profile)).unwrap();
    assert_eq!(
        (reading.total, reading.shown),
        (100_000_000, 100_000_000),
        "as without the filter"
    );
}

#[test]
fn pseudonyms_hold_for_both_sides_and_no_name_is_left() {
    let options = |to: &'static str| [PAIR.0, PAIR.1, "--to", to, "--anonymize", "--salt", "x"];
    for to in ["svg", "folded", "json", "markdown", "text"] {
        let written = text(&options(to));
        for name in [
            "handleList",
            "genericR2JsonReplacer",
            "r2-images",
            "worker.js",
        ] {
            assert!(!written.contains(name), "{name} in {to}: {written}");
        }
        assert!(written.contains("fn_"), "{to}: {written}");
        assert_eq!(written, text(&options(to)), "one salt, one pseudonym");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("less.pprof");
    text(&[&options("pprof")[..], &["-o", file.to_str().unwrap()]].concat());
    let profile = open(file.to_str().unwrap());
    let reading = read(&profile, &View::new(&profile)).unwrap();
    assert_eq!(
        (reading.base, reading.total),
        (8_031_894_000, -11_792_000),
        "as `go tool pprof -diff_base` has them"
    );
    let names: Vec<String> = profile
        .functions()
        .iter()
        .map(|function| profile.text(function.name).into())
        .collect();
    assert!(
        names.iter().all(|name| !name.contains("handle")),
        "{names:?}"
    );
}

#[test]
fn output_goes_where_it_is_asked_to() {
    let mut wording = wording!();
    let folder = tempfile::tempdir().unwrap();
    for (options, file) in [
        (&["--json"][..], "a.json"),
        (&["--markdown"], "a.md"),
        (&[], "a.txt"),
    ] {
        let path = folder.path().join(file);
        let printed = text(&[&[PAIR.0, PAIR.1], options].concat());
        let written = text(&[&[PAIR.0, PAIR.1, "-o", path.to_str().unwrap()], options].concat());
        assert_eq!(
            (written.as_str(), fs::read_to_string(path).unwrap()),
            ("", printed),
            "{file}"
        );
    }
    assert_eq!(
        text(&[PAIR.0, PAIR.1, "--to", "json"]),
        text(&[PAIR.0, PAIR.1, "--json"])
    );
    for wrong in [
        &["--to", "speedscope"][..],
        &["--to", "json", "--json"],
        &["--to", "svg", "--markdown"],
    ] {
        assert_eq!(
            diff(&[&[PAIR.0, PAIR.1], wrong].concat()).status.code(),
            Some(2),
            "{wrong:?}"
        );
    }
    let nowhere = diff(&[PAIR.0, PAIR.1, "-o", "/dev/null/x"]);
    assert_eq!(nowhere.status.code(), Some(1));
    let empty = diff(&[
        "cases/a05-no-samples.pb",
        "cases/a05-no-samples.pb",
        "--to",
        "folded",
    ]);
    wording.add(String::from_utf8_lossy(&empty.stderr));
}

/// Folded stacks of 400 samples, 100 of them idle, and of what is given.
fn sampled(own: &[(&str, u32)]) -> Profile {
    let given: u32 = own.iter().map(|(_, samples)| samples).sum();
    let mut text = format!("(idle) 100\nrest {}\n", 400 - given);
    for (name, samples) in own {
        text += &format!("{name} {samples}\n");
    }
    formats::read(text.as_bytes(), "sampled.folded").unwrap()
}

#[test]
fn one_capture_a_side_marks_what_chance_alone_can_do() {
    let base = sampled(&[("small", 20), ("grown", 20), ("halved", 200)]);
    let new = sampled(&[
        ("small", 40),
        ("grown", 100),
        ("halved", 100),
        ("added", 15),
    ]);
    let view = View::new(&new);
    let compared = compare(&base, &new, &view, Normalise::Never, Width::Larger).unwrap();
    let chance = compared.chance().unwrap();
    // 400 busy samples a side, and 1/400 for isolates: exp(1.96 √(19 · (2/400 + 2/400))).
    assert!((chance.level(0.05) - 2.34983).abs() < 1e-4);
    let noise = |name: &str| {
        let changes = compared.changes();
        let frames = &compared.reading.frames;
        let change = changes.iter().find(|c| frames.name(c.frame) == name);
        chance.noise(change.unwrap())
    };
    // By hand: (k + ½)/401 on both sides, their mean p, and exp(1.96 √((1−p)/p · 0.01)).
    for (name, level, is_within) in [
        ("small", 1.9801, true),
        ("grown", 1.5920, false),
        ("halved", 1.2877, false),
        ("added", 3.9501, true),
    ] {
        let noise = noise(name).unwrap();
        assert!(
            (noise.level - level).abs() < 5e-4,
            "{name}: {}",
            noise.level
        );
        assert_eq!(noise.is_within, is_within, "{name}");
    }
    assert_eq!(noise("(idle)"), None);
}

#[test]
fn without_counted_samples_nothing_is_said_of_chance() {
    let base = profile("nanoseconds", 1.0, &[("a", 10), ("b", 20)]);
    let new = profile("nanoseconds", 1.0, &[("a", 20), ("b", 10)]);
    let view = View::new(&new);
    let compared = compare(&base, &new, &view, Normalise::Never, Width::Larger).unwrap();
    assert!(compared.chance().is_none());
}
