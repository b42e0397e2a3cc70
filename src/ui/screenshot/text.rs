//! The screen as plain text.

use ratatui::buffer::Buffer;

use crate::ui::screenshot::rows;

/// Returns the screen as lines of text, without trailing blanks.
#[must_use]
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::with_capacity(buffer.content.len());
    for row in rows(buffer) {
        let start = out.len();
        out.extend(row.iter().map(|(_, cell)| cell.symbol()));
        out.truncate(start + out[start..].trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_blanks_go_and_wide_characters_stay_whole() {
        let buffer = Buffer::with_lines(["ab日本c  ", "", "  e\u{301}"]);
        assert_eq!(text(&buffer), "ab日本c\n\n  e\u{301}\n");
    }

    #[test]
    fn a_screen_without_cells_is_empty() {
        assert_eq!(text(&Buffer::default()), "");
    }
}
