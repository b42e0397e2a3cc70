//! Block elements and lines as shapes, as most terminals draw them themselves: a font's own would leave seams.

use std::fmt::Write as _;

/// Width of a cell, in units of the picture.
pub(crate) const CELL_WIDTH: u32 = 10;
/// Height of a cell.
pub(crate) const CELL_HEIGHT: u32 = 21;

/// Whether a sign is drawn as a shape.
pub(crate) fn is_block(sign: &str) -> bool {
    shape(sign).is_some()
}

/// A sign's shape as part of a cell.
enum Shape {
    /// Left, top, width and height, in eighths of the cell across and in units down.
    Box {
        left: u32,
        width: u32,
        top: f32,
        height: f32,
    },
    /// A dotted fill.
    Dots,
}

fn shape(sign: &str) -> Option<Shape> {
    let whole = CELL_HEIGHT as f32;
    let left_part = |width| Shape::Box {
        left: 0,
        width,
        top: 0.0,
        height: whole,
    };
    let bar = |left, width, height: f32| Shape::Box {
        left,
        width,
        top: (whole - height) / 2.0,
        height,
    };
    Some(match sign {
        "▏" => left_part(1),
        "▎" => left_part(2),
        "▍" => left_part(3),
        "▌" => left_part(4),
        "▋" => left_part(5),
        "▊" => left_part(6),
        "▉" => left_part(7),
        "█" => left_part(8),
        "▕" => Shape::Box {
            left: 7,
            width: 1,
            top: 0.0,
            height: whole,
        },
        "▐" => Shape::Box {
            left: 4,
            width: 4,
            top: 0.0,
            height: whole,
        },
        "━" => bar(0, 8, 3.0),
        "╸" => bar(0, 4, 3.0),
        "╺" => bar(4, 4, 3.0),
        "─" => bar(0, 8, 1.2),
        "│" => Shape::Box {
            left: 4,
            width: 1,
            top: 0.0,
            height: whole,
        },
        "░" => Shape::Dots,
        _ => return None,
    })
}

/// Appends `count` equal signs side by side, the first with its left top corner at `x`, `y`. Anything else is left out.
pub(crate) fn draw(sign: &str, x: u32, y: u32, count: u32, colour: &str, out: &mut String) {
    // Writing to a string can't fail.
    let _ = match shape(sign) {
        // Side by side they are one bar; drawn one by one, renderers would show the seams.
        Some(Shape::Box {
            left: 0,
            width: 8,
            top,
            height,
        }) => {
            let (top, width) = (y as f32 + top, count * CELL_WIDTH);
            writeln!(
                out,
                r#"<rect x="{x}" y="{top}" width="{width}" height="{height}" fill="{colour}"/>"#
            )
        }
        Some(Shape::Box {
            left,
            width,
            top,
            height,
        }) => {
            let unit = CELL_WIDTH as f32 / 8.0;
            let (top, width) = (y as f32 + top, width as f32 * unit);
            (0..count).try_for_each(|cell| {
                let x = (x + cell * CELL_WIDTH) as f32 + left as f32 * unit;
                writeln!(
                    out,
                    r#"<rect x="{x}" y="{top}" width="{width}" height="{height}" fill="{colour}"/>"#
                )
            })
        }
        Some(Shape::Dots) => {
            let _ = write!(out, r#"<path fill="{colour}" d=""#);
            for (row, top) in (0..CELL_HEIGHT).step_by(2).enumerate() {
                for left in (row as u32 % 2 * 2..count * CELL_WIDTH).step_by(4) {
                    let _ = write!(out, "M{} {}h1.3v1.3h-1.3z", x + left, y + top);
                }
            }
            writeln!(out, r#""/>"#)
        }
        None => Ok(()),
    };
}
