//! V8's own JSON, as the inspector, Node.js and Chrome DevTools have it ↔ [`Profile`]: `.cpuprofile` and `.heapprofile`.
//!
//! What is read has the numbers that the runtime's pprof of the same recording has; `positionTicks` are kept beside them.
//! `scriptId` is passed over. Half a surrogate pair in a name, which JSON may spell but no text can hold, is replaced.

mod calls;
mod cpu;
mod events;
mod heap;
mod places;
mod samples;
mod surrogates;
mod write;

use cpu::Nodes;
use events::{Event, Events};
use heap::HeapTree;
use places::Places;
use samples::Samples;

pub use write::{cpuprofile, heapprofile};

use crate::formats::input::Stream;
use crate::formats::{Fault, limits};
use crate::model::profile::Profile;

/// The key of a `.cpuprofile` under which we leave word for ourselves.
const OWN_KEY: &str = "$flarescope";

/// What stands there under `counts` where `hitCount` is the number of samples, and their entries are not.
const HIT_COUNTS: &str = "hitCount";

/// Reads a profile of either kind, recognized by its contents.
pub(super) fn read(stream: Stream<'_>) -> Result<Profile, Fault> {
    let mut events = Events::new(stream);
    let mut file = File::default();
    let read = file.read(&mut events);
    if let Err(fault @ (Fault::Cut(_) | Fault::Malformed(_))) = read {
        // What is wrong with it does not matter where it is something else altogether.
        return Err(if file.nodes.is_some() || file.head.is_some() {
            fault
        } else {
            Fault::Json(None)
        });
    }
    read?;
    let File {
        places,
        nodes,
        head,
        samples,
        deltas,
        start,
        end,
        hit_counts,
    } = file;
    let mut parts = match (nodes, head) {
        (Some(nodes), None) => nodes.finish(places, samples, deltas.as_deref(), hit_counts)?,
        (None, Some(head)) => head.finish(places, samples.as_ref())?,
        (Some(_), Some(_)) => {
            return Err(Fault::Malformed("it has both nodes and a head".to_owned()));
        }
        (None, None) => return Err(Fault::Json(None)),
    };
    // The clock is none that anyone else could read, so only the difference means something.
    let window = end
        .zip(start)
        .and_then(|(end, start)| end.checked_sub(start))
        .filter(|window| *window > 0);
    parts.left_out.extend(events.ignored());
    parts.duration_nanos = window
        .and_then(|microseconds| microseconds.checked_mul(1_000))
        .unwrap_or(0);
    Ok(Profile::new(parts))
}

/// What has been read of a file so far. Its parts may stand in any order.
struct File {
    places: Places,
    nodes: Option<Nodes>,
    head: Option<HeapTree>,
    samples: Option<Samples>,
    /// Microseconds from sample to sample.
    deltas: Option<Vec<i64>>,
    /// In microseconds.
    start: Option<i64>,
    end: Option<i64>,
    /// We wrote it: `hitCount` is the number of samples.
    hit_counts: bool,
}

impl Default for File {
    fn default() -> Self {
        let (nodes, head, samples, deltas) = (None, None, None, None);
        let hit_counts = false;
        Self {
            places: Places::new(),
            nodes,
            head,
            samples,
            deltas,
            start: None,
            end: None,
            hit_counts,
        }
    }
}

impl File {
    fn read(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        events.object("the profile")?;
        while events.next_key()? {
            match events.text.as_str() {
                "nodes" => self
                    .nodes
                    .get_or_insert_default()
                    .read(events, &mut self.places)?,
                "head" => self
                    .head
                    .get_or_insert_default()
                    .read(events, &mut self.places)?,
                "samples" => self.samples.get_or_insert_default().read(events)?,
                "timeDeltas" => self.deltas(events)?,
                "startTime" => self.start = events.advisory_number("startTime")?,
                "endTime" => self.end = events.advisory_number("endTime")?,
                OWN_KEY => self.own(events)?,
                "snapshot" => return Err(Fault::Snapshot),
                _ => events.skip()?,
            }
        }
        match events.next()? {
            Event::End => Ok(()),
            _ => Err(Fault::Malformed(
                "there is something after its end".to_owned(),
            )),
        }
    }

    /// Reads what we left word of. What is of another shape is somebody else's.
    fn own(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        let first = events.next()?;
        if first != Event::Object {
            return events.skip_from(first);
        }
        while events.next_key()? {
            let counts = events.text == "counts";
            let value = events.next()?;
            self.hit_counts |= counts && value == Event::Text && events.text == HIT_COUNTS;
            events.skip_from(value)?;
        }
        Ok(())
    }

    fn deltas(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        if !events.array("timeDeltas")? {
            return Ok(());
        }
        let deltas = self.deltas.get_or_insert_default();
        while let Some(delta) = events.element("a timeDelta")? {
            deltas.push(delta);
            limits::check(deltas.len(), limits::TICKS, "timeDeltas")?;
        }
        Ok(())
    }
}
