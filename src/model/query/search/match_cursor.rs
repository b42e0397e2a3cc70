//! The way from match to match, heaviest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::query::search::Hits;

/// Sorting all matches pays only for steps that leave so many out.
const FAR: usize = 10_000;

/// The matches at or below a node, heaviest first; equals in the order of the tree. Found as they are asked for: a node is
/// never heavier than the one above, so the heaviest are met by going down from the top, and most nodes are never looked at.
#[derive(Debug)]
pub struct Walk {
    within: NodeId,
    count: usize,
    found: Vec<NodeId>,
    /// Nodes whose matches at and below are still to come.
    ahead: BinaryHeap<(u64, Reverse<NodeId>)>,
}

impl Walk {
    /// A walk through the matches at or below a node. Both must be those of the tree that is passed later.
    #[must_use]
    pub fn new(tree: &Tree, hits: &Hits, within: NodeId) -> Self {
        let ahead = BinaryHeap::from([(tree.weight(within), Reverse(within))]);
        Self {
            within,
            count: hits.share(tree, within).frames,
            found: Vec::new(),
            ahead,
        }
    }

    /// Counts the matches.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The match in a place, counted from 0.
    pub fn get(&mut self, tree: &Tree, hits: &Hits, place: usize) -> Option<NodeId> {
        if place >= self.count {
            return None;
        }
        if place > self.found.len() + FAR {
            self.found = hits.by_weight(tree, self.within);
        }
        while self.found.len() <= place {
            let (_, Reverse(node)) = self.ahead.pop()?;
            if hits.contains(node) {
                self.found.push(node);
            }
            let below = tree.unordered(node).filter(|child| hits.any(tree, *child));
            self.ahead
                .extend(below.map(|child| (tree.weight(child), Reverse(child))));
        }
        self.found.get(place).copied()
    }
}
