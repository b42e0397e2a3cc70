//! The signs the screen is drawn with, and their pseudonyms in ASCII.
//!
//! Panes draw in Unicode throughout. [`Glyphs::apply`] turns a finished buffer into ASCII, so that nothing, not even a
//! name from outside, can slip through. Only the ends of frames must be chosen while drawing: see [`Glyphs::eighths`].

use ratatui::buffer::{Buffer, CellWidth};

/// Which signs the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Glyphs {
    /// Block elements, arrows and typographic signs.
    Unicode,
    /// ASCII only.
    Ascii,
}

/// Parts of a cell from the left, in eighths.
const EIGHTHS: [&str; 7] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Replaces characters that have no ASCII equivalent.
const UNKNOWN: &str = "?";

/// Returns the ASCII replacement of one of our signs.
fn substitute(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "▏" | "▎" | "▍" | "▌" | "▕" | "│" => "|",
        "▋" | "▊" | "▉" | "█" => "#",
        "░" => ":",
        "▸" | "›" | "→" => ">",
        "◂" | "‹" | "←" => "<",
        "▾" | "↓" => "v",
        "▴" | "↑" => "^",
        "…" | "±" | "≈" => "~",
        "━" => "=",
        "╸" | "╺" | "─" | "·" | "−" | "–" | "—" => "-",
        "●" => "*",
        "×" => "x",
        "‘" | "’" => "'",
        "“" | "”" => "\"",
        _ => return None,
    })
}

impl Glyphs {
    /// Returns the sign that fills this many eighths of a cell (1 to 7); `None` where there are only whole cells.
    #[must_use]
    pub fn eighths(self, eighths: u8) -> Option<&'static str> {
        match self {
            Self::Unicode => EIGHTHS.get(usize::from(eighths).checked_sub(1)?).copied(),
            Self::Ascii => None,
        }
    }

    /// Turns a finished buffer into these signs. Widths stay: a wide character takes two pseudonyms.
    pub fn apply(self, buffer: &mut Buffer) {
        if self == Self::Unicode {
            return;
        }
        let width = usize::from(buffer.area.width).max(1);
        for row in buffer.content.chunks_mut(width) {
            let mut hidden = 0;
            for cell in row {
                if hidden > 0 {
                    hidden -= 1;
                    cell.set_symbol(UNKNOWN);
                } else if !cell.symbol().is_ascii() {
                    hidden = cell.symbol().cell_width().saturating_sub(1);
                    let first = cell.symbol().get(..1).filter(|base| base.is_ascii());
                    let ascii = substitute(cell.symbol())
                        .map(str::to_owned)
                        .or(first.map(str::to_owned));
                    cell.set_symbol(ascii.as_deref().unwrap_or(UNKNOWN));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascii(line: &str) -> String {
        let mut buffer = Buffer::with_lines([line]);
        Glyphs::Ascii.apply(&mut buffer);
        buffer.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn our_glyphs_have_ascii_substitutes() {
        assert_eq!(ascii("▏▸▾▴░…━╸─│·›±−●≈"), "|>v^:~=--|->~-*~");
    }

    #[test]
    fn wide_and_foreign_characters_keep_their_width() {
        assert_eq!(ascii("a日b"), "a??b");
        assert_eq!(ascii("é"), "?");
        assert_eq!(ascii("e\u{301}x"), "ex", "a combining mark leaves its base");
    }

    #[test]
    fn only_unicode_has_parts_of_a_cell() {
        assert_eq!(Glyphs::Unicode.eighths(4), Some("▌"));
        assert_eq!(Glyphs::Unicode.eighths(0), None);
        assert_eq!(Glyphs::Unicode.eighths(8), None);
        assert_eq!(Glyphs::Ascii.eighths(4), None);
    }
}
