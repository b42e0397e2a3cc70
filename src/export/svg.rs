//! A view as an SVG picture: inferno's flame graph, or a plain one of our own where inferno has none.
//!
//! inferno knows no values below zero, no empty profile, and needs memory for each stack as text; for those the picture
//! is drawn here, without zoom and search.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use crate::export::boxes::{Boxes, FrameBox};
use crate::export::names::{clean, escape};
use crate::export::{ExportError, Scene, changes, colours, flame};
use crate::model::diff::{Comparison, Step};
use crate::model::text::sanitize::printable;
use crate::model::text::units;

const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 10.0;
const ROW: u32 = 17;
const HEAD: u32 = 64;
/// Width of a letter of the labels.
const LETTER: f64 = 7.2;

/// Draws a view as a flame graph, callers above and callees below.
///
/// # Errors
/// [`ExportError::FlameGraph`] if the library that draws it refuses.
pub fn svg(scene: &Scene<'_>) -> Result<Vec<u8>, ExportError> {
    let boxes = Boxes::new(scene);
    if boxes.total() > 0
        && !scene.reading.tree.has_negative()
        && let Some(drawn) = flame::draw(scene, &boxes, None)?
    {
        return Ok(drawn);
    }
    Ok(plain(scene, &boxes, None).into_bytes())
}

/// Draws a comparison, whose reading the scene is of: as wide as its stacks are, red where there is more, blue where there
/// is less. Names carry a mark that says the same.
///
/// # Errors
/// As [`svg`].
pub(super) fn of_changes(
    scene: &Scene<'_>,
    comparison: &Comparison,
) -> Result<Vec<u8>, ExportError> {
    let mut boxes = Boxes::new(scene);
    for one in boxes.all.iter_mut().filter(|one| one.depth > 0) {
        let mark = match comparison.step(one.node) {
            Step::Same => continue,
            Step::More(_) => '▴',
            Step::Less(_) => '▾',
        };
        one.name = format!("{mark} {}", one.name);
    }
    // Only what is drawn has a width, so there is nothing below zero to draw.
    if boxes.total() > 0
        && let Some(drawn) = flame::draw(scene, &boxes, Some(comparison))?
    {
        return Ok(drawn);
    }
    Ok(plain(scene, &boxes, Some(comparison)).into_bytes())
}

/// Answers what stands below the title, if anything.
pub(super) fn subtitle(scene: &Scene<'_>, boxes: &Boxes) -> Option<String> {
    let mut parts = Vec::new();
    if !scene.caption.facts.is_empty() {
        parts.push(scene.caption.facts.clone());
    }
    if boxes.left_out > 0 {
        let count = units::counted(i128::try_from(boxes.left_out).unwrap_or(i128::MAX), "frame");
        let deep = boxes.rows.map_or_else(String::new, |rows| {
            format!(
                " or deeper than {}",
                units::counted(i128::from(rows), "row")
            )
        });
        parts.push(format!("{count} under 0.01 %{deep} not drawn"));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// Answers the unit of the values, safe to show at the end of a title in brackets.
pub(super) fn unit(scene: &Scene<'_>) -> String {
    let (_, unit) = scene.profile.type_names(scene.reading.sample_type);
    printable(&unit)
        .replace('(', "[")
        .replace(')', "]")
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Answers a value and its share of the whole capture.
pub(super) fn figures(scene: &Scene<'_>, value: i128, unit: &str) -> String {
    format!(
        "{}, {}",
        units::value(value, unit),
        units::per_cent(value, scene.reading.base)
    )
}

/// Draws the boxes without a library.
fn plain(scene: &Scene<'_>, boxes: &Boxes, comparison: Option<&Comparison>) -> String {
    let empty = boxes.total() == 0;
    let rows = if empty {
        2
    } else {
        boxes.all.iter().map(|one| one.depth + 1).max().unwrap_or(0)
    };
    let height = HEAD + rows * ROW + ROW;
    let mut out = String::new();
    // Writing to a string can't fail, here and below.
    let _ = writeln!(
        out,
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" "#,
            r#"font-family="monospace" font-size="12">"#,
            "\n",
            r#"<rect width="{w}" height="{h}" fill="{ground}"/>"#
        ),
        w = WIDTH,
        h = height,
        ground = colours::GROUND
    );
    heading(&clean(&scene.caption.title), 24, 17, &mut out);
    if let Some(facts) = subtitle(scene, boxes) {
        heading(&clean(&facts), 44, 12, &mut out);
    }
    if empty {
        heading(
            "Nothing to draw: this view holds no samples.",
            HEAD + ROW,
            12,
            &mut out,
        );
    } else {
        let unit = unit(scene);
        for one in &boxes.all {
            draw(scene, one, boxes.total(), (&unit, comparison), &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn heading(text: &str, y: u32, size: u32, out: &mut String) {
    let _ = write!(
        out,
        r#"<text x="{}" y="{y}" font-size="{size}" text-anchor="middle">"#,
        WIDTH / 2.0
    );
    escape(text, out);
    out.push_str("</text>\n");
}

#[expect(clippy::cast_precision_loss, reason = "pixels")]
fn draw(
    scene: &Scene<'_>,
    one: &FrameBox,
    total: u64,
    (unit, comparison): (&str, Option<&Comparison>),
    out: &mut String,
) {
    let tree = &scene.reading.tree;
    let scale = (WIDTH - 2.0 * MARGIN) / total as f64;
    let (x, width) = (MARGIN + one.start as f64 * scale, one.weight as f64 * scale);
    let y = HEAD + one.depth * ROW;
    let value = tree.total(one.node);
    let fill = match (comparison, tree.frame(one.node)) {
        (Some(comparison), _) => colours::of_step(comparison.step(one.node)),
        _ if value < 0 => colours::BELOW_ZERO,
        (None, Some(frame)) if one.depth > 0 => colours::of(scene.reading, frame),
        _ => colours::ALL,
    };
    out.push_str("<g><title>");
    escape(&one.name, out);
    out.push_str(" (");
    let told = comparison.map(|comparison| changes::figures(comparison.total(one.node), unit));
    escape(
        &told.unwrap_or_else(|| figures(scene, i128::from(value), unit)),
        out,
    );
    let _ = write!(
        out,
        r#")</title><rect x="{x:.2}" y="{y}" width="{width:.2}" height="{}" fill="{fill}" rx="1"/>"#,
        ROW - 1
    );
    let label = cut(&one.name, ((width - 6.0) / LETTER).max(0.0) as usize);
    if !label.is_empty() {
        let _ = write!(out, r#"<text x="{:.2}" y="{}">"#, x + 3.0, y + 12);
        escape(&label, out);
        out.push_str("</text>");
    }
    out.push_str("</g>\n");
}

/// Cuts a name to so many letters; nothing where fewer than three fit.
fn cut(name: &str, letters: usize) -> String {
    let width = |text: &str| {
        text.chars()
            .map(|character| character.width().unwrap_or(0))
            .sum::<usize>()
    };
    if width(name) <= letters {
        return name.to_owned();
    }
    if letters < 3 {
        return String::new();
    }
    let mut room = letters - 1;
    let fits = |character: &char| {
        let width = character.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    };
    name.chars().take_while(fits).chain(['…']).collect()
}
