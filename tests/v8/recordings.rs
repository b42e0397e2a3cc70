//! Every raw recording, against sums that were taken independently of this program.

use std::fs;

use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::frames::is_nameless;
use flarescope::model::graph::view::View;
use serde_json::Value;

use crate::{RECORDINGS, fixtures, open, raw, table};

fn expected(stem: &str) -> Value {
    serde_json::from_slice(
        &fs::read(fixtures().join("expected").join(format!("{stem}.json"))).unwrap(),
    )
    .unwrap()
}

#[test]
fn raw_recordings_have_the_numbers_of_their_pprof() {
    for (file, stem) in RECORDINGS {
        let (profile, expected) = (open(&raw(file)), expected(stem));
        assert_eq!(
            profile.record_count() as u64,
            expected["samples"].as_u64().unwrap(),
            "{file}"
        );
        let types = expected["sample_types"].as_array().unwrap();
        for (at, name) in types.iter().enumerate() {
            let (kind, unit) = profile.type_names(profile.sample_types()[at]);
            assert_eq!(format!("{kind}/{unit}"), name.as_str().unwrap(), "{file}");
            let reading = read(
                &profile,
                &View {
                    sample_type: at,
                    ..View::new(&profile)
                },
            )
            .unwrap();
            assert_eq!(
                reading.total,
                i128::from(expected["total"][at].as_i64().unwrap()),
                "{file} {name}"
            );
            let depth = u64::from(reading.tree.height(NodeId::ROOT));
            assert_eq!(
                depth,
                expected["max_depth"].as_u64().unwrap(),
                "{file} {name}"
            );
            let functions = expected["functions_by_cum"].as_array().unwrap();
            let rows = table(&reading);
            assert_eq!(rows.len(), functions.len(), "{file} {name}");
            for function in functions {
                let text = |key: &str| function[key].as_str().unwrap().to_owned();
                let number = |key: &str, at: usize| function[key][at].as_i64().unwrap();
                let total = match &*text("name") {
                    name if is_nameless(name) => 0,
                    _ => number("cum", at),
                };
                let values = (number("flat", at), total, number("flat", 0));
                assert_eq!(
                    rows.get(&(text("name"), text("file"))),
                    Some(&values),
                    "{file} {name}: {function}"
                );
            }
        }
        if stem.ends_with(".cpu") {
            let nanoseconds = u128::try_from(expected["duration_nanos"].as_i64().unwrap()).unwrap();
            assert_eq!(
                profile.duration().map(|duration| duration.as_nanos()),
                Some(nanoseconds),
                "{file}"
            );
        } else if profile.record_count() > 0 {
            assert_eq!(
                profile.period().map(|(_, period)| period),
                expected["period"].as_i64(),
                "{file}"
            );
        }
    }
}

#[test]
fn commands_tell_the_format_by_content_alone() {
    let run = |arguments: &[&str], input: &[u8]| {
        let mut command = assert_cmd::Command::cargo_bin("flarescope").unwrap();
        let output = command.args(arguments).write_stdin(input).output().unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    };
    let packed = fs::read(raw("namer.cpuprofile")).unwrap();
    let top: Value = serde_json::from_slice(&run(&["top", "-", "--json"], &packed)).unwrap();
    assert_eq!(
        (&top["total"], &top["samples"]),
        (&6_002_263_000_i64.into(), &5_114.into())
    );
    // A name that says something else.
    let file = tempfile::Builder::new()
        .suffix(".pb.gz")
        .tempfile()
        .unwrap();
    fs::copy(raw("no-traffic.cpuprofile"), file.path()).unwrap();
    let path = file.path().to_str().unwrap();
    assert!(
        String::from_utf8(run(&["top", path], b""))
            .unwrap()
            .contains("(idle)")
    );
    let heap = raw("deep-parser.heapprofile");
    let screen = run(&["render", heap.to_str().unwrap()], b"");
    assert!(String::from_utf8(screen).unwrap().contains("parsePrimary"));
    let folded = run(&["export", heap.to_str().unwrap(), "--to", "folded"], b"");
    // The first line says what the values are.
    assert_eq!(String::from_utf8(folded).unwrap().lines().count(), 1 + 258);
}
