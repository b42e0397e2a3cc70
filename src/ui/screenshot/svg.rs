//! The screen as an SVG picture, exact in any renderer: every sign stands at its own place.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;

use crate::ui::screenshot::blocks;
use crate::ui::screenshot::blocks::{CELL_HEIGHT, CELL_WIDTH};
use crate::ui::screenshot::rgb::rgb;
use crate::ui::screenshot::{Ground, rows};

/// Empty space round the screen.
const MARGIN: u32 = 14;
/// From the top of a cell to the foot of its letters.
const BASELINE: f32 = 15.6;
/// From the top of a cell to its underline.
const UNDERLINE: f32 = 18.6;

/// How a cell looks, resolved: reverse is undone, the terminal's own ink is the ground's.
#[derive(Clone, PartialEq, Eq)]
struct Look {
    ink: String,
    /// `None` where the empty screen shows.
    ground: Option<String>,
    bold: bool,
    italic: bool,
    underline: bool,
}

/// Returns the screen as a self-contained SVG picture on the given ground.
#[must_use]
pub fn svg(buffer: &Buffer, ground: &Ground) -> String {
    let width = u32::from(buffer.area.width) * CELL_WIDTH + 2 * MARGIN;
    let height = u32::from(buffer.area.height) * CELL_HEIGHT + 2 * MARGIN;
    let mut out = String::with_capacity(buffer.content.len() * 16);
    // Writing to a string can't fail, here and below.
    let _ = writeln!(
        out,
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" "#,
            r#"font-family="JetBrains Mono, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="16.667" "#,
            r#"style="font-variant-ligatures:none">"#,
            "\n",
            r#"<rect width="{w}" height="{h}" fill="{bg}"/>"#
        ),
        w = width,
        h = height,
        bg = hex(ground.bg)
    );
    for (y, row) in (0u32..).zip(rows(buffer)) {
        let row: Vec<Placed<'_>> = row
            .into_iter()
            .map(|(column, cell)| Placed {
                column,
                sign: cell.symbol(),
                look: look(cell, ground),
            })
            .collect();
        draw_row(&row, buffer.area.width, MARGIN + y * CELL_HEIGHT, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// A sign with its place and look.
struct Placed<'a> {
    column: u16,
    sign: &'a str,
    look: Look,
}

fn look(cell: &Cell, ground: &Ground) -> Look {
    let ink = rgb(cell.fg).unwrap_or(ground.fg);
    let behind = rgb(cell.bg);
    let (ink, behind) = if cell.modifier.contains(Modifier::REVERSED) {
        (behind.unwrap_or(ground.bg), Some(ink))
    } else {
        (ink, behind)
    };
    Look {
        ink: hex(ink),
        ground: behind.map(hex),
        bold: cell.modifier.contains(Modifier::BOLD),
        italic: cell.modifier.contains(Modifier::ITALIC),
        underline: cell.modifier.contains(Modifier::UNDERLINED),
    }
}

fn hex((red, green, blue): (u8, u8, u8)) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn draw_row(row: &[Placed<'_>], columns: u16, y: u32, out: &mut String) {
    let left = |column: u16| MARGIN + u32::from(column) * CELL_WIDTH;
    let end = |rest: &[Placed<'_>]| rest.first().map_or(columns, |next| next.column);
    for (run, rest) in runs(row, |a, b| a.look.ground == b.look.ground) {
        if let Some((first, fill)) = run
            .first()
            .and_then(|first| Some((first, first.look.ground.as_ref()?)))
        {
            let (x, width) = (
                left(first.column),
                u32::from(end(rest) - first.column) * CELL_WIDTH,
            );
            let _ = writeln!(
                out,
                r#"<rect x="{x}" y="{y}" width="{width}" height="{CELL_HEIGHT}" fill="{fill}"/>"#
            );
        }
    }
    // Signs of one look are one run of text; a block element or a sign of several characters stands for itself.
    let together = |a: &Placed<'_>, b: &Placed<'_>| {
        let same = a.look == b.look || (b.sign == " " && !b.look.underline && !a.look.underline);
        same && if blocks::is_block(a.sign) {
            a.sign == b.sign
        } else {
            is_single(a.sign) && is_single(b.sign)
        }
    };
    for (run, _) in runs(row, together) {
        let Some(first) = run.first() else { continue };
        if blocks::is_block(first.sign) {
            let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
            blocks::draw(
                first.sign,
                left(first.column),
                y,
                count,
                &first.look.ink,
                out,
            );
        } else {
            draw_text(run, y, out);
        }
    }
    for (run, rest) in runs(row, |a, b| {
        a.look.underline == b.look.underline && a.look.ink == b.look.ink
    }) {
        if let Some(first) = run.first().filter(|first| first.look.underline) {
            let (x, width) = (
                left(first.column),
                u32::from(end(rest) - first.column) * CELL_WIDTH,
            );
            let top = y as f32 + UNDERLINE;
            let ink = &first.look.ink;
            let _ = writeln!(
                out,
                r#"<rect x="{x}" y="{top}" width="{width}" height="1.2" fill="{ink}"/>"#
            );
        }
    }
}

/// Whether a sign is one character that counts as one place in a list of positions, and no block.
fn is_single(sign: &str) -> bool {
    let mut characters = sign.chars();
    let one = characters
        .next()
        .is_some_and(|character| u32::from(character) <= 0xffff)
        && characters.next().is_none();
    one && !blocks::is_block(sign)
}

/// Writes a run of letters, each with its own position; blanks are left out.
fn draw_text(run: &[Placed<'_>], y: u32, out: &mut String) {
    let letters = || run.iter().filter(|placed| placed.sign != " ");
    let Some(first) = letters().next() else {
        return;
    };
    let look = &first.look;
    out.push_str("<text x=\"");
    for (index, placed) in letters().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        let _ = write!(
            out,
            "{gap}{}",
            MARGIN + u32::from(placed.column) * CELL_WIDTH
        );
    }
    let bold = if look.bold {
        r#" font-weight="700""#
    } else {
        ""
    };
    let italic = if look.italic {
        r#" font-style="italic""#
    } else {
        ""
    };
    let _ = write!(
        out,
        r#"" y="{}" fill="{}"{bold}{italic}>"#,
        y as f32 + BASELINE,
        look.ink
    );
    for placed in letters() {
        escape(placed.sign, out);
    }
    out.push_str("</text>\n");
}

/// Appends text as XML content; characters XML can't hold become U+FFFD.
fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
}

/// Cuts a row into runs of neighbours that belong together; each comes with what is right of it.
fn runs<T>(row: &[T], together: impl Fn(&T, &T) -> bool) -> impl Iterator<Item = (&[T], &[T])> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let length = rest
            .iter()
            .position(|item| !together(first, item))
            .unwrap_or(rest.len())
            .max(1);
        let (run, after) = rest.split_at(length);
        rest = after;
        Some((run, after))
    })
}
