//! Decodes what the terminal sends: keys, pastes, clicks. Its answers to questions of other programs are no keys and are
//! dropped, also where a slow link delivers them in pieces.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::app::Key;

/// How long a lone Escape waits for the rest of an arrow key, whose bytes may arrive separately over a slow link.
const ESCAPE_WAIT: Duration = Duration::from_millis(30);
/// How long to wait for the rest of what nobody types.
const SEQUENCE_WAIT: Duration = Duration::from_secs(1);
/// Longest answer of a terminal that is waited for, in bytes.
const SEQUENCE_MAX: usize = 64 << 10;
/// Longest text that is taken from a paste, in bytes.
const PASTE_MAX: usize = 1 << 20;
/// What ends a paste.
const PASTE_END: &[u8] = b"\x1b[201~";

/// What the user does at the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A key.
    Key(Key),
    /// A text that is pasted.
    Paste(String),
    /// The left button, at a column and row from 0.
    Click(u16, u16),
    /// The wheel, at a column and row from 0.
    Wheel {
        /// Whether it turns towards the user.
        down: bool,
        /// The column.
        x: u16,
        /// The row.
        y: u16,
    },
    /// Another size of the terminal.
    Resize,
}

/// Turns the terminal's bytes into events.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The beginning of a sequence.
    held: Vec<u8>,
    /// When to stop waiting for its rest.
    until: Option<Instant>,
    /// When a sequence was cut that nobody types.
    cut_since: Option<Instant>,
    /// The paste that has begun.
    paste: Option<Vec<u8>>,
    events: VecDeque<Event>,
}

/// The first sequence of some bytes.
enum Sequence {
    /// It has this length; `None` if it is no event.
    Whole(usize, Option<Event>),
    /// A paste begins after this length.
    Paste(usize),
    /// It may be a key cut in two, or what has been typed.
    Begun,
    /// Nobody types it, but the rest is missing.
    Cut,
}

impl Decoder {
    /// Takes bytes as they arrive.
    pub fn feed(&mut self, bytes: &[u8], now: Instant) {
        let held = [std::mem::take(&mut self.held).as_slice(), bytes].concat();
        let mut rest = held.as_slice();
        self.until = None;
        while !rest.is_empty() {
            let length = if self.paste.is_some() {
                self.take_paste(rest)
            } else {
                self.take_sequence(rest, now)
            };
            if length == 0 {
                break;
            }
            self.cut_since = None;
            rest = &rest[length..];
        }
        self.held = rest.to_vec();
    }

    /// Takes the first sequence. Returns its length; 0 if it is not complete.
    fn take_sequence(&mut self, bytes: &[u8], now: Instant) -> usize {
        match sequence(bytes) {
            Sequence::Whole(length, event) => {
                self.events.extend(event);
                return length;
            }
            Sequence::Paste(length) => {
                self.paste = Some(Vec::new());
                return length;
            }
            Sequence::Begun => self.until = Some(now + ESCAPE_WAIT),
            Sequence::Cut if bytes.len() > SEQUENCE_MAX => return bytes.len(),
            // Not longer for what is typed meanwhile.
            Sequence::Cut => {
                self.until = Some(*self.cut_since.get_or_insert(now) + SEQUENCE_WAIT);
            }
        }
        0
    }

    /// Takes what belongs to the paste that has begun. Returns its length, with the paste's end.
    fn take_paste(&mut self, bytes: &[u8]) -> usize {
        let paste = self.paste.get_or_insert_default();
        let end = find(bytes, PASTE_END);
        // The last bytes may be the beginning of its end.
        let length = end.unwrap_or((bytes.len() + 1).saturating_sub(PASTE_END.len()));
        let room = PASTE_MAX.saturating_sub(paste.len());
        paste.extend_from_slice(&bytes[..length.min(room)]);
        if end.is_none() {
            return length;
        }
        let text = String::from_utf8_lossy(&self.paste.take().unwrap_or_default()).into_owned();
        self.events.push_back(Event::Paste(text));
        length + PASTE_END.len()
    }

    /// Returns the next event that is complete.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Returns when to stop waiting for the rest of a sequence; `None` if none has begun.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.until
    }

    /// Stops waiting: what has been held is what was typed.
    pub fn expire(&mut self) {
        (self.until, self.cut_since) = (None, None);
        let held = std::mem::take(&mut self.held);
        if matches!(sequence(&held), Sequence::Begun) {
            if held.first() == Some(&b'\x1b') {
                self.events.push_back(Event::Key(Key::Esc));
            }
            self.events.extend(
                held.iter()
                    .filter(|byte| byte.is_ascii_graphic())
                    .map(|byte| Event::Key(Key::Char(char::from(*byte)))),
            );
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|found| found == wanted)
}

/// Reads the first sequence of some bytes, of which there is at least one.
fn sequence(bytes: &[u8]) -> Sequence {
    let key = |length, key| Sequence::Whole(length, Some(Event::Key(key)));
    match *bytes {
        [b'\x1b'] => Sequence::Begun,
        [b'\x1b', b'[', ..] => control_sequence(bytes),
        [b'\x1b', b'O'] => Sequence::Begun,
        [b'\x1b', b'O', last, ..] if named(last).is_some() => {
            Sequence::Whole(3, named(last).map(Event::Key))
        }
        [b'\x1b', b']' | b'P' | b'_', ..] => answer(bytes),
        // Alt with a key is Escape and that key: over a slow link the two arrive together.
        [b'\x1b', ..] => key(1, Key::Esc),
        [b'\r', ..] => key(1, Key::Enter),
        [b'\t', ..] => key(1, Key::Tab),
        // Some terminals send 0x08 for Backspace; all do for Ctrl-h.
        [b'\x7f' | b'\x08', ..] => key(1, Key::Backspace),
        [0, ..] => key(1, Key::Ctrl(' ')),
        [byte @ 0x01..=0x1a, ..] => key(1, Key::Ctrl(char::from(byte - 1 + b'a'))),
        [byte @ 0x1c..=0x1f, ..] => key(1, Key::Ctrl(char::from(byte - 0x1c + b'4'))),
        _ => character(bytes),
    }
}

/// Reads a character of one to four bytes.
fn character(bytes: &[u8]) -> Sequence {
    let start = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() == 0 => {
            return match error.error_len() {
                Some(length) => Sequence::Whole(length, None),
                None => Sequence::Begun,
            };
        }
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
    };
    let c = valid.chars().next().unwrap_or_default();
    let event = (!c.is_control()).then_some(Event::Key(Key::Char(c)));
    Sequence::Whole(c.len_utf8(), event)
}

/// Reads a control sequence: parameters, intermediate bytes and a last byte.
fn control_sequence(bytes: &[u8]) -> Sequence {
    let body = &bytes[2..];
    let Some(end) = body.iter().position(|byte| !(b' '..=b'?').contains(byte)) else {
        return if body.is_empty() {
            Sequence::Begun
        } else {
            Sequence::Cut
        };
    };
    let (parameters, last, length) = (&body[..end], body[end], end + 3);
    match (parameters, last) {
        // The console of Linux: F1 to F5.
        ([], b'[') => match body.get(1) {
            None => Sequence::Begun,
            Some(letter @ b'A'..=b'E') => {
                Sequence::Whole(4, Some(Event::Key(Key::F(letter - b'A' + 1))))
            }
            Some(_) => Sequence::Whole(1, Some(Event::Key(Key::Esc))),
        },
        // The mouse as terminals report it that know no other way.
        ([], b'M') => match *body {
            [_, button, x, y, ..] => {
                let from = |byte: u8| u16::from(byte.saturating_sub(33));
                let button = u16::from(button.saturating_sub(32));
                Sequence::Whole(6, mouse(button, from(x), from(y)))
            }
            _ => Sequence::Cut,
        },
        (b"200", b'~') => Sequence::Paste(length),
        (_, b'@'..=b'~') => Sequence::Whole(length, event(parameters, last)),
        // Something else begins in the middle of it: what came before was typed.
        _ => Sequence::Whole(1, Some(Event::Key(Key::Esc))),
    }
}

/// Returns the event of a whole control sequence; `None` for reports and answers of the terminal.
fn event(parameters: &[u8], last: u8) -> Option<Event> {
    let text = std::str::from_utf8(parameters).ok()?;
    if let Some(text) = text.strip_prefix('<') {
        let mut numbers = text.split(';').map(|number| number.parse::<u16>().ok());
        let [button, x, y] = [(); 3].map(|()| numbers.next().flatten());
        return match last {
            b'M' => mouse(button?, x?.saturating_sub(1), y?.saturating_sub(1)),
            _ => None,
        };
    }
    let numbers: Option<Vec<u32>> = text
        .split(';')
        // Behind a colon is the way a key was pressed.
        .map(|number| number.split(':').next().unwrap_or_default())
        .map(|number| match number {
            "" => Some(0),
            number => number.parse().ok(),
        })
        .collect();
    let numbers = numbers?;
    let first = numbers.first().copied().unwrap_or_default();
    let number = u8::try_from(first).unwrap_or_default();
    let key = match last {
        // With parameters it is the cursor's place.
        b'R' => return None,
        b'Z' => Key::BackTab,
        // Without them it is the focus that comes and goes.
        b'A'..=b'S' if first <= 1 => named(last)?,
        b'~' => match number {
            1 | 7 => Key::Home,
            3 => Key::Delete,
            4 | 8 => Key::End,
            5 => Key::PageUp,
            6 => Key::PageDown,
            11..=15 => Key::F(number - 10),
            17..=21 => Key::F(number - 11),
            23 | 24 => Key::F(number - 12),
            _ => return None,
        },
        // A keyboard that another program has left in a mode of its own.
        b'u' => {
            let is_control = numbers
                .get(1)
                .is_some_and(|mask| mask.saturating_sub(1) & 4 != 0);
            match (char::from_u32(first)?, is_control) {
                ('\r', _) => Key::Enter,
                ('\x1b', _) => Key::Esc,
                ('\t', _) => Key::Tab,
                ('\x7f', _) => Key::Backspace,
                (c, true) => Key::Ctrl(c.to_ascii_lowercase()),
                (c, false) if c.is_control() => return None,
                (c, false) => Key::Char(c),
            }
        }
        _ => return None,
    };
    Some(Event::Key(key))
}

/// Returns the key of a sequence's last letter.
const fn named(letter: u8) -> Option<Key> {
    Some(match letter {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'H' => Key::Home,
        b'F' => Key::End,
        b'P'..=b'S' => Key::F(letter - b'P' + 1),
        _ => return None,
    })
}

/// Returns the event of a button; `None` for those without a meaning. Keys that are held with it count for nothing.
const fn mouse(button: u16, x: u16, y: u16) -> Option<Event> {
    match button & !0b1_1100 {
        0 => Some(Event::Click(x, y)),
        64 => Some(Event::Wheel { down: false, x, y }),
        65 => Some(Event::Wheel { down: true, x, y }),
        _ => None,
    }
}

/// Reads an answer of the terminal, which is a string up to a terminator; or Escape and a letter that were typed.
fn answer(bytes: &[u8]) -> Sequence {
    let Some(third) = bytes.get(2) else {
        return Sequence::Begun;
    };
    let is_answer = match bytes[1] {
        b']' => third.is_ascii_digit(),
        b'P' => b"01>!$".contains(third),
        _ => *third == b'G',
    };
    if !is_answer {
        return Sequence::Whole(1, Some(Event::Key(Key::Esc)));
    }
    let end = bytes
        .iter()
        .skip(2)
        .position(|byte| b"\x07\x1b".contains(byte));
    match end.map(|at| &bytes[at + 2..]) {
        None | Some([b'\x1b']) => Sequence::Cut,
        Some(rest) => {
            let terminator = match rest {
                [b'\x07', ..] => 1,
                [_, b'\\', ..] => 2,
                // It was cut off, and something else begins.
                _ => 0,
            };
            Sequence::Whole(bytes.len() - rest.len() + terminator, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of pieces that arrive at these milliseconds.
    fn feed(pieces: &[(&[u8], u64)]) -> Vec<Event> {
        let start = Instant::now();
        let mut decoder = Decoder::default();
        for (bytes, at) in pieces {
            let now = start + Duration::from_millis(*at);
            if decoder.deadline().is_some_and(|until| now >= until) {
                decoder.expire();
            }
            decoder.feed(bytes, now);
        }
        decoder.expire();
        std::iter::from_fn(|| decoder.next_event()).collect()
    }

    fn keys(pieces: &[(&[u8], u64)]) -> Vec<Key> {
        let key = |event| match event {
            Event::Key(key) => key,
            other => panic!("{other:?}"),
        };
        feed(pieces).into_iter().map(key).collect()
    }

    const C: fn(char) -> Key = Key::Char;

    #[test]
    fn a_key_cut_in_two_is_whole_again() {
        assert_eq!(keys(&[(b"\x1b", 0), (b"[", 5), (b"A", 20)]), [Key::Up]);
        assert_eq!(
            keys(&[(b"\x1b", 0), (b"[", 25), (b"5", 50), (b"~", 75)]),
            [Key::PageUp]
        );
        assert_eq!(keys(&[("ü".as_bytes(), 0)]), [C('ü')]);
        assert_eq!(keys(&[(b"\xc3", 0), (b"\xbcx", 5)]), [C('ü'), C('x')]);
        assert_eq!(keys(&[(b"\xff\xc3x", 0)]), [C('x')]);
    }

    #[test]
    fn a_lone_escape_is_one_after_a_moment() {
        assert_eq!(keys(&[(b"\x1b", 0)]), [Key::Esc]);
        assert_eq!(
            keys(&[(b"\x1b", 0), (b"[", 31), (b"A", 40)]),
            [Key::Esc, C('['), C('A')]
        );
        assert_eq!(keys(&[(b"\x1b", 0), (b"j", 5)]), [Key::Esc, C('j')]);
        assert_eq!(keys(&[(b"\x1b\x1b", 0)]), [Key::Esc, Key::Esc]);
        assert_eq!(keys(&[(b"\x1bX", 0)]), [Key::Esc, C('X')]);
        assert_eq!(keys(&[(b"\x1bOj", 0)]), [Key::Esc, C('O'), C('j')]);
        assert_eq!(keys(&[(b"\x1b]", 0)]), [Key::Esc, C(']')]);
        assert_eq!(keys(&[(b"\x1b]j", 0)]), [Key::Esc, C(']'), C('j')]);
    }

    #[test]
    fn keys_have_several_spellings() {
        for (bytes, key) in [
            (&b"\x08"[..], Key::Backspace),
            (b"\x7f", Key::Backspace),
            (b"\x17", Key::Ctrl('w')),
            (b"\x1bOA", Key::Up),
            (b"\x1b[1;5A", Key::Up),
            (b"\x1b[7~", Key::Home),
            (b"\x1bOH", Key::Home),
            (b"\x1b[3~", Key::Delete),
            (b"\x1b[Z", Key::BackTab),
            (b"\x1b[11~", Key::F(1)),
            (b"\x1bOP", Key::F(1)),
            (b"\x1b[[A", Key::F(1)),
            (b"\x1b[24~", Key::F(12)),
            (b"\x1b[106u", C('j')),
            (b"\x1b[99;5u", Key::Ctrl('c')),
        ] {
            assert_eq!(keys(&[(bytes, 0)]), [key], "{bytes:?}");
        }
    }

    #[test]
    fn answers_of_the_terminal_are_no_keys_whole_or_cut_anywhere() {
        for answer in [
            &b"\x1b[?64;1;2;6;9c"[..],
            b"\x1b[>0;276;0c",
            b"\x1b[12;40R",
            b"\x1b[?2026;2$y",
            b"\x1b[?1u",
            b"\x1b[I",
            b"\x1b[O",
            b"\x1b[4;600;800t",
            b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
            b"\x1b]10;rgb:0000/0000/0000\x07",
            b"\x1bP>|xterm(388)\x1b\\",
            b"\x1bP1+r524742=38\x1b\\",
            b"\x1b_Gi=31;OK\x1b\\",
        ] {
            assert_eq!(keys(&[(answer, 0), (b"j", 1)]), [C('j')], "{answer:?}");
            for cut in 1..answer.len() {
                let (start, rest) = answer.split_at(cut);
                // An Escape alone may be one.
                let gap = if cut > 2 { 700 } else { 20 };
                let got = keys(&[(start, 0), (rest, gap), (b"j", gap + 1)]);
                assert_eq!(got, [C('j')], "{answer:?} at {cut}");
            }
        }
        assert_eq!(keys(&[(b"\x1b]11;rgb:ff", 0), (b"j", 1_100)]), [C('j')]);
        assert_eq!(keys(&[(b"\x1b]11;rgb:ff\x1b[Bj", 0)]), [Key::Down, C('j')]);
        let typed = [(&b"\x1b]11;rgb:ff"[..], 0), (b"j", 600), (b"k", 1_100)];
        assert_eq!(keys(&typed), [C('k')], "waited for no longer");
    }

    #[test]
    fn the_mouse_is_read_in_both_encodings() {
        let wheel = Event::Wheel {
            down: true,
            x: 299,
            y: 9,
        };
        assert_eq!(
            feed(&[(b"\x1b[<0;3;4M\x1b[<0;3;4m", 0)]),
            [Event::Click(2, 3)]
        );
        assert_eq!(feed(&[(b"\x1b[<65;300;10M", 0)]), [wheel]);
        assert_eq!(feed(&[(b"\x1b[M #$", 0)]), [Event::Click(2, 3)]);
        assert_eq!(feed(&[(b"\x1b[<2;3;4M", 0)]), [], "another button");
    }

    #[test]
    fn a_paste_is_whole_however_it_is_cut() {
        let text = "q\rü\x1b[A".repeat(20_000);
        let bytes = [b"j\x1b[200~", text.as_bytes(), b"\x1b[201~k"].concat();
        for size in [1, 7, 4_095, bytes.len()] {
            let pieces: Vec<(&[u8], u64)> = bytes.chunks(size).map(|piece| (piece, 0)).collect();
            let wanted = [
                Event::Key(C('j')),
                Event::Paste(text.clone()),
                Event::Key(C('k')),
            ];
            assert!(feed(&pieces) == wanted, "in pieces of {size}");
        }
    }

    proptest::proptest! {
        #[test]
        fn bytes_mean_the_same_in_any_pieces(
            bytes in proptest::collection::vec(
                proptest::prop_oneof![
                    proptest::sample::select(b"\x1b\x1b\x1b[[]OPM;?<0123~uRc\\\x07".to_vec()),
                    proptest::num::u8::ANY,
                ],
                0..60,
            ),
            size in 1..9_usize,
        ) {
            let pieces: Vec<(&[u8], u64)> = bytes.chunks(size).map(|piece| (piece, 0)).collect();
            proptest::prop_assert_eq!(feed(&pieces), feed(&[(&bytes, 0)]));
        }
    }

    #[test]
    fn of_an_endless_paste_a_part_is_kept() {
        let mut decoder = Decoder::default();
        let now = Instant::now();
        decoder.feed(b"\x1b[200~", now);
        for _ in 0..40 {
            decoder.feed(&[b'x'; 64 << 10], now);
        }
        assert_eq!(decoder.deadline(), None, "its rest is not a command");
        decoder.feed(b"\x1b[201~j", now);
        let Some(Event::Paste(text)) = decoder.next_event() else {
            panic!("no paste")
        };
        assert_eq!(text.len(), PASTE_MAX);
        assert_eq!(decoder.next_event(), Some(Event::Key(C('j'))));
    }
}
