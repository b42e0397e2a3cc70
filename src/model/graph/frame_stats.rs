//! What each frame of a call tree adds up to, wherever it was called from.

use std::cmp::Ordering;

use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::FrameId;
use crate::model::graph::view::Direction;

/// What a frame adds up to, wherever it was called from.
#[derive(Debug, Copy, Clone, Default, Eq, PartialEq)]
pub struct Stat {
    /// Samples of its own.
    pub samples: i64,
    /// Samples under it, each once however often it recurs.
    pub total_samples: i64,
    /// Net value of its own.
    pub self_value: i64,
    /// Net value under it, each once however often it recurs.
    pub total: i64,
    /// How many nodes of the tree it is.
    pub nodes: u32,
}

impl Stat {
    /// Returns what one node adds up to. Bottom-up, what has self time is on top, and its callers have none of it.
    pub(crate) fn of_node(tree: &Tree, node: NodeId, direction: Direction) -> Self {
        let (total, total_samples) = (tree.total(node), tree.total_samples(node));
        let (self_value, samples) = match direction {
            Direction::TopDown => (tree.self_value(node), tree.self_samples(node)),
            Direction::BottomUp if tree.depth(node) == 1 => (total, total_samples),
            Direction::BottomUp => (0, 0),
        };
        Self {
            samples,
            total_samples,
            self_value,
            total,
            nodes: 1,
        }
    }
}

/// Adds up each frame's values at and below a node.
pub(crate) fn stats(tree: &Tree, root: NodeId, frames: usize, direction: Direction) -> Vec<Stat> {
    let mut stats = vec![Stat::default(); frames];
    each_frame(tree, root, frames, |node, frame, outermost| {
        let (stat, here) = (&mut stats[frame], Stat::of_node(tree, node, direction));
        stat.nodes += 1;
        stat.samples += here.samples;
        stat.self_value += here.self_value;
        if outermost {
            stat.total += here.total;
            stat.total_samples += here.total_samples;
        }
    });
    stats
}

/// Visits every node at and below one with its frame, and tells whether the frame stands nowhere above it there: only such
/// a node counts for the frame's total.
pub(crate) fn each_frame(
    tree: &Tree,
    root: NodeId,
    frames: usize,
    mut visit: impl FnMut(NodeId, usize, bool),
) {
    // How often each frame stands on the path to the node in hand.
    let mut on_path = vec![0_u32; frames];
    let mut path = Vec::new();
    let top = tree.depth(root).max(1);
    for node in tree.within(root) {
        while path.len() > tree.depth(node).saturating_sub(top) as usize {
            if let Some(left) = path.pop() {
                on_path[left] -= 1;
            }
        }
        let Some(FrameId(frame)) = tree.frame(node) else {
            continue;
        };
        let frame = frame as usize;
        visit(node, frame, on_path[frame] == 0);
        on_path[frame] += 1;
        path.push(frame);
    }
}

/// Larger changes first, whichever their sign.
pub(crate) fn larger(one: i64, other: i64) -> Ordering {
    other
        .unsigned_abs()
        .cmp(&one.unsigned_abs())
        .then_with(|| other.cmp(&one))
}
