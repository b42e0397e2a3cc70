//! Two profiles side by side: one tree over the stacks of both, with what each holds in it and what changed.
//!
//! Both are read through one view, so a function is the same function wherever its identity says so, and the filters
//! leave out the same stacks. A stack's width is the larger of its two weights unless one side is asked for: what is gone
//! keeps its place.

mod chance;
mod changes;
mod difference;
mod join;
mod pair;
mod ranked_changes;
mod side;
mod since;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

pub use chance::{Chance, Noise};
pub use changes::{Change, Status, Step};
pub use difference::Difference;
pub use pair::Pair;
pub use side::Side;
pub use since::Since;

use crate::model::diff::changes::Sums;
use crate::model::diff::side::{Idle, Ratio};
use crate::model::graph::aggregate::{Plan, Reading};
use crate::model::graph::call_tree::{NodeId, Owners, Tree, Values};
use crate::model::graph::filter_eval::is_idle_stack;
use crate::model::graph::frames::IDLE;
use crate::model::graph::sample_values::{Column, SamplesFrom};
use crate::model::graph::view::{Direction, View, ViewError};
use crate::model::profile::{Profile, SampleType};
use crate::model::text::sanitize::printable;

/// Windows that differ by less than one part in so many count as equal.
const WINDOW_PARTS: u32 = 100;

/// When the new profile's values are scaled so that it adds up to what the base does.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, Default)]
pub enum Normalise {
    /// Where both windows are known and differ by more than a hundredth.
    #[default]
    ByWindow,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Why two profiles can't be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// They don't hold values of one kind.
    #[error("the new profile shows {new}, and the base has no such values but {base}")]
    Kinds {
        /// What the base holds.
        base: String,
        /// What the new profile shows.
        new: String,
    },
    /// Their values are of one kind in two units.
    #[error("the base counts {kind} in {base}, the new profile in {new}")]
    Units {
        /// What is counted.
        kind: String,
        /// The base's unit.
        base: String,
        /// The new profile's unit.
        new: String,
    },
    /// One of them can't be looked at in this way.
    #[error("{side}: {error}")]
    View {
        /// Which one, in words.
        side: &'static str,
        /// Why.
        error: ViewError,
    },
    /// The values of both do not fit 64 bits together.
    #[error("the values of both add up to more than 64 bits can hold (overflow)")]
    Overflow,
    /// Equal totals were asked for where one of them is nothing, or less.
    #[error("totals can't be made equal: the base adds up to {base}, the new profile to {new}")]
    NothingToScale {
        /// Net sum of the base.
        base: i128,
        /// Net sum of the new profile.
        new: i128,
    },
}

/// How wide a stack is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, Default)]
pub enum Width {
    /// By the larger of its two weights: what is gone and what is new both keep a place.
    #[default]
    Larger,
    /// By its weight in the new profile.
    New,
    /// By its weight in the base.
    Base,
}

/// Two profiles looked at in one way. Immutable; built once per change of view.
#[derive(Debug)]
pub struct Comparison {
    /// The stacks of both, read as one profile of changes: a node's value is its change, its weight the width of its
    /// stacks, a frame's own and total values are changes, too. Frames' places are those of the new profile where it
    /// has them. Samples are not compared: there are none.
    pub reading: Arc<Reading>,
    /// What is compared with.
    pub base: Side,
    /// What is compared.
    pub new: Side,
    /// What the new profile's values were multiplied with to make the totals equal; `None`: they are as recorded.
    ratio: Option<Ratio>,
    /// What each frame adds up to on both sides, by its id.
    frames: Vec<Sums>,
}

/// Looks at two profiles in one way. The view's sample type is the new profile's; the base must have it, too. Stacks are
/// read from the root, whatever the view's direction.
///
/// # Errors
/// [`CompareError`] if their values are not of one kind and unit, or don't fit 64 bits.
pub fn compare(
    base: &Profile,
    new: &Profile,
    view: &View,
    normalise: Normalise,
    width: Width,
) -> Result<Comparison, CompareError> {
    let of = |side: &'static str| move |error| CompareError::View { side, error };
    let new_column = Column::new(new, view.sample_type).map_err(of("the new profile"))?;
    let base_column =
        Column::new(base, same_type(base, new, view.sample_type)?).map_err(of("the base"))?;
    let ratio = ratio(
        (base.duration(), new.duration()),
        (base_column.total, new_column.total),
        normalise,
    )?;

    let joined = join::join(new, base);
    let amount = |record: usize| match record.checked_sub(new.record_count()) {
        None => new_column.of(record),
        Some(record) => base_column.of(record),
    };
    let view = View {
        direction: Direction::TopDown,
        ..view.clone()
    };
    let plan =
        Plan::new(&joined, &view, |record| !amount(record).is_nothing()).map_err(of("both"))?;
    let place = |record: usize| Some((plan.node(&joined, record)?, amount(record)));
    let placed = |records: Range<usize>| records.filter_map(place);
    let (of_new, of_base) = (
        0..new.record_count(),
        new.record_count()..joined.record_count(),
    );

    let shown = (0..joined.record_count()).filter_map(|record| plan.node(&joined, record));
    let owners = Owners::new(plan.nodes(), shown);
    let order = match ratio {
        Some(_) => by_function(&plan, &owners),
        None => Vec::new(),
    };
    let scale = |ratio| (ratio, order.as_slice());
    let new_side = Side::new(
        &new_column,
        &owners,
        placed(of_new),
        scale(ratio.unwrap_or(Ratio::ONE)),
        idle(new, &new_column),
    );
    let base_side = Side::new(
        &base_column,
        &owners,
        placed(of_base),
        scale(Ratio::ONE),
        idle(base, &base_column),
    );
    let (Some(new_side), Some(base_side)) = (new_side, base_side) else {
        return Err(CompareError::Overflow);
    };
    // Every change and every width that is taken later is a sum of some of these, so none of them can overflow either.
    if u128::from(new_side.weight()) + u128::from(base_side.weight())
        > i64::MAX.unsigned_abs().into()
    {
        return Err(CompareError::Overflow);
    }
    let (frames, parent, frame) = plan.into_nodes();
    let own = changes_of(&base_side, &new_side, width);
    let tree = Tree::new(parent, frame, Values::weighed(owners, own));
    let (sums, stats) =
        changes::of_frames(&tree, NodeId::ROOT, frames.len(), &base_side, &new_side);
    let reading = Reading {
        total: new_side.whole_total - base_side.total,
        base: new_side.whole.max(base_side.whole),
        shown: new_side.shown - base_side.shown,
        idle: 0,
        samples: 0,
        samples_from: SamplesFrom::Records,
        all_samples: 0,
        direction: Direction::TopDown,
        hides: false,
        spread: None,
        sample_type: new.sample_types()[view.sample_type],
        stats,
        frames,
        tree,
    };
    Ok(Comparison {
        reading: reading.into(),
        base: base_side,
        new: new_side,
        ratio,
        frames: sums,
    })
}

impl Comparison {
    /// Whether the new profile's values are scaled to the base's total.
    #[must_use]
    pub fn is_normalised(&self) -> bool {
        self.ratio.is_some()
    }

    /// Whether there is idle time on either side, shown or not.
    #[must_use]
    pub fn has_idle(&self) -> bool {
        self.base.idle.value != 0 || self.new.idle.value != 0
    }

    /// What the new profile's values are multiplied with; 1 where they are as recorded.
    #[must_use]
    pub fn factor(&self) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "what is exact is computed from the fraction"
        )]
        self.ratio
            .map_or(1.0, |ratio| ratio.to as f64 / ratio.of as f64)
    }

    /// Returns what chance alone can change; `None` where samples were not counted.
    #[must_use]
    pub fn chance(&self) -> Option<Chance> {
        let frames = &self.reading.frames;
        let idle = frames.ids().find(|frame| frames.name(*frame) == IDLE);
        Chance::new(&self.base, &self.new, idle)
    }

    /// What a node holds of its own.
    #[must_use]
    pub fn own(&self, node: NodeId) -> Pair {
        let tree = &self.reading.tree;
        Pair {
            base: self.base.self_value(tree, node),
            new: self.new.self_value(tree, node),
        }
    }

    /// What a node holds with its descendants.
    #[must_use]
    pub fn total(&self, node: NodeId) -> Pair {
        let tree = &self.reading.tree;
        Pair {
            base: self.base.total_value(tree, node),
            new: self.new.total_value(tree, node),
        }
    }

    /// The same under other names; `reading` is this comparison's, renamed.
    #[must_use]
    pub fn with_names_of(&self, reading: Reading) -> Self {
        Self {
            reading: reading.into(),
            base: self.base.clone(),
            new: self.new.clone(),
            ratio: self.ratio,
            frames: self.frames.clone(),
        }
    }

    /// What became of a node with all that it calls.
    #[must_use]
    pub fn status(&self, node: NodeId) -> Status {
        let (tree, total) = (&self.reading.tree, self.total(node));
        Status::of(
            self.base.has(tree, node),
            self.new.has(tree, node),
            total.change() == 0,
        )
    }
}

/// Returns the change and the width of what each owner owns.
fn changes_of<'a>(
    base: &'a Side,
    new: &'a Side,
    width: Width,
) -> impl Iterator<Item = (i64, u64)> + 'a {
    let both = base.own().zip(new.own());
    both.map(move |((base, base_weight), (new, new_weight))| {
        let weight = match width {
            Width::Larger => base_weight.max(new_weight),
            Width::New => new_weight,
            Width::Base => base_weight,
        };
        (new - base, weight)
    })
}

/// Returns the places of a tree's owners, those of one function together.
fn by_function(plan: &Plan, owners: &Owners) -> Vec<u32> {
    let nodes = 0..u32::try_from(plan.nodes()).unwrap_or(u32::MAX);
    let mut places: Vec<(u32, u32)> = nodes
        .filter_map(|node| {
            let place = owners.own_place(node)?;
            Some((plan.frame(node), u32::try_from(place).ok()?))
        })
        .collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}

/// Adds up the idle time of a profile, whatever a view leaves out.
fn idle(profile: &Profile, column: &Column<'_>) -> Idle {
    let mut idle = Idle::default();
    for (record, node) in profile.record_ends.iter().enumerate() {
        if is_idle_stack(profile, *node) {
            let amount = column.of(record);
            idle.value += i128::from(amount.value.unsigned_abs());
            idle.samples += i128::from(amount.samples.unsigned_abs());
        }
    }
    idle
}

/// The base's sample type that is the new profile's, by name and unit.
fn same_type(base: &Profile, new: &Profile, of: usize) -> Result<usize, CompareError> {
    let Some(wanted) = new.sample_types().get(of) else {
        return Err(CompareError::View {
            side: "the new profile",
            error: ViewError::NoSuchType(of),
        });
    };
    let (kind, unit) = (new.bytes(wanted.kind), new.bytes(wanted.unit));
    let mut same_kind = base
        .sample_types()
        .iter()
        .enumerate()
        .filter(|(_, other)| base.bytes(other.kind) == kind);
    if let Some((at, _)) = same_kind
        .clone()
        .find(|(_, other)| base.bytes(other.unit) == unit)
    {
        return Ok(at);
    }
    let text = |profile: &Profile, id| printable(&profile.text(id)).into_owned();
    Err(match same_kind.next() {
        Some((_, other)) => CompareError::Units {
            kind: text(new, wanted.kind),
            base: text(base, other.unit),
            new: text(new, wanted.unit),
        },
        None => {
            let named = |profile, other: &SampleType| {
                format!(
                    "{} in {}",
                    text(profile, other.kind),
                    text(profile, other.unit)
                )
            };
            let all: Vec<String> = base
                .sample_types()
                .iter()
                .map(|other| named(base, other))
                .collect();
            CompareError::Kinds {
                base: all.join(", "),
                new: named(new, wanted),
            }
        }
    })
}

/// What the new profile is to be multiplied with, if it is.
fn ratio(
    windows: (Option<Duration>, Option<Duration>),
    (base, new): (i128, i128),
    normalise: Normalise,
) -> Result<Option<Ratio>, CompareError> {
    let ratio = (base > 0 && new > 0).then_some(Ratio { of: new, to: base });
    match normalise {
        Normalise::Never => Ok(None),
        Normalise::ByWindow => Ok(ratio.filter(|_| differ(windows))),
        Normalise::Always => ratio
            .map(Some)
            .ok_or(CompareError::NothingToScale { base, new }),
    }
}

/// Whether both windows are known and are not the same.
fn differ(windows: (Option<Duration>, Option<Duration>)) -> bool {
    let (Some(one), Some(other)) = windows else {
        return false;
    };
    one.abs_diff(other) * WINDOW_PARTS > one.max(other)
}
