//! Where cursors stand, what small windows show and do, and what the last row and the message line say of it.

use flarescope::app::{
    Action, CaptureEffect, CaptureResponse, Effect, Failure, FailureKind, FormField, Key,
    KeyContext, Load, Overlay, ProfileEffect, ProfileResponse, Refusal, Response, Retry, Screen,
    Section, interpret, key_context,
};
use flarescope::model::cloudflare::Kind;

use crate::session::{Session, ago, only, world};
use crate::wording::wording;

const LEAST: (u16, u16) = (60, 15);
const LOW: (u16, u16) = (80, 24);
const HIGH: (u16, u16) = (120, 40);

fn footer(session: &Session) -> String {
    let keys = flarescope::app::footer_of(&session.state);
    keys.iter()
        .map(|row| format!("{} {}", row.keys, row.label))
        .collect::<Vec<_>>()
        .join("  ")
}

fn rows(session: &Session) -> Vec<String> {
    session.screen().lines().map(str::to_owned).collect()
}

#[test]
fn in_the_smallest_window_the_pane_takes_the_place_of_the_list_while_it_has_the_focus() {
    let mut wording = wording!();
    let mut session = Session::workers(LEAST);
    assert!(!session.shows("7c1f2a9e"), "there is no room for both");
    for keys in ["enter", "tab", "l"] {
        session.press(keys);
        assert!(
            matches!(session.state.workers.section, Section::Details(0)),
            "{keys}"
        );
        assert!(session.shows("▸7c1f2a9e"), "{keys}: {}", session.screen());
        assert!(!session.shows("edge-metrics"), "{keys}");
        session.press("esc");
        assert!(session.shows("edge-metrics"), "{keys}");
    }
    // The version that a capture would be of is seen.
    session.press("enter j");
    let row = rows(&session)
        .into_iter()
        .find(|row| row.contains("51d0b7aa"))
        .unwrap();
    wording.add(&row);
    assert!(row.contains("▸51d0b7aa"), "{row}");
    // What is filtered is the list.
    session.press("/");
    assert!(session.shows("edge-metrics"), "{}", session.screen());
}

#[test]
fn behind_the_line_that_asks_for_a_larger_window_keys_only_leave() {
    for size in [(40, 10), (20, 6), (59, 40), (120, 14), (1, 1)] {
        let mut session = Session::workers(size);
        for key in [
            "c", "enter", "c enter", "/", "j", "tab", "C", "o", "5", "?", ":",
        ] {
            assert!(session.press(key).is_empty(), "{key}");
        }
        for action in [
            Action::Paste("a".repeat(64)),
            Action::Click(3, 3),
            Action::Type('c'),
        ] {
            assert!(session.act(action).is_empty());
        }
        session.act(Action::Resize(80, 24));
        assert_eq!(key_context(&session.state), KeyContext::Workers);
        assert_eq!(
            (session.worker(), session.state.keys.count),
            ("checkout-api", None)
        );
        session.act(Action::Resize(size.0, size.1));
        assert!(matches!(session.press("q")[..], [Effect::Quit]));
    }
    // Also where a line was open.
    let mut session = Session::workers(LOW);
    session.press("/ \"che\"");
    session.act(Action::Resize(40, 10));
    assert!(interpret(&session.state, Key::Char('x')).is_none());
    assert!(matches!(session.press("q")[..], [Effect::Quit]));
}

#[test]
fn that_line_fits_every_window_and_says_that_a_capture_runs() {
    let mut wording = wording!();
    for (size, wanted) in [
        ((52, 12), "60×15"),
        ((40, 10), "60×15"),
        ((20, 6), "60×15"),
        ((12, 2), "60×15"),
        ((5, 1), "60×15"),
    ] {
        let session = Session::workers(size);
        let text = session.screen();
        assert!(text.contains(wanted), "{size:?}: {text}");
        assert!(!text.contains('…'));
    }
    let session = Session::workers((40, 10));
    let words = session
        .screen()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    wording.add(words);
    let mut session = Session::workers(LOW);
    session.press("c enter");
    session.act(Action::Resize(40, 10));
    assert!(session.press("q").is_empty());
    wording.add(
        session
            .screen()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    );
    assert!(matches!(session.press("q")[..], [Effect::Quit]));
}

#[test]
fn the_history_opens_on_the_capture_just_made_else_the_open_one_else_the_newest() {
    let name = |session: &Session| {
        session
            .state
            .history
            .current()
            .unwrap()
            .path
            .file_name()
            .unwrap()
            .to_owned()
    };
    let mut session = Session::workers(HIGH);
    let list = only(session.press("C"));
    session.serve(list);
    assert_eq!(name(&session), "checkout-api.cpu.pprof.gz", "the newest");
    session.press("G");
    assert_eq!(name(&session), "monolith.cpu.pprof.gz");
    let Effect::Profile(id, ProfileEffect::OpenCapture(capture)) = only(session.press("enter"))
    else {
        panic!()
    };
    let mut opened = world::opened_capture("monolith.cpu");
    opened.source.capture = Some(*capture);
    session.answer(
        id,
        Response::Profile(ProfileResponse::Opened(Box::new(opened))),
    );
    session.press("w");
    session.press("C");
    assert_eq!(name(&session), "monolith.cpu.pprof.gz", "the open one");
    session.press("k w c enter");
    let running = session.state.captures.running.as_ref().unwrap().id;
    session.press("b");
    let mut made = world::capture_of("geo-router.cpu");
    made.path = "/cache/captures/new.pprof.gz".into();
    made.provenance.answered_at = ago(1);
    session.answer(
        running,
        Response::Capture(CaptureResponse::Kept(Box::new(made))),
    );
    session.press("C");
    assert_eq!(name(&session), "new.pprof.gz", "the one just made");
    session.press("j");
    let here = name(&session);
    session.press("C");
    assert_eq!(name(&session), here, "who is there already stays");
}

#[test]
fn the_last_row_says_what_enter_opens() {
    let mut wording = wording!();
    let mut session = Session::workers(HIGH);
    wording.add(footer(&session));
    session.press("enter");
    wording.add(footer(&session));
    session.press("tab");
    wording.add(footer(&session));
    session.press("tab");
    wording.add(footer(&session));
    session.press("C space");
    wording.add(footer(&session));
    session.press("space k k k");
    wording.add(footer(&session));
    session.press("esc");
    wording.add(footer(&session));
    assert!(matches!(
        only(session.press("enter")),
        Effect::Profile(_, ProfileEffect::OpenCapture(..))
    ));
}

#[test]
fn sorting_goes_to_the_first_row_and_rows_above_are_reported() {
    let mut wording = wording!();
    let mut session = Session::workers(HIGH);
    session.press("G");
    assert!(session.shows("▴ "), "{}", session.screen());
    let offset = session.state.workers.offset;
    let head = rows(&session)[2].clone();
    assert!(head.contains(&format!("▴ {offset} ")), "{head}");
    wording.add(head);
    session.press("s");
    assert_eq!(
        (session.state.workers.selected, session.state.workers.offset),
        (0, 0)
    );
    assert_eq!(session.worker(), "geo-router");
    assert!(!session.shows("▴ "));

    let list = only(session.press("C"));
    session.serve(list);
    session.press("G s");
    assert_eq!(
        (session.state.history.selected, session.state.history.offset),
        (0, 0)
    );

    let mut session = Session::captured("monolith.cpu", LOW);
    session.press("tab G");
    let offset = session.profile().table.offset;
    assert!(
        offset > 0 && session.shows(&format!("▴ {offset} ")),
        "{}",
        session.screen()
    );
    session.press("s");
    assert_eq!(
        (
            session.profile().table.selected,
            session.profile().table.offset
        ),
        (0, 0)
    );
    assert!(!session.shows("▴ "), "{}", session.screen());
    assert_eq!(
        session.selected(),
        session.table_row(),
        "both panes speak of one function"
    );
}

#[test]
fn lists_to_choose_from_and_the_help_tell_what_is_above() {
    let mut session = Session::workers(LOW);
    session.press(": up");
    assert!(!session.shows("▴ "));
    session.press(&"down ".repeat(40));
    assert!(session.shows("▴ "), "{}", session.screen());
    let mut session = Session::workers(LEAST);
    session.press("? G");
    assert!(session.shows("▴ "), "{}", session.screen());
    let mut session = Session::workers(LEAST);
    let list = only(session.press("C"));
    session.serve(list);
    session.press("G");
    let lines = &session.state.history.lines[..session.state.history.offset];
    let above = lines
        .iter()
        .filter(|line| matches!(line, flarescope::app::HistoryLine::Row(_)))
        .count();
    assert_eq!(
        above > 0,
        session.shows(&format!("▴ {above} ")),
        "{}",
        session.screen()
    );
}

#[test]
fn a_hint_that_takes_several_lines_is_reported_whole_with_one_cursor() {
    let mut session = Session::captured("checkout-api.cpu", LEAST);
    session.press("H");
    let screen = session.screen();
    let sheet = &screen[screen.find("\n 1 ").unwrap()..];
    assert_eq!(sheet.matches('▸').count(), 1, "{screen}");
    assert!(!sheet.contains('…'), "{screen}");
}

#[test]
fn choosing_another_object_leads_to_its_field_with_what_was_typed() {
    let mut session = Session::workers(HIGH);
    session.press("tab tab enter");
    let wishes = session.press("\"cart:none\" enter");
    wishes.into_iter().for_each(drop);
    let Effect::Capture(id, CaptureEffect::Start(..)) = only(session.press("enter")) else {
        panic!()
    };
    let failure = Failure {
        refusal: Some(Refusal::NoObject),
        ..Failure::new(FailureKind::Capture, "No object is called that.")
    };
    session.act(Action::Done(id, Err(failure)));
    session.press("enter");
    let Some(Overlay::CaptureForm(form)) = session.state.overlays.top() else {
        panic!("{:?}", session.state.overlays.top())
    };
    assert_eq!(
        (form.field, form.class, form.object.text.as_str()),
        (FormField::Object, 1, "cart:none")
    );
    assert_eq!(form.kind, Kind::Cpu);
}

#[test]
fn a_regular_expression_that_is_not_finished_leaves_what_was_typed() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", LOW);
    session.press("/ tab tab \"parse(\"");
    let rows = rows(&session);
    assert!(rows[22].starts_with(" /parse(▏"), "{}", session.screen());
    let told = rows[21].trim().to_owned();
    wording.add(&told);
    assert!(!told.contains('…'), "{told}");
    assert!(!session.shows("␊"));
    session.press("\"Cart)\"");
    assert!(
        session.shows("/parse(Cart)▏") && !session.shows(&told),
        "{}",
        session.screen()
    );
}

#[test]
fn a_search_that_was_kept_is_reported_with_the_ways_on() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", LOW);
    let all = session.profile().table.rows.len();
    session.press("/ \"price\" enter");
    let line = rows(&session)[22].clone();
    assert!(line.contains(&format!(" {all} ")), "{line}");
    wording.add(&line);
    wording.add(footer(&session));
    let kept = footer(&session);
    session.press("esc");
    assert!(rows(&session)[22] != line && footer(&session) != kept);
}

#[test]
fn a_filter_says_how_it_is_taken_out_and_one_that_can_not_be_set_says_why() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", LOW);
    for key in ["f", "x", "i", "F"] {
        session.press("g");
        session.press(key);
        wording.add(session.notice());
        assert!(session.profile().view.filters.is_empty());
    }
    session.press("j");
    let before = footer(&session);
    session.press("f");
    wording.add(footer(&session));
    assert_eq!(
        session.notice(),
        "",
        "the hint of what is left is not covered"
    );
    session.press("U");
    assert_eq!(footer(&session), before);
}

#[test]
fn esc_in_a_line_does_what_the_last_row_says() {
    let mut wording = wording!();
    let mut session = Session::workers(LOW);
    session.press("/ \"che\"");
    wording.add(footer(&session));
    session.press("enter / ctrl-u");
    wording.add(footer(&session));
    session.press("esc");
    assert_eq!(session.state.workers.filter, "che");
    let list = only(session.press("C"));
    session.serve(list);
    session.press("a");
    wording.add(footer(&session));
    session.press("esc");
    session.state.history.captures[0].keeping.note = Some("look at the map".to_owned());
    session.press("a ctrl-u");
    wording.add(footer(&session));
}

#[test]
fn the_line_for_a_file_counts_no_workers_and_keeps_a_path_that_was_wrong() {
    let mut wording = wording!();
    let mut session = Session::workers(LOW);
    session.press("o");
    wording.add(rows(&session)[22].trim());
    let Effect::Profile(id, ProfileEffect::OpenFile(_)) =
        only(session.press("\"/tmp/no-such.pb.gz\" enter"))
    else {
        panic!()
    };
    let mut failure = Failure::new(FailureKind::File, "There is no such file.");
    failure.retry = Some(Retry::File("/tmp/no-such.pb.gz".into()));
    session.act(Action::Done(id, Err(failure)));
    session.press("enter");
    assert_eq!(
        session
            .state
            .input
            .as_ref()
            .map(|input| input.text.as_str()),
        Some("/tmp/no-such.pb.gz")
    );
    assert_eq!(session.state.screen, Screen::Workers);
    assert!(matches!(session.state.workers.load, Load::Ready(())));
}
