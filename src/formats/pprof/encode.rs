//! What a view leaves of a profile → bytes.
//!
//! Text, mappings, labels and period are kept, ids are new. Locations and functions that no stack names are left out.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::encoding::{WireType, encode_key, encode_varint};

use crate::model::graph::subset::Subset;
use crate::model::profile::{Interner, LabelValue, Profile, SampleType, StrId};

/// A message being written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    /// A number, which is left out where it is 0.
    fn number(&mut self, tag: u32, number: u64) {
        if number != 0 {
            encode_key(tag, WireType::Varint, &mut self.0);
            encode_varint(number, &mut self.0);
        }
    }

    fn signed(&mut self, tag: u32, number: i64) {
        self.number(tag, number.cast_unsigned());
    }

    fn bytes(&mut self, tag: u32, bytes: &[u8]) {
        encode_key(tag, WireType::LengthDelimited, &mut self.0);
        encode_varint(bytes.len() as u64, &mut self.0);
        self.0.extend_from_slice(bytes);
    }
}

struct Encoder<'a> {
    subset: &'a Subset<'a>,
    profile: &'a Profile,
    strings: Interner,
    /// New ids of strings by their old ones: most texts are named many times.
    known: Vec<Option<StrId>>,
    out: Message,
}

/// Writes what a view leaves of a profile, compressed with gzip.
#[must_use]
pub fn encode(subset: &Subset<'_>) -> Vec<u8> {
    let raw = encode_raw(subset);
    let mut packed = GzEncoder::new(Vec::with_capacity(raw.len() / 2), Compression::fast());
    // Writing to memory can't fail; if it could, the plain bytes would still be the profile.
    if packed.write_all(&raw).is_err() {
        return raw;
    }
    packed.finish().unwrap_or(raw)
}

fn encode_raw(subset: &Subset<'_>) -> Vec<u8> {
    let profile = subset.profile();
    let known = vec![None; profile.parts().strings.len()];
    let mut encoder = Encoder {
        subset,
        profile,
        strings: Interner::default(),
        known,
        out: Message::default(),
    };
    encoder.head();
    let used = encoder.samples();
    encoder.mappings();
    encoder.places(&used);
    let strings = encoder.strings.finish();
    for at in 0..strings.len() {
        encoder.out.bytes(
            6,
            strings.bytes(StrId(u32::try_from(at).unwrap_or(u32::MAX))),
        );
    }
    encoder.out.0
}

impl Encoder<'_> {
    fn text(&mut self, id: StrId) -> u64 {
        let fresh = |strings: &mut Interner| strings.id(self.profile.bytes(id));
        let id = match self.known.get_mut(id.0 as usize) {
            Some(known) => *known.get_or_insert_with(|| fresh(&mut self.strings)),
            None => StrId::EMPTY,
        };
        u64::from(id.0)
    }

    fn sample_type(&mut self, tag: u32, sample_type: SampleType) {
        let mut message = Message::default();
        message.number(1, self.text(sample_type.kind));
        message.number(2, self.text(sample_type.unit));
        self.out.bytes(tag, &message.0);
    }

    fn head(&mut self) {
        let parts = self.profile.parts();
        for sample_type in &parts.sample_types {
            self.sample_type(1, *sample_type);
        }
        let shown = parts
            .sample_types
            .get(self.subset.sample_type())
            .map_or(StrId::EMPTY, |shown| shown.kind);
        let default = if self.subset.sample_type() == self.profile.default_sample_type() {
            parts.default_sample_type
        } else {
            shown
        };
        for (tag, text) in [
            (7, parts.drop_frames),
            (8, parts.keep_frames),
            (14, default),
            (15, parts.doc_url),
        ] {
            let text = self.text(text);
            self.out.number(tag, text);
        }
        self.out.signed(9, parts.time_nanos);
        self.out.signed(10, parts.duration_nanos);
        if let Some((period_type, period)) = parts.period {
            self.sample_type(11, period_type);
            self.out.signed(12, period);
        }
        for comment in &parts.comments {
            // A comment may be the empty text, which a number would leave out.
            let comment = self.text(*comment);
            encode_key(13, WireType::Varint, &mut self.out.0);
            encode_varint(comment, &mut self.out.0);
        }
    }

    /// Writes the samples and returns which locations they name.
    fn samples(&mut self) -> Vec<bool> {
        let mut used = vec![false; self.profile.locations().len()];
        let (mut message, mut packed) = (Message::default(), Message::default());
        for record in self.subset.records() {
            message.0.clear();
            packed.0.clear();
            for location in self.subset.stack(record) {
                if let Some(used) = used.get_mut(location as usize) {
                    *used = true;
                }
                encode_varint(u64::from(location) + 1, &mut packed.0);
            }
            if !packed.0.is_empty() {
                message.bytes(1, &packed.0);
            }
            packed.0.clear();
            for value in self.profile.values(record) {
                encode_varint(value.cast_unsigned(), &mut packed.0);
            }
            message.bytes(2, &packed.0);
            for label in self.profile.labels(record) {
                packed.0.clear();
                packed.number(1, self.text(label.key));
                match label.value {
                    LabelValue::Text(text) => packed.number(2, self.text(text)),
                    LabelValue::Number(number, unit) => {
                        packed.signed(3, number);
                        packed.number(4, self.text(unit));
                    }
                }
                message.bytes(3, &packed.0);
            }
            self.out.bytes(2, &message.0);
        }
        used
    }

    fn mappings(&mut self) {
        for (id, mapping) in (1..).zip(self.profile.mappings()) {
            let mut message = Message::default();
            message.number(1, id);
            message.number(2, mapping.start);
            message.number(3, mapping.limit);
            message.number(4, mapping.offset);
            message.number(5, self.text(mapping.file));
            message.number(6, self.text(mapping.build_id));
            for (tag, resolved) in (7..).zip(mapping.resolved) {
                message.number(tag, u64::from(resolved));
            }
            self.out.bytes(3, &message.0);
        }
    }

    /// Writes the locations that are named, and the functions that those name.
    fn places(&mut self, used: &[bool]) {
        let lines = &self.profile.parts().lines;
        let mut called = vec![false; self.profile.functions().len()];
        for (at, _) in (0..).zip(used).filter(|(_, used)| **used) {
            let location = self.subset.location(at);
            let mut message = Message::default();
            message.number(1, u64::from(at) + 1);
            message.number(
                2,
                location.mapping.map_or(0, |mapping| u64::from(mapping) + 1),
            );
            message.number(3, location.address);
            for line in self
                .subset
                .lines(at)
                .iter()
                .filter_map(|line| lines.get(*line as usize))
            {
                // A line without a function says nothing, and readers refuse it.
                let Some(function) = line.function else {
                    continue;
                };
                if let Some(called) = called.get_mut(function as usize) {
                    *called = true;
                }
                let mut inner = Message::default();
                inner.number(1, u64::from(function) + 1);
                inner.signed(2, line.line);
                inner.signed(3, line.column);
                message.bytes(4, &inner.0);
            }
            message.number(5, u64::from(location.folded));
            self.out.bytes(4, &message.0);
        }
        for (id, (function, _)) in (1..)
            .zip(self.profile.functions().iter().zip(called))
            .filter(|(_, (_, called))| *called)
        {
            let mut message = Message::default();
            message.number(1, id);
            message.number(2, self.text(function.name));
            message.number(3, self.text(function.system_name));
            message.number(4, self.text(function.file));
            message.signed(5, function.start_line);
            self.out.bytes(5, &message.0);
        }
    }
}
