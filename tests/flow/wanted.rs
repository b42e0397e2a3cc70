//! The Worker that `--worker` names: stood on as soon as it comes, and never another one captured in its place.

use flarescope::app::{
    Action, Effect, Failure, FailureKind, HistoryEffect, Origin, Overlay, RequestId, Response,
    WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::Worker;

use crate::session::{Session, ago, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (80, 24);

/// A session that was started on a Worker: its requests for the list and the figures.
fn started_on(name: &str) -> (Session, RequestId, Effect) {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    session.state.workers.open_on(name.to_owned());
    let list = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    let metrics = first
        .into_iter()
        .find(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics)))
        .unwrap();
    (session, list, metrics)
}

fn page(rows: &[Worker], last: bool) -> Response {
    Response::Workers(WorkersResponse::Page {
        rows: rows.to_vec(),
        total: Some(world::COUNT),
        last,
    })
}

/// The Worker of the form that `c` opens.
fn captures(session: &mut Session) -> Option<String> {
    session.press("c");
    match session.state.overlays.close() {
        Some(Overlay::CaptureForm(form)) => Some(form.worker),
        None => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_list_selects_it_through_pages_and_newer_metrics() {
    let (mut session, list, metrics) = started_on("mail-38");
    let rows = world::workers();
    session.answer(list, page(&rows[..20], false));
    session.answer(list, page(&rows[20..], false));
    assert_eq!(session.worker(), "mail-38", "it was not on the first page");
    session.answer(list, page(&[], true));
    session.serve(metrics);
    assert_eq!(
        session.worker(),
        "mail-38",
        "figures bring the costly ones to the top, and leave the cursor alone"
    );
    assert!(session.shows("▸mail-38"), "{}", session.screen());
    assert_eq!(captures(&mut session).as_deref(), Some("mail-38"));
}

#[test]
fn metrics_that_arrive_before_the_list_change_nothing() {
    let (mut session, list, metrics) = started_on("monolith");
    session.serve(metrics);
    session.answer(list, page(&world::workers(), true));
    assert_eq!(session.worker(), "monolith");
}

#[test]
fn the_list_of_an_earlier_session_is_stood_in_the_same_way() {
    let mut wording = wording!();
    let (mut session, list, metrics) = started_on("monolith");
    let mut known = world::workers();
    known.reverse();
    session.answer(
        list,
        Response::Workers(WorkersResponse::Known(known, ago(3600))),
    );
    assert_eq!(session.worker(), "monolith");
    session.answer(list, page(&world::workers(), true));
    session.serve(metrics);
    assert_eq!(session.worker(), "monolith");
    // One that an earlier session knew and that is gone since.
    let (mut session, list, _) = started_on("gone-since");
    let gone = Worker {
        id: "f".repeat(32),
        name: "gone-since".to_owned(),
        deployed_on: Some(ago(60)),
        metrics: None,
    };
    session.answer(
        list,
        Response::Workers(WorkersResponse::Known(vec![gone], ago(3600))),
    );
    assert_eq!(session.worker(), "gone-since");
    session.answer(list, page(&world::workers(), true));
    wording.add(session.notice());
    assert_eq!(captures(&mut session), None);
}

#[test]
fn an_id_names_it_too() {
    let (mut session, list, metrics) = started_on(&world::workers()[2].id);
    session.answer(list, page(&world::workers(), true));
    session.serve(metrics);
    assert_eq!(session.worker(), "monolith");
}

#[test]
fn before_it_has_come_no_other_one_is_captured() {
    let mut wording = wording!();
    let (mut session, list, _) = started_on("mail-38");
    assert_eq!(captures(&mut session), None, "no row is there");
    session.press("enter");
    session.answer(list, page(&world::workers()[..20], false));
    for keys in ["c", "enter", "tab c"] {
        session.press(keys);
        assert!(session.state.overlays.is_empty(), "{keys}");
        if keys != "tab c" {
            wording.add(session.notice());
        }
    }
    session.answer(list, page(&world::workers()[20..], true));
    assert_eq!(captures(&mut session).as_deref(), Some("mail-38"));
}

#[test]
fn who_moves_by_hand_is_not_pulled_back() {
    let (mut session, list, metrics) = started_on("mail-38");
    session.answer(list, page(&world::workers()[..20], false));
    session.press("j");
    let here = session.worker().to_owned();
    session.answer(list, page(&world::workers()[20..], true));
    session.serve(metrics);
    assert_eq!(session.worker(), here);
    assert_eq!(captures(&mut session), Some(here));
}

#[test]
fn a_name_that_no_page_has_is_reported_with_the_nearest_and_nothing_is_captured() {
    let mut wording = wording!();
    let (mut session, list, metrics) = started_on("chekout-api");
    session.answer(list, page(&world::workers(), true));
    session.serve(metrics);
    let told = session.notice();
    wording.add(&told);
    assert_eq!(captures(&mut session), None);
    assert_eq!(session.notice(), told, "the key says it again");
    session.press("j k");
    assert_eq!(
        captures(&mut session).as_deref(),
        Some("checkout-api"),
        "chosen by hand"
    );
}

#[test]
fn why_there_is_nothing_to_capture_from_is_reported_as_it_is() {
    let mut wording = wording!();
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    session.press("c");
    wording.add(session.notice());
    session.press("C");
    let captures = first
        .iter()
        .find(|e| matches!(e, Effect::History(_, HistoryEffect::List)))
        .cloned()
        .unwrap();
    session.serve(captures);
    let list = only(session.press("R"));
    session.serve(list);
    session.press("c");
    let told = session.notice();
    wording.add(told);
    let list = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    session.act(Action::Done(
        list,
        Err(Failure::new(FailureKind::List, "Gone.")),
    ));
    session.press("c");
    wording.add(session.notice());

    let mut session = Session::workers(SIZE);
    session.press("/ \"zzzz\" enter c");
    wording.add(session.notice());
}
