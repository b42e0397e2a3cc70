//! `flarescope diff`: what changed from one profile to another, function by function.

mod table;

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;

use self::table::Table;
use super::filters::{self, By, FilterArgs};
use super::{CliError, CliResult};
use crate::export::code_span;
use crate::model::compare::{Change, Comparison, Normalise, Side, Status, Width, compare};
use crate::model::printable::{json_safe, printable};
use crate::model::profile::Profile;
use crate::model::units;
use crate::model::view::{SamplesFrom, View};

/// Rows of a report unless a number is given: what a ticket shows at once.
const MARKDOWN_ROWS: usize = 15;

/// Arguments of `diff`.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// Profile to compare with; - is standard input
    base: PathBuf,
    /// Profile to compare; - is standard input
    new: PathBuf,
    /// Scale the new profile to the base's total; done by itself where the windows differ
    #[arg(long)]
    normalize: bool,
    /// Leave the values as recorded although the windows differ
    #[arg(long, conflicts_with = "normalize")]
    raw: bool,
    /// What makes two places in code one row
    #[arg(long, value_enum, default_value_t)]
    by: By,
    /// Print at most N rows
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// Print one JSON value
    #[arg(long)]
    pub(super) json: bool,
    /// Print a report in Markdown, for a ticket; 15 rows unless -n says otherwise
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Values of this type
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Prints the table of changes.
///
/// # Errors
/// [`CliError`] if a profile can't be read, the two can't be compared, or an option does not fit them.
pub(super) fn run(args: &DiffArgs) -> CliResult {
    if [&args.base, &args.new].iter().all(|path| path.as_os_str() == "-") {
        return Err(CliError::Usage("standard input can be only one of the two profiles".to_owned()));
    }
    let load = |path: &PathBuf| args.filters.load(std::slice::from_ref(path)).map(|named| named.profile);
    // Side by side: reading a profile keeps a second thread busy only half of the time.
    let (base, new) = thread::scope(|scope| {
        let new = scope.spawn(|| load(&args.new));
        let base = load(&args.base);
        (base, new.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let (base, new) = (base?, new?);
    let mut view = View::new(&new);
    view.by = args.by.into();
    if let Some(name) = &args.sample_type {
        view.sample_type = filters::sample_type(&new, name)?;
    }
    args.filters.apply(&mut view)?;
    let normalise = match (args.normalize, args.raw) {
        (true, _) => Normalise::Always,
        (_, true) => Normalise::Never,
        _ => Normalise::ByWindow,
    };
    let comparison = compare(&base, &new, &view, normalise, Width::Larger).map_err(|error| {
        let name = |path: &Path| printable(&path.to_string_lossy()).into_owned();
        CliError::failed(format!("{} and {} can't be compared: {error}", name(&args.base), name(&args.new)))
    })?;
    let changes = comparison.changes();
    let most = args.n.or(args.markdown.then_some(MARKDOWN_ROWS));
    let rows = most.and_then(|n| changes.get(..n)).unwrap_or(&changes);
    let mut out = io::stdout().lock();
    if args.json {
        out.write_all(json(&new, &comparison, rows)?.as_bytes())?;
        return Ok(());
    }
    let told = summary(&base, &new, &comparison, &changes);
    let table = Table::new(&new, &comparison, rows);
    if args.markdown {
        let name = |path: &Path| code_span(&printable(&path.to_string_lossy()));
        let head = format!("## {} → {}\n\n{}\n", name(&args.base), name(&args.new), told.replace('\n', "  \n"));
        out.write_all(head.as_bytes())?;
        out.write_all(table.markdown(changes.len()).as_bytes())?;
    } else {
        out.write_all(told.as_bytes())?;
        table.write(&mut out)?;
    }
    Ok(())
}

/// `diff --json`, as documented: integers are in the profiles' own unit.
#[derive(Serialize)]
struct Report<'a> {
    sample_type: TypeNames,
    base: ReportSide,
    new: ReportSide,
    normalized: bool,
    factor: f64,
    rows: Vec<ReportRow<'a>>,
}

#[derive(Serialize)]
struct TypeNames {
    #[serde(rename = "type")]
    kind: String,
    unit: String,
}

#[derive(Serialize)]
struct ReportSide {
    total: i128,
    base: i128,
    shown: i128,
    samples: i64,
    samples_from: &'static str,
}

impl From<&Side> for ReportSide {
    fn from(side: &Side) -> Self {
        Self {
            total: side.total,
            base: side.base,
            shown: side.shown,
            samples: side.samples,
            samples_from: match side.samples_from {
                SamplesFrom::Type(_) => "type",
                SamplesFrom::Records => "records",
            },
        }
    }
}

#[derive(Serialize)]
struct ReportRow<'a> {
    function: &'a str,
    file: &'a str,
    line: Option<i64>,
    base_self: i64,
    new_self: i64,
    self_change: i64,
    base_total: i64,
    new_total: i64,
    total_change: i64,
    status: &'static str,
}

fn json(new: &Profile, comparison: &Comparison, rows: &[Change]) -> Result<String, CliError> {
    let (kind, unit) = new.type_names(comparison.reading.sample_type);
    let row = |change: &Change| {
        let info = comparison.reading.frames.info(change.frame);
        ReportRow {
            function: info.name,
            file: info.file,
            line: info.start,
            base_self: change.own.base,
            new_self: change.own.new,
            self_change: change.own.change(),
            base_total: change.total.base,
            new_total: change.total.new,
            total_change: change.total.change(),
            status: match change.status {
                Status::Same => "same",
                Status::Changed => "changed",
                Status::New => "new",
                Status::Gone => "gone",
            },
        }
    };
    let report = Report {
        sample_type: TypeNames { kind, unit },
        base: (&comparison.base).into(),
        new: (&comparison.new).into(),
        normalized: comparison.is_normalised(),
        factor: comparison.factor(),
        rows: rows.iter().map(row).collect(),
    };
    let text = serde_json::to_string(&report).map_err(|error| CliError::Fault(error.to_string()))?;
    Ok(json_safe(text) + "\n")
}

/// What is said above the table: both totals, in which scale, and whether anything changed at all.
fn summary(base: &Profile, new: &Profile, comparison: &Comparison, changes: &[Change]) -> String {
    let (kind, unit) = new.type_names(comparison.reading.sample_type);
    let (kind, unit) = (printable(&kind), printable(&unit));
    let (before, after) = (comparison.base.shown, comparison.new.shown);
    let change = after - before;
    let mut text = format!("{kind}: {} → {}", units::value(before, &unit), units::value(after, &unit));
    if change == 0 {
        text += ", the same total";
    } else {
        text += &format!(", {}", plus(change, units::value(change, &unit)));
    }
    if before != 0 && change != 0 {
        text += &format!(" ({} of the base)", plus(change, units::per_cent(change, before)));
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
    }
    text
}

/// In which scale the new profile's values are told, and why.
fn scale(base: &Profile, new: &Profile, comparison: &Comparison) -> String {
    let mut text = if comparison.is_normalised() {
        format!("new values times {:.4}, so that both totals are equal", comparison.factor())
    } else {
        "values as recorded".to_owned()
    };
    if let (Some(one), Some(other)) = (base.duration(), new.duration()) {
        let seconds = |window: Duration| format!("{:.1} s", window.as_secs_f64());
        text += &format!("; windows of {} and {}", seconds(one), seconds(other));
    }
    text
}

/// A figure with its sign, also where it is more.
fn plus(number: i128, text: String) -> String {
    if number > 0 { format!("+{text}") } else { text }
}
