//! Text in UTF-16, as PowerShell and some editors save it → UTF-8.

use std::borrow::Cow;
use std::io::{self, Read};

/// Bytes asked for at a time; even.
const CHUNK: usize = 64 << 10;

/// The order of the two bytes of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Returns the order that a byte order mark says, or that the zero bytes between plain letters show.
pub(super) fn byte_order(head: &[u8]) -> Option<ByteOrder> {
    let is_letter = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    match head {
        [0xff, 0xfe, ..] => Some(ByteOrder::Little),
        [0xfe, 0xff, ..] => Some(ByteOrder::Big),
        [a, 0, b, 0, c, 0, d, 0, ..] if [a, b, c, d].into_iter().all(is_letter) => {
            Some(ByteOrder::Little)
        }
        [0, a, 0, b, 0, c, 0, d, ..] if [a, b, c, d].into_iter().all(is_letter) => {
            Some(ByteOrder::Big)
        }
        _ => None,
    }
}

/// Returns the text of a file in UTF-8 or UTF-16, without a byte order mark; `None` if it is in neither.
pub(super) fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let Some(order) = byte_order(bytes) else {
        let text = std::str::from_utf8(bytes).ok()?;
        return Some(text.strip_prefix('\u{feff}').unwrap_or(text).into());
    };
    let mut text = String::new();
    Utf16::new(bytes, order).read_to_string(&mut text).ok()?;
    Some(Cow::Owned(text))
}

/// Passes UTF-16 on as UTF-8, without its mark. Half a surrogate pair becomes U+FFFD.
pub(super) struct Utf16<R> {
    input: R,
    order: ByteOrder,
    /// Read and not decoded: less than a unit, or the first half of a surrogate pair.
    pending: Vec<u8>,
    /// Decoded and not taken, from `taken` on.
    ready: String,
    taken: usize,
    begun: bool,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(input: R, order: ByteOrder) -> Self {
        Self {
            input,
            order,
            pending: Vec::new(),
            ready: String::new(),
            taken: 0,
            begun: false,
        }
    }

    /// Decodes the next chunk. Returns `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let before = self.pending.len();
        self.pending.resize(before + CHUNK, 0);
        let free = self.pending.get_mut(before..).unwrap_or_default();
        let read = self.input.read(free)?;
        self.pending.truncate(before + read);
        let unit = |pair: &[u8]| {
            let pair = [
                pair.first().copied().unwrap_or_default(),
                pair.get(1).copied().unwrap_or_default(),
            ];
            match self.order {
                ByteOrder::Little => u16::from_le_bytes(pair),
                ByteOrder::Big => u16::from_be_bytes(pair),
            }
        };
        let whole = self.pending.len() / 2 * 2;
        let mut units: Vec<u16> = self
            .pending
            .get(..whole)
            .unwrap_or_default()
            .chunks_exact(2)
            .map(unit)
            .collect();
        let is_half = |unit: &u16| (0xd800..0xdc00).contains(unit);
        if read > 0 && units.last().is_some_and(is_half) {
            units.pop();
        }
        self.pending.drain(..units.len() * 2);
        let is_mark = !self.begun && units.first() == Some(&0xfeff);
        self.begun |= !units.is_empty();
        self.ready.clear();
        self.taken = 0;
        self.ready.extend(
            char::decode_utf16(units.into_iter().skip(usize::from(is_mark)))
                .map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)),
        );
        Ok(read > 0)
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() {
            if !self.fill()? && self.ready.is_empty() {
                return Ok(0);
            }
        }
        let ready = self.ready.as_bytes().get(self.taken..).unwrap_or_default();
        let count = ready.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), ready.get(..count)) {
            to.copy_from_slice(from);
        }
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, order: ByteOrder) -> Vec<u8> {
        let pair = |unit: u16| match order {
            ByteOrder::Little => unit.to_le_bytes(),
            ByteOrder::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(pair).collect()
    }

    #[test]
    fn both_byte_orders_are_read_with_a_mark_and_without() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for written in ["{\"a\": \"é😀\"}", "\u{feff}main;é 5\n", "main;f 1"] {
                let bytes = encoded(written, order);
                let expected = written.trim_start_matches('\u{feff}');
                assert_eq!(text(&bytes).as_deref(), Some(expected), "{order:?}");
            }
        }
        assert_eq!(text(b"plain").as_deref(), Some("plain"));
        assert_eq!(text(b"\xff\xff"), None);
        assert_eq!(
            text(b"\xff\xfea\0\x00\xd8b\0").as_deref(),
            Some("a\u{fffd}b")
        );
    }

    #[test]
    fn pairs_and_units_on_the_border_of_two_chunks_stay_whole() {
        let long = format!("x{}", "😀é".repeat(CHUNK));
        let bytes = encoded(&long, ByteOrder::Little);
        // A reader that gives odd numbers of bytes.
        struct Odd<'a>(&'a [u8]);
        impl Read for Odd<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = buffer.len().min(4_093).min(self.0.len());
                self.0.read(&mut buffer[..count])
            }
        }
        let mut read = String::new();
        Utf16::new(Odd(&bytes), ByteOrder::Little)
            .read_to_string(&mut read)
            .unwrap();
        assert_eq!(read, long);
    }
}
