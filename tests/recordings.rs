//! Every recording from the runtime, against sums that were taken independently of this program.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use flarescope::formats;
use flarescope::model::ranking::{Sort, rank};
use flarescope::model::tree::NodeId;
use flarescope::model::view::{SamplesFrom, View, read};
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The stems of all recordings with expected values.
fn stems() -> Vec<String> {
    let mut stems: Vec<String> = fs::read_dir(fixtures().join("expected"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".json").map(str::to_owned))
        .collect();
    stems.sort();
    assert!(stems.len() >= 24, "recordings are missing: {stems:?}");
    stems
}

fn recording(stem: &str) -> PathBuf {
    fixtures().join("recordings").join(format!("{stem}.pprof.gz"))
}

fn expected(stem: &str) -> Value {
    serde_json::from_slice(&fs::read(fixtures().join("expected").join(format!("{stem}.json"))).unwrap()).unwrap()
}

#[test]
fn every_recording_adds_up_as_expected() {
    for stem in stems() {
        let expected = expected(&stem);
        let profile = formats::read(fs::File::open(recording(&stem)).unwrap(), &stem).unwrap();
        let types = expected["sample_types"].as_array().unwrap();
        assert_eq!(profile.sample_types().len(), types.len(), "{stem}");
        assert_eq!(profile.record_count() as u64, expected["samples"].as_u64().unwrap(), "{stem}");
        for (at, name) in types.iter().enumerate() {
            let (kind, unit) = profile.type_names(profile.sample_types()[at]);
            assert_eq!(format!("{kind}/{unit}"), name.as_str().unwrap(), "{stem}");
            let reading = read(&profile, &View { sample_type: at, ..View::new(&profile) }).unwrap();
            let total = expected["total"][at].as_i64().unwrap();
            assert_eq!(reading.total, i128::from(total), "{stem} {name}");
            assert_eq!((reading.base, reading.shown), (i128::from(total), i128::from(total)), "{stem} {name}");
            assert_eq!(u64::from(reading.tree.height(NodeId::ROOT)), expected["max_depth"].as_u64().unwrap(), "{stem}");

            let mut rows: HashMap<(String, String), (i64, i64)> = HashMap::new();
            for row in rank(&reading, Sort::Samples, false) {
                let info = reading.frames.info(row.frame);
                let before = rows.insert((info.name.to_owned(), info.file.to_owned()), (row.self_value, row.total));
                assert!(before.is_none(), "{stem}: two rows for {} in {}", info.name, info.file);
            }
            let functions = expected["functions_by_cum"].as_array().unwrap();
            assert_eq!(rows.len(), functions.len(), "{stem} {name}");
            for function in functions {
                let key =
                    (function["name"].as_str().unwrap().to_owned(), function["file"].as_str().unwrap().to_owned());
                let values = (function["flat"][at].as_i64().unwrap(), function["cum"][at].as_i64().unwrap());
                assert_eq!(rows.get(&key), Some(&values), "{stem} {name}: {key:?}");
            }
        }
    }
}

#[test]
fn samples_are_counted_by_their_own_type() {
    let counted = [("checkout-api.cpu", 3_324, true), ("checkout-api-cpuonly.cpu", 19, false)];
    for (stem, samples, by_type) in counted {
        let profile = formats::read(fs::File::open(recording(stem)).unwrap(), stem).unwrap();
        let reading = read(&profile, &View::new(&profile)).unwrap();
        assert_eq!(reading.samples, samples, "{stem}");
        assert_eq!(matches!(reading.samples_from, SamplesFrom::Type(0)), by_type, "{stem}");
    }
}
