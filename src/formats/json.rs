//! JSON of any kind → [`Profile`]: recognized by the keys of the outermost object, which may come in any order.

use crate::formats::events::{Event, Events};
use crate::formats::input::Stream;
use crate::formats::places::Places;
use crate::formats::speedscope::Speedscope;
use crate::formats::v8::{Recording, Trace};
use crate::formats::{Fault, Foreign};
use crate::model::profile::{Parts, Profile};

/// Objects around a profile that are looked into: an answer of the debugging protocol has it in `result.profile`.
const AROUND: usize = 3;

/// Reads a profile of any format in JSON.
pub(super) fn read(stream: Stream<'_>) -> Result<Profile, Fault> {
    read_by(stream, Document::read)
}

/// Reads the profile among messages of the debugging protocol, which come as an array.
pub(super) fn read_messages(stream: Stream<'_>) -> Result<Profile, Fault> {
    read_by(stream, Document::messages)
}

fn read_by(
    stream: Stream<'_>,
    read: fn(&mut Document, &mut Events<'_>) -> Result<(), Fault>,
) -> Result<Profile, Fault> {
    let mut events = Events::new(stream);
    let mut document = Document::default();
    if let Err(fault) = read(&mut document, &mut events) {
        let is_damage = matches!(fault, Fault::Cut(_) | Fault::Malformed(_));
        // What is wrong with it does not matter if it is something else altogether.
        return Err(if is_damage && !document.has_begun() {
            document.foreign()
        } else {
            fault
        });
    }
    let mut parts = document.finish()?;
    parts.left_out.extend(events.ignored());
    Ok(Profile::new(parts))
}

/// What has been read so far.
#[derive(Default)]
struct Document {
    places: Places,
    recording: Recording,
    trace: Trace,
    speedscope: Speedscope,
    /// Keys by which other files are recognized.
    has_meta: bool,
    has_threads: bool,
    has_mappings: bool,
}

impl Document {
    fn has_begun(&self) -> bool {
        self.recording.has_begun() || self.trace.has_begun() || self.speedscope.has_begun()
    }

    /// Says what a file without anything of a profile is.
    fn foreign(&self) -> Fault {
        if self.has_meta && self.has_threads {
            Fault::Foreign(Foreign::Firefox)
        } else if self.has_mappings {
            Fault::Foreign(Foreign::SourceMap)
        } else if self.trace.has_events() {
            Fault::Foreign(Foreign::Trace)
        } else {
            Fault::Json(None)
        }
    }

    fn read(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        match events.next()? {
            Event::Object => self.object(events, AROUND)?,
            // A trace may be its events alone.
            Event::Array => self.trace.read(events, &mut self.places)?,
            _ => return Err(Fault::Json(None)),
        }
        match events.next()? {
            Event::End => Ok(()),
            _ => Err(Fault::Malformed(
                "there is something after its end".to_owned(),
            )),
        }
    }

    fn messages(&mut self, events: &mut Events<'_>) -> Result<(), Fault> {
        if events.next()? != Event::Array {
            return Err(Fault::Json(None));
        }
        let mut found = None;
        loop {
            let read = match events.next() {
                Ok(Event::Object) => self.object(events, AROUND),
                Ok(Event::Close) => break,
                Ok(other) => events.skip_from(other),
                Err(fault) => Err(fault),
            };
            match read {
                // The log was cut off in a later message.
                Err(Fault::Cut(_)) if found.is_some() && !self.recording.has_begun() => {
                    self.recording = found.unwrap_or_default();
                    return Ok(());
                }
                read => read?,
            }
            if !self.recording.has_begun() {
                continue;
            }
            if found.is_some() {
                return Err(Fault::Malformed(
                    "it holds several profiles: keep the message with one of them".to_owned(),
                ));
            }
            found = Some(std::mem::take(&mut self.recording));
        }
        self.recording = found.unwrap_or_default();
        match events.next()? {
            Event::End => Ok(()),
            _ => Err(Fault::Json(None)),
        }
    }

    fn object(&mut self, events: &mut Events<'_>, around: usize) -> Result<(), Fault> {
        while events.next_key()? {
            match events.text.as_str() {
                "snapshot" => return Err(Fault::Foreign(Foreign::HeapSnapshot)),
                "samples_from" => return Err(Fault::Foreign(Foreign::OwnJson)),
                "traceEvents" => {
                    if events.array("traceEvents")? {
                        self.trace.read(events, &mut self.places)?;
                    }
                }
                "result" | "params" | "profile" if around > 0 => {
                    if events.advisory_object()? {
                        self.object(events, around - 1)?;
                    }
                }
                // `Tracing.dataCollected` has a trace in pieces.
                "value" if around > 0 && around < AROUND => match events.next()? {
                    Event::Array => self.trace.read(events, &mut self.places)?,
                    other => events.skip_from(other)?,
                },
                "meta" => {
                    self.has_meta = true;
                    events.skip()?;
                }
                "threads" => {
                    self.has_threads = true;
                    events.skip()?;
                }
                // A source map may have others in sections.
                "mappings" | "sections" => {
                    self.has_mappings = true;
                    events.skip()?;
                }
                _ => {
                    if !self.recording.field(events, &mut self.places)?
                        && !self.speedscope.field(events, &mut self.places)?
                    {
                        events.skip()?;
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Parts, Fault> {
        let (mut parts, places) = (Parts::default(), &mut self.places);
        if self.recording.has_begun() {
            self.recording.finish(places, &mut parts)?;
        } else if self.trace.has_begun() {
            self.trace.finish(places, &mut parts)?;
        } else if self.speedscope.has_begun() {
            self.speedscope.finish(places, &mut parts)?;
        } else {
            return Err(self.foreign());
        }
        self.places.finish(&mut parts);
        Ok(parts)
    }
}
