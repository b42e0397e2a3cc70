//! A profile looked at in one way: which values, which frames count as one, what is left out, from which end.

use super::compare::{BASE_LABEL, BASE_TEXT};
use super::filter::Filter;
use super::frames::{FrameId, Frames};
use super::identity::{self, Naming};
use super::merge::spread::Spread;
use super::paths::{NONE, Paths};
use super::profile::{Label, LabelValue, Profile, SampleType, StrId};
use super::ranking::Stat;
use super::selection::{Fate, Selection};
use super::tree::{NodeId, Tree, Values};

mod growth;
mod sandwich;
mod subset;

pub use sandwich::Sandwich;
pub use subset::Subset;

/// Which places in code count as one frame.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default)]
pub enum Identity {
    /// Name and file; nameless functions stay apart by line, else address.
    #[default]
    Function,
    /// Name alone.
    Name,
    /// Name, file and line.
    Line,
    /// The source file.
    File,
    /// The package the source file belongs to.
    Package,
}

/// From which end stacks are read.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default)]
pub enum Direction {
    /// The root above, what it calls below.
    #[default]
    TopDown,
    /// What has self time above, its callers below.
    BottomUp,
}

/// One way to look at a profile.
#[derive(Debug, Clone)]
pub struct View {
    /// Index of the sample type whose values are shown.
    pub sample_type: usize,
    /// Which places in code count as one frame.
    pub by: Identity,
    /// What is left out.
    pub filters: Vec<Filter>,
    /// Leaves out stacks in `(idle)`.
    pub hide_idle: bool,
    /// Draws a function that calls itself directly as one frame.
    pub fold_recursion: bool,
    /// From which end stacks are read.
    pub direction: Direction,
}

impl View {
    /// The view with nothing left out, of the type the profile wants to be shown first.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        Self {
            sample_type: profile.default_sample_type(),
            by: Identity::default(),
            filters: Vec::new(),
            hide_idle: false,
            fold_recursion: false,
            direction: Direction::default(),
        }
    }
}

/// Where the number of samples comes from.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub enum SamplesFrom {
    /// The sample type of this index counts them.
    Type(usize),
    /// No type does: each record with a value counts as one.
    Records,
}

impl SamplesFrom {
    /// As JSON says it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Type(_) => "type",
            Self::Records => "records",
        }
    }
}

/// Why a profile can't be looked at in this way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// There is no such sample type.
    #[error("this profile has no sample type number {0}")]
    NoSuchType(usize),
    /// The values' absolute sum does not fit 64 bits.
    #[error("the values of `{}` add up to more than 64 bits can hold (overflow)", super::printable::printable(.0))]
    Overflow(String),
    /// More filters of one kind than can be followed at once.
    #[error(
        "at most {} focus filters and as many show-from filters at once",
        super::selection::FILTERS_MAX
    )]
    TooManyFilters,
}

/// What a profile says when looked at in one way. Immutable; built once per change of view.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The stacks that are shown.
    pub tree: Tree,
    /// What its frames are called.
    pub frames: Frames,
    /// What the values mean.
    pub sample_type: SampleType,
    /// Net sum of all values, before filters.
    pub total: i128,
    /// Sum of all absolute values, before filters and idle included: what per cents are of.
    pub base: i128,
    /// Net sum of what is shown.
    pub shown: i128,
    /// Net sum of the idle stacks left out by [`View::hide_idle`].
    pub idle: i128,
    /// How many samples are shown.
    pub samples: i64,
    /// Where that number comes from.
    pub samples_from: SamplesFrom,
    /// How many samples the whole capture holds, before filters.
    pub all_samples: i64,
    /// Whether frames are hidden: what they hold counts as their callers' own.
    pub hides: bool,
    /// What each capture says, where several were opened as one.
    pub spread: Option<Spread>,
    /// What each frame adds up to, by its id; always as called from the root, whatever the direction.
    pub(super) stats: Vec<Stat>,
}

impl Reading {
    /// How many samples the whole capture holds, where they were really counted: only then do intervals mean anything.
    #[must_use]
    pub fn counted_samples(&self) -> Option<u64> {
        match self.samples_from {
            SamplesFrom::Type(_) => u64::try_from(self.all_samples).ok().filter(|all| *all > 0),
            SamplesFrom::Records => None,
        }
    }

    /// What a frame adds up to, recursion counted once.
    #[must_use]
    pub fn stat(&self, frame: FrameId) -> Stat {
        self.stats[frame.0 as usize]
    }

    /// The node where a frame weighs most; the first of equals.
    #[must_use]
    pub fn heaviest(&self, frame: FrameId) -> Option<NodeId> {
        self.heaviest_of(|other| other == frame)
    }

    /// The node where a frame of that name weighs most; the first of equals.
    #[must_use]
    pub fn heaviest_named(&self, name: &str) -> Option<NodeId> {
        self.heaviest_of(|frame| self.frames.name(frame) == name)
    }

    fn heaviest_of(&self, wanted: impl Fn(FrameId) -> bool) -> Option<NodeId> {
        let nodes = self
            .tree
            .nodes()
            .filter(|node| self.tree.frame(*node).is_some_and(&wanted));
        nodes.reduce(|best, node| {
            if self.tree.weight(node) > self.tree.weight(best) {
                node
            } else {
                best
            }
        })
    }
}

/// Looks at a profile in one way.
///
/// # Errors
/// [`ViewError`] if the sample type does not exist, its values do not fit 64 bits, or there are too many filters.
pub fn read(profile: &Profile, view: &View) -> Result<Reading, ViewError> {
    let column = Column::new(profile, view.sample_type)?;
    let plan = Plan::new(profile, view, |record| !column.of(record).is_nothing())?;
    let placed = || profile.record_ends.iter().zip(&plan.fates).enumerate();
    let owners = placed()
        .filter(|(_, (_, fate))| **fate == Fate::Shown)
        .map(|(_, (&node, _))| plan.grown.node(node));
    let mut values = Values::new(plan.grown.frame.len(), owners, column.negative);
    let mut idle = 0;
    for (record, (&node, fate)) in placed() {
        let amount = column.of(record);
        match fate {
            Fate::Shown => values.add(plan.grown.node(node), amount.value, amount.samples),
            Fate::Idle => idle += i128::from(amount.value),
            Fate::Dropped => {}
        }
    }
    let nodes = (&plan.grown.parent[..], &plan.grown.frame[..]);
    let spread = Spread::new(profile, &column, nodes, plan.frames.len(), |record| {
        plan.node(profile, record)
    });
    // Some of the largest tables, not needed any more.
    drop(plan.grown.node_of);
    let tree = Tree::new(plan.grown.parent, plan.grown.frame, values);
    let stats = super::ranking::stats(&tree, plan.frames.len());
    let tree = match view.direction {
        Direction::TopDown => tree,
        Direction::BottomUp => turn_around(&tree),
    };
    Ok(Reading {
        total: column.total,
        base: column.base,
        shown: i128::from(tree.total(NodeId::ROOT)),
        idle,
        samples: tree.total_samples(NodeId::ROOT),
        samples_from: column.samples_from,
        hides: view
            .filters
            .iter()
            .any(|filter| matches!(filter, Filter::Hide(_))),
        spread,
        all_samples: i64::try_from(column.counted).unwrap_or(i64::MAX),
        sample_type: profile.sample_types()[view.sample_type],
        stats,
        frames: plan.frames,
        tree,
    })
}

/// What becomes of each record under a view, and the tree its stacks grow into.
pub(super) struct Plan {
    selection: Selection,
    frames: Frames,
    fates: Vec<Fate>,
    grown: growth::Grown,
}

impl Plan {
    /// Plans the tree of all records that count.
    pub(super) fn new(
        profile: &Profile,
        view: &View,
        counts: impl Fn(usize) -> bool,
    ) -> Result<Self, ViewError> {
        let selection = Selection::new(profile, view)?;
        let Naming {
            frames,
            of_line,
            of_location,
            no_stack,
        } = identity::name(profile, view.by);
        let names = Names {
            of_line: &of_line,
            of_location: &of_location,
            no_stack,
        };
        let fate = |(record, &node)| {
            if counts(record) {
                selection.fate(record, node)
            } else {
                Fate::Dropped
            }
        };
        let fates: Vec<Fate> = profile.record_ends.iter().enumerate().map(fate).collect();
        let grown = growth::grow(profile, &selection, &names, view.fold_recursion, &fates);
        Ok(Self {
            selection,
            frames,
            fates,
            grown,
        })
    }

    /// The node that holds a record's own value; `None` where the record is left out.
    pub(super) fn node(&self, profile: &Profile, record: usize) -> Option<u32> {
        (self.fates[record] == Fate::Shown).then(|| self.grown.node(profile.record_ends[record]))
    }

    /// Counts the nodes of the tree, the root among them.
    pub(super) fn nodes(&self) -> usize {
        self.grown.frame.len()
    }

    /// The frames, and of each node in preorder its parent and its frame.
    pub(super) fn into_nodes(self) -> (Frames, Vec<u32>, Vec<u32>) {
        (self.frames, self.grown.parent, self.grown.frame)
    }
}

/// The frames that a profile's lines and locations belong to.
struct Names<'a> {
    of_line: &'a [u32],
    of_location: &'a [u32],
    no_stack: u32,
}

/// One record's share of a reading.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    pub(super) value: i64,
    pub(super) samples: i64,
}

impl Amount {
    pub(super) fn is_nothing(self) -> bool {
        self.value == 0 && self.samples == 0
    }
}

/// The values of one sample type, with the number of samples that belongs to each.
pub(super) struct Column<'a> {
    values: &'a [i64],
    width: usize,
    at: usize,
    pub(super) samples_from: SamplesFrom,
    pub(super) total: i128,
    pub(super) base: i128,
    /// Sum of the absolute counts of samples.
    counted: i128,
    negative: bool,
}

impl<'a> Column<'a> {
    pub(super) fn new(profile: &'a Profile, at: usize) -> Result<Self, ViewError> {
        let width = profile.sample_types().len();
        if at >= width {
            return Err(ViewError::NoSuchType(at));
        }
        let samples_from =
            samples_type(profile, at).map_or(SamplesFrom::Records, SamplesFrom::Type);
        let mut column = Self {
            values: &profile.parts.values,
            width,
            at,
            samples_from,
            total: 0,
            base: 0,
            counted: 0,
            negative: false,
        };
        let is_difference = profile
            .parts
            .labels
            .iter()
            .any(|label| is_of_base(profile, label));
        let mut of_base = 0;
        for record in 0..profile.record_count() {
            let Amount { value, samples } = column.of(record);
            let size = i128::from(value.unsigned_abs());
            column.total += i128::from(value);
            column.base += size;
            column.negative |= value < 0;
            column.counted += i128::from(samples.unsigned_abs());
            if is_difference
                && profile
                    .labels(record)
                    .iter()
                    .any(|label| is_of_base(profile, label))
            {
                of_base += size;
            }
        }
        // Every sum that is taken later is one of some of these values, so none of them can overflow either.
        for (sum, at) in [
            (column.base, Some(at)),
            (column.counted, samples_type(profile, at)),
        ] {
            if let Some(at) = at.filter(|_| sum > i128::from(i64::MAX)) {
                return Err(ViewError::Overflow(
                    profile.text(profile.sample_types()[at].kind).into_owned(),
                ));
            }
        }
        if of_base > 0 {
            column.base = of_base;
        }
        Ok(column)
    }

    pub(super) fn of(&self, record: usize) -> Amount {
        let values = &self.values[record * self.width..(record + 1) * self.width];
        let value = values[self.at];
        let samples = match self.samples_from {
            SamplesFrom::Type(at) => values[at],
            SamplesFrom::Records => i64::from(value != 0),
        };
        Amount { value, samples }
    }
}

/// Whether it is the label by which a difference marks the records of its base: pprof takes those alone for what per
/// cents are of.
fn is_of_base(profile: &Profile, label: &Label) -> bool {
    match label.value {
        LabelValue::Text(text) => {
            profile.bytes(label.key) == BASE_LABEL.as_bytes()
                && profile.bytes(text) == BASE_TEXT.as_bytes()
        }
        LabelValue::Number(..) => false,
    }
}

/// The type that counts the samples behind a type's values: itself, or the count that belongs to it by name.
fn samples_type(profile: &Profile, of: usize) -> Option<usize> {
    const COUNTS: [&[u8]; 7] = [
        b"samples",
        b"sample",
        b"objects",
        b"contentions",
        b"count",
        b"events",
        b"allocations",
    ];
    let types = profile.sample_types();
    let kind = |at: usize| profile.bytes(types[at].kind);
    let counts = |at: usize| profile.bytes(types[at].unit) == b"count";
    fn stem(name: &[u8]) -> Option<&[u8]> {
        name.split(|byte| matches!(byte, b'_' | b'-'))
            .next()
            .filter(|stem| *stem != name)
    }
    if counts(of) {
        return Some(of);
    }
    let same_stem = stem(kind(of)).and_then(|wanted| {
        (0..types.len())
            .find(|at| counts(*at) && stem(kind(*at)).is_some_and(|stem| stem == wanted))
    });
    same_stem.or_else(|| {
        (0..of)
            .rev()
            .chain(of + 1..types.len())
            .find(|at| counts(*at) && COUNTS.contains(&kind(*at)))
    })
}

/// The same stacks read from their leaves: what has self time above, its callers below.
fn turn_around(tree: &Tree) -> Tree {
    let (mut steps, mut ends, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for node in tree.nodes().filter(|node| tree.has_own(*node)) {
        let mut at = node;
        while let Some(frame) = tree.frame(at) {
            steps.push(frame.0);
            at = tree.parent(at);
        }
        ends.push(u32::try_from(steps.len()).unwrap_or(NONE));
        sources.push(node);
    }
    let (paths, last) = Paths::merge(&steps, &ends);
    drop((steps, ends));
    let mut values = Values::new(paths.len(), last.iter().copied(), tree.has_negative());
    for (&source, &node) in sources.iter().zip(&last) {
        values.add_weighed(
            node,
            tree.self_value(source),
            tree.self_weight(source),
            tree.self_samples(source),
        );
    }
    Tree::new(paths.parent, paths.step, values)
}

/// The name of a sample type and its unit, as text.
impl Profile {
    /// A sample type's name and unit.
    #[must_use]
    pub fn type_names(&self, sample_type: SampleType) -> (String, String) {
        let text = |id: StrId| self.text(id).into_owned();
        (text(sample_type.kind), text(sample_type.unit))
    }
}
