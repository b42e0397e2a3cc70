//! `.cpuprofile` → parts of a profile.
//!
//! A sample's time is the one that has passed since the sample before, clamped at 0: V8 now and then books a sample a
//! microsecond before the last. How often a node was hit is counted in the samples; V8's own `hitCount` misses those that
//! were added when code was thrown away. In what we wrote it is the other way round.

use std::collections::HashMap;

use crate::formats::v8::events::{Event, Events, number};
use crate::formats::v8::places::{Places, check_depths, push_stack};
use crate::formats::v8::samples::{Samples, left_out, lost};
use crate::formats::{Fault, limits};
use crate::model::profile::{Parts, SampleType, Tick};
use crate::model::text::units;

const NONE: u32 = u32::MAX;

/// What was spent in a node itself.
struct Spent {
    node: u32,
    count: i64,
    nanoseconds: i64,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    id: i64,
    location: u32,
    hits: i64,
}

/// The nodes of a `.cpuprofile`, in the order of the file, and how they hang together.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    /// Who calls whom: the index of one node, the id of the other.
    children: Vec<(u32, i64)>,
    /// The same the other way round, as some writers have it.
    parents: Vec<(u32, i64)>,
    /// Ticks of nodes by line: the node's index, the line, how many.
    ticks: Vec<(u32, i64, i64)>,
}

impl Nodes {
    /// Reads the array.
    pub(super) fn read(
        &mut self,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<(), Fault> {
        if !events.array("nodes")? {
            return Ok(());
        }
        loop {
            match events.next()? {
                Event::Close => return Ok(()),
                Event::Object => self.node(events, places)?,
                _ => {
                    return Err(Fault::Malformed(format!(
                        "node {} is no object",
                        self.nodes.len() + 1
                    )));
                }
            }
        }
    }

    fn node(&mut self, events: &mut Events<'_>, places: &mut Places) -> Result<(), Fault> {
        limits::check(self.nodes.len() + 1, limits::NODES, "nodes")?;
        let index = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let (mut id, mut location, mut hits) = (None, None, 0);
        while events.next_key()? {
            match events.text.as_str() {
                "id" => id = Some(events.number("a node's id")?),
                "callFrame" => location = Some(places.read(events)?),
                "parent" => match events.next()? {
                    Event::Null => {}
                    parent => self
                        .parents
                        .push((index, number(parent, "a node's parent")?)),
                },
                "hitCount" => hits = events.advisory_number("hitCount")?.unwrap_or(0).max(0),
                "children" => {
                    if events.array("children")? {
                        while let Some(child) = events.element("a child")? {
                            self.children.push((index, child));
                            limits::check(self.children.len(), limits::NODES, "children of nodes")?;
                        }
                    }
                }
                "positionTicks" => self.position_ticks(index, events)?,
                _ => events.skip()?,
            }
        }
        let missing = |what| {
            Fault::Malformed(format!(
                "node {} has no {what}, as V8's have",
                u64::from(index) + 1
            ))
        };
        let (id, location) = (
            id.ok_or_else(|| missing("id"))?,
            location.ok_or_else(|| missing("callFrame"))?,
        );
        self.nodes.push(Node { id, location, hits });
        Ok(())
    }

    /// Reads the ticks that a node has by line. A line may come several times.
    fn position_ticks(&mut self, node: u32, events: &mut Events<'_>) -> Result<(), Fault> {
        if !events.advisory_array("positionTicks")? {
            return Ok(());
        }
        loop {
            match events.next()? {
                Event::Close => return Ok(()),
                Event::Object => {}
                other => {
                    events.ignore(other, "positionTicks")?;
                    continue;
                }
            }
            let (mut line, mut count) = (0, 0);
            while events.next_key()? {
                match events.text.as_str() {
                    "line" => line = events.advisory_number("positionTicks")?.unwrap_or(0),
                    "ticks" => count = events.advisory_number("positionTicks")?.unwrap_or(0),
                    _ => events.skip()?,
                }
            }
            // Native code has no lines.
            if line > 0 && count > 0 {
                self.ticks.push((node, line, count));
                limits::check(self.ticks.len(), limits::TICKED_LINES, "positionTicks")?;
            }
        }
    }

    /// Each node's index by its id.
    fn by_id(&self) -> Result<HashMap<i64, u32>, Fault> {
        let mut by_id = HashMap::with_capacity(self.nodes.len());
        for (index, node) in (0..).zip(&self.nodes) {
            if by_id.insert(node.id, index).is_some() {
                return Err(Fault::Malformed(format!(
                    "there are two nodes with the id {}",
                    node.id
                )));
            }
        }
        Ok(by_id)
    }

    /// The parent of each node; [`NONE`] for a root.
    fn above(&self, by_id: &HashMap<i64, u32>) -> Result<Vec<u32>, Fault> {
        let mut above = vec![NONE; self.nodes.len()];
        let find = |node: u32, id: i64, what| {
            by_id.get(&id).copied().ok_or_else(|| {
                let node = self.id(node);
                Fault::Malformed(format!("node {node} has {what} {id}, which is not there"))
            })
        };
        let mut links = Vec::with_capacity(self.children.len() + self.parents.len());
        for (caller, child) in &self.children {
            links.push((find(*caller, *child, "the child")?, *caller));
        }
        for (node, parent) in &self.parents {
            links.push((*node, find(*node, *parent, "the parent")?));
        }
        for (node, caller) in links {
            if let Some(slot) = above.get_mut(node as usize) {
                if !matches!(*slot, NONE) && *slot != caller {
                    return Err(Fault::Malformed(format!(
                        "node {} has two parents",
                        self.id(node)
                    )));
                }
                *slot = caller;
            }
        }
        Ok(above)
    }

    /// How many nodes lie above each.
    fn depths(&self, above: &[u32]) -> Result<Vec<u32>, Fault> {
        let mut depths: Vec<Option<u32>> = vec![None; above.len()];
        let mut way = Vec::new();
        for node in (0..).take(above.len()) {
            let (mut at, mut depth) = (node, 0);
            while let Some(known) = depths.get(at as usize) {
                if let Some(known) = known {
                    depth = known + 1;
                    break;
                }
                way.push(at);
                if way.len() > above.len() {
                    return Err(Fault::Malformed(format!(
                        "node {} is above itself",
                        self.id(at)
                    )));
                }
                at = above.get(at as usize).copied().unwrap_or(NONE);
            }
            while let Some(met) = way.pop() {
                if let Some(slot) = depths.get_mut(met as usize) {
                    *slot = Some(depth);
                }
                depth += 1;
            }
        }
        Ok(depths.into_iter().flatten().collect())
    }

    fn id(&self, index: u32) -> i64 {
        self.nodes.get(index as usize).map_or(0, |node| node.id)
    }

    /// Puts nodes, samples and the times between them together. Where `hit_counts` is set, the nodes' own hits are the
    /// number of samples.
    pub(super) fn finish(
        self,
        mut places: Places,
        samples: Option<Samples>,
        deltas: Option<&[i64]>,
        hit_counts: bool,
    ) -> Result<Parts, Fault> {
        let has_samples = samples.is_some();
        let Samples {
            nodes: ids, fault, ..
        } = samples.unwrap_or_default();
        // Here a sample carries its time.
        fault.map_or(Ok(()), Err)?;
        let (counted, timed) = (ids.len(), deltas.map_or(0, <[i64]>::len));
        if !has_samples && self.nodes.iter().any(|node| node.hits > 0) {
            return Err(Fault::Malformed(
                "it has no samples, and hit counts alone tell no time".to_owned(),
            ));
        }
        if counted != timed {
            return Err(Fault::Malformed(format!(
                "it has {counted} samples, but {timed} timeDeltas"
            )));
        }
        let by_id = self.by_id()?;
        let above = self.above(&by_id)?;
        let depths = self.depths(&above)?;
        let (mut spent, left_out) = self.spent(&by_id, &ids, deltas.unwrap_or_default())?;
        if hit_counts {
            for Spent { node, count, .. } in &mut spent {
                *count = self.nodes.get(*node as usize).map_or(0, |node| node.hits);
            }
            // Entries that only end what stands before them.
            spent.retain(|spent| spent.count > 0 || spent.nanoseconds > 0);
        }
        check_depths(
            spent
                .iter()
                .filter_map(|spent| depths.get(spent.node as usize).copied()),
        )?;

        let mut parts = Parts {
            left_out: left_out.into_iter().collect(),
            ..Parts::default()
        };
        for (kind, unit) in [("samples", "count"), ("cpu", "nanoseconds")] {
            parts.sample_types.push(SampleType {
                kind: places.text(kind),
                unit: places.text(unit),
            });
        }
        let parent = |node: u32| {
            above
                .get(node as usize)
                .copied()
                .filter(|caller| *caller != NONE)
        };
        let location = |node: u32| {
            let location = self.nodes.get(node as usize)?.location;
            (parent(node).is_some() || !places.is_root(location)).then_some(location)
        };
        let mut records = HashMap::with_capacity(spent.len());
        for (
            record,
            Spent {
                node,
                count,
                nanoseconds,
            },
        ) in (0..).zip(spent)
        {
            push_stack(&mut parts, node, parent, location);
            parts.values.extend([count, nanoseconds]);
            records.insert(node, record);
        }
        let ticks = self.ticks.iter().filter_map(|(node, line, count)| {
            let file = places.file(self.nodes.get(*node as usize)?.location);
            Some(Tick {
                record: *records.get(node)?,
                file,
                line: *line,
                count: *count,
            })
        });
        parts.ticks.extend(ticks);
        places.finish(&mut parts);
        Ok(parts)
    }

    /// Adds up what was spent in each node, in the order in which they were first met. Samples of nodes that are not
    /// there are left out, which is said beside it.
    fn spent(
        &self,
        by_id: &HashMap<i64, u32>,
        ids: &[i64],
        deltas: &[i64],
    ) -> Result<(Vec<Spent>, Option<String>), Fault> {
        let mut first_lost = None;
        let (mut lost_count, mut lost_micros) = (0, 0);
        let mut places: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut all: Vec<Spent> = Vec::new();
        for (at, (id, delta)) in ids.iter().zip(deltas).enumerate() {
            let Some(&node) = by_id.get(id) else {
                first_lost.get_or_insert((at, *id));
                lost_count += 1;
                lost_micros += i128::from(*delta.max(&0));
                continue;
            };
            let Some(place) = places.get_mut(node as usize) else {
                continue;
            };
            let place = *place.get_or_insert_with(|| {
                all.push(Spent {
                    node,
                    count: 0,
                    nanoseconds: 0,
                });
                all.len() - 1
            });
            if let Some(spent) = all.get_mut(place) {
                spent.count += 1;
                let longer = delta
                    .max(&0)
                    .checked_mul(1_000)
                    .and_then(|delta| spent.nanoseconds.checked_add(delta));
                spent.nanoseconds = longer.ok_or_else(|| {
                    Fault::Malformed("its times add up to over 290 years".to_owned())
                })?;
            }
        }
        let Some((at, id)) = first_lost else {
            return Ok((all, None));
        };
        if all.is_empty() {
            return Err(lost(at, id));
        }
        let said = left_out(lost_count, ids.len());
        let time = units::value(lost_micros, "microseconds");
        Ok((all, Some(format!("{said} ({time})"))))
    }
}
