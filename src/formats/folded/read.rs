//! Folded stacks → [`Profile`]. Where no comment says what the values are, they are taken for samples.

use crate::formats::folded::{IN, SAMPLES, VALUES};
use crate::formats::input::Stream;
use crate::formats::places::{Place, Places};
use crate::formats::sniff::{HEAD_BYTES, without_mark};
use crate::formats::{Fault, Foreign, limits};
use crate::model::profile::{Parts, Profile};

/// Bytes read at a time.
const CHUNK_BYTES: usize = 64 << 10;
/// More than this are no samples but times or bytes: no format with a sample each holds as many.
const SAMPLES_MAX: u128 = limits::TICKS as u128;

/// Returns whether a file's beginning looks like folded stacks: text whose first line ends in a number, be it one that is
/// refused later, or goes on beyond what is looked at.
pub(in crate::formats) fn begins_like(head: &[u8]) -> bool {
    let text = |byte: &u8| *byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r');
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .skip_while(|line| is_remark(line));
    let first = lines.next().unwrap_or_default();
    let goes_on = head.len() >= HEAD_BYTES && lines.next().is_none() && first.contains(&b';');
    head.iter().all(text)
        && (goes_on
            || split(first).is_some_and(|(stack, value)| !stack.is_empty() && is_number(value)))
}

/// Reads folded stacks.
pub(in crate::formats) fn read(mut stream: Stream<'_>) -> Result<Profile, Fault> {
    let mut reader = Reader::default();
    let mut pending: Vec<u8> = Vec::new();
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let filled = stream.read_full(&mut buffer)?;
        pending.extend_from_slice(buffer.get(..filled).unwrap_or_default());
        if filled > 0 && !buffer.get(..filled).unwrap_or_default().contains(&b'\n') {
            // One very long line: looked at once, when its end is there.
            limits::check(pending.len(), limits::FIELD_BYTES, "bytes in one line")?;
            continue;
        }
        let mut lines = pending.split(|byte| *byte == b'\n').peekable();
        let mut rest = Vec::new();
        while let Some(line) = lines.next() {
            if lines.peek().is_none() && filled > 0 {
                // More of this line may follow.
                rest = line.to_vec();
            } else {
                reader.line(line)?;
            }
        }
        pending = rest;
        if filled == 0 {
            return reader.finish();
        }
    }
}

#[derive(Default)]
struct Reader {
    parts: Parts,
    places: Places,
    /// The location of each name, by the name's id.
    locations: Vec<Option<u32>>,
    lines: usize,
    /// Stacks whose name ends in a number as well.
    pairs: usize,
    /// What a comment says that values are: name and unit.
    values: Option<(String, String)>,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), Fault> {
        let line = if self.lines == 0 {
            without_mark(line)
        } else {
            line
        };
        self.lines += 1;
        if is_remark(line) {
            let text = String::from_utf8_lossy(line.trim_ascii());
            let values = text.strip_prefix(VALUES);
            if let Some((kind, unit)) = values.and_then(|values| values.rsplit_once(IN)) {
                self.values
                    .get_or_insert_with(|| (kind.to_owned(), unit.to_owned()));
            }
            return Ok(());
        }
        let Some((stack, value)) = parse(line) else {
            let number = self.lines;
            return Err(Fault::Malformed(
                match split(line).filter(|(_, value)| is_number(value)) {
                    Some((_, value)) => format!(
                        "line {number} counts {}, and only whole numbers of 64 bits are read in folded stacks",
                        String::from_utf8_lossy(value)
                    ),
                    None => format!(
                        "line {number} has no whole number at its end, as folded stacks have"
                    ),
                },
            ));
        };
        let is_pair = parse(stack).is_some_and(|(stack, _)| !stack.is_empty());
        self.pairs += usize::from(is_pair);
        let start = self.parts.stacks.len();
        if !stack.is_empty() {
            for name in stack.split(|byte| *byte == b';') {
                let location = self.location(name)?;
                self.parts.stacks.push(location);
            }
        }
        let together = self.parts.stacks.len();
        limits::stack(together - start, together, limits::STACK_ENTRIES)?;
        self.parts
            .stack_ends
            .push(u32::try_from(self.parts.stacks.len()).unwrap_or(u32::MAX));
        self.parts.values.push(value);
        limits::check(self.parts.values.len(), limits::RECORDS, "stacks")
    }

    fn location(&mut self, name: &[u8]) -> Result<u32, Fault> {
        let name = self.places.text(name);
        let at = name.0 as usize;
        if let Some(Some(known)) = self.locations.get(at) {
            return Ok(*known);
        }
        let location = self.places.location(Place {
            name,
            ..Place::default()
        })?;
        if at >= self.locations.len() {
            self.locations.resize(at + 1, None);
        }
        if let Some(slot) = self.locations.get_mut(at) {
            *slot = Some(location);
        }
        Ok(location)
    }

    fn finish(mut self) -> Result<Profile, Fault> {
        let values = &self.parts.values;
        if self.pairs > 0 && self.pairs == values.len() {
            return Err(Fault::Foreign(Foreign::FoldedDifference));
        }
        let sum: u128 = values
            .iter()
            .map(|value| u128::from(value.unsigned_abs()))
            .sum();
        let (kind, unit) = match &self.values {
            Some((kind, unit)) => (&**kind, &**unit),
            None if sum > SAMPLES_MAX => ("values", ""),
            None => SAMPLES,
        };
        let sample_type = self.places.sample_type(kind, unit);
        self.parts.sample_types.push(sample_type);
        self.places.finish(&mut self.parts);
        Ok(Profile::new(self.parts))
    }
}

/// An empty line or a comment.
fn is_remark(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty() || line.starts_with(b"#")
}

/// The stack and the value of a line.
fn parse(line: &[u8]) -> Option<(&[u8], i64)> {
    let (stack, value) = split(line)?;
    Some((stack, std::str::from_utf8(value).ok()?.parse().ok()?))
}

/// Splits a line at its last blank.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.trim_ascii();
    let blank = line
        .iter()
        .rposition(|byte| *byte == b' ' || *byte == b'\t');
    let (stack, value) = line.split_at_checked(blank.map_or(0, |at| at + 1))?;
    Some((stack.trim_ascii_end(), value))
}

/// Whether a word is a number of any kind.
fn is_number(word: &[u8]) -> bool {
    word.len() < 40
        && std::str::from_utf8(word).is_ok_and(|word| {
            let word = word.to_ascii_lowercase();
            word.contains(|c: char| c.is_ascii_digit())
                && (word.parse::<f64>().is_ok() || word.starts_with("0x"))
        })
}

#[cfg(test)]
mod tests {
    use super::begins_like;
    use super::parse;

    #[test]
    fn a_line_ends_in_its_value() {
        for (line, expected) in [
            ("main;f 12", Some(("main;f", 12))),
            ("operator new 3 -4\r", Some(("operator new 3", -4))),
            ("7", Some(("", 7))),
            ("main;f", None),
            ("main 1.5", None),
        ] {
            let expected = expected.map(|(stack, value): (&str, i64)| (stack.as_bytes(), value));
            assert_eq!(parse(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn folded_stacks_are_distinguished_from_other_text() {
        for folded in [
            "main;fetch 12\nmain 1\n",
            "# from perf\n\na 1",
            "<module>;f 5",
            "[unknown] 5",
            "{closure};a 1.5",
        ] {
            assert!(begins_like(folded.as_bytes()), "{folded}");
        }
        for other in [
            &b"not a profile"[..],
            b"\n\x04\x08\x01\x10\x02 5",
            b"",
            b"12\n",
        ] {
            assert!(!begins_like(other), "{other:?}");
        }
    }
}
