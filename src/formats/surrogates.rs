//! JSON with U+FFFD in place of lone surrogates.
//!
//! JavaScript's strings may hold such halves, and `JSON.stringify` writes them as `\udXXX`; no Unicode text can hold them,
//! so a parser of JSON refuses the whole file.

use std::io::{self, Read};

/// Bytes asked for at a time.
const CHUNK: usize = 64 << 10;
/// The longest escape that is looked at: both halves of a pair.
const PAIR: usize = 12;
const REPLACEMENT: &[u8] = b"FFFD";

/// Passes JSON on, lone surrogates replaced.
pub(super) struct Surrogates<R> {
    input: R,
    /// Repaired as far as `ready`, passed on as far as `taken`.
    bytes: Vec<u8>,
    taken: usize,
    ready: usize,
    ended: bool,
}

impl<R: Read> Surrogates<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            bytes: Vec::new(),
            taken: 0,
            ready: 0,
            ended: false,
        }
    }

    /// Reads more and repairs what is whole.
    fn fill(&mut self) -> io::Result<()> {
        self.bytes.drain(..self.taken);
        self.ready -= self.taken;
        self.taken = 0;
        let before = self.bytes.len();
        self.bytes.resize(before + CHUNK, 0);
        let read = self
            .input
            .read(self.bytes.get_mut(before..).unwrap_or_default())?;
        self.bytes.truncate(before + read);
        self.ended = read == 0;
        self.ready = repair(&mut self.bytes, self.ready, self.ended);
        Ok(())
    }
}

impl<R: Read> Read for Surrogates<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready && !self.ended {
            self.fill()?;
        }
        let ready = self.bytes.get(self.taken..self.ready).unwrap_or_default();
        let count = ready.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), ready.get(..count)) {
            to.copy_from_slice(from);
        }
        self.taken += count;
        Ok(count)
    }
}

/// Replaces lone surrogates from an offset on and returns how far it got: an escape that may go on beyond the end is left for
/// later, unless nothing follows. In JSON every backslash begins an escape.
fn repair(bytes: &mut [u8], from: usize, is_all: bool) -> usize {
    let mut at = from;
    loop {
        let Some(next) = bytes
            .get(at..)
            .and_then(|rest| rest.iter().position(|byte| *byte == b'\\'))
        else {
            return bytes.len();
        };
        at += next;
        if !is_all && bytes.len() - at < PAIR {
            return at;
        }
        at += match unit(bytes, at) {
            None => 2,
            Some(0xd800..0xdc00) if matches!(unit(bytes, at + 6), Some(0xdc00..0xe000)) => PAIR,
            Some(0xd800..0xe000) => {
                if let Some(digits) = bytes.get_mut(at + 2..at + 6) {
                    digits.copy_from_slice(REPLACEMENT);
                }
                6
            }
            Some(_) => 6,
        };
        at = at.min(bytes.len());
    }
}

/// The code unit that is spelled `\uXXXX` at a place.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    #[test]
    fn halves_that_stand_alone_are_replaced_and_nothing_else_is_touched() {
        for (json, expected) in [
            (r#"{"a\ud800x": 1}"#, r#"{"a\uFFFDx": 1}"#),
            (r#""\uDC00""#, r#""\uFFFD""#),
            (r#""\ud83d\ude00\u00e9""#, r#""\ud83d\ude00\u00e9""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\uFFFD\ud83d\ude00""#),
            (r#""\\ud800 \" \\\ud800""#, r#""\\ud800 \" \\\uFFFD""#),
            (r#""\ud800"#, r#""\uFFFD"#),
            (r#""\ud8"#, r#""\ud8"#),
            (r#""\"#, r#""\"#),
            ("plain", "plain"),
            ("", ""),
        ] {
            for step in [1, 3, 7, 64] {
                let mut repaired = String::new();
                Surrogates::new(Slow(json.as_bytes(), step))
                    .read_to_string(&mut repaired)
                    .unwrap();
                assert_eq!(repaired, expected, "{json} by {step}");
            }
        }
    }
}
