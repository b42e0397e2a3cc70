//! The table of changes: what each frame adds up to on both sides, the largest change first.

use crate::model::diff::Comparison;
use crate::model::diff::changes::{Change, Status, Step, Sums, of_frames};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frame_stats::larger;

/// Changes below this part of the larger side count as none, as do those below [`LEAST_OF_WHOLE`] of the whole.
const SAME: (u64, u64) = (1, 20);
const LEAST_OF_WHOLE: (i128, i128) = (1, 500);
/// From these parts of the larger side on, a change is clearly more, and far more.
const CLEARLY: (u64, u64) = (1, 4);
const FAR: (u64, u64) = (3, 5);

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
