//! What percentages are of: one place for a share and its interval.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::text::share;

/// What percentages are of.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Base {
    /// Its value.
    pub value: i128,
    /// Its samples; `None` if they were not counted, so that there are no intervals.
    samples: Option<u64>,
}

impl Reading {
    /// Returns the whole capture as a base, idle included.
    #[must_use]
    pub fn of_capture(&self) -> Base {
        Base {
            value: self.base,
            samples: self.counted_samples(),
        }
    }

    /// Returns what a node holds as a base.
    #[must_use]
    pub fn of_node(&self, node: NodeId) -> Base {
        let samples = u64::try_from(self.tree.total_samples(node)).ok();
        Base {
            value: self.tree.weight(node).into(),
            samples: samples.filter(|_| self.counted_samples().is_some()),
        }
    }
}

impl Base {
    /// Returns all of a tree as a base, without intervals.
    #[must_use]
    pub fn of_tree(tree: &Tree) -> Self {
        Self {
            value: tree.weight(NodeId::ROOT).into(),
            samples: None,
        }
    }

    /// Returns the percentage that a value is: `63.7%`.
    #[must_use]
    pub fn share(self, value: impl Into<i128>) -> String {
        share::per_cent(value.into(), self.value)
    }

    /// Returns the part that an absolute value is, from 0 to 1.
    #[must_use]
    pub fn part(self, weight: u64) -> f64 {
        if self.value == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "a bar is drawn")]
        let part = weight as f64 / self.value as f64;
        part
    }

    /// Returns whether shares have intervals.
    #[must_use]
    pub const fn has_intervals(self) -> bool {
        self.samples.is_some()
    }

    /// Returns the widest interval that a share can have.
    #[must_use]
    pub fn widest_interval(self) -> Option<String> {
        self.samples.map(|all| share::interval(all / 2, all))
    }

    /// Returns half the 95% confidence interval of so many samples' share: `±1.6`. `None` without samples.
    #[must_use]
    pub fn interval(self, samples: i64) -> Option<String> {
        let own = u64::try_from(samples).ok().filter(|own| *own > 0)?;
        Some(share::interval(own, self.samples?))
    }
}
