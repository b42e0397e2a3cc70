//! A profile and a view → a [`Reading`]: the call tree with totals, its frames and the sums.

use std::borrow::Cow;

use crate::model::graph::build_tree;
use crate::model::graph::build_tree::Names;
use crate::model::graph::call_tree::{NodeId, Tree, Values};
use crate::model::graph::filter_eval::{Fate, Selection};
use crate::model::graph::frame_key;
use crate::model::graph::frame_key::Naming;
use crate::model::graph::frame_stats;
use crate::model::graph::frame_stats::Stat;
use crate::model::graph::frames::{FrameId, Frames};
use crate::model::graph::sample_values::{Column, SamplesFrom};
use crate::model::graph::spread::Spread;
use crate::model::graph::view::{Direction, View, ViewError};
use crate::model::profile::stack_trie::{NONE, Paths};
use crate::model::profile::{Profile, SampleType};
use crate::model::query::filter::Filter;
use crate::model::text::sanitize::printable;

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
    /// From which end stacks are read.
    pub direction: Direction,
    /// Whether frames are hidden: what they hold counts as their callers' own.
    pub hides: bool,
    /// What each capture says, where several were opened as one.
    pub spread: Option<Spread>,
    /// What each frame adds up to, by its id; always as called from the root, whatever the direction.
    pub(crate) stats: Vec<Stat>,
}

impl Reading {
    /// How many samples the whole capture holds, where they were really counted and are no differences: only then do
    /// intervals mean anything.
    #[must_use]
    pub fn counted_samples(&self) -> Option<u64> {
        match self.samples_from {
            SamplesFrom::Type(_) if !self.tree.has_negative() => {
                u64::try_from(self.all_samples).ok().filter(|all| *all > 0)
            }
            SamplesFrom::Type(_) | SamplesFrom::Records => None,
        }
    }

    /// What one node adds up to.
    #[must_use]
    pub fn at_node(&self, node: NodeId) -> Stat {
        Stat::of_node(&self.tree, node, self.direction)
    }

    /// What each frame adds up to at and below a node, by its id; recursion counts once.
    #[must_use]
    pub fn stats_within(&self, root: NodeId) -> Cow<'_, [Stat]> {
        if root == NodeId::ROOT {
            return (&self.stats[..]).into();
        }
        frame_stats::stats(&self.tree, root, self.frames.len(), self.direction).into()
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

    /// Returns the frames at and below a node, and of each frame its place among them: names of what a view leaves out stay
    /// out of what is written of it.
    #[must_use]
    pub fn frames_within(&self, root: NodeId) -> (Vec<FrameId>, Vec<u32>) {
        let mut places = vec![u32::MAX; self.frames.len()];
        let mut used = Vec::new();
        for frame in self
            .tree
            .within(root)
            .filter_map(|node| self.tree.frame(node))
        {
            let place = &mut places[frame.0 as usize];
            if *place == u32::MAX {
                *place = u32::try_from(used.len()).unwrap_or(u32::MAX);
                used.push(frame);
            }
        }
        (used, places)
    }

    /// The node where a frame of that name weighs most; the first of equals. Where no frame has the name, it is taken as
    /// the screen shows names, without what no argument can hold.
    #[must_use]
    pub fn heaviest_named(&self, name: &str) -> Option<NodeId> {
        self.heaviest_of(|frame| self.frames.name(frame) == name)
            .or_else(|| self.heaviest_of(|frame| printable(self.frames.name(frame)) == name))
    }

    /// Returns the heaviest frame with that identity; see [`crate::model::graph::frames::FrameInfo::identity`]. A bare name means all of that name.
    #[must_use]
    pub fn heaviest_with_identity(&self, identity: &str) -> Option<FrameId> {
        let node = self
            .heaviest_of(|frame| self.frames.info(frame).is_identity(identity))
            .or_else(|| self.heaviest_of(|frame| self.frames.info(frame).has_identity(identity)))
            .or_else(|| self.heaviest_named(identity))?;
        self.tree.frame(node)
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
    let (root, count) = (NodeId::ROOT, plan.frames.len());
    let stats = frame_stats::stats(&tree, root, count, Direction::TopDown);
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
        direction: view.direction,
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
pub(crate) struct Plan {
    pub(crate) selection: Selection,
    frames: Frames,
    pub(crate) fates: Vec<Fate>,
    pub(crate) grown: build_tree::Grown,
}

impl Plan {
    /// Plans the tree of all records that count.
    pub(crate) fn new(
        profile: &Profile,
        view: &View,
        counts: impl Fn(usize) -> bool,
    ) -> Result<Self, ViewError> {
        let naming = frame_key::name(profile, view.by);
        let selection = Selection::new(profile, view, &naming)?;
        let Naming {
            frames,
            of_line,
            of_location,
            no_stack,
        } = naming;
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
        let grown = build_tree::grow(profile, &selection, &names, view.fold_recursion, &fates);
        Ok(Self {
            selection,
            frames,
            fates,
            grown,
        })
    }

    /// The node that holds a record's own value; `None` where the record is left out.
    pub(crate) fn node(&self, profile: &Profile, record: usize) -> Option<u32> {
        (self.fates[record] == Fate::Shown).then(|| self.grown.node(profile.record_ends[record]))
    }

    /// Counts the nodes of the tree, the root among them.
    pub(crate) fn nodes(&self) -> usize {
        self.grown.frame.len()
    }

    /// The frame of a node.
    pub(crate) fn frame(&self, node: u32) -> u32 {
        self.grown.frame[node as usize]
    }

    /// The frames, and of each node in preorder its parent and its frame.
    pub(crate) fn into_nodes(self) -> (Frames, Vec<u32>, Vec<u32>) {
        (self.frames, self.grown.parent, self.grown.frame)
    }
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
