//! Comparing the open profile, or a capture, with another capture: which two, how, and the way back.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::app::action::Compared;
use crate::app::effect::{CompareJob, CompareSide, ComparedJob};
use crate::app::effect::{Effect, RequestId};
use crate::app::screens::history::baseline::Natural;
use crate::app::screens::profile::{ProfileState, Selection, Source};
use crate::app::state::{Screen, State};
use crate::model::cloudflare::Capture;
use crate::model::diff::{Change, Comparison, Normalise, Width};
use crate::model::graph::frames::{Family, FrameId};
use crate::model::graph::ranking::Sort;

/// What a profile is compared with.
#[derive(Debug)]
pub struct CompareState {
    /// The profile that it is compared with.
    pub base: Source,
    /// What came out.
    pub comparison: Arc<Comparison>,
    /// What changed in each frame, by its id; `None` for frames that nothing shown is in.
    changes: Vec<Option<Change>>,
    /// The largest change upwards and the largest downwards of a function's own value.
    pub largest: (Option<Change>, Option<Change>),
    /// Whether totals are to be made equal, and what widths are to tell.
    wanted: (Normalise, Width),
    /// The same of what is shown.
    shown: (Normalise, Width),
    /// The screen that it was asked for on.
    back: Screen,
}

impl CompareState {
    fn new(
        base: Source,
        comparison: Arc<Comparison>,
        wanted: (Normalise, Width),
        back: Screen,
    ) -> Self {
        let mut changes = vec![None; comparison.reading.frames.len()];
        let ranked = comparison.changes();
        for change in &ranked {
            if let Some(place) = changes.get_mut(change.frame.0 as usize) {
                *place = Some(*change);
            }
        }
        let up = ranked
            .iter()
            .find(|change| change.own.change() > 0)
            .copied();
        let down = ranked
            .iter()
            .find(|change| change.own.change() < 0)
            .copied();
        Self {
            base,
            comparison,
            changes,
            largest: (up, down),
            wanted,
            shown: wanted,
            back,
        }
    }

    /// What changed in a frame.
    #[must_use]
    pub fn change(&self, frame: FrameId) -> Option<&Change> {
        self.changes.get(frame.0 as usize)?.as_ref()
    }

    /// The function whose own value changed most; the runtime's own frames only if there is nothing else.
    fn most_changed(&self) -> Option<FrameId> {
        let frames = &self.comparison.reading.frames;
        let own = |frame: FrameId| !matches!(frames.family(frame), Family::Grey | Family::Gc);
        let changed = self
            .changes
            .iter()
            .flatten()
            .filter(|change| change.own.change() != 0);
        changed
            .max_by_key(|c| {
                (
                    own(c.frame),
                    c.own.change().unsigned_abs(),
                    Reverse(c.frame),
                )
            })
            .map(|c| c.frame)
    }

    /// What widths tell.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.shown.1
    }

    /// Wants equal totals instead of raw values, or the other way round.
    pub(crate) fn switch_totals(&mut self) -> bool {
        self.wanted.0 = if self.comparison.is_normalised() {
            Normalise::Never
        } else {
            Normalise::Always
        };
        true
    }

    /// Wants the next kind of width.
    pub(crate) const fn next_width(&mut self) -> bool {
        self.wanted.1 = match self.wanted.1 {
            Width::Larger => Width::New,
            Width::New => Width::Base,
            Width::Base => Width::Larger,
        };
        true
    }

    /// What is to be known of it to write what changed.
    pub(crate) fn export_job(&self) -> ComparedJob {
        ComparedJob {
            base: Arc::clone(&self.base.profile),
            target: self.base.target(),
            comparison: Arc::clone(&self.comparison),
            wanted: self.shown,
        }
    }

    /// Goes back to what is shown, as what is wanted can't be had.
    pub(crate) const fn give_up(&mut self) {
        self.wanted = self.shown;
    }
}

impl ProfileState {
    /// The comparison as it is wanted now, where one is shown.
    pub(crate) fn compare_job(&self) -> Option<CompareJob> {
        let compare = self.compare.as_ref()?;
        Some(CompareJob {
            base: CompareSide::Open(Box::new(compare.base.clone())),
            new: CompareSide::Open(Box::new(self.source.clone())),
            view: Some(self.view.clone()),
            normalise: compare.wanted.0,
            width: compare.wanted.1,
        })
    }
}

/// Compares the two that are marked, or what is selected or open with the capture before it; ends a comparison that is shown.
pub(crate) fn run(state: &mut State) -> Vec<Effect> {
    if state.screen == Screen::Profile
        && state
            .profile
            .as_ref()
            .is_some_and(|profile| profile.compare.is_some())
    {
        end(state);
        return Vec::new();
    }
    let pair = match state.screen {
        Screen::History => of_history(state),
        _ => of_profile(state),
    };
    match pair {
        Ok((base, new, which)) => {
            state.say(which);
            let id = state.fresh_id();
            state.opening = Some(id);
            let (normalise, width) = (Normalise::ByWindow, Width::Larger);
            vec![Effect::Compare(
                id,
                Box::new(CompareJob {
                    base,
                    new,
                    view: None,
                    normalise,
                    width,
                }),
            )]
        }
        Err(why) => {
            state.warn(why);
            Vec::new()
        }
    }
}

/// Base and new, and a sentence about which the base is.
type Sides = (CompareSide, CompareSide, String);

fn of_history(state: &State) -> Result<Sides, String> {
    let history = &state.history;
    let marked = history.marked();
    let current = history.current().ok_or("There is no capture to compare.")?;
    match marked.as_slice() {
        [] => natural(state, current, kept(current)),
        [one] if one.path == current.path => natural(state, current, kept(current)),
        [one] => Ok(pair(one, current)),
        [one, other] => Ok(pair(one, other)),
        more => Err(format!(
            "Two captures can be compared, and {} are marked: {{mark}} takes a mark away.",
            more.len()
        )),
    }
}

fn of_profile(state: &State) -> Result<Sides, String> {
    let profile = state
        .profile
        .as_ref()
        .ok_or("There is no profile to compare.")?;
    let open = CompareSide::Open(Box::new(profile.source.clone()));
    let here = profile.source.capture.as_ref();
    // One mark in the history names the other one; several were meant for something else.
    if let [marked] = state.history.marked().as_slice()
        && here.is_none_or(|capture| capture.path != marked.path)
    {
        let is_base = here.is_none_or(|capture| marked.answered_at <= capture.answered_at);
        let which = format!("Compared with {}, which is marked", named(marked));
        return Ok(if is_base {
            (kept(marked), open, which + ".")
        } else {
            (
                open,
                kept(marked),
                which + " and newer: this one is the base.",
            )
        });
    }
    match here {
        _ if !profile.source.members.is_empty() => {
            Err("Several captures opened as one have none before them: {go-captures} lists all, {mark} marks two."
                .to_owned())
        }
        Some(capture) => natural(state, capture, open),
        None => Err(
            "A file has no capture before it: {mark} marks one in the history ({go-captures}), then {compare} here."
                .to_owned(),
        ),
    }
}

fn kept(capture: &Capture) -> CompareSide {
    CompareSide::Kept(Box::new(capture.clone()))
}

fn pair(one: &Capture, other: &Capture) -> Sides {
    let (base, new) = if one.answered_at <= other.answered_at {
        (one, other)
    } else {
        (other, one)
    };
    (
        kept(base),
        kept(new),
        format!("The older one is the base: {}.", named(base)),
    )
}

/// The capture to compare with where none is named, and a word on which one that is.
fn natural(state: &State, capture: &Capture, new: CompareSide) -> Result<Sides, String> {
    let Some((other, why)) = state.history.natural_other(capture) else {
        let kind = capture
            .kind
            .map_or_else(|| "other".to_owned(), |kind| kind.to_string());
        return Err(format!(
            "There is no earlier {kind} capture of {} to compare with; {{go-captures}} lists all, {{mark}} marks two.",
            capture.worker
        ));
    };
    let told = format!("Compared with {}: {}.", named(other), why.words());
    Ok(if why == Natural::VersionAfter {
        (new, kept(other), told)
    } else {
        (kept(other), new, told)
    })
}

/// A capture as a sentence names it: its version where known, its day and time.
fn named(capture: &Capture) -> String {
    let day =
        crate::app::core::dates::short_date(crate::app::core::dates::day_of(capture.answered_at));
    let clock = crate::app::core::dates::clock(capture.answered_at);
    let when = format!(
        "{} {}",
        day.trim_start(),
        clock.get(..5).unwrap_or_default()
    );
    let name = capture
        .keeping
        .title
        .clone()
        .or_else(|| crate::app::screens::history::baseline::version(capture));
    name.map_or_else(
        || format!("the one of {when}"),
        |name| format!("{name} of {when}"),
    )
}

/// Shows a comparison, or what is new of the one that is shown. The open profile comes back when it ends.
pub(crate) fn took(state: &mut State, id: RequestId, compared: Compared) {
    let Compared {
        base,
        new,
        view,
        normalise,
        width,
        comparison,
    } = compared;
    let reading = Arc::clone(&comparison.reading);
    let is_normalised = comparison.is_normalised();
    if state.opening == Some(id) {
        state.opening = None;
        let compare = CompareState::new(base, comparison, (normalise, width), state.screen);
        // Its values are changes: it opens on the function that changed most, which may stand in many places.
        let largest = compare.most_changed();
        let mut profile = ProfileState::new(new, view, reading, state.size);
        if let Some(node) = largest.and_then(|frame| profile.heaviest_place(frame)) {
            profile.select(Selection::Node(node));
        }
        let selected = profile.selected_frame();
        profile.table.sort = Sort::SelfValue;
        profile.table.arrange(&profile.reading, None, selected);
        profile.compare = Some(compare);
        if let Some(old) = state.profile.take().filter(|old| old.compare.is_none()) {
            state.aside = Some(Box::new(old));
        }
        (state.front, state.beneath, state.input) = (None, None, None);
        state.profile = Some(profile);
        state.screen = Screen::Profile;
        if is_normalised {
            let told = state
                .notice
                .take()
                .map(|notice| notice.text + " ")
                .unwrap_or_default();
            state.say(told + "The windows differ, so totals are made equal; = shows raw values.");
        }
        return;
    }
    let Some(profile) = state
        .profile
        .as_mut()
        .filter(|profile| profile.pending == Some(id))
    else {
        return;
    };
    if let Some(back) = profile.compare.as_ref().map(|compare| compare.back) {
        profile.compare = Some(CompareState::new(
            base,
            comparison,
            (normalise, width),
            back,
        ));
        profile.take(view, reading);
    }
}

/// Goes back to where the comparison was asked for.
pub(crate) fn end(state: &mut State) {
    let Some(compare) = state.profile.take().and_then(|profile| profile.compare) else {
        return;
    };
    state.profile = state.aside.take().map(|aside| *aside);
    state.screen = if state.profile.is_none() {
        Screen::History
    } else {
        compare.back
    };
}
