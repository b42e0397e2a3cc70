//! Grows a reading's tree out of a profile's stacks: names instead of places, what the filters hide passed over.
//!
//! The profile's paths are a tree of locations already. Nodes with equal frames under the same caller are merged by
//! gathering, sorting and splitting all children of a group at once, which comes out in preorder without a hash map.

use crate::model::graph::filter_eval::{Fate, Selection};
use crate::model::profile::Profile;
use crate::model::profile::stack_trie::NONE;

/// The frames that a profile's lines and locations belong to.
pub(crate) struct Names<'a> {
    pub(crate) of_line: &'a [u32],
    pub(crate) of_location: &'a [u32],
    pub(crate) no_stack: u32,
}

/// A tree as it was grown.
pub(crate) struct Grown {
    pub(crate) parent: Vec<u32>,
    pub(crate) frame: Vec<u32>,
    /// For each node of the profile's paths its innermost frame's node; [`NONE`] where nothing is shown.
    pub(crate) node_of: Vec<u32>,
    /// The node of the records without a stack, if any of those are shown.
    bare: Option<u32>,
}

impl Grown {
    /// The node of the records whose stacks end at a node of the profile's paths.
    pub(crate) fn node(&self, path_node: u32) -> u32 {
        match self.bare {
            Some(bare) if path_node == 0 => bare,
            _ => self.node_of[path_node as usize],
        }
    }
}

/// One of a location's frames at a node of the paths: inlined frames are a chain of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stop {
    node: u32,
    /// How many frames of the location lie further in.
    further: u32,
}

/// Stops that become one node: the last `count` of the shelf.
struct Group {
    frame: u32,
    parent: u32,
    count: u32,
}

struct Grower<'a> {
    profile: &'a Profile,
    selection: &'a Selection,
    names: &'a Names<'a>,
    needed: Vec<bool>,
    grown: Grown,
    fold: bool,
    /// The children found for the group in hand, with their frames.
    found: Vec<(u32, Stop)>,
    /// Nodes that are passed over, whose children belong to the group in hand.
    through: Vec<u32>,
}

/// Grows the tree of all records that are shown.
pub(crate) fn grow(
    profile: &Profile,
    selection: &Selection,
    names: &Names<'_>,
    fold: bool,
    fates: &[Fate],
) -> Grown {
    let paths = &profile.paths;
    let mut needed = vec![false; paths.len()];
    let shown = || {
        profile
            .record_ends
            .iter()
            .zip(fates)
            .filter(|(_, fate)| **fate == Fate::Shown)
    };
    for (&node, _) in shown() {
        needed[node as usize] = true;
    }
    for node in (1..paths.len()).rev() {
        if needed[node] {
            needed[paths.parent[node] as usize] = true;
        }
    }
    let grown = Grown {
        parent: vec![0],
        frame: vec![NONE],
        node_of: vec![NONE; paths.len()],
        bare: None,
    };
    let mut grower = Grower {
        profile,
        selection,
        names,
        needed,
        grown,
        fold,
        found: Vec::new(),
        through: Vec::new(),
    };
    grower.run();
    if shown().any(|(&node, _)| node == 0) {
        // They stand under a frame of their own, so that totals agree with what is drawn.
        grower.grown.bare = Some(grower.node(names.no_stack, 0));
    }
    grower.grown
}

impl Grower<'_> {
    fn run(&mut self) {
        let mut shelf: Vec<Stop> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        self.grown.node_of[0] = 0;
        self.through.push(0);
        self.below(0);
        self.shelve(0, &mut shelf, &mut groups);
        while let Some(group) = groups.pop() {
            let node = self.node(group.frame, group.parent);
            let from = shelf.len() - group.count as usize;
            for stop in &shelf[from..] {
                self.follow(*stop, node);
            }
            shelf.truncate(from);
            self.shelve(node, &mut shelf, &mut groups);
        }
    }

    fn node(&mut self, frame: u32, parent: u32) -> u32 {
        let node = u32::try_from(self.grown.frame.len()).unwrap_or(NONE);
        self.grown.frame.push(frame);
        self.grown.parent.push(parent);
        node
    }

    /// Finds what comes below one stop of a node.
    fn follow(&mut self, stop: Stop, node: u32) {
        if stop.further > 0 {
            self.arrive(stop.node, stop.further - 1, node);
        } else {
            self.grown.node_of[stop.node as usize] = node;
            self.through.push(stop.node);
        }
        self.below(node);
    }

    /// Finds the children of the nodes of the paths that are passed through, and of those met on the way.
    fn below(&mut self, node: u32) {
        let paths = &self.profile.paths;
        while let Some(above) = self.through.pop() {
            for child in paths.children(above) {
                if !self.needed[child as usize] {
                    continue;
                }
                let location = paths.step[child as usize];
                if self.selection.is_hidden(location) || !self.selection.is_shown(child) {
                    self.grown.node_of[child as usize] = node;
                    self.through.push(child);
                } else {
                    let frames =
                        u32::try_from(self.selection.lines(location).len()).unwrap_or(u32::MAX);
                    self.arrive(child, frames.saturating_sub(1), node);
                }
            }
        }
    }

    /// Notes a stop below a node, or passes it over where it repeats the node's frame and recursion is folded.
    fn arrive(&mut self, path_node: u32, mut further: u32, node: u32) {
        let location = self.profile.paths.step[path_node as usize];
        let lines = self.selection.lines(location);
        loop {
            let frame = match lines.get(further as usize) {
                Some(line) => self.names.of_line[*line as usize],
                None => self.names.of_location[location as usize],
            };
            if !self.fold || node == 0 || frame != self.grown.frame[node as usize] {
                self.found.push((
                    frame,
                    Stop {
                        node: path_node,
                        further,
                    },
                ));
                return;
            }
            if further == 0 {
                self.grown.node_of[path_node as usize] = node;
                self.through.push(path_node);
                return;
            }
            further -= 1;
        }
    }

    /// Groups what was found by frame. The first group ends up on top.
    fn shelve(&mut self, parent: u32, shelf: &mut Vec<Stop>, groups: &mut Vec<Group>) {
        if self.found.len() > 1 {
            self.found.sort_unstable();
        }
        for run in self.found.chunk_by(|one, other| one.0 == other.0).rev() {
            shelf.extend(run.iter().map(|(_, stop)| *stop));
            groups.push(Group {
                frame: run[0].0,
                parent,
                count: u32::try_from(run.len()).unwrap_or(u32::MAX),
            });
        }
        self.found.clear();
    }
}

#[cfg(test)]
mod tests {
    use crate::model::graph::aggregate::read;
    use crate::model::graph::call_tree::NodeId;
    use crate::model::graph::view::View;
    use crate::model::profile::{Function, Interner, Line, Location, Parts, Profile, SampleType};

    /// A profile of one function, `f`, at two locations: one has it inlined into itself so many times, one has it once.
    fn recursive(inlined: u32, stacks: &[&[u32]]) -> Profile {
        let mut texts = Interner::default();
        let name = texts.id(b"f");
        let sample_type = SampleType {
            kind: texts.id(b"samples"),
            unit: texts.id(b"count"),
        };
        let location = |lines_from, lines_to| Location {
            mapping: None,
            address: 0,
            lines_from,
            lines_to,
            folded: false,
        };
        let mut parts = Parts {
            strings: texts.finish(),
            sample_types: vec![sample_type],
            functions: vec![Function {
                name,
                ..Function::default()
            }],
            lines: vec![
                Line {
                    function: Some(0),
                    line: 0,
                    column: 0
                };
                inlined as usize + 1
            ],
            locations: vec![location(0, inlined), location(inlined, inlined + 1)],
            ..Parts::default()
        };
        for stack in stacks {
            parts.stacks.extend_from_slice(stack);
            parts
                .stack_ends
                .push(u32::try_from(parts.stacks.len()).unwrap());
            parts.values.push(1);
        }
        Profile::new(parts)
    }

    #[test]
    fn recursion_folds_within_and_across_inlined_frames() {
        for stacks in [
            &[&[0][..]][..],
            &[&[0, 1]],
            &[&[1, 0]],
            &[&[0, 0, 1], &[0], &[1, 1, 0, 0]],
        ] {
            let profile = recursive(3, stacks);
            let plain = View::new(&profile);
            let samples = i64::try_from(stacks.len()).unwrap();
            let whole = read(&profile, &plain).unwrap();
            assert_eq!(
                (
                    whole.tree.total(NodeId::ROOT),
                    whole.stat(whole.frames.ids().next().unwrap()).total
                ),
                (samples, samples)
            );
            let folded = read(
                &profile,
                &View {
                    fold_recursion: true,
                    ..plain
                },
            )
            .unwrap();
            assert_eq!(
                (folded.tree.len(), folded.tree.self_value(NodeId(1))),
                (2, samples),
                "{stacks:?}"
            );
        }
    }
}
