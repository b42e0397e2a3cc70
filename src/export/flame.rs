//! The flame graph that inferno draws: zoomed by a click, searched with Ctrl-F in a browser.
//!
//! inferno takes stacks as lines of text and lays them out by itself. It is fed so that its layout is ours, and what it
//! says of each frame is replaced by our own figures: its per cents are of what is drawn, ours of the whole capture.

use std::collections::HashMap;
use std::fmt::Write as _;

use inferno::flamegraph::color::{self, BackgroundColor, PaletteMap};
use inferno::flamegraph::{self, Direction, Options, TextTruncateDirection};

use crate::export::boxes::{Boxes, FrameBox};
use crate::export::names::{clean, escape};
use crate::export::{ExportError, Scene, changes, colours, svg};
use crate::model::diff::Comparison;
use crate::model::graph::call_tree::NodeId;

/// Deep stacks of long names make long lines, one for each box with a part of its own. Beyond so many bytes the
/// picture is drawn without inferno.
const MAX_TEXT: usize = 256 << 20;
/// From the top of a frame to that of the next row, in pixels.
const ROW: u64 = 16;
const OPEN: &str = "<title>";
const CLOSE: &str = "</title>";
/// Stands for frames that are too narrow, where no caller is drawn to stand for them.
const TOO_NARROW: &str = "(too narrow to draw)";

/// Draws the boxes with inferno; `None` if that would take too much memory.
///
/// # Errors
/// If inferno refuses.
pub(super) fn draw(
    scene: &Scene<'_>,
    boxes: &Boxes,
    comparison: Option<&Comparison>,
) -> Result<Option<Vec<u8>>, ExportError> {
    let Some(lines) = lines(boxes) else {
        return Ok(None);
    };
    let mut palette = palette(scene, boxes);
    let mut options = Options::default();
    options.title = clean(&scene.caption.title);
    options.subtitle = svg::subtitle(scene, boxes).map(|facts| clean(&facts));
    options.direction = Direction::Inverted;
    options.text_truncate_direction = TextTruncateDirection::Right;
    // The order is kept only here; elsewhere stacks must come sorted by name.
    options.flame_chart = true;
    options.min_width = 0.0;
    options.palette_map = Some(&mut palette);
    options.bgcolors = color::parse_hex_color(colours::GROUND).map(BackgroundColor::Flat);
    options.font_type = "monospace".to_owned();
    options.font_width = 0.6;
    let mut drawn = Vec::new();
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), &mut drawn)
        .map_err(ExportError::FlameGraph)?;
    let text = String::from_utf8_lossy(&drawn);
    let told = match comparison {
        None => told(scene, &text),
        Some(comparison) => compared(scene, boxes, comparison, &text),
    };
    Ok(Some(told.into_bytes()))
}

/// Writes the boxes as folded stacks, from right to left: inferno turns the lines of a chart around once more.
fn lines(boxes: &Boxes) -> Option<Vec<String>> {
    let mut path = String::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut bytes = 0;
    let mut lines = Vec::new();
    for FrameBox {
        depth,
        start,
        weight,
        own,
        name,
        ..
    } in &boxes.all
    {
        // The bar of the whole picture is inferno's own.
        if let Some(level) = depth.checked_sub(1) {
            ends.truncate(level as usize);
            path.truncate(ends.last().copied().unwrap_or(0));
            if level > 0 {
                path.push(';');
            }
            path.push_str(name);
            ends.push(path.len());
        }
        if *own > 0 {
            // What the bar itself has of its own are frames that were left out; they must stand in some frame.
            let line = format!("{} {own}", if path.is_empty() { TOO_NARROW } else { &path });
            bytes += line.len();
            if bytes > MAX_TEXT {
                return None;
            }
            lines.push((start + weight - own, line));
        }
    }
    // A frame's own part lies right of all it calls, and no two parts overlap.
    lines.sort_by_key(|(part, _)| std::cmp::Reverse(*part));
    Some(lines.into_iter().map(|(_, line)| line).collect())
}

fn palette(scene: &Scene<'_>, boxes: &Boxes) -> PaletteMap {
    let mut palette = PaletteMap::default();
    let mut insert = |name: &str, colour: &str| {
        if let Some(colour) = color::parse_hex_color(colour) {
            palette.insert(name, colour);
        }
    };
    for FrameBox {
        node, name, depth, ..
    } in &boxes.all
    {
        if let Some(frame) = scene.reading.tree.frame(*node).filter(|_| *depth > 0) {
            insert(name, colours::of(scene.reading, frame));
        }
    }
    insert("", colours::ALL);
    palette
}

/// Puts our figures into the titles of the frames.
fn told(scene: &Scene<'_>, drawn: &str) -> String {
    let unit = svg::unit(scene);
    rewritten(drawn, |frame, out| {
        let weight: i128 = frame.weight.parse().ok()?;
        let _ = write!(out, "{OPEN}{} (", frame.name);
        escape(&svg::figures(scene, weight, &unit), out);
        let _ = write!(out, "){CLOSE}{}", frame.rest);
        Some(())
    })
}

/// Puts both sides' figures into the titles of the frames, and what became of each into its colour. A box is known by its
/// left end and its row: the same function may have more in one place and less in another.
fn compared(scene: &Scene<'_>, boxes: &Boxes, comparison: &Comparison, drawn: &str) -> String {
    let unit = svg::unit(scene);
    let nodes: HashMap<(u64, u64), NodeId> = boxes
        .all
        .iter()
        .map(|one| ((one.start, one.depth.into()), one.node))
        .collect();
    let row = |rest: &str| attribute(rest, "y")?.parse::<u64>().ok();
    let top = drawn.split(OPEN).skip(1).filter_map(row).min().unwrap_or(0);
    rewritten(drawn, |frame, out| {
        let at = (
            attribute(frame.rest, "fg:x")?.parse().ok()?,
            (row(frame.rest)? - top) / ROW,
        );
        let node = *nodes.get(&at)?;
        let fill = attribute(frame.rest, "fill")?;
        let _ = write!(out, "{OPEN}{} (", frame.name);
        escape(&changes::figures(comparison.total(node), &unit), out);
        let colour = colours::of_step(comparison.step(node));
        let _ = write!(out, "){CLOSE}{}", frame.rest.replacen(fill, colour, 1));
        Some(())
    })
}

/// A frame as inferno has drawn it.
struct Frame<'a> {
    /// Escaped.
    name: &'a str,
    /// Its width.
    weight: &'a str,
    /// What stands behind its title, the next frame's beginning with it.
    rest: &'a str,
}

/// Writes each frame anew; one that can't be stays as it is.
fn rewritten(drawn: &str, write: impl Fn(&Frame<'_>, &mut String) -> Option<()>) -> String {
    let mut out = String::with_capacity(drawn.len());
    let mut frames = drawn.split(OPEN);
    // Before the first frame: the style, in which the word that opens the search is nearly white, and the script, which tells
    // the share of a search in what is drawn.
    let head = frames.next().unwrap_or_default().replacen(
        "#search { text-anchor:end; opacity:0.1;",
        "#search { text-anchor:end; opacity:0.7;",
        1,
    );
    out.push_str(&head.replacen("\"Matched: \"", "\"Matched of what is drawn: \"", 1));
    for drawn in frames {
        let frame = drawn.split_once(CLOSE).and_then(|(title, rest)| {
            let (name, _) = title.rsplit_once(" (")?;
            Some(Frame {
                name,
                weight: attribute(rest, "fg:w")?,
                rest,
            })
        });
        let at = out.len();
        if frame.and_then(|frame| write(&frame, &mut out)).is_none() {
            out.truncate(at);
            out.push_str(OPEN);
            out.push_str(drawn);
        }
    }
    out
}

/// The first attribute of that name.
fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split_once(&format!(" {name}=\""))?
        .1
        .split_once('"')
        .map(|(value, _)| value)
}
