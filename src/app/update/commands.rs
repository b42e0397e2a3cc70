//! Hands each command to the feature that it belongs to where the user is.

use std::time::Duration;

use crate::app::action::Action;
use crate::app::core::clock::Moment;
use crate::app::core::session::{Origin, Screen};
use crate::app::core::text_input::Purpose;
use crate::app::effect::Effect;
use crate::app::interpret::{is_offered, screen_context};
use crate::app::keys::command::{COMMANDS, Command};
use crate::app::keys::key::Key;
use crate::app::keys::keymap::short;
use crate::app::overlays::Overlay;
use crate::app::overlays::picker::PickerItem;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::{
    accounts, capture, clipboard, export, failure, follow, history, movement, objects, overlays,
    path_completion, profile, prompt, requests, workers,
};

/// Runs a command, `times` over where that makes sense.
pub(crate) fn run(state: &mut State, command: Command, times: u32, now: Moment) -> Outcome {
    use Command as C;
    match command {
        C::Quit | C::Interrupt => leave(state, command, now),
        C::Dismiss | C::Close | C::CloseForm => dismiss(state, now),
        C::Redraw => Effect::Redraw.into(),
        C::Suspend => Effect::Suspend.into(),
        C::StartDemo => Effect::StartDemo.into(),
        C::Mouse => toggle_mouse(state).into(),
        C::GoWorkers => go_workers(state, now).into(),
        C::GoCaptures => go_captures(state).into(),
        C::ChooseAccount => accounts::open(state).into(),
        C::Down
        | C::Up
        | C::Left
        | C::Right
        | C::PageDown
        | C::PageUp
        | C::HalfPageDown
        | C::HalfPageUp
        | C::First
        | C::Last => movement::walk(state, command, times, now).into(),
        C::CopyName => clipboard::copy_selected(state).into(),
        C::Refresh => refresh(state, now),
        C::Sort | C::SortReverse => sort(state, command == C::SortReverse, now).into(),
        C::Capture => capture::form::open(state, now).into(),
        C::Open => open(state, now),
        C::NextStep => next_step(state, now),
        C::Compare => profile::compare::run(state).into(),
        C::Mark => {
            state.history.mark();
            Action::Run(C::Down).into()
        }
        C::Rename | C::Note | C::Pin | C::Delete | C::UndoDelete => {
            history::run(state, command).into()
        }
        C::Export if state.screen == Screen::History => history::run(state, command).into(),
        C::StartCapture
        | C::ServingVersion
        | C::OtherKind
        | C::NextClass
        | C::OneMore
        | C::OneFewer
        | C::CancelCapture
        | C::KeepRunning => capture::run(state, command, now).into(),
        C::WriteExport | C::CopyExport | C::WholeOrView => export::run(state, command, now).into(),
        C::CopyReport => export::copy_report(state, now).into(),
        C::OpenEditor => clipboard::open_editor(state).into(),
        C::Accept => accept(state, now),
        C::MatchMode => next_mode(state).into(),
        C::PreviousRow | C::NextRow => walk_rows(state, command == C::PreviousRow).into(),
        C::ZoomOut if let Some(back) = profile::way_back(state) => Action::Run(back).into(),
        _ if change(state, command) => Outcome::default(),
        _ => profile::run(state, command, times).into(),
    }
}

/// Runs a command that leads to nothing else. Returns whether it was one.
fn change(state: &mut State, command: Command) -> bool {
    use Command as C;
    match command {
        C::Help | C::Palette | C::ChooseTheme | C::OpenFile => overlays::open(state, command),
        C::NextPane | C::PreviousPane => {
            movement::next_pane(state, command == C::PreviousPane);
        }
        C::Search => prompt::open_search(state),
        C::CancelText => cancel_text(state),
        C::CursorLeft
        | C::CursorRight
        | C::CursorHome
        | C::CursorEnd
        | C::Erase
        | C::EraseNext
        | C::EraseWord
        | C::EraseLine => {
            if prompt::edit(state, command) {
                follow(state);
            }
        }
        _ => return false,
    }
    true
}

/// Quits, or stops what runs; asks first if something would be lost.
fn leave(state: &mut State, command: Command, now: Moment) -> Outcome {
    let is_confirmed = matches!(state.overlays.top(), Some(Overlay::ConfirmQuit));
    let is_running = state.captures.running.is_some();
    if command == Command::Interrupt {
        if is_running {
            return capture::cancel(state, now.instant).into();
        }
        if state.captures.traffic_wait.is_some() {
            return capture::traffic_wait::cancel(state).into();
        }
        if state.input.is_some() {
            cancel_text(state);
            return Outcome::default();
        }
    }
    if (is_running || state.is_unsaved()) && !is_confirmed {
        state.push_overlay(Overlay::ConfirmQuit);
        return Outcome::default();
    }
    Effect::Quit.into()
}

/// Closes what is in front; with nothing in front, steps back from a search, a filter or a pane. Never quits.
fn dismiss(state: &mut State, now: Moment) -> Outcome {
    state.drop_preview();
    match state.close_overlay() {
        Some(Overlay::CaptureProgress) => return capture::cancel(state, now.instant).into(),
        Some(Overlay::TrafficWait) => return capture::traffic_wait::cancel(state).into(),
        Some(Overlay::ConfirmQuit) => state.show_held(),
        Some(_) => {}
        None => match state.screen {
            Screen::Profile => profile::step_back(state),
            Screen::Workers => workers::step_back(state),
            Screen::History => history::step_back(state),
            Screen::Welcome => {}
        },
    }
    Outcome::default()
}

fn toggle_mouse(state: &mut State) -> Effect {
    let is_on = !state.mouse.is_on;
    state.mouse.is_on = is_on;
    state.say(if is_on {
        "The mouse is on; text is selected with shift."
    } else {
        "The mouse is off."
    });
    Effect::Mouse(is_on)
}

fn go_workers(state: &mut State, now: Moment) -> Option<Effect> {
    state.clear_overlays();
    if state.session.origin == Origin::Offline {
        state.screen = Screen::Welcome;
        return None;
    }
    state.screen = Screen::Workers;
    requests::rest_on_worker(state, now.instant)
}

fn go_captures(state: &mut State) -> Vec<Effect> {
    state.clear_overlays();
    if state.screen != Screen::History {
        let profile = state.profile.as_ref();
        let open = profile.and_then(|profile| profile.source.capture.as_ref());
        let path = open.map(|capture| capture.path.clone());
        state.history.open_on(path);
    }
    state.screen = Screen::History;
    vec![
        requests::list_captures(state),
        requests::look_elsewhere(state, Duration::ZERO),
    ]
}

fn refresh(state: &mut State, now: Moment) -> Outcome {
    if let Some(Overlay::Failure(failure)) = state.overlays.top() {
        if failure.retry.is_none() {
            state.say("There is nothing here to ask again.");
            return Outcome::default();
        }
        let failure = failure.clone();
        state.close_overlay();
        return failure::retry(state, failure, now);
    }
    match state.screen {
        Screen::Workers if state.session.account_id.is_empty() && !state.is_local() => {
            requests::list_accounts(state).into()
        }
        Screen::Workers => {
            let list = requests::list_workers(state);
            let details = requests::worker_details(state, now.instant);
            Outcome::from(list).and(details)
        }
        Screen::History => requests::list_captures(state).into(),
        Screen::Welcome => Effect::LookForLogin.into(),
        Screen::Profile => Outcome::default(),
    }
}

fn sort(state: &mut State, reverse: bool, now: Moment) -> Option<Effect> {
    match state.screen {
        Screen::Workers => return workers::sort(state, reverse, now.instant),
        Screen::History => state.history.sort(reverse),
        Screen::Profile => profile::sort(state, reverse),
        Screen::Welcome => {}
    }
    None
}

fn open(state: &mut State, now: Moment) -> Outcome {
    if let Some(Overlay::Picker(_)) = state.overlays.top() {
        return overlays::choose_theme(state).into();
    }
    match state.screen {
        Screen::Workers => workers::open(state, now.instant),
        Screen::History => history::open(state).into(),
        Screen::Profile | Screen::Welcome => Outcome::default(),
    }
}

fn next_step(state: &mut State, now: Moment) -> Outcome {
    match state.close_overlay() {
        Some(Overlay::Failure(failure)) => failure::next_step(state, failure, now),
        None if state.screen == Screen::Welcome && state.workers.nearby.ready().is_some() => {
            Effect::UseNearby.into()
        }
        _ => Outcome::default(),
    }
}

/// Hands the typed text to what the line is for.
fn accept(state: &mut State, now: Moment) -> Outcome {
    let Some(input) = state.input.take() else {
        return Outcome::default();
    };
    match input.purpose {
        Purpose::Search => {
            profile::accept_search(state);
            Outcome::default()
        }
        Purpose::WorkerFilter => requests::rest_on_worker(state, now.instant).into(),
        Purpose::CodeSearch
        | Purpose::HistoryFilter
        | Purpose::HelpFilter
        | Purpose::ThemeFilter
        | Purpose::Field => Outcome::default(),
        Purpose::Rename | Purpose::Note => history::amend(state, input.purpose, &input.text).into(),
        Purpose::Object => objects::accept(state, &input.text),
        Purpose::Account => {
            // Until one matches, the line stays.
            state.input = Some(input);
            accounts::accept(state)
        }
        Purpose::OpenFile | Purpose::SourceMap => {
            let path = input.text.trim();
            if path.is_empty() {
                Outcome::default()
            } else if input.purpose == Purpose::OpenFile {
                requests::open_file(state, path.into()).into()
            } else {
                profile::load_map(state, path.into()).into()
            }
        }
        Purpose::Palette => run_chosen(state),
    }
}

/// Says where a key works that does nothing here.
pub(crate) fn explain_key(state: &mut State, key: Key) {
    let keys = &state.settings.keys;
    let rows = COMMANDS.iter().filter(|row| keys.of(row).contains(&key));
    let places = rows.map(|row| {
        let scopes: Vec<_> = row.scopes.iter().map(|scope| scope.word()).collect();
        format!("{} in {}", row.name, scopes.join(", "))
    });
    let places: Vec<_> = places.collect();
    state.keys.count = None;
    state.say(format!(
        "{} does nothing here: {}.",
        short(key),
        places.join("; ")
    ));
}

/// Runs the command chosen in the palette. It is one for the screen itself: what was in front of it is closed.
fn run_chosen(state: &mut State) -> Outcome {
    let chosen = match state.overlays.close() {
        Some(Overlay::Picker(picker)) => picker.items.get(picker.selected).cloned(),
        _ => None,
    };
    state.overlays.clear();
    let Some(PickerItem::Command(command)) = chosen else {
        return Outcome::default();
    };
    if is_offered(screen_context(state), command) {
        return Action::Run(command).into();
    }
    if let Some(row) = COMMANDS.iter().find(|row| row.command == command) {
        let scopes: Vec<_> = row.scopes.iter().map(|scope| scope.word()).collect();
        state.say(format!(
            "`{}` does nothing here; it works in: {}.",
            row.name,
            scopes.join(", ")
        ));
    }
    Outcome::default()
}

/// Closes the line and leaves everything as it was before it was opened.
fn cancel_text(state: &mut State) {
    if let Some(input) = state.input.take() {
        if input.purpose == Purpose::Object {
            state.objects = None;
        }
        prompt::undo(state, input);
    }
}

/// Changes how the typed text is understood; a path is completed.
fn next_mode(state: &mut State) -> Option<Effect> {
    match state.input.as_ref()?.purpose {
        Purpose::Object => return objects::reorder(state),
        Purpose::OpenFile | Purpose::SourceMap => return path_completion::request(state),
        Purpose::Search => {
            if let Some(profile) = &mut state.profile {
                profile.next_search_mode();
            }
        }
        _ => {}
    }
    None
}

/// Moves through the rows or matches while the line is typed.
fn walk_rows(state: &mut State, backwards: bool) -> Option<Effect> {
    let step = if backwards { -1 } else { 1 };
    let purpose = state.input.as_ref()?.purpose;
    match purpose {
        Purpose::Search if backwards && prompt::recall_search(state) => follow(state),
        Purpose::Search => profile::next_match(state, backwards),
        Purpose::Object => return objects::walk(state, step),
        _ => prompt::walk(state, step),
    }
    None
}
