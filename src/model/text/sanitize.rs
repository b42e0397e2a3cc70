//! Text from outside, made safe to hand on: a name must not move a cursor, ring a bell, run a command or hide a part of itself.
//!
//! There is one set of unsafe characters, [`is_unsafe`], for every way out of the program: the screen, the clipboard,
//! standard output and error, lists, reports, JSON and CSV. What becomes of such a character depends on the way out:
//! [`printable`] and [`printable_lines`] replace or drop it, [`json_safe`] escapes it and [`shell_word`] quotes it.

use std::borrow::Cow;

/// What a character is shown as.
enum Shown {
    Itself,
    Nothing,
    As(char),
}

/// Returns whether a character must not leave the program as it is.
///
/// The set: control characters (C0, DEL, C1), line and paragraph separators, everything that Unicode ignores by default
/// (direction marks, overrides and isolates, zero-width spaces and joiners, variation selectors, tags, fillers, soft
/// hyphen, byte order mark), interlinear marks, and the noncharacters that XML can't hold.
#[must_use]
pub const fn is_unsafe(c: char) -> bool {
    !matches!(unsafe_as(c), Shown::Itself)
}

/// Makes text safe for one line of a screen: replaces unsafe characters by something visible, and drops what terminals
/// disagree about the width of.
///
/// Control characters become their pictures (`␛`), direction marks, separators, tags and the like `�`; what has no
/// width is dropped, as are skin tones and keycap marks. A text of blanks only becomes `␣` for each, so that it can be seen.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    if !text.is_empty() && text.chars().all(char::is_whitespace) {
        return Cow::Owned("␣".repeat(text.chars().count()));
    }
    replaced(text, shown)
}

/// Makes text safe to hand to another program, such as the clipboard: line feeds stay, all other unsafe characters are
/// replaced or dropped as [`printable`] does it.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| match c {
        '\n' => Shown::Itself,
        c => unsafe_as(c),
    })
}

fn replaced(text: &str, shown: impl Fn(char) -> Shown) -> Cow<'_, str> {
    if text.chars().all(|c| matches!(shown(c), Shown::Itself)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match shown(c) {
            Shown::Itself => safe.push(c),
            Shown::Nothing => {}
            Shown::As(substitute) => safe.push(substitute),
        }
    }
    Cow::Owned(safe)
}

/// Escapes unsafe characters in JSON text, which stays the same JSON: `serde_json` escapes C0 only.
#[must_use]
pub fn json_safe(json: String) -> String {
    // Below DEL there is nothing left but the layout's own line feeds.
    let is_raw = |c: char| c >= '\u{7f}' && is_unsafe(c);
    if !json.contains(is_raw) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if is_raw(c) {
            // Such characters stand in strings only, where an escape means the same.
            for unit in c.encode_utf16(&mut [0; 2]) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Quotes a word for a POSIX shell; pasting it runs nothing and moves nothing.
///
/// A word with unsafe characters is written as `$'…'` with octal escapes, for its quotes as well: a shell that does not
/// know `$'…'` then takes another word, but never runs a part of it. No argument can hold NUL, which becomes `␀`.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !word.contains(is_unsafe) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut quoted = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\0' => quoted.push('␀'),
            c if is_unsafe(c) || matches!(c, '\'' | '\\') => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

/// Writes a regular expression's unsafe characters as escapes, which mean the same in it: `\x{1b}`.
#[must_use]
pub fn regex_safe(source: &str) -> Cow<'_, str> {
    if !source.contains(is_unsafe) {
        return Cow::Borrowed(source);
    }
    let mut safe = String::with_capacity(source.len() + 16);
    for c in source.chars() {
        if is_unsafe(c) {
            safe.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// What a character becomes on the screen.
const fn shown(c: char) -> Shown {
    match c {
        // Keycap and skin tones: safe, but of uncertain width.
        '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' => Shown::Nothing,
        c => unsafe_as(c),
    }
}

/// What an unsafe character becomes. Safe ones stay themselves.
const fn unsafe_as(c: char) -> Shown {
    match c {
        ' '..='~' => Shown::Itself,
        // The block of control pictures follows the order of the controls.
        '\u{0}'..='\u{1f}' => Shown::As(match char::from_u32(0x2400 + c as u32) {
            Some(picture) => picture,
            None => char::REPLACEMENT_CHARACTER,
        }),
        '\u{7f}' => Shown::As('\u{2421}'),
        // C1 controls, direction marks, line and paragraph separators, overrides and isolates, fillers of Hangul,
        // byte order mark, interlinear marks, noncharacters, marks of musical notation, tags.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2065}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => Shown::As(char::REPLACEMENT_CHARACTER),
        // Soft hyphen, grapheme joiner, inherent vowels of Khmer, variation selectors of Mongolian, zero-width space
        // and joiners, word joiner and invisible operators, variation selectors.
        '\u{ad}'
        | '\u{34f}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Shown::Nothing,
        _ => Shown::Itself,
    }
}

#[cfg(test)]
mod tests {
    use super::is_unsafe;
    use super::json_safe;
    use super::printable;
    use super::printable_lines;
    use super::regex_safe;
    use super::shell_word;

    #[test]
    fn nothing_a_terminal_obeys_is_left() {
        for (text, expected) in [
            ("plain", "plain"),
            ("two words", "two words"),
            ("\u{1b}[2J", "␛[2J"),
            ("a\tb\r\n", "a␉b␍␊"),
            ("\u{7f}\u{9b}1m", "␡\u{fffd}1m"),
            ("x\u{202e}y\u{2066}", "x\u{fffd}y\u{fffd}"),
            ("e\u{301}", "e\u{301}"),
            ("👍🏽", "👍"),
            ("1\u{fe0f}\u{20e3}", "1"),
            ("👩\u{200d}👩", "👩👩"),
            ("  ", "␣␣"),
            ("", ""),
        ] {
            assert_eq!(printable(text), expected, "{text:?}");
        }
    }

    #[test]
    fn json_stays_the_same_without_what_a_terminal_obeys() {
        let name = "a\u{9b}2J\u{202e}b\u{7f}é\u{e0041}";
        let json = json_safe(serde_json::to_string(name).unwrap());
        assert!(
            !json.contains(['\u{9b}', '\u{202e}', '\u{7f}', '\u{e0041}']),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), name);
    }

    #[test]
    fn nothing_unsafe_survives() {
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        assert!(!printable(&all).contains(is_unsafe));
        assert!(!printable_lines(&all).contains(|c| c != '\n' && is_unsafe(c)));
        assert!(!shell_word(&all).contains(is_unsafe));
        assert!(!regex_safe(&all).contains(is_unsafe));
        let json = json_safe(serde_json::to_string(&all).unwrap());
        assert!(!json.contains(is_unsafe));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), all);
    }

    #[test]
    fn every_kind_of_unsafe_character_is_known() {
        let unsafe_ones = [
            '\0',
            '\t',
            '\n',
            '\r',
            '\u{1b}',
            '\u{7f}',
            '\u{80}',
            '\u{85}',
            '\u{9b}',
            '\u{9f}',
            '\u{ad}',
            '\u{61c}',
            '\u{180e}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{206f}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{fffe}',
            '\u{ffff}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e007f}',
            '\u{e0100}',
        ];
        for c in unsafe_ones {
            assert!(is_unsafe(c), "{c:?}");
        }
        for c in [
            ' ',
            '~',
            '\u{a0}',
            'é',
            '日',
            '\u{301}',
            '😀',
            '\u{1f3fd}',
            '\u{20e3}',
            '\u{fffd}',
            '␛',
        ] {
            assert!(!is_unsafe(c), "{c:?}");
        }
    }

    #[test]
    fn lines_of_a_text_stay_lines() {
        let text = "at a\u{1b}[2J\r\n  at b\u{202e}👍🏽";
        assert_eq!(printable_lines(text), "at a␛[2J␍\n  at b\u{fffd}👍🏽");
    }

    #[test]
    fn words_survive_a_shell() {
        for (word, expected) in [
            ("parseCart", "parseCart"),
            ("^a$", "'^a$'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("a\u{1b}]0;x\u{7}", r"$'a\033]0;x\007'"),
            ("\u{9b}1m", r"$'\302\2331m'"),
            ("a\n'; id #\\", r"$'a\012\047; id #\134'"),
            ("a\0b", "$'a␀b'"),
        ] {
            assert_eq!(shell_word(word), expected, "{word:?}");
        }
    }

    #[test]
    fn an_expression_matches_what_it_matched() {
        let source = "^a\u{1b}[\u{80}-\u{9f}]\n$";
        let safe = regex_safe(source);
        assert_eq!(safe, r"^a\x{1b}[\x{80}-\x{9f}]\x{a}$");
        for text in ["a\u{1b}\u{9b}\n", "a\u{1b}\u{9b}", "a\u{9b}\n"] {
            let matches = |source: &str| regex::Regex::new(source).unwrap().is_match(text);
            assert_eq!(matches(&safe), matches(source), "{text:?}");
        }
    }
}
