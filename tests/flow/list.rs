//! The list of Workers: filter, order, rest, panes.

use std::time::Duration;

use flarescope::app::{
    Effect, FailureKind, Load, Origin, ProfileEffect, Section, WorkersEffect, WorkersResponse,
};

use crate::session::{Session, only, world};

const SIZE: (u16, u16) = (120, 40);

fn shown(session: &Session) -> Vec<&str> {
    let workers = &session.state.workers;
    workers
        .order
        .iter()
        .map(|&at| workers.rows[at].name.as_str())
        .collect()
}

#[test]
fn the_costly_ones_stand_first_and_the_first_one_is_looked_up_once() {
    let (mut session, first) = Session::fresh(Origin::Demo, SIZE);
    let [captures, list, metrics, elsewhere] = <[Effect; 4]>::try_from(first).unwrap();
    assert!(session.serve(elsewhere).is_empty());
    assert!(session.serve(captures).is_empty());
    assert!(
        session.serve(list).is_empty(),
        "which one is on top is known once traffic is"
    );
    let rest = only(session.serve(metrics));
    assert!(
        matches!(rest, Effect::Workers(_, WorkersEffect::Rest(time)) if time == Duration::from_millis(300))
    );
    assert_eq!(
        shown(&session)[..4],
        ["checkout-api", "chat-rooms", "monolith", "geo-router"]
    );
    assert!(
        matches!(only(session.serve(rest)), Effect::Workers(_, WorkersEffect::Details(worker)) if worker.name == "checkout-api")
    );
}

#[test]
fn walking_over_all_workers_asks_for_details_once_after_the_rest() {
    let mut session = Session::workers(SIZE);
    let mut asked = Vec::new();
    for _ in 0..world::COUNT {
        let rests = session.press("j");
        asked.extend(rests.into_iter().flat_map(|rest| match rest {
            Effect::Workers(id, WorkersEffect::Rest(_)) => [id],
            other => panic!("walking wished for {other:?}"),
        }));
        session.wait(Duration::from_millis(30));
    }
    assert_eq!(session.state.workers.selected, world::COUNT as usize - 1);
    let answers = asked
        .into_iter()
        .map(|id| Effect::Workers(id, WorkersEffect::Rest(Duration::ZERO)));
    let details: Vec<_> = answers.flat_map(|rest| session.serve(rest)).collect();
    assert!(
        matches!(only(details), Effect::Workers(_, WorkersEffect::Details(worker)) if worker.name == session.worker())
    );
}

#[test]
fn details_are_kept_for_a_minute() {
    let mut session = Session::workers(SIZE);
    session.press("j");
    assert!(session.press("k").is_empty(), "they are there");
    session.wait(Duration::from_secs(61));
    session.press("j");
    assert!(matches!(
        only(session.press("k")),
        Effect::Workers(_, WorkersEffect::Rest(..))
    ));
}

#[test]
fn a_filter_narrows_while_it_is_typed_and_a_cancelled_one_leaves_no_trace() {
    let mut session = Session::workers(SIZE);
    session.press("/ \"che\"");
    assert_eq!(shown(&session)[..2], ["checkout-api", "checkout-webhooks"]);
    session.press("down");
    assert_eq!(session.worker(), "checkout-webhooks");
    session.press("enter");
    assert_eq!(
        session.worker(),
        "checkout-webhooks",
        "Enter keeps what was typed and where the user is"
    );
    session.press("/ \"x\" esc");
    assert_eq!(
        session.state.workers.filter, "che",
        "the line is as it was before"
    );
    session.press("esc");
    assert_eq!(shown(&session).len(), world::COUNT as usize);
}

#[test]
fn a_filter_that_fits_nothing_makes_keys_do_nothing() {
    let mut session = Session::workers(SIZE);
    for keys in [
        "/ \"zzzz\"",
        "enter",
        "enter",
        "up",
        "down",
        "pgdn",
        "G",
        "c",
        "y",
        "tab",
        "l",
        "S",
        "S",
    ] {
        session.press(keys);
        assert_eq!(shown(&session), [""; 0]);
        assert_eq!(session.state.workers.selected, 0);
        assert!(session.state.overlays.is_empty(), "{keys}");
    }
    session.press("esc");
    assert_eq!(shown(&session).len(), world::COUNT as usize);
    assert_eq!(session.worker(), "checkout-api");
}

#[test]
fn sorting_goes_through_the_columns_and_turns_around() {
    let mut session = Session::workers(SIZE);
    session.press("s");
    assert_eq!(shown(&session)[0], "geo-router", "by requests");
    session.press("s");
    assert_eq!(shown(&session)[0], "monolith", "by p99");
    session.press("s");
    assert_eq!(shown(&session)[0], "geo-router", "by the part that failed");
    session.press("s");
    assert_eq!(shown(&session)[0], "chat-rooms", "by memory");
    session.press("s");
    assert_eq!(shown(&session)[0], "chat-rooms", "by name");
    session.press("S");
    assert_eq!(shown(&session)[0], "status-page");
    assert_eq!(
        session.worker(),
        "status-page",
        "who sorts looks at what is first"
    );
}

#[test]
fn the_right_pane_is_entered_walked_and_left() {
    let mut session = Session::workers(SIZE);
    session.press("enter j j");
    assert_eq!(session.state.workers.section, Section::Details(2));
    session.press("tab");
    assert_eq!(
        session.state.workers.section,
        Section::Details(4),
        "the objects"
    );
    session.press("tab");
    assert_eq!(
        session.state.workers.section,
        Section::Details(5),
        "the captures"
    );
    let opened = only(session.press("enter"));
    assert!(
        matches!(opened, Effect::Profile(_, ProfileEffect::OpenCapture(capture)) if capture.target().worker == "checkout-api")
    );
    session.press("esc");
    assert_eq!(session.state.workers.section, Section::List);
}

#[test]
fn a_list_that_did_not_come_says_why_and_can_be_asked_for_again() {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let list = first
        .into_iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(id)
            } else {
                None
            }
        })
        .unwrap();
    session.fail(list, FailureKind::List, "No answer from the API.");
    assert_eq!(session.failure_texts().0, "No answer from the API.");
    let again = session.press("R");
    assert!(
        matches!(again[..], [Effect::Workers(id, WorkersEffect::List), Effect::Workers(_, WorkersEffect::Metrics)] if id != list)
    );
    session.answer(
        list,
        flarescope::app::Response::Workers(WorkersResponse::Page {
            rows: world::workers(),
            total: None,
            last: true,
        }),
    );
    assert!(
        matches!(session.state.workers.load, Load::Running(_)),
        "the old request's answer is late"
    );
    assert!(session.state.workers.rows.is_empty());
}

#[test]
fn rows_that_come_late_do_not_move_the_selection_of_one_who_has_moved() {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    let id = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    let mut rows = world::workers();
    let rest = rows.split_off(10);
    let page = |rows, last| {
        flarescope::app::Response::Workers(WorkersResponse::Page {
            rows,
            total: Some(world::COUNT),
            last,
        })
    };
    session.answer(id, page(rows, false));
    session.press("j j");
    let here = session.worker().to_owned();
    session.answer(id, page(rest, true));
    assert_eq!(session.worker(), here);
    let metrics = first
        .into_iter()
        .find(|e| matches!(e, Effect::Workers(_, WorkersEffect::Metrics)))
        .unwrap();
    session.serve(metrics);
    assert_eq!(session.worker(), here);
}
