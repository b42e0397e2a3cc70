//! Several captures at one wish: in a row, both sides of a gradual deployment, and one after the other.

use std::path::PathBuf;
use std::time::Duration;

use flarescope::app::{
    Action, Aim, Batch, CaptureEffect, CaptureResponse, CompareSide, Effect, Failure, FailureKind,
    FormField, HistoryEffect, NextStep, Overlay, ProfileEffect, Refusal, RequestId, Response,
};
use flarescope::model::cloudflare::Capture;

use crate::capture::{form, sent};
use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// The nth capture of a series, as it lies on the disk.
fn nth(n: usize) -> Capture {
    Capture {
        path: PathBuf::from(format!("/cache/captures/{n}.pprof.gz")),
        ..world::capture_of("checkout-api.cpu")
    }
}

fn keep(session: &mut Session, id: RequestId, n: usize) -> Vec<Effect> {
    session.answer(
        id,
        Response::Capture(CaptureResponse::Kept(Box::new(nth(n)))),
    )
}

/// The capture among the wishes, with the version it is of.
fn next(wishes: &[Effect]) -> (RequestId, String) {
    let captures: Vec<_> = wishes
        .iter()
        .filter_map(|wish| match wish {
            Effect::Capture(id, CaptureEffect::Start(request)) => {
                Some((*id, request.target.version_id.clone().unwrap()))
            }
            _ => None,
        })
        .collect();
    let [one] = captures.as_slice() else {
        panic!("one capture expected: {wishes:?}")
    };
    one.clone()
}

fn series(session: &Session) -> &Batch {
    &session.state.captures.running.as_ref().unwrap().batch
}

fn refuse(session: &mut Session, id: RequestId, retry_after: Option<Duration>) -> Vec<Effect> {
    let failure = Failure {
        refusal: Some(if retry_after.is_some() {
            Refusal::TooMany
        } else {
            Refusal::NotStarted
        }),
        retry_after,
        hint: Some("From the server.".into()),
        ..Failure::new(FailureKind::Capture, "It was refused.")
    };
    session.act(Action::Done(id, Err(failure)))
}

#[test]
fn plus_and_minus_count_from_one_to_nine() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press("c");
    assert_eq!(form(&session).count, 1);
    session.press("- -");
    assert_eq!(form(&session).count, 1);
    session.press("+ + + + + + + + + + + +");
    assert_eq!(form(&session).count, 9);
    session.press("- - G");
    assert_eq!(
        (form(&session).count, form(&session).field),
        (7, FormField::Count),
        "the last line"
    );
    session.press("h h h h l");
    assert_eq!(form(&session).count, 4);
    wording.add(crate::capture::advice(&session).last().unwrap());
}

#[test]
fn captures_in_a_row_are_sent_one_after_the_other_and_each_is_kept() {
    let mut session = Session::workers(SIZE);
    let (first, request) = sent(&mut session, "c + + enter");
    assert_eq!(series(&session).place(), Some((1, 3)));
    session.wait(Duration::from_secs(12));
    let wishes = keep(&mut session, first, 1);
    let (second, version) = next(&wishes);
    assert_eq!(
        (wishes.len(), Some(version)),
        (1, request.target.version_id)
    );
    assert_eq!(series(&session).place(), Some((2, 3)));
    let left = session
        .state
        .captures
        .running
        .as_ref()
        .unwrap()
        .left(session.now.instant);
    assert_eq!(left, Duration::from_secs(10), "a window of its own");
    let (third, _) = next(&keep(&mut session, second, 2));
    assert!(
        keep(&mut session, first, 1).is_empty(),
        "an old answer moves nothing"
    );
    let wishes = keep(&mut session, third, 3);
    assert!(session.state.captures.running.is_none() && session.state.overlays.is_empty());
    let opening = wishes.iter().find_map(|wish| match wish {
        Effect::Profile(id, ProfileEffect::OpenMerged(parts)) => Some((*id, parts.len())),
        _ => None,
    });
    assert_eq!(
        opening,
        Some((session.state.profiles.opening.unwrap(), 3)),
        "they are opened as one"
    );
    let listed = session
        .state
        .history
        .captures
        .iter()
        .map(|c| c.path.clone())
        .take(3)
        .collect::<Vec<_>>();
    assert_eq!(
        listed,
        [nth(3).path, nth(2).path, nth(1).path],
        "and in the history"
    );
}

#[test]
fn in_the_background_a_row_goes_on_and_only_its_end_is_reported() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (first, _) = sent(&mut session, "c + enter b");
    let (second, _) = next(&keep(&mut session, first, 1));
    assert!(
        session.state.overlays.is_empty(),
        "nothing comes to the front"
    );
    assert!(matches!(
        only(keep(&mut session, second, 2)),
        Effect::History(_, HistoryEffect::List)
    ));
    wording.add(session.notice());
}

#[test]
fn a_failure_in_the_middle_keeps_what_is_there_and_offers_it() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (first, request) = sent(&mut session, "c + + enter");
    let (second, _) = next(&keep(&mut session, first, 1));
    refuse(&mut session, second, None);
    let (_, hint, offer) = session.failure_texts();
    wording.add(hint.unwrap());
    let step = &session.failure().step;
    assert!(matches!(step, Some(NextStep::OpenKept(_))));
    wording.add(offer.unwrap());
    // R goes on where it stopped.
    let (again, same) = sent(&mut session, "R");
    assert_eq!((same, series(&session).place()), (request, Some((2, 3))));
    let (third, _) = next(&keep(&mut session, again, 2));
    refuse(&mut session, third, None);
    wording.add(session.failure_texts().1.unwrap());
    session.press("enter");
    assert!(session.state.profiles.opening.is_some() && session.state.overlays.is_empty());
}

#[test]
fn cancelling_a_row_says_what_is_kept() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (first, _) = sent(&mut session, "c + + enter");
    let (second, _) = next(&keep(&mut session, first, 1));
    assert!(matches!(only(session.press("esc")), Effect::Cancel(id) if id == second));
    wording.add(session.notice());
    assert!(session.state.captures.running.is_none());
}

#[test]
fn both_sides_of_a_gradual_deployment_are_captured_and_compared_the_larger_as_the_base() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press("c j j j l");
    assert_eq!(
        (form(&session).field, form(&session).both),
        (FormField::Sides, true)
    );
    wording.add(crate::capture::advice(&session).join("\n"));
    let (first, request) = sent(&mut session, "enter");
    assert_eq!(
        (request.target.version_id.as_deref(), series(&session).aim),
        (Some(world::SERVING), Aim::Compare)
    );
    let (second, version) = next(&keep(&mut session, first, 1));
    assert_eq!(version, world::OLD);
    let wishes = keep(&mut session, second, 2);
    let job = wishes
        .iter()
        .find_map(|wish| {
            if let Effect::Profile(_, ProfileEffect::Compare(job)) = wish {
                Some(job)
            } else {
                None
            }
        })
        .unwrap();
    let path = |side: &CompareSide| match side {
        CompareSide::Kept(capture) => capture.path.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (path(&job.base), path(&job.new)),
        (nth(1).path, nth(2).path)
    );
}

#[test]
fn both_sides_are_offered_only_where_two_versions_serve_and_no_object_is_chosen() {
    let mut session = Session::workers(SIZE);
    session.press("c");
    assert!(form(&session).fields().contains(&FormField::Sides));
    session.press("j j j l k l");
    assert!(
        !form(&session).both && !form(&session).fields().contains(&FormField::Sides),
        "an object runs one version"
    );
    session.press("esc j");
    let rest = only(session.press("j"));
    let details = only(session.serve(rest));
    session.serve(details);
    session.press("c");
    assert!(!form(&session).fields().contains(&FormField::Sides));
}

#[test]
fn another_version_or_v_takes_both_sides_back() {
    for keys in ["k k l", "v"] {
        let mut session = Session::workers(SIZE);
        session.press("c j j j l");
        session.press(keys);
        assert!(!form(&session).both, "{keys}");
    }
}

#[test]
fn a_second_target_waits_in_sight_and_is_sent_when_the_first_is_done() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (first, _) = sent(&mut session, "c enter b");
    let rest = only(session.press("j"));
    let details = only(session.serve(rest));
    session.serve(details);
    assert!(session.press("c enter").is_empty(), "nothing is sent");
    assert_eq!(session.state.captures.waiting.len(), 1);
    wording.add(session.notice());
    let wishes = keep(&mut session, first, 1);
    next(&wishes);
    assert_eq!(
        session
            .state
            .captures
            .running
            .as_ref()
            .unwrap()
            .request
            .target
            .worker,
        "chat-rooms"
    );
    assert!(session.state.captures.waiting.is_empty() && session.state.overlays.is_empty());
}

#[test]
fn what_waits_is_sent_after_a_cancel_and_after_a_failure() {
    for cancels in [true, false] {
        let mut session = Session::workers(SIZE);
        let (first, _) = sent(&mut session, "c enter b");
        session
            .state
            .captures
            .waiting
            .push_back(series(&session).clone());
        let wishes = if cancels {
            session.press("ctrl-c")
        } else {
            refuse(&mut session, first, None)
        };
        next(&wishes);
        assert!(session.state.captures.waiting.is_empty());
    }
}

#[test]
fn what_waits_leaves_a_server_alone_that_wants_it() {
    let mut session = Session::workers(SIZE);
    let (first, _) = sent(&mut session, "c enter b");
    session
        .state
        .captures
        .waiting
        .push_back(series(&session).clone());
    assert!(refuse(&mut session, first, Some(Duration::from_secs(20))).is_empty());
    session.wait(Duration::from_secs(19));
    assert!(session.act(Action::Tick).is_empty());
    session.wait(Duration::from_secs(2));
    next(&session.act(Action::Tick));
    assert!(
        matches!(session.state.overlays.top(), Some(Overlay::Failure(_))),
        "the failure is still to be read"
    );
}
