//! What a view leaves of a profile, record by record, for writers that keep whole stacks.

use std::collections::HashMap;

use crate::model::graph::aggregate::{Plan, Reading};
use crate::model::graph::call_tree::{NodeId, Tree, Values};
use crate::model::graph::filter_eval::Fate;
use crate::model::graph::view::{Direction, View, ViewError};
use crate::model::profile::stack_trie::NONE;
use crate::model::profile::{Location, Profile};

/// A profile with a view's filters applied. All sample types are kept.
pub struct Subset<'a> {
    profile: &'a Profile,
    sample_type: usize,
    plan: Plan,
    tree: Tree,
    /// Only stacks through this node, cut above it.
    root: NodeId,
    /// How many lines are left of locations that the root's frame was inlined in, innermost first: its callers there are cut.
    cut: HashMap<u32, usize>,
}

impl<'a> Subset<'a> {
    /// Applies a view's filters; with a root, keeps only what is at and below that node of a reading of the same view.
    ///
    /// # Errors
    /// [`ViewError`] for too many filters.
    pub fn new(
        profile: &'a Profile,
        view: &View,
        root: Option<(&Reading, NodeId)>,
    ) -> Result<Self, ViewError> {
        // All records are kept, whatever their value of the type in view: the other types' values count as well.
        let mut plan = Plan::new(
            profile,
            &View {
                direction: Direction::TopDown,
                ..view.clone()
            },
            |_| true,
        )?;
        let (parent, frame) = (
            std::mem::take(&mut plan.grown.parent),
            std::mem::take(&mut plan.grown.frame),
        );
        let values = Values::new(frame.len(), std::iter::empty(), false);
        let tree = Tree::new(parent, frame, values);
        // Node ids of the two trees differ where a record has no value of the type in view; frames do not.
        let mut at = NodeId::ROOT;
        if let Some((reading, node)) = root {
            let mut path = Vec::new();
            let mut above = node;
            while let Some(frame) = reading.tree.frame(above) {
                path.push(frame);
                above = reading.tree.parent(above);
            }
            for frame in path.into_iter().rev() {
                at = tree.child(at, frame).unwrap_or(at);
            }
        }
        let mut subset = Self {
            profile,
            sample_type: view.sample_type,
            plan,
            tree,
            root: at,
            cut: HashMap::new(),
        };
        if at != NodeId::ROOT {
            subset.cut = subset.inlined_roots();
        }
        Ok(subset)
    }

    /// Returns the locations where the root's frame has callers inlined above it. One that is below the root as well is left
    /// whole.
    fn inlined_roots(&self) -> HashMap<u32, usize> {
        let paths = &self.profile.paths;
        let (mut cut, mut whole) = (HashMap::new(), Vec::new());
        for here in 1..u32::try_from(paths.len()).unwrap_or(u32::MAX) {
            if !self.is_inside(here) {
                continue;
            }
            let location = paths.step[here as usize];
            if self.is_inside(paths.parent[here as usize]) {
                whole.push(location);
                continue;
            }
            let node = NodeId(self.plan.grown.node(here));
            let kept = self.tree.depth(node) - self.tree.depth(self.root) + 1;
            if self.plan.selection.lines(location).len() > kept as usize {
                cut.insert(location, kept as usize);
            }
        }
        for location in whole {
            cut.remove(&location);
        }
        cut
    }

    /// Returns the same records with the names of another profile: this one renamed.
    #[must_use]
    pub fn with_names_of(self, renamed: &'a Profile) -> Self {
        Self {
            profile: renamed,
            ..self
        }
    }

    /// The whole profile.
    #[must_use]
    pub fn profile(&self) -> &'a Profile {
        self.profile
    }

    /// The sample type in view.
    #[must_use]
    pub fn sample_type(&self) -> usize {
        self.sample_type
    }

    /// The records that are left.
    pub fn records(&self) -> impl Iterator<Item = usize> + '_ {
        let ends = self
            .profile
            .record_ends
            .iter()
            .zip(&self.plan.fates)
            .enumerate();
        ends.filter(|(_, (node, fate))| **fate == Fate::Shown && self.is_inside(**node))
            .map(|(record, _)| record)
    }

    /// What is left of a record's stack, as indices of locations, leaf first.
    pub fn stack(&self, record: usize) -> impl Iterator<Item = u32> + '_ {
        let paths = &self.profile.paths;
        let mut node = self.profile.record_ends[record];
        std::iter::from_fn(move || {
            while node != 0 {
                let (here, above) = (node, paths.parent[node as usize]);
                node = above;
                // A location that is hidden, cut off or folded away ends up where its caller does.
                let own = self.plan.grown.node_of[here as usize]
                    != self.plan.grown.node_of[above as usize];
                if own && self.is_inside(here) {
                    return Some(paths.step[here as usize]);
                }
            }
            None
        })
    }

    /// The lines left of a location, as indices into the profile's lines, innermost first.
    #[must_use]
    pub fn lines(&self, location: u32) -> &[u32] {
        let lines = self.plan.selection.lines(location);
        let kept = self.cut.get(&location).copied();
        kept.and_then(|kept| lines.get(..kept)).unwrap_or(lines)
    }

    /// A location of the profile.
    #[must_use]
    pub fn location(&self, location: u32) -> &'a Location {
        &self.profile.parts.locations[location as usize]
    }

    fn is_inside(&self, path_node: u32) -> bool {
        let node = self.plan.grown.node(path_node);
        node != NONE && self.tree.is_within(NodeId(node), self.root)
    }
}
