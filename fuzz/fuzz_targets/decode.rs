//! Any bytes: refused, or read into a profile of which everything that is shown adds up.
//!
//! `cargo +nightly fuzz run decode fuzz/corpus/decode tests/fixtures/malformed tests/fixtures/cases tests/fixtures/foreign tests/fixtures/found`
#![no_main]

use flarescope::formats;
use flarescope::formats::{folded, pprof, speedscope};
use flarescope::model::graph::icicle::{Order, Window, layout};
use flarescope::model::profile::Profile;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::view::{Direction, Identity, View};
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::subset::Subset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(profile) = formats::read(bytes, "fuzz") else {
        return;
    };
    for sample_type in 0..profile.sample_types().len().min(3) {
        for (by, direction, fold_recursion) in [
            (Identity::Function, Direction::TopDown, false),
            (Identity::Line, Direction::TopDown, true),
            (Identity::Package, Direction::BottomUp, false),
        ] {
            let view = View {
                sample_type,
                by,
                direction,
                fold_recursion,
                ..View::new(&profile)
            };
            if let Ok(reading) = read(&profile, &view) {
                check(&profile, &view, &reading);
            }
        }
    }
});

fn check(profile: &Profile, view: &View, reading: &Reading) {
    let rows = rank(reading, Sort::Total, false);
    let own: i128 = rows.iter().map(|row| i128::from(row.self_value)).sum();
    assert_eq!(own, reading.shown);
    assert_eq!(i128::from(reading.tree.total(NodeId::ROOT)), reading.shown);
    let window = Window {
        root: NodeId::ROOT,
        columns: 80,
        first_row: 0,
        rows: 20,
        order: Order::Weight,
        only: None,
    };
    for block in layout(&reading.tree, &reading.frames, &window).blocks {
        assert!(u32::from(block.start) * 8 < block.end_eighths && block.end_eighths <= 640);
    }
    let (kind, unit) = profile.type_names(reading.sample_type);
    let _ = folded::write(reading, NodeId::ROOT, (&kind, &unit));
    if let Ok(written) = speedscope::write(reading, NodeId::ROOT, "fuzz", (&kind, &unit)) {
        // Refused where nanoseconds of a larger unit do not fit 64 bits.
        let _ = formats::read(written.as_bytes(), "again");
    }
    let written = pprof::encode(&Subset::new(profile, view, None).expect("a view that was read"));
    let again = formats::read(written.as_slice(), "again").expect("what was written can be read");
    let again = read(
        &again,
        &View {
            sample_type: view.sample_type,
            by: view.by,
            ..View::new(&again)
        },
    );
    assert_eq!(again.expect("the same values").total, reading.total);
}
