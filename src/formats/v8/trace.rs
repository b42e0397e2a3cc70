//! The events of a DevTools or Node.js trace: CPU profiles in chunks, each profile by its process and id.

use std::collections::HashMap;

use crate::formats::events::{Event, Events};
use crate::formats::places::Places;
use crate::formats::v8::Recording;
use crate::formats::v8::samples::Samples;
use crate::formats::{Fault, Foreign, limits};
use crate::model::profile::Parts;

/// The profiles of a trace.
#[derive(Debug, Default)]
pub(in crate::formats) struct Trace {
    /// In the order in which they begin, each with its process and thread.
    profiles: Vec<(Recording, Thread)>,
    by_id: HashMap<(i64, String), usize>,
    names: HashMap<Thread, String>,
    /// Samples and times of all profiles.
    samples: usize,
    has_events: bool,
}

/// A process and one of its threads.
type Thread = (i64, i64);

/// What is read of one event.
#[derive(Default)]
struct TraceEvent {
    name: String,
    id: String,
    thread: Thread,
    /// It says what kind of event it is, as every one of a trace does.
    has_phase: bool,
    /// The name that metadata gives the thread.
    thread_name: Option<String>,
    piece: Recording,
}

impl Trace {
    /// Whether there is anything of a profile.
    pub(in crate::formats) const fn has_begun(&self) -> bool {
        !self.profiles.is_empty()
    }

    /// Whether there is any event, of a profile or not.
    pub(in crate::formats) const fn has_events(&self) -> bool {
        self.has_events
    }

    /// Reads the events of an array that has begun.
    pub(in crate::formats) fn read(
        &mut self,
        events: &mut Events<'_>,
        places: &mut Places,
    ) -> Result<(), Fault> {
        loop {
            match events.next()? {
                Event::Close => return Ok(()),
                Event::Object => {
                    let event = TraceEvent::read(events, places)?;
                    self.take(event)?;
                }
                other => events.skip_from(other)?,
            }
        }
    }

    fn take(&mut self, event: TraceEvent) -> Result<(), Fault> {
        self.has_events |= event.has_phase;
        if let Some(name) = event.thread_name.filter(|_| event.name == "thread_name") {
            self.names.insert(event.thread, name);
            limits::check(self.names.len(), limits::THREADS, "threads")?;
        }
        let begins = event.name == "Profile";
        if !begins && !event.piece.has_begun() && event.piece.samples.is_none() {
            return Ok(());
        }
        let samples = event.piece.samples.as_ref().map_or(0, Samples::count);
        let times = event.piece.deltas.as_ref().map_or(0, Vec::len);
        self.samples += samples.max(times);
        limits::check(self.samples, limits::TICKS, "samples")?;
        let key = (event.thread.0, event.id);
        let at = *self.by_id.entry(key).or_insert_with(|| {
            self.profiles.push((Recording::default(), event.thread));
            self.profiles.len() - 1
        });
        limits::check(self.profiles.len(), limits::THREADS, "profiles")?;
        let Some((recording, thread)) = self.profiles.get_mut(at) else {
            return Ok(());
        };
        if begins {
            // Chunks come from another thread than the one that is profiled.
            *thread = event.thread;
        }
        recording.append(event.piece)
    }

    /// Adds the profiles to the parts of one. Of several, each record has its thread as a label.
    pub(in crate::formats) fn finish(
        self,
        places: &mut Places,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let profiles: Vec<_> = self
            .profiles
            .into_iter()
            .filter(|(recording, _)| recording.has_begun())
            .collect();
        let are_several = profiles.len() > 1;
        for (recording, thread) in profiles {
            let before = parts.stack_ends.len();
            recording.finish(places, parts)?;
            if !are_several {
                continue;
            }
            let name = self.names.get(&thread).cloned();
            let name = name.unwrap_or_else(|| format!("thread {}", thread.1));
            places.label_thread(&name, before, parts);
        }
        if parts.sample_types.is_empty() {
            return Err(Fault::Foreign(Foreign::Trace));
        }
        Ok(())
    }
}

impl TraceEvent {
    fn read(events: &mut Events<'_>, places: &mut Places) -> Result<Self, Fault> {
        let mut event = Self::default();
        while events.next_key()? {
            match events.text.as_str() {
                "name" => {
                    events.advisory_text()?;
                    event.name.clone_from(&events.text);
                }
                "id" => {
                    events.advisory_text()?;
                    event.id.clone_from(&events.text);
                }
                "ph" => {
                    event.has_phase = true;
                    events.skip()?;
                }
                "pid" => event.thread.0 = events.advisory_number("pid")?.unwrap_or(0),
                "tid" => event.thread.1 = events.advisory_number("tid")?.unwrap_or(0),
                "args" => {
                    if events.advisory_object()? {
                        event.args(events, places)?;
                    }
                }
                _ => events.skip()?,
            }
        }
        Ok(event)
    }

    fn args(&mut self, events: &mut Events<'_>, places: &mut Places) -> Result<(), Fault> {
        while events.next_key()? {
            match events.text.as_str() {
                "name" => {
                    events.advisory_text()?;
                    self.thread_name = Some(events.text.clone());
                }
                "data" => {
                    if events.advisory_object()? {
                        self.data(events, places)?;
                    }
                }
                _ => events.skip()?,
            }
        }
        Ok(())
    }

    fn data(&mut self, events: &mut Events<'_>, places: &mut Places) -> Result<(), Fault> {
        while events.next_key()? {
            match events.text.as_str() {
                "cpuProfile" => {
                    if events.advisory_object()? {
                        while events.next_key()? {
                            if !self.piece.field(events, places)? {
                                events.skip()?;
                            }
                        }
                    }
                }
                "timeDeltas" | "startTime" | "endTime" => {
                    self.piece.field(events, places)?;
                }
                _ => events.skip()?,
            }
        }
        Ok(())
    }
}
