//! Captures that this screen does not see: of other copies of the program, and those that outlived their screen.

use std::path::PathBuf;
use std::time::Duration;

use flarescope::app::{
    CaptureEffect, CaptureResponse, Effect, Elsewhere, Ended, HistoryEffect, Origin, Overlay,
    RequestId, Response, Stage,
};

use crate::capture::sent;
use crate::session::{Session, ago, only};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

/// A fresh session with the look that its start makes.
fn started() -> (Session, RequestId) {
    let (mut session, first) = Session::fresh(Origin::Cloudflare, SIZE);
    session.looks_elsewhere = true;
    let look = first.iter().find_map(|e| {
        if let Effect::Capture(id, CaptureEffect::LookElsewhere(_)) = e {
            Some(*id)
        } else {
            None
        }
    });
    (session, look.unwrap())
}

fn ended(worker: &str, outcome: Result<PathBuf, String>) -> Ended {
    Ended {
        worker: worker.to_owned(),
        at: ago(12 * 60),
        outcome,
    }
}

fn found(ended: Vec<Ended>) -> Response {
    Response::Capture(CaptureResponse::Elsewhere(Elsewhere {
        ended,
        ..Elsewhere::default()
    }))
}

#[test]
fn the_next_start_says_what_came_after_the_last_one_was_left() {
    let mut wording = wording!();
    let path = PathBuf::from("/cache/x.pprof");
    let (mut session, look) = started();
    let wishes = session.answer(look, found(vec![ended("checkout-api", Ok(path.clone()))]));
    assert!(
        matches!(only(wishes), Effect::History(_, HistoryEffect::List)),
        "the list has it"
    );
    wording.add(session.notice());

    let (mut session, look) = started();
    session.answer(
        look,
        found(vec![ended(
            "checkout-api",
            Err("It was refused.".to_owned()),
        )]),
    );
    wording.add(session.notice());

    let (mut session, look) = started();
    let several = vec![
        ended("a", Ok(path.clone())),
        ended("b", Err("No.".to_owned())),
        ended("c", Ok(path)),
    ];
    session.answer(look, found(several));
    wording.add(session.notice());
}

#[test]
fn captures_of_other_instances_are_looked_at_again_when_it_should_have_ended() {
    let (mut session, look) = started();
    let runs = Elsewhere {
        runs: Some("geo-router".to_owned()),
        until: Some(session.now.wall + Duration::from_secs(20)),
        ..Elsewhere::default()
    };
    let wish = only(session.answer(look, Response::Capture(CaptureResponse::Elsewhere(runs))));
    let Effect::Capture(again, CaptureEffect::LookElsewhere(after)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(after, Duration::from_secs(25));
    assert_eq!(
        session.state.captures.elsewhere.as_deref(),
        Some("geo-router")
    );
    assert!(
        session
            .answer(
                look,
                Response::Capture(CaptureResponse::Elsewhere(Elsewhere::default()))
            )
            .is_empty(),
        "an old answer is dropped"
    );
    assert!(session.state.captures.elsewhere.is_some());
    session.answer(
        again,
        Response::Capture(CaptureResponse::Elsewhere(Elsewhere::default())),
    );
    assert_eq!(session.state.captures.elsewhere, None);
}

#[test]
fn the_countdown_begins_when_the_lock_is_taken() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    session.answer(
        id,
        Response::Capture(CaptureResponse::Queued {
            behind: Some("geo-router".to_owned()),
            at_most: Some(Duration::from_secs(105)),
        }),
    );
    session.wait(Duration::from_secs(40));
    assert!(session.shows("65 s"), "how long it may take at most");
    let running = session.state.captures.running.as_ref().unwrap();
    assert_eq!(
        (running.stage, running.behind.as_deref()),
        (Stage::Waiting, Some("geo-router"))
    );
    session.answer(
        id,
        Response::Capture(CaptureResponse::Stage(Stage::Sampling)),
    );
    let running = session.state.captures.running.as_ref().unwrap();
    assert_eq!(running.left(session.now.instant), Duration::from_secs(10));
    session.answer(
        id,
        Response::Capture(CaptureResponse::Queued {
            behind: None,
            at_most: None,
        }),
    );
    session.press("esc");
    wording.add(session.notice());
}

#[test]
fn the_question_whether_to_leave_can_cancel_or_go_on() {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    assert!(matches!(only(session.press("q x")), Effect::Cancel(cancelled) if cancelled == id));
    assert!(session.state.overlays.is_empty() && session.state.captures.running.is_none());
    let mut session = Session::workers(SIZE);
    sent(&mut session, "c enter");
    assert!(session.press("q b").is_empty());
    assert!(session.state.overlays.is_empty() && session.state.captures.running.is_some());
    assert!(
        session.press("q").is_empty()
            && matches!(session.state.overlays.top(), Some(Overlay::ConfirmQuit))
    );
    assert!(
        matches!(only(session.press("q")), Effect::Quit),
        "without a word to the capture: it goes on"
    );
}
