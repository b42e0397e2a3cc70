//! Waiting for traffic: gently, in sight, given up by a key, and one capture when it comes.

use std::time::{Duration, SystemTime};

use flarescope::app::{
    Action, CaptureEffect, CaptureResponse, Effect, Failure, FailureKind, Overlay, Refusal,
    RequestId, Response,
};
use flarescope::model::cloudflare::Target;

use crate::capture::sent;
use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// A session that waits, with the look that is under way.
fn waiting() -> (Session, RequestId) {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    let failure = Failure {
        refusal: Some(Refusal::NoTraffic),
        ..Failure::new(FailureKind::Capture, "No recent executions.")
    };
    session.act(Action::Done(id, Err(failure)));
    let wishes = session.press("enter");
    let (look, ..) = looks(&wishes);
    (session, look)
}

fn looks(wishes: &[Effect]) -> (RequestId, Target, SystemTime) {
    let [Effect::Capture(id, CaptureEffect::LookForTraffic(after, target, since))] = wishes else {
        panic!("one look expected: {wishes:?}")
    };
    assert!(*after >= Duration::from_secs(30), "analytics are shared");
    (*id, (**target).clone(), *since)
}

#[test]
fn it_looks_each_half_minute_and_sends_once() {
    let (mut session, mut look) = waiting();
    for _ in 0..3 {
        session.wait(Duration::from_secs(31));
        let wishes = session.answer(look, Response::Capture(CaptureResponse::Traffic(0)));
        let (next, target, since) = looks(&wishes);
        assert_eq!(
            (target.worker.as_str(), target.version_id.as_deref()),
            ("checkout-api", Some(world::SERVING))
        );
        assert!(
            since <= session.now.wall - Duration::from_secs(31),
            "the time since it was refused counts"
        );
        look = next;
    }
    assert_eq!(
        session.state.captures.traffic_wait.as_ref().unwrap().looks,
        3
    );
    let wish = only(session.answer(look, Response::Capture(CaptureResponse::Traffic(7))));
    let Effect::Capture(id, CaptureEffect::Start(..)) = wish else {
        panic!("{wish:?}")
    };
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::CaptureProgress)
    ));
    assert!(session.state.captures.traffic_wait.is_none());
    assert!(
        session
            .answer(look, Response::Capture(CaptureResponse::Traffic(9)))
            .is_empty(),
        "only once"
    );
    // Refused again, it is the user who decides.
    let failure = Failure {
        refusal: Some(Refusal::NoTraffic),
        ..Failure::new(FailureKind::Capture, "None.")
    };
    assert!(session.act(Action::Done(id, Err(failure))).is_empty());
    assert!(session.state.captures.traffic_wait.is_none());
}

#[test]
fn esc_x_and_ctrl_c_give_it_up() {
    for keys in ["esc", "x", "ctrl-c"] {
        let (mut session, look) = waiting();
        assert!(
            matches!(only(session.press(keys)), Effect::Cancel(id) if id == look),
            "{keys}"
        );
        assert!(session.state.overlays.is_empty() && session.state.captures.traffic_wait.is_none());
        assert!(
            session
                .answer(look, Response::Capture(CaptureResponse::Traffic(7)))
                .is_empty(),
            "nothing is sent any more"
        );
    }
}

#[test]
fn one_works_on_while_it_waits_and_it_captures_in_the_background() {
    let mut wording = wording!();
    let (mut session, look) = waiting();
    session.press("b j j");
    assert!(session.state.overlays.is_empty() && session.state.captures.traffic_wait.is_some());
    assert!(
        !session.state.is_counting(),
        "a chip that stands still needs no timer"
    );
    assert!(matches!(
        only(session.answer(look, Response::Capture(CaptureResponse::Traffic(1)))),
        Effect::Capture(_, CaptureEffect::Start(..))
    ));
    assert!(session.state.overlays.is_empty());
    wording.add(session.notice());
}

#[test]
fn the_same_key_brings_it_back() {
    let (mut session, _) = waiting();
    session.press("b c");
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::TrafficWait)
    ));
}

#[test]
fn a_look_that_fails_is_reported_and_the_next_one_is_made() {
    let (mut session, look) = waiting();
    let wishes = session.fail(look, FailureKind::Capture, "The answer was cut short.");
    looks(&wishes);
    assert_eq!(
        session
            .state
            .captures
            .traffic_wait
            .as_ref()
            .unwrap()
            .trouble,
        Some("The answer was cut short.".to_owned().into())
    );
}

#[test]
fn the_next_look_waits_for_the_pause_that_the_server_asked_for() {
    let (mut session, look) = waiting();
    let pause = Duration::from_secs(300);
    let failure = Failure {
        retry_after: Some(pause),
        ..Failure::new(FailureKind::Capture, "Rate limited.")
    };
    let before = session.now.instant;
    let effects = session.act(Action::Done(look, Err(failure)));
    let [Effect::Capture(_, CaptureEffect::LookForTraffic(after, ..))] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(after, pause);
    assert!(session.state.captures.traffic_wait.unwrap().next >= before + pause);
}

#[test]
fn without_the_right_to_look_there_is_nothing_to_wait_for() {
    let mut wording = wording!();
    let (mut session, look) = waiting();
    let failure = Failure {
        refusal: Some(Refusal::NotAllowed),
        ..Failure::new(FailureKind::Capture, "The token may not.")
    };
    assert!(session.act(Action::Done(look, Err(failure))).is_empty());
    wording.add(session.failure_texts().1.unwrap());
    sent(&mut session, "enter");
}
