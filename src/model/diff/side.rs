//! What one of two compared profiles holds, node by node.

use crate::model::graph::call_tree::{NodeId, Owners, Tree};
use crate::model::graph::sample_values::{Amount, Column, SamplesFrom};
use crate::model::text::share;

/// One of the two profiles in a comparison.
#[derive(Debug, Clone)]
pub struct Side {
    /// Net sum of all values as recorded, before filters.
    pub total: i128,
    /// Sum of all absolute values as recorded, before filters: what per cents are of.
    pub base: i128,
    /// The same in the comparison's scale.
    pub whole: i128,
    /// The net sum of all values in the comparison's scale.
    pub(crate) whole_total: i128,
    /// Net sum of what is shown, in the comparison's scale.
    pub shown: i128,
    /// How many samples are shown.
    pub samples: i64,
    /// How many samples there are, before filters.
    pub all_samples: i128,
    /// The idle time among both, in the comparison's scale, shown or not.
    pub(crate) idle: Idle,
    /// Where those numbers come from.
    pub samples_from: SamplesFrom,
    /// Whether there are values below zero.
    pub(crate) has_negative: bool,
    /// For each node that owns something on either side the sum of the own values of all before it, and one entry more.
    values: Vec<i64>,
    /// The same for absolute values.
    weights: Vec<u64>,
    /// The same for the number of records.
    records: Vec<u32>,
}

/// The idle time of a profile, whatever the filters say.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub(crate) struct Idle {
    pub(crate) value: i128,
    pub(crate) samples: i128,
}

/// A factor as a fraction; both parts are above zero and fit 63 bits.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub(crate) of: i128,
    pub(crate) to: i128,
}

impl Ratio {
    /// Leaves everything as it is.
    pub(crate) const ONE: Self = Self { of: 1, to: 1 };

    /// Scales a sum that fits 64 bits, rounded.
    pub(crate) fn scale(self, sum: i128) -> i128 {
        if self.of == self.to {
            return sum;
        }
        (2 * sum * self.to + self.of).div_euclid(2 * self.of)
    }
}

impl Side {
    /// Returns half the 95% confidence interval of a value's share in points; `None` where samples were not counted.
    #[must_use]
    pub fn interval(&self, value: i64) -> Option<String> {
        let is_counted = matches!(self.samples_from, SamplesFrom::Type(_)) && self.whole > 0;
        let all = u64::try_from(self.all_samples)
            .ok()
            .filter(|all| *all > 0 && is_counted)?;
        let samples = i128::from(value.max(0)) * self.all_samples / self.whole;
        Some(share::interval(u64::try_from(samples).ok()?, all))
    }

    /// Adds up what the shown records put into the owners among a tree's nodes. `None` where a scaled sum does not fit 63
    /// bits.
    pub(crate) fn new(
        column: &Column<'_>,
        owners: &Owners,
        placed: impl Iterator<Item = (u32, Amount)>,
        (ratio, order): (Ratio, &[u32]),
        idle: Idle,
    ) -> Option<Self> {
        // Each owner's own stands at its successor's place: adding up in place then gives the sums before.
        let places = owners.count() + 1;
        let (mut values, mut weights, mut records) =
            (vec![0_i64; places], vec![0_u64; places], vec![0; places]);
        let mut samples = 0;
        for (node, amount) in placed {
            let at = owners.place(node);
            values[at] += amount.value;
            weights[at] += amount.value.unsigned_abs();
            records[at] += 1;
            samples += amount.samples;
        }
        scale(&mut values, &mut weights, ratio, order)?;
        let (mut value, mut weight, mut count) = (0_i64, 0_u64, 0);
        for ((own, own_weight), record) in values.iter_mut().zip(&mut weights).zip(&mut records) {
            value = value.checked_add(*own)?;
            weight = weight.checked_add(*own_weight)?;
            count += *record;
            (*own, *own_weight, *record) = (value, weight, count);
        }
        if i64::try_from(weight).is_err() {
            return None;
        }
        Some(Self {
            total: column.total,
            base: column.base,
            whole: ratio.scale(column.base),
            whole_total: ratio.scale(column.total),
            shown: values.last().copied().map_or(0, i128::from),
            samples,
            all_samples: column.counted,
            idle: Idle {
                value: ratio.scale(idle.value),
                samples: idle.samples,
            },
            samples_from: column.samples_from,
            has_negative: column.negative,
            values,
            weights,
            records,
        })
    }

    /// The whole weight of what is shown.
    pub(crate) fn weight(&self) -> u64 {
        self.weights.last().copied().unwrap_or(0)
    }

    /// The value and the weight of each owner's own, in the order of the nodes.
    pub(crate) fn own(&self) -> impl Iterator<Item = (i64, u64)> {
        let own =
            |(values, weights): (&[i64], &[u64])| (values[1] - values[0], weights[1] - weights[0]);
        self.values.windows(2).zip(self.weights.windows(2)).map(own)
    }

    /// Net value of a node's own.
    pub(crate) fn self_value(&self, tree: &Tree, node: NodeId) -> i64 {
        tree.owners().between(&self.values, node.0..node.0 + 1)
    }

    /// Net value of a node and its descendants.
    pub(crate) fn total_value(&self, tree: &Tree, node: NodeId) -> i64 {
        tree.owners()
            .between(&self.values, node.0..tree.end(node).0)
    }

    /// Whether anything was recorded in a node or below it.
    pub(crate) fn has(&self, tree: &Tree, node: NodeId) -> bool {
        tree.owners()
            .between(&self.records, node.0..tree.end(node).0)
            > 0
    }
}

/// Scales what each owner owns, in the order of their functions. Sums are scaled, never the parts: so parts add up to their
/// whole, equal totals are equal to the last unit, and what is rounded away from one stack goes to another of the same
/// function. `None` where a sum does not fit 63 bits.
fn scale(values: &mut [i64], weights: &mut [u64], ratio: Ratio, order: &[u32]) -> Option<()> {
    if ratio.of == ratio.to {
        return Some(());
    }
    let (mut value, mut weight) = (0_i128, 0_i128);
    let (mut scaled_value, mut scaled_weight) = (0_i64, 0_i64);
    for &place in order {
        let at = place as usize;
        // Half of the owners are the other side's, and a division of 128 bits takes long.
        if weights[at] == 0 {
            continue;
        }
        value += i128::from(values[at]);
        weight += i128::from(weights[at]);
        let next_value = i64::try_from(ratio.scale(value)).ok()?;
        let next_weight = i64::try_from(ratio.scale(weight)).ok()?;
        values[at] = next_value - scaled_value;
        weights[at] = (next_weight - scaled_weight).unsigned_abs();
        (scaled_value, scaled_weight) = (next_value, next_weight);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_sums_are_rounded_to_the_nearest_and_never_overflow_on_the_way() {
        let most = i128::from(i64::MAX);
        for (of, to, sum, expected) in [
            (1, 1, -7, -7),
            (3, 1, 4, 1),
            (3, 1, 5, 2),
            (3, 1, -5, -2),
            (2, 3, 4, 6),
            (most, most, most, most),
        ] {
            assert_eq!(Ratio { of, to }.scale(sum), expected, "{sum} · {to}/{of}");
        }
        assert_eq!(Ratio { of: 1, to: most }.scale(most), most * most);
    }
}
