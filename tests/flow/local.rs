//! A local runtime in place of an account: its isolates, captures from them, and how one is found by chance.

use std::time::Duration;

use flarescope::app::{
    CaptureEffect, Effect, FailureKind, FormField, NextStep, Origin, Overlay, ProfileEffect,
    Screen, WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::Kind;
use flarescope::model::cloudflare::local_runtime::Runtime;

use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

#[test]
fn isolates_are_in_the_list_and_nothing_else_is_asked_for() {
    let mut wording = wording!();
    let mut session = Session::local(SIZE);
    assert_eq!(session.state.workers.rows.len(), 3);
    assert_eq!(
        session.worker(),
        "chat-rooms",
        "by name, as there are no figures"
    );
    for keys in ["j", "j", "/ \"che\" enter", "esc"] {
        assert!(session.press(keys).is_empty(), "{keys}");
        session.wait(Duration::from_secs(1));
    }
    assert!(matches!(
        only(session.press("R")),
        Effect::Workers(_, WorkersEffect::List)
    ));
    session.press("A");
    wording.add(session.notice());
}

#[test]
fn the_form_has_no_version_and_no_object_and_asks_for_none() {
    let mut wording = wording!();
    let mut session = Session::local(SIZE);
    session.press("j c l l h");
    let Some(Overlay::CaptureForm(form)) = session.state.overlays.top() else {
        panic!("no form")
    };
    assert_eq!(
        form.fields(),
        [FormField::Kind, FormField::Window, FormField::Count]
    );
    assert!(!form.meaning().0);
    let Effect::Capture(id, CaptureEffect::Start(request)) = only(session.press("k l enter"))
    else {
        panic!("no capture")
    };
    assert_eq!(
        (request.target.worker.as_str(), request.kind),
        ("checkout-api", Kind::Heap)
    );
    assert_eq!(
        (
            &request.target.version_id,
            &request.target.object,
            request.window
        ),
        (&None, &None, Duration::from_secs(20))
    );
    assert!(
        matches!(session.press("esc").first(), Some(Effect::Cancel(cancelled)) if *cancelled == id)
    );
    wording.add(session.notice());
}

#[test]
fn what_can_not_be_profiled_says_why() {
    let mut wording = wording!();
    let mut session = Session::local(SIZE);
    session.press("G c");
    assert!(session.state.overlays.is_empty());
    wording.add(session.notice());
}

#[test]
fn enter_goes_to_the_captures_and_where_there_are_none_to_the_form() {
    let mut session = Session::local(SIZE);
    session
        .state
        .history
        .captures
        .retain(|capture| capture.provenance.target.worker == "checkout-api");
    session.press("enter");
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::CaptureForm(_))
    ));
    session.press("esc j enter");
    assert!(session.state.overlays.is_empty());
    assert!(matches!(
        only(session.press("enter")),
        Effect::Profile(_, ProfileEffect::OpenCapture(..))
    ));
}

#[test]
fn a_capture_of_a_worker_that_runs_elsewhere_only_can_not_be_taken_again_here() {
    let mut wording = wording!();
    let mut session = Session::local(SIZE);
    session.press("C");
    session
        .state
        .history
        .captures
        .retain(|capture| capture.provenance.target.worker == "monolith");
    session.press("/ \"monolith\" enter c");
    wording.add(session.notice());
}

#[test]
fn a_failed_capture_offers_to_try_again() {
    let mut session = Session::local(SIZE);
    let Effect::Capture(id, CaptureEffect::Start(..)) = only(session.press("c enter")) else {
        panic!("no capture")
    };
    session.fail(
        id,
        FailureKind::Capture,
        "Another client holds the inspector.",
    );
    assert!(matches!(session.failure().step, Some(NextStep::Again(_))));
    assert!(
        matches!(only(session.press("enter")), Effect::Capture(again, CaptureEffect::Start(..)) if again != id)
    );
}

#[test]
fn workers_that_are_gone_leave_the_list() {
    let mut session = Session::local(SIZE);
    let Effect::Workers(id, WorkersEffect::List) = only(session.press("R")) else {
        panic!("no list")
    };
    let mut runtime = world::runtime();
    runtime.isolates.truncate(1);
    session.answer(
        id,
        flarescope::app::Response::Workers(WorkersResponse::Isolates(runtime)),
    );
    assert_eq!(session.state.workers.rows.len(), 1);
    let late = flarescope::app::Response::Workers(WorkersResponse::Isolates(Runtime::default()));
    session.answer(id, late);
    assert_eq!(
        session.state.workers.rows.len(),
        1,
        "a late answer changes nothing"
    );
}

#[test]
fn a_runtime_that_is_found_by_chance_is_offered_at_the_first_start() {
    let (mut session, first) = Session::fresh(Origin::Offline, SIZE);
    let looks = |effect: &Effect| matches!(effect, Effect::Workers(_, WorkersEffect::LookNearby));
    let Some(Effect::Workers(id, WorkersEffect::LookNearby)) = first.into_iter().find(looks) else {
        panic!("nobody looks")
    };
    assert!(session.press("enter").is_empty(), "nothing is offered yet");
    session.answer(
        id,
        flarescope::app::Response::Workers(WorkersResponse::Nearby(Some(world::nearby()))),
    );
    assert_eq!(session.state.screen, Screen::Welcome);
    assert!(matches!(only(session.press("enter")), Effect::UseNearby));

    let (mut session, first) = Session::fresh(Origin::Offline, SIZE);
    let Some(Effect::Workers(id, WorkersEffect::LookNearby)) = first.into_iter().find(looks) else {
        panic!("nobody looks")
    };
    session.answer(
        id,
        flarescope::app::Response::Workers(WorkersResponse::Nearby(None)),
    );
    assert!(session.press("enter").is_empty());

    let (_, with_an_account) = Session::fresh(Origin::Demo, SIZE);
    assert!(!with_an_account.iter().any(looks));
}
