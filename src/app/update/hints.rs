//! The hints of the open profile: requested when its view changes, shown one at a time.

use std::sync::Arc;

use crate::app::core::clock::Moment;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::screens::profile::hints::{FIGURES_AGE_MAX, Hints};
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::model::graph::view::Direction;
use crate::model::insights::{Context, Place};

/// Asks for the hints of a view that has none yet. Not part of reading it: the picture does not wait for them.
pub(crate) fn ask(state: &mut State, now: Moment) -> Option<Effect> {
    let profile = state
        .profile
        .as_ref()
        .filter(|profile| profile.hints.wanted && profile.compare.is_none())?;
    let context = Box::new(context(state, profile, now));
    let id = state.fresh_id();
    let profile = state.profile.as_mut()?;
    profile.hints.wanted = false;
    profile.hints.pending = Some(id);
    Some(Effect::Hints(
        id,
        Arc::clone(&profile.source.profile),
        Arc::clone(&profile.reading),
        context,
    ))
}

/// Goes to the place of the hint that is told; if that was gone to already, to the next one's.
pub(crate) fn next(state: &mut State) -> Vec<Effect> {
    let Some(profile) = &state.profile else {
        return Vec::new();
    };
    let Hints {
        list, at, visited, ..
    } = &profile.hints;
    let at = if *visited {
        (at + 1) % list.len().max(1)
    } else {
        *at
    };
    go_to(state, at)
}

/// Shows all hints, the one that is told selected, or takes them away again.
pub(crate) fn all(state: &mut State) {
    if matches!(state.overlays.top(), Some(Overlay::Hints(_))) {
        state.overlays.close();
        return;
    }
    let Some(profile) = &state.profile else {
        return;
    };
    let at = profile.hints.at;
    if profile.hints.list.is_empty() {
        state.say("There is no hint for this profile.");
    } else {
        state.overlays.open(Overlay::Hints(at));
    }
}

/// Tells a hint and goes to its place, where it has one.
pub(crate) fn go_to(state: &mut State, at: usize) -> Vec<Effect> {
    let size = state.size;
    let Some(profile) = &mut state.profile else {
        return Vec::new();
    };
    let Some(hint) = profile.hints.list.get(at) else {
        if profile.hints.list.is_empty() {
            state.say("There is no hint for this profile.");
        }
        return Vec::new();
    };
    let place = hint.goes_to.clone();
    (profile.hints.at, profile.hints.visited) = (at, true);
    state.overlays.clear();
    match place {
        Some(Place::Function(function)) => match profile.frame_of(&function) {
            Some(frame) => profile.show_in_icicle(frame, size),
            None => state.say(format!("{} is not in this view.", function.name)),
        },
        Some(Place::BottomUp) if profile.view.direction == Direction::TopDown => {
            profile.turn();
            profile.sandwich = None;
            let id = state.fresh_id();
            return state
                .profile
                .iter_mut()
                .map(|profile| profile.ask(id))
                .collect();
        }
        Some(Place::SourceMap) => crate::app::update::prompt::type_map(state),
        Some(Place::BottomUp) | None => {}
    }
    Vec::new()
}

/// What is known of the profile beside its bytes.
pub(crate) fn context(state: &State, profile: &ProfileState, now: Moment) -> Context {
    let has_source_map = profile.source.names.is_some();
    let Some(capture) = &profile.source.capture else {
        return Context {
            has_source_map,
            ..Context::default()
        };
    };
    let is_recent = now
        .wall
        .duration_since(capture.answered_at)
        .is_ok_and(|age| age < FIGURES_AGE_MAX);
    // Requests of an object are not among its Worker's.
    let asks = is_recent && capture.figures.is_none() && capture.object.is_none();
    let worker = state
        .workers
        .rows
        .iter()
        .find(|worker| asks && worker.name == capture.worker);
    let figures = capture.figures.or(worker.and_then(|worker| worker.figures));
    Context {
        figures,
        has_source_map,
        ..Context::of(capture)
    }
}
