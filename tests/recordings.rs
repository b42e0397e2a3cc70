//! Every recording from the runtime, against sums that were taken independently of this program.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::frames::is_nameless;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::sample_values::SamplesFrom;
use flarescope::model::graph::view::View;
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The stems of all recordings with expected values.
fn stems() -> Vec<String> {
    let mut stems: Vec<String> = fs::read_dir(fixtures().join("expected"))
        .unwrap()
        .filter_map(|entry| {
            entry
                .unwrap()
                .file_name()
                .to_str()?
                .strip_suffix(".json")
                .map(str::to_owned)
        })
        // What a map says of a recording is for the tests of source maps.
        .filter(|stem| !stem.ends_with(".symbols"))
        .collect();
    stems.sort();
    assert!(stems.len() >= 24, "recordings are missing: {stems:?}");
    stems
}

fn recording(stem: &str) -> PathBuf {
    fixtures()
        .join("recordings")
        .join(format!("{stem}.pprof.gz"))
}

fn expected(stem: &str) -> Value {
    serde_json::from_slice(
        &fs::read(fixtures().join("expected").join(format!("{stem}.json"))).unwrap(),
    )
    .unwrap()
}

#[test]
fn every_recording_adds_up_as_expected() {
    for stem in stems() {
        let expected = expected(&stem);
        let profile = formats::read(fs::File::open(recording(&stem)).unwrap(), &stem).unwrap();
        let types = expected["sample_types"].as_array().unwrap();
        assert_eq!(profile.sample_types().len(), types.len(), "{stem}");
        assert_eq!(
            profile.record_count() as u64,
            expected["samples"].as_u64().unwrap(),
            "{stem}"
        );
        for (at, name) in types.iter().enumerate() {
            let (kind, unit) = profile.type_names(profile.sample_types()[at]);
            assert_eq!(format!("{kind}/{unit}"), name.as_str().unwrap(), "{stem}");
            let reading = read(
                &profile,
                &View {
                    sample_type: at,
                    ..View::new(&profile)
                },
            )
            .unwrap();
            let total = expected["total"][at].as_i64().unwrap();
            assert_eq!(reading.total, i128::from(total), "{stem} {name}");
            assert_eq!(
                (reading.base, reading.shown),
                (i128::from(total), i128::from(total)),
                "{stem} {name}"
            );
            assert_eq!(
                u64::from(reading.tree.height(NodeId::ROOT)),
                expected["max_depth"].as_u64().unwrap(),
                "{stem}"
            );

            let mut rows: HashMap<(String, String), (i64, i64)> = HashMap::new();
            for row in rank(&reading, Sort::Samples, false) {
                let info = reading.frames.info(row.frame);
                let key = (info.name.to_owned(), info.file.to_owned());
                let is_new = !rows.contains_key(&key);
                let (own, total) = rows.entry(key).or_default();
                (*own, *total) = (*own + row.self_value, *total + row.total);
                assert!(
                    is_new || is_nameless(info.name),
                    "{stem}: two rows for {} in {}",
                    info.name,
                    info.file
                );
            }
            let functions = expected["functions_by_cum"].as_array().unwrap();
            assert_eq!(rows.len(), functions.len(), "{stem} {name}");
            for function in functions {
                let key = (
                    function["name"].as_str().unwrap().to_owned(),
                    function["file"].as_str().unwrap().to_owned(),
                );
                let values = (
                    function["flat"][at].as_i64().unwrap(),
                    function["cum"][at].as_i64().unwrap(),
                );
                // Nameless functions of a file are one to pprof, and some call others.
                let (own, total) = rows[&key];
                assert_eq!(own, values.0, "{stem} {name}: {key:?}");
                assert!(
                    total == values.1 || is_nameless(&key.0) && total > values.1,
                    "{stem} {name}: {key:?}"
                );
            }
        }
    }
}

#[test]
fn samples_are_counted_by_their_own_type() {
    let counted = [
        ("checkout-api.cpu", 3_324, true),
        ("checkout-api-cpuonly.cpu", 19, false),
    ];
    for (stem, samples, by_type) in counted {
        let profile = formats::read(fs::File::open(recording(stem)).unwrap(), stem).unwrap();
        let reading = read(&profile, &View::new(&profile)).unwrap();
        assert_eq!(reading.samples, samples, "{stem}");
        assert_eq!(
            matches!(reading.samples_from, SamplesFrom::Type(0)),
            by_type,
            "{stem}"
        );
    }
}

/// What the command prints, as JSON.
fn top(stem: &str, options: &[&str]) -> Value {
    let output = assert_cmd::Command::cargo_bin("flarescope")
        .unwrap()
        .arg("top")
        .arg(recording(stem))
        .arg("--json")
        .args(options)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_command_prints_the_same_numbers() {
    for stem in [
        "checkout-api.cpu",
        "monolith.heap",
        "namer.cpu",
        "deep-parser.cpu",
        "no-traffic.heap",
    ] {
        let (printed, expected) = (top(stem, &[]), expected(stem));
        let last = expected["total"].as_array().unwrap().len() - 1;
        for key in ["total", "base", "shown"] {
            assert_eq!(printed[key], expected["total"][last], "{stem} {key}");
        }
        assert_eq!(
            (&printed["samples"], &printed["samples_from"]),
            (&expected["total"][0], &"type".into()),
            "{stem}"
        );
        let all = printed["rows"].as_array().unwrap();
        // Nameless functions of a file are one to pprof.
        let is_named = |value: &Value, field| !is_nameless(value[field].as_str().unwrap());
        let rows: Vec<&Value> = all.iter().filter(|row| is_named(row, "function")).collect();
        let functions = expected["functions_by_cum"].as_array().unwrap().iter();
        let functions: Vec<&Value> = functions.filter(|it| is_named(it, "name")).collect();
        assert_eq!(rows.len(), functions.len(), "{stem}");
        for function in functions {
            let is_it = |row: &&&Value| {
                row["function"] == function["name"] && row["file"] == function["file"]
            };
            let row = rows
                .iter()
                .find(is_it)
                .unwrap_or_else(|| panic!("{stem}: no row for {function}"));
            assert_eq!(row["self"], function["flat"][last], "{stem} {function}");
            assert_eq!(row["total"], function["cum"][last], "{stem} {function}");
            assert_eq!(row["samples"], function["flat"][0], "{stem} {function}");
        }
    }
}

#[test]
fn options_of_the_command_choose_what_is_printed() {
    let names = |value: &Value| -> Vec<String> {
        value["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["function"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names(&top("checkout-api.cpu", &["-n", "2"])),
        ["validateAddress", "priceCart"]
    );
    assert_eq!(
        names(&top("checkout-api.cpu", &["-n", "1", "--sort", "total"])),
        ["handleCheckout"]
    );
    assert_eq!(
        names(&top("checkout-api.cpu", &["-n", "2", "--sort", "self"])),
        ["validateAddress", "parseCart"]
    );
    assert_eq!(
        names(&top("checkout-api.cpu", &["-n", "1", "--sort", "name"])),
        ["(anonymous)"]
    );
    assert_eq!(
        names(&top("checkout-api.cpu", &["--by", "package"])),
        ["bundle", "(runtime)", "(no file)"]
    );
    let by_type = top("checkout-api.cpu", &["--sample-type", "samples"]);
    assert_eq!(
        (&by_type["total"], &by_type["sample_type"]["unit"]),
        (&3324.into(), &"count".into())
    );
    // One name, two files: the base stays the whole capture.
    let by_name = top(
        "checkout-api.cpu",
        &["--by", "name", "--focus", "^.anonymous.$", "--no-idle"],
    );
    assert_eq!(by_name["base"], 8_001_103_000_u64);
    assert_eq!(by_name["shown"], 390_337_000);
    assert_eq!(by_name["rows"][0]["total"], 390_337_000);
    assert_eq!(by_name["rows"][0]["places"], 4);
}

#[test]
fn a_root_keeps_what_is_below_its_heaviest_frame() {
    let written = tempfile::Builder::new()
        .suffix(".pb.gz")
        .tempfile()
        .unwrap();
    let mut command = assert_cmd::Command::cargo_bin("flarescope").unwrap();
    command
        .arg("export")
        .arg(recording("checkout-api.cpu"))
        .args(["--to", "pprof", "--root", "priceCart", "-o"]);
    command.arg(written.path()).assert().success();
    let profile = formats::read(fs::File::open(written.path()).unwrap(), "written").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    assert_eq!(reading.total, 520_151_000);
    let first = reading.tree.unordered(NodeId::ROOT).next().unwrap();
    assert_eq!(
        reading.frames.name(reading.tree.frame(first).unwrap()),
        "priceCart"
    );
    assert_eq!(reading.tree.total(first), 520_151_000);
    assert_eq!(
        profile.duration(),
        Some(std::time::Duration::from_nanos(8_010_403_000))
    );
}

#[test]
fn an_export_keeps_labels_comments_period_and_every_type() {
    use flarescope::model::graph::subset::Subset;

    for file in [
        "labels.pb.gz",
        "same-names.pb.gz",
        "drop-frames.pb",
        "go-heap.pb.gz",
    ] {
        let open = |bytes: &[u8]| formats::read(bytes, file).unwrap();
        let before = open(&fs::read(fixtures().join("foreign").join(file)).unwrap());
        let after = open(&formats::pprof::encode(
            &Subset::new(&before, &View::new(&before), None).unwrap(),
        ));
        assert_eq!(dump(&before), dump(&after), "{file}");
    }
}

/// Everything a profile says, without its ids.
fn dump(profile: &flarescope::model::profile::Profile) -> Vec<String> {
    use flarescope::model::profile::LabelValue;

    let text = |id| profile.text(id).into_owned();
    let types = profile
        .sample_types()
        .iter()
        .map(|sample_type| profile.type_names(*sample_type));
    let mut lines = vec![format!(
        "{:?} default {}",
        types.collect::<Vec<_>>(),
        profile.default_sample_type()
    )];
    let period = profile
        .period()
        .map(|(kind, period)| (profile.type_names(kind), period));
    lines.push(format!(
        "{:?} {:?} {:?}",
        profile.time(),
        profile.duration(),
        period
    ));
    lines.push(format!("{:?}", profile.comments().collect::<Vec<_>>()));
    lines.extend(profile.mappings().iter().map(|mapping| {
        let names = (text(mapping.file), text(mapping.build_id));
        format!(
            "{} {} {} {names:?} {:?}",
            mapping.start, mapping.limit, mapping.offset, mapping.resolved
        )
    }));
    for record in 0..profile.record_count() {
        let stack: Vec<String> = profile
            .stack(record)
            .map(|at| {
                let location = &profile.locations()[at as usize];
                let lines: Vec<String> = profile
                    .lines(location)
                    .iter()
                    .map(|line| {
                        let function = profile.functions()[line.function.unwrap() as usize];
                        let (name, file) = (text(function.name), text(function.file));
                        format!(
                            "{name} {file}:{}:{} {}",
                            line.line, line.column, function.start_line
                        )
                    })
                    .collect();
                format!("{:#x} {:?} {lines:?}", location.address, location.mapping)
            })
            .collect();
        let labels: Vec<String> = profile
            .labels(record)
            .iter()
            .map(|label| match label.value {
                LabelValue::Text(value) => format!("{}={}", text(label.key), text(value)),
                LabelValue::Number(number, unit) => {
                    format!("{}={number} {}", text(label.key), text(unit))
                }
            })
            .collect();
        lines.push(format!("{:?} {labels:?} {stack:?}", profile.values(record)));
    }
    lines
}
