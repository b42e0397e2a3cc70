//! The frames and nodes that match a search.
//!
//! Nodes are bits in the tree's order, so a subtree is a range of bits, and a look at a word answers for 64 nodes.

use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::{FrameId, Frames};
use crate::model::query::search::Matcher;

const BITS: usize = u64::BITS as usize;

/// The frames that match, a bit each.
#[derive(Debug, Clone, Default, Eq, PartialEq)]
pub struct Matched {
    bits: Vec<u64>,
    count: usize,
}

/// The nodes of a tree that match. Any other tree's nodes mean nothing to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    words: Vec<u64>,
}

/// The totals of the matching nodes of a subtree.
#[derive(Debug, Copy, Clone, Default, Eq, PartialEq)]
pub struct Share {
    /// Boxes of the icicle that match.
    pub frames: usize,
    /// Net value, counted once where they nest.
    pub value: i64,
    /// The same in absolute values: their width.
    pub weight: u64,
}

impl Matched {
    /// Finds the frames that match by name or file, or are the function or the place that is looked for.
    #[must_use]
    pub fn new(frames: &Frames, matcher: &Matcher) -> Self {
        let mut matched = Self {
            bits: vec![0; frames.len().div_ceil(64)],
            count: 0,
        };
        let files: Vec<bool> = frames
            .files
            .iter()
            .map(|file| matcher.matches(file))
            .collect();
        for (at, entry) in frames.entries.iter().enumerate() {
            let info = || frames.info(FrameId(u32::try_from(at).unwrap_or(u32::MAX)));
            let is_match = match matcher.identity() {
                Some(identity) => info().has_identity(identity),
                None if matcher.is_location && matcher.matches(&info().place()) => true,
                None => files[entry.file as usize] || matcher.matches(&entry.name),
            };
            if is_match {
                matched.bits[at / 64] |= 1 << (at % 64);
                matched.count += 1;
            }
        }
        matched
    }

    /// Whether a frame matches.
    #[must_use]
    pub fn contains(&self, frame: FrameId) -> bool {
        let at = frame.0 as usize;
        self.bits
            .get(at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Counts the frames that match.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns a byte for each frame: 1 if it matches.
    fn table(&self) -> Vec<u8> {
        self.bits
            .iter()
            .flat_map(|word| (0..64).map(move |at| u8::from(word >> at & 1 == 1)))
            .collect()
    }

    /// Returns the frames that match.
    pub fn iter(&self) -> impl Iterator<Item = FrameId> + '_ {
        let frames = 0..u32::try_from(self.bits.len() * 64).unwrap_or(u32::MAX);
        frames.map(FrameId).filter(|frame| self.contains(*frame))
    }
}

impl Hits {
    /// Finds the nodes whose frames match. Looks at every node: milliseconds for millions.
    #[must_use]
    pub fn new(tree: &Tree, matched: &Matched) -> Self {
        // A byte per frame is faster to look up than a bit, and there are few frames.
        let table = matched.table();
        let lit = |frame: &FrameId| table.get(frame.0 as usize).copied().unwrap_or_default();
        let pack = |frames: &[FrameId]| {
            frames
                .iter()
                .rev()
                .fold(0, |word, frame| word << 1 | u64::from(lit(frame)))
        };
        let words = tree.frames().chunks(BITS).map(pack).collect();
        Self { words }
    }

    /// Whether a node matches.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.next(node.0, node.0 + 1).is_some()
    }

    /// Whether a node or anything below it matches.
    #[must_use]
    pub fn any(&self, tree: &Tree, within: NodeId) -> bool {
        self.next(within.0, tree.end(within).0).is_some()
    }

    /// Returns the matching nodes at or below a node, in the order of the tree.
    pub fn iter(&self, tree: &Tree, within: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let (mut at, end) = (within.0, tree.end(within).0);
        std::iter::from_fn(move || {
            let hit = self.next(at, end)?;
            at = hit + 1;
            Some(NodeId(hit))
        })
    }

    /// Returns the matching nodes at or below a node, heaviest first; equals in the order of the tree.
    #[must_use]
    pub fn by_weight(&self, tree: &Tree, within: NodeId) -> Vec<NodeId> {
        let mut nodes: Vec<(u64, NodeId)> = self
            .iter(tree, within)
            .map(|node| (u64::MAX - tree.weight(node), node))
            .collect();
        nodes.sort_unstable();
        nodes.into_iter().map(|(_, node)| node).collect()
    }

    /// Returns the totals of the matching nodes at or below a node.
    #[must_use]
    pub fn share(&self, tree: &Tree, within: NodeId) -> Share {
        let (mut at, end) = (within.0, tree.end(within).0);
        let mut share = Share {
            frames: self.count(at, end),
            ..Share::default()
        };
        // What is below a hit is counted with it.
        while let Some(hit) = self.next(at, end).map(NodeId) {
            let (value, weight) = tree.total_and_weight(hit);
            share.value += value;
            share.weight += weight;
            at = tree.end(hit).0;
        }
        share
    }

    /// Returns the first hit from one node on, before another.
    fn next(&self, from: u32, end: u32) -> Option<u32> {
        let (mut at, end) = (from as usize, end as usize);
        while at < end {
            let rest = self.words.get(at / BITS)? >> (at % BITS);
            if rest != 0 {
                at += rest.trailing_zeros() as usize;
                return u32::try_from(at).ok().filter(|_| at < end);
            }
            at = (at / BITS + 1) * BITS;
        }
        None
    }

    /// Counts the hits from one node on, before another.
    fn count(&self, from: u32, end: u32) -> usize {
        let (from, end) = (from as usize, end as usize);
        let word = |at: usize| self.words.get(at).copied().unwrap_or_default();
        // All bits below an index within its word.
        let below = |at: usize| (1_u64 << (at % BITS)) - 1;
        let ones = |word: u64| word.count_ones() as usize;
        if from >= end {
            return 0;
        }
        if from / BITS == end / BITS {
            return ones(word(from / BITS) & below(end) & !below(from));
        }
        let whole = self
            .words
            .get(from / BITS + 1..end / BITS)
            .unwrap_or_default();
        ones(word(from / BITS) & !below(from))
            + whole.iter().map(|word| ones(*word)).sum::<usize>()
            + ones(word(end / BITS) & below(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::aggregate::{Reading, read};
    use crate::model::graph::match_cursor::MatchCursor;
    use crate::model::graph::view::View;
    use crate::model::profile::{Function, Interner, Line, Location, Parts, Profile, SampleType};
    use crate::model::query::search::{Mode, Query};

    /// Functions `f0` to `f39` in so many stacks; every third value is below zero if asked for.
    fn reading(stacks: u32, negative: bool) -> Reading {
        let mut texts = Interner::default();
        let sample_type = SampleType {
            kind: texts.id(b"space"),
            unit: texts.id(b"bytes"),
        };
        let mut parts = Parts {
            sample_types: vec![sample_type],
            ..Parts::default()
        };
        for at in 0..40 {
            let name = texts.id(format!("f{at}").as_bytes());
            parts.functions.push(Function {
                name,
                ..Function::default()
            });
            parts.lines.push(Line {
                function: Some(at),
                line: 0,
                column: 0,
            });
            let location = Location {
                mapping: None,
                address: 0,
                lines_from: at,
                lines_to: at + 1,
                folded: false,
            };
            parts.locations.push(location);
        }
        parts.strings = texts.finish();
        let mut random = 7_u32;
        for stack in 0..stacks {
            for _ in 0..stack % 23 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                parts.stacks.push((random >> 16) % 40);
            }
            parts
                .stack_ends
                .push(u32::try_from(parts.stacks.len()).unwrap());
            let value = i64::from(random >> 20);
            parts.values.push(if negative && stack % 3 == 0 {
                -value
            } else {
                value
            });
        }
        let profile = Profile::new(parts);
        read(&profile, &View::new(&profile)).unwrap()
    }

    #[test]
    fn hits_are_those_of_looking_at_every_node() {
        for (stacks, negative) in [(3, false), (400, true), (6_000, false)] {
            let Reading { tree, frames, .. } = reading(stacks, negative);
            for (text, mode) in [
                ("f7", Mode::Word),
                ("1", Mode::Substring),
                ("f", Mode::Substring),
                ("x", Mode::Fuzzy),
            ] {
                let query = Query {
                    text: text.to_owned(),
                    mode,
                };
                let matched = Matched::new(&frames, &Matcher::new(&query).unwrap());
                let hits = Hits::new(&tree, &matched);
                let is_hit = |node: &NodeId| {
                    tree.frame(*node)
                        .is_some_and(|frame| matched.contains(frame))
                };
                for within in tree.nodes().step_by(if stacks < 1_000 { 1 } else { 5_000 }) {
                    let expected: Vec<NodeId> = tree.within(within).filter(is_hit).collect();
                    assert_eq!(hits.iter(&tree, within).collect::<Vec<_>>(), expected);
                    assert_eq!(hits.any(&tree, within), !expected.is_empty());
                    let outermost = |node: &&NodeId| {
                        let nearest = std::iter::successors(Some(tree.parent(**node)), |above| {
                            Some(tree.parent(*above))
                        });
                        !nearest
                            .take_while(|above| {
                                tree.is_within(*above, within) && *above != NodeId::ROOT
                            })
                            .any(|above| is_hit(&above))
                    };
                    let under: Vec<&NodeId> = expected.iter().filter(outermost).collect();
                    let share = Share {
                        frames: expected.len(),
                        value: under.iter().map(|node| tree.total(**node)).sum(),
                        weight: under.iter().map(|node| tree.weight(**node)).sum(),
                    };
                    assert_eq!(
                        hits.share(&tree, within),
                        share,
                        "{text} within {within:?} of {stacks}"
                    );
                }
                let by_weight = hits.by_weight(&tree, NodeId::ROOT);
                assert!(by_weight.is_sorted_by_key(|node| (u64::MAX - tree.weight(*node), *node)));
                let mut walk = MatchCursor::new(&tree, &hits, NodeId::ROOT);
                assert_eq!(walk.count(), by_weight.len());
                let first = 0..by_weight.len().min(2_000);
                for place in first.chain(by_weight.len().checked_sub(1)) {
                    assert_eq!(
                        walk.get(&tree, &hits, place),
                        Some(by_weight[place]),
                        "{place} of {text}"
                    );
                }
                assert_eq!(walk.get(&tree, &hits, by_weight.len()), None);
            }
        }
    }
}
