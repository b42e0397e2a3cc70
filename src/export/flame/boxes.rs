//! The boxes of a flame graph: where each frame starts and how wide it is, in the profile's own values.

use crate::export::Scene;
use crate::model::graph::call_tree::{Children, NodeId, Order, Tree};

/// Up to so many frames, all are drawn, however narrow.
const ALL_UP_TO: usize = 5_000;
/// Beyond that, frames narrower than one part in so many are collected: a twelfth of a pixel.
pub(super) const PARTS: u64 = 10_000;
/// A browser takes seconds for so many boxes; deeper rows are left out.
const MOST: usize = 50_000;

/// What a box stands for.
#[derive(Debug)]
pub(super) enum Content {
    /// One frame.
    Frame(NodeId),
    /// Siblings that are not drawn one by one.
    Rest(Vec<NodeId>),
}

/// One box.
#[derive(Debug)]
pub(super) struct FrameBox {
    pub(super) content: Content,
    /// Rows above it.
    pub(super) depth: u32,
    /// The weight to the left of it.
    pub(super) start: u64,
    /// Its width.
    pub(super) weight: u64,
}

/// All boxes of a picture.
pub(super) struct Boxes {
    /// In preorder: callers before callees, from left to right. Empty if there is nothing to draw.
    pub(super) all: Vec<FrameBox>,
    /// How many frames have no box of their own: too narrow, or too deep.
    pub(super) left_out: usize,
    /// How many rows are drawn, if there would be more.
    pub(super) rows: Option<u32>,
}

impl Boxes {
    /// Lays a scene out: callees below their caller from the left, the heaviest first.
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let (tree, frames) = (&scene.reading.tree, &scene.reading.frames);
        let total = tree.weight(scene.root);
        let mut boxes = Self {
            all: Vec::new(),
            left_out: 0,
            rows: None,
        };
        if total == 0 {
            return boxes;
        }
        let count = count(tree, scene.root);
        let least = if count > ALL_UP_TO {
            total.div_ceil(PARTS).max(1)
        } else {
            1
        };
        boxes.rows = rows(scene, least);
        // A stack of our own: profiles are deeper than the program's.
        let mut waiting = vec![FrameBox {
            content: Content::Frame(scene.root),
            depth: 0,
            start: 0,
            weight: total,
        }];
        while let Some(next) = waiting.pop() {
            if let Content::Frame(node) = next.content {
                let children = tree.children(node, Order::Weight, frames);
                let depth = next.depth + 1;
                let drawn = match boxes.rows {
                    Some(rows) if depth >= rows => 0,
                    _ => children
                        .nodes
                        .partition_point(|child| tree.weight(*child) >= least),
                };
                // Pushed from right to left, so that the leftmost is taken first.
                waiting.extend(
                    boxes
                        .rest(tree, &children, drawn)
                        .filter(|(_, _, weight)| *weight >= least)
                        .into_iter()
                        .chain(one_by_one(tree, &children, drawn).rev())
                        .map(|(content, before, weight)| FrameBox {
                            content,
                            depth,
                            start: next.start + before,
                            weight,
                        }),
                );
            }
            boxes.all.push(next);
        }
        boxes
    }

    /// Counts the children that get no box of their own, and returns one for all of them.
    fn rest(
        &mut self,
        tree: &Tree,
        children: &Children,
        drawn: usize,
    ) -> Option<(Content, u64, u64)> {
        let rest = children.nodes.get(drawn..)?;
        self.left_out += rest.iter().map(|child| count(tree, *child)).sum::<usize>();
        let before = children.before.get(drawn)?;
        let weight = children.before.last()?.saturating_sub(*before);
        Some((Content::Rest(rest.to_vec()), *before, weight))
    }
}

/// The children that get a box of their own, each with the weight before it and its own.
fn one_by_one(
    tree: &Tree,
    children: &Children,
    drawn: usize,
) -> impl DoubleEndedIterator<Item = (Content, u64, u64)> {
    let nodes = children.nodes.iter().take(drawn);
    nodes
        .zip(children.before.iter().take(drawn))
        .map(|(child, before)| (Content::Frame(*child), *before, tree.weight(*child)))
}

/// Counts the frames at and below a node that have a width.
pub(super) fn count(tree: &Tree, node: NodeId) -> usize {
    tree.within(node)
        .filter(|node| tree.weight(*node) > 0)
        .count()
}

/// Returns how many rows may be drawn; `None` if all of them.
fn rows(scene: &Scene<'_>, least: u64) -> Option<u32> {
    let tree = &scene.reading.tree;
    let mut wide_enough: Vec<usize> = Vec::new();
    for node in tree
        .within(scene.root)
        .filter(|node| tree.weight(*node) >= least)
    {
        let row = (tree.depth(node) - tree.depth(scene.root)) as usize;
        if wide_enough.len() <= row {
            wide_enough.resize(row + 1, 0);
        }
        if let Some(count) = wide_enough.get_mut(row) {
            *count += 1;
        }
    }
    let mut sum = 0;
    // What is below the last row is collected: a box for each of it.
    let fitting = wide_enough.iter().take_while(|count| {
        sum += **count;
        sum + **count <= MOST
    });
    let fitting = fitting.count();
    (fitting < wide_enough.len()).then(|| u32::try_from(fitting.max(1)).unwrap_or(u32::MAX))
}
