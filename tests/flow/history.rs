//! The captures on disk: groups, order, filter, names and notes, deleting and bringing back, handing on.

use std::path::Path;

use flarescope::app::{
    Action, Effect, ExportEffect, FailureKind, HistoryEffect, HistoryLine, HistoryResponse,
    HistorySort, KeyContext, Overlay, Part, ProfileEffect, ProfileResponse, Response, Screen,
    key_context,
};
use flarescope::model::cloudflare::{Amendment, Capture, Keeping};

use crate::session::{Session, ago, only, opened, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

fn history(size: (u16, u16)) -> Session {
    let mut session = Session::workers(size);
    let list = only(session.press("C"));
    session.serve(list);
    session
}

fn selected(session: &Session) -> &Capture {
    session.state.history.current().unwrap()
}

fn workers(session: &Session) -> Vec<&str> {
    let history = &session.state.history;
    history
        .order
        .iter()
        .map(|at| history.captures[*at].provenance.target.worker.as_str())
        .collect()
}

/// A capture of another Worker's, so many seconds ago.
fn other(worker: &str, seconds: u64) -> Capture {
    let mut capture = world::capture_of("checkout-api.cpu");
    capture.provenance.target.worker = worker.to_owned();
    capture.path = format!("/cache/captures/{worker}-{seconds}.pprof").into();
    capture.provenance.asked_at = ago(seconds);
    capture.provenance.answered_at = ago(seconds);
    capture
}

#[test]
fn captures_are_grouped_by_worker_the_one_captured_last_first() {
    let mut session = history(SIZE);
    session
        .state
        .history
        .captures
        .push(other("geo-router", 300_000));
    session
        .state
        .history
        .captures
        .push(other("checkout-api", 400_000));
    session.press("s S s s s");
    assert_eq!(session.state.history.sort, HistorySort::Worker);
    assert_eq!(
        workers(&session),
        [
            "checkout-api",
            "checkout-api",
            "checkout-api",
            "geo-router",
            "geo-router",
            "hooks-09",
            "monolith"
        ]
    );
    let groups = session
        .state
        .history
        .lines
        .iter()
        .filter_map(|line| match line {
            HistoryLine::Worker(place, count) => Some((*place, *count)),
            _ => None,
        });
    assert_eq!(groups.collect::<Vec<_>>(), [(0, 3), (3, 2), (5, 1), (6, 1)]);
    let ages: Vec<_> = session
        .state
        .history
        .order
        .iter()
        .map(|at| session.state.history.captures[*at].provenance.asked_at)
        .collect();
    assert!(
        ages[..3].is_sorted_by(|one, other| one > other),
        "the newest first inside"
    );
    session.press("s");
    assert_eq!(
        workers(&session)[5..],
        ["geo-router", "checkout-api"],
        "by time the old ones come last"
    );
    assert!(matches!(
        session.state.history.lines[0],
        HistoryLine::Day(_)
    ));
    session.press("s");
    assert_eq!(
        workers(&session)[0],
        "checkout-api",
        "63.7% in one function"
    );
    session.press("s");
    assert_eq!(workers(&session)[0], "geo-router", "4,648 samples");
    session.press("S");
    assert_eq!(
        workers(&session)[0],
        "checkout-api",
        "one that was never read"
    );
}

#[test]
fn the_selection_and_its_heading_stay_in_sight_on_a_small_screen() {
    let mut session = history((80, 24));
    for at in 0..60 {
        session
            .state
            .history
            .captures
            .push(other(&format!("worker-{at:02}"), 300_000 + at));
    }
    session.press("s s s s");
    let rows = 16;
    let seen = |session: &Session| {
        let history = &session.state.history;
        let line = history
            .lines
            .iter()
            .position(|line| *line == HistoryLine::Row(history.selected))
            .unwrap();
        (history.offset..history.offset + rows).contains(&line) && history.offset < line
    };
    for key in ["G", "k k k", "pgup", "g", "j j j j j", "pgdn", "9 9 j"] {
        session.press(key);
        assert!(
            seen(&session),
            "{key}: {} of {}",
            session.state.history.offset,
            session.state.history.lines.len()
        );
    }
    session.press("g");
    assert_eq!(session.state.history.offset, 0, "the first heading too");
}

#[test]
fn the_filter_finds_names_notes_ids_kinds_and_functions() {
    let mut session = history(SIZE);
    session.state.history.captures[2].keeping = Keeping {
        title: Some("after the fix".to_owned()),
        note: Some("Ticket 4711".to_owned()),
        ..Keeping::default()
    };
    for (typed, expected) in [
        ("gerou", vec!["geo-router"]),
        ("fix", vec!["geo-router"]),
        ("ticket 47", vec!["geo-router"]),
        ("heap", vec!["checkout-api"]),
        ("validateaddr", vec!["checkout-api"]),
        ("9e77c0d1", vec!["monolith"]),
        ("nothing like it", vec![]),
    ] {
        session.press(&format!("/ \"{typed}\" enter"));
        assert_eq!(workers(&session), expected, "{typed}");
        session.press("esc");
        assert_eq!(workers(&session).len(), 5);
    }
}

#[test]
fn names_and_notes_are_typed_on_the_message_line() {
    let mut wording = wording!();
    let mut session = history(SIZE);
    session.press("j r");
    assert_eq!(key_context(&session.state), KeyContext::Note);
    let path = selected(&session).path.clone();
    let wish = only(session.press("\"before q\" enter"));
    let Effect::History(id, HistoryEffect::Amend(capture, amendment)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(
        (&capture.path, &amendment),
        (&path, &Amendment::Title(Some("before q".to_owned())))
    );
    let mut named = *capture;
    named.keeping.title = Some("before q".to_owned());
    session.answer(
        id,
        Response::History(HistoryResponse::Amended(Box::new(named), amendment)),
    );
    wording.add(session.notice());
    assert_eq!(
        selected(&session).keeping.title.as_deref(),
        Some("before q")
    );
    assert_eq!(selected(&session).path, path);

    // The line holds what there is; emptied, it takes it away. Escape leaves it.
    session.press("r esc");
    assert!(session.state.input.is_none());
    let wish = only(session.press("r ctrl-u enter"));
    assert!(
        matches!(
            wish,
            Effect::History(_, HistoryEffect::Amend(_, Amendment::Title(None)))
        ),
        "{wish:?}"
    );
    let wish = only(session.press("a \"slow since noon\" enter"));
    assert!(
        matches!(&wish, Effect::History(_, HistoryEffect::Amend(_, Amendment::Note(Some(note)))) if note == "slow since noon"),
        "{wish:?}"
    );
}

#[test]
fn a_pin_is_set_and_taken_away_and_a_refusal_is_reported() {
    let mut wording = wording!();
    let mut session = history(SIZE);
    let wish = only(session.press("p"));
    let Effect::History(id, HistoryEffect::Amend(mut capture, amendment)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(amendment, Amendment::Pinned(true));
    capture.keeping.pinned = true;
    session.answer(
        id,
        Response::History(HistoryResponse::Amended(capture, amendment)),
    );
    wording.add(session.notice());
    let wish = only(session.press("p"));
    let Effect::History(id, HistoryEffect::Amend(_, amendment)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(amendment, Amendment::Pinned(false));
    session.fail(id, FailureKind::File, "It can't be written.");
    assert_eq!(session.notice(), "It can't be written.");
    assert!(selected(&session).keeping.pinned);
}

#[test]
fn a_deleted_capture_leaves_the_list_and_comes_back_selected() {
    let mut wording = wording!();
    let mut session = history(SIZE);
    session.press("space k");
    let path = selected(&session).path.clone();
    let wish = only(session.press("X"));
    let Effect::History(id, HistoryEffect::Delete(capture)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(capture.path, path);
    session.answer(
        id,
        Response::History(HistoryResponse::Deleted(capture.clone(), 7)),
    );
    wording.add(session.notice());
    assert_eq!(
        (workers(&session).len(), session.state.history.marked.len()),
        (4, 0)
    );
    assert!(
        session.state.history.deleted,
        "an empty list says how it comes back"
    );
    session.press("G");
    let wish = only(session.press("u"));
    let Effect::History(id, HistoryEffect::Restore) = wish else {
        panic!("{wish:?}")
    };
    session.answer(
        id,
        Response::History(HistoryResponse::Restored(Some(capture))),
    );
    assert_eq!(
        (workers(&session).len(), &selected(&session).path),
        (5, &path)
    );
    assert!(!session.state.history.deleted);
    let wish = only(session.press("u"));
    let Effect::History(id, HistoryEffect::Restore) = wish else {
        panic!("{wish:?}")
    };
    session.answer(id, Response::History(HistoryResponse::Restored(None)));
    wording.add(session.notice());
}

#[test]
fn a_capture_is_exported_without_leaving_the_history() {
    let mut session = history(SIZE);
    let wish = only(session.press("e"));
    let Effect::Profile(id, ProfileEffect::OpenCapture(capture)) = wish else {
        panic!("{wish:?}")
    };
    let read = opened(
        "recordings/checkout-api.cpu.pprof.gz",
        "checkout-api",
        Some(*capture),
    );
    session.answer(
        id,
        Response::Profile(ProfileResponse::Opened(Box::new(read))),
    );
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::Export(_))
    ));
    assert_eq!(session.state.screen, Screen::History);
    let wish = only(session.press("enter"));
    let Effect::Export(id, ExportEffect::File(job)) = wish else {
        panic!("{wish:?}")
    };
    assert!(
        job.path.to_string_lossy().starts_with("checkout-api"),
        "{}",
        job.path.display()
    );
    session.answer(
        id,
        Response::Exported(Path::new("/home/dana/checkout-api.pprof").into(), None),
    );
    assert_eq!(
        (key_context(&session.state), session.notice().as_str()),
        (
            KeyContext::History,
            "Written: /home/dana/checkout-api.pprof"
        )
    );

    // Whoever went elsewhere meanwhile is not called back.
    let wish = only(session.press("e"));
    let Effect::Profile(id, ProfileEffect::OpenCapture(_)) = wish else {
        panic!("{wish:?}")
    };
    session.press("w");
    session.answer(
        id,
        Response::Profile(ProfileResponse::Opened(Box::new(opened(
            "recordings/checkout-api.cpu.pprof.gz",
            "x",
            None,
        )))),
    );
    assert_eq!(
        (session.state.screen, session.state.overlays.is_empty()),
        (Screen::Workers, true)
    );
    let list = only(session.press("C"));
    session.serve(list);
    let wish = only(session.press("e"));
    let Effect::Profile(id, ProfileEffect::OpenCapture(_)) = wish else {
        panic!("{wish:?}")
    };
    session.fail(id, FailureKind::File, "Its hash is another.");
    assert_eq!(session.failure_texts().0, "Its hash is another.");
}

#[test]
fn nothing_is_done_to_no_capture() {
    let mut session = history(SIZE);
    session.press("/ \"nothing like it\" enter");
    for key in ["r", "a", "p", "X", "e", "d", "enter", "space"] {
        assert!(session.press(key).is_empty(), "{key}");
        assert!(
            session.state.input.is_none() && session.state.overlays.is_empty(),
            "{key}"
        );
    }
}

#[test]
fn marked_captures_open_as_one_and_the_marks_have_served() {
    let mut session = history(SIZE);
    let wish = only(session.press("space j space enter"));
    let Effect::Profile(_, ProfileEffect::OpenMerged(parts)) = wish else {
        panic!("{wish:?}")
    };
    let paths: Vec<_> = parts
        .iter()
        .map(|part| match part {
            Part::Kept(capture) => capture.path.file_name().unwrap().to_str().unwrap(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        paths,
        ["geo-router.cpu.pprof.gz", "checkout-api.cpu.pprof.gz"],
        "the oldest first"
    );
    assert!(session.state.history.marked.is_empty());
    let wish = only(session.press("g space g enter"));
    assert!(
        matches!(wish, Effect::Profile(_, ProfileEffect::OpenCapture(..))),
        "one alone is no several: {wish:?}"
    );
}

#[test]
fn escape_takes_the_filter_away_and_then_the_marks() {
    let mut session = history(SIZE);
    session.press("space space / \"check\" enter");
    session.press("esc");
    assert_eq!(
        (workers(&session).len(), session.state.history.marked.len()),
        (5, 2)
    );
    session.press("esc");
    assert!(session.state.history.marked.is_empty());
    session.press("esc");
    assert_eq!(session.state.screen, Screen::History);
}

#[test]
fn a_click_selects_a_capture_and_a_double_click_opens_it() {
    let mut session = history(SIZE);
    // Title, blank, heading, two rows, blank, heading.
    assert!(session.act(Action::Click(30, 7)).is_empty());
    assert_eq!(selected(&session).provenance.target.worker, "geo-router");
    for y in [2, 5, 30, 39] {
        assert!(session.act(Action::Click(30, y)).is_empty());
        assert_eq!(
            selected(&session).provenance.target.worker,
            "geo-router",
            "row {y} is no capture"
        );
    }
    session.act(Action::Click(30, 4));
    let wish = only(session.act(Action::Click(30, 4)));
    assert!(
        matches!(&wish, Effect::Profile(_, ProfileEffect::OpenCapture(capture)) if capture.path == selected(&session).path),
        "{wish:?}"
    );
}
