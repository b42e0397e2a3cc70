//! Cutting a text that is too long for its place.

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
}
