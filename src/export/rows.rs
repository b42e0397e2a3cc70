//! The table of a report: the functions of a scene, heaviest first, as text.

use crate::export::Scene;
use crate::model::graph::ranking::{Row, Sort, rank_within};
use crate::model::text::sanitize::printable;
use crate::model::text::units;

/// The heads of the columns; figures are aligned to the right, the last two columns to the left.
pub(super) const HEADS: [&str; 7] = [
    "samples", "self", "self %", "total", "total %", "function", "location",
];

/// How many of the columns are figures.
pub(super) const FIGURES: usize = 5;

/// Returns the cells of at most `most` rows, and how many functions there are.
pub(super) fn rows(scene: &Scene<'_>, most: usize) -> (Vec<[String; 7]>, usize) {
    let reading = scene.reading;
    let rows = rank_within(reading, scene.root, Sort::Samples, false);
    let unit = scene.unit();
    let largest = rows
        .iter()
        .map(|row| row.total.unsigned_abs().max(row.self_value.unsigned_abs()))
        .max();
    let column = units::column_unit(largest.unwrap_or(0), &unit);
    let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
    let value = |value: i64| format!("{}{symbol}", units::column(i128::from(value), column));
    let base = reading.of_capture();
    let cells = |row: &Row| {
        let info = reading.frames.info(row.frame);
        [
            units::thousands(i128::from(row.samples)),
            value(row.self_value),
            base.share(row.self_value),
            value(row.total),
            base.share(row.total),
            printable(info.name).into_owned(),
            info.place(),
        ]
    };
    (rows.iter().take(most).map(cells).collect(), rows.len())
}
