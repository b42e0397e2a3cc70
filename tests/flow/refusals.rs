//! Every documented refusal of a capture: its own words, and a next step that leads on.

use std::time::Duration;

use flarescope::app::{Action, Effect, Failure, FailureKind, Front, NextStep, Refusal, Screen};
use flarescope::model::cloudflare::Kind;

use crate::capture::{form, sent};
use crate::session::{Session, only, world};

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

fn offer(session: &Session) -> &str {
    session.failure().step.as_ref().unwrap().offer()
}

#[test]
fn a_version_without_traffic_leads_to_the_serving_one() {
    let mut session = refused("c k l j j l l enter", Refusal::NoTraffic, None);
    let failure = session.failure();
    assert_eq!(
        failure.message,
        "Cloudflare found no recent executions of this version."
    );
    let hint = "9e77c0d1 (v129) serves 0 % of the traffic: it is not deployed. Nothing was lost.";
    assert_eq!(failure.hint.as_deref(), Some(hint));
    let offer = "take 7c1f2a9e, which serves 90 %".to_owned();
    assert_eq!(failure.step, Some(NextStep::ServingVersion { offer }));
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
    for refusal in [Refusal::NoTraffic, Refusal::NoIsolate] {
        let mut session = refused("c enter", refusal, None);
        assert_eq!(offer(&session), "wait for traffic, then send it once");
        assert!(matches!(
            only(session.press("enter")),
            Effect::LookForTraffic(..)
        ));
        assert!(matches!(session.state.front, Some(Front::Awaiting)));
    }
    let session = refused("c enter", Refusal::NoTraffic, None);
    // 412 requests a second, 90 % of them, for 15 minutes.
    let hint = "Analytics count about 333,720 requests in the last 15 min, but it has none now.";
    assert_eq!(session.failure().hint.as_deref(), Some(hint));
}

#[test]
fn an_object_without_traffic_is_named_with_the_version_it_was_asked_on() {
    let session = refused("c j j l tab enter", Refusal::NoTraffic, None);
    let message = "Cloudflare found no recent executions of cart:8812 on 51d0b7aa.";
    assert_eq!(session.failure().message, message);
    let hint = "An object has to be active, and on this very version, while it is captured.";
    assert_eq!(session.failure().hint.as_deref(), Some(hint));
}

#[test]
fn what_can_t_be_profiled_leads_to_other_workers() {
    for refusal in [
        Refusal::Unavailable,
        Refusal::Unsupported,
        Refusal::NoWorker,
    ] {
        let mut session = refused("c enter", refusal, None);
        assert_eq!(offer(&session), "choose another Worker", "{refusal:?}");
        assert!(session.press("enter").is_empty());
        assert!(session.state.front.is_none() && session.state.screen == Screen::Workers);
    }
    let session = refused("c enter", Refusal::Unavailable, None);
    assert!(
        session
            .failure()
            .hint
            .as_ref()
            .unwrap()
            .contains("enabled for acme-prod")
    );
}

#[test]
fn a_missing_right_names_the_permission_and_the_account() {
    let mut session = refused("c enter", Refusal::NotAllowed, None);
    let hint = session.failure().hint.clone().unwrap();
    assert!(
        hint.starts_with(
            "Grant the token Workers Scripts Read on acme-prod (4c1de0a55f0f4ef6a3c9d1b2e3f40516)."
        ),
        "{hint}"
    );
    assert_eq!(offer(&session), "try again, once it is granted");
    sent(&mut session, "enter");
}

#[test]
fn what_is_gone_or_took_too_long_leads_back_to_the_form_with_the_same_choices() {
    for (refusal, words) in [
        (Refusal::NoVersion, "choose another version"),
        (Refusal::NoObject, "choose another object"),
        (Refusal::TimedOut, "choose a shorter window"),
    ] {
        let mut session = refused("c l l k l enter", refusal, None);
        assert_eq!(offer(&session), words);
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
    let mut session = refused("c enter", Refusal::TooMany, Some(Duration::from_secs(30)));
    assert_eq!(offer(&session), "send it again");
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
    assert_eq!(session.notice(), "Not yet: it may be sent again in 12 s.");
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
            if let Effect::ListWorkers(id) = e {
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
            .any(|wish| matches!(wish, Effect::ListWorkers(_)))
    );
}
