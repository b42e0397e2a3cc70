//! What is said above the table of changes, and the reports made of both.

use std::time::Duration;

use crate::export::changes::Changes;
use crate::export::changes::table::table;
use crate::export::code_span;
use crate::model::diff::{Change, Comparison, Status};
use crate::model::graph::call_tree::NodeId;
use crate::model::profile::Profile;
use crate::model::text::cut::wrap_whole;
use crate::model::text::sanitize::printable;
use crate::model::text::share;
use crate::model::text::units;
use crate::model::text::units::plus;

/// Returns a report for a ticket; it shows `rows` out of `all`.
pub(super) fn markdown(changes: &Changes<'_>, all: &[Change], rows: &[Change]) -> String {
    let name = |name: &str| code_span(&printable(name));
    let (base, new) = changes.names;
    let summary = summary(changes, all).replace('\n', "  \n");
    let table = if rows.is_empty() {
        String::new()
    } else {
        table(changes.new, changes.comparison, rows).markdown(all.len())
    };
    format!("## {} → {}\n\n{summary}\n{table}", name(base), name(new))
}

/// Returns the same report as plain text.
pub(super) fn text(changes: &Changes<'_>, all: &[Change], rows: &[Change]) -> String {
    let summary = summary(changes, all);
    let mut out = match changes.columns {
        Some(columns) => summary
            .lines()
            .flat_map(|line| wrap_whole(line, columns))
            .map(|line| line + "\n")
            .collect(),
        None => summary,
    };
    if !rows.is_empty() {
        out += &table(changes.new, changes.comparison, rows).text(changes.columns);
    }
    out
}

/// What is said above the table: both totals, in which scale, and whether anything changed at all.
pub(super) fn summary(scene: &Changes<'_>, changes: &[Change]) -> String {
    let Changes {
        base,
        new,
        comparison,
        root,
        ..
    } = *scene;
    let (kind, unit) = new.type_names(comparison.reading.sample_type);
    let (kind, unit) = (printable(&kind), printable(&unit));
    let (before, after) = match root {
        NodeId::ROOT => (comparison.base.shown, comparison.new.shown),
        root => (
            comparison.total(root).base.into(),
            comparison.total(root).new.into(),
        ),
    };
    let change = after - before;
    let mut text = comparison
        .reading
        .tree
        .frame(root)
        .map_or_else(String::new, |frame| {
            format!("at and below {}\n", comparison.reading.frames.label(frame))
        });
    text += &format!(
        "{kind}: {} → {}",
        units::value(before, &unit),
        units::value(after, &unit)
    );
    if change == 0 {
        text += ", the same total";
    } else {
        text += &format!(", {}", plus(change, units::value(change, &unit)));
    }
    if let Some(relative) = share::change(before, after) {
        text += &format!(" ({relative})");
    }
    text += &format!("\n{}\n", scale(base, new, comparison));
    if changes.is_empty() {
        text += if base.record_count() + new.record_count() == 0 {
            "No samples were taken: too little traffic in both windows.\n"
        } else {
            "Nothing is left to show.\n"
        };
    } else if changes.iter().all(|change| change.status == Status::Same) {
        text += "No change: every function has the same values in both.\n";
    } else if let Some(chance) = comparison.chance() {
        text += &format!("{chance}\n");
    }
    text
}

/// Returns the scale of the new profile's values, and the reason.
fn scale(base: &Profile, new: &Profile, comparison: &Comparison) -> String {
    let mut text = if comparison.is_normalised() {
        format!(
            "new values times {:.4}, so that both totals are equal",
            comparison.factor()
        )
    } else {
        "values as recorded".to_owned()
    };
    if let (Some(one), Some(other)) = (base.duration(), new.duration()) {
        let seconds = |window: Duration| {
            units::value(window.as_nanos().try_into().unwrap_or(0), "nanoseconds")
        };
        text += &format!("; windows of {} and {}", seconds(one), seconds(other));
    }
    text
}
