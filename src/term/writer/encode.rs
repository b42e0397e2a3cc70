//! Encodes the difference between two screens as bytes for a terminal.
//!
//! Correct first: the cursor's position is unknown after the last column (a terminal may wrap late or at once) and after a
//! character whose width differs between terminals. Then short: only changed attributes, the shortest move, the rest of a
//! row erased at once, and no foreground colour for blanks.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::style::Color;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::ui::sgr::{INK_ON_BLANK, Pen, SHOWN_ON_BLANK};

/// Replaces what must not reach a terminal.
const REPLACEMENT: &str = "\u{fffd}";

/// One column of a row, as a terminal shows it.
#[derive(Clone, Copy)]
enum Slot<'a> {
    /// A sign with its width in columns.
    Sign {
        symbol: &'a str,
        width: u16,
        pen: Pen,
    },
    /// Hidden by the wide sign to its left.
    Hidden,
}

impl Slot<'_> {
    /// Returns whether nothing of it is visible.
    fn is_bare(self) -> bool {
        matches!(self, Self::Sign { symbol: " ", pen, .. }
            if pen.ground == Color::Reset && !pen.modifiers.intersects(SHOWN_ON_BLANK))
    }

    /// Returns whether both look the same on the screen.
    fn looks_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Hidden, Self::Hidden) => true,
            (Self::Sign { symbol: a, .. }, Self::Sign { symbol: b, pen, .. }) => {
                a == b && self.is_written_by(pen)
            }
            _ => false,
        }
    }

    /// Returns whether a pen writes this sign correctly.
    fn is_written_by(self, pen: Pen) -> bool {
        self.pen_from(pen) == pen
    }

    /// Returns the pen for this sign, given the current one: attributes that a blank doesn't show stay.
    fn pen_from(self, pen: Pen) -> Pen {
        match self {
            Self::Hidden => pen,
            Self::Sign {
                symbol: " ",
                pen: wanted,
                ..
            } if !wanted.modifiers.intersects(INK_ON_BLANK) => Pen {
                ink: pen.ink,
                ground: wanted.ground,
                modifiers: pen
                    .modifiers
                    .difference(SHOWN_ON_BLANK)
                    .union(wanted.modifiers.intersection(SHOWN_ON_BLANK)),
            },
            Self::Sign { pen: wanted, .. } => wanted,
        }
    }
}

/// Returns a row of cells as the terminal's columns.
fn slots<'a>(cells: &'a [Cell], out: &mut Vec<Slot<'a>>) {
    out.clear();
    let mut hidden = 0;
    for (column, cell) in cells.iter().enumerate() {
        if hidden > 0 {
            hidden -= 1;
            out.push(Slot::Hidden);
            continue;
        }
        let slot = sign(cell, cells.len() - column);
        if let Slot::Sign { width, .. } = slot {
            hidden = width.saturating_sub(1);
        }
        out.push(slot);
    }
}

fn sign(cell: &Cell, room: usize) -> Slot<'_> {
    let pen = Pen {
        ink: cell.fg,
        ground: cell.bg,
        modifiers: cell.modifier,
    };
    let symbol = cell.symbol();
    // Text is sanitized on input; this is the last barrier.
    let symbol = if symbol.chars().any(char::is_control) {
        REPLACEMENT
    } else {
        symbol
    };
    match symbol.cell_width() {
        // A character without width would join its neighbour, and one that doesn't fit would wrap.
        0 => Slot::Sign {
            symbol: " ",
            width: 1,
            pen,
        },
        width if usize::from(width) > room => Slot::Sign {
            symbol: " ",
            width: 1,
            pen,
        },
        width => Slot::Sign { symbol, width, pen },
    }
}

/// Returns whether a sign has the same width in all terminals: the sum of its characters' widths.
fn is_certain(symbol: &str, width: u16) -> bool {
    let sum: usize = symbol
        .chars()
        .map(|character| character.width().unwrap_or(0))
        .sum();
    symbol.width() == sum && sum == usize::from(width)
}

/// Appends the bytes that change a terminal from `shown` to `next`, both of one size. The pen is plain before and after;
/// appends nothing if nothing differs.
pub fn encode(shown: &Buffer, next: &Buffer, out: &mut String) {
    let columns = usize::from(next.area.width).max(1);
    let mut cursor = Cursor {
        place: None,
        pen: Pen::PLAIN,
    };
    let (mut old, mut new) = (Vec::with_capacity(columns), Vec::with_capacity(columns));
    for (y, (before, after)) in (0u16..).zip(
        shown
            .content
            .chunks(columns)
            .zip(next.content.chunks(columns)),
    ) {
        if before == after {
            continue;
        }
        slots(before, &mut old);
        slots(after, &mut new);
        cursor.row(y, &old, &new, out);
    }
    cursor.pen.switch(Pen::PLAIN, out);
}

/// The terminal's cursor and pen.
struct Cursor {
    /// Column and row; `None` if unknown.
    place: Option<(u16, u16)>,
    pen: Pen,
}

impl Cursor {
    fn row(&mut self, y: u16, old: &[Slot<'_>], new: &[Slot<'_>], out: &mut String) {
        let differs = |x: usize| match (old.get(x), new.get(x)) {
            (Some(old), Some(new)) => !new.looks_like(*old),
            _ => true,
        };
        let tail = bare_tail(new);
        // Erasing takes three bytes; so do three blanks.
        let erase = (tail..new.len()).filter(|x| differs(*x)).count() > 3;
        for (x, slot) in new.iter().enumerate() {
            let Slot::Sign { symbol, width, .. } = *slot else {
                continue;
            };
            if !differs(x) {
                continue;
            }
            let Ok(column) = u16::try_from(x) else { break };
            self.go(column, y, new, out);
            if erase && x >= tail {
                // Erasing fills with the pen's background, in some terminals reversed.
                let bare = Pen {
                    ground: Color::Reset,
                    modifiers: self.pen.modifiers.difference(SHOWN_ON_BLANK),
                    ..self.pen
                };
                self.switch(bare, out);
                out.push_str("\x1b[K");
                break;
            }
            self.switch(slot.pen_from(self.pen), out);
            out.push_str(symbol);
            let after = column + width;
            self.place =
                (usize::from(after) < new.len() && is_certain(symbol, width)).then_some((after, y));
        }
    }

    fn switch(&mut self, pen: Pen, out: &mut String) {
        self.pen.switch(pen, out);
        self.pen = pen;
    }

    /// Moves to a position by the shortest sequence. `row` is what its row shows.
    fn go(&mut self, x: u16, y: u16, row: &[Slot<'_>], out: &mut String) {
        if self.place == Some((x, y)) {
            return;
        }
        let mut way = String::new();
        // Writing to a string can't fail.
        let _ = match (x, y) {
            (0, 0) => write!(way, "\x1b[H"),
            (0, y) => write!(way, "\x1b[{}H", y + 1),
            (x, y) => write!(way, "\x1b[{};{}H", y + 1, x + 1),
        };
        match self.place {
            Some((from, at)) if at == y && from < x => {
                shorter(&mut way, forward(x - from));
                if let Some(again) = self.again(from, x, row) {
                    shorter(&mut way, again);
                }
            }
            // CR LF moves to the start of the next row in any mode; a bare line feed doesn't.
            Some((_, at)) if at < y && y - at <= 2 => {
                let start = "\r\n".repeat(usize::from(y - at));
                shorter(&mut way, start.clone() + &forward(x));
                if let Some(again) = self.again(0, x, row) {
                    shorter(&mut way, start + &again);
                }
            }
            _ => {}
        }
        out.push_str(&way);
        self.place = Some((x, y));
    }

    /// Returns the signs between two columns if they are shown already and the current pen writes them correctly.
    fn again(&self, from: u16, to: u16, row: &[Slot<'_>]) -> Option<String> {
        // Longer ones are never shorter than a move.
        if to - from > 8 {
            return None;
        }
        let mut text = String::new();
        for slot in row.get(usize::from(from)..usize::from(to))? {
            match *slot {
                Slot::Sign {
                    symbol, width: 1, ..
                } if slot.is_written_by(self.pen) && is_certain(symbol, 1) => {
                    text.push_str(symbol);
                }
                _ => return None,
            }
        }
        Some(text)
    }
}

/// Returns the column after which a row is blank.
fn bare_tail(row: &[Slot<'_>]) -> usize {
    row.iter()
        .rposition(|slot| !slot.is_bare())
        .map_or(0, |last| last + 1)
}

fn forward(columns: u16) -> String {
    match columns {
        0 => String::new(),
        1 => "\x1b[C".to_owned(),
        more => format!("\x1b[{more}C"),
    }
}

fn shorter(way: &mut String, other: String) {
    if other.len() < way.len() {
        *way = other;
    }
}

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;
