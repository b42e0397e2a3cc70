//! `flarescope top`: the functions of a profile, ranked.

use std::io;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use crate::app::Source;
use crate::cli::filters::FilterArgs;
use crate::cli::headline::Found;
use crate::cli::output::terminal_columns;
use crate::cli::{CliError, CliResult, filters};
use crate::export::TypeNames;
use crate::export::table::{Align, TextTable};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::ranking::{Row, Sort, rank};
use crate::model::graph::spread::Captured;
use crate::model::graph::view::{Identity, View};
use crate::model::insights::insights;
use crate::model::profile::Profile;
use crate::model::text::sanitize::{json_safe, printable};
use crate::model::text::units;

/// Arguments of `top`.
#[derive(Debug, clap::Args)]
pub(super) struct TopArgs {
    /// Profiles to read, several as one; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Rank by
    #[arg(long, value_enum, default_value_t)]
    sort: Sort,
    /// How to group code into rows
    #[arg(long, value_enum, default_value_t)]
    by: Identity,
    /// Print at most N rows
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// Print one JSON value
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Sample type to show, such as cpu or space
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

impl TopArgs {
    /// Returns whether failures are printed as JSON.
    pub(super) fn wants_json(&self) -> bool {
        self.json
    }
}

/// Prints the table.
///
/// # Errors
/// [`CliError`] if the profile can't be read or an option does not fit it.
pub(super) fn run(args: &TopArgs) -> CliResult {
    let (source, names) = args.filters.source(&args.files)?;
    let profile = &*source.profile;
    let mut view = View::new(profile);
    view.by = args.by;
    if let Some(name) = &args.sample_type {
        view.sample_type = filters::sample_type(profile, name)?;
    }
    args.filters.apply(&mut view)?;
    let reading = filters::read(profile, &view, &args.files)?;
    let found = found(args, (&source, &names), &view, &reading)?;
    let mut rows = rank(&reading, args.sort, false);
    rows.truncate(args.n.unwrap_or(usize::MAX));
    let text = if args.json {
        json(profile, &reading, &rows, found.as_ref())?
    } else if args.csv {
        csv(&reading, &rows)
    } else {
        let room = terminal_columns();
        let headline = found.map_or_else(String::new, |found| {
            found.text(room.unwrap_or(usize::MAX)) + "\n"
        });
        headline + &table(profile, &reading, &rows, &names, room)
    };
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

/// Finds the headline; `None` where rows are of another identity than functions, and for a difference.
fn found(
    args: &TopArgs,
    (source, names): (&Source, &[String]),
    view: &View,
    reading: &Reading,
) -> Result<Option<Found>, CliError> {
    if args.csv || !matches!(view.by, Identity::Function | Identity::Name) {
        return Ok(None);
    }
    let context = args.filters.context(source, names);
    // Insights are of the view that the screen opens with.
    let shown = View {
        hide_idle: true,
        ..view.clone()
    };
    let of_shown;
    let reading = if view.hide_idle {
        reading
    } else {
        of_shown = filters::read(&source.profile, &shown, &args.files)?;
        &of_shown
    };
    let insights = insights(&source.profile, reading, &context);
    Ok(Found::new(
        source,
        reading,
        (&shown, &context),
        &insights,
        &args.filters,
    ))
}

/// `top --json`, as documented: integers are in the profile's own unit.
#[derive(Serialize)]
struct Report<'a> {
    sample_type: TypeNames,
    total: i128,
    base: i128,
    shown: i128,
    samples: i64,
    samples_from: &'static str,
    headline: Option<Value>,
    hints: Vec<Value>,
    /// The captures of the rows' `captures`, if several were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    captures: Option<Vec<ReportCapture<'a>>>,
    rows: Vec<ReportRow<'a>>,
}

#[derive(Serialize)]
struct ReportCapture<'a> {
    name: &'a str,
    total: i128,
    base: i128,
}

#[derive(Serialize)]
struct Held {
    #[serde(rename = "self")]
    own: i64,
    total: i64,
}

#[derive(Serialize)]
struct ReportRow<'a> {
    function: &'a str,
    file: &'a str,
    line: Option<i64>,
    /// Where nameless functions of one line need it.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<i64>,
    samples: i64,
    #[serde(rename = "self")]
    self_value: i64,
    total: i64,
    /// How many definitions the row stands for.
    places: u32,
    /// Its name in the bundle, if a source map renamed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<ReportOriginal<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    captures: Option<Vec<Held>>,
}

#[derive(Serialize)]
struct ReportOriginal<'a> {
    function: &'a str,
    file: &'a str,
    line: Option<i64>,
    column: Option<i64>,
}

fn json(
    profile: &Profile,
    reading: &Reading,
    rows: &[Row],
    found: Option<&Found>,
) -> Result<String, CliError> {
    let (kind, unit) = profile.type_names(reading.sample_type);
    let report = Report {
        sample_type: TypeNames { kind, unit },
        total: reading.total,
        base: reading.base,
        shown: reading.shown,
        samples: reading.samples,
        samples_from: reading.samples_from.word(),
        headline: found.map(Found::json),
        hints: found.map_or_else(Vec::new, Found::hints),
        captures: reading.spread.as_ref().map(|spread| {
            let captures = spread.captures.iter();
            captures
                .map(|Captured { name, total, base }| ReportCapture {
                    name,
                    total: *total,
                    base: *base,
                })
                .collect()
        }),
        rows: rows
            .iter()
            .map(|row| {
                let info = reading.frames.info(row.frame);
                ReportRow {
                    function: info.name,
                    file: info.file,
                    line: info.start,
                    column: info.column,
                    samples: row.samples,
                    self_value: row.self_value,
                    total: row.total,
                    places: row.places,
                    original: info.original.map(|original| ReportOriginal {
                        function: &original.name,
                        file: &original.file,
                        line: original.line,
                        column: original.column,
                    }),
                    captures: reading.spread.as_ref().map(|spread| {
                        let held = spread.held(row.frame).iter();
                        held.map(|held| Held {
                            own: held.own,
                            total: held.total,
                        })
                        .collect()
                    }),
                }
            })
            .collect(),
    };
    let text =
        serde_json::to_string(&report).map_err(|error| CliError::Fault(error.to_string()))?;
    Ok(json_safe(text) + "\n")
}

fn csv(reading: &Reading, rows: &[Row]) -> String {
    let mut text = String::from("function,file,line,samples,self,total\n");
    for row in rows {
        let info = reading.frames.info(row.frame);
        let line = info.start.map_or_else(String::new, |line| line.to_string());
        let (function, file) = (quoted(info.name), quoted(info.file));
        text += &format!(
            "{function},{file},{line},{},{},{}\n",
            row.samples, row.self_value, row.total
        );
    }
    text
}

/// Characters that make a spreadsheet read a cell as a formula, also in full width.
const FORMULA_STARTS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Returns a CSV field, quoted if necessary. Unsafe characters are replaced, as CSV can't escape them, and a text
/// that a spreadsheet would run as a formula gets an apostrophe before it.
fn quoted(text: &str) -> String {
    let mut text = printable(text);
    if text.trim_start().starts_with(FORMULA_STARTS) {
        text = format!("'{text}").into();
    }
    if text.contains([',', ';', '"']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
    }
}

/// Returns the table for people. On a terminal of `room` columns no line wraps: locations lose their first folders, and long
/// names their ends.
fn table(
    profile: &Profile,
    reading: &Reading,
    rows: &[Row],
    names: &[String],
    room: Option<usize>,
) -> String {
    let mut text = totals(profile, reading);
    for names in names {
        text += names;
        text.push('\n');
    }
    if rows.is_empty() {
        text += if profile.record_count() == 0 {
            "No samples were taken: too little traffic in the window.\n"
        } else {
            "Nothing is left to show.\n"
        };
        return text;
    }
    text + &functions(profile, reading, rows).text(room)
}

/// Returns the line above the table: the sample type and its totals.
fn totals(profile: &Profile, reading: &Reading) -> String {
    let (kind, unit) = profile.type_names(reading.sample_type);
    let (kind, unit) = (printable(&kind), printable(&unit));
    let counted = units::counted(reading.samples.into(), reading.samples_from.one());
    let mut text = format!("{kind}: {counted}");
    text += &format!(
        ", {} of {}",
        units::value(reading.shown, &unit),
        units::value(reading.base, &unit)
    );
    if reading.idle != 0 {
        text += &format!(", {} idle not shown", units::value(reading.idle, &unit));
    }
    text.push('\n');
    text
}

/// Returns the table of the functions.
fn functions(profile: &Profile, reading: &Reading, rows: &[Row]) -> TextTable {
    let (_, unit) = profile.type_names(reading.sample_type);
    let unit = printable(&unit);
    let largest = rows
        .iter()
        .map(|row| row.total.unsigned_abs().max(row.self_value.unsigned_abs()))
        .max();
    let column = units::column_unit(largest.unwrap_or(0), &unit);
    let symbol = column.map_or_else(String::new, |column| format!(" {}", column.symbol));
    let head = |name: &str| format!("{name}{symbol}");
    let spread = if reading.spread.is_some() {
        "from–to %"
    } else {
        ""
    };
    let (counted, own, total) = (
        format!("{}s", reading.samples_from.one()),
        head("self"),
        head("total"),
    );
    let head = [
        (counted.as_str(), Align::Right),
        (&own, Align::Right),
        ("self %", Align::Right),
        ("±", Align::Right),
        (spread, Align::Right),
        (&total, Align::Right),
        ("total %", Align::Right),
        ("function", Align::Name),
        ("location", Align::Place),
    ];
    let base = reading.of_capture();
    let cells = rows.iter().map(|row| {
        let spread = reading.spread.as_ref();
        let spread = spread.and_then(|spread| spread.own(row.frame));
        let info = reading.frames.info(row.frame);
        let places = if row.places > 1 {
            format!(" ({} places)", row.places)
        } else {
            String::new()
        };
        vec![
            units::thousands(row.samples.into()),
            units::column(row.self_value.into(), column),
            base.share(row.self_value),
            base.interval(row.samples).unwrap_or_default(),
            spread.map_or_else(String::new, |spread| spread.to_string()),
            units::column(row.total.into(), column),
            base.share(row.total),
            info.name.to_owned(),
            info.place() + &places,
        ]
    });
    TextTable::new(&head, &cells.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::graph::aggregate;

    #[test]
    fn no_line_wraps_on_a_terminal_and_what_is_piped_is_whole() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/recordings/checkout-api.cpu.pprof.gz");
        let profile = crate::formats::read(std::fs::File::open(path).unwrap(), "it").unwrap();
        let reading = aggregate::read(&profile, &View::new(&profile)).unwrap();
        let rows = rank(&reading, Sort::Samples, false);
        let drawn = |room| table(&profile, &reading, &rows, &[], room);
        let whole = drawn(None);
        assert!(
            whole.contains("file:///bundle/worker.js:25") && whole.contains("validateAddress"),
            "{whole}"
        );
        for room in [72, 80, 100] {
            let table = drawn(Some(room));
            assert!(
                crate::export::table::width(&table) <= room,
                "{room}: {table}"
            );
            let is_whole = table.contains("validateAddress") && table.contains("/worker.js:25");
            assert_eq!(is_whole, room >= 80, "{table}");
        }
        assert_eq!(drawn(Some(200)), whole);
    }
}
