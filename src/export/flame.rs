//! The flame graph that inferno draws: zoomed by a click, searched with Ctrl-F in a browser.
//!
//! inferno takes stacks as lines of text and lays them out by itself. It is fed so that its layout is ours, and what it
//! says of each frame is replaced by our own figures: its per cents are of what is drawn, ours of the whole capture.

use std::fmt::Write as _;

use inferno::flamegraph::color::{self, BackgroundColor, PaletteMap};
use inferno::flamegraph::{self, Direction, Options, TextTruncateDirection};

use super::boxes::{Boxes, FrameBox};
use super::names::{clean, escape};
use super::{ExportError, Scene, colours, svg};

/// Deep stacks of long names make long lines, one for each box with a part of its own. Beyond so many bytes the
/// picture is drawn without inferno.
const MAX_TEXT: usize = 256 << 20;
/// Stands for frames that are too narrow, where no caller is drawn to stand for them.
const TOO_NARROW: &str = "(too narrow to draw)";

/// Draws the boxes with inferno; `None` if that would take too much memory.
///
/// # Errors
/// If inferno refuses.
pub(super) fn draw(scene: &Scene<'_>, boxes: &Boxes) -> Result<Option<Vec<u8>>, ExportError> {
    let Some(lines) = lines(boxes) else { return Ok(None) };
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
    Ok(Some(told(scene, &text).into_bytes()))
}

/// Writes the boxes as folded stacks, from right to left: inferno turns the lines of a chart around once more.
fn lines(boxes: &Boxes) -> Option<Vec<String>> {
    let mut path = String::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut bytes = 0;
    let mut lines = Vec::new();
    for FrameBox { depth, start, weight, own, name, .. } in &boxes.all {
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
    for FrameBox { node, name, depth, .. } in &boxes.all {
        if let Some(frame) = scene.reading.tree.frame(*node).filter(|_| *depth > 0) {
            insert(name, colours::of(scene.reading, frame));
        }
    }
    insert("", colours::ALL);
    palette
}

/// Puts our figures into the titles of the frames.
fn told(scene: &Scene<'_>, drawn: &str) -> String {
    const OPEN: &str = "<title>";
    const CLOSE: &str = "</title>";
    let unit = svg::unit(scene);
    let mut out = String::with_capacity(drawn.len());
    let mut frames = drawn.split(OPEN);
    // Before the first frame: the script, which tells the share of a search in what is drawn.
    out.push_str(&frames.next().unwrap_or_default().replacen("\"Matched: \"", "\"Matched of what is drawn: \"", 1));
    for frame in frames {
        out.push_str(OPEN);
        let parts = frame.split_once(CLOSE).and_then(|(title, rest)| {
            let (name, _) = title.rsplit_once(" (")?;
            let weight: i128 = rest.split_once("fg:w=\"")?.1.split_once('"')?.0.parse().ok()?;
            Some((name, weight, rest))
        });
        let Some((name, weight, rest)) = parts else {
            out.push_str(frame);
            continue;
        };
        let _ = write!(out, "{name} (");
        escape(&svg::figures(scene, weight, &unit), &mut out);
        let _ = write!(out, "){CLOSE}{rest}");
    }
    out
}
