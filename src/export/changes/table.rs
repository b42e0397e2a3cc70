//! The table of changes, for a terminal and as Markdown.

use std::fmt::Write as _;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::export::signs::plus;
use crate::export::{code_span, columns};
use crate::model::diff::{Change, Comparison, Pair, Status};
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::model::text::share;
use crate::model::text::units;

/// Columns of the function's name before the location; longer names push it out rather than being cut.
const NAME_COLUMNS: usize = 48;
/// Heads of the figures; `#` is the unit.
const HEADS: [&str; 7] = [
    "base#",
    "% of base",
    "new#",
    "% of new",
    "change#",
    "factor",
    "total change#",
];

/// The rows as they are written.
pub(super) struct Table {
    heads: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    figures: Vec<String>,
    function: String,
    location: String,
}

impl Table {
    /// Writes the rows' figures out, each column in one unit.
    pub(super) fn new(new: &Profile, comparison: &Comparison, changes: &[Change]) -> Self {
        let (_, unit) = new.type_names(comparison.reading.sample_type);
        let amounts = |pair: Pair| [pair.base, pair.new, pair.change()];
        let all = changes
            .iter()
            .flat_map(|row| [amounts(row.own), amounts(row.total)])
            .flatten();
        let column = units::column_unit(all.map(i64::unsigned_abs).max().unwrap_or(0), &unit);
        let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
        let figure = |value: i64| units::column(value.into(), column);
        let signed = |value: i64| {
            let text = figure(value);
            let is_zero = !text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            if is_zero {
                text
            } else {
                plus(value.into(), text)
            }
        };
        let row = |change: &Change| {
            let info = comparison.reading.frames.info(change.frame);
            let side = |value: i64, whole: i128, other: Status| match change.status {
                status if status == other => ["–".to_owned(), "–".to_owned()],
                _ => [figure(value), share::per_cent(value.into(), whole)],
            };
            let [base, base_share] = side(change.own.base, comparison.base.whole, Status::New);
            let [new, new_share] = side(change.own.new, comparison.new.whole, Status::Gone);
            let (own, total) = (signed(change.own.change()), signed(change.total.change()));
            Row {
                figures: vec![base, base_share, new, new_share, own, factor(change), total],
                function: printable(info.name).into_owned(),
                location: info.place(),
            }
        };
        let heads = HEADS
            .iter()
            .map(|head| head.replace('#', &symbol))
            .collect();
        Self {
            heads,
            rows: changes.iter().map(row).collect(),
        }
    }

    /// Writes it in columns; nothing where there are no rows.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let names = self.rows.iter().map(|row| row.function.width());
        let widest = names
            .max()
            .unwrap_or(0)
            .clamp("function".len(), NAME_COLUMNS);
        let place = |name: &str, location: &str| {
            let blanks = " ".repeat(widest.saturating_sub(name.width()));
            format!("{name}{blanks}  {location}")
        };
        let mut heads: Vec<String> = self.heads.iter().map(|head| format!("{head}>")).collect();
        heads.push(place("function", "location"));
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let cells = self.rows.iter().map(|row| {
            let place = place(&row.function, &row.location);
            row.figures.iter().cloned().chain([place]).collect()
        });
        columns::write(out, &heads, &cells.collect::<Vec<Vec<String>>>())
    }

    /// Returns it as Markdown, names in code spans, with a word on those of `all` rows that are left out.
    pub(super) fn markdown(&self, all: usize) -> String {
        let mut out = String::new();
        if self.rows.is_empty() {
            return out;
        }
        // Writing to a string can't fail.
        let _ = writeln!(out, "| {} | function | location |", self.heads.join(" | "));
        let _ = writeln!(out, "|{}---|---|", "---:|".repeat(self.heads.len()));
        for row in &self.rows {
            let span = |text: &str| code_span(text).replace('|', "\\|");
            let _ = writeln!(
                out,
                "| {} | {} | {} |",
                row.figures.join(" | "),
                span(&row.function),
                span(&row.location)
            );
        }
        let more = i128::try_from(all.saturating_sub(self.rows.len())).unwrap_or(i128::MAX);
        if more > 0 {
            let _ = writeln!(out, "\nand {}.", units::counted(more, "more function"));
        }
        out
    }
}

/// How the function's own value changed, as a factor or a percentage.
fn factor(change: &Change) -> String {
    let Change { own, status, .. } = change;
    match status {
        Status::New => "new".to_owned(),
        Status::Gone => "gone".to_owned(),
        Status::Same | Status::Changed => {
            share::change(own.base.into(), own.new.into()).unwrap_or_else(|| "–".to_owned())
        }
    }
}
