//! Every documented refusal of a capture: its own words, and a next step that leads on.

use std::time::Duration;

use flarescope::app::{
    Action, CaptureEffect, Effect, Failure, FailureKind, NextStep, Overlay, Refusal, Screen,
    WorkersEffect,
};
use flarescope::model::cloudflare::Kind;

use crate::capture::{form, sent};
use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// A session whose capture was refused so.
fn refused(keys: &str, refusal: Refusal, retry_after: Option<Duration>) -> Session {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, keys);
    let failure = Failure {
        refusal: Some(refusal),
        retry_after,
        ..Failure::new(FailureKind::List, "The server's words.")
    };
    session.act(Action::Done(id, Err(failure)));
    session
}

fn offer(session: &Session) -> String {
    session.failure_texts().2.unwrap()
}

fn hint(session: &Session) -> String {
    session.failure_texts().1.unwrap()
}

#[test]
fn a_version_without_traffic_leads_to_the_serving_one() {
    let mut wording = wording!();
    let mut session = refused("c k l j j l l enter", Refusal::NoTraffic, None);
    wording.add(session.failure_texts().0);
    wording.add(hint(&session));
    assert!(matches!(
        session.failure().step,
        Some(NextStep::ServingVersion(_))
    ));
    wording.add(offer(&session));
    session.press("enter");
    assert_eq!(form(&session).chosen().unwrap().id, world::SERVING);
    assert_eq!(
        (form(&session).kind, form(&session).length()),
        (Kind::Heap, Duration::from_secs(10))
    );
    sent(&mut session, "enter");
}

#[test]
fn a_serving_version_without_traffic_can_be_waited_for() {
    let mut wording = wording!();
    for refusal in [Refusal::NoTraffic, Refusal::NoIsolate] {
        let mut session = refused("c enter", refusal, None);
        wording.add(offer(&session));
        assert!(matches!(
            only(session.press("enter")),
            Effect::Capture(_, CaptureEffect::LookForTraffic(..))
        ));
        assert!(matches!(
            session.state.overlays.top(),
            Some(Overlay::TrafficWait)
        ));
    }
    let session = refused("c enter", Refusal::NoTraffic, None);
    // 412 requests a second, 90% of them, for 15 minutes.
    let hint = hint(&session);
    assert!(hint.contains("333,720"), "{hint}");
    wording.add(hint);
}

#[test]
fn an_object_without_traffic_is_named_with_the_version_it_was_asked_on() {
    let mut wording = wording!();
    let session = refused("c j j l tab enter", Refusal::NoTraffic, None);
    let message = session.failure_texts().0;
    assert!(
        message.contains("cart:8812") && message.contains("51d0b7aa"),
        "{message}"
    );
    wording.add(message);
    wording.add(hint(&session));
}

#[test]
fn what_can_t_be_profiled_leads_to_other_workers() {
    let mut wording = wording!();
    for refusal in [
        Refusal::Unavailable,
        Refusal::Unsupported,
        Refusal::NoWorker,
    ] {
        let mut session = refused("c enter", refusal, None);
        wording.add(offer(&session));
        assert!(session.press("enter").is_empty());
        assert!(session.state.overlays.is_empty() && session.state.screen == Screen::Workers);
    }
    let session = refused("c enter", Refusal::Unavailable, None);
    wording.add(hint(&session));
}

#[test]
fn a_missing_right_names_the_permission_and_the_account() {
    let mut wording = wording!();
    let mut session = refused("c enter", Refusal::NotAllowed, None);
    let hint = hint(&session);
    wording.add(hint);
    wording.add(offer(&session));
    sent(&mut session, "enter");
}

#[test]
fn what_is_gone_or_took_too_long_leads_back_to_the_form_with_the_same_choices() {
    let mut wording = wording!();
    for refusal in [Refusal::NoVersion, Refusal::NoObject, Refusal::TimedOut] {
        let mut session = refused("c l l k l enter", refusal, None);
        wording.add(offer(&session));
        session.press("enter");
        assert_eq!(
            (form(&session).kind, form(&session).length()),
            (Kind::Heap, Duration::from_secs(50))
        );
    }
    let mut session = refused("c j j l tab enter", Refusal::NoObject, None);
    session.press("enter");
    assert_eq!(
        (form(&session).class, form(&session).object.text.as_str()),
        (1, "cart:8812")
    );
}

#[test]
fn retry_after_is_counted_down_and_then_offered_never_sent_by_itself() {
    let mut wording = wording!();
    let mut session = refused("c enter", Refusal::TooMany, Some(Duration::from_secs(30)));
    wording.add(offer(&session));
    assert_eq!(
        session.failure().pause(session.now.instant),
        Some(Duration::from_secs(30))
    );
    assert!(session.state.is_counting());
    for keys in ["enter", "R"] {
        session.wait(Duration::from_millis(9_400));
        assert!(session.press(keys).is_empty(), "{keys} sends nothing yet");
        session.failure();
    }
    wording.add(session.notice());
    for _ in 0..60 {
        session.wait(Duration::from_millis(250));
        assert!(
            session.act(Action::Tick).is_empty(),
            "nothing is sent by time alone"
        );
    }
    assert_eq!(session.failure().until, None);
    assert!(
        !session.state.is_counting(),
        "no timer runs when nothing moves"
    );
    sent(&mut session, "enter");
}

#[test]
fn a_list_that_met_a_limit_is_counted_down_as_well() {
    use flarescope::app::Origin;
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
    let failure = Failure {
        refusal: Some(Refusal::TooMany),
        retry_after: Some(Duration::from_secs(300)),
        ..Failure::new(FailureKind::List, "No more calls.")
    };
    session.act(Action::Done(id, Err(failure)));
    assert!(session.press("enter").is_empty());
    session.wait(Duration::from_secs(301));
    session.act(Action::Tick);
    assert!(
        session
            .press("enter")
            .iter()
            .any(|wish| matches!(wish, Effect::Workers(_, WorkersEffect::List)))
    );
}
