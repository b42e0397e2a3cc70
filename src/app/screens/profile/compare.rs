//! Comparing the open profile, or a capture, with another capture: which two, how, and the way back.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::app::core::session::Screen;
use crate::app::screens::profile::compare_job::{CompareSide, ComparedJob};
use crate::app::screens::profile::source::Source;
use crate::model::diff::{Change, Comparison, Normalise, Step, Width};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::verdict::{Assessment, Verdict};

/// What a profile is compared with.
#[derive(Debug)]
pub struct CompareState {
    /// The profile that it is compared with.
    pub base: Source,
    /// The result.
    pub comparison: Arc<Comparison>,
    /// The verdicts, where there are several captures on a side.
    pub assessment: Option<Box<Assessment>>,
    /// For each node whether it is of a function that changed beyond chance, or one of its callers; `None`: chance is not
    /// known.
    lit: Option<Vec<bool>>,
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
        let chance = comparison.chance();
        let lit = chance.map(|chance| {
            lit(&comparison.reading, |frame| {
                let change = changes.get(frame.0 as usize).and_then(Option::as_ref);
                let noise = change.and_then(|change| chance.noise(change));
                noise.is_some_and(|noise| !noise.is_within)
            })
        });
        Self {
            base,
            comparison,
            lit,
            assessment: None,
            changes,
            largest: (up, down),
            wanted,
            shown: wanted,
            back,
        }
    }

    /// Adds the verdicts.
    pub(crate) fn judged(self, assessment: Option<Box<Assessment>>) -> Self {
        let Some(assessment) = assessment else {
            return self;
        };
        let reading = &self.comparison.reading;
        let lit = lit(reading, |frame| {
            let verdict = assessment.of(&reading.frames.info(frame).identity());
            verdict.is_some_and(|row| matches!(row.verdict, Verdict::Worse | Verdict::Better))
        });
        Self {
            lit: Some(lit),
            assessment: Some(assessment),
            ..self
        }
    }

    /// Returns how much a node's colour says it changed: nothing, where chance explains it.
    #[must_use]
    pub fn step(&self, node: NodeId) -> Step {
        let is_lit = self
            .lit
            .as_ref()
            .is_none_or(|lit| lit.get(node.0 as usize) == Some(&true));
        if is_lit {
            self.comparison.step(node)
        } else {
            Step::Same
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
            assessment: self.assessment.clone(),
            comparison: Arc::clone(&self.comparison),
            wanted: self.shown,
        }
    }

    /// Goes back to what is shown, as what is wanted can't be had.
    pub(crate) const fn give_up(&mut self) {
        self.wanted = self.shown;
    }
}

/// Marks the nodes of some functions, and their callers up to the root.
fn lit(reading: &Reading, is_lit: impl Fn(FrameId) -> bool) -> Vec<bool> {
    let frames: Vec<bool> = reading.frames.ids().map(is_lit).collect();
    let tree = &reading.tree;
    let mut lit = vec![false; tree.nodes().count()];
    // Callees come after their callers.
    let nodes: Vec<NodeId> = tree.nodes().collect();
    for node in nodes.into_iter().rev() {
        let frame = tree.frame(node);
        let is_its = frame.is_some_and(|frame| frames.get(frame.0 as usize) == Some(&true));
        if lit[node.0 as usize] || is_its {
            lit[node.0 as usize] = true;
            lit[tree.parent(node).0 as usize] = true;
        }
    }
    lit
}

/// Base and new, and a sentence about which the base is.
pub(crate) type Sides = (CompareSide, CompareSide, crate::app::keys::message::Message);
