//! A short report for a chat: a plain code block of a dozen lines that reads well in any of them.

use unicode_width::UnicodeWidthStr as _;

use crate::export::Scene;
use crate::export::table::{Align, TextTable};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::ranking::{Sort, rank_within};
use crate::model::text::cut::cut;
use crate::model::text::share::{per_cent, points};
use crate::model::text::units;

/// Columns that no chat wraps on a laptop.
pub const REPORT_COLUMNS: usize = 66;
/// Rows of the table.
const ROWS: usize = 5;

/// Returns a view as a report.
#[must_use]
pub fn report(scene: &Scene<'_>) -> Vec<u8> {
    let caption = scene.caption;
    let title = match &caption.about {
        Some(about) => about.title.clone(),
        None => format!("{} · {}", caption.title, caption.facts),
    };
    let mut lines = vec![title];
    lines.extend(caption.findings.short.clone());
    if scene.reading.tree.weight(scene.root) != 0 {
        lines.push(String::new());
        lines.extend(table(scene));
        lines.push(samples(scene));
        lines.extend(stack(scene));
    }
    let lines = lines
        .iter()
        .map(|line| cut(line, REPORT_COLUMNS).into_owned());
    fenced(lines, caption.command.as_deref())
}

/// Puts lines into a code block, which no name can leave. The command is the last line, whole.
pub(super) fn fenced(lines: impl Iterator<Item = String>, command: Option<&str>) -> Vec<u8> {
    let mut out = String::from("```\n");
    for line in lines.chain(command.map(str::to_owned)) {
        out += line.replace('`', "'").trim_end();
        out.push('\n');
    }
    (out + "```\n").into_bytes()
}

fn table(scene: &Scene<'_>) -> Vec<String> {
    let base = scene.reading.of_capture();
    let rows = rank_within(scene.reading, scene.root, Sort::SelfValue, false);
    let cells = rows.iter().take(ROWS).map(|row| {
        let info = scene.reading.frames.info(row.frame);
        let points = |value: i64| points_of(value, base.value);
        vec![
            points(row.self_value),
            points(row.total),
            info.name.to_owned(),
            info.short_place(),
        ]
    });
    let head = [
        ("self %", Align::Right),
        ("total %", Align::Right),
        ("function", Align::Name),
        ("location", Align::Place),
    ];
    let text = TextTable::new(&head, &cells.collect::<Vec<_>>()).text(Some(REPORT_COLUMNS));
    text.lines().map(str::to_owned).collect()
}

/// Returns a percentage without its sign, which stands above.
pub(super) fn points_of(value: i64, base: i128) -> String {
    if base == 0 {
        return "–".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let share = i128::from(value) as f64 / base as f64;
    points(share)
}

/// Returns how sure the figures are and what they are of.
fn samples(scene: &Scene<'_>) -> String {
    let reading = scene.reading;
    let counted = units::counted(reading.samples.into(), reading.samples_from.one());
    let function = scene.caption.findings.function.as_ref();
    let frame = function.and_then(|function| {
        let mut frames = reading.frames.ids();
        frames.find(|frame| function.is(&reading.frames.info(*frame)))
    });
    let interval = frame.and_then(|frame| {
        let samples = reading.stat(frame).samples;
        reading.of_capture().interval(samples)
    });
    let interval = interval.or_else(|| reading.of_capture().widest_interval());
    let mut parts = vec![match interval {
        Some(interval) => format!("{counted} {interval}"),
        None => counted,
    }];
    if let Some(about) = &scene.caption.about {
        parts.extend(about.facts.iter().cloned());
    }
    if reading.idle != 0 {
        parts.push(format!("idle {}", per_cent(reading.idle, reading.base)));
    }
    parts.join(" · ")
}

/// Returns the stack of the headline's function at its heaviest place: the innermost callers that fit.
fn stack(scene: &Scene<'_>) -> Option<String> {
    let reading = scene.reading;
    let function = scene.caption.findings.function.as_ref()?;
    let frame = reading
        .frames
        .ids()
        .find(|frame| function.is(&reading.frames.info(*frame)))?;
    let mut here = reading.heaviest(frame)?;
    let mut names = Vec::new();
    while here != NodeId::ROOT
        && let Some(frame) = reading.tree.frame(here)
    {
        names.push(reading.frames.label(frame).into_owned());
        here = reading.tree.parent(here);
    }
    let names: Vec<String> = names
        .iter()
        .rev()
        .map(|name| crate::model::text::sanitize::printable(name).into_owned())
        .collect();
    let whole = |names: &[String], cut: &str| format!("stack: {cut}{}", names.join(" › "));
    let mut text = whole(&names, "");
    let mut rest = names.as_slice();
    while text.width() > REPORT_COLUMNS && rest.len() > 1 {
        rest = &rest[1..];
        text = whole(rest, "… › ");
    }
    Some(text)
}
