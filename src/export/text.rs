//! A view as plain text: caption, icicle, table.

use unicode_width::UnicodeWidthStr as _;

use crate::export::Scene;
use crate::export::rows::{FIGURES, HEADS, rows};
use crate::export::sketch::sketch;

/// Width of the page.
const COLUMNS: u16 = 100;
/// Levels of the icicle.
const LEVELS: u16 = 60;

/// Returns a view as plain text, 100 columns wide except for long locations.
#[must_use]
pub fn text(scene: &Scene<'_>) -> Vec<u8> {
    let mut out = format!("{}\n{}\n\n", scene.caption.title, scene.caption.facts);
    if scene.reading.tree.weight(scene.root) == 0 {
        out.push_str("Nothing to show: this view holds no samples.\n");
        return out.into_bytes();
    }
    out.push_str(&sketch(scene, COLUMNS, LEVELS));
    out.push('\n');
    let (cells, _) = rows(scene, usize::MAX);
    let mut table = vec![HEADS.map(str::to_owned)];
    table.extend(cells);
    let mut widths = [0; HEADS.len()];
    for row in &table {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    for row in &table {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
            let blanks = " ".repeat(width.saturating_sub(cell.width()));
            line.push_str(if at == 0 { "" } else { "  " });
            line.push_str(&if at < FIGURES {
                blanks + cell
            } else {
                cell.clone() + &blanks
            });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.into_bytes()
}
