//! The table of a report: the functions of a scene, heaviest first.

use crate::export::Scene;
use crate::export::table::{Align, TextTable};
use crate::model::graph::ranking::{Row, Sort, rank_within};
use crate::model::text::units;

/// The columns.
const HEAD: [(&str, Align); 7] = [
    ("samples", Align::Right),
    ("self", Align::Right),
    ("self %", Align::Right),
    ("total", Align::Right),
    ("total %", Align::Right),
    ("function", Align::Name),
    ("location", Align::Place),
];

/// Returns the table of at most `most` functions, and how many there are.
pub(super) fn rows(scene: &Scene<'_>, most: usize) -> (TextTable, usize) {
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
        vec![
            units::thousands(i128::from(row.samples)),
            value(row.self_value),
            base.share(row.self_value),
            value(row.total),
            base.share(row.total),
            info.name.to_owned(),
            info.place(),
        ]
    };
    let shown: Vec<Vec<String>> = rows.iter().take(most).map(cells).collect();
    (TextTable::new(&HEAD, &shown), rows.len())
}
