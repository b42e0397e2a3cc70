//! The nodes, samples and times of a CPU profile → parts of a profile.
//!
//! A sample stands for the time since the sample before. How often a node was hit is counted in the samples; V8's own
//! `hitCount` misses those that were added when code was thrown away. In what we wrote it is the other way round.

use std::collections::{HashMap, HashSet};

use crate::formats::events::{Event, Events, number};
use crate::formats::places::{Places, check_depths, push_stack};
use crate::formats::v8::samples::{Samples, left_out, lost};
use crate::formats::v8::{frames, times};
use crate::formats::{Fault, limits};
use crate::model::profile::{Parts, Tick};
use crate::model::text::units;

const NONE: u32 = u32::MAX;

/// The samples of a CPU profile and their times.
pub(super) struct Timeline {
    pub(super) samples: Option<Samples>,
    /// Microseconds from sample to sample.
    pub(super) deltas: Option<Vec<i64>>,
    /// Microseconds from start to end.
    pub(super) window: Option<i64>,
    /// The nodes' own hits are the number of samples.
    pub(super) hit_counts: bool,
}

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
        let index = self.next_index();
        let (mut id, mut location, mut hits, mut parent) = (None, None, 0, None);
        while events.next_key()? {
            match events.text.as_str() {
                "id" => id = Some(events.number("a node's id")?),
                "callFrame" => location = Some(frames::read(events, places)?),
                "parent" => {
                    parent = match events.next()? {
                        Event::Null => None,
                        parent => Some(number(parent, "a node's parent")?),
                    }
                }
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
        self.push(id, location, hits, parent)
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(NONE)
    }

    /// Appends a node with the id of its parent.
    pub(super) fn push(
        &mut self,
        id: Option<i64>,
        location: Option<u32>,
        hits: i64,
        parent: Option<i64>,
    ) -> Result<(), Fault> {
        let index = self.next_index();
        let missing = |what| {
            Fault::Malformed(format!(
                "node {} has no {what}, as V8's have",
                u64::from(index) + 1
            ))
        };
        self.nodes.push(Node {
            id: id.ok_or_else(|| missing("id"))?,
            location: location.ok_or_else(|| missing("callFrame"))?,
            hits,
        });
        self.parents.extend(parent.map(|parent| (index, parent)));
        limits::check(self.nodes.len(), limits::NODES, "nodes")
    }

    /// Appends later nodes of the same profile.
    pub(super) fn append(&mut self, later: Self) -> Result<(), Fault> {
        let offset = self.next_index();
        self.nodes.extend(later.nodes);
        let moved = |(index, id): (u32, i64)| (index + offset, id);
        self.children.extend(later.children.into_iter().map(moved));
        self.parents.extend(later.parents.into_iter().map(moved));
        let ticks = later.ticks.into_iter();
        self.ticks
            .extend(ticks.map(|(index, line, count)| (index + offset, line, count)));
        limits::check(self.nodes.len(), limits::NODES, "nodes")?;
        limits::check(self.children.len(), limits::NODES, "children of nodes")?;
        limits::check(self.ticks.len(), limits::TICKED_LINES, "positionTicks")
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

    /// Adds what was spent in each node to the parts of a profile.
    pub(super) fn finish(
        self,
        timeline: Timeline,
        places: &mut Places,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let has_samples = timeline.samples.is_some();
        let hit_counts = timeline.hit_counts;
        let Samples {
            nodes: ids, fault, ..
        } = timeline.samples.unwrap_or_default();
        // Here a sample carries its time.
        fault.map_or(Ok(()), Err)?;
        let mut deltas = timeline.deltas.unwrap_or_default();
        if !has_samples && self.nodes.iter().any(|node| node.hits > 0) {
            return Err(Fault::Malformed(
                "it has no samples, and hit counts alone say no time".to_owned(),
            ));
        }
        if ids.len() != deltas.len() {
            return Err(Fault::Malformed(format!(
                "it has {} samples, but {} timeDeltas",
                ids.len(),
                deltas.len()
            )));
        }
        let by_id = self.by_id()?;
        let above = self.above(&by_id)?;
        let depths = self.depths(&above)?;
        if !hit_counts {
            let first = ids.first().and_then(|id| by_id.get(id));
            let node = first.and_then(|first| self.nodes.get(*first as usize));
            let is_work = node.is_some_and(|node| !frames::is_no_work(node.location, places));
            let not_counted = times::settle(&mut deltas, timeline.window, is_work);
            parts.left_out.extend(not_counted);
        }
        let (mut spent, left_out) = self.spent(&by_id, &ids, &deltas)?;
        parts.left_out.extend(left_out);
        if hit_counts {
            for Spent { node, count, .. } in &mut spent {
                *count = self.nodes.get(*node as usize).map_or(0, |node| node.hits);
            }
            // Entries that only end what comes before them.
            spent.retain(|spent| spent.count > 0 || spent.nanoseconds > 0);
        }
        let depths = spent
            .iter()
            .filter_map(|spent| depths.get(spent.node as usize).copied());
        check_depths(parts, depths)?;
        if parts.sample_types.is_empty() {
            let samples = places.sample_type("samples", "count");
            let cpu = places.sample_type("cpu", "nanoseconds");
            parts.sample_types.extend([samples, cpu]);
        }
        self.records(spent, &above, places, parts);
        Ok(())
    }

    /// Writes a record for each node in which something was spent, and its ticks.
    fn records(&self, spent: Vec<Spent>, above: &[u32], places: &mut Places, parts: &mut Parts) {
        let parent = |node: u32| {
            above
                .get(node as usize)
                .copied()
                .filter(|caller| *caller != NONE)
        };
        // V8's name for the beginning of all stacks is no frame.
        let tops = (0..).zip(&self.nodes).zip(above);
        let roots: HashSet<u32> = tops
            .filter(|((_, node), above)| **above == NONE && frames::is_root(node.location, places))
            .map(|((index, _), _)| index)
            .collect();
        let location = |node: u32| {
            let location = self.nodes.get(node as usize)?.location;
            (!roots.contains(&node)).then_some(location)
        };
        let mut records = HashMap::with_capacity(spent.len());
        for Spent {
            node,
            count,
            nanoseconds,
        } in spent
        {
            let record = u32::try_from(parts.stack_ends.len()).unwrap_or(u32::MAX);
            push_stack(parts, node, parent, location);
            parts.values.extend([count, nanoseconds]);
            records.insert(node, record);
        }
        let ticks = self.ticks.iter().filter_map(|(node, line, count)| {
            let location = self.nodes.get(*node as usize)?.location;
            Some(Tick {
                record: *records.get(node)?,
                file: places.place(location).file,
                line: *line,
                count: *count,
            })
        });
        parts.ticks.extend(ticks);
    }

    /// Adds up what was spent in each node, in the order in which they first occur. Samples of nodes that are not there are
    /// left out, which is reported beside it.
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
                lost_micros += i128::from(*delta);
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
