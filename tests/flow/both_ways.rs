//! One function between its callers and its callees, and its lines.

use flarescope::app::{Effect, Load, Overlay, Side};
use flarescope::model::graph::call_tree::NodeId;

use crate::session::{Session, only};

const SIZE: (u16, u16) = (120, 40);
/// The cases' samples are of a millisecond.
const MS: i64 = 1_000_000;

#[test]
fn recursion_counts_once_in_both_halves() {
    // walk calls itself and visit, 10 samples in all: the ranking's totals are those of the reference implementation.
    let mut session = Session::of_file("cases/a13-recursion.pb", SIZE);
    session.go_to("walk");
    session.press("B");
    let slices = &session.profile().sandwich.as_ref().unwrap().sandwich;
    assert_eq!(slices.callees.total(NodeId::ROOT), 10 * MS);
    assert_eq!(slices.callers.total(NodeId::ROOT), 10 * MS);
    let row = session
        .profile()
        .table
        .rows
        .iter()
        .find(|row| row.frame == slices.frame)
        .unwrap();
    assert_eq!(row.total, 10 * MS);
}

#[test]
fn both_halves_weigh_what_the_function_weighs() {
    let mut session = Session::captured("monolith.cpu", SIZE);
    let frames: Vec<_> = session
        .profile()
        .table
        .rows
        .iter()
        .map(|row| (row.frame, row.total))
        .collect();
    let reading = session.profile().reading.clone();
    for (frame, total) in frames {
        let slices = reading.sandwich(frame);
        assert_eq!(
            slices.callers.total(NodeId::ROOT),
            total,
            "{}",
            reading.frames.name(frame)
        );
        assert_eq!(
            slices.callees.total(NodeId::ROOT),
            total,
            "{}",
            reading.frames.name(frame)
        );
    }
    session.press("B B");
    assert!(
        session.profile().sandwich.is_none(),
        "the key that opens it closes it"
    );
}

#[test]
fn one_walks_from_callers_through_the_function_to_callees() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("priceCart");
    session.press("B");
    let side = |session: &Session| session.profile().sandwich.as_ref().unwrap().side;
    let name = |session: &Session| {
        let profile = session.profile();
        profile
            .reading
            .frames
            .name(profile.selected_frame().unwrap())
            .to_owned()
    };
    assert_eq!(
        (side(&session), name(&session).as_str()),
        (Side::Middle, "priceCart")
    );
    session.press("k");
    assert_eq!(
        (side(&session), name(&session).as_str()),
        (Side::Callers, "handleCheckout")
    );
    session.press("j j");
    assert_eq!(side(&session), Side::Callees);
    session.press("k k enter");
    assert_eq!(
        (side(&session), name(&session).as_str()),
        (Side::Middle, "handleCheckout"),
        "Enter goes there"
    );
    session.press("esc");
    assert!(session.profile().sandwich.is_none());
    assert_eq!(session.selected(), "priceCart", "the icicle is as it was");
}

#[test]
fn a_filter_keeps_what_is_between_its_callers_and_callees() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("validateAddress");
    session.press("B f");
    let profile = session.profile();
    assert_eq!(profile.view.filters.len(), 1);
    let frame = profile.sandwich.as_ref().unwrap().sandwich.frame;
    assert_eq!(profile.reading.frames.name(frame), "validateAddress");
}

#[test]
fn a_go_profile_shows_the_lines_of_a_function() {
    let mut session = Session::of_file("go/go-twice.cpu.pb.gz", SIZE);
    let several = |session: &Session| {
        session
            .profile()
            .lines
            .ready()
            .is_some_and(|lines| lines.len() > 1)
    };
    let names: Vec<String> = session
        .profile()
        .table
        .rows
        .iter()
        .map(|row| session.profile().reading.frames.name(row.frame).to_owned())
        .filter(|name| name.starts_with("main."))
        .collect();
    let with_lines = names.iter().any(|name| {
        session.go_to(name);
        session.press("D");
        let found = several(&session);
        if found {
            let lines = session.profile().lines.ready().unwrap();
            let frame = session.profile().selected_frame().unwrap();
            let own: i64 = lines.iter().map(|line| line.own).sum();
            assert_eq!(
                own,
                session.profile().reading.stat(frame).self_value,
                "{name}: lines add up to the function"
            );
        }
        session.press("esc");
        found
    });
    assert!(with_lines, "one of {names:?} has more than one line");
}

#[test]
fn v8_knows_where_a_function_starts_and_no_more() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("D");
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::Details(0))
    ));
    assert!(matches!(&session.profile().lines, Load::Ready(lines) if lines.len() <= 1));
}

#[test]
fn the_command_that_shows_the_view_names_every_part_of_it() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("handleCheckout");
    session.press("enter f p r I");
    let Effect::Copy(_, text) = only(session.press("E")) else {
        panic!()
    };
    let hash = &session.profile().source.capture.as_ref().unwrap().sha256[..16];
    assert!(
        text.starts_with(&format!("flarescope open {hash} ")),
        "{text}"
    );
    for part in [
        "--by name",
        "--focus-function validateAddress@file:///bundle/worker.js",
        "--root handleCheckout",
        "--fold-recursion",
        "--idle",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_sandwich_has_a_way_back_a_last_row_and_matches() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("handleCheckout");
    session.press("B");
    let shown = |session: &Session| {
        let profile = session.profile();
        let sandwich = profile.sandwich.as_ref()?;
        Some(
            profile
                .reading
                .frames
                .name(sandwich.sandwich.frame)
                .to_owned(),
        )
    };
    session.press("G");
    let last = session.profile().selected_frame();
    assert_ne!(
        last,
        Some(session.profile().sandwich.as_ref().unwrap().sandwich.frame)
    );
    session.press("g j enter");
    assert_ne!(shown(&session).as_deref(), Some("handleCheckout"));
    session.press("backspace");
    assert_eq!(shown(&session).as_deref(), Some("handleCheckout"));
    session.press("backspace");
    assert_eq!(shown(&session), None);
    session.press("/ \"parseCart\" enter k B g n");
    let profile = session.profile();
    let frame = profile.selected_frame().unwrap();
    assert_eq!(profile.reading.frames.name(frame), "parseCart");
}
