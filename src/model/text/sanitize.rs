//! Text from outside, made safe to print: a name must not move the cursor, ring the bell or turn the line around.

use std::borrow::Cow;

/// What a character is shown as.
enum Shown {
    Itself,
    Nothing,
    As(char),
}

/// Replaces what a terminal would obey by something visible, and drops what terminals disagree about the width of.
///
/// Control characters become their pictures (`␛`), other controls, direction marks and line separators `�`; variation
/// selectors, skin tones, keycap marks, joiners and soft hyphens go. A text of blanks only becomes `␣` for each, so
/// that it can be seen.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    if !text.is_empty() && text.chars().all(char::is_whitespace) {
        return Cow::Owned("␣".repeat(text.chars().count()));
    }
    if text.chars().all(|c| matches!(shown(c), Shown::Itself)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match shown(c) {
            Shown::Itself => safe.push(c),
            Shown::Nothing => {}
            Shown::As(stand_in) => safe.push(stand_in),
        }
    }
    Cow::Owned(safe)
}

/// Escapes what a terminal would obey in JSON text, which stays the same JSON: `serde_json` escapes C0 only.
#[must_use]
pub fn json_safe(json: String) -> String {
    let unsafe_in_json = |c: char| c as u32 >= 0x7f && matches!(shown(c), Shown::As(_));
    if !json.contains(unsafe_in_json) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if unsafe_in_json(c) {
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

fn shown(c: char) -> Shown {
    match c {
        // The block of control pictures follows the order of the controls.
        '\u{0}'..='\u{1f}' => {
            Shown::As(char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        '\u{7f}' => Shown::As('\u{2421}'),
        // C1 controls, line and paragraph separators, direction marks, overrides and isolates, language tags,
        // interlinear marks, byte order mark.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0001}'..='\u{e007f}'
        | '\u{feff}' => Shown::As(char::REPLACEMENT_CHARACTER),
        // Soft hyphen, zero-width space and joiners, word joiner and invisible operators, grapheme joiner,
        // variation selectors, keycap, skin tones.
        '\u{ad}'
        | '\u{34f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{180b}'..='\u{180f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}'
        | '\u{20e3}'
        | '\u{1f3fb}'..='\u{1f3ff}' => Shown::Nothing,
        _ => Shown::Itself,
    }
}

#[cfg(test)]
mod tests {
    use super::json_safe;
    use super::printable;

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
    fn no_control_survives() {
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        assert!(!printable(&all).chars().any(char::is_control));
    }
}
