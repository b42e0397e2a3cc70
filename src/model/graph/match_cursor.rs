//! The matches of a search one by one, heaviest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::hits::Hits;

/// Sorting all matches pays only for steps over so many.
const FAR: usize = 10_000;

/// The matches at or below a node, heaviest first; equals in the order of the tree. Found on demand: a node is never heavier
/// than its parent, so the heaviest are found from the top down, and most nodes are never visited.
#[derive(Debug)]
pub struct MatchCursor {
    within: NodeId,
    count: usize,
    found: Vec<NodeId>,
    /// Nodes whose matches, at and below them, are not found yet.
    ahead: BinaryHeap<(u64, Reverse<NodeId>)>,
}

impl MatchCursor {
    /// Returns the matches at or below a node. Both must be those of the tree that is passed later.
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

    /// Returns the match with an index.
    pub fn get(&mut self, tree: &Tree, hits: &Hits, index: usize) -> Option<NodeId> {
        if index >= self.count {
            return None;
        }
        if index > self.found.len() + FAR {
            self.found = hits.by_weight(tree, self.within);
        }
        while self.found.len() <= index {
            let (_, Reverse(node)) = self.ahead.pop()?;
            if hits.contains(node) {
                self.found.push(node);
            }
            let below = tree.unordered(node).filter(|child| hits.any(tree, *child));
            self.ahead
                .extend(below.map(|child| (tree.weight(child), Reverse(child))));
        }
        self.found.get(index).copied()
    }
}
