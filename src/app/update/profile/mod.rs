//! The open profile: its commands, and the responses that it waits for.

pub(crate) mod compare;
pub(crate) mod hints;
mod opening;
mod view;

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::interpret::{is_offered, screen_context};
use crate::app::keys::command::Command;
use crate::app::keys::message::message;
use crate::app::load::Load;
use crate::app::load::failure::Failure;
use crate::app::overlays::Overlay;
use crate::app::screens::profile::display::Pane;
use crate::app::screens::profile::effect::ProfileResponse;
use crate::app::screens::profile::sandwich::SandwichState;
use crate::app::screens::profile::search::Search;
use crate::app::screens::profile::source::MapNames;
use crate::app::screens::profile::source_view::CodeState;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::ranking::Sort;
use crate::model::graph::view::View;

/// Matches that a count goes through at most.
const MATCHES_MAX: u32 = 1_000;

/// Runs a command that only a profile has, and remembers the view that it leaves.
pub(crate) fn run(state: &mut State, command: Command, times: u32) -> Option<Effect> {
    if matches!(command, Command::ViewBack | Command::ViewForward) {
        return step(state, command == Command::ViewForward);
    }
    let before = state.profile.as_ref().map(ProfileState::place);
    let effect = run_here(state, command, times);
    if let (Some(before), Some(profile)) = (before, &mut state.profile) {
        profile.remember(before);
    }
    effect
}

/// Goes to the view before or after.
fn step(state: &mut State, forward: bool) -> Option<Effect> {
    let profile = state.profile.as_mut()?;
    match profile.step(forward) {
        Some(true) => requests::view(state),
        Some(false) => None,
        None => {
            let which = if forward { "later" } else { "earlier" };
            state.say(format!("There is no {which} view."));
            None
        }
    }
}

fn run_here(state: &mut State, command: Command, times: u32) -> Option<Effect> {
    let profile = state.profile.as_ref();
    let is_comparison = profile.is_some_and(|profile| profile.compare.is_some());
    if is_comparison && !is_offered(screen_context(state), command) {
        // Its values are changes, which hints and the like would take for a capture's.
        return None;
    }
    if profile.is_some_and(|profile| profile.code.is_some()) {
        run_in_code(state, command, times);
        return None;
    }
    if let Some(effect) = run_in_sandwich(state, command) {
        return effect;
    }
    run_on_selection(state, command, times)
}

/// Runs a command while the source of a function is shown.
fn run_in_code(state: &mut State, command: Command, times: u32) {
    let size = state.size;
    let Some(profile) = &mut state.profile else {
        return;
    };
    match (command, &mut profile.code) {
        (Command::NextMatch | Command::PreviousMatch, Some(code)) => {
            let mut said = String::new();
            for _ in 0..times.min(MATCHES_MAX) {
                said = code.next(command == Command::PreviousMatch, size);
            }
            state.say(said);
        }
        (Command::CloseSource, _) => profile.code = None,
        _ => {}
    }
}

/// Runs a command that means something else between callers and callees; `None` if it means what it always does.
fn run_in_sandwich(state: &mut State, command: Command) -> Option<Option<Effect>> {
    use Command as C;
    let profile = state.profile.as_mut()?;
    let frame = profile.selected_frame();
    match (command, &profile.sandwich) {
        (C::Sandwich, None) => Some(frame.and_then(|frame| requests::sandwich(state, frame))),
        (_, None) => None,
        (C::ZoomIn, Some(sandwich)) => {
            let shown = sandwich.sandwich.frame;
            let Some(other) = frame.filter(|frame| *frame != shown) else {
                return Some(None);
            };
            if let Some(sandwich) = &mut profile.sandwich {
                sandwich.before.push(shown);
            }
            Some(requests::sandwich(state, other))
        }
        (C::ZoomOut, Some(_)) => {
            let before = profile.sandwich.as_mut().and_then(|s| s.before.pop());
            if before.is_none() {
                profile.sandwich = None;
            }
            Some(before.and_then(|frame| requests::sandwich(state, frame)))
        }
        (C::Sandwich | C::ShowWhole | C::Layout, Some(_)) => {
            profile.sandwich = None;
            Some(None)
        }
        (C::NextMatch | C::PreviousMatch, Some(_)) => {
            let lit = profile.search.as_ref().and_then(Search::lit);
            if let (Some(lit), Some(sandwich)) = (lit, &mut profile.sandwich)
                && !sandwich.next_match(lit, command == C::PreviousMatch)
            {
                state.say("No frame matches here.");
            }
            Some(None)
        }
        // There is no table beside it.
        (C::TableLarger | C::TableSmaller, Some(_)) => Some(None),
        _ => None,
    }
}

/// Runs a command on the selected function, on hints, names or exports; others change the view.
fn run_on_selection(state: &mut State, command: Command, times: u32) -> Option<Effect> {
    use Command as C;
    match command {
        C::NextMatch | C::PreviousMatch => {
            for _ in 0..times.min(MATCHES_MAX) {
                next_match(state, command == C::PreviousMatch);
            }
        }
        C::Export => opening::open_export(state),
        C::Details => {
            let id = state.fresh_id();
            let profile = state.profile.as_mut();
            let lines = profile.and_then(|profile| profile.request_lines(id));
            state.push_overlay(Overlay::Details(0));
            return lines.map(|lines| Effect::Profile(id, lines));
        }
        C::SourceView => {
            let id = state.fresh_id();
            match state.profile.as_mut()?.request_code(id) {
                Ok(code) => return Some(Effect::Profile(id, code)),
                Err(why) => state.say(why),
            }
        }
        C::LoadMap => hints::type_map(state),
        C::OriginalNames => return switch_names(state),
        C::NextHint => return hints::next(state),
        C::AllHints => hints::all(state),
        C::GoToHint => {
            if let Some(&Overlay::Hints(at)) = state.overlays.top() {
                return hints::go_to(state, at);
            }
        }
        C::CopyCommand => {
            let command = state.profile.as_ref()?.command();
            let Some(command) = command else {
                state.say("What came from standard input has no command that shows it again.");
                return None;
            };
            return Some(requests::copy(state, &command));
        }
        C::CopyStack => {
            let stack = state.profile.as_ref()?.stack().join("\n");
            return Some(requests::copy(state, &stack));
        }
        _ => return view::change(state, command, times),
    }
    None
}

/// Ends the typing of a search at its first match, unless another was gone to meanwhile.
pub(crate) fn accept_search(state: &mut State) {
    let Some(profile) = &mut state.profile else {
        return;
    };
    profile.clear_empty_search();
    let Some(search) = &profile.search else {
        return;
    };
    search.query.typed().clone_into(&mut profile.last_search);
    if search.error.is_none() && search.place().is_none() {
        next_match(state, false);
        let search = state.profile.as_ref().and_then(|p| p.search.as_ref());
        if search.is_some_and(|search| search.place().is_some()) {
            // The search in force says more than which match this is.
            state.notice = None;
        }
    }
}

/// Returns the command that leads back to the screen that the profile was opened from; `None` while a step out of a zoom or
/// of something over the profile comes first.
pub(crate) fn way_back(state: &State) -> Option<Command> {
    let profile = state.profile.as_ref()?;
    let is_whole = profile.code.is_none()
        && profile.sandwich.is_none()
        && profile.compare.is_none()
        && profile.zooms.is_empty();
    let back = match profile.back {
        Screen::History => Command::GoCaptures,
        _ => Command::GoWorkers,
    };
    is_whole.then_some(back)
}

/// Goes to the next match, heaviest first.
pub(crate) fn next_match(state: &mut State, backwards: bool) {
    let Some(profile) = &mut state.profile else {
        return;
    };
    let zoom = profile.zoom;
    let Some(search) = &mut profile.search else {
        state.say(message![
            "No search yet: ",
            Command::Search,
            " starts one, ",
            Command::SearchSelected,
            " searches for the selected function.",
        ]);
        return;
    };
    let Some(node) = search.step(&profile.reading, zoom, backwards) else {
        state.say("No frame matches here.");
        return;
    };
    let place = search.place();
    let search = profile.search.take();
    profile.go_to(node);
    profile.search = search;
    if profile.zoom != zoom
        && let Some(search) = &mut profile.search
    {
        search.set_zoom(&profile.reading, profile.zoom);
        profile.rank_rows(profile.selected_frame());
    }
    if let Some((at, of)) = place {
        state.say(format!("match {at} of {of}, heaviest first"));
    }
}

/// Switches between the names of the source and of the bundle.
fn switch_names(state: &mut State) -> Option<Effect> {
    let Some(said) = state.profile.as_mut()?.turn_names() else {
        state.say(message![
            "No source map is loaded; ",
            Command::LoadMap,
            " loads one.",
        ]);
        return None;
    };
    state.say(said);
    requests::view(state)
}

/// Loads a source map.
pub(crate) fn load_map(state: &mut State, path: PathBuf) -> Option<Effect> {
    let id = state.fresh_id();
    let profile = state.profile.as_mut()?;
    Some(Effect::Profile(id, profile.request_map(id, path)))
}

/// Leaves the source, the sandwich, the search or the comparison, whichever is on top.
pub(crate) fn step_back(state: &mut State) {
    let Some(profile) = &mut state.profile else {
        return;
    };
    if let Some(code) = &mut profile.code {
        if code.search.is_empty() {
            profile.code = None;
        } else {
            code.search.clear();
        }
    } else if profile.sandwich.is_some() {
        profile.sandwich = None;
    } else if profile.search.is_some() {
        profile.clear_search();
    } else if profile.compare.is_some() {
        compare::end(state);
    }
}

/// Sorts the table by the next column, or reverses the order.
pub(crate) fn sort(state: &mut State, reverse: bool) {
    let Some(profile) = &mut state.profile else {
        return;
    };
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

/// Applies a response.
pub(crate) fn on_response(state: &mut State, id: RequestId, response: ProfileResponse) -> Outcome {
    match response {
        ProfileResponse::Opened(opened) => return opening::on_opened(state, id, *opened),
        ProfileResponse::Compared(compared) => compare::on_compared(state, id, *compared),
        ProfileResponse::Read(view, reading) => return on_view(state, id, *view, reading).into(),
        ProfileResponse::Mapped(names) => return on_names(state, id, names).into(),
        ProfileResponse::Sandwich(sandwich) => {
            if let Some(profile) = state.profile.as_mut().filter(|p| p.slicing == Some(id)) {
                profile.slicing = None;
                profile.pane = Pane::Icicle;
                let before = profile.sandwich.take().map(|shown| shown.before);
                profile.sandwich = Some(SandwichState {
                    before: before.unwrap_or_default(),
                    ..SandwichState::new(sandwich)
                });
            }
        }
        ProfileResponse::Hints(list, headline) => {
            if let Some(profile) = &mut state.profile
                && profile.hints.take(id, list)
            {
                profile.headline.take(headline.map(|headline| *headline));
            }
        }
        ProfileResponse::Since(since) => {
            let profile = state.profile.as_mut();
            if let Some(profile) = profile.filter(|p| p.headline.pending == Some(id)) {
                profile.headline.pending = None;
                profile.headline.since = since.map(|since| *since);
            }
        }
        ProfileResponse::Lines(lines) => {
            if let Some(profile) = state.profile.as_mut().filter(|p| p.lines.awaits(id)) {
                profile.lines = Load::Ready(lines);
            }
        }
        ProfileResponse::Code(code) => {
            let size = state.size;
            if let Some(profile) = state.profile.as_mut().filter(|p| p.coding == Some(id)) {
                profile.coding = None;
                profile.code = Some(CodeState::new(code, size));
            }
        }
    }
    Outcome::default()
}

/// Shows the computed view. A sandwich is computed again, under the new filters.
fn on_view(state: &mut State, id: RequestId, view: View, reading: Arc<Reading>) -> Option<Effect> {
    let profile = state
        .profile
        .as_mut()
        .filter(|profile| profile.pending == Some(id))?;
    let same_names =
        profile.view.by == view.by && profile.reading.frames.len() == reading.frames.len();
    profile.take(view, reading);
    let sandwich = profile.sandwich.take().filter(|_| same_names)?;
    requests::sandwich(state, sandwich.sandwich.frame)
}

/// Shows the names that source maps gave, or says why they gave none.
fn on_names(
    state: &mut State,
    id: RequestId,
    names: Result<Box<MapNames>, String>,
) -> Option<Effect> {
    let profile = state
        .profile
        .as_mut()
        .filter(|profile| profile.mapping == Some(id))?;
    profile.mapping = None;
    match names {
        Ok(names) => {
            let said = names.summary.clone();
            profile.adopt(*names);
            state.say(said);
            requests::view(state)
        }
        Err(why) => {
            state.warn(why);
            None
        }
    }
}

/// A profile could not be opened, or a view, source or map not be computed.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    failure: Failure,
    _: Moment,
) -> Result<Outcome, Failure> {
    if state
        .profiles
        .opening
        .take_if(|opening| *opening == id)
        .is_some()
    {
        // Which two were to be compared no longer matters.
        state.notice = None;
        state.clear_overlays();
        state.overlays.open(Overlay::Failure(failure.with_step()));
        return Ok(Outcome::default());
    }
    if state
        .profiles
        .exporting
        .take_if(|exporting| *exporting == id)
        .is_some()
    {
        state.overlays.push(Overlay::Failure(failure.with_step()));
        return Ok(Outcome::default());
    }
    let waits = |pending: Option<RequestId>| pending == Some(id);
    match &mut state.profile {
        Some(profile) if waits(profile.pending) || waits(profile.slicing) => {
            profile.give_up_pending();
        }
        Some(profile) if waits(profile.mapping) || waits(profile.coding) => {
            (profile.mapping, profile.coding) = (None, None);
        }
        _ => return Err(failure),
    }
    state.warn(failure.message);
    Ok(Outcome::default())
}
