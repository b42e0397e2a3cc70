//! What is said above the table of changes, and the reports made of both.

use std::time::Duration;

use crate::export::changes::Changes;
use crate::export::changes::table::table;
use unicode_width::UnicodeWidthStr as _;

use crate::export::report::{REPORT_COLUMNS, fenced, points_of};
use crate::export::table::{Align, TextTable};
use crate::export::{Judged, code_span};
use crate::model::diff::{Change, Comparison, Status};
use crate::model::graph::call_tree::NodeId;
use crate::model::profile::Profile;
use crate::model::text::cut::{cut, cut_middle, wrap_whole};
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
        table(changes.new, changes.comparison, rows, changes.judged).markdown(all.len())
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
        out += &table(changes.new, changes.comparison, rows, changes.judged).text(changes.columns);
    }
    out
}

/// Rows of a report for a chat.
const CHAT_ROWS: usize = 5;

/// Returns the largest changes as a code block for a chat.
pub(super) fn for_chat(changes: &Changes<'_>, all: &[Change]) -> Vec<u8> {
    let comparison = changes.comparison;
    let (base, new) = (printable(changes.names.0), printable(changes.names.1));
    let title = format!("{base} → {new}");
    let summary = summary(changes, all);
    let title = changes.title.map_or(title, str::to_owned);
    let mut lines = vec![cut_middle(&title, REPORT_COLUMNS).into_owned()];
    lines.push(match changes.judged {
        // What is allowed stands below.
        Some(judged) => match judged.headline() {
            line if line.width() > REPORT_COLUMNS => line
                .rsplit_once("; ")
                .map_or("", |(said, _)| said)
                .to_owned(),
            line => line,
        },
        None => largest(changes, all)
            .unwrap_or_else(|| summary.lines().next().unwrap_or_default().to_owned()),
    });
    let changed = all
        .iter()
        .filter(|change| change.own.change() != 0)
        .take(CHAT_ROWS);
    let chance = comparison.chance();
    let noise = |change: &Change| {
        if let Some(judged) = changes.judged {
            let identity = comparison.reading.frames.info(change.frame).identity();
            let verdict = judged.verdict(&identity).map(|row| row.verdict.word());
            return verdict.unwrap_or_default().to_owned();
        }
        let noise = chance.and_then(|chance| chance.noise(change));
        match noise.map(|noise| noise.is_within) {
            Some(true) => "within".to_owned(),
            Some(false) => "beyond".to_owned(),
            None => String::new(),
        }
    };
    let row = |change: &Change| {
        let info = comparison.reading.frames.info(change.frame);
        vec![
            points_of(change.own.base, comparison.base.whole),
            points_of(change.own.new, comparison.new.whole),
            change.factor(),
            noise(change),
            info.name.to_owned(),
            info.short_place(),
        ]
    };
    let rows: Vec<Vec<String>> = changed.map(row).collect();
    let head = [
        ("base %", Align::Right),
        ("new %", Align::Right),
        ("change", Align::Right),
        (
            if changes.judged.is_some() {
                "verdict"
            } else {
                "noise"
            },
            Align::Left,
        ),
        ("function", Align::Name),
        ("location", Align::Place),
    ];
    if !rows.is_empty() {
        let table = TextTable::new(&head, &rows).text(Some(REPORT_COLUMNS));
        lines.push(String::new());
        lines.extend(table.lines().map(str::to_owned));
    }
    let chance = chance.filter(|_| changes.judged.is_none());
    lines.extend(
        chance
            .map(|chance| chance.to_string())
            .into_iter()
            .flat_map(|text| wrap_whole(&text, REPORT_COLUMNS)),
    );
    lines.extend(changes.judged.map(Judged::spread));
    let lines = lines
        .iter()
        .map(|line| cut(line, REPORT_COLUMNS).into_owned());
    fenced(lines, changes.command)
}

/// Returns the largest change that chance doesn't explain: `validateAddress: 2.9% → 63.7% self CPU, ×22, ±1.6`.
fn largest(changes: &Changes<'_>, all: &[Change]) -> Option<String> {
    let comparison = changes.comparison;
    let chance = comparison.chance()?;
    let is_beyond = |change: &&Change| {
        let noise = chance.noise(change);
        noise.is_some_and(|noise| !noise.is_within)
    };
    let change = all.iter().find(is_beyond)?;
    let (base, new) = (&comparison.base, &comparison.new);
    let share = |value: i64, whole: i128| share::per_cent(value.into(), whole);
    let (kind, _) = changes.new.type_names(comparison.reading.sample_type);
    let kind = if kind == "cpu" {
        "CPU".into()
    } else {
        printable(&kind)
    };
    let name = printable(&comparison.reading.frames.label(change.frame)).into_owned();
    let mut text = format!(
        "{name}: {} → {} self {kind}, {}",
        share(change.own.base, base.whole),
        share(change.own.new, new.whole),
        change.factor()
    );
    if let Some(interval) = new.interval(change.own.new) {
        text += &format!(", {interval}");
    }
    Some(text)
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
    } else if let Some(judged) = scene.judged {
        text += &(judged.headline() + "\n");
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
