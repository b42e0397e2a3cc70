//! Decodes the terminal library's events to keys, and joins keys that a slow link has split.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::app::Key;

/// How long a lone Escape waits for the rest of an arrow key, whose bytes may arrive separately over a slow link.
pub const ESCAPE_WAIT: Duration = Duration::from_millis(30);
/// Longest sequence that is joined; none of the keys is longer.
const SEQUENCE_MAX: usize = 8;

/// Decodes a key press; `None` for releases and unknown keys.
///
/// Alt with a key is Escape and that key: the bytes are the same, and over a slow link the two arrive together.
#[must_use]
pub fn keys(event: &KeyEvent) -> Vec<Key> {
    if event.kind == KeyEventKind::Release {
        return Vec::new();
    }
    let control = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    match key(
        event.code,
        control,
        event.modifiers.contains(KeyModifiers::SHIFT),
    ) {
        // Windows reports AltGr as both.
        Some(_) if alt && control => Vec::new(),
        Some(key) if alt => vec![Key::Esc, key],
        key => key.into_iter().collect(),
    }
}

fn key(code: KeyCode, control: bool, shift: bool) -> Option<Key> {
    Some(match code {
        // Some terminals send 0x08 for Backspace; all do for Ctrl-h.
        KeyCode::Char('h') if control => Key::Backspace,
        KeyCode::Char(c) if control => Key::Ctrl(c.to_ascii_lowercase()),
        KeyCode::Char('\u{8}') => Key::Backspace,
        KeyCode::Char(c) if !c.is_control() => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab if shift => Key::BackTab,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::F(number) => Key::F(number),
        _ => return None,
    })
}

/// Joins keys that arrived in pieces: an Escape, then `[A` as if typed.
#[derive(Debug, Default)]
pub struct Rejoin {
    held: Vec<Key>,
    until: Option<Instant>,
}

impl Rejoin {
    /// Adds a key. Returns the keys that are complete now.
    pub fn take(&mut self, key: Key, now: Instant) -> Vec<Key> {
        let mut ready = self.expired(now);
        if self.held.is_empty() {
            if key == Key::Esc {
                self.held.push(key);
                self.until = Some(now + ESCAPE_WAIT);
            } else {
                ready.push(key);
            }
            return ready;
        }
        self.held.push(key);
        match sequence(&self.held) {
            Sequence::Key(key) => {
                self.clear();
                ready.push(key);
            }
            Sequence::Begun => self.until = Some(now + ESCAPE_WAIT),
            Sequence::Other => {
                let last = self.held.pop();
                ready.append(&mut self.held);
                self.clear();
                if let Some(last) = last {
                    ready.extend(self.take(last, now));
                }
            }
        }
        ready
    }

    /// Returns when to stop waiting for the rest of a key; `None` if no key is held.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.until
    }

    /// Returns the held keys as typed if the wait is over.
    pub fn expired(&mut self, now: Instant) -> Vec<Key> {
        if self.until.is_some_and(|until| now >= until) {
            let held = std::mem::take(&mut self.held);
            self.clear();
            return held;
        }
        Vec::new()
    }

    fn clear(&mut self) {
        self.held.clear();
        self.until = None;
    }
}

enum Sequence {
    Key(Key),
    Begun,
    Other,
}

/// Returns the key of a held Escape and the keys after it: the sequences that ECMA-48 terminals send.
fn sequence(held: &[Key]) -> Sequence {
    let text: Option<String> = held
        .iter()
        .skip(1)
        .map(|key| {
            if let Key::Char(c) = key {
                Some(*c)
            } else {
                None
            }
        })
        .collect();
    let Some(text) = text.filter(|_| held.len() <= SEQUENCE_MAX) else {
        return Sequence::Other;
    };
    Sequence::Key(match text.as_str() {
        "[A" | "OA" => Key::Up,
        "[B" | "OB" => Key::Down,
        "[C" | "OC" => Key::Right,
        "[D" | "OD" => Key::Left,
        "[H" | "OH" | "[1~" | "[7~" => Key::Home,
        "[F" | "OF" | "[4~" | "[8~" => Key::End,
        "[Z" => Key::BackTab,
        "[3~" => Key::Delete,
        "[5~" => Key::PageUp,
        "[6~" => Key::PageDown,
        "OP" | "[11~" => Key::F(1),
        "[" | "O" | "[1" | "[3" | "[4" | "[5" | "[6" | "[7" | "[8" | "[11" => {
            return Sequence::Begun;
        }
        _ => return Sequence::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(keys: &[(Key, u64)]) -> Vec<Key> {
        let start = Instant::now();
        let mut rejoin = Rejoin::default();
        let mut out = Vec::new();
        let mut last = start;
        for (key, at) in keys {
            last = start + Duration::from_millis(*at);
            out.extend(rejoin.take(*key, last));
        }
        out.extend(rejoin.expired(last + ESCAPE_WAIT));
        out
    }

    #[test]
    fn a_key_cut_in_two_is_whole_again() {
        let c = Key::Char;
        assert_eq!(feed(&[(Key::Esc, 0), (c('['), 5), (c('A'), 20)]), [Key::Up]);
        assert_eq!(
            feed(&[(Key::Esc, 0), (c('['), 25), (c('5'), 50), (c('~'), 75)]),
            [Key::PageUp]
        );
    }

    #[test]
    fn a_lone_escape_is_one_after_a_moment() {
        let c = Key::Char;
        assert_eq!(feed(&[(Key::Esc, 0)]), [Key::Esc]);
        assert_eq!(
            feed(&[(Key::Esc, 0), (c('['), 31), (c('A'), 40)]),
            [Key::Esc, c('['), c('A')]
        );
        assert_eq!(feed(&[(Key::Esc, 0), (c('j'), 5)]), [Key::Esc, c('j')]);
        assert_eq!(feed(&[(Key::Esc, 0), (Key::Esc, 5)]), [Key::Esc, Key::Esc]);
        assert_eq!(
            feed(&[(Key::Esc, 0), (c('['), 5), (c('q'), 9)]),
            [Key::Esc, c('['), c('q')]
        );
    }

    #[test]
    fn control_h_is_backspace() {
        let press = |code, modifiers| keys(&KeyEvent::new(code, modifiers));
        assert_eq!(
            press(KeyCode::Char('h'), KeyModifiers::CONTROL),
            [Key::Backspace]
        );
        assert_eq!(
            press(KeyCode::Char('w'), KeyModifiers::CONTROL),
            [Key::Ctrl('w')]
        );
        assert_eq!(
            press(KeyCode::Char('x'), KeyModifiers::ALT),
            [Key::Esc, Key::Char('x')]
        );
        assert_eq!(
            press(
                KeyCode::Char('q'),
                KeyModifiers::ALT | KeyModifiers::CONTROL
            ),
            []
        );
        let release = KeyEvent::new_with_kind(
            KeyCode::Char('x'),
            KeyModifiers::NONE,
            KeyEventKind::Release,
        );
        assert_eq!(keys(&release), [], "Windows reports both");
    }
}
