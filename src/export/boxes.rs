//! The boxes of a picture: where each frame starts and how wide it is, in the profile's own values.

use crate::export::Scene;
use crate::export::names::Names;
use crate::model::graph::call_tree::{NodeId, Order};

/// Up to so many boxes all are drawn, however narrow.
const ALL_UP_TO: usize = 5_000;
/// Beyond that, frames narrower than one part in so many are left out.
const PARTS: u64 = 10_000;
/// A browser takes seconds for so many boxes; what lies deeper is left out.
const MOST: usize = 50_000;

/// One box.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrameBox {
    pub(super) node: NodeId,
    /// Rows above; 0 is the bar of the whole picture.
    pub(super) depth: u32,
    /// The weight to the left of it.
    pub(super) start: u64,
    /// Its width.
    pub(super) weight: u64,
    /// The part of its width that no drawn child covers; at its right end.
    pub(super) own: u64,
    pub(super) name: String,
}

/// All boxes of a picture.
pub(super) struct Boxes {
    /// Each before what it calls, from left to right.
    pub(super) all: Vec<FrameBox>,
    /// How many frames are not among them: too narrow, or too deep.
    pub(super) left_out: usize,
    /// How many rows of frames are drawn, if there would be more.
    pub(super) rows: Option<u32>,
}

impl Boxes {
    /// Lays a scene out: callees below their caller from the left, the heaviest first.
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let (tree, frames) = (&scene.reading.tree, &scene.reading.frames);
        let names = Names::new(frames);
        let total = tree.weight(scene.root);
        let below = tree
            .within(scene.root)
            .filter(|node| tree.weight(*node) > 0)
            .count();
        let least = if below > ALL_UP_TO {
            total.div_ceil(PARTS).max(1)
        } else {
            1
        };
        let rows = rows(scene, least);
        let mut boxes = Self {
            all: Vec::new(),
            left_out: below,
            rows,
        };
        // Walked with a stack of our own: profiles are deeper than the program's.
        let mut waiting = vec![(scene.root, 0, 0, "all".to_owned())];
        if let Some(frame) = tree.frame(scene.root) {
            let all = FrameBox {
                node: scene.root,
                depth: 0,
                start: 0,
                weight: total,
                own: 0,
                name: "all".to_owned(),
            };
            boxes.all.push(all);
            waiting = vec![(scene.root, 1, 0, names.of_siblings(&[frame]).concat())];
        }
        while let Some((node, depth, start, name)) = waiting.pop() {
            let weight = tree.weight(node);
            let children = tree.children(node, Order::Weight, frames);
            let room = rows.is_none_or(|rows| tree.depth(node) - tree.depth(scene.root) < rows);
            let is_drawn = |child: &NodeId| room && tree.weight(*child) >= least;
            let drawn: Vec<NodeId> = children
                .nodes
                .iter()
                .copied()
                .take_while(is_drawn)
                .collect();
            let ids: Vec<_> = drawn
                .iter()
                .filter_map(|child| tree.frame(*child))
                .collect();
            let covered: u64 = drawn.iter().map(|child| tree.weight(*child)).sum();
            boxes.all.push(FrameBox {
                node,
                depth,
                start,
                weight,
                own: weight.saturating_sub(covered),
                name,
            });
            boxes.left_out = boxes.left_out.saturating_sub(1);
            let named = drawn
                .iter()
                .zip(names.of_siblings(&ids))
                .zip(&children.before);
            // The leftmost comes last and is taken first.
            let at = waiting.len();
            waiting.extend(
                named.map(|((child, name), before)| (*child, depth + 1, start + before, name)),
            );
            if let Some(new) = waiting.get_mut(at..) {
                new.reverse();
            }
        }
        boxes
    }

    /// Answers the weight of the whole picture.
    pub(super) fn total(&self) -> u64 {
        self.all.first().map_or(0, |all| all.weight)
    }
}

/// Answers how many rows below the scene's root may be drawn, if not all of them.
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
    let fitting = wide_enough.iter().take_while(|count| {
        sum += **count;
        sum <= MOST
    });
    let fitting = fitting.count();
    (fitting < wide_enough.len())
        .then(|| u32::try_from(fitting.saturating_sub(1)).unwrap_or(u32::MAX))
}
