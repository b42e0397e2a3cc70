//! `flarescope diff`: the changes from one profile to another, by function.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crate::cli::filters::FilterArgs;
use crate::cli::output::Output;
use crate::cli::sides::Reading;
use crate::cli::{CliError, CliResult, filters, sides};
use crate::export::{Changes, Judged, JudgedSide};
use crate::model::diff::{Normalise, Width, compare};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::view::{Identity, View};
use crate::model::profile::Profile;
use crate::model::text::sanitize::{printable, shell_word};
use crate::model::text::units::noun;
use crate::model::verdict::{Assessment, Options, judge};
use crate::{export, runtime};

/// Arguments of `diff`.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// Profile to compare with, or several as A,B,C; - is standard input
    #[arg(value_name = "BASE", required_unless_present = "base_files")]
    base: Option<PathBuf>,
    /// Profile to compare, or several as D,E,F; - is standard input
    #[arg(value_name = "NEW", required_unless_present = "base_files")]
    new: Option<PathBuf>,
    /// Profiles to compare with, whatever their names
    #[arg(long = "base", value_name = "FILE", num_args = 1.., requires = "new_files", conflicts_with_all = ["base", "new"])]
    base_files: Vec<PathBuf>,
    /// Profiles to compare, whatever their names
    #[arg(long = "new", value_name = "FILE", num_args = 1.., requires = "base_files")]
    new_files: Vec<PathBuf>,
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
    /// Sample type to show, such as cpu or space
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
    /// Short report for a chat
    Report,
    /// The table as plain text
    Text,
}

/// Prints the changes as a table, or writes them in another format.
///
/// # Errors
/// [`CliError`] if a profile can't be read, the two can't be compared, or an option does not fit them.
pub(super) fn run(args: &DiffArgs) -> CliResult {
    let (base_files, new_files) = args.sides();
    if [&base_files, &new_files]
        .iter()
        .all(|files| files.iter().any(|path| path.as_os_str() == "-"))
    {
        return Err(CliError::Usage(
            "standard input can be only one of the two profiles".to_owned(),
        ));
    }
    let output = Output::new(&args.output, args.to == Some(Target::Pprof), args.force)?;
    let [base, new] = args.load(&base_files, &new_files)?;
    let view = args.view(&new)?;
    let normalise = match (args.normalize, args.raw) {
        (true, _) => Normalise::Always,
        (_, true) => Normalise::Never,
        _ => Normalise::ByWindow,
    };
    let comparison = compare(&base, &new, &view, normalise, Width::Larger).map_err(|error| {
        let name = |files: &[PathBuf]| printable(&named(files, false)).into_owned();
        CliError::failed(format!(
            "{} and {} can't be compared: {error}",
            name(&base_files),
            name(&new_files)
        ))
    })?;
    // What a chat sees must not tell where files lie here.
    let is_short = args.to == Some(Target::Report);
    let names = (named(&base_files, is_short), named(&new_files, is_short));
    let command = format!(
        "flarescope diff {} {}",
        shell_word(&named(&base_files, true)),
        shell_word(&named(&new_files, true))
    );
    let verdicts = if base_files.len() + new_files.len() > 2 {
        Some(args.judge(&base_files, &new_files)?)
    } else {
        None
    };
    let judged = verdicts.as_ref().map(Verdicts::judged);
    let changes = Changes {
        base: &base,
        new: &new,
        names: (&names.0, &names.1),
        view: &view,
        comparison: &comparison,
        root: NodeId::ROOT,
        rows: args.n,
        columns: output.columns(),
        command: Some(&command),
        judged: judged.as_ref(),
        title: None,
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

/// The verdicts on several captures a side.
struct Verdicts {
    sides: [JudgedSide; 2],
    assessment: Assessment,
    noun: &'static str,
}

impl Verdicts {
    fn judged(&self) -> Judged<'_> {
        Judged {
            title: "captures",
            sides: &self.sides,
            assessment: &self.assessment,
            options: Options::default(),
            noun: self.noun,
            notes: &[],
            rows: None,
        }
    }
}

/// Returns the names of files, for a command on another machine without their folders.
fn named(files: &[PathBuf], is_short: bool) -> String {
    let name = |path: &PathBuf| match path.file_name().filter(|_| is_short) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.to_string_lossy().into_owned(),
    };
    files.iter().map(name).collect::<Vec<_>>().join(",")
}

impl DiffArgs {
    /// Returns the files of both sides.
    fn sides(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let of = |named: &Option<PathBuf>, files: &[PathBuf]| match named {
            Some(path) => sides::files(path),
            None => files.to_vec(),
        };
        (
            of(&self.base, &self.base_files),
            of(&self.new, &self.new_files),
        )
    }

    /// Loads both sides, each merged. Side by side: reading a profile keeps a second thread busy only half of the time.
    ///
    /// # Errors
    /// [`CliError`], naming the file that can't be read.
    fn load(&self, base: &[PathBuf], new: &[PathBuf]) -> Result<[Arc<Profile>; 2], CliError> {
        let load = |paths: &[PathBuf]| self.filters.load(paths).map(|named| named.profile);
        let (base, new) = thread::scope(|scope| {
            let new = scope.spawn(|| load(new));
            let base = load(base);
            let new = new.join().unwrap_or_else(|panic| resume_unwind(panic));
            (base, new)
        });
        Ok([base?, new?])
    }

    /// Returns the view of both.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an option that does not fit the new profile.
    fn view(&self, new: &Profile) -> Result<View, CliError> {
        let mut view = View::new(new);
        view.by = self.by;
        if let Some(name) = &self.sample_type {
            view.sample_type = filters::sample_type(new, name)?;
        }
        self.filters.apply(&mut view)?;
        Ok(view)
    }

    /// Judges the captures of both sides, which are read one by one.
    ///
    /// # Errors
    /// [`CliError`], naming the one that can't be judged.
    fn judge(&self, base: &[PathBuf], new: &[PathBuf]) -> Result<Verdicts, CliError> {
        if base.iter().chain(new).any(|path| path.as_os_str() == "-") {
            return Err(CliError::Usage(
                "standard input can't be one of several profiles".to_owned(),
            ));
        }
        let how = Reading {
            filters: &self.filters,
            by: self.by,
            sample_type: self.sample_type.as_deref(),
        };
        let base = sides::read("base", base, &how)?;
        let new = sides::read("new", new, &how)?;
        let kind = new.sample_type.as_ref();
        Ok(Verdicts {
            assessment: judge(&base.sums, &new.sums, Options::default()),
            noun: kind.map_or("CPU", |(name, unit)| noun(name, unit)),
            sides: [base.judged, new.judged],
        })
    }

    const fn format(&self) -> export::Format {
        match (self.to, self.json, self.markdown) {
            (Some(Target::Pprof), ..) => export::Format::Pprof,
            (Some(Target::Svg), ..) => export::Format::Svg,
            (Some(Target::Folded), ..) => export::Format::Folded,
            (Some(Target::Json), ..) | (None, true, _) => export::Format::Json,
            (Some(Target::Markdown), ..) | (None, _, true) => export::Format::Markdown,
            (Some(Target::Report), ..) => export::Format::Report,
            (Some(Target::Text), ..) | (None, false, false) => export::Format::Text,
        }
    }

    /// Returns whether results and failures are printed as JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json || self.to == Some(Target::Json)
    }
}
