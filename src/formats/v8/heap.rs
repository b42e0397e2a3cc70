//! `.heapprofile` → parts of a profile.
//!
//! Bytes are the nodes' own. The protocol has no number of objects, so what is counted are the samples.

use std::collections::HashMap;

use crate::formats::v8::events::{Event, Events};
use crate::formats::v8::places::{Places, check_depths, push_stack};
use crate::formats::v8::samples::{Samples, lost};
use crate::formats::{Fault, limits};
use crate::model::profile::{Parts, SampleType};

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
}

/// The tree of a `.heapprofile`, each node before those it calls.
#[derive(Debug, Default)]
pub(super) struct HeapTree {
    nodes: Vec<Node>,
}

impl HeapTree {
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
        let mut open = vec![self.begin(NONE, 0)?];
        let mut among_children = false;
        while let Some(node) = open.last().copied() {
            match events.next()? {
                Event::Object if among_children => {
                    limits::check(open.len(), limits::NESTED, "frames in one stack of a tree")?;
                    open.push(self.begin(node, u32::try_from(open.len()).unwrap_or(NONE))?);
                    among_children = false;
                }
                Event::Close if among_children => among_children = false,
                _ if among_children => {
                    return Err(Fault::Malformed(
                        "a child in the tree is no object".to_owned(),
                    ));
                }
                Event::Key => among_children = self.field(node, events, places)?,
                _ => {
                    open.pop();
                    self.check(node)?;
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
        });
        limits::check(self.nodes.len(), limits::NODES, "nodes")?;
        Ok(index)
    }

    /// Reads a field of a node; `true` if its children follow.
    fn field(
        &mut self,
        node: u32,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<bool, Fault> {
        let Some(node) = self.nodes.get_mut(node as usize) else {
            return Ok(false);
        };
        match events.text.as_str() {
            "id" => node.id = Some(events.number("a node's id")?),
            "selfSize" => node.bytes = events.number("a selfSize")?,
            "callFrame" => node.location = Some(places.read(events)?),
            "children" => return events.array("children"),
            _ => events.skip()?,
        }
        Ok(false)
    }

    fn check(&self, node: u32) -> Result<(), Fault> {
        let said =
            |what| Fault::Malformed(format!("node {} of its tree {what}", u64::from(node) + 1));
        match self.nodes.get(node as usize) {
            Some(Node { location: None, .. }) => Err(said("has no callFrame, as V8's have")),
            Some(Node { bytes: ..0, .. }) => Err(said("has a negative selfSize")),
            _ => Ok(()),
        }
    }

    /// Puts the tree and the samples together.
    pub(super) fn finish(
        self,
        mut places: Places,
        samples: Option<&Samples>,
    ) -> Result<Parts, Fault> {
        let counts = samples.map(|samples| self.count(samples)).transpose()?;
        let mut parts = Parts::default();
        let mut sample_type = |kind, unit| SampleType {
            kind: places.text(kind),
            unit: places.text(unit),
        };
        let space = sample_type("space", "bytes");
        // Runtimes before 2018 give no samples: then nothing was counted.
        parts
            .sample_types
            .extend(counts.is_some().then(|| sample_type("objects", "count")));
        parts.sample_types.push(space);
        parts.period = samples
            .and_then(|samples| samples.smallest)
            .map(|smallest| (space, period(smallest)));
        let above = |node: u32| {
            self.nodes
                .get(node as usize)
                .map(|node| node.above)
                .filter(|above| *above != NONE)
        };
        let location = |node: u32| {
            let location = self.nodes.get(node as usize)?.location?;
            (node != 0 || !places.is_root(location)).then_some(location)
        };
        let own = || (0..).zip(&self.nodes).filter(|(_, node)| node.bytes > 0);
        check_depths(own().map(|(_, node)| node.depth))?;
        for (index, node) in own() {
            push_stack(&mut parts, index, above, location);
            let count = counts
                .as_ref()
                .map(|counts| counts.get(index as usize).copied().unwrap_or_default());
            parts.values.extend(count);
            parts.values.push(node.bytes);
        }
        places.finish(&mut parts);
        Ok(parts)
    }

    /// How many samples each node has.
    fn count(&self, samples: &Samples) -> Result<Vec<i64>, Fault> {
        let mut by_id = HashMap::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(id) = node.id
                && by_id.insert(id, index).is_some()
            {
                return Err(Fault::Malformed(format!(
                    "there are two nodes with the id {id}"
                )));
            }
        }
        let mut counts = vec![0; self.nodes.len()];
        for (at, id) in samples.nodes.iter().enumerate() {
            let node = by_id.get(id).and_then(|node| counts.get_mut(*node));
            *node.ok_or_else(|| lost(at, *id))? += 1;
        }
        Ok(counts)
    }
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
    fn the_smallest_sample_tells_the_period() {
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
