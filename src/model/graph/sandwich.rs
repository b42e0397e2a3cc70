//! One function with its callers above and its callees below, all its places merged.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::call_tree::{Tree, Values};
use crate::model::graph::frames::FrameId;
use crate::model::profile::stack_trie::{NONE, Paths};

/// A function between its callers and its callees. Both trees weigh what the function weighs; recursion counts once.
#[derive(Debug)]
pub struct Sandwich {
    /// The function.
    pub frame: FrameId,
    /// Below the root its callers, below those their callers.
    pub callers: Tree,
    /// Below the root what it calls; the root's own value is the function's own.
    pub callees: Tree,
}

/// Stacks with their values, before they are merged into a tree.
#[derive(Default)]
struct Stacks {
    steps: Vec<u32>,
    ends: Vec<u32>,
    /// Net value, weight, samples of each.
    amounts: Vec<(i64, u64, i64)>,
}

impl Stacks {
    fn end(&mut self, value: i64, weight: u64, samples: i64) {
        self.ends
            .push(u32::try_from(self.steps.len()).unwrap_or(NONE));
        self.amounts.push((value, weight, samples));
    }

    fn into_tree(self, negative: bool) -> Tree {
        let (paths, last) = Paths::merge(&self.steps, &self.ends);
        let mut values = Values::new(paths.parent.len(), last.iter().copied(), negative);
        for (&node, &(value, weight, samples)) in last.iter().zip(&self.amounts) {
            values.add_weighed(node, value, weight, samples);
        }
        Tree::new(paths.parent, paths.step, values)
    }
}

impl Reading {
    /// Merges all places of a function. The reading must be top-down: from callers to callees.
    #[must_use]
    pub fn sandwich(&self, frame: FrameId) -> Sandwich {
        let tree = &self.tree;
        let (mut callers, mut callees) = (Stacks::default(), Stacks::default());
        // Nodes come before their descendants, so the first of a nest of recursion is the outermost.
        let mut counted_to = NodeId::ROOT;
        for node in tree.nodes().filter(|node| tree.frame(*node) == Some(frame)) {
            if node < counted_to {
                continue;
            }
            counted_to = tree.end(node);
            let mut above = tree.parent(node);
            while let Some(caller) = tree.frame(above) {
                callers.steps.push(caller.0);
                above = tree.parent(above);
            }
            callers.end(
                tree.total(node),
                tree.weight(node),
                tree.total_samples(node),
            );
            let top = tree.depth(node);
            let mut path: Vec<u32> = Vec::new();
            for below in tree.within(node) {
                path.truncate((tree.depth(below) - top).saturating_sub(1) as usize);
                if below != node {
                    path.extend(tree.frame(below).map(|f| f.0));
                }
                if tree.has_own(below) {
                    callees.steps.extend_from_slice(&path);
                    callees.end(
                        tree.self_value(below),
                        tree.self_weight(below),
                        tree.self_samples(below),
                    );
                }
            }
        }
        let negative = tree.has_negative();
        Sandwich {
            frame,
            callers: callers.into_tree(negative),
            callees: callees.into_tree(negative),
        }
    }
}
