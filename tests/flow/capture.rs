//! Captures: the form, the countdown, how they end, and what else can be done meanwhile.

use std::time::Duration;

use flarescope::app::{
    CaptureEffect, CaptureForm, CaptureResponse, Effect, FailureKind, FormField, HistoryEffect,
    Overlay, ProfileEffect, ProfileResponse, RequestId, Response, Screen, Stage,
};
use flarescope::model::cloudflare::{CaptureRequest, Kind, Metrics};

use crate::session::{Session, only, world};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);
/// What the form says of its choices.
pub(crate) fn advice(session: &Session) -> Vec<String> {
    let (_, lines) = form(session).meaning();
    lines.iter().map(|line| session.text(line)).collect()
}

pub(crate) fn form(session: &Session) -> &CaptureForm {
    match session.state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => form,
        other => panic!("no form in front but {other:?}"),
    }
}

/// Presses the keys that send a capture.
pub(crate) fn sent(session: &mut Session, script: &str) -> (RequestId, CaptureRequest) {
    match only(session.press(script)) {
        Effect::Capture(id, CaptureEffect::Start(request)) => (id, *request),
        other => panic!("no capture was sent but {other:?}"),
    }
}

/// The capture is on the disk; hands on what follows.
pub(crate) fn kept(session: &mut Session, id: RequestId) -> Vec<Effect> {
    session.answer(
        id,
        Response::Capture(CaptureResponse::Kept(Box::new(world::capture_of(
            "checkout-api.cpu",
        )))),
    )
}

/// Serves the wish to open it.
fn opened(session: &mut Session, wishes: Vec<Effect>) -> Vec<Effect> {
    let open = wishes.iter().find_map(|wish| {
        if let Effect::Profile(id, ProfileEffect::OpenCapture(_)) = wish {
            Some(*id)
        } else {
            None
        }
    });
    session.answer(
        open.unwrap(),
        Response::Profile(ProfileResponse::Opened(Box::new(world::opened_capture(
            "checkout-api.cpu",
        )))),
    )
}

#[test]
fn the_form_opens_on_the_serving_version_and_its_fields_are_changed_by_keys() {
    let mut session = Session::workers(SIZE);
    session.press("c");
    assert_eq!(form(&session).chosen().unwrap().id, world::SERVING);
    assert_eq!(
        (form(&session).field, form(&session).length()),
        (FormField::Window, Duration::from_secs(10))
    );
    session.press("l k l");
    let (_, request) = sent(&mut session, "enter");
    let expected = CaptureRequest {
        kind: Kind::Heap,
        window: Duration::from_secs(20),
        ..request.clone()
    };
    assert_eq!(request, expected);
    assert_eq!(
        (
            request.target.worker.as_str(),
            request.target.version_id.as_deref(),
            request.target.object,
            request.find_object,
        ),
        ("checkout-api", Some(world::SERVING), None, None)
    );
}

#[test]
fn values_end_at_both_ends_and_tab_goes_round() {
    let mut session = Session::workers(SIZE);
    session.press("c 9 h");
    assert_eq!(
        form(&session).length(),
        Duration::from_secs(5),
        "a count does not multiply a choice"
    );
    session.press("h h h h");
    assert_eq!(form(&session).length(), Duration::from_secs(1));
    session.press("l l l l l l l");
    assert_eq!(form(&session).length(), Duration::from_secs(50));
    let start = form(&session).field;
    session.press("tab tab tab tab tab tab");
    assert_eq!(
        form(&session).field,
        start,
        "six lines while no class is chosen"
    );
    session.press("k k k k k");
    assert_eq!(form(&session).field, FormField::Kind);
}

#[test]
fn a_version_without_traffic_is_warned_of_and_v_takes_the_serving_one() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press("c j l l");
    assert_eq!(form(&session).chosen().unwrap().id, world::LATEST);
    assert!(form(&session).meaning().0);
    wording.add(advice(&session).join("\n"));
    session.press("v");
    assert_eq!(form(&session).chosen().unwrap().id, world::SERVING);
    assert!(!form(&session).meaning().0);
}

#[test]
fn a_form_that_was_sent_too_early_takes_its_complaint_back_when_the_versions_come() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press("/ \"chat\" enter");
    let asked = only(session.press("c"));
    assert!(session.press("enter").is_empty());
    wording.add(session.text(form(&session).complaint.as_ref().unwrap()));
    session.serve(asked);
    assert_eq!(form(&session).complaint, None);
    sent(&mut session, "enter");
}

#[test]
fn the_selected_version_of_the_pane_is_the_form_s() {
    let mut session = Session::workers(SIZE);
    session.press("enter j c");
    assert_eq!(form(&session).chosen().unwrap().id, world::OLD);
}

#[test]
fn a_class_offers_its_busiest_object_pinned_to_its_own_version() {
    let mut session = Session::workers(SIZE);
    session.press("c j j l");
    assert_eq!(form(&session).object.text, "cart:8812");
    let (_, request) = sent(&mut session, "tab enter");
    let object = request.target.object.unwrap();
    assert_eq!(
        (object.object_id.len(), object.name.as_deref()),
        (64, Some("cart:8812"))
    );
    assert_eq!(
        request.target.version_id.as_deref(),
        Some(world::OLD),
        "this object's isolate runs that version"
    );
}

#[test]
fn an_id_of_63_digits_is_counted_and_one_more_is_sent() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let almost = "ab".repeat(31) + "c";
    session.press("enter tab c");
    assert_eq!(
        form(&session).field,
        FormField::Object,
        "the class was chosen in the pane"
    );
    session.press(&format!("ctrl-u \"{almost}\""));
    assert!(session.press("enter").is_empty());
    wording.add(session.text(form(&session).complaint.as_ref().unwrap()));
    let (_, request) = sent(&mut session, "d enter");
    assert_eq!(request.target.object.unwrap().object_id, almost + "d");
}

#[test]
fn a_name_that_is_not_among_the_busiest_is_looked_for() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let wish = only(session.press("enter tab c ctrl-u \"cart:9\" enter"));
    let Effect::Capture(_, CaptureEffect::Start(request)) = wish else {
        panic!("{wish:?}")
    };
    assert_eq!(request.target.object, None);
    assert_eq!(request.find_object.unwrap().1, "cart:9");
    let mut session = Session::workers(SIZE);
    assert!(session.press("enter tab c ctrl-u enter").is_empty());
    wording.add(session.text(form(&session).complaint.as_ref().unwrap()));
}

#[test]
fn metrics_on_the_screen_are_kept_with_the_capture_and_those_of_an_object_do_not_stand_for_it() {
    let metrics = |wish| {
        if let Effect::Capture(_, CaptureEffect::Start(request)) = wish {
            request.target.metrics
        } else {
            panic!("{wish:?}")
        }
    };
    let mut session = Session::workers(SIZE);
    let shown = session.state.workers.current().unwrap().metrics;
    assert!(shown.is_some_and(|metrics| metrics.cpu_p99_us > 0.0));
    assert_eq!(
        metrics(only(session.press("c enter"))),
        shown,
        "the Worker's, where a version has none of its own"
    );
    let mut session = Session::workers(SIZE);
    assert_eq!(
        metrics(only(session.press("enter tab c enter"))),
        None,
        "an object's requests are not the Worker's"
    );
}

#[test]
fn memory_near_its_limit_proposes_the_heap_and_says_why() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let near = Metrics {
        memory_p99: Some(121.4e6),
        ..session.state.workers.current().unwrap().metrics.unwrap()
    };
    let name = session.worker().to_owned();
    let at = session
        .state
        .workers
        .rows
        .iter()
        .position(|worker| worker.name == name)
        .unwrap();
    session.state.workers.rows[at].metrics = Some(near);
    session.press("c");
    assert_eq!(form(&session).kind, Kind::Heap);
    wording.lines(&session.screen(), "121");
    session.press("k h");
    assert_eq!(form(&session).kind, Kind::Cpu, "a proposal, no more");
    wording.lines(&session.screen(), "121");
    session.press("esc");
    session.state.workers.rows[at].metrics = Some(Metrics {
        memory_p99: Some(40e6),
        exceeded: 7,
        ..near
    });
    session.press("c");
    assert_eq!(form(&session).kind, Kind::Cpu);
    wording.add(advice(&session).join("\n"));
}

#[test]
fn letters_of_commands_are_text_in_the_object_s_field() {
    let mut session = Session::workers(SIZE);
    session.press("enter tab c ctrl-u q v ? : x 5 space j");
    assert_eq!(form(&session).object.text, "qv?:x5 j");
    session.press("ctrl-w backspace backspace left delete");
    assert_eq!(form(&session).object.text, "qv?:");
    session.press("esc");
    assert!(session.state.overlays.is_empty());
}

#[test]
fn a_capture_goes_through_its_stages_and_opens() {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    let left = |session: &Session| {
        session
            .state
            .captures
            .running
            .as_ref()
            .unwrap()
            .left(session.now.instant)
    };
    assert_eq!(left(&session), Duration::from_secs(10));
    session.wait(Duration::from_millis(5_800));
    assert_eq!(left(&session), Duration::from_millis(4_200));
    session.wait(Duration::from_secs(5));
    assert_eq!(left(&session), Duration::ZERO);
    let running = session.state.captures.running.clone().unwrap();
    assert_eq!(
        running.waited(session.now.instant),
        Duration::from_millis(800)
    );
    session.answer(id, Response::Capture(CaptureResponse::Stage(Stage::OnDisk)));
    assert_eq!(
        session.state.captures.running.as_ref().unwrap().stage,
        Stage::OnDisk
    );
    let before = session.state.history.captures.len();
    let wishes = kept(&mut session, id);
    assert_eq!(
        session.state.history.captures.len(),
        before,
        "a capture of the same path is not listed twice"
    );
    assert!(session.state.captures.running.is_none());
    assert!(matches!(
        only(opened(&mut session, wishes)),
        Effect::History(_, HistoryEffect::List)
    ));
    assert_eq!(session.state.screen, Screen::Profile);
    assert!(session.state.captures.running.is_none() && session.state.overlays.is_empty());
    assert_eq!(
        session.selected(),
        "validateAddress",
        "on the heaviest function"
    );
}

#[test]
fn esc_cancels_and_answers_of_the_cancelled_one_are_dropped() {
    let mut wording = wording!();
    for keys in ["esc", "x", "ctrl-c"] {
        let mut session = Session::workers(SIZE);
        let (id, _) = sent(&mut session, "c enter");
        assert!(
            matches!(only(session.press(keys)), Effect::Cancel(cancelled) if cancelled == id),
            "{keys}"
        );
        assert!(session.state.captures.running.is_none() && session.state.overlays.is_empty());

        wording.add(session.notice());
        assert!(kept(&mut session, id).is_empty());
        session.answer(id, Response::Capture(CaptureResponse::Stage(Stage::OnDisk)));
        assert_eq!(
            session.state.screen,
            Screen::Workers,
            "a late answer changes nothing"
        );
        assert!(session.state.profile.is_none() && session.state.captures.running.is_none());
    }
}

#[test]
fn the_first_ctrl_c_cancels_and_the_next_leaves() {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    let wishes = session.press("ctrl-c ctrl-c");
    assert!(
        matches!(wishes[..], [Effect::Cancel(cancelled), Effect::Quit] if cancelled == id),
        "{wishes:?}"
    );
}

#[test]
fn ctrl_c_takes_a_line_away_before_it_leaves() {
    let mut session = Session::workers(SIZE);
    assert!(session.press("/ \"abc\" ctrl-c").is_empty());
    assert!(session.state.input.is_none());
    assert!(matches!(only(session.press("ctrl-c")), Effect::Quit));
}

#[test]
fn leaving_while_a_capture_runs_is_asked_for() {
    let mut session = Session::workers(SIZE);
    sent(&mut session, "c enter");
    assert!(session.press("q").is_empty());
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::ConfirmQuit)
    ));
    assert!(
        session.press("esc").is_empty(),
        "Esc stays, and the capture runs on"
    );
    assert!(
        session.state.captures.running.is_some()
            && matches!(session.state.overlays.top(), Some(Overlay::CaptureProgress))
    );
    assert!(matches!(only(session.press("q q")), Effect::Quit));
}

#[test]
fn staying_brings_back_what_was_in_front_of_the_question() {
    let mut session = Session::workers(SIZE);
    sent(&mut session, "c enter b");
    session.press("q esc");
    assert!(
        session.state.overlays.is_empty(),
        "the countdown was not on the screen, so a second Esc must not cancel"
    );
    assert!(session.press("esc").is_empty());
    assert!(session.state.captures.running.is_some());
}

#[test]
fn esc_never_leaves() {
    for keys in ["", "c", "c j", "/", "?", ":", "T", "enter", "C", "o"] {
        let mut session = Session::workers(SIZE);
        session.press(keys);
        assert!(session.press("esc esc esc esc esc").is_empty(), "{keys}");
    }
}

#[test]
fn one_works_on_while_it_captures_and_is_reported_when_it_is_there() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    session.press("b j j / \"geo\"");
    assert!(session.state.captures.running.is_some());
    assert!(
        matches!(
            only(kept(&mut session, id)),
            Effect::History(_, HistoryEffect::List)
        ),
        "it is not opened"
    );
    assert_eq!(
        session.state.screen,
        Screen::Workers,
        "nobody's hands are taken off the keys"
    );
    assert_eq!(session.state.input.as_ref().unwrap().text, "geo");
    wording.add(session.notice());
}

#[test]
fn the_same_key_brings_the_countdown_back() {
    let mut session = Session::workers(SIZE);
    sent(&mut session, "c enter");
    assert!(session.press("b c").is_empty(), "nothing is sent");
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::CaptureProgress)
    ));
}

#[test]
fn any_other_failure_offers_the_same_again_and_a_way_back() {
    let mut session = Session::workers(SIZE);
    let (id, request) = sent(&mut session, "c enter");
    session.fail(id, FailureKind::List, "The answer was cut short.");
    assert!(session.state.captures.running.is_none());
    assert!(
        matches!(only(session.press("y")), Effect::Copy(_, text) if text == "The answer was cut short.")
    );
    for keys in ["enter", "R"] {
        let (next, again) = sent(&mut session, keys);
        assert!(next != id && again == request);
        session.fail(next, FailureKind::List, "The answer was cut short.");
    }
    session.press("backspace");
    assert!(session.state.overlays.is_empty());
}

#[test]
fn what_is_looked_for_in_the_help_goes_with_the_capture_that_is_cancelled() {
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    session.press("? / \"sort\"");
    assert!(matches!(only(session.press("ctrl-c")), Effect::Cancel(cancelled) if cancelled == id));
    assert!(session.state.overlays.is_empty() && session.state.input.is_none());
}

#[test]
fn a_failure_in_the_background_does_not_take_the_screen() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    let (id, _) = sent(&mut session, "c enter");
    session.press("b ?");
    session.fail(id, FailureKind::Capture, "It was refused.");
    assert!(matches!(
        session.state.overlays.top(),
        Some(Overlay::Help(_))
    ));
    wording.add(session.notice());
}

#[test]
fn sort_and_selection_outlive_another_capture_of_the_same_worker() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("tab s s s S j j j");
    let row = session.table_row();
    let (sort, reverse) = (
        session.profile().table.sort,
        session.profile().table.reverse,
    );
    // One capture is asked for, not both versions.
    session.state.profile.as_mut().unwrap().headline.lacks_base = false;
    let (id, _) = sent(&mut session, "c enter");
    let wishes = kept(&mut session, id);
    opened(&mut session, wishes);
    assert_eq!(
        (
            session.profile().table.sort,
            session.profile().table.reverse
        ),
        (sort, reverse)
    );
    assert_eq!(session.table_row(), row);
}

#[test]
fn what_can_t_be_captured_is_reported() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.press("G");
    session.press("/ \"img-63\" enter c");
    wording.add(session.notice());
    let mut session = Session::of_file("cases/a11-narrow.pb", SIZE);
    session.press("c");
    wording.add(session.notice());
    assert!(session.state.overlays.is_empty());
}
