//! What a terminal shows, as the buffer that pictures and snapshots are made of, with a fixed time in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use regex::Regex;

use crate::terminal::Terminal;

/// What changes from one time to another, and what stands there instead: as many signs.
const MASKS: &[(&str, &str)] = &[
    (r"\b\d\d:\d\d:\d\dZ", "03:12:40Z"),
    (r"\b\d\d:\d\dZ, just now", "03:12Z, just now"),
    (r"\b20\d\d-\d\d-\d\d\b", "2026-11-30"),
    (r"\b20\d{6}T\d{6}Z\b", "20261130T031240Z"),
];

/// The screen of a terminal.
pub(crate) fn buffer(terminal: &Terminal) -> Buffer {
    terminal.with_screen(|screen| {
        let (rows, columns) = screen.size();
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns.get(), rows.get()));
        for row in 0..rows.get() {
            for column in 0..columns.get() {
                let (Some(from), Some(to)) =
                    (screen.cell(row, column), buffer.cell_mut((column, row)))
                else {
                    continue;
                };
                if !from.contents().is_empty() {
                    to.set_symbol(from.contents());
                }
                (to.fg, to.bg) = (colour(from.fgcolor()), colour(from.bgcolor()));
                for (is_on, modifier) in [
                    (from.bold(), Modifier::BOLD),
                    (from.underline(), Modifier::UNDERLINED),
                    (from.inverse(), Modifier::REVERSED),
                ] {
                    to.modifier.set(modifier, is_on);
                }
                // Which ink a blank was sent with depends on what stood there before, and nobody sees it.
                if to.symbol() == " " && !to.modifier.contains(Modifier::REVERSED) {
                    to.fg = Color::Reset;
                    to.modifier.remove(Modifier::BOLD);
                }
            }
        }
        mask(&mut buffer);
        buffer
    })
}

fn colour(colour: vt100::Color) -> Color {
    match colour {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(index) => Color::Indexed(index),
        vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    }
}

/// Puts a fixed time in the place of the real one.
fn mask(buffer: &mut Buffer) {
    for row in 0..buffer.area.height {
        // One character a cell, so that places in the text are columns.
        let text: String = (0..buffer.area.width)
            .map(|column| buffer[(column, row)].symbol().chars().next().unwrap_or(' '))
            .collect();
        for (pattern, instead) in MASKS {
            for found in Regex::new(pattern).unwrap().find_iter(&text) {
                let start = text[..found.start()].chars().count();
                for (at, sign) in instead.chars().enumerate() {
                    let column = u16::try_from(start + at).unwrap();
                    buffer[(column, row)].set_symbol(sign.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }
}
