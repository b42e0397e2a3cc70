//! A key press, free of any terminal library's type, and its name in scripts and configuration.

use std::fmt;

/// One key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A printable character, with shift already applied.
    Char(char),
    /// Control and a lower-case letter.
    Ctrl(char),
    /// Enter.
    Enter,
    /// Escape alone.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Backspace; Ctrl-h and 0x08 too.
    Backspace,
    /// Delete.
    Delete,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
    /// A function key, from 1.
    F(u8),
}

/// The keys that have a name rather than a character.
const NAMED: &[(&str, Key)] = &[
    ("enter", Key::Enter),
    ("esc", Key::Esc),
    ("tab", Key::Tab),
    ("shift-tab", Key::BackTab),
    ("space", Key::Char(' ')),
    ("backspace", Key::Backspace),
    ("delete", Key::Delete),
    ("up", Key::Up),
    ("down", Key::Down),
    ("left", Key::Left),
    ("right", Key::Right),
    ("pgup", Key::PageUp),
    ("pgdn", Key::PageDown),
    ("home", Key::Home),
    ("end", Key::End),
];

/// The names of the keys that have one, for who misspells them.
pub const KEY_NAMES: &[&str] = &[
    "enter",
    "esc",
    "tab",
    "shift-tab",
    "space",
    "backspace",
    "delete",
    "up",
    "down",
    "left",
    "right",
    "pgup",
    "pgdn",
    "home",
    "end",
    "f1",
    "ctrl-a",
];

impl Key {
    /// Reads a key's name: `enter`, `ctrl-x`, `f1`, or one character.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some((_, key)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Some(*key);
        }
        if let Some(letter) = name.strip_prefix("ctrl-") {
            let mut letters = letter.chars();
            return match (letters.next(), letters.next()) {
                (Some('h'), None) => Some(Self::Backspace),
                (Some(c), None) if c.is_ascii_lowercase() => Some(Self::Ctrl(c)),
                _ => None,
            };
        }
        if let Some(number) = name.strip_prefix('f').and_then(|n| n.parse::<u8>().ok()) {
            return (1..=12).contains(&number).then_some(Self::F(number));
        }
        let mut characters = name.chars();
        match (characters.next(), characters.next()) {
            (Some(c), None) if !c.is_control() => Some(Self::Char(c)),
            _ => None,
        }
    }

    /// Splits a script of keys: words between blanks are keys, text in double quotes is typed.
    ///
    /// # Errors
    /// The word that is no key.
    pub fn script(text: &str) -> Result<Vec<Self>, String> {
        let mut keys = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('"')
                && let Some((typed, after)) = quoted.split_once('"')
            {
                keys.extend(typed.chars().map(Self::Char));
                rest = after.trim_start();
                continue;
            }
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            keys.push(Self::parse(word).ok_or_else(|| word.to_owned())?);
            rest = after.trim_start();
        }
        Ok(keys)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, key)| key == self) {
            return f.pad(name);
        }
        match self {
            Self::Ctrl(c) => write!(f, "ctrl-{c}"),
            Self::F(number) => write!(f, "f{number}"),
            Self::Char(c) => write!(f, "{c}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (name, key) in NAMED {
            assert_eq!(Key::parse(name), Some(*key));
            assert_eq!(&key.to_string(), name);
        }
        assert!(NAMED.iter().all(|(name, _)| KEY_NAMES.contains(name)));
        assert_eq!(Key::parse("ctrl-d"), Some(Key::Ctrl('d')));
        assert_eq!(
            Key::parse("ctrl-h"),
            Some(Key::Backspace),
            "terminals send 0x08 for both"
        );
        assert_eq!(Key::parse("f1"), Some(Key::F(1)));
        assert_eq!(Key::parse("f"), Some(Key::Char('f')));
        for wrong in ["ctrl-", "ctrl-xx", "f13", "escape", "", "\u{1b}"] {
            assert_eq!(Key::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn scripts_hold_keys_and_quoted_text() {
        let keys = Key::script(r#"j enter / "a b" esc"#).unwrap();
        let expected = [
            Key::Char('j'),
            Key::Enter,
            Key::Char('/'),
            Key::Char('a'),
            Key::Char(' '),
            Key::Char('b'),
            Key::Esc,
        ];
        assert_eq!(keys, expected);
        assert_eq!(Key::script("j bogus"), Err("bogus".to_owned()));
        assert_eq!(
            Key::script("\""),
            Ok(vec![Key::Char('"')]),
            "a lone quote is the character"
        );
    }
}
