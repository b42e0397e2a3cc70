//! Comparing the open profile, or a capture, with another capture: which two, how, and the way back.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::app::core::session::Screen;
use crate::app::screens::profile::compare_job::{CompareSide, ComparedJob};
use crate::app::screens::profile::source::Source;
use crate::model::diff::{Change, Comparison, Normalise, Width};
use crate::model::graph::frames::{Family, FrameId};

/// What a profile is compared with.
#[derive(Debug)]
pub struct CompareState {
    /// The profile that it is compared with.
    pub base: Source,
    /// The result.
    pub comparison: Arc<Comparison>,
    /// What changed in each frame, by its id; `None` for frames that nothing shown is in.
    changes: Vec<Option<Change>>,
    /// The largest change upwards and the largest downwards of a function's self value.
    pub largest: (Option<Change>, Option<Change>),
    /// How totals are to be normalized, and what widths are to show.
    pub(crate) wanted: (Normalise, Width),
    /// The same of what is shown.
    shown: (Normalise, Width),
    /// The screen where it began.
    pub(crate) back: Screen,
}

impl CompareState {
    pub(crate) fn new(
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

    /// Returns what changed in a frame.
    #[must_use]
    pub fn change(&self, frame: FrameId) -> Option<&Change> {
        self.changes.get(frame.0 as usize)?.as_ref()
    }

    /// Returns the function whose self value changed most; the runtime's own frames only if there is nothing else.
    pub(crate) fn most_changed(&self) -> Option<FrameId> {
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

    /// Returns what widths show.
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

    /// Returns what is to be known of it to write what changed.
    pub(crate) fn export_job(&self) -> ComparedJob {
        ComparedJob {
            base: self.base.clone(),
            comparison: Arc::clone(&self.comparison),
            wanted: self.shown,
        }
    }

    /// Goes back to what is shown, as what is wanted can't be had.
    pub(crate) const fn give_up(&mut self) {
        self.wanted = self.shown;
    }
}

/// Base and new, and a sentence about which the base is.
pub(crate) type Sides = (CompareSide, CompareSide, crate::app::keys::message::Message);
