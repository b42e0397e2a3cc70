//! What each frame adds up to on both sides of a comparison.

use crate::model::diff::pair::Pair;
use crate::model::diff::side::Side;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frame_stats::{Stat, each_frame};
use crate::model::graph::frames::FrameId;
use crate::model::text::share;

/// How much a place in the stacks changed for its size: what colours tell.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// Not worth a colour.
    Same,
    /// It holds more: 1, clearly more: 2, far more: 3.
    More(u8),
    /// It holds less, likewise.
    Less(u8),
}

/// What became of a place in the stacks, or of a frame.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Status {
    /// It holds the same on both sides.
    Same,
    /// It is on both sides and holds more, or less.
    Changed,
    /// Only the new profile has it.
    New,
    /// Only the base has it.
    Gone,
}

impl Status {
    pub(crate) fn of(in_base: bool, in_new: bool, same: bool) -> Self {
        match (in_base, in_new) {
            (false, true) => Self::New,
            (true, false) => Self::Gone,
            _ if same => Self::Same,
            _ => Self::Changed,
        }
    }
}

/// A row of the table of changes.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which frame.
    pub frame: FrameId,
    /// Net values of its own.
    pub own: Pair,
    /// Net values under it, each once however often it recurs.
    pub total: Pair,
    /// Whether it is on both sides.
    pub status: Status,
}

impl Change {
    /// Returns how its own value changed: `×22`, `+27%`, `new`, `gone`, or `–` where neither means anything.
    #[must_use]
    pub fn factor(&self) -> String {
        match self.status {
            Status::New => "new".to_owned(),
            Status::Gone => "gone".to_owned(),
            Status::Same | Status::Changed => {
                share::change(self.own.base.into(), self.own.new.into())
                    .unwrap_or_else(|| "–".to_owned())
            }
        }
    }
}

/// What a frame adds up to on both sides.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(super) own: Pair,
    pub(super) total: Pair,
    pub(super) in_base: bool,
    pub(super) in_new: bool,
}

/// Adds up each frame at and below a node on both sides, and the changes as figures of the tree of changes: both in one walk, as millions of
/// nodes take longer to reach than to add.
pub(crate) fn of_frames(
    tree: &Tree,
    root: NodeId,
    frames: usize,
    base: &Side,
    new: &Side,
) -> (Vec<Sums>, Vec<Stat>) {
    let mut sums = vec![Sums::default(); frames];
    let mut stats = vec![Stat::default(); frames];
    each_frame(tree, root, frames, |node, frame, outermost| {
        stats[frame].nodes += 1;
        let sum = &mut sums[frame];
        if tree.owns(node) {
            sum.own.base += base.self_value(tree, node);
            sum.own.new += new.self_value(tree, node);
        }
        if outermost {
            sum.total.base += base.total_value(tree, node);
            sum.total.new += new.total_value(tree, node);
            sum.in_base |= base.has(tree, node);
            sum.in_new |= new.has(tree, node);
        }
    });
    for (stat, sum) in stats.iter_mut().zip(&sums) {
        (stat.self_value, stat.total) = (sum.own.change(), sum.total.change());
    }
    (sums, stats)
}
