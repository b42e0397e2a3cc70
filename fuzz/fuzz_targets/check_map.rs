//! What holds of any bytes given as a source map: refused, or a map of which every answer is in bounds, and which changes
//! nothing of a profile but its names.

use std::sync::{Arc, OnceLock};

use flarescope::formats;
use flarescope::formats::source_map::Found;
use flarescope::model::profile::Profile;
use flarescope::model::source_map::{Fit, SourceMap, restore};

/// The letters of mappings, twice the signs that part them: random bytes then become positions on several lines.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/,;,;,;AA";

/// Takes bytes for a file, and for mappings of a whole and of an indexed map.
pub(crate) fn check(bytes: &[u8]) {
    file(bytes);
    let letters: String = bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]))
        .collect();
    let map = |mappings: &str| {
        format!(
            r#"{{"version":3,"file":"worker.js","sources":["a.ts","../b.ts",null],"sourcesContent":["function add(){{}}\n",null],"names":["add","b","__name"],"mappings":"{mappings}"}}"#
        )
    };
    file(map(&letters).as_bytes());
    let (one, other) = letters.split_at(letters.len() / 2);
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    let sections =
        [(at(0) % 4, at(1), one), (at(2) % 8, at(3), other)].map(|(line, column, mappings)| {
            format!(
                r#"{{"offset":{{"line":{line},"column":{column}}},"map":{}}}"#,
                map(mappings)
            )
        });
    file(format!(r#"{{"version":3,"sections":[{}]}}"#, sections.join(",")).as_bytes());
}

fn file(bytes: &[u8]) {
    let Ok(Found::Map(map)) = formats::source_map::read(bytes, "fuzz") else {
        return;
    };
    used(*map);
    if let Ok(Found::Map(map)) = formats::source_map::read(bytes, "fuzz") {
        used(map.with_bundle(include_str!(
            "../../tests/fixtures/maps/geo-router/worker.js"
        )));
    }
}

fn used(map: SourceMap) {
    let _ = (
        map.text_of("a.ts"),
        map.text_of("../src/index.ts"),
        map.bundle_text("worker.js"),
    );
    let before = profile();
    let restored = restore(before, &[Arc::new(map)]);
    let [used] = &restored.uses[..] else {
        panic!("one map was given")
    };
    assert!(used.restored <= used.of);
    assert!(
        restored.profile.is_none() || used.fit == Fit::Fits,
        "{used:?}"
    );
    let Some(after) = restored.profile else {
        return;
    };
    assert_eq!(after.record_count(), before.record_count());
    for record in 0..before.record_count() {
        assert!(
            after.values(record) == before.values(record)
                && after.stack(record).eq(before.stack(record))
        );
    }
    for line in &after.parts().lines {
        assert!(line.line >= 0 && line.column >= 0, "{line:?}");
    }
}

/// A recording of a bundle, with columns.
fn profile() -> &'static Profile {
    static PROFILE: OnceLock<Profile> = OnceLock::new();
    PROFILE.get_or_init(|| {
        let recorded = include_bytes!("../../tests/fixtures/recordings/geo-router.cpu.pprof.gz");
        formats::read(&recorded[..], "geo-router").expect("a recording")
    })
}
