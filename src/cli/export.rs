//! `flarescope export`: a view of a profile, in another format.

use std::path::{Path, PathBuf};

use crate::app::{Source, open_command};
use crate::cli::filters::FilterArgs;
use crate::cli::headline::Found;
use crate::cli::output::Output;
use crate::cli::{CliError, CliResult, filters};
use crate::export::{Caption, Findings, Format, Scene};
use crate::model::diff::Since;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::view::View;
use crate::model::insights::{Context, insights};
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::{export, runtime};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// Profiles to read, several as one; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Format to write; without it, inferred from the output file's extension
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Only the heaviest frame of this name and what it calls
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    root: Option<String>,
    /// Sample type to show, such as cpu or space
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    /// The whole capture, without filters and root
    #[arg(long)]
    whole: bool,
    /// Replace the names of functions, files, labels and the target with pseudonyms
    #[arg(long)]
    anonymize: bool,
    /// Secret for the pseudonyms: files written with the same secret have the same ones
    #[arg(long, value_name = "TEXT", requires = "anonymize")]
    salt: Option<String>,
    /// Write binary data even to a terminal
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Writes the export.
///
/// # Errors
/// [`CliError`] if the profile can't be read, an option does not fit it, or the output can't be written.
pub(super) fn run(args: &ExportArgs) -> CliResult {
    let format = args.to.or_else(|| Format::of_file(&args.output));
    let format = format.ok_or_else(|| {
        CliError::Usage(
            "say the format with --to, or with -o and an ending such as .svg".to_owned(),
        )
    })?;
    let output = Output::new(&args.output, format == Format::Pprof, args.force)?;
    let (source, names) = args.filters.source(&args.files)?;
    output.write(&write(args, format, (&source, &names))?)
}

/// Returns the file's bytes.
fn write(
    args: &ExportArgs,
    format: Format,
    (source, names): (&Source, &[String]),
) -> Result<Vec<u8>, CliError> {
    let profile = &source.profile;
    let mut view = View::new(profile);
    // As the screen opens it: idle time is no function.
    view.hide_idle = format == Format::Report;
    if let Some(name) = &args.sample_type {
        view.sample_type = filters::sample_type(profile, name)?;
    }
    if !args.whole {
        args.filters.apply(&mut view)?;
    }
    let reading = filters::read(profile, &view, &args.files)?;
    let name = args.root.as_deref().filter(|_| !args.whole);
    let root = match name {
        None => NodeId::ROOT,
        Some(name) => reading
            .heaviest_named(name)
            .ok_or_else(|| CliError::failed(format!("no frame is called `{}`", printable(name))))?,
    };
    let context = args.filters.context(source, names);
    let since = format
        .is_report()
        .then(|| since(args, source, &context, &view, &reading))
        .flatten();
    let capture = source.capture.as_ref();
    let taken = capture.map(|capture| capture.provenance.answered_at);
    let findings_of = |profile: &Profile, reading: &Reading, since: Option<&Since>| {
        if format.is_report() {
            runtime::findings(
                profile,
                reading,
                &context,
                (since, taken.filter(|_| !args.anonymize)),
            )
        } else {
            Findings::default()
        }
    };
    let caption = Caption::taken(
        &source.target(),
        source.asked_at(),
        profile,
        &view,
        &reading,
    );
    let mut scene = Scene {
        profile,
        reading: &reading,
        root,
        caption: &caption,
    };
    let written = if args.anonymize {
        let salt = match &args.salt {
            Some(salt) => salt.as_bytes(),
            None => runtime::salt(),
        };
        export::write_anonymous(format, &view, &scene, salt, |profile, reading| {
            findings_of(profile, reading, None)
        })
    } else {
        let files: Vec<String> = args
            .files
            .iter()
            .map(|file| name_of(file, source))
            .collect();
        let is_repeatable = files.iter().all(|file| file != "-");
        let command = is_repeatable
            .then(|| open_command(&files, profile, &view, name, args.filters.source_maps()));
        let caption = Caption {
            command,
            findings: findings_of(profile, &reading, since.as_ref()),
            about: Some(runtime::about(source)).filter(|_| format.is_report()),
            ..caption.clone()
        };
        scene.caption = &caption;
        export::write(format, &view, &scene)
    };
    written.map_err(|error| CliError::failed(error.to_string()))
}

/// Returns how a command on another machine names a file: by its name, or a capture's by the one that exports get.
fn name_of(file: &Path, source: &Source) -> String {
    match file.file_name().filter(|_| file.exists()) {
        Some(name) => name.to_string_lossy().into_owned(),
        None if source.members.is_empty() && file.as_os_str() != "-" => source.portable_name(),
        None => file.to_string_lossy().into_owned(),
    }
}

/// Returns what an earlier capture says of the headline's function.
fn since(
    args: &ExportArgs,
    source: &Source,
    context: &Context,
    view: &View,
    reading: &Reading,
) -> Option<Since> {
    let insights = insights(&source.profile, reading, context);
    let found = Found::new(source, reading, (view, context), &insights, &args.filters)?;
    found.since
}
