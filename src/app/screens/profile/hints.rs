//! The hints of the open profile: asked for when its view changes, told one at a time, gone to by key.

use std::sync::Arc;
use std::time::Duration;

use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::Front;
use crate::app::screens::profile::ProfileState;
use crate::app::state::Moment;
use crate::app::state::State;
use crate::model::graph::frames::FrameId;
use crate::model::graph::view::{Direction, Identity};
use crate::model::insights::{Context, FunctionName, Hint, Place};

/// Traffic figures say something about a capture only if both are of about the same time.
const FIGURES_AGE_MAX: Duration = Duration::from_secs(30 * 60);

/// What is known of a profile's hints.
#[derive(Debug)]
pub struct Hints {
    /// The hints, the most useful first.
    pub list: Vec<Hint>,
    /// The one that is told; a place in `list`.
    pub at: usize,
    /// Whether it was gone to: the next key goes on.
    visited: bool,
    /// Whether the reading was not yet looked at.
    wanted: bool,
    pending: Option<RequestId>,
}

impl Hints {
    /// No hints yet, but they are wanted.
    #[must_use]
    pub(crate) const fn new() -> Self {
        Self {
            list: Vec::new(),
            at: 0,
            visited: false,
            wanted: true,
            pending: None,
        }
    }

    /// The hint that is told.
    #[must_use]
    pub fn current(&self) -> Option<&Hint> {
        self.list.get(self.at)
    }

    /// Takes the hints that were asked for under this number; the one that was told stays if it is among them.
    pub(crate) fn take(&mut self, id: RequestId, list: Vec<Hint>) {
        if self.pending != Some(id) {
            return;
        }
        self.pending = None;
        let same = self
            .current()
            .and_then(|told| list.iter().position(|hint| hint.kind == told.kind));
        self.visited &= same.is_some();
        self.at = same.unwrap_or(0);
        self.list = list;
    }
}

impl ProfileState {
    /// Wants new hints if the shown view is one that they can be read from; else those that are there stay.
    pub(crate) fn want_hints(&mut self) {
        self.hints.wanted |= self.tells_hints();
    }

    /// Whether hints can be read from the shown view.
    pub(crate) fn tells_hints(&self) -> bool {
        let view = &self.read_view;
        let by_function = matches!(view.by, Identity::Function | Identity::Name);
        by_function && view.direction == Direction::TopDown && self.compare.is_none()
    }

    /// The shown frame that a hint speaks of; another of its name where rows are told apart otherwise.
    fn frame_of(&self, function: &FunctionName) -> Option<FrameId> {
        let frames = &self.reading.frames;
        let shown = || self.table.rows.iter().map(|row| row.frame);
        shown()
            .find(|frame| function.is(&frames.info(*frame)))
            .or_else(|| shown().find(|frame| frames.name(*frame) == function.name))
    }
}

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
    if matches!(state.front, Some(Front::Hints(_))) {
        state.front = None;
        return;
    }
    let Some(profile) = &state.profile else {
        return;
    };
    let at = profile.hints.at;
    if profile.hints.list.is_empty() {
        state.say("There is no hint for this profile.");
    } else {
        state.front = Some(Front::Hints(at));
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
    state.front = None;
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
        Some(Place::SourceMap) => crate::app::update::type_map(state),
        Some(Place::BottomUp) | None => {}
    }
    Vec::new()
}
