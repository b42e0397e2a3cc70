//! The `samples` of both formats: node ids in one, objects that name a node in the other.

use crate::formats::v8::events::{Event, Events, number};
use crate::formats::{Fault, limits};

/// Which node each sample was taken in, by the nodes' own ids.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) nodes: Vec<i64>,
    /// The smallest size that a sample gives, in bytes.
    pub(super) smallest: Option<i64>,
}

impl Samples {
    /// Reads the array.
    pub(super) fn read(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        if !events.array("samples")? {
            return Ok(());
        }
        loop {
            let node = match events.next()? {
                Event::Close => return Ok(()),
                Event::Object => self.sized(events)?,
                event => number(event, "a sample")?,
            };
            self.nodes.push(node);
            limits::check(self.nodes.len(), limits::TICKS, "samples")?;
        }
    }

    /// Reads a sample of a heap profile and answers its node.
    fn sized(&mut self, events: &mut Events<'_>) -> Result<i64, Fault> {
        let mut node = None;
        while events.next_key()? {
            match events.text.as_str() {
                "nodeId" => node = Some(events.number("a sample's nodeId")?),
                "size" => {
                    let size = events.number("a sample's size")?;
                    self.smallest = Some(self.smallest.map_or(size, |smallest| smallest.min(size)));
                }
                _ => events.skip()?,
            }
        }
        node.ok_or_else(|| {
            Fault::Malformed(format!("sample {} has no nodeId", self.nodes.len() + 1))
        })
    }
}

/// What to say of a sample, by its index, whose node there is not.
pub(super) fn lost(at: usize, node: i64) -> Fault {
    Fault::Malformed(format!(
        "sample {} names node {node}, which is not there",
        at + 1
    ))
}
