//! Lines of JSON, as a log of the debugging protocol has them, as one array.

use std::io::{self, Read};

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// Passes lines of JSON on as an array of their values. A value may not be broken over lines; lines of anything but objects
/// are skipped, as logs have them between the messages.
pub(super) struct Lines<R> {
    input: R,
    chunk: Vec<u8>,
    /// What is ready, and how much of it was passed on.
    ready: Vec<u8>,
    passed: usize,
    place: Place,
    /// Whether a value came before: then a comma comes between.
    has_value: bool,
    ended: bool,
}

/// Where in a line the next byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before its first byte that is not blank.
    Begin,
    /// In a value.
    Value,
    /// In a line that is skipped.
    Skipped,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            chunk: vec![0; CHUNK],
            ready: vec![b'['],
            passed: 0,
            place: Place::Begin,
            has_value: false,
            ended: false,
        }
    }

    /// Makes the next bytes ready.
    fn fill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.passed = 0;
        while self.ready.is_empty() && !self.ended {
            let count = self.input.read(&mut self.chunk)?;
            if count == 0 {
                self.ended = true;
                self.ready.push(b']');
            }
            let chunk = std::mem::take(&mut self.chunk);
            let read = chunk.get(..count).unwrap_or_default();
            for line in read.split_inclusive(|byte| *byte == b'\n') {
                self.part(line);
            }
            self.chunk = chunk;
        }
        Ok(())
    }

    /// Takes a line, or a part of one.
    fn part(&mut self, line: &[u8]) {
        let mut value = line;
        if self.place == Place::Begin {
            // A byte order mark is blank as well.
            let blank = |byte: &u8| byte.is_ascii_whitespace() || [0xef, 0xbb, 0xbf].contains(byte);
            let first = line.iter().position(|byte| !blank(byte));
            let rest = first.and_then(|at| line.get(at..));
            self.place = match rest {
                None => Place::Begin,
                Some(rest) if rest.starts_with(b"{") => {
                    if std::mem::replace(&mut self.has_value, true) {
                        self.ready.push(b',');
                    }
                    value = rest;
                    Place::Value
                }
                Some(_) => Place::Skipped,
            };
        }
        let is_end = line.ends_with(b"\n");
        match self.place {
            Place::Value => self.ready.extend_from_slice(value),
            // Lines keep their numbers.
            _ if is_end => self.ready.push(b'\n'),
            _ => {}
        }
        if is_end {
            self.place = Place::Begin;
        }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.passed == self.ready.len() {
            self.fill()?;
        }
        let mut waiting = self.ready.get(self.passed..).unwrap_or_default();
        let count = waiting.read(buffer)?;
        self.passed += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_one_array() {
        for (lines, array) in [
            ("{}\n{\"a\":1}\n", "[{}\n,{\"a\":1}\n]"),
            ("\n {}\r\n\n\n{}", "[\n{}\r\n\n\n,{}]"),
            ("{\"cut\":", "[{\"cut\":]"),
            ("\u{feff}{}\ntext\n{}\nDone.", "[{}\n\n,{}\n]"),
        ] {
            let mut read = String::new();
            Lines::new(lines.as_bytes())
                .read_to_string(&mut read)
                .unwrap();
            assert_eq!(read, array);
        }
    }
}
