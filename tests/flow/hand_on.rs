//! Exports, copies, files, themes, the palette, and what is pasted.

use flarescope::app::{
    Action, Command, Effect, ExportDialog, ExportEffect, ExportJob, FailureKind, Format, Origin,
    Overlay, ProfileEffect, ProfileResponse, Response, Screen,
};

use crate::session::{Session, only};
use crate::wording::wording;

const SIZE: (u16, u16) = (120, 40);

fn dialog(session: &Session) -> &ExportDialog {
    match session.state.overlays.top() {
        Some(Overlay::Export(dialog)) => dialog,
        other => panic!("no export in front but {other:?}"),
    }
}

fn job(session: &mut Session, keys: &str) -> (flarescope::app::RequestId, ExportJob) {
    match only(session.press(keys)) {
        Effect::Export(id, ExportEffect::File(job)) => (id, *job),
        other => panic!("no export but {other:?}"),
    }
}

#[test]
fn an_export_proposes_a_name_and_writes_the_view() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    session.press("f enter e");
    assert_eq!(
        dialog(&session).path.text,
        "checkout-api-7c1f2a9e-cpu10s-20261130T031225Z.pprof"
    );
    session.press("l");
    assert_eq!(
        dialog(&session).path.text,
        "checkout-api-7c1f2a9e-cpu10s-20261130T031225Z.svg"
    );
    session.press("space");
    assert_eq!(
        dialog(&session).path.text,
        "checkout-api-7c1f2a9e-cpu10s-20261130T031225Z-whole.svg"
    );
    session.press("space");
    let (id, job) = job(&mut session, "enter");
    assert_eq!(
        (job.format, job.whole, job.overwrite),
        (Format::Svg, false, false)
    );
    assert_eq!(
        (job.view.filters.len(), job.root),
        (1, session.profile().zoom)
    );
    session.answer(id, Response::Exported(job.path, None));
    wording.add(session.notice());
    assert!(session.state.overlays.is_empty());
}

#[test]
fn every_format_that_can_hold_the_view_is_offered() {
    let names = |session: &Session| {
        dialog(session)
            .formats
            .iter()
            .map(|format| format.name())
            .collect::<Vec<_>>()
    };
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e");
    let times = [
        "pprof",
        "svg",
        "folded",
        "speedscope",
        "cpuprofile",
        "json",
        "markdown",
        "report",
        "text",
    ];
    let screens = ["screen", "screen.ansi", "screen.svg"];
    assert_eq!(names(&session), [&times[..], &screens].concat());
    let mut session = Session::captured("checkout-api.heap", SIZE);
    session.press("e");
    assert!(names(&session).contains(&"heapprofile") && !names(&session).contains(&"cpuprofile"));
}

#[test]
fn of_a_comparison_what_changed_is_written() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.compare();
    session.press("j enter e");
    let names: Vec<&str> = dialog(&session)
        .formats
        .iter()
        .map(|format| format.name())
        .collect();
    // The others hold no values below zero.
    let changes = [
        "pprof",
        "svg",
        "folded",
        "json",
        "markdown",
        "report",
        "text",
        "screen",
        "screen.ansi",
        "screen.svg",
    ];
    assert_eq!(names, changes);
    wording.add(dialog(&session).purpose());
    let (zoom, shown) = (
        session.profile().zoom,
        session.profile().compare.as_ref().unwrap().width(),
    );
    let (_, job) = job(&mut session, "enter");
    let name = "checkout-api-7c1f2a9e-cpu10s-20261130T031225Z-compared.pprof";
    assert_eq!((job.path.to_str(), job.root), (Some(name), zoom));
    let compared = job.compared.unwrap();
    let compare = session.profile().compare.as_ref().unwrap();
    assert_eq!(
        (compared.base.target(), compared.wanted.1),
        (compare.base.target(), shown)
    );
    assert!(std::sync::Arc::ptr_eq(
        &compared.comparison,
        &compare.comparison
    ));
}

#[test]
fn pseudonyms_leave_the_target_s_name_out_of_the_file_s() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e j j l");
    assert!(dialog(&session).anonymous);
    assert_eq!(
        dialog(&session).path.text,
        "profile-cpu-20261130T031225Z.pprof"
    );
    let (_, job) = job(&mut session, "enter");
    assert!(job.anonymous);
}

#[test]
fn a_picture_of_the_screen_is_wished_for_as_it_is_without_the_sheet() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e l l l l l l l l l l l");
    assert_eq!(dialog(&session).chosen(), Format::ScreenSvg);
    let Effect::Export(id, ExportEffect::Screenshot(picture)) = only(session.press("enter")) else {
        panic!("no picture")
    };
    assert_eq!(
        picture.path.to_str(),
        Some("checkout-api-7c1f2a9e-cpu10s-20261130T031225Z.screen.svg")
    );
    assert!(!session.state.overlays.is_empty());
    assert!(
        session
            .state
            .without_overlays(|state| state.overlays.is_empty())
    );
    assert!(
        !session.state.overlays.is_empty(),
        "the sheet stays until the file is there"
    );
    session.answer(id, Response::Exists(picture.path));
    let Effect::Export(_, ExportEffect::Screenshot(again)) = only(session.press("enter")) else {
        panic!("no picture")
    };
    assert!(again.overwrite);
}

#[test]
fn a_file_that_is_there_is_asked_about_once_more() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let (id, first) = job(&mut session, "e enter");
    assert!(!first.overwrite);
    session.answer(id, Response::Exists(first.path.clone()));
    assert!(dialog(&session).exists);
    let (_, second) = job(&mut session, "enter");
    assert!(second.overwrite);
    session.press("shift-tab backspace");
    assert!(!dialog(&session).exists, "another name is another file");
    session.press("esc");
    assert!(session.state.overlays.is_empty());
}

#[test]
fn a_typed_name_is_kept_over_another_format_and_an_empty_one_is_asked_for() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e k ctrl-u");
    assert!(session.press("enter").is_empty());
    session.press("\"a q.pb\" tab l l");
    assert_eq!(dialog(&session).path.text, "a q.pb");
    let (id, job) = job(&mut session, "enter");
    assert_eq!(
        (job.format, job.path.to_str()),
        (Format::Folded, Some("a q.pb"))
    );
    session.fail(id, FailureKind::File, "No room is left.");
    assert_eq!(session.failure_texts().0, "No room is left.");
    // Reading the keys between them costs nothing of what was chosen.
    session.press("? esc");
    assert_eq!(session.failure_texts().0, "No room is left.");
    session.press("esc");
    assert_eq!(dialog(&session).path.text, "a q.pb");
}

#[test]
fn an_export_while_another_view_is_read_writes_what_is_shown() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    let now = session.now;
    flarescope::app::update(
        &mut session.state,
        Action::Run(flarescope::app::Command::Focus),
        now,
    );
    let (_, job) = job(&mut session, "e enter");
    assert_eq!(
        job.view.filters.len(),
        0,
        "the filter is not on the screen yet"
    );
}

#[test]
fn pasted_control_characters_never_enter_a_line() {
    let mut session = Session::workers(SIZE);
    session.act(Action::Paste("j\u{1b}[31mq\r".to_owned()));
    assert_eq!(session.worker(), "checkout-api", "a paste presses no keys");
    session.press("/");
    session.act(Action::Paste(
        "che\u{1b}]52;c;eA==\u{7}\r\nck\u{9b}2J".to_owned(),
    ));
    assert_eq!(
        session.state.input.as_ref().unwrap().text,
        "che]52;c;eA==ck2J"
    );
    session.act(Action::Paste("x".repeat(1 << 20)));
    assert!(
        session.state.input.as_ref().unwrap().text.len() < 5_000,
        "a file by mistake"
    );
}

#[test]
fn names_and_stacks_are_copied() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    assert!(matches!(only(session.press("y")), Effect::Copy(_, name) if name == "parseCart"));
    let Effect::Copy(id, stack) = only(session.act(Action::Run(Command::CopyStack))) else {
        panic!()
    };
    assert_eq!(stack.lines().last(), Some("parseCart"));
    assert_eq!(
        stack.lines().count() as u32,
        session
            .profile()
            .reading
            .tree
            .depth(session.profile().selected_node())
    );
    session.answer(id, Response::Copied("Copied.".into()));
    assert_eq!(session.notice(), "Copied.");
}

#[test]
fn a_typed_file_is_opened_and_a_broken_one_says_so() {
    let mut session = Session::fresh(Origin::Offline, SIZE).0;
    assert!(session.press("o enter").is_empty(), "no name, no file");
    let Effect::Profile(id, ProfileEffect::OpenFile(path)) =
        only(session.press("o \"  /tmp/a b.pb \" enter"))
    else {
        panic!()
    };
    assert_eq!(path.to_str(), Some("/tmp/a b.pb"));
    session.press("o x");
    session.fail(id, FailureKind::File, "It is no profile.");
    assert_eq!(session.failure_texts().0, "It is no profile.");
    session.press("esc esc");
    assert!(session.state.overlays.is_empty() && session.state.input.is_none());
    assert_eq!(session.state.screen, Screen::Welcome);
}

#[test]
fn a_file_replaces_what_is_open_and_the_history_is_one_key_away() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let Effect::Profile(id, ProfileEffect::OpenFile(_)) =
        only(session.press("o \"other.pb\" enter"))
    else {
        panic!()
    };
    let other = crate::session::opened("cases/a11-narrow.pb", "other.pb", None);
    session.answer(
        id,
        Response::Profile(ProfileResponse::Opened(Box::new(other))),
    );
    assert_eq!(session.profile().source.name, "other.pb");
    session.press("C");
    assert_eq!(session.state.screen, Screen::History);
}

#[test]
fn themes_are_shown_while_they_are_chosen_and_dropped_by_every_way_out() {
    let mut wording = wording!();
    for keys in ["esc", "backspace", "w", "C", ":", "?", "o"] {
        let mut session = Session::workers(SIZE);
        session.press("T j j");
        assert_eq!(session.state.theme.name, "high-contrast");
        session.press(keys);
        assert_eq!(session.state.theme.name, "ember", "left by {keys}");
    }
    let mut session = Session::workers(SIZE);
    let wishes = session.press("T j enter");
    assert_eq!(session.state.theme.name, "daylight");
    assert!(matches!(only(wishes), Effect::RememberTheme(_, name) if name == "daylight"));
    wording.add(session.notice());
    // What the user has written down stands.
    session.state.theme.said_by = Some("config.toml:3".to_owned());
    assert!(session.press("T j enter").is_empty());
    wording.add(session.notice());
}

#[test]
fn the_palette_finds_commands_of_the_place_and_runs_them() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press(": \"fold rec\" enter");
    assert!(session.profile().view.fold_recursion);
    session.press(": \"start demo\"");
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!()
    };
    let demo = flarescope::app::PickerItem::Command(flarescope::app::Command::StartDemo);
    assert_eq!(
        picker.items.first(),
        Some(&demo),
        "it does nothing here, and is found all the same"
    );
    session.press("esc");
    assert!(session.state.overlays.is_empty() && session.state.input.is_none());
    assert!(matches!(
        only(session.press(": \"quit\" enter")),
        Effect::Quit
    ));
}

#[test]
fn the_keys_shown_are_those_of_what_is_in_front_and_closing_them_leads_back_there() {
    let mut session = Session::workers(SIZE);
    session.press("c l ?");
    let form = flarescope::app::KeyContext::Form;
    assert_eq!(flarescope::app::help_context(&session.state), form);
    session.press("esc");
    assert!(
        matches!(session.state.overlays.top(), Some(Overlay::CaptureForm(form)) if form.window == 3),
        "and nothing is lost"
    );
}

#[test]
fn the_history_is_filtered_sorted_and_opened() {
    let mut session = Session::workers(SIZE);
    let list = only(session.press("C"));
    session.serve(list);
    assert_eq!(session.state.history.order.len(), 5);
    session.press("/ \"geo\" enter");
    assert_eq!(
        session
            .state
            .history
            .current()
            .unwrap()
            .provenance
            .target
            .worker,
        "geo-router"
    );
    assert!(
        matches!(only(session.press("enter")), Effect::Profile(_, ProfileEffect::OpenCapture(c)) if c.target().worker == "geo-router")
    );
    session.press("esc s s");
    assert_eq!(session.state.history.order.len(), 5);
    let share = |at: usize| {
        let history = &session.state.history;
        let summary = history.captures[history.order[at]].summary.as_ref();
        summary
            .and_then(|s| s.top.as_ref().map(|(_, v)| *v as f64 / s.total as f64))
            .unwrap_or(0.0)
    };
    assert!(
        (1..5).all(|at| share(at) <= share(at - 1)),
        "the largest share first"
    );
    session.press("w");
    assert_eq!(session.state.screen, Screen::Workers);
}

/// A line in which a path is typed, asked for what fits; answers what the runtime is asked.
fn complete(session: &mut Session, keys: &str) -> (flarescope::app::RequestId, String) {
    match only(session.press(keys)) {
        Effect::CompletePath(id, typed) => (id, typed),
        other => panic!("nothing is completed but {other:?}"),
    }
}

fn fits(session: &mut Session, asked: (flarescope::app::RequestId, String), names: &[&str]) {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    session.answer(asked.0, Response::Paths(asked.1, names));
}

#[test]
fn a_path_is_completed_as_far_as_it_is_certain_and_the_rest_is_offered() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    for open in ["o", "m"] {
        session.press(open);
        let asked = complete(&mut session, "\"~/di\" tab");
        assert_eq!(asked.1, "~/di");
        fits(&mut session, asked, &["dist/"]);
        let line = |session: &Session| session.state.input.clone().unwrap();
        assert_eq!(
            (line(&session).text.as_str(), line(&session).offers),
            ("~/dist/", None)
        );
        let asked = complete(&mut session, "\"w\" tab");
        fits(&mut session, asked, &["worker.js", "worker.js.map"]);
        assert_eq!(line(&session).text, "~/dist/worker.js");
        let offers = line(&session).offers.unwrap();
        assert_eq!(offers.names.len(), 2);
        wording.add(offers.count());
        session.press("\".\"");
        assert_eq!(
            line(&session).offers,
            None,
            "what was offered is offered no more"
        );
        let asked = complete(&mut session, "tab");
        fits(&mut session, asked, &["worker.js.map"]);
        assert_eq!(line(&session).text, "~/dist/worker.js.map");
        let asked = complete(&mut session, "\"x\" tab");
        fits(&mut session, asked, &[]);
        assert_eq!(line(&session).text, "~/dist/worker.js.mapx");
        wording.add(line(&session).offers.unwrap().count());
        session.press("esc");
    }
}

#[test]
fn what_comes_too_late_for_a_path_is_dropped() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("o");
    let (id, typed) = complete(&mut session, "\"a\" tab");
    session.press("\"b\"");
    session.answer(id, Response::Paths(typed, vec!["apple".to_owned()]));
    assert_eq!(session.state.input.as_ref().unwrap().text, "ab");
    let (id, typed) = complete(&mut session, "tab");
    session.press("esc");
    session.answer(id, Response::Paths(typed, vec!["abc".to_owned()]));
    assert!(session.state.input.is_none());
    // Only what stands before the cursor is completed; what stands behind it stays.
    session.press("o");
    let asked = complete(&mut session, "\"a/z\" left tab");
    assert_eq!(asked.1, "a/");
    fits(&mut session, asked, &["b/"]);
    assert_eq!(session.state.input.as_ref().unwrap().text, "a/b/z");
}

#[test]
fn an_ending_of_another_format_chooses_that_before_anything_is_written() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let named = |session: &mut Session, name: &str| {
        // The format that was written last is offered again: here each name is typed over the first one.
        session.press("esc e h h h h h h h h h h h h tab tab tab ctrl-u");
        session.press(&format!("\"{name}\" enter"))
    };
    assert!(named(&mut session, "x.svg").is_empty());
    assert_eq!(dialog(&session).chosen(), Format::Svg);
    wording.add(session.notice());
    assert_eq!(job(&mut session, "enter").1.format, Format::Svg);
    assert!(named(&mut session, "x.heapprofile").is_empty());
    wording.add(session.notice());
    for (name, format) in [
        ("x.pb.gz", Format::Pprof),
        ("x", Format::Pprof),
        ("x.PPROF", Format::Pprof),
    ] {
        let Effect::Export(_, ExportEffect::File(job)) = only(named(&mut session, name)) else {
            panic!("{name} is written")
        };
        assert_eq!(job.format, format, "{name}");
    }
}

#[test]
fn a_folder_that_was_made_for_an_export_is_reported() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e");
    let (id, job) = job(&mut session, "enter");
    session.answer(
        id,
        Response::Exported(job.path, Some("/home/dana/new".into())),
    );
    wording.add(session.notice());
}

#[test]
fn the_palette_begins_with_what_is_for_this_place() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press(":");
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!()
    };
    let at = |wanted| {
        let is = |item: &flarescope::app::PickerItem| {
            *item == flarescope::app::PickerItem::Command(wanted)
        };
        picker.items.iter().position(is).unwrap()
    };
    use flarescope::app::Command;
    assert!(
        at(Command::ZoomIn) < at(Command::Quit),
        "what works everywhere is known"
    );
    assert!(
        at(Command::Quit) < at(Command::StartCapture),
        "what does nothing here comes last"
    );
}

#[test]
fn without_colours_a_theme_changes_nothing_and_that_is_said() {
    let mut wording = wording!();
    let mut session = Session::workers(SIZE);
    session.state.settings.colourless = true;
    session.press("T");
    let Some(Overlay::Picker(picker)) = session.state.overlays.top() else {
        panic!()
    };
    wording.add(picker.title);
    assert!(session.press("j enter").is_empty());
    wording.add(session.notice());
}

#[test]
fn the_title_and_the_root_s_details_say_what_was_captured_and_when() {
    for size in [(80, 24), (120, 40), (200, 50)] {
        let mut session = Session::captured("checkout-api.cpu", size);
        let title = session.screen().lines().next().unwrap().to_owned();
        for part in ["v128 7c1f2a9e", "Z, ", "cpu 10 s", "idle hidden"] {
            assert!(title.contains(part), "{part} in {title}");
        }
        assert_eq!(title.contains("90% of traffic"), size.0 >= 120, "{title}");
        session.press("g D");
        let capture = session.profile().source.capture.clone().unwrap();
        let facts = [
            capture.sha256.get(..60).unwrap().to_owned(),
            capture.target().version_id.clone().unwrap(),
            capture.provenance.account_name.clone().unwrap(),
        ];
        for fact in facts {
            assert!(session.shows(&fact), "{fact} in {}", session.screen());
        }
        session.press("esc j D");
        assert!(!session.shows(&capture.sha256), "a function is selected");
    }
}

#[test]
fn the_name_of_a_written_file_stays_whole_at_80_columns() {
    let mut session = Session::captured("checkout-api.cpu", (80, 24));
    let name = "checkout-api-7c1f2a9e-cpu10s-20261130T030030Z.svg";
    let path = format!("/home/somebody/{}/{name}", "a-long-folder/".repeat(6));
    session.press("e");
    let id = match only(session.press("enter")) {
        Effect::Export(id, _) => id,
        other => panic!("{other:?}"),
    };
    let written = Response::Exported(path.into(), None);
    session.answer(id, written);
    assert!(session.shows(name), "{}", session.screen());
}

#[test]
fn no_line_of_the_icicle_goes_through_a_sheet() {
    use flarescope::ui::glyphs::Glyphs;
    use flarescope::ui::theme::{Depth, Theme};
    let mut session = Session::captured("monolith.cpu", (80, 24));
    session.press("t e");
    let theme = Theme::load("ember", Depth::None).unwrap().theme;
    let area = ratatui::layout::Rect::new(0, 0, 80, 24);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    flarescope::ui::draw_plain(
        &mut buffer,
        &session.state,
        &theme,
        Glyphs::Unicode,
        session.now,
    );
    let screen = flarescope::ui::screenshot::text(&buffer);
    let sheet = screen
        .lines()
        .position(|line| line.starts_with(" ──"))
        .unwrap();
    let through = |line: &str| line.contains('▏');
    assert!(screen.lines().take(sheet).any(through), "{screen}");
    assert!(!screen.lines().skip(sheet).any(through), "{screen}");
}

/// The report that a key copies.
fn report(session: &mut Session) -> String {
    let Effect::Export(_, ExportEffect::Copy(job)) = only(session.press("Y")) else {
        panic!("no report")
    };
    flarescope::runtime::clipboard_text(&job).unwrap()
}

#[test]
fn a_report_is_copied_in_one_key() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    wording.add(report(&mut session));
    session.compare();
    wording.add(report(&mut session));
    let Effect::Copy(_, command) = only(session.press("E")) else {
        panic!("no command")
    };
    assert!(command.starts_with("flarescope diff "), "{command}");
}

#[test]
fn a_text_format_is_copied_from_the_dialog_and_offered_again() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.press("e");
    assert!(session.press("y").is_empty(), "pprof is no text");
    assert!(!session.notice().is_empty());
    session.press("l l");
    let chosen = dialog(&session).chosen();
    let Effect::Export(_, ExportEffect::Copy(job)) = only(session.press("y")) else {
        panic!("nothing is copied")
    };
    assert_eq!((job.format, chosen), (Format::Folded, Format::Folded));
    let text = flarescope::runtime::clipboard_text(&job).unwrap();
    assert!(text.contains("validateAddress"));
    assert!(session.state.overlays.is_empty());
    session.press("e");
    assert_eq!(dialog(&session).chosen(), Format::Folded);
}

#[test]
fn views_are_walked_back_and_forward() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    let shown = |session: &Session| {
        let profile = session.profile();
        let frame = profile.reading.tree.frame(profile.zoom);
        let zoom = frame.map(|frame| profile.reading.frames.name(frame).to_owned());
        (profile.view.filters.len(), profile.view.direction, zoom)
    };
    let mut seen = vec![shown(&session)];
    session.go_to("handleCheckout");
    session.press("enter");
    seen.push(shown(&session));
    session.go_to("validateAddress");
    session.press("f");
    seen.push(shown(&session));
    session.press("b");
    seen.push(shown(&session));
    assert_eq!(seen[1].2.as_deref(), Some("handleCheckout"));
    assert_ne!(seen[2].1, seen[3].1);
    for place in seen[..3].iter().rev() {
        session.press("<");
        assert_eq!(shown(&session), *place);
    }
    session.press("<");
    assert_eq!(shown(&session), seen[0], "there is no earlier one");
    assert!(!session.notice().is_empty());
    for place in &seen[1..] {
        session.press(">");
        assert_eq!(shown(&session), *place);
    }
    // Another way from an earlier view leaves no later one.
    session.press("< <");
    session.press("enter >");
    assert_ne!(shown(&session), seen[3]);
}

#[test]
fn own_code_is_turned_on_and_off_in_one_key() {
    let mut session = Session::captured("monolith.cpu", SIZE);
    let families = |session: &Session| {
        let reading = &session.profile().reading;
        let shown = reading
            .frames
            .ids()
            .filter(|id| reading.stat(*id).nodes > 0);
        shown
            .map(|id| reading.frames.family(id))
            .collect::<Vec<_>>()
    };
    use flarescope::model::graph::frames::Family;
    assert!(families(&session).contains(&Family::Unknown));
    session.press("O");
    assert!(!families(&session).contains(&Family::Unknown));
    assert!(
        session
            .profile()
            .filter_chips()
            .concat()
            .contains("own code")
    );
    session.press("O");
    assert!(families(&session).contains(&Family::Unknown));
}

#[test]
fn the_editor_is_asked_for_the_place_of_the_selected_function() {
    let mut session = Session::captured("checkout-api.cpu", SIZE);
    session.go_to("parseCart");
    let Effect::OpenEditor(_, job) = only(session.press("ctrl-o")) else {
        panic!("no editor")
    };
    assert_eq!((job.root, job.line), (None, 2));
    assert!(job.file.ends_with("/worker.js") && job.place.ends_with("/worker.js:2"));
    session.go_to("(garbage collector)");
    assert!(session.press("ctrl-o").is_empty(), "it has no file");
    assert!(!session.notice().is_empty());
}
