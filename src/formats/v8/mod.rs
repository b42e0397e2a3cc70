//! V8's own JSON, as the inspector, Node.js and Chrome DevTools have it ↔ profiles: `.cpuprofile` and `.heapprofile`, the
//! older trees of both, and the pieces of a DevTools trace.
//!
//! What is read has the numbers that the runtime's pprof of the same recording has; `positionTicks` are kept beside them.
//! `scriptId` is ignored. Half a surrogate pair in a name, which JSON may spell but no text can hold, is replaced.

mod calls;
mod cpu;
mod frames;
mod samples;
mod times;
mod trace;
mod tree;
mod write;

use cpu::{Nodes, Timeline};
use samples::Samples;
use tree::Tree;

pub(super) use trace::Trace;
pub use write::{cpuprofile, heapprofile};

use crate::formats::events::{Event, Events, rounded};
use crate::formats::places::Places;
use crate::formats::{Fault, limits};
use crate::model::profile::Parts;

/// The key of a `.cpuprofile` under which we leave a note for ourselves.
const OWN_KEY: &str = "$flarescope";

/// What it says under `counts` if `hitCount` is the number of samples, and their entries are not.
const HIT_COUNTS: &str = "hitCount";

/// What has been read of a profile so far. Its parts may come in any order.
#[derive(Debug, Default)]
pub(super) struct Recording {
    nodes: Option<Nodes>,
    head: Option<Tree>,
    samples: Option<Samples>,
    /// Microseconds from sample to sample.
    deltas: Option<Vec<i64>>,
    /// Microseconds of each sample on a clock of its own, as older files have them.
    timestamps: Option<Vec<i64>>,
    /// In microseconds; in seconds in the older trees.
    start: Option<f64>,
    end: Option<f64>,
    /// We wrote it: `hitCount` is the number of samples.
    hit_counts: bool,
}

impl Recording {
    /// Whether there is anything of a profile.
    pub(super) const fn has_begun(&self) -> bool {
        self.nodes.is_some() || self.head.is_some()
    }

    /// Reads the field of the last key. Returns `false` if a profile has no such field.
    pub(super) fn field(
        &mut self,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<bool, Fault> {
        match events.text.as_str() {
            "nodes" => self.nodes.get_or_insert_default().read(events, places)?,
            "head" => self.head.get_or_insert_default().read(events, places)?,
            "samples" => self.samples.get_or_insert_default().read(events)?,
            "timeDeltas" => deltas(&mut self.deltas, events)?,
            "timestamps" => times(&mut self.timestamps, "timestamps", events)?,
            "startTime" => self.start = events.advisory_decimal("startTime")?,
            "endTime" => self.end = events.advisory_decimal("endTime")?,
            OWN_KEY => self.own(events)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads what we left a note of. What is of another shape is somebody else's.
    fn own(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        if !events.advisory_object()? {
            return Ok(());
        }
        while events.next_key()? {
            let counts = events.text == "counts";
            let value = events.next()?;
            self.hit_counts |= counts && value == Event::Text && events.text == HIT_COUNTS;
            events.skip_from(value)?;
        }
        Ok(())
    }

    /// Appends a later piece of the same profile.
    fn append(&mut self, piece: Self) -> Result<(), Fault> {
        if let Some(nodes) = piece.nodes {
            self.nodes.get_or_insert_default().append(nodes)?;
        }
        if let Some(samples) = piece.samples {
            self.samples.get_or_insert_default().append(samples)?;
        }
        if let Some(deltas) = piece.deltas {
            let all = self.deltas.get_or_insert_default();
            all.extend(deltas);
            limits::check(all.len(), limits::TICKS, "timeDeltas")?;
        }
        self.start = self.start.or(piece.start);
        self.end = piece.end.or(self.end);
        Ok(())
    }

    /// Adds what was read to the parts of a profile.
    pub(super) fn finish(mut self, places: &mut Places, parts: &mut Parts) -> Result<(), Fault> {
        let (nodes, seconds) = match (self.nodes.take(), self.head.take()) {
            (Some(_), Some(_)) => {
                return Err(Fault::Malformed("it has both nodes and a head".to_owned()));
            }
            (None, None) => return Err(Fault::Json(None)),
            (Some(nodes), None) => (nodes, 1.0),
            // The older tree of a CPU profile, whose start and end are in seconds.
            (None, Some(head)) if head.has_hits() || self.timestamps.is_some() => {
                (head.into_nodes()?, 1e6)
            }
            (None, Some(head)) => return head.finish(places, self.samples.as_ref(), parts),
        };
        // Nobody else could read the clock, so only differences mean something.
        let micros = |time: f64| rounded(time * seconds);
        let start = self.start.and_then(micros);
        let window = self
            .end
            .and_then(micros)
            .zip(start)
            .and_then(|(end, start)| end.checked_sub(start))
            .filter(|window| *window > 0);
        let deltas = match (self.deltas, self.timestamps) {
            (None, Some(timestamps)) => Some(between(&timestamps, start)),
            (deltas, _) => deltas,
        };
        let timeline = Timeline {
            samples: self.samples,
            deltas,
            window,
            hit_counts: self.hit_counts,
        };
        nodes.finish(timeline, places, parts)?;
        let nanos = window.and_then(|micros| micros.checked_mul(1_000));
        parts.duration_nanos = parts.duration_nanos.max(nanos.unwrap_or(0));
        Ok(())
    }
}

/// Reads the times from sample to sample. What is rounded away from one is left for the next: a writer may have
/// fractions of a microsecond.
fn deltas(deltas: &mut Option<Vec<i64>>, events: &mut Events<'_>) -> Result<(), Fault> {
    if !events.array("timeDeltas")? {
        return Ok(());
    }
    let deltas = deltas.get_or_insert_default();
    let mut carry = 0.0;
    while let Some(delta) = events.element("timeDeltas")? {
        let mut delta = delta;
        if events.text.contains(['.', 'e', 'E'])
            && let Ok(exact) = events.text.parse::<f64>()
            && let Some(rounded) = rounded(exact + carry)
        {
            #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
            let left = exact + carry - rounded as f64;
            (delta, carry) = (rounded, left);
        }
        deltas.push(delta);
        limits::check(deltas.len(), limits::TICKS, "timeDeltas")?;
    }
    Ok(())
}

/// Reads an array of times.
fn times(
    times: &mut Option<Vec<i64>>,
    what: &'static str,
    events: &mut Events<'_>,
) -> Result<(), Fault> {
    if !events.array(what)? {
        return Ok(());
    }
    let times = times.get_or_insert_default();
    while let Some(time) = events.element(what)? {
        times.push(time);
        limits::check(times.len(), limits::TICKS, what)?;
    }
    Ok(())
}

/// Returns the times between timestamps, the first one from the start if that is on the same clock.
fn between(timestamps: &[i64], start: Option<i64>) -> Vec<i64> {
    let first = timestamps.first().copied().unwrap_or_default();
    let mut before = start.filter(|start| *start <= first).unwrap_or(first);
    let delta = |time: &i64| time.saturating_sub(std::mem::replace(&mut before, *time));
    timestamps.iter().map(delta).collect()
}
