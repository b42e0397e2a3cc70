//! Bytes → [`Profile`], field by field as they arrive.

mod messages;

use std::sync::mpsc::Receiver;

use prost::encoding::{WireType, decode_key, decode_varint};

use crate::formats::input::Stream;
use crate::formats::pprof::chunks;
use crate::formats::pprof::ids::Ids;
use crate::formats::pprof::wire::{Value, broken};
use crate::formats::{Fault, Foreign, limits};
use crate::model::profile::{
    Function, Location, Mapping, Parts, Profile, SampleType, StrId, Strings,
};

/// A key and a length take at most this many bytes: with fewer, one of them may be incomplete.
const KEY_AND_LENGTH: usize = 20;

/// Decodes a profile as it is being inflated.
pub(in crate::formats) fn decode(stream: Stream<'_>) -> Result<Profile, Fault> {
    let parts = chunks::for_each(stream, |chunks| {
        let mut decoder = Decoder::new();
        if let Err(fault) = decoder.take_all(chunks) {
            // Without a single field it is no damaged profile but something else.
            let is_form = matches!(
                fault,
                Fault::Malformed(_) | Fault::Cut(_) | Fault::TooMany { .. }
            );
            return Err(if is_form && !decoder.has_begun {
                Fault::Foreign(Foreign::Unknown)
            } else {
                fault
            });
        }
        decoder.finish()
    })?;
    let profile = Profile::new(parts);
    limits::inlined(&profile)?;
    Ok(profile)
}

/// What has been decoded so far.
struct Decoder {
    parts: Parts,
    location_ids: Ids,
    function_ids: Ids,
    mapping_ids: Ids,
    locations: Vec<Option<Location>>,
    functions: Vec<Option<Function>>,
    mappings: Vec<Option<Mapping>>,
    /// Which unknown groups are open.
    groups: Vec<u32>,
    /// A field of a profile was read.
    has_begun: bool,
    records: usize,
    width: Option<usize>,
    period_type: Option<SampleType>,
    period: i64,
    /// The largest string named, and by what.
    largest_string: (u32, &'static str),
}

impl Decoder {
    fn new() -> Self {
        Self {
            parts: Parts {
                strings: Strings::empty(),
                ..Parts::default()
            },
            location_ids: Ids::new("locations", limits::LOCATIONS),
            function_ids: Ids::new("functions", limits::FUNCTIONS),
            mapping_ids: Ids::new("mappings", limits::MAPPINGS),
            locations: Vec::new(),
            functions: Vec::new(),
            mappings: Vec::new(),
            groups: Vec::new(),
            has_begun: false,
            records: 0,
            width: None,
            period_type: None,
            period: 0,
            largest_string: (0, ""),
        }
    }

    fn take_all(&mut self, chunks: &Receiver<Result<Vec<u8>, Fault>>) -> Result<(), Fault> {
        let mut pending = Vec::new();
        // A closed channel is the end, too: the other side sends an empty chunk before it leaves.
        while let Ok(chunk) = chunks.recv() {
            let chunk = chunk?;
            let last = chunk.is_empty();
            let used = if pending.is_empty() {
                let used = self.take(&chunk, last)?;
                pending.extend_from_slice(chunk.get(used..).unwrap_or_default());
                0
            } else {
                pending.extend_from_slice(&chunk);
                self.take(&pending, last)?
            };
            pending.drain(..used);
            if last {
                break;
            }
        }
        Ok(())
    }

    /// Decodes the complete fields of the buffer and returns the number of bytes consumed.
    fn take(&mut self, bytes: &[u8], last: bool) -> Result<usize, Fault> {
        const WHAT: &str = "the profile";
        let mut rest = bytes;
        while !rest.is_empty() && (last || rest.len() >= KEY_AND_LENGTH) {
            let before = rest;
            let faulty = |error: prost::DecodeError| broken(WHAT, &error.to_string());
            let (tag, wire_type) = decode_key(&mut rest).map_err(faulty)?;
            let value = match wire_type {
                WireType::Varint => Some(Value::Number(decode_varint(&mut rest).map_err(faulty)?)),
                WireType::LengthDelimited => {
                    let length = usize::try_from(decode_varint(&mut rest).map_err(faulty)?)
                        .unwrap_or(usize::MAX);
                    limits::check(length, limits::FIELD_BYTES, "bytes in one field")?;
                    let Some((field, after)) = rest.split_at_checked(length) else {
                        if last {
                            return Err(Fault::Cut("the profile"));
                        }
                        return Ok(bytes.len() - before.len());
                    };
                    rest = after;
                    Some(Value::Bytes(field))
                }
                WireType::SixtyFourBit | WireType::ThirtyTwoBit => {
                    let size = if wire_type == WireType::SixtyFourBit {
                        8
                    } else {
                        4
                    };
                    rest = rest.get(size..).ok_or(Fault::Cut("the profile"))?;
                    None
                }
                WireType::StartGroup => {
                    self.groups.push(tag);
                    limits::check(
                        self.groups.len(),
                        limits::GROUPS,
                        "groups inside each other",
                    )?;
                    None
                }
                WireType::EndGroup => {
                    if self.groups.pop() != Some(tag) {
                        return Err(broken(WHAT, "a group ends that did not begin"));
                    }
                    None
                }
            };
            if self.groups.is_empty() {
                match value {
                    Some(value) => {
                        self.field(tag, value)?;
                        self.has_begun |= tag <= 15;
                    }
                    // A known field of a wire type it can't have; the end of an unknown group has its tag, too.
                    None if tag <= 14 => return Err(broken(WHAT, "a field of the wrong kind")),
                    None => {}
                }
            }
        }
        if last && !self.groups.is_empty() {
            return Err(Fault::Cut("the profile"));
        }
        Ok(bytes.len() - rest.len())
    }

    fn field(&mut self, tag: u32, value: Value<'_>) -> Result<(), Fault> {
        match tag {
            1 => {
                let sample_type = self.sample_type(value.bytes("a sample type")?)?;
                self.parts.sample_types.push(sample_type);
                limits::check(
                    self.parts.sample_types.len(),
                    limits::SAMPLE_TYPES,
                    "sample types",
                )?;
            }
            2 => self.sample(value.bytes("a sample")?)?,
            3 => self.mapping(value.bytes("a mapping")?)?,
            4 => self.location(value.bytes("a location")?)?,
            5 => self.function(value.bytes("a function")?)?,
            6 => self.string(value.bytes("a string")?)?,
            7 => self.parts.drop_frames = self.named(value, "drop_frames")?,
            8 => self.parts.keep_frames = self.named(value, "keep_frames")?,
            9 => {
                if self.parts.time_nanos != 0 {
                    return Err(Fault::Malformed(
                        "these are several profiles, one after the other".to_owned(),
                    ));
                }
                self.parts.time_nanos = value.signed("time_nanos")?;
            }
            10 => self.parts.duration_nanos = value.signed("duration_nanos")?,
            11 => self.period_type = Some(self.sample_type(value.bytes("period_type")?)?),
            12 => self.period = value.signed("period")?,
            13 => value.each("a comment", |id| {
                let comment = self.text(id, "a comment")?;
                self.parts.comments.push(comment);
                limits::check(self.parts.comments.len(), limits::COMMENTS, "comments")
            })?,
            14 => self.parts.default_sample_type = self.named(value, "default_sample_type")?,
            15 => {
                // A late addition to the format: a writer of another opinion does no harm.
                if let Value::Number(id) = value {
                    self.parts.doc_url = self.text(id, "doc_url")?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn string(&mut self, text: &[u8]) -> Result<(), Fault> {
        if self.parts.strings.is_empty() && !text.is_empty() {
            return Err(Fault::Malformed(
                "its first string is not the empty one".to_owned(),
            ));
        }
        self.parts.strings.push(text);
        limits::check(self.parts.strings.len(), limits::STRINGS, "strings")
    }

    /// A string's id from the wire. Whether there is such a string shows at the end, as strings may come last.
    fn text(&mut self, id: u64, owner: &'static str) -> Result<StrId, Fault> {
        let id = u32::try_from(id).map_err(|_| {
            Fault::Malformed(format!(
                "{owner} names string {}, which can't be",
                id.cast_signed()
            ))
        })?;
        if id > self.largest_string.0 {
            self.largest_string = (id, owner);
        }
        Ok(StrId(id))
    }

    fn named(&mut self, value: Value<'_>, owner: &'static str) -> Result<StrId, Fault> {
        let id = value.number(owner)?;
        self.text(id, owner)
    }

    /// Checks what could only be known at the end and makes indices of ids.
    fn finish(mut self) -> Result<Parts, Fault> {
        if self.parts.strings.is_empty() {
            self.parts.strings.push(b"");
        }
        let (largest, owner) = self.largest_string;
        let strings = self.parts.strings.len();
        if largest as usize >= strings {
            return Err(Fault::Malformed(format!(
                "{owner} names string {largest}, but there are only {strings}"
            )));
        }
        if self.parts.sample_types.is_empty() && self.records > 0 {
            return Err(Fault::Malformed(
                "it has samples, but no sample types that say what they count".to_owned(),
            ));
        }
        if let Some(width) = self
            .width
            .filter(|width| *width != self.parts.sample_types.len())
        {
            self.records = 1;
            return Err(self.wrong_width(width));
        }
        self.locations.resize(self.location_ids.len(), None);
        self.parts.locations = Vec::with_capacity(self.locations.len());
        for (index, location) in self.locations.iter().enumerate() {
            let Some(mut location) = *location else {
                let id = self.location_ids.id(index);
                return Err(Fault::Malformed(format!(
                    "a sample names location {id}, which is not there"
                )));
            };
            // A mapping that is not there costs only the binary's name.
            location.mapping = location
                .mapping
                .filter(|at| matches!(self.mappings.get(*at as usize), Some(Some(_))));
            self.parts.locations.push(location);
        }
        for line in &mut self.parts.lines {
            // A function that is not there leaves the address to go by.
            line.function = line
                .function
                .filter(|at| matches!(self.functions.get(*at as usize), Some(Some(_))));
        }
        self.parts.functions = self
            .functions
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        self.parts.mappings = self
            .mappings
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        if self.period_type.is_some() || self.period != 0 {
            self.parts.period = Some((self.period_type.unwrap_or_default(), self.period));
        }
        Ok(self.parts)
    }
}
