//! JSON as a stream of events: nothing is built of what is not needed, nothing recurses.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::rc::Rc;

use json_event_parser::{JsonEvent, JsonParseError, ReaderJsonParser};

use crate::formats::input::Stream;
use crate::formats::surrogates::Surrogates;
use crate::formats::{Fault, limits};
use crate::model::text::sanitize::printable;

/// One event. The text of a key or a string, and the digits of a number, are in [`Events::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// An object begins.
    Object,
    /// An array begins.
    Array,
    /// The innermost object or array ends.
    Close,
    /// A key of the innermost object; its value follows.
    Key,
    /// A string.
    Text,
    /// A number, rounded; `None` if it does not fit 64 bits.
    Number(Option<i64>),
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// All has been read.
    End,
}

/// The events of a file.
pub(super) struct Events<'a> {
    parser: ReaderJsonParser<Bytes<Surrogates<Stream<'a>>>>,
    /// The last key, string or number.
    pub(super) text: String,
    /// Fields of a wrong type that no value depends on.
    ignored: BTreeSet<&'static str>,
    ended: Rc<Cell<bool>>,
}

impl<'a> Events<'a> {
    pub(super) fn new(stream: Stream<'a>) -> Self {
        let ended = Rc::new(Cell::new(false));
        let bytes = Bytes {
            input: Surrogates::new(stream),
            ended: Rc::clone(&ended),
        };
        let parser = ReaderJsonParser::new(bytes).with_max_buffer_size(limits::FIELD_BYTES);
        Self {
            parser,
            text: String::new(),
            ignored: BTreeSet::new(),
            ended,
        }
    }

    /// The next event.
    pub(super) fn next(&mut self) -> Result<Event, Fault> {
        let event = match self.parser.parse_next() {
            Ok(event) => event,
            Err(error) => return Err(fault(error, self.ended.get())),
        };
        let mut keep = |text: &str| {
            self.text.clear();
            self.text.push_str(text);
        };
        Ok(match event {
            JsonEvent::StartObject => Event::Object,
            JsonEvent::StartArray => Event::Array,
            JsonEvent::EndObject | JsonEvent::EndArray => Event::Close,
            JsonEvent::ObjectKey(key) => {
                keep(&key);
                Event::Key
            }
            JsonEvent::String(text) => {
                keep(&text);
                Event::Text
            }
            JsonEvent::Number(digits) => {
                keep(&digits);
                Event::Number(whole(&digits))
            }
            JsonEvent::Boolean(_) => Event::Boolean,
            JsonEvent::Null => Event::Null,
            JsonEvent::Eof => Event::End,
        })
    }

    /// Moves on to the next key of an object that has begun; `false` at its end.
    pub(super) fn next_key(&mut self) -> Result<bool, Fault> {
        Ok(self.next()? == Event::Key)
    }

    /// Skips a value, however deep it is.
    pub(super) fn skip(&mut self) -> Result<(), Fault> {
        let first = self.next()?;
        self.skip_from(first)
    }

    /// Skips the rest of a value whose first event was read.
    pub(super) fn skip_from(&mut self, first: Event) -> Result<(), Fault> {
        let mut open = usize::from(matches!(first, Event::Object | Event::Array));
        while open > 0 {
            match self.next()? {
                Event::Object | Event::Array => open += 1,
                Event::Close => open -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a number that no value depends on, with its decimals; `None` if it is something else.
    pub(super) fn advisory_decimal(&mut self, field: &'static str) -> Result<Option<f64>, Fault> {
        let number = self.advisory_number(field)?;
        Ok(number.and_then(|_| self.text.parse().ok()))
    }

    /// Begins an object that no value depends on; `false` if it is something else.
    pub(super) fn advisory_object(&mut self) -> Result<bool, Fault> {
        match self.next()? {
            Event::Object => Ok(true),
            other => self.skip_from(other).map(|()| false),
        }
    }

    /// Reads a string or a number that no value depends on into [`Self::text`], which is empty if it is something
    /// else.
    pub(super) fn advisory_text(&mut self) -> Result<(), Fault> {
        match self.next()? {
            Event::Text | Event::Number(_) => Ok(()),
            other => {
                self.skip_from(other)?;
                self.text.clear();
                Ok(())
            }
        }
    }

    /// Begins an object.
    pub(super) fn object(&mut self, what: &str) -> Result<(), Fault> {
        match self.next()? {
            Event::Object => Ok(()),
            _ => Err(Fault::Malformed(format!("{what} is no object"))),
        }
    }

    /// Begins an array; `false` for `null`.
    pub(super) fn array(&mut self, what: &str) -> Result<bool, Fault> {
        match self.next()? {
            Event::Array => Ok(true),
            Event::Null => Ok(false),
            _ => Err(Fault::Malformed(format!("{what} is no array"))),
        }
    }

    /// Begins the next object of an array; `false` at the array's end.
    pub(super) fn object_or_end(&mut self, what: &str) -> Result<bool, Fault> {
        match self.next()? {
            Event::Object => Ok(true),
            Event::Close => Ok(false),
            _ => Err(Fault::Malformed(format!("{what} is no object"))),
        }
    }

    /// The number that comes next in an array of them; `None` at its end.
    pub(super) fn element(&mut self, what: &str) -> Result<Option<i64>, Fault> {
        match self.next()? {
            Event::Close => Ok(None),
            event => number(event, what).map(Some),
        }
    }

    /// A number.
    pub(super) fn number(&mut self, what: &str) -> Result<i64, Fault> {
        number(self.next()?, what)
    }

    /// Reads a string into [`Self::text`], which is empty for `null`.
    pub(super) fn string(&mut self, what: &str) -> Result<(), Fault> {
        match self.next()? {
            Event::Text => {}
            Event::Null => self.text.clear(),
            _ => return Err(Fault::Malformed(format!("{what} is no string"))),
        }
        Ok(())
    }

    /// A number that no value depends on; `None` if it is something else.
    pub(super) fn advisory_number(&mut self, field: &'static str) -> Result<Option<i64>, Fault> {
        match self.next()? {
            Event::Number(Some(number)) => Ok(Some(number)),
            other => self.ignore(other, field).map(|()| None),
        }
    }

    /// Begins an array that no value depends on; `false` if it is something else.
    pub(super) fn advisory_array(&mut self, field: &'static str) -> Result<bool, Fault> {
        match self.next()? {
            Event::Array => Ok(true),
            other => self.ignore(other, field).map(|()| false),
        }
    }

    /// Skips a value of the wrong type and notes its field. `null` counts as missing.
    pub(super) fn ignore(&mut self, first: Event, field: &'static str) -> Result<(), Fault> {
        if first != Event::Null {
            self.ignored.insert(field);
        }
        self.skip_from(first)
    }

    /// Names the fields that were ignored, if any.
    pub(super) fn ignored(&self) -> Option<String> {
        let fields: Vec<&str> = self.ignored.iter().copied().collect();
        (!fields.is_empty())
            .then(|| format!("values of a wrong type ignored: {}", fields.join(", ")))
    }
}

/// The number that an event is.
pub(super) fn number(event: Event, what: &str) -> Result<i64, Fault> {
    match event {
        Event::Number(Some(number)) => Ok(number),
        Event::Number(None) => Err(Fault::Malformed(format!("{what} does not fit 64 bits"))),
        _ => Err(Fault::Malformed(format!("{what} is no number"))),
    }
}

/// The protocol has whole numbers, but some writers print them as `1e3` or `12.0`.
fn whole(digits: &str) -> Option<i64> {
    digits
        .parse()
        .ok()
        .or_else(|| rounded(digits.parse().ok()?))
}

/// Returns the nearest whole number; `None` beyond 2^53, from where on it would not be exact.
pub(super) fn rounded(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "in range")]
    (number.abs() < 9_007_199_254_740_992.0).then(|| number.round() as i64)
}

fn fault(error: JsonParseError, ended: bool) -> Fault {
    match error {
        JsonParseError::Io(error) if error.kind() == io::ErrorKind::OutOfMemory => Fault::TooMany {
            what: "bytes in one string",
            limit: limits::FIELD_BYTES,
        },
        JsonParseError::Io(error) => error.downcast().unwrap_or_else(Fault::Io),
        JsonParseError::Syntax(_) if ended => Fault::Cut("the JSON"),
        JsonParseError::Syntax(error) => {
            let line = error.location().start.line + 1;
            let said = error.message();
            Fault::Malformed(format!(
                "its JSON is broken in line {line}: {}",
                printable(said)
            ))
        }
    }
}

/// A file as the parser wants it. Notes when it has ended.
struct Bytes<R> {
    input: R,
    ended: Rc<Cell<bool>>,
}

impl<R: Read> Read for Bytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The parser looks at an unfinished string from its beginning each time, so it gets as much as it has room for.
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.input.read(rest)? {
                0 => break,
                read => filled += read,
            }
        }
        self.ended.set(filled == 0);
        Ok(filled)
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Stream::read(self, buffer).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn numbers_are_rounded_and_bounded() {
        for (digits, expected) in [
            ("12", Some(12)),
            ("-1", Some(-1)),
            ("1e3", Some(1_000)),
            ("12.6", Some(13)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("1e400", None),
        ] {
            assert_eq!(whole(digits), expected, "{digits}");
        }
    }
}
