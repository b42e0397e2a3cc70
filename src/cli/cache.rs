//! `flarescope cache`: shows, imports, prunes and clears the captures on this machine.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Subcommand;

use crate::cli::connect::note;
use crate::cli::output::print_path;
use crate::cli::{CliError, CliResult, connect};
use crate::config::Environment;
use crate::model::cloudflare::{Capture, Kind, Provenance};
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::insights::summary::summarise;
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::model::text::units;
use crate::runtime::eviction_note;
use crate::store::{Prune, Store};
use crate::{config, formats};

/// Size of the largest file that is imported, in bytes.
const IMPORT_MAX: u64 = 512 << 20;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Show, import, prune or clear the captures on this machine
#[derive(Debug, clap::Args)]
pub(super) struct CacheArgs {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print the folder of the captures
    Path,
    /// Print the path of each capture, newest first
    List,
    /// Copy profiles into the cache, move rescued captures there, and print their paths
    Import {
        /// The profiles
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Remove captures by age or size, least recently used first; keeps pinned ones
    #[command(group = clap::ArgGroup::new("limit").required(true).multiple(true))]
    Prune {
        /// Remove captures older than this many days
        #[arg(long, value_name = "DAYS", group = "limit")]
        keep_days: Option<u32>,
        /// Remove the least recently used until the rest takes at most this: bytes, or with K, M or G
        #[arg(long, value_name = "SIZE", group = "limit", value_parser = config::size)]
        max_size: Option<u64>,
        /// Also remove damaged captures
        #[arg(long)]
        damaged: bool,
    },
    /// Remove every capture, including pinned and deleted ones
    Clear,
}

/// Runs the command.
///
/// # Errors
/// The folder can't be read or written, or a file to import is not a profile.
pub(super) fn run(args: &CacheArgs) -> CliResult {
    let store = connect::store(&Environment::of_process())?;
    let mut out = io::stdout().lock();
    match &args.act {
        Act::Path => print_path(&mut out, store.dir())?,
        Act::List => {
            let listing = store.list()?;
            for warning in &listing.warnings {
                note(&printable(warning));
            }
            connect::note_rescued(&store);
            for capture in &listing.captures {
                print_path(&mut out, &capture.path)?;
            }
        }
        Act::Import { files } => {
            for file in files {
                print_path(&mut out, &import(&store, file)?)?;
            }
        }
        Act::Prune {
            keep_days,
            max_size,
            damaged,
        } => {
            let before = keep_days.and_then(|days| SystemTime::now().checked_sub(DAY * days));
            let removed = store.prune(Prune {
                before,
                max_bytes: *max_size,
                damaged: *damaged,
            })?;
            let bytes: u64 = removed.iter().map(|capture| capture.bytes).sum();
            note(&format!(
                "{} removed, {}",
                counted(removed.len()),
                units::value(i128::from(bytes), "bytes")
            ));
        }
        Act::Clear => note(&format!("{} removed", counted(store.clear()?))),
    }
    Ok(())
}

fn counted(captures: usize) -> String {
    units::counted(captures as i128, "capture")
}

/// Copies a file into the cache after decoding it as a profile. Reads it only once, as it may be a pipe. A rescued
/// capture is moved.
fn import(store: &Store, file: &Path) -> Result<PathBuf, CliError> {
    if let Some(rescued) = store.rescued_at(file) {
        let capture = store.take_in(&rescued)?;
        enforce_quota(store, &capture)?;
        return Ok(capture.path);
    }
    let shown = printable(&file.to_string_lossy()).into_owned();
    let failed = |error: io::Error| CliError::failed(format!("{shown}: {error}"));
    let opened = File::open(file).map_err(failed)?;
    let found = opened.metadata().map_err(failed)?;
    // Decoding stops at the first wrong byte, however large the file is.
    let mut seen = Seen {
        input: opened.take(IMPORT_MAX + 1),
        bytes: Vec::new(),
    };
    let profile =
        formats::read(&mut seen, &shown).map_err(|error| CliError::failed(error.to_string()))?;
    let Seen {
        mut input,
        mut bytes,
    } = seen;
    input.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > IMPORT_MAX {
        return Err(CliError::failed(format!(
            "{shown} is larger than {IMPORT_MAX} bytes"
        )));
    }
    let reading = aggregate::read(&profile, &View::new(&profile))
        .map_err(|error| CliError::failed(format!("{shown}: {error}")))?;
    let changed = found.modified().unwrap_or_else(|_| SystemTime::now());
    let answered_at = profile.time().unwrap_or(changed);
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let provenance = Provenance::of_file(&name, kind(&profile), profile.duration(), answered_at);
    let capture = store.keep(&bytes, provenance)?;
    store.set_summary(&capture, summarise(&profile, &reading))?;
    enforce_quota(store, &capture)?;
    Ok(capture.path)
}

/// Enforces the quota for a new capture, and prints what was evicted.
fn enforce_quota(store: &Store, capture: &Capture) -> CliResult {
    eviction_note(&store.enforce_quota(capture)?)
        .iter()
        .for_each(|text| note(&printable(text)));
    Ok(())
}

/// A reader that keeps a copy of what it reads.
struct Seen<R> {
    input: R,
    bytes: Vec<u8>,
}

impl<R: Read> Read for Seen<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.bytes.extend(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Returns what a profile sampled; `None` if its types don't tell.
fn kind(profile: &Profile) -> Option<Kind> {
    profile.sample_types().iter().find_map(|sample_type| {
        match profile.text(sample_type.kind).as_ref() {
            "cpu" | "wall" => Some(Kind::Cpu),
            "space" | "alloc_space" | "inuse_space" => Some(Kind::Heap),
            _ => None,
        }
    })
}
