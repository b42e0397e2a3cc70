//! A view as plain text: caption, icicle, table.

use crate::export::Scene;
use crate::export::rows::rows;
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
    out.push_str(&rows(scene, usize::MAX).0.text(None));
    out.into_bytes()
}
