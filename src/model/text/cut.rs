//! Cutting and wrapping texts that are too long for their place.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Returns a text that fits into `columns`: whole, or cut between two characters with `…` at its end.
#[must_use]
pub fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let Some(room) = columns.checked_sub(1) else {
        return Cow::Borrowed("");
    };
    let mut used = 0;
    let mut end = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if used > room {
            break;
        }
        end = at + grapheme.len();
    }
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

/// Returns a text that fits into `columns`: whole, or with `…` in its middle. Both ends stay, the larger part of the end: of a
/// path it has the file's name and line. In fewer than three columns nothing is left.
#[must_use]
pub fn cut_middle(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    if columns < 3 {
        return Cow::Borrowed("");
    }
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    let fitting = |most: usize, graphemes: &mut dyn Iterator<Item = &&str>| {
        let mut used = 0;
        graphemes
            .take_while(|grapheme| {
                used += grapheme.width();
                used <= most
            })
            .count()
    };
    let head = fitting((columns - 1) / 3, &mut graphemes.iter());
    let tail = fitting(columns - 1 - (columns - 1) / 3, &mut graphemes.iter().rev());
    let (head, tail) = (&graphemes[..head], &graphemes[graphemes.len() - tail..]);
    Cow::Owned(format!("{}…{}", head.concat(), tail.concat()))
}

/// Returns a function's name that fits into `columns`: cut at its end, or in its middle if its end tells it from others, as
/// the address of a function without symbols and the place of a nameless one.
#[must_use]
pub fn cut_name(name: &str, columns: usize) -> Cow<'_, str> {
    if is_address(name) || (name.starts_with("(anon") && name.contains(") ")) {
        cut_middle(name, columns)
    } else {
        cut(name, columns)
    }
}

/// Returns whether a name ends in an address, so that it was written without symbols: `libworker.so 0x401000`.
#[must_use]
pub fn is_address(name: &str) -> bool {
    let last = name.rsplit([' ', '+', '!', '@', '`']).next();
    let digits = last.and_then(|last| last.strip_prefix("0x"));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns a text in lines of at most `columns`, broken between words. A word that is wider is cut in its middle.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    lines(
        text.split_whitespace()
            .map(|word| cut_middle(word, columns)),
        columns,
    )
}

/// As [`wrap`], but a word that is wider has a line of its own, whole: paths and commands can be copied.
#[must_use]
pub fn wrap_whole(text: &str, columns: usize) -> Vec<String> {
    lines(text.split_whitespace().map(Cow::Borrowed), columns)
}

fn lines<'a>(words: impl Iterator<Item = Cow<'a, str>>, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word.into_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_keeps_characters_whole() {
        assert_eq!(cut("validateAddress", 15), "validateAddress");
        assert_eq!(cut("validateAddress", 8), "validat…");
        assert_eq!(
            cut("解析リクエスト", 6),
            "解析…",
            "a wide character that would be halved is left out"
        );
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("ab cd", 4), "ab…", "no blank before the sign");
    }

    #[test]
    fn cutting_in_the_middle_keeps_both_ends_and_the_line() {
        let place = "validateAddressAndOthers.ts:1234";
        for columns in 3..place.len() {
            let cut = cut_middle(place, columns);
            assert_eq!(cut.width(), columns);
            assert!(columns < 9 || cut.ends_with(":1234"), "{cut}");
        }
        assert_eq!(cut_middle(place, 99), place);
        assert_eq!(cut_middle("日本語日本語", 7), "日…本語");
    }

    #[test]
    fn wrapping_breaks_no_word_that_fits() {
        let text = "grant Workers Scripts Read, then run chmod -R go= /home/dana/.cache/flarescope/profiles again";
        let words: Vec<&str> = text.split(' ').collect();
        for columns in 20..120 {
            for (lines, may_cut) in [
                (wrap(text, columns), true),
                (wrap_whole(text, columns), false),
            ] {
                let wrapped = lines.join(" ");
                let kept: Vec<&str> = wrapped.split(' ').collect();
                assert_eq!(kept.len(), words.len());
                for (word, kept) in words.iter().zip(kept) {
                    assert!(
                        word == &kept || (may_cut && word.len() > columns),
                        "{columns}: {kept}"
                    );
                }
                assert!(
                    lines
                        .iter()
                        .all(|line| line.len() <= columns + 4 || !line.contains(' '))
                );
            }
        }
    }

    #[test]
    fn names_are_told_apart_by_what_is_left() {
        let addresses = [
            "/usr/lib/libworker.so.1.2 0x401000",
            "/usr/lib/libworker.so.1.2 0x40203c",
        ];
        let cut = addresses.map(|name| cut_name(name, 20));
        assert_ne!(cut[0], cut[1]);
        for (name, is) in [
            ("0xdeadbeef", true),
            ("libc.so+0x1f", true),
            ("mod!0x10", true),
            ("0x", false),
            ("f 0xyz", false),
            ("render", false),
        ] {
            assert_eq!(is_address(name), is, "{name}");
        }
        assert_eq!(cut_name("validateAddress", 8), "validat…");
        assert_eq!(cut_name("(anonymous) src/app.ts:43", 12), "(an…pp.ts:43");
    }
}
