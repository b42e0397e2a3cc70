//! `flarescope source`: the source of a function with the cost of each line.

use std::fmt::Write as _;
use std::io;
use std::io::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::app::Source;
use crate::cli::filters::FilterArgs;
use crate::cli::{CliError, CliResult, connect, filters, profile_input};
use crate::export::TypeNames;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::FrameInfo;
use crate::model::graph::view::View;
use crate::model::lines::costs::{CostKind, Costs, LineCost, costs};
use crate::model::profile::Profile;
use crate::model::text::sanitize::{json_safe, printable};
use crate::model::text::source_text::Code;
use crate::model::text::units;
use crate::runtime::source_text;

/// Lines shown before and after those of the function.
const AROUND: i64 = 3;
/// Gaps of at least this many lines without a cost are left out.
const GAP: i64 = 60;
/// Longer lines are cut, around the function's column if it is known.
const COLUMNS: usize = 160;

/// Print the source of a function with the cost of each line
#[derive(Debug, clap::Args)]
pub(super) struct SourceArgs {
    /// Profile to read; - is standard input
    #[arg(required = true)]
    file: PathBuf,
    /// The full name of the function
    #[arg(long, value_name = "NAME")]
    function: String,
    /// A folder with the source files
    #[arg(long, value_name = "DIR")]
    source_root: Option<PathBuf>,
    /// Print one JSON value
    #[arg(long)]
    pub(super) json: bool,
    /// Sample type to show, such as cpu or space
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Prints the source view.
///
/// # Errors
/// [`CliError`] if the profile can't be read, or has no function of that name.
pub(super) fn run(args: &SourceArgs) -> CliResult {
    let files = std::slice::from_ref(&args.file);
    let (source, warning) = profile_input::load(files)?;
    let (Source { profile, names, .. }, unnamed) = args.filters.name(source)?;
    warning
        .into_iter()
        .chain(unnamed)
        .for_each(|text| connect::note(&text));
    let mut view = View::new(&profile);
    if let Some(name) = &args.sample_type {
        view.sample_type = filters::sample_type(&profile, name)?;
    }
    args.filters.apply(&mut view)?;
    let reading = filters::read(&profile, &view, files)?;
    let info = find(&reading, &args.function)?;
    let failed = |error: crate::model::graph::view::ViewError| CliError::failed(error.to_string());
    let found = costs(&profile, &view, &info.function()).map_err(failed)?;
    let found = found.ok_or_else(|| {
        CliError::failed(format!("no function is called `{}`", printable(info.name)))
    })?;
    let maps = names
        .as_ref()
        .map(|names| names.maps.clone())
        .unwrap_or_default();
    let text = source_text::find(info.file, &maps, args.source_root.as_deref());
    if let Some(path) = text.as_ref().and_then(|text| text.read_from.as_ref()) {
        connect::note(&format!("code read from {path}"));
    }
    if text.is_none() {
        let file = printable(info.file);
        let what = if info.file.is_empty() {
            "no file is given, so there is no source".to_owned()
        } else {
            format!(
                "source of {file} not found: give a source map that contains it, or --source-root DIR"
            )
        };
        connect::note(&what);
    }
    let out = if args.json {
        json(&profile, &reading, &info, &found, text.as_ref())?
    } else {
        listing(&profile, &reading, &info, &found, text.as_ref())
    };
    Ok(io::stdout().lock().write_all(out.as_bytes())?)
}

/// Returns the heaviest function of a name. Notes on stderr if there are others.
fn find<'a>(reading: &'a Reading, name: &str) -> Result<FrameInfo<'a>, CliError> {
    let mut same: Vec<_> = reading
        .frames
        .ids()
        .filter(|frame| reading.frames.name(*frame) == name)
        .collect();
    same.sort_by_key(|frame| std::cmp::Reverse(reading.stat(*frame).total.unsigned_abs()));
    let first = same
        .first()
        .ok_or_else(|| CliError::failed(format!("no function is called `{}`", printable(name))))?;
    if same.len() > 1 {
        let others: Vec<String> = same
            .iter()
            .skip(1)
            .map(|frame| reading.frames.info(*frame).place())
            .collect();
        connect::note(&format!(
            "the heaviest of {} functions of that name; others are in {}",
            same.len(),
            others.join(", ")
        ));
    }
    Ok(reading.frames.info(*first))
}

/// `source --json`, as documented.
#[derive(Serialize)]
struct Report<'a> {
    function: &'a str,
    file: &'a str,
    line: Option<i64>,
    kind: &'static str,
    sample_type: TypeNames,
    base: i128,
    #[serde(rename = "self")]
    own: i64,
    total: i64,
    elsewhere: i64,
    /// The file that the text was read from; `None` if a source map had it, or there is none.
    read_from: Option<&'a str>,
    lines: Vec<ReportLine<'a>>,
}

#[derive(Serialize)]
struct ReportLine<'a> {
    line: i64,
    #[serde(rename = "self")]
    own: i64,
    total: Option<i64>,
    text: Option<&'a str>,
}

fn json(
    profile: &Profile,
    reading: &Reading,
    info: &FrameInfo<'_>,
    costs: &Costs,
    code: Option<&Code>,
) -> Result<String, CliError> {
    let (kind, unit) = profile.type_names(reading.sample_type);
    let line = |cost: &LineCost| ReportLine {
        line: cost.line,
        own: cost.own,
        total: cost.total,
        text: code.and_then(|code| code.line(cost.line)),
    };
    let report = Report {
        function: info.name,
        file: info.file,
        line: costs.start,
        kind: costs.kind.word(),
        sample_type: TypeNames { kind, unit },
        base: reading.base,
        own: costs.own,
        total: costs.total,
        elsewhere: costs.elsewhere,
        read_from: code.and_then(|code| code.read_from.as_deref()),
        lines: costs.lines.iter().map(line).collect(),
    };
    let text =
        serde_json::to_string(&report).map_err(|error| CliError::Fault(error.to_string()))?;
    Ok(json_safe(text) + "\n")
}

fn listing(
    profile: &Profile,
    reading: &Reading,
    info: &FrameInfo<'_>,
    costs: &Costs,
    code: Option<&Code>,
) -> String {
    let (kind, unit) = profile.type_names(reading.sample_type);
    let (kind, unit) = (printable(&kind), printable(&unit));
    let mut out = format!("{}  {}\n", printable(info.name), info.place());
    let of = |v: i64| {
        format!(
            "{} ({})",
            units::value(v.into(), &unit),
            reading.of_capture().share(v)
        )
    };
    let _ = writeln!(
        out,
        "{kind}: self {}, total {} · {}",
        of(costs.own),
        of(costs.total),
        costs.kind.words()
    );
    if costs.elsewhere > 0 {
        let _ = writeln!(
            out,
            "{} ticks on no line of this file: inlined from another, or left open by the map",
            units::thousands(costs.elsewhere.into())
        );
    }
    let largest = costs
        .lines
        .iter()
        .map(|line| costs.weight(line).max(line.own.unsigned_abs()))
        .max()
        .unwrap_or(0);
    let is_ticks = costs.kind == CostKind::Ticks;
    let column = if is_ticks {
        None
    } else {
        units::column_unit(largest, &unit)
    };
    let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
    let figure = |v: Option<i64>| match v {
        None | Some(0) => ".".to_owned(),
        Some(v) if is_ticks => units::thousands(v.into()),
        Some(v) => units::column(v.into(), column),
    };
    let heads = if is_ticks {
        vec!["ticks".to_owned()]
    } else {
        vec![format!("self{symbol}"), format!("total{symbol}")]
    };
    let _ = writeln!(
        out,
        "{}{:>7}  code",
        heads
            .iter()
            .map(|head| format!("{head:>11}"))
            .collect::<String>(),
        "line"
    );
    let mut before = None;
    for number in numbers(costs, code) {
        if before.is_some_and(|before| number > before + 1) {
            let _ = writeln!(out, "{:>width$}", "…", width = heads.len() * 11 + 7);
        }
        before = Some(number);
        let cost = costs.lines.iter().find(|line| line.line == number);
        let mut figures = vec![figure(cost.map(|cost| cost.own))];
        if !is_ticks {
            figures.push(figure(cost.and_then(|cost| cost.total)));
        }
        let figures: String = figures
            .iter()
            .map(|figure| format!("{figure:>11}"))
            .collect();
        let text = code.and_then(|code| code.line(number)).unwrap_or_default();
        let column = costs.column.filter(|_| Some(number) == costs.start);
        let text = cut(text, column);
        let _ = writeln!(
            out,
            "{}",
            format!("{figures}{number:>7}  {text}").trim_end()
        );
    }
    out
}

/// Returns the lines to show: the function's, those with a cost, and some context.
fn numbers(costs: &Costs, code: Option<&Code>) -> Vec<i64> {
    let costly: Vec<i64> = costs.lines.iter().map(|line| line.line).collect();
    let Some(code) = code else { return costly };
    let last = i64::try_from(code.len()).unwrap_or(i64::MAX);
    let start = costs.start.or(costly.first().copied()).unwrap_or(1);
    let mut shown: Vec<i64> = costly;
    shown.extend([start, code.end_of(start)]);
    shown.sort_unstable();
    let mut numbers = Vec::new();
    for line in shown {
        let from = match numbers.last() {
            Some(before) if line - before <= GAP => before + 1,
            _ => line - AROUND,
        };
        numbers.extend((from.max(1)..=line).filter(|number| *number <= last));
    }
    let end = numbers.last().copied().unwrap_or(0);
    numbers.extend((end + 1..=(end + AROUND)).filter(|number| *number <= last));
    numbers.dedup();
    numbers
}

/// Returns a line cut to a readable length, around the column if it is known.
fn cut(text: &str, column: Option<i64>) -> String {
    if text.width() <= COLUMNS {
        return text.to_owned();
    }
    let from = column
        .and_then(|column| usize::try_from(column - 1).ok())
        .map_or(0, |at| at.saturating_sub(COLUMNS / 4));
    let lead = if from > 0 { "…" } else { "" };
    let rest: String = text.chars().skip(from).take(COLUMNS).collect();
    let tail = if text.chars().count() > from + COLUMNS {
        "…"
    } else {
        ""
    };
    format!("{lead}{rest}{tail}")
}
