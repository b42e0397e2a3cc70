//! The icicle as plain text, for where there is no picture: a ticket, a chat, a terminal without colours.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr as _;

use crate::export::Scene;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::icicle::{Block, Content, Order, Window, layout};
use crate::model::text::cut::cut;
use crate::model::text::units;

/// From so many cells a label has the share.
const SHARE_FROM: usize = 24;
/// From so many cells it has the value as well.
const VALUE_FROM: usize = 36;

/// Draws the icicle `columns` wide and at most `rows` deep, the bar of the whole on top. Frames begin with `▏`, and so
/// does the bare ground behind one.
pub(super) fn sketch(scene: &Scene<'_>, columns: u16, rows: u16) -> String {
    let (tree, frames) = (&scene.reading.tree, &scene.reading.frames);
    let window = Window {
        root: scene.root,
        columns,
        first_row: 0,
        rows,
        order: Order::Weight,
        only: None,
    };
    let layout = layout(tree, frames, &window);
    let mut lines = vec![ceiling(scene, usize::from(columns))];
    for row in 0..layout.rows() {
        let blocks = layout.row(row);
        if !blocks.is_empty() {
            lines.push(line(scene, blocks, usize::from(columns)));
        }
    }
    let below = tree.height(scene.root).saturating_sub(u32::from(rows));
    if below > 0 {
        lines.push(format!(
            "▾ {}",
            units::counted(i128::from(below), "more row")
        ));
    }
    lines.join("\n") + "\n"
}

/// The bar of the whole: its name at the left, its figures at the right.
fn ceiling(scene: &Scene<'_>, columns: usize) -> String {
    let tree = &scene.reading.tree;
    let name = tree
        .frame(scene.root)
        .map_or("all".into(), |frame| scene.reading.frames.label(frame));
    let total = i128::from(tree.total(scene.root));
    let share = scene.reading.of_capture().share(total);
    let figures = format!(
        "{share} of capture  {}",
        tree.amount(scene.root, &scene.unit())
    );
    let name = fitting(&name, columns.saturating_sub(figures.width() + 3));
    let gap = columns.saturating_sub(1 + name.width() + figures.width());
    format!(" {name}{}{figures}", " ".repeat(gap))
}

fn line(scene: &Scene<'_>, blocks: &[Block], columns: usize) -> String {
    let mut line = String::new();
    let mut at = 0;
    for block in blocks {
        let start = usize::from(block.start);
        // The last cell may be filled in part; from half a cell on it belongs to the frame.
        let end = usize::try_from((block.end_eighths + 4) / 8)
            .unwrap_or(columns)
            .clamp(start + 1, columns.max(start + 1));
        if at < start && at > 0 {
            line.push('▏');
            at += 1;
        }
        line.push_str(&" ".repeat(start.saturating_sub(at)));
        let cells = end - start;
        let (text, fill) = match block.content {
            Content::Frame(node) => (
                format!("▏{}", fitting(&label(scene, node, cells - 1), cells - 1)),
                ' ',
            ),
            Content::Collected(rest) => {
                let count = format!("░+{}", units::thousands(i128::from(rest.count)));
                (
                    if count.width() <= cells {
                        count
                    } else {
                        "░".to_owned()
                    },
                    '░',
                )
            }
        };
        line.push_str(&text);
        line.extend(std::iter::repeat_n(
            fill,
            cells.saturating_sub(text.width()),
        ));
        at = end;
    }
    if at < columns {
        line.push('▏');
    }
    line.trim_end().to_owned()
}

fn label(scene: &Scene<'_>, node: NodeId, cells: usize) -> String {
    let reading = scene.reading;
    let name = reading.tree.frame(node).map_or("all".into(), |frame| {
        let info = reading.frames.info(frame);
        info.fitting_label(|label| label.width() <= cells)
    });
    let total = i128::from(reading.tree.total(node));
    let share = reading.of_capture().share(total);
    let longest = format!(
        "{name}  {share}  {}",
        reading.tree.amount(node, &scene.unit())
    );
    let longer = format!("{name}  {share}");
    if cells >= VALUE_FROM && longest.width() <= cells {
        longest
    } else if cells >= SHARE_FROM && longer.width() <= cells {
        longer
    } else {
        name.into_owned()
    }
}

/// A text that fits into so many cells; nothing where fewer than four would show its beginning.
fn fitting(text: &str, cells: usize) -> Cow<'_, str> {
    if cells < 4 && text.width() > cells {
        return Cow::Borrowed("");
    }
    cut(text, cells)
}
