//! The `samples` of both formats: node ids in one, objects that name a node in the other.

use crate::formats::events::{Event, Events, number};
use crate::formats::{Fault, limits};

/// Which node each sample was taken in, by the nodes' own ids.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) nodes: Vec<i64>,
    /// The size that each sample gives, in bytes; [`UNSIZED`] for none.
    pub(super) sizes: Vec<i64>,
    /// How many entries name no node.
    pub(super) nodeless: usize,
    /// What is wrong with the first of them, or with all.
    pub(super) fault: Option<Fault>,
}

/// Stands for no size: larger than any.
pub(super) const UNSIZED: i64 = i64::MAX;

impl Samples {
    /// Reads the array.
    pub(super) fn read(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        match events.next()? {
            Event::Array => {}
            Event::Null => return Ok(()),
            other => {
                self.fault = Some(Fault::Malformed("samples is no array".to_owned()));
                return events.skip_from(other);
            }
        }
        loop {
            let (node, size) = match events.next()? {
                Event::Close => return Ok(()),
                Event::Object => Self::sized(events)?,
                Event::Number(Some(node)) => (Ok(node), UNSIZED),
                event => {
                    events.skip_from(event)?;
                    (number(event, "a sample"), UNSIZED)
                }
            };
            match node {
                Ok(node) => {
                    self.nodes.push(node);
                    self.sizes.push(size);
                }
                Err(fault) => {
                    self.nodeless += 1;
                    self.fault.get_or_insert(fault);
                }
            }
            limits::check(self.count(), limits::TICKS, "samples")?;
        }
    }

    /// Appends later samples of the same profile.
    pub(super) fn append(&mut self, later: Self) -> Result<(), Fault> {
        self.nodes.extend(later.nodes);
        self.sizes.extend(later.sizes);
        self.nodeless += later.nodeless;
        self.fault = self.fault.take().or(later.fault);
        limits::check(self.count(), limits::TICKS, "samples")
    }

    /// How many entries there are.
    pub(super) fn count(&self) -> usize {
        self.nodes.len() + self.nodeless
    }

    /// Reads a sample of a heap profile and returns its node and its size.
    fn sized(events: &mut Events<'_>) -> Result<(Result<i64, Fault>, i64), Fault> {
        let (mut node, mut size) = (None, UNSIZED);
        while events.next_key()? {
            match events.text.as_str() {
                "nodeId" => node = events.advisory_number("nodeId")?,
                "size" => size = events.advisory_number("size")?.unwrap_or(UNSIZED),
                _ => events.skip()?,
            }
        }
        let node = node.ok_or_else(|| Fault::Malformed("a sample has no nodeId".to_owned()));
        Ok((node, size))
    }
}

/// What to say of samples that were left out, and of so many in all.
pub(super) fn left_out(lost: usize, all: usize) -> String {
    let it = if lost == 1 { "it names" } else { "they name" };
    format!("{lost} of {all} samples left out: {it} no single node of the tree")
}

/// What to say of a sample, by its index, whose node there is not.
pub(super) fn lost(at: usize, node: i64) -> Fault {
    Fault::Malformed(format!(
        "sample {} names node {node}, which is not there",
        at + 1
    ))
}
