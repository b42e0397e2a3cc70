//! The call tree of a reading: an arena in preorder, so that a subtree is a range and every sum of one is a difference.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::graph::frames::{FrameId, Frames};
use crate::model::hash::Quick;
use crate::model::profile::stack_trie::{NONE, ends_of};
use crate::model::text::units::value;

/// A node of a [`Tree`].
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root, which is no frame: all stacks begin below it.
    pub const ROOT: Self = Self(0);

    fn at(self) -> usize {
        self.0 as usize
    }
}

/// In which order a node's children stand.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Hash, Default)]
pub enum Order {
    /// Heaviest first; ties by name.
    #[default]
    Weight,
    /// By name; equal names heaviest first.
    Name,
}

/// A node's children in one order.
#[derive(Debug, Clone)]
pub struct Children {
    /// The children.
    pub nodes: Vec<NodeId>,
    /// The weight of all children before each one, and of all of them at the end.
    pub before: Vec<u64>,
}

/// The call tree. A node's weight is the sum of absolute values through it: what widths are made of.
#[derive(Debug)]
pub struct Tree {
    parent: Vec<u32>,
    /// The root's is one that does not exist.
    frame: Vec<FrameId>,
    end: Vec<u32>,
    depth: Vec<u32>,
    values: Values,
    /// Children in order, of the nodes that were asked for.
    ordered: Mutex<HashMap<(u32, Order), Arc<Children>, Quick>>,
}

impl Clone for Tree {
    fn clone(&self) -> Self {
        let Self {
            parent,
            frame,
            end,
            depth,
            values,
            ordered: _,
        } = self;
        Self {
            parent: parent.clone(),
            frame: frame.clone(),
            end: end.clone(),
            depth: depth.clone(),
            values: values.clone(),
            // The order of ties follows the names, which a copy may get new ones of.
            ordered: Mutex::default(),
        }
    }
}

/// The nodes that have values of their own: few do, so a column of own values has places for those only. A column holds for
/// each owner the sum of all owners before it, and one entry more.
#[derive(Debug, Clone)]
pub(crate) struct Owners {
    /// For each node how many nodes before it have own values; one entry more than there are nodes.
    before: Vec<u32>,
}

impl Owners {
    /// Of so many nodes those that own something, which may be named several times.
    pub(crate) fn new(nodes: usize, owners: impl Iterator<Item = u32>) -> Self {
        let mut before = vec![0; nodes + 1];
        for owner in owners {
            before[owner as usize + 1] = 1;
        }
        add_up(&mut before);
        Self { before }
    }

    /// Counts them.
    pub(crate) fn count(&self) -> usize {
        self.before.last().map_or(0, |count| *count as usize)
    }

    /// The place in a column whose sum is the first to hold what an owner has.
    pub(crate) fn place(&self, owner: u32) -> usize {
        self.before[owner as usize + 1] as usize
    }

    /// The same of a node that may own nothing; `None` if so.
    pub(crate) fn own_place(&self, node: u32) -> Option<usize> {
        let (before, with) = (self.before[node as usize], self.before[node as usize + 1]);
        (before != with).then_some(with as usize)
    }

    /// What a column says of all nodes from one to another.
    pub(crate) fn between<T: Copy + std::ops::Sub<Output = T>>(
        &self,
        column: &[T],
        nodes: Range<u32>,
    ) -> T {
        column[self.before[nodes.end as usize] as usize]
            - column[self.before[nodes.start as usize] as usize]
    }
}

/// The own values of a tree's nodes.
#[derive(Debug, Clone)]
pub(crate) struct Values {
    owners: Owners,
    /// For each owner the sum of the values of all owners before it; one entry more than there are owners.
    value: Vec<i64>,
    samples: Vec<i64>,
    /// The same for absolute values; only where some are negative.
    weight: Option<Vec<u64>>,
}

impl Values {
    /// Makes room for the own values of some nodes, which may be named several times.
    pub(crate) fn new(nodes: usize, owners: impl Iterator<Item = u32>, negative: bool) -> Self {
        let owners = Owners::new(nodes, owners);
        let places = owners.count() + 1;
        // Each owner's own stands at its successor's place: adding up in place then gives the sums before.
        let zeroes = || vec![0; places];
        Self {
            owners,
            value: zeroes(),
            samples: zeroes(),
            weight: negative.then(|| vec![0; places]),
        }
    }

    /// The value and the weight of each owner, in the order of the nodes, and no samples.
    pub(crate) fn weighed(owners: Owners, own: impl Iterator<Item = (i64, u64)>) -> Self {
        let places = owners.count() + 1;
        let (mut value, mut weight) = (Vec::with_capacity(places), Vec::with_capacity(places));
        value.push(0);
        weight.push(0);
        for (own, own_weight) in own {
            value.push(own);
            weight.push(own_weight);
        }
        Self {
            owners,
            value,
            samples: vec![0; places],
            weight: Some(weight),
        }
    }

    /// Adds to a node that room was made for.
    pub(crate) fn add(&mut self, node: u32, value: i64, samples: i64) {
        self.add_weighed(node, value, value.unsigned_abs(), samples);
    }

    pub(crate) fn add_weighed(&mut self, node: u32, value: i64, weight: u64, samples: i64) {
        let at = self.owners.place(node);
        self.value[at] += value;
        self.samples[at] += samples;
        if let Some(weights) = &mut self.weight {
            weights[at] += weight;
        }
    }

    fn close(&mut self) {
        add_up(&mut self.value);
        add_up(&mut self.samples);
        if let Some(weight) = &mut self.weight {
            add_up(weight);
        }
    }

    /// What the own values in some column of all nodes from one to another add up to.
    fn between<T: Copy + std::ops::Sub<Output = T>>(&self, column: &[T], from: u32, to: u32) -> T {
        self.owners.between(column, from..to)
    }
}

/// Turns each entry into the sum of all up to it.
fn add_up<T: Copy + std::ops::AddAssign>(entries: &mut [T]) {
    let mut entries = entries.iter_mut();
    let Some(mut sum) = entries.next().map(|first| *first) else {
        return;
    };
    for entry in entries {
        sum += *entry;
        *entry = sum;
    }
}

impl Tree {
    /// Builds a tree of nodes in preorder. The sum of absolute values must fit 63 bits.
    pub(crate) fn new(parent: Vec<u32>, frame: Vec<u32>, mut values: Values) -> Self {
        let end = ends_of(&parent);
        let mut depth = vec![0; parent.len()];
        for node in 1..parent.len() {
            depth[node] = depth[parent[node] as usize] + 1;
        }
        values.close();
        // The same numbers, so this takes over the memory.
        let frame = frame.into_iter().map(FrameId).collect();
        Self {
            parent,
            frame,
            end,
            depth,
            values,
            ordered: Mutex::default(),
        }
    }

    /// The nodes that have values of their own.
    pub(crate) fn owners(&self) -> &Owners {
        &self.values.owners
    }

    /// Whether a node is one of those.
    pub(crate) fn owns(&self, node: NodeId) -> bool {
        self.owners().place(node.0) > self.owners().before[node.at()] as usize
    }

    /// Counts the nodes, the root among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frame.len()
    }

    /// Tells whether there is no frame at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// All nodes: each before its descendants, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.within(NodeId::ROOT)
    }

    /// A node and all its descendants, each before its own.
    pub fn within(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (node.0..self.end[node.at()]).map(NodeId)
    }

    /// The frame of every node, in the order of [`Self::nodes`]. The root's is one that does not exist.
    pub(crate) fn frames(&self) -> &[FrameId] {
        &self.frame
    }

    /// The first node after a node's descendants, in the order of [`Self::nodes`]; may be one past the last.
    #[must_use]
    pub fn end(&self, node: NodeId) -> NodeId {
        NodeId(self.end[node.at()])
    }

    /// Tells whether a node is another or lies below it.
    #[must_use]
    pub fn is_within(&self, node: NodeId, above: NodeId) -> bool {
        (above.0..self.end[above.at()]).contains(&node.0)
    }

    /// The node above; the root's is the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> NodeId {
        NodeId(self.parent[node.at()])
    }

    /// The node's frame; `None` for the root.
    #[must_use]
    pub fn frame(&self, node: NodeId) -> Option<FrameId> {
        let frame = self.frame[node.at()];
        (frame != FrameId(NONE)).then_some(frame)
    }

    /// Net sum of the values of a node's own, in the unit of the sample type.
    #[must_use]
    pub fn self_value(&self, node: NodeId) -> i64 {
        self.values.between(&self.values.value, node.0, node.0 + 1)
    }

    /// Net sum of the values of a node and its descendants.
    #[must_use]
    pub fn total(&self, node: NodeId) -> i64 {
        self.values
            .between(&self.values.value, node.0, self.end[node.at()])
    }

    /// Returns [`Self::total`] in words; where what is more and what is less cancel each other, both: `+5 ms −5 ms`.
    #[must_use]
    pub fn amount(&self, node: NodeId, unit: &str) -> String {
        let half = self.weight(node) / 2;
        if self.total(node) == 0 && half > 0 {
            let half = value(half.into(), unit);
            return format!("+{half} \u{2212}{half}");
        }
        value(self.total(node).into(), unit)
    }

    /// Samples of a node's own.
    #[must_use]
    pub fn self_samples(&self, node: NodeId) -> i64 {
        self.values
            .between(&self.values.samples, node.0, node.0 + 1)
    }

    /// Samples of a node and its descendants.
    #[must_use]
    pub fn total_samples(&self, node: NodeId) -> i64 {
        self.values
            .between(&self.values.samples, node.0, self.end[node.at()])
    }

    /// Sum of the absolute values through a node: its width. Equals the total where nothing is negative.
    #[must_use]
    pub fn weight(&self, node: NodeId) -> u64 {
        self.weight_between(node.0, self.end[node.at()])
    }

    /// [`Self::total`] and [`Self::weight`], with half the look-ups where they are equal.
    pub(crate) fn total_and_weight(&self, node: NodeId) -> (i64, u64) {
        let total = self.total(node);
        (
            total,
            if self.has_negative() {
                self.weight(node)
            } else {
                total.unsigned_abs()
            },
        )
    }

    /// The part of a node's weight that is its own.
    #[must_use]
    pub fn self_weight(&self, node: NodeId) -> u64 {
        self.weight_between(node.0, node.0 + 1)
    }

    /// Whether some values are negative, so that weights and totals differ.
    #[must_use]
    pub fn has_negative(&self) -> bool {
        self.values.weight.is_some()
    }

    /// Whether anything was recorded in the node itself.
    #[must_use]
    pub fn has_own(&self, node: NodeId) -> bool {
        self.self_value(node) != 0 || self.self_samples(node) != 0 || self.self_weight(node) != 0
    }

    /// How many frames lie above; the root has depth 0, the frames below it 1.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> u32 {
        self.depth[node.at()]
    }

    /// How many levels lie below a node. Looks at all its descendants: milliseconds for millions, so ask once a view.
    #[must_use]
    pub fn height(&self, node: NodeId) -> u32 {
        let below = &self.depth[node.at()..self.end[node.at()] as usize];
        below
            .iter()
            .max()
            .map_or(0, |deepest| deepest - self.depth(node))
    }

    /// The child with a frame, if there is one.
    #[must_use]
    pub fn child(&self, node: NodeId, frame: FrameId) -> Option<NodeId> {
        self.unordered(node)
            .find(|child| self.frame(*child) == Some(frame))
    }

    /// The nodes directly below one, in no order that means anything.
    pub fn unordered(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.end[node.at()];
        let mut next = node.0 + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end[child as usize];
            Some(NodeId(child))
        })
    }

    /// The nodes directly below one. Sorted when first asked for, then kept.
    #[must_use]
    pub fn children(&self, node: NodeId, order: Order, frames: &Frames) -> Arc<Children> {
        let mut ordered = self.ordered.lock().unwrap_or_else(PoisonError::into_inner);
        let children = ordered
            .entry((node.0, order))
            .or_insert_with(|| Arc::new(self.sort(node, order, frames)));
        Arc::clone(children)
    }

    fn sort(&self, node: NodeId, order: Order, frames: &Frames) -> Children {
        let name = |child: &NodeId| self.frame(*child).map_or("", |frame| frames.name(frame));
        let mut nodes: Vec<NodeId> = self.unordered(node).collect();
        nodes.sort_by(|one, other| {
            let by_weight = || self.weight(*other).cmp(&self.weight(*one));
            let by_name = || name(one).cmp(name(other));
            match order {
                Order::Weight => by_weight().then_with(by_name),
                Order::Name => by_name().then_with(by_weight),
            }
        });
        let mut before = Vec::with_capacity(nodes.len() + 1);
        let mut sum = 0;
        before.push(0);
        for child in &nodes {
            sum += self.weight(*child);
            before.push(sum);
        }
        Children { nodes, before }
    }

    fn weight_between(&self, from: u32, to: u32) -> u64 {
        match &self.values.weight {
            Some(weight) => self.values.between(weight, from, to),
            None => self
                .values
                .between(&self.values.value, from, to)
                .unsigned_abs(),
        }
    }
}
