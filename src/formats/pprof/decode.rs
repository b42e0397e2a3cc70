//! Bytes → [`Profile`], field by field as they arrive.

use std::sync::mpsc::Receiver;

use prost::encoding::{WireType, decode_key, decode_varint};

use crate::formats::input::Stream;
use crate::formats::pprof::chunks;
use crate::formats::pprof::ids::Ids;
use crate::formats::pprof::wire::{Fields, Value, broken};
use crate::formats::{Fault, Foreign, limits};
use crate::model::profile::{
    Function, Label, LabelValue, Line, Location, Mapping, Parts, Profile, SampleType, StrId,
    Strings,
};

/// A key and a length take at most this many bytes: with fewer in hand, one of them may be incomplete.
const KEY_AND_LENGTH: usize = 20;

/// Decodes a profile as it is being inflated.
pub(in crate::formats) fn decode(stream: Stream<'_>) -> Result<Profile, Fault> {
    let parts = chunks::for_each(stream, |chunks| {
        let mut decoder = Decoder::new();
        if let Err(fault) = decoder.take_all(chunks) {
            // What does not even begin as a profile is none.
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

    fn sample_type(&mut self, message: &[u8]) -> Result<SampleType, Fault> {
        const WHAT: &str = "a sample type";
        let mut sample_type = SampleType::default();
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => sample_type.kind = self.named(value, WHAT)?,
                2 => sample_type.unit = self.named(value, WHAT)?,
                _ => {}
            }
        }
        Ok(sample_type)
    }

    fn sample(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a sample";
        self.records += 1;
        limits::check(self.records, limits::RECORDS, "samples")?;
        let (stacks, values) = (self.parts.stacks.len(), self.parts.values.len());
        let labels = self.parts.labels.len();
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => {
                    let (ids, stacks) = (&mut self.location_ids, &mut self.parts.stacks);
                    value.each(WHAT, |id| {
                        stacks.push(ids.index(id)?);
                        Ok(())
                    })?;
                }
                2 => value.each(WHAT, |number| {
                    self.parts.values.push(number.cast_signed());
                    Ok(())
                })?,
                3 => self.label(value.bytes("a label")?)?,
                _ => {}
            }
        }
        let together = self.parts.stacks.len();
        limits::stack(together - stacks, together, limits::STACK_ENTRIES)?;
        // The wire has the leaf first; a tree grows from the root.
        if let Some(stack) = self.parts.stacks.get_mut(stacks..) {
            stack.reverse();
        }
        self.parts
            .stack_ends
            .push(u32::try_from(self.parts.stacks.len()).unwrap_or(u32::MAX));
        let width = self.parts.values.len() - values;
        if *self.width.get_or_insert(width) != width {
            return Err(self.wrong_width(width));
        }
        if labels < self.parts.labels.len() {
            self.parts
                .label_ends
                .resize(self.records - 1, u32::try_from(labels).unwrap_or(u32::MAX));
            self.parts
                .label_ends
                .push(u32::try_from(self.parts.labels.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    fn wrong_width(&self, width: usize) -> Fault {
        let (record, types) = (self.records, self.parts.sample_types.len());
        Fault::Malformed(format!(
            "sample {record} has {width} values, but there are {types} sample types"
        ))
    }

    fn label(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a label";
        let (mut key, mut text, mut number, mut unit) =
            (StrId::EMPTY, StrId::EMPTY, 0, StrId::EMPTY);
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => key = self.named(value, WHAT)?,
                2 => text = self.named(value, WHAT)?,
                3 => number = value.signed(WHAT)?,
                4 => unit = self.named(value, WHAT)?,
                _ => {}
            }
        }
        let value = match (text, number, unit) {
            (StrId::EMPTY, 0, StrId::EMPTY) => return Ok(()),
            (StrId::EMPTY, ..) => LabelValue::Number(number, unit),
            (text, ..) => LabelValue::Text(text),
        };
        self.parts.labels.push(Label { key, value });
        limits::check(self.parts.labels.len(), limits::LABELS, "labels")
    }

    fn mapping(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a mapping";
        let mut mapping = Mapping::default();
        let mut id = 0;
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => id = value.number(WHAT)?,
                2 => mapping.start = value.number(WHAT)?,
                3 => mapping.limit = value.number(WHAT)?,
                4 => mapping.offset = value.number(WHAT)?,
                5 => mapping.file = self.named(value, WHAT)?,
                6 => mapping.build_id = self.named(value, WHAT)?,
                7..=10 => {
                    if let Some(resolved) = mapping.resolved.get_mut(tag as usize - 7) {
                        *resolved = value.number(WHAT)? != 0;
                    }
                }
                _ => {}
            }
        }
        define(
            &mut self.mappings,
            &mut self.mapping_ids,
            id,
            mapping,
            "mappings",
        )
    }

    fn location(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a location";
        let lines_from = u32::try_from(self.parts.lines.len()).unwrap_or(u32::MAX);
        let (mut id, mut mapping, mut address, mut folded) = (0, 0, 0, false);
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => id = value.number(WHAT)?,
                2 => mapping = value.number(WHAT)?,
                3 => address = value.number(WHAT)?,
                4 => self.line(value.bytes("a line")?)?,
                5 => folded = value.number(WHAT)? != 0,
                _ => {}
            }
        }
        let lines_to = u32::try_from(self.parts.lines.len()).unwrap_or(u32::MAX);
        let mapping = (mapping != 0)
            .then(|| self.mapping_ids.index(mapping))
            .transpose()?;
        let location = Location {
            mapping,
            address,
            lines_from,
            lines_to,
            folded,
        };
        define(
            &mut self.locations,
            &mut self.location_ids,
            id,
            location,
            "locations",
        )
    }

    fn line(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a line";
        let mut line = Line {
            function: None,
            line: 0,
            column: 0,
        };
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => {
                    let id = value.number(WHAT)?;
                    line.function = (id != 0).then(|| self.function_ids.index(id)).transpose()?;
                }
                2 => line.line = value.signed(WHAT)?,
                3 => line.column = value.signed(WHAT)?,
                _ => {}
            }
        }
        self.parts.lines.push(line);
        limits::check(
            self.parts.lines.len(),
            limits::LOCATIONS,
            "lines of locations",
        )
    }

    fn function(&mut self, message: &[u8]) -> Result<(), Fault> {
        const WHAT: &str = "a function";
        let mut function = Function::default();
        let mut id = 0;
        let mut fields = Fields::of(message, WHAT);
        while let Some((tag, value)) = fields.next()? {
            match tag {
                1 => id = value.number(WHAT)?,
                2 => function.name = self.named(value, WHAT)?,
                3 => function.system_name = self.named(value, WHAT)?,
                4 => function.file = self.named(value, WHAT)?,
                5 => function.start_line = value.signed(WHAT)?,
                _ => {}
            }
        }
        define(
            &mut self.functions,
            &mut self.function_ids,
            id,
            function,
            "functions",
        )
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

/// Puts something under its id.
fn define<T: Clone>(
    table: &mut Vec<Option<T>>,
    ids: &mut Ids,
    id: u64,
    defined: T,
    what: &'static str,
) -> Result<(), Fault> {
    if id == 0 {
        // Reserved for "none", so nothing can name it; some writers define it all the same.
        return Ok(());
    }
    let at = ids.index(id)? as usize;
    if at >= table.len() {
        table.resize(at + 1, None);
    }
    match table.get_mut(at) {
        Some(Some(_)) => Err(Fault::Malformed(format!(
            "there are two {what} with the id {id}"
        ))),
        Some(slot) => {
            *slot = Some(defined);
            Ok(())
        }
        None => Ok(()),
    }
}
