//! `flarescope export`: a view of a profile, in another format.

use std::path::PathBuf;

use crate::app::{Hint, Source, open_command};
use crate::cli::filters::FilterArgs;
use crate::cli::output::Output;
use crate::cli::{CliError, CliResult, filters};
use crate::export::{Caption, Format, Scene};
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
    /// Format to write; without it the ending of the output's name says it
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Only the heaviest frame of this name and what it calls
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    root: Option<String>,
    /// Values of this type
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
    let source = args.filters.source(&args.files)?.0;
    output.write(&write(args, format, &source)?)
}

/// Returns the file's bytes.
fn write(args: &ExportArgs, format: Format, source: &Source) -> Result<Vec<u8>, CliError> {
    let profile = &source.profile;
    let mut view = View::new(profile);
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
    let hints_of = |profile: &Profile, reading: &Reading| match format {
        Format::Markdown => insights(profile, reading, &context(args, source))
            .into_iter()
            .map(|insight| Hint::new(insight).text)
            .collect(),
        _ => Vec::new(),
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
        export::write_anonymous(format, &view, &scene, salt, hints_of)
    } else {
        let files: Vec<String> = args
            .files
            .iter()
            .map(|file| file.to_string_lossy().into_owned())
            .collect();
        let is_repeatable = files.iter().all(|file| file != "-");
        let command = is_repeatable
            .then(|| open_command(&files, profile, &view, name, args.filters.source_maps()));
        let caption = Caption {
            command,
            hints: hints_of(profile, &reading),
            ..caption.clone()
        };
        scene.caption = &caption;
        export::write(format, &view, &scene)
    };
    written.map_err(|error| CliError::failed(error.to_string()))
}

/// Returns the provenance of a capture.
fn context(args: &ExportArgs, source: &Source) -> Context {
    let known = source.capture.as_ref().map(Context::of).unwrap_or_default();
    Context {
        has_source_map: !args.filters.source_maps().is_empty(),
        ..known
    }
}
