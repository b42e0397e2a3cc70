//! Every command at every place: nothing breaks, and what is known afterwards hangs together.

use flarescope::app;
use flarescope::app::{
    AccountsEffect, Action, COMMANDS, CaptureEffect, CaptureResponse, Effect, Failure, FailureKind,
    HistoryEffect, Key, KeyContext, ObjectsEffect, Origin, Overlay, Pane, ProfileEffect,
    ProfileResponse, Refusal, Screen, Section, WorkersEffect, help_rows, interpret, key_context,
};

use crate::session::{Session, only, opened};

const SIZE: (u16, u16) = (80, 24);

/// A session that stands at a place.
fn at(wanted: KeyContext) -> Session {
    let mut session = match wanted {
        KeyContext::Welcome => Session::fresh(Origin::Offline, SIZE).0,
        KeyContext::Icicle
        | KeyContext::Table
        | KeyContext::Export
        | KeyContext::ExportText
        | KeyContext::Details
        | KeyContext::Hints
        | KeyContext::Search
        | KeyContext::Compare
        | KeyContext::CompareTable
        | KeyContext::Code
        | KeyContext::Sandwich => Session::captured("checkout-api.cpu", SIZE),
        _ => Session::workers(SIZE),
    };
    match wanted {
        KeyContext::Welcome | KeyContext::Workers | KeyContext::Icicle => {}
        KeyContext::History | KeyContext::Note => {
            let list = only(session.press("C"));
            session.serve(list);
            if wanted == KeyContext::Note {
                session.press("a");
            }
        }
        KeyContext::Compare => session.compare(),
        KeyContext::Code => {
            let wish = only(session.press("v"));
            session.serve(wish);
        }
        KeyContext::CompareTable => {
            session.compare();
            session.press("tab");
        }
        KeyContext::Failure => {
            let Effect::Capture(id, CaptureEffect::Start(..)) = only(session.press("c enter"))
            else {
                panic!()
            };
            session.fail(id, FailureKind::Capture, "It was refused.");
        }
        KeyContext::FailureOnce => {
            let list = only(session.press("C"));
            session.serve(list);
            let Effect::Profile(id, ProfileEffect::OpenCapture(_)) = only(session.press("enter"))
            else {
                panic!()
            };
            session.fail(id, FailureKind::File, "It is no profile.");
        }
        KeyContext::Awaiting => {
            let Effect::Capture(id, CaptureEffect::Start(..)) = only(session.press("c enter"))
            else {
                panic!()
            };
            let failure = Failure {
                refusal: Some(Refusal::NoIsolate),
                ..Failure::new(FailureKind::Capture, "Gone.")
            };
            session.act(Action::Done(id, Err(failure)));
            session.press("enter");
        }
        other => {
            session.press(match other {
                KeyContext::Table => "tab",
                KeyContext::Form => "c",
                KeyContext::FormText => "enter tab c",
                KeyContext::Capturing => "c enter",
                KeyContext::Export => "e",
                KeyContext::ExportText => "e shift-tab",
                KeyContext::Help => "?",
                KeyContext::Picker => "T",
                KeyContext::Palette => ":",
                KeyContext::Accounts => "A",
                KeyContext::Objects => "enter tab enter",
                KeyContext::Details => "D",
                KeyContext::Hints => "H",
                KeyContext::AskQuit => "c enter q",
                KeyContext::Line => "o",
                KeyContext::Search => "/ a",
                KeyContext::Sandwich => "B",
                _ => "/",
            });
        }
    }
    assert_eq!(key_context(&session.state), wanted);
    session
}

/// What has to be true of every state.
fn check(session: &Session, after: &str) {
    let state = &session.state;
    let workers = &state.workers;
    assert!(
        workers.order.is_empty() || workers.selected < workers.order.len(),
        "{after}"
    );
    assert!(
        workers.order.iter().all(|at| *at < workers.rows.len()),
        "{after}"
    );
    let history = &state.history;
    assert!(
        history.order.is_empty() || history.selected < history.order.len(),
        "{after}"
    );
    if let Section::Details(at) = workers.section {
        assert!(at < 100, "{after}: row {at} of the pane");
    }
    assert!(
        state.screen != Screen::Profile || state.profile.is_some(),
        "{after}"
    );
    let capturing = matches!(
        state.overlays.top(),
        Some(Overlay::CaptureProgress | Overlay::ConfirmQuit)
    );
    assert!(
        !capturing || state.captures.running.is_some(),
        "{after}: a countdown of nothing"
    );
    let awaiting = matches!(state.overlays.top(), Some(Overlay::TrafficWait));
    assert!(
        !awaiting || state.captures.traffic_wait.is_some(),
        "{after}: nothing is waited for"
    );
    let overlays = [state.overlays.top(), state.overlays.beneath()];
    for overlay in overlays.into_iter().flatten() {
        let next = !matches!(overlay, Overlay::Failure(failure) if failure.step.is_none());
        assert!(next, "{after}: a message without a next step");
    }
    if let Some(profile) = &state.profile {
        let tree = &profile.reading.tree;
        assert!((profile.selected_node().0 as usize) < tree.len(), "{after}");
        // The table has rows from outside of the zoom, too.
        assert!(
            profile.pane == Pane::Table || tree.is_within(profile.selected_node(), profile.zoom),
            "{after}: selected outside of the zoom"
        );
        assert!(
            profile.table.shown.is_empty() || profile.table.selected < profile.table.shown.len(),
            "{after}"
        );
    }
    if let Some(input) = &state.input {
        assert!(input.text.is_char_boundary(input.cursor), "{after}");
    }
    // The help and the keys of every place are there; asking for them must not break either.
    assert!(
        !help_rows(key_context(state), &state.settings.keys).is_empty(),
        "{after}"
    );
}

#[test]
fn every_command_is_harmless_at_every_place() {
    for &wanted in KeyContext::ALL {
        for row in COMMANDS {
            for times in ["", "7"] {
                let mut session = at(wanted);
                if !times.is_empty() {
                    session.act(Action::Digit(7));
                }
                session.act(Action::Run(row.command));
                check(&session, &format!("{} at {wanted:?}", row.name));
            }
        }
    }
}

#[test]
fn every_key_is_harmless_at_every_place_and_twice_over() {
    let mut keys: Vec<Key> = (' '..='~').map(Key::Char).collect();
    keys.extend(('a'..='z').map(Key::Ctrl));
    keys.extend([
        Key::Enter,
        Key::Esc,
        Key::Tab,
        Key::BackTab,
        Key::Backspace,
        Key::Delete,
        Key::Up,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
        Key::F(1),
        Key::F(12),
        Key::Char('é'),
    ]);
    for &wanted in KeyContext::ALL {
        for &first in &keys {
            let mut session = at(wanted);
            for key in [first, first, Key::Char('j'), Key::Enter] {
                if let Some(action) = interpret(&session.state, key) {
                    session.act(action);
                }
                check(&session, &format!("{key} after {first} at {wanted:?}"));
            }
        }
    }
}

#[test]
fn every_command_has_a_key_or_a_place_in_the_palette() {
    for row in COMMANDS {
        let reached = row.keys.iter().any(|name| {
            let key = Key::parse(name).unwrap();
            KeyContext::ALL
                .iter()
                .any(|&wanted| match interpret(&at(wanted).state, key) {
                    Some(Action::Run(command)) => command == row.command,
                    _ => false,
                })
        });
        let mut session = at(KeyContext::Icicle);
        session.press(":");
        let Some(Overlay::Picker(palette)) = session.state.overlays.top() else {
            panic!("no palette")
        };
        let offered = palette
            .items
            .contains(&app::PickerItem::Command(row.command));
        assert!(
            reached || (row.keys.is_empty() && offered),
            "{} can't be reached",
            row.name
        );
    }
}

#[test]
fn random_walks_end_in_a_state_that_hangs_together() {
    // A small generator of our own: the same walks at every run.
    let mut seed = 0x2026_1130_u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for walk in 0..60 {
        let mut session = at(KeyContext::ALL[next(KeyContext::ALL.len())]);
        let mut pending = Vec::new();
        let mut trail = Vec::new();
        for _ in 0..120 {
            match next(10) {
                0 => {
                    let sizes = [(80, 24), (200, 50), (1, 1), (60, 15), (120, 40)];
                    let (columns, rows) = sizes[next(sizes.len())];
                    pending.extend(session.act(Action::Resize(columns, rows)));
                    trail.push(format!("{columns}x{rows}"));
                }
                1 if !pending.is_empty() => {
                    let effect = pending.swap_remove(next(pending.len()));
                    trail.push("answer".to_owned());
                    match effect {
                        Effect::Capture(id, CaptureEffect::Start(..)) if next(3) == 0 => {
                            let kept = crate::session::world::capture_of("geo-router.cpu");
                            pending.extend(session.answer(
                                id,
                                app::Response::Capture(CaptureResponse::Kept(Box::new(kept))),
                            ));
                        }
                        Effect::Capture(id, CaptureEffect::Start(..)) if next(2) == 0 => {
                            let refusals =
                                [Refusal::NoTraffic, Refusal::TooMany, Refusal::NoVersion];
                            let failure = Failure {
                                refusal: Some(refusals[next(3)]),
                                ..Failure::new(FailureKind::Capture, "It was refused.")
                            };
                            pending.extend(session.act(Action::Done(id, Err(failure))));
                        }
                        Effect::Capture(id, CaptureEffect::LookForTraffic(..)) => {
                            pending.extend(session.answer(
                                id,
                                app::Response::Capture(CaptureResponse::Traffic(next(2) as u64)),
                            ));
                        }
                        Effect::Capture(id, CaptureEffect::Start(..))
                        | Effect::Profile(id, ProfileEffect::OpenCapture(_))
                        | Effect::Profile(id, ProfileEffect::OpenFile(_)) => {
                            if next(2) == 0 {
                                session.fail(id, FailureKind::Capture, "It was refused.");
                            } else {
                                let opened =
                                    crate::session::world::opened_capture("geo-router.cpu");
                                session.answer(
                                    id,
                                    app::Response::Profile(ProfileResponse::Opened(Box::new(
                                        opened,
                                    ))),
                                );
                            }
                        }
                        Effect::Profile(_, ProfileEffect::Compare(..)) if next(2) == 0 => {
                            pending.extend(session.serve(effect))
                        }
                        Effect::Profile(id, ProfileEffect::Compare(_)) => {
                            pending.extend(session.fail(
                                id,
                                FailureKind::File,
                                "These can't be compared.",
                            ));
                        }
                        Effect::Workers(_, WorkersEffect::Rest(..))
                        | Effect::Workers(_, WorkersEffect::Details(..))
                        | Effect::History(_, HistoryEffect::List)
                        | Effect::Accounts(_, AccountsEffect::List)
                        | Effect::Objects(_, ObjectsEffect::List(..))
                        | Effect::Workers(_, WorkersEffect::List) => {
                            pending.extend(session.serve(effect));
                        }
                        _ => {}
                    }
                }
                _ => {
                    let row = &COMMANDS[next(COMMANDS.len())];
                    trail.push(row.name.to_owned());
                    pending.extend(session.act(Action::Run(row.command)));
                }
            }
            let tail = trail.len().saturating_sub(12);
            check(
                &session,
                &format!("walk {walk}: … {}", trail[tail..].join(" ")),
            );
        }
    }
}

#[test]
fn backspace_at_the_root_goes_back_to_where_the_profile_was_opened_from() {
    let mut session = Session::captured("checkout-api.cpu", (80, 24));
    session.press("g j enter backspace");
    assert_eq!(
        session.state.screen,
        Screen::Profile,
        "the zoom comes first"
    );
    session.press("backspace");
    assert_eq!(session.state.screen, Screen::Workers);
    let last = |session: &Session| session.screen().lines().last().unwrap().to_owned();
    let mut session = Session::captured("checkout-api.cpu", (80, 24));
    for label in ["search", "report", "compare", "export", "help"] {
        assert!(last(&session).contains(label), "{}", last(&session));
    }
    session.press("C");
    assert_eq!(session.state.screen, Screen::History);
    let opened = opened("recordings/checkout-api.cpu.pprof.gz", "checkout-api", None);
    session.state.show_opened(opened);
    session.press("backspace");
    assert_eq!(session.state.screen, Screen::History);
}
