//! `flarescope export`: a view of a profile, in another format.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::filters::{self, FilterArgs};
use super::{CliError, CliResult};
use crate::app::open_command;
use crate::export::{self, Caption, Scene};
use crate::model::printable::printable;
use crate::model::tree::NodeId;
use crate::model::view::View;

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// Profiles to read, several as one; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Format to write
    #[arg(long, value_enum)]
    to: Target,
    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Only what is at and below the heaviest frame of this name
    #[arg(long, value_name = "NAME")]
    root: Option<String>,
    /// Values of this type
    #[arg(long, value_name = "T")]
    sample_type: Option<String>,
    /// Write binary data even to a terminal
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

/// A format to write.
#[derive(Debug, Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    /// pprof's protocol buffer, gzipped
    Pprof,
    /// Flame graph for a browser: a click zooms, Ctrl-F searches
    Svg,
    /// Folded stacks, one a line
    Folded,
    /// JSON for the web page of speedscope
    Speedscope,
    /// Times for Chrome DevTools, Performance panel
    #[value(name = "cpuprofile")]
    CpuProfile,
    /// Allocations for Chrome DevTools, Memory panel
    #[value(name = "heapprofile")]
    HeapProfile,
    /// One JSON value: the functions and the call tree
    Json,
    /// Report for a ticket: figures, table, icicle as text
    Markdown,
    /// Plain text: icicle and table
    Text,
}

impl Target {
    const fn format(self) -> export::Format {
        match self {
            Self::Pprof => export::Format::Pprof,
            Self::Svg => export::Format::Svg,
            Self::Folded => export::Format::Folded,
            Self::Speedscope => export::Format::Speedscope,
            Self::CpuProfile => export::Format::CpuProfile,
            Self::HeapProfile => export::Format::HeapProfile,
            Self::Json => export::Format::Json,
            Self::Markdown => export::Format::Markdown,
            Self::Text => export::Format::Text,
        }
    }

    fn is_binary(self) -> bool {
        match self {
            Self::Pprof => true,
            Self::Svg
            | Self::Folded
            | Self::Speedscope
            | Self::CpuProfile
            | Self::HeapProfile
            | Self::Json
            | Self::Markdown
            | Self::Text => false,
        }
    }
}

/// Writes the export.
///
/// # Errors
/// [`CliError`] if the profile can't be read, an option does not fit it, or the output can't be written.
pub(super) fn run(args: &ExportArgs) -> CliResult {
    let to_stdout = args.output == Path::new("-");
    if to_stdout && args.to.is_binary() && io::stdout().is_terminal() && !args.force {
        let message = "this is binary data; write it with -o FILE, or to the terminal all the same with --force";
        return Err(CliError::Usage(message.to_owned()));
    }
    let profile = args.filters.load(&args.files)?.profile;
    let mut view = View::new(&profile);
    if let Some(name) = &args.sample_type {
        view.sample_type = filters::sample_type(&profile, name)?;
    }
    args.filters.apply(&mut view)?;
    let reading = filters::read(&profile, &view, &args.files)?;
    let root = match &args.root {
        None => NodeId::ROOT,
        Some(name) => reading
            .heaviest_named(name)
            .ok_or_else(|| CliError::failed(format!("no frame is called `{}`", printable(name))))?,
    };
    let files: Vec<String> = args.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let printed = files.iter().all(|file| file != "-" && !file.chars().any(char::is_control));
    let maps = args.filters.source_maps();
    let command = printed.then(|| open_command(&files, &profile, &view, args.root.as_deref(), maps));
    let target = args.files.iter().map(|file| target(file)).collect::<Vec<_>>().join(" + ");
    let caption = Caption { command, ..Caption::new(&target, &profile, &view, &reading) };
    let scene = Scene { profile: &profile, reading: &reading, root, caption: &caption };
    let bytes = export::write(args.to.format(), &view, &scene).map_err(|error| CliError::failed(error.to_string()))?;
    if to_stdout {
        return Ok(io::stdout().lock().write_all(&bytes)?);
    }
    let name = args.output.to_string_lossy();
    fs::write(&args.output, bytes).map_err(|error| CliError::failed(format!("{}: {error}", printable(&name))))
}

/// What a file's profile is of, as far as its name tells.
fn target(file: &Path) -> String {
    if file == Path::new("-") {
        return "standard input".to_owned();
    }
    file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
