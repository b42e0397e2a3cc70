//! The table of a report: the functions of a scene, heaviest first, as text.

use std::collections::HashMap;

use crate::export::Scene;
use crate::model::graph::frames::FrameId;
use crate::model::text::sanitize::printable;
use crate::model::text::share;
use crate::model::text::units;

/// The heads of the columns; figures are aligned to the right, the last two columns to the left.
pub(super) const HEADS: [&str; 7] = [
    "samples", "self", "self %", "total", "total %", "function", "location",
];

/// How many of the columns are figures.
pub(super) const FIGURES: usize = 5;

/// What a function adds up to below the scene's root.
#[derive(Default, Clone, Copy)]
struct Sum {
    samples: i64,
    own: i64,
    total: i64,
}

/// Returns the cells of at most `most` rows, and how many functions there are.
pub(super) fn rows(scene: &Scene<'_>, most: usize) -> (Vec<[String; 7]>, usize) {
    let reading = scene.reading;
    let mut sums: Vec<(FrameId, Sum)> = sums(scene).into_iter().collect();
    let name = |frame: FrameId| {
        (
            reading.frames.info(frame).name,
            reading.frames.info(frame).file,
        )
    };
    sums.sort_by(|(one, a), (other, b)| {
        let size = |sum: &Sum| {
            (
                sum.samples,
                sum.own.unsigned_abs(),
                sum.total.unsigned_abs(),
            )
        };
        size(b)
            .cmp(&size(a))
            .then_with(|| name(*one).cmp(&name(*other)))
            .then_with(|| one.cmp(other))
    });
    let unit = scene.unit();
    let largest = sums
        .iter()
        .map(|(_, sum)| sum.total.unsigned_abs().max(sum.own.unsigned_abs()))
        .max();
    let column = units::column_unit(largest.unwrap_or(0), &unit);
    let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
    let value = |value: i64| format!("{}{symbol}", units::column(i128::from(value), column));
    let cells = |(frame, sum): &(FrameId, Sum)| {
        [
            units::thousands(i128::from(sum.samples)),
            value(sum.own),
            share::per_cent(i128::from(sum.own), reading.base),
            value(sum.total),
            share::per_cent(i128::from(sum.total), reading.base),
            printable(reading.frames.name(*frame)).into_owned(),
            printable(&place(scene, *frame)).into_owned(),
        ]
    };
    (sums.iter().take(most).map(cells).collect(), sums.len())
}

/// Returns where a frame is, as `file:line`.
pub(super) fn place(scene: &Scene<'_>, frame: FrameId) -> String {
    let info = scene.reading.frames.info(frame);
    match (info.file, info.line) {
        ("", _) => "runtime".to_owned(),
        (file, Some(line)) => format!("{file}:{line}"),
        (file, None) => file.to_owned(),
    }
}

/// Adds up each function at and below the scene's root; a function that calls itself counts once in its total.
fn sums(scene: &Scene<'_>) -> HashMap<FrameId, Sum> {
    let tree = &scene.reading.tree;
    let mut sums: HashMap<FrameId, Sum> = HashMap::new();
    let mut on_path: HashMap<FrameId, u32> = HashMap::new();
    let mut path: Vec<(u32, FrameId)> = Vec::new();
    for node in tree.within(scene.root) {
        let Some(frame) = tree.frame(node) else {
            continue;
        };
        while let Some((depth, above)) = path.last().copied()
            && depth >= tree.depth(node)
        {
            path.pop();
            on_path.entry(above).and_modify(|count| *count -= 1);
        }
        let times = on_path.entry(frame).or_insert(0);
        let sum = sums.entry(frame).or_default();
        sum.samples += tree.self_samples(node);
        sum.own += tree.self_value(node);
        if *times == 0 {
            sum.total += tree.total(node);
        }
        *times += 1;
        path.push((tree.depth(node), frame));
    }
    sums
}
