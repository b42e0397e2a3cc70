//! The screen as text with colour codes, for `cat` in a terminal of that size.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Color;

use crate::ui::screenshot::rows;
use crate::ui::sgr::{INK_ON_BLANK, Pen, SHOWN_ON_BLANK};

/// Returns the screen as lines with colour codes; each line ends reset, and blanks that show nothing at its end are
/// left out.
#[must_use]
pub fn ansi(buffer: &Buffer) -> String {
    let mut out = String::with_capacity(buffer.content.len() * 2);
    for row in rows(buffer) {
        let shown = row
            .iter()
            .rposition(|(_, cell)| !is_bare(cell))
            .map_or(0, |last| last + 1);
        let mut pen = Pen::PLAIN;
        for (_, cell) in row.iter().take(shown) {
            let mut next = Pen {
                ink: cell.fg,
                ground: cell.bg,
                modifiers: cell.modifier,
            };
            if cell.symbol() == " " && !cell.modifier.intersects(INK_ON_BLANK) {
                next.ink = pen.ink;
            }
            pen.switch(next, &mut out);
            pen = next;
            out.push_str(cell.symbol());
        }
        pen.switch(Pen::PLAIN, &mut out);
        out.push('\n');
    }
    out
}

/// Whether nothing of a cell can be seen.
fn is_bare(cell: &Cell) -> bool {
    cell.symbol() == " " && cell.bg == Color::Reset && !cell.modifier.intersects(SHOWN_ON_BLANK)
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn codes_say_only_what_changes_and_lines_end_reset() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 2));
        buffer.set_string(
            0,
            0,
            "ab ",
            Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(137)),
        );
        buffer.set_string(
            3,
            0,
            "c",
            Style::new().fg(Color::Indexed(16)).bg(Color::Indexed(173)),
        );
        assert_eq!(
            ansi(&buffer),
            "\x1b[38;5;16;48;5;137mab \x1b[48;5;173mc\x1b[m\n\n"
        );
    }
}
