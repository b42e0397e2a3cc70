//! Commands: what each key does where the user is.

use std::time::Duration;

use crate::app::core::clock::Moment;
use crate::app::core::session::{Origin, Screen};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::interpret::{behind, is_offered};
use crate::app::keys::command::Command;
use crate::app::overlays::Overlay;
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::Picker;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::Section;
use crate::app::screens::workers::details::DetailRow;
use crate::app::state::State;
use crate::app::update::workers::detail_rows;
use crate::app::update::{
    accounts, capture, compare, failure, history, movement, opening, other_instances, overlays,
    profile, prompt, traffic_wait, workers,
};
use crate::model::graph::ranking::Sort;
use crate::model::text::sanitize::{printable, printable_lines};

/// Does a command, `times` over where that makes sense.
pub(crate) fn run(state: &mut State, command: Command, times: u32, now: Moment) -> Vec<Effect> {
    use Command as C;
    match command {
        C::Quit
            if (state.capturing.is_some() || state.is_unsaved())
                && !matches!(state.overlays.top(), Some(Overlay::ConfirmQuit)) =>
        {
            overlays::push(state, Overlay::ConfirmQuit)
        }
        C::Quit => vec![Effect::Quit],
        C::Interrupt if state.capturing.is_some() => capture::cancel(state, now.instant),
        C::Interrupt if state.awaiting.is_some() => traffic_wait::cancel(state),
        C::Interrupt if state.input.is_some() => prompt::cancel(state),
        C::Interrupt
            if state.is_unsaved()
                && !matches!(state.overlays.top(), Some(Overlay::ConfirmQuit)) =>
        {
            overlays::push(state, Overlay::ConfirmQuit)
        }
        C::Interrupt => vec![Effect::Quit],
        C::Dismiss => overlays::dismiss(state, now),
        C::Help => overlays::push(state, Overlay::Help(HelpSheet::default())),
        C::Palette => {
            let place = behind(state);
            overlays::push(
                state,
                Overlay::Picker(Picker::commands("", |c| is_offered(place, c))),
            );
            state.input = Some(Input::new(Purpose::Palette, ""));
            Vec::new()
        }
        C::Redraw => vec![Effect::Redraw],
        C::Suspend => vec![Effect::Suspend],
        C::Mouse => {
            state.mouse = !state.mouse;
            state.say(if state.mouse {
                "The mouse is on; text is selected with shift."
            } else {
                "The mouse is off."
            });
            vec![Effect::Mouse(state.mouse)]
        }
        C::GoWorkers => go_workers(state, now),
        C::GoCaptures => {
            overlays::clear(state);
            if state.screen != Screen::History {
                let open = state
                    .profile
                    .as_ref()
                    .and_then(|profile| profile.source.capture.as_ref());
                state
                    .history
                    .open_on(open.map(|capture| capture.path.clone()));
            }
            state.screen = Screen::History;
            let id = state.fresh_id();
            vec![
                state.history.ask(id),
                other_instances::ask(state, Duration::ZERO),
            ]
        }
        C::ChooseAccount => accounts::open(state),
        C::OpenFile => {
            overlays::clear(state);
            state.input = Some(Input::new(Purpose::OpenFile, ""));
            Vec::new()
        }
        C::ChooseTheme => {
            let picker = Picker::themes(
                &state.theme.known,
                &state.theme.name,
                state.settings.colourless,
            );
            overlays::push(state, Overlay::Picker(picker))
        }
        C::StartDemo => vec![Effect::StartDemo],
        C::Down
        | C::Up
        | C::Left
        | C::Right
        | C::PageDown
        | C::PageUp
        | C::HalfPageDown
        | C::HalfPageUp
        | C::First
        | C::Last => movement::walk(state, command, times, now),
        C::NextPane => movement::next_pane(state, false),
        C::PreviousPane => movement::next_pane(state, true),
        C::Search => prompt::open_search(state),
        C::CopyName => copy_name(state),
        C::Refresh => refresh(state, now),
        C::Sort | C::SortReverse => sort(state, command == C::SortReverse, now),
        C::Capture => opening::open_form(state, now),
        C::Open => opening::open(state, now),
        C::Close | C::CloseForm => overlays::dismiss(state, now),
        C::NextStep => match overlays::close(state) {
            Some(Overlay::Failure(failure)) => failure::next_step(state, failure, now),
            None if state.screen == Screen::Welcome => state
                .nearby
                .ready()
                .map(|_| Effect::UseNearby)
                .into_iter()
                .collect(),
            _ => Vec::new(),
        },
        C::Compare => compare::run(state),
        C::Mark => {
            state.history.mark();
            movement::walk(state, C::Down, 1, now)
        }
        C::Rename | C::Note | C::Pin | C::Delete | C::UndoDelete => history::run(state, command),
        C::Export if state.screen == Screen::History => history::run(state, command),
        C::StartCapture
            if prompt::form(state).is_some_and(|form| form.trouble.take().is_some()) =>
        {
            // There is nothing to start yet: what the form is made of is asked for again.
            workers::ask_details(state, now.instant)
        }
        C::StartCapture => capture::start(state, now.instant),
        C::ServingVersion => {
            if let Some(form) = prompt::form(state) {
                form.choose_serving();
            }
            Vec::new()
        }
        C::OneMore | C::OneFewer => {
            if let Some(form) = prompt::form(state) {
                form.add(if command == C::OneMore { 1 } else { -1 });
            }
            Vec::new()
        }
        C::CancelCapture if matches!(state.overlays.top(), Some(Overlay::TrafficWait)) => {
            traffic_wait::cancel(state)
        }
        C::CancelCapture => capture::cancel(state, now.instant),
        C::KeepRunning => {
            state.clear_overlays();
            Vec::new()
        }
        C::WriteExport => opening::write_export(state, now),
        C::WholeOrView => {
            if let Some(Overlay::Export(dialog)) = state.overlays.top_mut() {
                dialog.toggle_whole();
            }
            Vec::new()
        }
        C::Accept => prompt::accept(state, now),
        C::CancelText => prompt::cancel(state),
        C::MatchMode => prompt::next_mode(state),
        C::PreviousRow => prompt::walk(state, true),
        C::NextRow => prompt::walk(state, false),
        C::CursorLeft
        | C::CursorRight
        | C::CursorHome
        | C::CursorEnd
        | C::Erase
        | C::EraseNext
        | C::EraseWord
        | C::EraseLine => prompt::edit(state, command),
        _ => profile::in_profile(state, command, times),
    }
}

fn go_workers(state: &mut State, now: Moment) -> Vec<Effect> {
    overlays::clear(state);
    if state.session.origin == Origin::Offline {
        state.screen = Screen::Welcome;
        return Vec::new();
    }
    state.screen = Screen::Workers;
    workers::rest(state, now.instant)
}

fn copy_name(state: &mut State) -> Vec<Effect> {
    let text = match (state.overlays.top(), state.screen) {
        (Some(Overlay::Failure(failure)), _) => Some(failure.text()),
        (Some(Overlay::Hints(at)), _) => {
            let hint = state
                .profile
                .as_ref()
                .and_then(|profile| profile.hints.list.get(*at));
            hint.map(|hint| format!("{}\n{}", hint.text, hint.why))
        }
        (_, Screen::Workers) => match state.workers.section {
            Section::List => state
                .workers
                .current()
                .map(|w| printable(&w.name).into_owned()),
            Section::Details(at) => detail_rows(state).get(at).map(|row| match row {
                DetailRow::Version(v) => v.id.clone(),
                DetailRow::Namespace(n) => n.namespace.id.clone(),
                DetailRow::Capture(c) => printable(&c.path.to_string_lossy()).into_owned(),
            }),
        },
        (_, Screen::History) => state
            .history
            .current()
            .map(|c| printable(&c.path.to_string_lossy()).into_owned()),
        (_, Screen::Profile)
            if state
                .profile
                .as_ref()
                .is_some_and(|profile| profile.code.is_some()) =>
        {
            let code = state
                .profile
                .as_ref()
                .and_then(|profile| profile.code.as_ref());
            code.and_then(|code| code.line())
                .map(|line| printable(line.trim()).into_owned())
        }
        (_, Screen::Profile) => {
            let name = |p: &ProfileState| {
                Some(printable(p.reading.frames.name(p.selected_frame()?)).into_owned())
            };
            state.profile.as_ref().and_then(name)
        }
        (_, Screen::Welcome) => None,
    };
    copy(state, text)
}

/// Copies a text. All that goes to the clipboard goes through here: what is pasted into a shell must not be obeyed there.
pub(crate) fn copy(state: &mut State, text: Option<String>) -> Vec<Effect> {
    text.map_or_else(Vec::new, |text| {
        let safe = printable_lines(&text).into_owned();
        vec![Effect::Copy(state.fresh_id(), safe)]
    })
}

fn refresh(state: &mut State, now: Moment) -> Vec<Effect> {
    if let Some(Overlay::Failure(failure)) = state.overlays.top() {
        let failure = failure.clone();
        if !failure.can_repeat() {
            state.say("There is nothing here to ask again.");
            return Vec::new();
        }
        overlays::close(state);
        return failure::again(state, failure, now);
    }
    match state.screen {
        Screen::Workers if state.session.account_id.is_empty() && !state.is_local() => {
            vec![accounts::ask(state)]
        }
        Screen::Workers => {
            let mut wishes = workers::ask(state);
            wishes.extend(workers::ask_details(state, now.instant));
            wishes
        }
        Screen::History => {
            let id = state.fresh_id();
            vec![state.history.ask(id)]
        }
        Screen::Welcome => vec![Effect::LookForLogin],
        Screen::Profile => Vec::new(),
    }
}

/// Who sorts wants to see what is first by now: the cursor goes there, and its details are asked for when it rests.
fn first_of_workers(state: &mut State, now: Moment) -> Vec<Effect> {
    state.workers.arrange();
    state.workers.section = Section::List;
    state.workers.select(0);
    workers::rest(state, now.instant)
}

fn sort(state: &mut State, reverse: bool, now: Moment) -> Vec<Effect> {
    match state.screen {
        Screen::Workers if reverse => {
            state.workers.reverse = !state.workers.reverse;
            return first_of_workers(state, now);
        }
        Screen::Workers => {
            state.workers.next_sort();
            return first_of_workers(state, now);
        }
        Screen::History => {
            if reverse {
                state.history.reverse = !state.history.reverse;
                state.history.arrange();
            } else {
                state.history.next_sort();
            }
            state.history.first();
        }
        Screen::Profile => {
            if let Some(profile) = &mut state.profile {
                if reverse {
                    profile.table.reverse = !profile.table.reverse;
                } else {
                    profile.table.next_sort();
                    // Samples are not compared.
                    if profile.compare.is_some() && profile.table.sort == Sort::Samples {
                        profile.table.next_sort();
                    }
                }
                profile.rank_rows(None);
                profile.show_first_rows();
            }
        }
        Screen::Welcome => {}
    }
    Vec::new()
}
