//! speedscope's JSON → parts of a profile: its profiles are threads of one.

use std::collections::HashMap;

use crate::formats::events::{Event, Events};
use crate::formats::places::{Place, Places, check_depths, push_stack};
use crate::formats::speedscope::EXPORTER;
use crate::formats::{Fault, limits};
use crate::model::profile::Parts;

/// Stands for the beginning of all stacks.
const TOP: u32 = u32::MAX;
/// Values are kept as so many parts of one, as they may have decimals.
const FRACTION: i128 = 1_000_000_000;

/// What has been read of a file.
#[derive(Debug, Default)]
pub(in crate::formats) struct Speedscope {
    /// The location of each frame; `None` before they are read.
    frames: Option<Vec<u32>>,
    threads: Vec<Thread>,
    /// Nodes of all threads.
    nodes: usize,
    active: usize,
    is_own: bool,
}

/// One profile of the file.
#[derive(Debug, Default)]
struct Thread {
    name: String,
    unit: String,
    nodes: Vec<Node>,
    known: HashMap<(u32, u32), u32>,
    /// The node of each sample, and what each weighs.
    samples: Vec<u32>,
    weights: Vec<i128>,
    /// The node that is open, and since when.
    open: u32,
    since: Option<i128>,
    /// When it ends.
    end: Option<i128>,
    /// What samples without a stack weigh.
    without_stack: i128,
}

/// A frame in one place of the call tree.
#[derive(Debug)]
struct Node {
    above: u32,
    /// Index of the frame.
    frame: u32,
    depth: u32,
    value: i128,
}

/// What values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dimension {
    Time,
    Bytes,
    Count,
}

impl Speedscope {
    /// Whether there is anything of a profile.
    pub(in crate::formats) const fn has_begun(&self) -> bool {
        self.frames.is_some() && !self.threads.is_empty()
    }

    /// Reads the field of the last key. Returns `false` if it is none of such a file's.
    pub(in crate::formats) fn field(
        &mut self,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<bool, Fault> {
        match events.text.as_str() {
            "shared" => {
                if events.advisory_object()? {
                    self.shared(events, places)?;
                }
            }
            "profiles" => match events.next()? {
                Event::Array => self.profiles(events)?,
                other => events.skip_from(other)?,
            },
            "exporter" => {
                events.advisory_text()?;
                self.is_own = events.text.starts_with(EXPORTER);
            }
            "activeProfileIndex" => {
                let index = events.advisory_number("activeProfileIndex")?;
                self.active = index.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn shared(&mut self, events: &mut Events<'_>, places: &mut Places) -> Result<(), Fault> {
        while events.next_key()? {
            if events.text != "frames" {
                events.skip()?;
                continue;
            }
            let frames = self.frames.get_or_insert_default();
            if !events.array("frames")? {
                continue;
            }
            while events.object_or_end("a frame")? {
                let mut place = Place::default();
                while events.next_key()? {
                    match events.text.as_str() {
                        "name" => {
                            events.string("a frame's name")?;
                            place.name = places.text(&events.text);
                        }
                        "file" => {
                            events.string("a frame's file")?;
                            place.file = places.text(&events.text);
                        }
                        "line" => place.line = above_zero(events.advisory_number("line")?),
                        "col" => place.column = above_zero(events.advisory_number("col")?),
                        _ => events.skip()?,
                    }
                }
                frames.push(places.location(place)?);
                limits::check(frames.len(), limits::LOCATIONS, "frames")?;
            }
        }
        Ok(())
    }

    fn profiles(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        while events.object_or_end("a profile")? {
            self.threads.push(Thread {
                open: TOP,
                ..Thread::default()
            });
            limits::check(self.threads.len(), limits::THREADS, "profiles")?;
            if let Some(thread) = self.threads.last_mut() {
                thread.read(events)?;
                self.nodes += thread.nodes.len();
            }
            limits::check(self.nodes, limits::NODES, "nodes")?;
        }
        Ok(())
    }

    /// Adds the profiles to the parts of one: those whose values are of the kind that the active one has.
    pub(in crate::formats) fn finish(
        self,
        places: &mut Places,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let shown = self.threads.get(self.active).or(self.threads.first());
        let Some((dimension, _)) = shown.map(Thread::dimension) else {
            return Ok(());
        };
        let (kind, unit) = match dimension {
            Dimension::Time => ("time", "nanoseconds"),
            Dimension::Bytes => ("space", "bytes"),
            Dimension::Count => ("samples", "count"),
        };
        let own = shown.filter(|_| self.is_own).map(|thread| &*thread.name);
        let sample_type = places.sample_type(own.unwrap_or(kind), unit);
        parts.sample_types.push(sample_type);
        let all = self.threads.len();
        let alike: Vec<&Thread> = self
            .threads
            .iter()
            .filter(|thread| thread.dimension().0 == dimension)
            .collect();
        for thread in &alike {
            let before = parts.stack_ends.len();
            thread.records(self.frames.as_deref().unwrap_or_default(), parts)?;
            if alike.len() > 1 {
                places.label_thread(&thread.name, before, parts);
            }
        }
        let others = all - alike.len();
        if others > 0 {
            parts.left_out.push(format!(
                "{others} of {all} profiles left out: their values are not of the kind that the first has"
            ));
        }
        Ok(())
    }
}

impl Thread {
    fn read(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        while events.next_key()? {
            match events.text.as_str() {
                "name" => {
                    events.advisory_text()?;
                    self.name.clone_from(&events.text);
                }
                "unit" => {
                    events.advisory_text()?;
                    self.unit.clone_from(&events.text);
                }
                "endValue" => {
                    let event = events.next()?;
                    // Writers of numbers without end leave it out like this.
                    self.end = match event {
                        Event::Null => None,
                        event => Some(fixed(event, &events.text, "endValue")?),
                    };
                }
                "samples" => self.samples(events)?,
                "weights" => self.weights(events)?,
                "events" => {
                    if events.array("events")? {
                        while events.object_or_end("an event")? {
                            self.event(events)?;
                        }
                    }
                }
                _ => events.skip()?,
            }
        }
        self.close()
    }

    /// Reads the stacks, root first.
    fn samples(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        if !events.array("samples")? {
            return Ok(());
        }
        loop {
            match events.next()? {
                Event::Close => return Ok(()),
                Event::Array => {}
                _ => return Err(Fault::Malformed("a sample is no array".to_owned())),
            }
            let mut at = TOP;
            while let Some(frame) = events.element("a frame of a sample")? {
                at = self.node(at, frame)?;
            }
            self.samples.push(at);
            limits::check(self.samples.len(), limits::TICKS, "samples")?;
        }
    }

    fn weights(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        if !events.array("weights")? {
            return Ok(());
        }
        loop {
            let weight = match events.next()? {
                Event::Close => return Ok(()),
                event => fixed(event, &events.text, "a weight")?,
            };
            self.weights.push(weight);
            limits::check(self.weights.len(), limits::TICKS, "weights")?;
        }
    }

    /// Reads a frame's beginning or end.
    fn event(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        let (mut opens, mut frame, mut at) = (None, None, None);
        while events.next_key()? {
            match events.text.as_str() {
                "type" => {
                    events.string("an event's type")?;
                    opens = Some(events.text == "O").filter(|_| matches!(&*events.text, "O" | "C"));
                }
                "frame" => frame = Some(events.number("an event's frame")?),
                "at" => {
                    let event = events.next()?;
                    at = Some(fixed(event, &events.text, "an event's time")?);
                }
                _ => events.skip()?,
            }
        }
        let (Some(opens), Some(frame), Some(at)) = (opens, frame, at) else {
            return Err(malformed("an event has no type, frame or time"));
        };
        self.pass(at)?;
        if opens {
            self.open = self.node(self.open, frame)?;
            return Ok(());
        }
        match self.nodes.get(self.open as usize) {
            Some(node) if i64::from(node.frame) == frame => self.open = node.above,
            _ => return Err(malformed("an event ends a frame that is not open")),
        }
        Ok(())
    }

    /// Gives the time since the last event to what is open.
    fn pass(&mut self, at: i128) -> Result<(), Fault> {
        let before = self.since.replace(at).unwrap_or(at);
        if at < before {
            return Err(malformed("its events go back in time"));
        }
        match self.open {
            // Between stacks nothing is measured.
            TOP => Ok(()),
            open => self.add(open, at - before),
        }
    }

    fn add(&mut self, node: u32, value: i128) -> Result<(), Fault> {
        let sum = match self.nodes.get_mut(node as usize) {
            Some(node) => &mut node.value,
            None => &mut self.without_stack,
        };
        *sum = sum.checked_add(value).ok_or_else(too_large)?;
        Ok(())
    }

    /// Adds up what was read, once all of it is there.
    fn close(&mut self) -> Result<(), Fault> {
        if let Some(end) = self.end.filter(|_| self.open != TOP) {
            self.pass(end)?;
        }
        self.known = HashMap::new();
        let (samples, weights) = (
            std::mem::take(&mut self.samples),
            std::mem::take(&mut self.weights),
        );
        if samples.len() != weights.len() {
            return Err(Fault::Malformed(format!(
                "it has {} samples, but {} weights",
                samples.len(),
                weights.len()
            )));
        }
        for (node, weight) in samples.into_iter().zip(weights) {
            if weight < 0 {
                return Err(malformed("a weight is below zero"));
            }
            self.add(node, weight)?;
        }
        Ok(())
    }

    fn node(&mut self, above: u32, frame: i64) -> Result<u32, Fault> {
        let frame = u32::try_from(frame).map_err(|_| missing(frame))?;
        if let Some(known) = self.known.get(&(above, frame)) {
            return Ok(*known);
        }
        let depth = self.nodes.get(above as usize).map_or(0, |node| node.depth) + 1;
        let new = u32::try_from(self.nodes.len()).unwrap_or(TOP);
        self.nodes.push(Node {
            above,
            frame,
            depth,
            value: 0,
        });
        self.known.insert((above, frame), new);
        limits::check(self.nodes.len(), limits::NODES, "nodes")?;
        Ok(new)
    }

    /// What the values are, and how many of the profile's unit are one of theirs.
    fn dimension(&self) -> (Dimension, i128) {
        match &*self.unit {
            "nanoseconds" => (Dimension::Time, 1),
            "microseconds" => (Dimension::Time, 1_000),
            "milliseconds" => (Dimension::Time, 1_000_000),
            "seconds" => (Dimension::Time, 1_000_000_000),
            "bytes" => (Dimension::Bytes, 1),
            _ => (Dimension::Count, 1),
        }
    }

    /// Writes a record for each node that has a value of its own.
    fn records(&self, frames: &[u32], parts: &mut Parts) -> Result<(), Fault> {
        let outside = |node: &&Node| node.frame as usize >= frames.len();
        if let Some(node) = self.nodes.iter().find(outside) {
            return Err(missing(node.frame.into()));
        }
        let (dimension, factor) = self.dimension();
        let is_time = matches!(dimension, Dimension::Time);
        let whole = |value: i128| {
            let value = value.checked_mul(factor).ok_or_else(too_large)?;
            // Of time less than a nanosecond is nothing; of anything else a fraction may be all there is.
            if !is_time && value % FRACTION != 0 {
                return Err(malformed(
                    "a weight is a fraction, and only whole numbers of 64 bits are read",
                ));
            }
            i64::try_from((value + FRACTION / 2) / FRACTION).map_err(|_| too_large())
        };
        let own = || (0..).zip(&self.nodes).filter(|(_, node)| node.value > 0);
        check_depths(parts, own().map(|(_, node)| node.depth))?;
        let above = |at: u32| Some(self.nodes.get(at as usize)?.above).filter(|at| *at != TOP);
        let location = |at: u32| {
            let node = self.nodes.get(at as usize)?;
            frames.get(node.frame as usize).copied()
        };
        for (index, node) in own() {
            push_stack(parts, index, above, location);
            parts.values.push(whole(node.value)?);
        }
        if self.without_stack > 0 {
            push_stack(parts, TOP, |_| None, |_| None);
            parts.values.push(whole(self.without_stack)?);
        }
        Ok(())
    }
}

/// Returns a number in parts of one.
fn fixed(event: Event, digits: &str, what: &str) -> Result<i128, Fault> {
    if !matches!(event, Event::Number(_)) {
        return Err(Fault::Malformed(format!("{what} is no number")));
    }
    if let Ok(whole) = digits.parse::<i64>() {
        return Ok(i128::from(whole) * FRACTION);
    }
    let number: f64 = digits.parse().unwrap_or(f64::NAN);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "in range, and no more exact in the file"
    )]
    (number.abs() < 1e18)
        .then(|| (number * FRACTION as f64).round() as i128)
        .ok_or_else(too_large)
}

fn above_zero(number: Option<i64>) -> i64 {
    number.unwrap_or(0).max(0)
}

fn malformed(what: &str) -> Fault {
    Fault::Malformed(what.to_owned())
}

fn missing(frame: i64) -> Fault {
    Fault::Malformed(format!("a stack names frame {frame}, which is not there"))
}

fn too_large() -> Fault {
    malformed("its values add up to more than 64 bits")
}
