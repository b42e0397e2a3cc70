//! `.heapprofile` → parts of a profile.
//!
//! Bytes are the nodes' own. The protocol has no number of objects, so what is counted are the samples.

use std::collections::HashMap;

use crate::formats::v8::events::{Event, Events};
use crate::formats::v8::places::{Places, check_depths, push_stack};
use crate::formats::v8::samples::{Samples, UNSIZED};
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
            "id" => node.id = events.advisory_number("id")?,
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
        let mut parts = Parts::default();
        let Counted { counts, smallest } = match samples {
            Some(samples) => self.count(samples, &mut parts.left_out),
            None => Counted::default(),
        };
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
        parts.period = smallest.map(|smallest| (space, period(smallest)));
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

    /// Counts the samples of each node. They are advisory, as the bytes are the nodes' own: V8 lists samples of nodes that
    /// are not in its tree. Such are left out, which is said.
    fn count(&self, samples: &Samples, left_out: &mut Vec<String>) -> Counted {
        let mut by_id: HashMap<i64, Option<usize>> = HashMap::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(id) = node.id {
                // Of two nodes with one id neither is meant for certain.
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
            left_out.push(crate::formats::v8::samples::left_out(all - known, all));
        }
        if all == 0 && samples.fault.is_some() {
            left_out.push("samples left out: they are no array".to_owned());
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
