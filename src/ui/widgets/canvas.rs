//! Putting text and bars into a buffer: by display columns, never through a character, never a control byte.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::app::Moment;
use crate::model::text::cut;
use crate::model::text::sanitize::printable;
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::{Role, Theme};

/// What colours show and plain text has to show in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A frame ends before this cell.
    End,
    /// A frame that the search found begins at this cell.
    Match,
}

/// What a pane draws on, and with.
pub(crate) struct Canvas<'a> {
    /// The cells.
    pub buffer: &'a mut Buffer,
    /// The colours.
    pub theme: &'a Theme,
    /// The signs.
    pub glyphs: Glyphs,
    /// When it is drawn: for ages and countdowns.
    pub now: Moment,
    /// What plain text needs besides.
    pub marks: Vec<(u16, u16, Mark)>,
}

/// Returns the width of a text in cells.
#[must_use]
pub(crate) fn width(text: &str) -> u16 {
    u16::try_from(text.width()).unwrap_or(u16::MAX)
}

/// Returns a text that fits into `room` cells, as [`cut::cut`] makes it.
#[must_use]
pub(crate) fn cut(text: &str, room: u16) -> Cow<'_, str> {
    cut::cut(text, usize::from(room))
}

/// Returns a function's name that fits into `room` cells, as [`cut::cut_name`] makes it.
#[must_use]
pub(crate) fn cut_name(name: &str, room: u16) -> Cow<'_, str> {
    cut::cut_name(name, usize::from(room))
}

/// Returns a text in lines of at most `room` cells, as [`cut::wrap`] breaks it.
#[must_use]
pub(crate) fn wrap(text: &str, room: u16) -> Vec<String> {
    cut::wrap(text, usize::from(room))
}

/// Returns a text that fits into `room` cells, as [`cut::cut_middle`] makes it.
#[must_use]
pub(crate) fn cut_middle(text: &str, room: u16) -> Cow<'_, str> {
    cut::cut_middle(text, usize::from(room))
}

/// The area of a text that takes as many rows as it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// The first column.
    pub(crate) x: u16,
    /// The first row.
    pub(crate) y: u16,
    /// Columns.
    pub(crate) width: u16,
    /// The row after the last.
    pub(crate) end: u16,
}

impl Canvas<'_> {
    /// Notes what plain text has to show at a cell.
    pub(crate) fn mark(&mut self, x: u16, y: u16, mark: Mark) {
        self.marks.push((x, y, mark));
    }

    /// Returns the columns of the screen.
    #[must_use]
    pub(crate) const fn columns(&self) -> u16 {
        self.buffer.area.width
    }

    /// Returns the rows of the screen.
    #[must_use]
    pub(crate) const fn rows(&self) -> u16 {
        self.buffer.area.height
    }

    /// Draws a text and returns the column after it. What does not fit on the screen is cut off.
    pub(crate) fn put(&mut self, x: u16, y: u16, text: &str, role: Role) -> u16 {
        let style = self.theme.style(role);
        self.put_styled(x, y, text, style, u16::MAX)
    }

    /// Draws a text in at most `room` cells, cut with `…`, and returns the column after it.
    pub(crate) fn put_in(&mut self, x: u16, y: u16, room: u16, text: &str, role: Role) -> u16 {
        let style = self.theme.style(role);
        self.put_styled(x, y, text, style, room)
    }

    /// Draws a place in the source. One without room is cut in the middle: its file's name and line say most.
    pub(crate) fn put_place(&mut self, x: u16, y: u16, room: u16, place: &str, role: Role) -> u16 {
        self.put_in(x, y, room, &cut_middle(place, room), role)
    }

    /// Draws a text in as many rows as it takes, broken between words if possible, and returns the row after it.
    pub(crate) fn put_wrapped(&mut self, room: Room, text: &str, role: Role) -> u16 {
        let mut y = room.y;
        for line in wrap(text, room.width) {
            if y >= room.end {
                break;
            }
            self.put_in(room.x, y, room.width, &line, role);
            y += 1;
        }
        y
    }

    /// As [`Self::put_in`], in any style.
    pub(crate) fn put_styled(
        &mut self,
        x: u16,
        y: u16,
        text: &str,
        style: Style,
        room: u16,
    ) -> u16 {
        if y >= self.rows() || x >= self.columns() {
            return x;
        }
        // Our own texts are plain; whatever else comes here is from outside, and neutralised.
        let plain = text.bytes().all(|b| (b' '..=b'~').contains(&b));
        let clean = if plain {
            Cow::Borrowed(text)
        } else {
            printable(text)
        };
        let shown = cut(&clean, room);
        let (end, _) =
            self.buffer
                .set_stringn(x, y, &shown, usize::from(self.columns() - x), style);
        end
    }

    /// Puts a text down so that it ends before column `end`; returns its first column.
    pub(crate) fn right(&mut self, end: u16, y: u16, text: &str, role: Role) -> u16 {
        let x = end.saturating_sub(width(text));
        self.put(x, y, text, role);
        x
    }

    /// Fills cells with one sign in one style.
    pub(crate) fn fill(&mut self, x: u16, y: u16, cells: u16, sign: &str, style: Style) {
        if y >= self.rows() {
            return;
        }
        for column in x..x.saturating_add(cells).min(self.columns()) {
            if let Some(cell) = self.buffer.cell_mut((column, y)) {
                cell.set_symbol(sign);
                cell.set_style(style);
            }
        }
    }

    /// Makes rows blank again, in the terminal's own ground.
    pub(crate) fn clear(&mut self, x: u16, y: u16, cells: u16, rows: u16) {
        let (columns, lines) = (x..x.saturating_add(cells), y..y.saturating_add(rows));
        self.marks
            .retain(|(x, y, _)| !(columns.contains(x) && lines.contains(y)));
        for row in y..y.saturating_add(rows).min(self.rows()) {
            for column in x..x.saturating_add(cells).min(self.columns()) {
                if let Some(cell) = self.buffer.cell_mut((column, row)) {
                    cell.reset();
                }
            }
        }
    }

    /// Draws a slim bar of `cells` cells in halves, the first half from an eighth of a cell on. Returns the cells used.
    pub(crate) fn bar(&mut self, x: u16, y: u16, cells: u16, share: f64, role: Role) -> u16 {
        let halves = halves(cells, share);
        let text = "━".repeat(usize::from(halves / 2)) + if halves % 2 == 1 { "╸" } else { "" };
        self.put(x, y, &text, role);
        halves.div_ceil(2)
    }
}

/// Returns the halves of cells that a bar of a share takes.
pub(crate) fn halves(cells: u16, share: f64) -> u16 {
    let halves = f64::from(cells) * 2.0 * share.clamp(0.0, 1.0);
    let least = if halves * 4.0 >= 1.0 { 1 } else { 0 };
    ((halves + 0.5).floor() as u16).clamp(least, (cells * 2).max(least))
}
