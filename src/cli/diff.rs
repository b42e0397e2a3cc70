//! `flarescope diff`: the changes from one profile to another, by function.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use crate::cli::filters::FilterArgs;
use crate::cli::output::Output;
use crate::cli::{CliError, CliResult, filters};
use crate::export::Changes;
use crate::model::diff::{Normalise, Width, compare};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::view::{Identity, View};
use crate::model::text::sanitize::printable;
use crate::{export, runtime};

/// Arguments of `diff`.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// Profile to compare with; - is standard input
    base: PathBuf,
    /// Profile to compare; - is standard input
    new: PathBuf,
    /// Scale the new profile to the base's total; the default if the durations differ
    #[arg(long)]
    normalize: bool,
    /// Keep the values as recorded even if the durations differ
    #[arg(long, conflicts_with = "normalize")]
    raw: bool,
    /// How to group code into rows
    #[arg(long, value_enum, default_value_t)]
    by: Identity,
    /// Print at most N rows
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// Write the changes in this format instead of the table
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Target>,
    /// Print one JSON value: --to json
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// Print a report in Markdown, for a ticket; 15 rows unless -n says otherwise: --to markdown
    #[arg(long, conflicts_with_all = ["json", "to"])]
    markdown: bool,
    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Replace names with pseudonyms
    #[arg(long)]
    anonymize: bool,
    /// Secret for the pseudonyms: files written with the same secret have the same ones
    #[arg(long, value_name = "TEXT", requires = "anonymize")]
    salt: Option<String>,
    /// Write binary data even to a terminal
    #[arg(long)]
    force: bool,
    /// Values of this type
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

/// A format to write.
#[derive(Debug, Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    /// pprof's protocol buffer, gzipped: new minus base
    Pprof,
    /// Flame graph for a browser: red for more, blue for less
    Svg,
    /// Folded stacks with two values each: base and new
    Folded,
    /// One JSON value: the table
    Json,
    /// Report for a ticket
    Markdown,
    /// The table as plain text
    Text,
}

/// Prints the changes as a table, or writes them in another format.
///
/// # Errors
/// [`CliError`] if a profile can't be read, the two can't be compared, or an option does not fit them.
pub(super) fn run(args: &DiffArgs) -> CliResult {
    if [&args.base, &args.new]
        .iter()
        .all(|path| path.as_os_str() == "-")
    {
        return Err(CliError::Usage(
            "standard input can be only one of the two profiles".to_owned(),
        ));
    }
    let output = Output::new(&args.output, args.to == Some(Target::Pprof), args.force)?;
    let load = |path: &PathBuf| {
        args.filters
            .load(std::slice::from_ref(path))
            .map(|named| named.profile)
    };
    // Side by side: reading a profile keeps a second thread busy only half of the time.
    let (base, new) = thread::scope(|scope| {
        let new = scope.spawn(|| load(&args.new));
        let base = load(&args.base);
        (
            base,
            new.join().unwrap_or_else(|panic| resume_unwind(panic)),
        )
    });
    let (base, new) = (base?, new?);
    let mut view = View::new(&new);
    view.by = args.by;
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
        CliError::failed(format!(
            "{} and {} can't be compared: {error}",
            name(&args.base),
            name(&args.new)
        ))
    })?;
    let names = (args.base.to_string_lossy(), args.new.to_string_lossy());
    let changes = Changes {
        base: &base,
        new: &new,
        names: (&names.0, &names.1),
        view: &view,
        comparison: &comparison,
        root: NodeId::ROOT,
        rows: args.n,
        columns: output.columns(),
    };
    let format = args.format();
    let written = if args.anonymize {
        let salt = match &args.salt {
            Some(salt) => salt.as_bytes(),
            None => runtime::salt(),
        };
        export::write_changes_anonymous(format, &changes, salt)
    } else {
        export::write_changes(format, &changes)
    };
    output.write(&written.map_err(|error| CliError::failed(error.to_string()))?)
}

impl DiffArgs {
    const fn format(&self) -> export::Format {
        match (self.to, self.json, self.markdown) {
            (Some(Target::Pprof), ..) => export::Format::Pprof,
            (Some(Target::Svg), ..) => export::Format::Svg,
            (Some(Target::Folded), ..) => export::Format::Folded,
            (Some(Target::Json), ..) | (None, true, _) => export::Format::Json,
            (Some(Target::Markdown), ..) | (None, _, true) => export::Format::Markdown,
            (Some(Target::Text), ..) | (None, false, false) => export::Format::Text,
        }
    }

    /// Returns whether results and failures are printed as JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json || self.to == Some(Target::Json)
    }
}
