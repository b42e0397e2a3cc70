//! Lines of JSON, as a log of the debugging protocol has them, as one array.

use std::io::{self, Read};

/// Passes lines of JSON on as an array of their values. A value may not be broken over lines.
pub(super) struct Lines<R> {
    input: R,
    /// What comes before the next byte: `[` at the beginning, `,` after a line.
    before: Option<u8>,
    /// A byte of a line that had to wait for what comes before it.
    waiting: Option<u8>,
    ended: bool,
}

impl<R: Read> Lines<R> {
    pub(super) const fn new(input: R) -> Self {
        Self {
            input,
            before: Some(b'['),
            waiting: None,
            ended: false,
        }
    }

    /// Returns the next byte; `None` at the end.
    fn next(&mut self) -> io::Result<Option<u8>> {
        if let Some(byte) = self.waiting.take() {
            return Ok(Some(byte));
        }
        let mut byte = [0];
        if self.input.read(&mut byte)? == 0 {
            let closes = !std::mem::replace(&mut self.ended, true);
            return Ok(closes.then_some(b']'));
        }
        let [byte] = byte;
        if byte == b'\n' {
            self.before = self.before.or(Some(b','));
        } else if !byte.is_ascii_whitespace()
            && let Some(before) = self.before.take()
        {
            self.waiting = Some(byte);
            return Ok(Some(before));
        }
        Ok(Some(byte))
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for (filled, to) in buffer.iter_mut().enumerate() {
            match self.next()? {
                Some(byte) => *to = byte,
                None => return Ok(filled),
            }
        }
        Ok(buffer.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_one_array() {
        for (lines, array) in [
            ("{}\n{\"a\":1}\n", "[{}\n,{\"a\":1}\n]"),
            ("\n {}\r\n\n\n[]", "\n [{}\r\n\n\n,[]]"),
            ("{\"cut\":", "[{\"cut\":]"),
        ] {
            let mut read = String::new();
            Lines::new(lines.as_bytes())
                .read_to_string(&mut read)
                .unwrap();
            assert_eq!(read, array);
        }
    }
}
