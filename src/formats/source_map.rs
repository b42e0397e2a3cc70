//! Source maps, and bundles that name theirs → [`SourceMap`].
//!
//! The map is decoded by a library that trusts it, so its claims are counted first: positions, names, sources, sections, and
//! the digits of each number.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

use crate::formats::{Fault, FormatError, limits, utf16};
use crate::model::source_map::SourceMap;
use crate::model::text::address::percent_decoded;
use crate::model::text::cut::cut;
use crate::model::text::sanitize::printable;
use crate::model::text::source_text::SCRIPT_LINE_ENDS;

/// Digits of a number in a map: seven hold 32 bits and a sign.
const DIGITS_MAX: u32 = 7;
/// How bundles name their map.
const COMMENT: &str = "sourceMappingURL=";
/// Columns of an error that a decoder reports: it may quote the file.
const ERROR_MAX: usize = 200;

/// What a file given as a source map turned out to be.
#[derive(Debug)]
pub enum Found {
    /// A map, inside a bundle or by itself.
    Map(Box<SourceMap>),
    /// A bundle that names a file with its map, as written there.
    Elsewhere(String),
}

/// Reads a source map, or a bundle that holds or names one. `name` is what people call the file.
///
/// # Errors
/// [`FormatError`], which names the file and says in one sentence what is wrong with it.
pub fn read(bytes: &[u8], name: &str) -> Result<Found, FormatError> {
    let fail = |fault| FormatError {
        name: printable(name).into_owned(),
        fault,
    };
    if bytes.len() > limits::MAP_BYTES {
        return Err(fail(Fault::TooMany {
            what: "bytes of a source map",
            limit: limits::MAP_BYTES,
        }));
    }
    if bytes.is_empty() {
        return Err(fail(Fault::Empty));
    }
    let text =
        utf16::text(bytes).ok_or_else(|| fail(malformed("it is no text, and so no source map")))?;
    let text = &*text;
    if text.trim_start().starts_with(|sign| "{})]".contains(sign)) {
        let map = decode(text.trim_start().as_bytes(), name).map_err(fail)?;
        return Ok(Found::Map(Box::new(map)));
    }
    match url(text) {
        Some(url) if url.starts_with("data:") => {
            let json = inline(url).map_err(fail)?;
            let map = decode(&json, name).map_err(fail)?;
            Ok(Found::Map(Box::new(map.with_bundle(text))))
        }
        Some(url) => Ok(Found::Elsewhere(url.to_owned())),
        None => Err(fail(malformed(
            "it is neither a source map nor a bundle that names one (sourceMappingURL)",
        ))),
    }
}

fn malformed(what: &str) -> Fault {
    Fault::Malformed(what.to_owned())
}

/// Returns the address in the last comment that names one. As for V8, one with a quote in it is none: it is in a string
/// of the program.
fn url(text: &str) -> Option<&str> {
    let mut before = text;
    loop {
        let at = before.rfind(COMMENT)?;
        let after = text.get(at + COMMENT.len()..)?;
        before = before.get(..at)?;
        if !before.ends_with("//# ") && !before.ends_with("//@ ") {
            continue;
        }
        let line = after.split(SCRIPT_LINE_ENDS).next().unwrap_or_default();
        let url = line.split_whitespace().next();
        if let Some(url) = url.filter(|url| !url.contains(['"', '\'', '`'])) {
            return Some(url);
        }
    }
}

/// Returns the JSON in a `data:` address.
fn inline(url: &str) -> Result<Vec<u8>, Fault> {
    let unknown =
        || malformed("its inline map is written neither in base64 nor with percent signs");
    let (head, data) = url.split_once(',').ok_or_else(unknown)?;
    let data = percent_decoded(data);
    if !head.ends_with(";base64") {
        return Ok(data.into_owned());
    }
    let encodings = [&data_encoding::BASE64, &data_encoding::BASE64_NOPAD];
    encodings
        .iter()
        .find_map(|encoding| encoding.decode(&data).ok())
        .ok_or_else(unknown)
}

fn decode(json: &[u8], name: &str) -> Result<SourceMap, Fault> {
    // What some servers put before JSON ends with the line.
    let start = if json.starts_with(b")") || json.starts_with(b"]") {
        let end = json.iter().position(|byte| *byte == b'\n');
        end.unwrap_or(json.len())
    } else {
        0
    };
    let json = json.get(start..).unwrap_or_default();
    let shape: Shape<'_> = serde_json::from_slice(json)
        .map_err(|error| Fault::Malformed(format!("it is no source map: {}", shortened(&error))))?;
    let mut counts = Counts::default();
    counts.add(&shape)?;
    SourceMap::decode(json, name).map_err(|error| Fault::Malformed(shortened(&error)))
}

fn shortened(error: &dyn fmt::Display) -> String {
    cut(&printable(&error.to_string()), ERROR_MAX).into_owned()
}

/// What of a map is counted before it is decoded.
#[derive(Deserialize)]
struct Shape<'a> {
    #[serde(default, borrow)]
    mappings: Option<Cow<'a, str>>,
    #[serde(default)]
    names: Length,
    #[serde(default)]
    sources: Length,
    #[serde(default, borrow)]
    sections: Option<Vec<Section<'a>>>,
}

#[derive(Deserialize)]
struct Section<'a> {
    #[serde(default, borrow)]
    map: Option<Box<Shape<'a>>>,
}

#[derive(Default)]
struct Counts {
    positions: usize,
    names: usize,
    sources: usize,
    sections: usize,
}

impl Counts {
    fn add(&mut self, shape: &Shape<'_>) -> Result<(), Fault> {
        self.one(shape)?;
        for section in shape.sections.iter().flatten() {
            self.sections += 1;
            limits::check(self.sections, limits::SECTIONS, "sections of a source map")?;
            match &section.map {
                // A map with sections has them all on one level.
                Some(map) if map.sections.is_some() => {
                    return Err(malformed("its sections have sections themselves"));
                }
                Some(map) => self.one(map)?,
                None => {
                    return Err(malformed(
                        "its sections are kept in other files, which are not followed",
                    ));
                }
            }
        }
        Ok(())
    }

    fn one(&mut self, shape: &Shape<'_>) -> Result<(), Fault> {
        self.names += shape.names.0;
        self.sources += shape.sources.0;
        limits::check(self.names, limits::MAP_NAMES, "names in a source map")?;
        limits::check(self.sources, limits::MAP_NAMES, "sources of a source map")?;
        let mut digits = 0;
        for byte in shape.mappings.iter().flat_map(|mappings| mappings.bytes()) {
            match byte {
                b',' | b';' => {
                    self.positions += 1;
                    digits = 0;
                }
                // Digits that go on have their highest bit set.
                b'g'..=b'z' | b'0'..=b'9' | b'+' | b'/' => digits += 1,
                b'A'..=b'Z' | b'a'..=b'f' => digits = 0,
                _ => {
                    return Err(malformed(
                        "its mappings are broken: they hold what is no digit",
                    ));
                }
            }
            if digits >= DIGITS_MAX {
                return Err(malformed(
                    "its mappings are broken: a number does not fit 32 bits",
                ));
            }
        }
        limits::check(
            self.positions,
            limits::POSITIONS,
            "positions in a source map",
        )
    }
}

/// The length of an array, whatever it holds.
#[derive(Default)]
struct Length(usize);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counter;
        impl<'de> Visitor<'de> for Counter {
            type Value = Length;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an array")
            }

            fn visit_unit<E>(self) -> Result<Length, E> {
                Ok(Length(0))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Length, A::Error> {
                let mut count = 0;
                while elements.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Length(count))
            }
        }
        deserializer.deserialize_any(Counter)
    }
}
