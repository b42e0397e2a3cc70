//! A tree of nodes within each other: a `.heapprofile`, or the older form of a `.cpuprofile`.
//!
//! Bytes are the nodes' own. The protocol has no number of objects, so what is counted are the samples.

use std::collections::HashMap;

use crate::formats::events::{Event, Events};
use crate::formats::places::{Place, Places, check_depths, push_stack};
use crate::formats::v8::cpu::Nodes;
use crate::formats::v8::frames;
use crate::formats::v8::samples::{Samples, UNSIZED, left_out};
use crate::formats::{Fault, limits};
use crate::model::profile::Parts;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    /// [`NONE`] for the head.
    above: u32,
    /// How many nodes lie above.
    depth: u32,
    id: Option<i64>,
    location: Option<u32>,
    bytes: i64,
    hits: Option<i64>,
}

/// The tree, each node before those it calls.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Reads the tree that begins with the head. Its depth costs no stack of the program's.
    pub(super) fn read(
        &mut self,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<(), Fault> {
        if !self.nodes.is_empty() {
            return Err(Fault::Malformed("it has two heads".to_owned()));
        }
        events.object("head")?;
        // The nodes that are open, with what those of older files say of their function themselves.
        let mut open = vec![(self.begin(NONE, 0)?, Place::default())];
        let mut among_children = false;
        while let Some((node, own)) = open.last_mut() {
            let node = *node;
            match events.next()? {
                Event::Object if among_children => {
                    limits::check(open.len(), limits::NESTED, "frames in one stack of a tree")?;
                    let depth = u32::try_from(open.len()).unwrap_or(NONE);
                    open.push((self.begin(node, depth)?, Place::default()));
                    among_children = false;
                }
                Event::Close if among_children => among_children = false,
                _ if among_children => {
                    return Err(Fault::Malformed(
                        "a child in the tree is no object".to_owned(),
                    ));
                }
                Event::Key => among_children = self.field(node, own, events, places)?,
                _ => {
                    let own = *own;
                    open.pop();
                    self.check(node, own, places)?;
                    among_children = true;
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, above: u32, depth: u32) -> Result<u32, Fault> {
        let index = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        self.nodes.push(Node {
            above,
            depth,
            id: None,
            location: None,
            bytes: 0,
            hits: None,
        });
        limits::check(self.nodes.len(), limits::NODES, "nodes")?;
        Ok(index)
    }

    /// Reads a field of a node. Returns whether its children follow.
    fn field(
        &mut self,
        node: u32,
        own: &mut Place,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<bool, Fault> {
        let Some(node) = self.nodes.get_mut(node as usize) else {
            return Ok(false);
        };
        match events.text.as_str() {
            "id" => node.id = events.advisory_number("id")?,
            "selfSize" => node.bytes = events.number("a selfSize")?,
            "hitCount" => node.hits = events.advisory_number("hitCount")?,
            "callFrame" => node.location = Some(frames::read(events, places)?),
            "children" => return events.array("children"),
            // In older files the node is the frame, and counts lines and columns from 1.
            _ => {
                if !frames::field(own, events, places, 0)? {
                    events.skip()?;
                }
            }
        }
        Ok(false)
    }

    /// Checks a node that was read to its end.
    fn check(&mut self, node: u32, own: Place, places: &mut Places) -> Result<(), Fault> {
        let fault =
            |what| Fault::Malformed(format!("node {} of its tree {what}", u64::from(node) + 1));
        let Some(node) = self.nodes.get_mut(node as usize) else {
            return Ok(());
        };
        if node.location.is_none() && own != Place::default() {
            node.location = Some(frames::location(own, places)?);
        }
        match node {
            Node { location: None, .. } => Err(fault("has no callFrame, as V8's have")),
            Node { bytes: ..0, .. } => Err(fault("has a negative selfSize")),
            _ => Ok(()),
        }
    }

    /// Whether it counts hits, as the older tree of a CPU profile does.
    pub(super) fn has_hits(&self) -> bool {
        self.nodes.iter().any(|node| node.hits.is_some())
    }

    /// Returns the nodes of a CPU profile.
    pub(super) fn into_nodes(self) -> Result<Nodes, Fault> {
        let mut nodes = Nodes::default();
        for node in &self.nodes {
            let parent = self.nodes.get(node.above as usize);
            nodes.push(
                node.id,
                node.location,
                node.hits.unwrap_or(0),
                parent.and_then(|parent| parent.id),
            )?;
        }
        Ok(nodes)
    }

    /// Adds the tree and its samples to the parts of a profile.
    pub(super) fn finish(
        self,
        places: &mut Places,
        samples: Option<&Samples>,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let Counted { counts, smallest } = match samples {
            Some(samples) => self.count(samples, &mut parts.left_out),
            None => Counted::default(),
        };
        let space = places.sample_type("space", "bytes");
        // Runtimes before 2018 give no samples: then nothing was counted.
        if counts.is_some() {
            let objects = places.sample_type("objects", "count");
            parts.sample_types.push(objects);
        }
        parts.sample_types.push(space);
        parts.period = smallest.map(|smallest| (space, period(smallest)));
        let head = self.nodes.first().and_then(|node| node.location);
        let is_root = head.is_some_and(|head| frames::is_root(head, places));
        let above = |node: u32| {
            self.nodes
                .get(node as usize)
                .map(|node| node.above)
                .filter(|above| *above != NONE)
        };
        let location = |node: u32| {
            let location = self.nodes.get(node as usize)?.location?;
            (node != 0 || !is_root).then_some(location)
        };
        let own = || (0..).zip(&self.nodes).filter(|(_, node)| node.bytes > 0);
        check_depths(parts, own().map(|(_, node)| node.depth))?;
        for (index, node) in own() {
            push_stack(parts, index, above, location);
            let count = counts
                .as_ref()
                .map(|counts| counts.get(index as usize).copied().unwrap_or_default());
            parts.values.extend(count);
            parts.values.push(node.bytes);
        }
        Ok(())
    }

    /// Counts the samples of each node. They are advisory, as the bytes are the nodes' own: V8 lists samples of nodes that
    /// are not in its tree. These are left out and reported.
    fn count(&self, samples: &Samples, not_read: &mut Vec<String>) -> Counted {
        let mut by_id: HashMap<i64, Option<usize>> = HashMap::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(id) = node.id {
                // Two nodes with one id are ambiguous.
                by_id
                    .entry(id)
                    .and_modify(|known| *known = None)
                    .or_insert(Some(index));
            }
        }
        let mut counts = vec![0; self.nodes.len()];
        let (mut known, mut smallest) = (0, UNSIZED);
        for (id, size) in samples.nodes.iter().zip(&samples.sizes) {
            let node = by_id.get(id).copied().flatten();
            if let Some(count) = node.and_then(|node| counts.get_mut(node)) {
                *count += 1;
                known += 1;
                smallest = smallest.min(*size);
            }
        }
        let all = samples.count();
        if known < all {
            not_read.push(left_out(all - known, all));
        }
        if all == 0 && samples.fault.is_some() {
            not_read.push("samples left out: they are no array".to_owned());
        }
        // Without any, nothing was counted, unless there was nothing to count.
        let is_counted = known > 0 || self.nodes.iter().all(|node| node.bytes == 0);
        Counted {
            counts: is_counted.then_some(counts),
            smallest: Some(smallest).filter(|smallest| *smallest != UNSIZED),
        }
    }
}

/// What the samples of a heap profile say.
#[derive(Debug, Default)]
struct Counted {
    /// How many each node has; `None` where nothing was counted.
    counts: Option<Vec<i64>>,
    /// The smallest size that one of them gives, in bytes.
    smallest: Option<i64>,
}

/// The bytes between two samples, by the smallest of them: V8 counts a small object as often as it takes to make up for
/// those that were passed over, so the smallest sample is the period and half an object.
fn period(smallest: i64) -> i64 {
    const STEP: i64 = 1024;
    (smallest / STEP * STEP).max(smallest.min(STEP)).max(0)
}

#[cfg(test)]
mod tests {
    use super::period;

    #[test]
    fn the_smallest_sample_shows_the_period() {
        for (smallest, expected) in [
            (524_292, 524_288),
            (65_540, 65_536),
            (32_768, 32_768),
            (128, 128),
            (-5, 0),
        ] {
            assert_eq!(period(smallest), expected);
        }
    }
}
