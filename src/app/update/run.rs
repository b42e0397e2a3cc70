//! Commands: what each key does where the user is.

use super::{answer, text};
use crate::app::details::DetailRow;
use crate::app::keymap::{Place, behind};
use crate::app::state::Moment;
use crate::app::workers::{self, Section, detail_rows};
use crate::app::{
    COMMANDS, ColourBy, Command, Effect, ExportDialog, ExportField, ExportJob, Form, Front, Input, Origin, PercentBase,
    Picker, PickerItem, ProfileState, Purpose, Scope, Screen, Search, State, capture, hints,
};
use crate::model::filter::Filter;
use crate::model::icicle::Order;
use crate::model::search::{Mode, Query};
use crate::model::target::Kind;

/// Whether the palette offers a command where the user is.
pub(super) fn is_offered(place: Place, command: Command) -> bool {
    let scopes = place.scopes();
    command != Command::Palette
        && COMMANDS
            .iter()
            .any(|row| row.command == command && row.scopes.iter().any(|s| *s != Scope::Text && scopes.contains(s)))
}

/// Does a command, `times` over where that makes sense.
pub(super) fn run(state: &mut State, command: Command, times: u32, now: Moment) -> Vec<Effect> {
    use Command as C;
    match command {
        C::Quit if state.capturing.is_some() && !matches!(state.front, Some(Front::AskQuit)) => {
            over(state, Front::AskQuit)
        }
        C::Quit => vec![Effect::Quit],
        C::Interrupt if state.capturing.is_some() => capture::cancel(state),
        C::Interrupt if state.input.is_some() => text::cancel(state),
        C::Interrupt => vec![Effect::Quit],
        C::Dismiss => dismiss(state),
        C::Help => over(state, Front::Help(0)),
        C::Palette => {
            let place = behind(state);
            over(state, Front::Picker(Picker::commands("", |c| is_offered(place, c))));
            state.input = Some(Input::new(Purpose::Palette, ""));
            Vec::new()
        }
        C::Redraw => vec![Effect::Redraw],
        C::Suspend => vec![Effect::Suspend],
        C::Mouse => {
            state.mouse = !state.mouse;
            state.say(if state.mouse { "The mouse is on; text is selected with shift." } else { "The mouse is off." });
            vec![Effect::Mouse(state.mouse)]
        }
        C::GoWorkers => go_workers(state, now),
        C::GoCaptures => {
            leave_sheet(state);
            state.screen = Screen::History;
            let id = state.fresh_id();
            vec![state.history.ask(id)]
        }
        C::OpenFile => {
            leave_sheet(state);
            state.input = Some(Input::new(Purpose::OpenFile, ""));
            Vec::new()
        }
        C::ChooseTheme => {
            let picker = Picker::themes(&state.theme.known, &state.theme.name);
            over(state, Front::Picker(picker))
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
        | C::Last => walk(state, command, times, now),
        C::NextPane => next_pane(state, false),
        C::PreviousPane => next_pane(state, true),
        C::Search => text::open_search(state),
        C::CopyName => copy_name(state),
        C::Refresh => refresh(state, now),
        C::Sort | C::SortReverse => sort(state, command == C::SortReverse),
        C::Capture => open_form(state, now),
        C::Open => open(state, now),
        C::Close | C::CloseForm => dismiss(state),
        C::NextStep => match state.front.take() {
            Some(Front::Failure(failure)) => answer::next_step(state, failure, now),
            _ => Vec::new(),
        },
        C::StartCapture => capture::start(state, now.instant),
        C::ServingVersion => {
            if let Some(form) = text::form(state) {
                form.choose_serving();
            }
            Vec::new()
        }
        C::CancelCapture => capture::cancel(state),
        C::KeepRunning => {
            state.front = None;
            Vec::new()
        }
        C::WriteExport => write_export(state),
        C::WholeOrView => {
            if let Some(Front::Export(dialog)) = &mut state.front {
                dialog.toggle_whole();
            }
            Vec::new()
        }
        C::Accept => text::accept(state, now),
        C::CancelText => text::cancel(state),
        C::MatchMode => text::next_mode(state),
        C::PreviousRow => text::walk(state, true),
        C::NextRow => text::walk(state, false),
        C::CursorLeft
        | C::CursorRight
        | C::CursorHome
        | C::CursorEnd
        | C::Erase
        | C::EraseNext
        | C::EraseWord
        | C::EraseLine => text::edit(state, command),
        _ => in_profile(state, command, times),
    }
}

/// Puts a sheet over what is in front; one that holds work comes back when this one is closed.
fn over(state: &mut State, front: Front) -> Vec<Effect> {
    drop_preview(state);
    if let Some(Front::Form(_) | Front::Capturing | Front::Failure(_) | Front::Export(_)) = &state.front {
        state.beneath = state.front.take();
    }
    // The keys are the sheet's now.
    (state.front, state.input) = (Some(front), None);
    Vec::new()
}

/// Takes the sheets away where another screen comes; a running capture goes on in the header.
fn leave_sheet(state: &mut State) {
    drop_preview(state);
    (state.front, state.beneath, state.input) = (None, None, None);
}

/// A theme that was only looked at is not in force.
fn drop_preview(state: &mut State) {
    if let Some(Front::Picker(Picker { before: Some(before), .. })) = &state.front {
        state.theme.name.clone_from(before);
    }
}

/// Brings the sheet beneath back, unless it is the countdown of a capture that has ended.
pub(super) fn uncover(state: &mut State) {
    let over = state.capturing.is_none();
    state.front = state.beneath.take().filter(|front| !(over && matches!(front, Front::Capturing)));
}

/// Closes what is in front; with nothing in front, steps back from a search, a filter or a pane. Never leaves the program.
fn dismiss(state: &mut State) -> Vec<Effect> {
    drop_preview(state);
    match state.front.take() {
        Some(Front::Capturing) => return capture::cancel(state),
        Some(_) => uncover(state),
        None => match state.screen {
            Screen::Profile => {
                if let Some(profile) = state.profile.as_mut() {
                    if profile.sandwich.is_some() {
                        profile.sandwich = None;
                    } else if profile.search.is_some() {
                        text::clear_search(profile);
                    }
                }
            }
            Screen::Workers if state.workers.section != Section::List => state.workers.section = Section::List,
            Screen::Workers if !state.workers.filter.is_empty() => {
                state.workers.filter.clear();
                state.workers.arrange();
            }
            Screen::History if !state.history.filter.is_empty() => {
                state.history.filter.clear();
                state.history.arrange();
            }
            _ => {}
        },
    }
    Vec::new()
}

fn go_workers(state: &mut State, now: Moment) -> Vec<Effect> {
    leave_sheet(state);
    if state.session.origin == Origin::Offline {
        state.screen = Screen::Welcome;
        return Vec::new();
    }
    state.screen = Screen::Workers;
    workers::rest(state, now.instant)
}

fn walk(state: &mut State, command: Command, times: u32, now: Moment) -> Vec<Effect> {
    let page = isize::try_from(state.size.1.saturating_sub(6).max(1)).unwrap_or(1);
    let count = isize::try_from(times).unwrap_or(isize::MAX);
    let step = match command {
        Command::Down => 1,
        Command::Up => -1,
        Command::PageDown => page,
        Command::PageUp => -page,
        Command::HalfPageDown => page / 2,
        Command::HalfPageUp => -(page / 2),
        Command::First => isize::MIN / 2,
        Command::Last => isize::MAX / 2,
        _ => 0,
    }
    .saturating_mul(count);
    match &mut state.front {
        Some(Front::Form(form)) => match command {
            Command::Left => form.change(-1),
            Command::Right => form.change(1),
            _ => form.move_focus(step),
        },
        Some(Front::Export(dialog)) => match command {
            Command::Left => dialog.change(-1),
            Command::Right => dialog.change(1),
            Command::Down => dialog.tab(false),
            Command::Up => dialog.tab(true),
            _ => {}
        },
        Some(Front::Help(row) | Front::Details(row)) => *row = row.saturating_add_signed(step),
        Some(Front::Hints(at)) => {
            let last = state.profile.as_ref().map_or(0, |profile| profile.hints.list.len().saturating_sub(1));
            *at = at.saturating_add_signed(step).min(last);
        }
        Some(Front::Picker(picker)) => {
            picker.step(step);
            if let Some(PickerItem::Theme(name)) = picker.items.get(picker.selected) {
                state.theme.name.clone_from(name);
            }
        }
        Some(_) => {}
        None => return walk_screen(state, command, step, times, now),
    }
    Vec::new()
}

fn walk_screen(state: &mut State, command: Command, step: isize, times: u32, now: Moment) -> Vec<Effect> {
    match state.screen {
        Screen::Workers => {
            let rows = detail_rows(state).len();
            let workers = &mut state.workers;
            match (workers.section, command) {
                (Section::List, Command::Right) if rows > 0 => workers.section = Section::Details(0),
                (_, Command::Left) => workers.section = Section::List,
                (_, Command::Right) => {}
                (Section::List, _) => {
                    workers.selected =
                        workers.selected.saturating_add_signed(step).min(workers.order.len().saturating_sub(1));
                    return workers::rest(state, now.instant);
                }
                (Section::Details(at), _) => {
                    workers.section = Section::Details(at.saturating_add_signed(step).min(rows.saturating_sub(1)));
                }
            }
        }
        Screen::History => {
            let last = state.history.order.len().saturating_sub(1);
            state.history.selected = state.history.selected.saturating_add_signed(step).min(last);
        }
        Screen::Profile => {
            if let Some(profile) = &mut state.profile {
                profile.walk(command, times);
            }
        }
        Screen::Welcome => {}
    }
    Vec::new()
}

fn next_pane(state: &mut State, backwards: bool) -> Vec<Effect> {
    match &mut state.front {
        Some(Front::Form(form)) => form.tab(backwards),
        Some(Front::Export(dialog)) => dialog.tab(backwards),
        Some(_) => {}
        None => match state.screen {
            Screen::Workers => state.workers.section = workers::next_section(state, backwards),
            Screen::Profile => {
                if let Some(profile) = state.profile.as_mut().filter(|p| p.sandwich.is_none()) {
                    profile.next_pane();
                }
            }
            Screen::History | Screen::Welcome => {}
        },
    }
    Vec::new()
}

fn copy_name(state: &mut State) -> Vec<Effect> {
    let text = match (&state.front, state.screen) {
        (Some(Front::Failure(failure)), _) => Some(failure.text()),
        (Some(Front::Hints(at)), _) => {
            let hint = state.profile.as_ref().and_then(|profile| profile.hints.list.get(*at));
            hint.map(|hint| format!("{}\n{}", hint.text, hint.why))
        }
        (_, Screen::Workers) => match state.workers.section {
            Section::List => state.workers.current().map(|w| w.name.clone()),
            Section::Details(at) => detail_rows(state).get(at).map(|row| match row {
                DetailRow::Version(v) => v.id.clone(),
                DetailRow::Namespace(n) => n.namespace.id.clone(),
                DetailRow::Capture(c) => c.path.display().to_string(),
            }),
        },
        (_, Screen::History) => state.history.current().map(|c| c.path.display().to_string()),
        (_, Screen::Profile) => {
            state.profile.as_ref().and_then(|p| Some(p.reading.frames.name(p.selected_frame()?).to_owned()))
        }
        (_, Screen::Welcome) => None,
    };
    copy(state, text)
}

fn copy(state: &mut State, text: Option<String>) -> Vec<Effect> {
    text.map_or_else(Vec::new, |text| vec![Effect::Copy(state.fresh_id(), text)])
}

fn refresh(state: &mut State, now: Moment) -> Vec<Effect> {
    if let Some(Front::Failure(failure)) = &state.front {
        let failure = failure.clone();
        state.front = None;
        return answer::again(state, failure, now);
    }
    match state.screen {
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

fn sort(state: &mut State, reverse: bool) -> Vec<Effect> {
    match state.screen {
        Screen::Workers if reverse => {
            state.workers.reverse = !state.workers.reverse;
            state.workers.arrange();
        }
        Screen::Workers => state.workers.next_sort(),
        Screen::History if reverse => {
            state.history.reverse = !state.history.reverse;
            state.history.arrange();
        }
        Screen::History => state.history.next_sort(),
        Screen::Profile => {
            if let Some(profile) = &mut state.profile {
                let frame = profile.table.current().map(|row| row.frame);
                if reverse {
                    profile.table.reverse = !profile.table.reverse;
                } else {
                    profile.table.next_sort();
                }
                profile.table.arrange(&profile.reading, profile.search.as_ref(), frame);
            }
        }
        Screen::Welcome => {}
    }
    Vec::new()
}

/// Opens the capture form for what is selected.
fn open_form(state: &mut State, now: Moment) -> Vec<Effect> {
    if state.session.origin == Origin::Offline {
        state.warn("A capture needs a Cloudflare account: set CLOUDFLARE_API_TOKEN and start again.");
        return Vec::new();
    }
    if state.capturing.is_some() {
        state.front = Some(Front::Capturing);
        return Vec::new();
    }
    let worker = match state.screen {
        Screen::Workers => state.workers.current().map(|w| w.name.clone()),
        Screen::History => state.history.current().map(|c| c.worker.clone()),
        _ => state.profile.as_ref().and_then(|p| p.source.capture.as_ref()).map(|c| c.worker.clone()),
    };
    let Some(at) = worker.as_ref().and_then(|name| state.workers.rows.iter().position(|w| w.name == *name)) else {
        state.warn("This is no Worker of this account: nothing to capture from.");
        return Vec::new();
    };
    let worker = state.workers.rows[at].clone();
    if worker.deployed_on.is_none() {
        state.warn(format!("{} was never deployed: there is nothing to capture.", worker.name));
        return Vec::new();
    }
    let known = state.workers.details_of(&worker.name).cloned();
    let asks = known.is_none();
    let mut form = Form::new(worker.name.clone(), known.unwrap_or_default(), state.workers.rate_of(&worker.name));
    match (state.screen, state.workers.section) {
        (Screen::Workers, Section::Details(at)) => match detail_rows(state).get(at) {
            Some(DetailRow::Version(chosen)) => {
                form.version = form.details.versions.iter().position(|v| v.id == chosen.id).unwrap_or(0);
            }
            Some(DetailRow::Namespace(chosen)) => {
                let place = form.details.namespaces.iter().position(|n| n.namespace.id == chosen.namespace.id);
                if let Some(place) = place {
                    form.choose_class(place);
                }
            }
            _ => {}
        },
        (Screen::History, _) => form.kind = state.history.current().and_then(|c| c.kind).unwrap_or(Kind::Cpu),
        (Screen::Profile, _) => form.kind = state.profile.as_ref().map_or(Kind::Cpu, ProfileState::kind),
        _ => {}
    }
    state.front = Some(Front::Form(form));
    if let Some(place) = state.workers.order.iter().position(|&row| row == at) {
        state.workers.selected = place;
    }
    if asks { workers::ask_details(state, now.instant) } else { Vec::new() }
}

fn open(state: &mut State, now: Moment) -> Vec<Effect> {
    if let Some(Front::Picker(_)) = &state.front {
        // A theme is in force since it was previewed.
        uncover(state);
        return Vec::new();
    }
    let capture = match state.screen {
        Screen::History => state.history.current().cloned(),
        Screen::Workers => match state.workers.section {
            Section::List => {
                if !detail_rows(state).is_empty() {
                    state.workers.section = Section::Details(0);
                }
                return Vec::new();
            }
            Section::Details(at) => match detail_rows(state).get(at) {
                Some(DetailRow::Capture(capture)) => Some((*capture).clone()),
                Some(_) => return open_form(state, now),
                None => None,
            },
        },
        _ => None,
    };
    let Some(capture) = capture else { return Vec::new() };
    let id = state.fresh_id();
    state.opening = Some(id);
    vec![Effect::OpenCapture(id, Box::new(capture))]
}

fn write_export(state: &mut State) -> Vec<Effect> {
    let id = state.fresh_id();
    let (Some(Front::Export(dialog)), Some(profile)) = (&mut state.front, &state.profile) else { return Vec::new() };
    if dialog.path.text.trim().is_empty() {
        dialog.field = ExportField::File;
        return Vec::new();
    }
    let caption = std::iter::once(profile.source.name.clone()).chain(profile.facts()).collect::<Vec<_>>().join(" · ");
    let job = ExportJob {
        format: dialog.chosen(),
        whole: dialog.whole,
        path: dialog.path.text.trim().into(),
        overwrite: dialog.exists,
        profile: std::sync::Arc::clone(&profile.source.profile),
        view: profile.read_view.clone(),
        reading: std::sync::Arc::clone(&profile.reading),
        root: profile.zoom,
        caption,
    };
    vec![Effect::Export(id, Box::new(job))]
}

/// Goes to the next match, heaviest first.
pub(super) fn next_match(state: &mut State, backwards: bool) {
    let Some(profile) = &mut state.profile else { return };
    let zoom = profile.zoom;
    let Some(search) = &mut profile.search else { return };
    match search.step(&profile.reading, zoom, backwards) {
        Some(node) => {
            let place = search.place();
            let (search, zooms) = (profile.search.take(), profile.zoom);
            profile.go_to(node);
            profile.search = search;
            if profile.zoom != zooms
                && let Some(search) = &mut profile.search
            {
                search.set_zoom(&profile.reading, profile.zoom);
            }
            if let Some((at, of)) = place {
                state.say(format!("match {at} of {of}, heaviest first"));
            }
        }
        None => state.say("No frame matches here."),
    }
}

/// What the keys for zooming and for the other panes mean between callers and callees; `None`: what they always mean.
fn in_sandwich(state: &mut State, command: Command) -> Option<Vec<Effect>> {
    let profile = state.profile.as_mut()?;
    let frame = profile.selected_frame();
    let Some(sandwich) = &profile.sandwich else {
        if command == Command::Sandwich {
            return Some(frame.map_or_else(Vec::new, |frame| vec![state.slice(frame)]));
        }
        return None;
    };
    match command {
        Command::ZoomIn => {
            let other = frame.filter(|frame| *frame != sandwich.sandwich.frame);
            Some(other.map_or_else(Vec::new, |frame| vec![state.slice(frame)]))
        }
        Command::Sandwich | Command::ZoomOut | Command::ShowWhole | Command::Layout => {
            profile.sandwich = None;
            Some(Vec::new())
        }
        // There is no table beside it, nor a zoom that matches could be brought into.
        Command::TableLarger | Command::TableSmaller | Command::NextMatch | Command::PreviousMatch => Some(Vec::new()),
        _ => None,
    }
}

/// Commands that only a profile has.
fn in_profile(state: &mut State, command: Command, times: u32) -> Vec<Effect> {
    use Command as C;
    if let Some(wishes) = in_sandwich(state, command) {
        return wishes;
    }
    match command {
        C::NextMatch | C::PreviousMatch => {
            if state.profile.as_ref().is_some_and(|p| p.search.is_none()) {
                state.say("Nothing is searched for: / does that, * searches for the selected function.");
            }
            for _ in 0..times.min(1_000) {
                next_match(state, command == C::PreviousMatch);
            }
            return Vec::new();
        }
        C::Export => {
            let dialog = state.profile.as_ref().map(ExportDialog::new);
            state.front = dialog.map(Front::Export);
            return Vec::new();
        }
        C::Details => return over(state, Front::Details(0)),
        C::NextHint => return hints::next(state),
        C::AllHints => {
            hints::all(state);
            return Vec::new();
        }
        C::GoToHint => {
            return match state.front {
                Some(Front::Hints(at)) => hints::go_to(state, at),
                _ => Vec::new(),
            };
        }
        C::CopyCommand => {
            let command = state.profile.as_ref().and_then(ProfileState::command);
            if command.is_none() {
                state.say("What came from standard input has no command that shows it again.");
            }
            return copy(state, command);
        }
        C::CopyStack => {
            let stack = state.profile.as_ref().map(|p| p.stack().join("\n"));
            return copy(state, stack);
        }
        _ => {}
    }
    let Some(profile) = &mut state.profile else { return Vec::new() };
    let mut said = None;
    let reads = match command {
        C::ZoomIn => {
            profile.zoom_in();
            false
        }
        C::GoToFrame => {
            if let Some(frame) = profile.table.current().map(|row| row.frame) {
                profile.show_in_icicle(frame, state.size);
            }
            false
        }
        C::ZoomOut => {
            for _ in 0..times {
                if !profile.zoom_out() {
                    said = Some("This is the whole capture.".to_owned());
                    break;
                }
            }
            false
        }
        C::ShowWhole => {
            profile.show_whole();
            false
        }
        C::Layout => {
            said = Some(profile.next_shape(state.size));
            false
        }
        C::TableLarger | C::TableSmaller => {
            let step = if command == C::TableLarger { 1 } else { -1 };
            profile.make_larger(step * i16::try_from(times).unwrap_or(1));
            false
        }
        C::Order => {
            profile.order = if profile.order == Order::Weight { Order::Name } else { Order::Weight };
            profile.only = None;
            profile.lay_out();
            false
        }
        C::Colours => {
            profile.colours = match profile.colours {
                ColourBy::Name => ColourBy::Package,
                ColourBy::Package => ColourBy::SelfShare,
                ColourBy::SelfShare => ColourBy::Name,
            };
            false
        }
        C::PercentBase => {
            profile.percent_base = match profile.percent_base {
                PercentBase::Capture => PercentBase::Zoom,
                PercentBase::Zoom => PercentBase::Shown,
                PercentBase::Shown => PercentBase::Capture,
            };
            said = Some(format!("per cents {}", profile.base().1));
            false
        }
        C::SearchSelected => {
            if let Some(frame) = profile.selected_frame() {
                let text = profile.reading.frames.name(frame).to_owned();
                let query = Query { text, mode: Mode::Substring };
                profile.search = Some(Search::new(query, &profile.reading, profile.zoom));
                profile.table.filter(profile.search.as_ref(), Some(frame));
            }
            false
        }
        C::Focus => profile.add_filter(Filter::Focus),
        C::Ignore => profile.add_filter(Filter::Ignore),
        C::Hide => profile.add_filter(Filter::Hide),
        C::ShowFrom => profile.add_filter(Filter::ShowFrom),
        C::UndoFilter => {
            let undone = profile.undo_filter();
            if !undone {
                said = Some("No filter is set.".to_owned());
            }
            undone
        }
        C::ClearFilters => profile.clear_filters(),
        C::FoldRecursion => {
            profile.view.fold_recursion = !profile.view.fold_recursion;
            true
        }
        C::ShowIdle => {
            profile.view.hide_idle = !profile.view.hide_idle;
            true
        }
        C::SampleType => {
            let more = profile.next_sample_type();
            if !more {
                said = Some("This profile has one sample type only.".to_owned());
            }
            more
        }
        C::RowsBy => {
            profile.next_identity();
            true
        }
        C::BottomUp => {
            profile.turn();
            true
        }
        _ => false,
    };
    let id = state.fresh_id();
    let mut wishes = Vec::new();
    if reads && let Some(profile) = &mut state.profile {
        wishes.push(profile.ask(id));
    }
    if let Some(said) = said {
        state.say(said);
    }
    wishes
}
