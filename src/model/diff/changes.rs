//! The table of changes: what each frame adds up to on both sides, the largest change first.

use crate::model::diff::{Comparison, Pair, Side};
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frame_stats::{Stat, each_frame, larger};
use crate::model::graph::frames::FrameId;

/// Changes below this part of the larger side count as none, as do those below [`LEAST_OF_WHOLE`] of the whole.
const SAME: (u64, u64) = (1, 20);
const LEAST_OF_WHOLE: (i128, i128) = (1, 500);
/// From these parts of the larger side on, a change is clearly more, and far more.
const CLEARLY: (u64, u64) = (1, 4);
const FAR: (u64, u64) = (3, 5);

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

/// What a frame adds up to on both sides.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    own: Pair,
    total: Pair,
    in_base: bool,
    in_new: bool,
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

impl Comparison {
    /// What changed in each frame, by the size of the change of its own value. Equal ones keep one order: change of the
    /// total, then own values, totals, name, file and line.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        self.ranked(&self.frames)
    }

    /// The same of what is at and below a node.
    #[must_use]
    pub fn changes_within(&self, root: NodeId) -> Vec<Change> {
        if root == NodeId::ROOT {
            return self.changes();
        }
        let Self {
            reading, base, new, ..
        } = self;
        self.ranked(&of_frames(&reading.tree, root, reading.frames.len(), base, new).0)
    }

    fn ranked(&self, sums: &[Sums]) -> Vec<Change> {
        let frames = &self.reading.frames;
        let mut changes: Vec<Change> = frames
            .ids()
            .zip(sums)
            .filter(|(_, sum)| sum.in_base || sum.in_new)
            .map(
                |(
                    frame,
                    &Sums {
                        own,
                        total,
                        in_base,
                        in_new,
                    },
                )| {
                    let same = own.base == own.new && total.base == total.new;
                    Change {
                        frame,
                        own,
                        total,
                        status: Status::of(in_base, in_new, same),
                    }
                },
            )
            .collect();
        let text = |change: &Change| {
            let info = frames.info(change.frame);
            (info.name, info.file, info.line)
        };
        changes.sort_by(|one, other| {
            larger(one.own.change(), other.own.change())
                .then_with(|| larger(one.total.change(), other.total.change()))
                .then_with(|| larger(one.own.new, other.own.new))
                .then_with(|| larger(one.total.new, other.total.new))
                .then_with(|| text(one).cmp(&text(other)))
                .then_with(|| one.frame.cmp(&other.frame))
        });
        changes
    }

    /// How much a node changed for its size, with all that it calls.
    #[must_use]
    pub fn step(&self, node: NodeId) -> Step {
        let pair = self.total(node);
        let (change, larger) = (
            pair.change(),
            pair.base.unsigned_abs().max(pair.new.unsigned_abs()),
        );
        let over = |(part, of): (u64, u64)| {
            u128::from(change.unsigned_abs()) * u128::from(of)
                >= u128::from(larger) * u128::from(part)
        };
        let small =
            i128::from(change).abs() * LEAST_OF_WHOLE.1 < self.reading.base * LEAST_OF_WHOLE.0;
        if change == 0 || small || !over(SAME) {
            return Step::Same;
        }
        let much = 1 + u8::from(over(CLEARLY)) + u8::from(over(FAR));
        if change > 0 {
            Step::More(much)
        } else {
            Step::Less(much)
        }
    }
}
