//! Pictures of a finished screen: plain text, text with colour codes, SVG.
//!
//! Owns how cells become a file. Knows nothing of what is on the screen, so a picture is exactly what a terminal shows.

mod ansi;
mod blocks;
mod rgb;
mod svg;
mod text;

use ratatui::buffer::{Buffer, Cell, CellWidth as _};

pub use crate::ui::theme::Ground;
pub use ansi::ansi;
pub use svg::svg;
pub use text::text;

/// Walks the rows of a buffer, each as its cells with their column and without those a wide character hides.
fn rows(buffer: &Buffer) -> impl Iterator<Item = Vec<(u16, &Cell)>> {
    let width = usize::from(buffer.area.width).max(1);
    buffer.content.chunks(width).map(|cells| {
        let mut row = Vec::with_capacity(cells.len());
        let mut free = 0;
        for (column, cell) in (0u16..).zip(cells) {
            if column >= free {
                free = column + cell.symbol().cell_width().max(1);
                row.push((column, cell));
            }
        }
        row
    })
}
