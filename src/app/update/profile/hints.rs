//! The hints of the open profile: shown one at a time, or all of them.

use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::keys::message::{message, outside};
use crate::app::overlays::Overlay;
use crate::app::screens::profile::hints::Hints;
use crate::app::state::State;
use crate::app::update::requests;
use crate::model::graph::view::Direction;
use crate::model::insights::InsightKind;

/// Goes to the place of the current hint; after that, to the next one's.
pub(crate) fn next(state: &mut State) -> Option<Effect> {
    let Some(profile) = &state.profile else {
        return None;
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

/// Shows all hints with the current one selected, or closes them.
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

/// Makes a hint the current one and goes to its place, if it has one.
pub(crate) fn go_to(state: &mut State, at: usize) -> Option<Effect> {
    let size = state.size;
    let Some(profile) = &mut state.profile else {
        return None;
    };
    let Some(hint) = profile.hints.list.get(at) else {
        if profile.hints.list.is_empty() {
            state.say("There is no hint for this profile.");
        }
        return None;
    };
    let (kind, function) = (hint.insight.kind, hint.insight.function.clone());
    (profile.hints.at, profile.hints.visited) = (at, true);
    state.overlays.clear();
    match (kind, function) {
        (InsightKind::NoCulprit, _) => {
            if profile.view.direction == Direction::TopDown {
                profile.turn();
                profile.sandwich = None;
                return requests::view(state);
            }
        }
        (InsightKind::Minified, _) => type_map(state),
        (_, Some(function)) => match profile.frame_of(&function) {
            Some(frame) => profile.show_in_icicle(frame, size),
            None => state.say(message![outside(function.name), " is not in this view."]),
        },
        (_, None) => {}
    }
    None
}

/// Opens the line for a source map's file, with the one that is in force.
pub(crate) fn type_map(state: &mut State) {
    let Some(profile) = &state.profile else {
        return;
    };
    let names = profile.source.names.as_ref();
    let path = names
        .and_then(|names| names.paths.first())
        .map(|path| path.to_string_lossy().into_owned());
    state.overlays.clear();
    state.input = Some(Input::new(Purpose::SourceMap, path.unwrap_or_default()));
}
