//! The sides of a comparison of several captures: files, versions, times.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::cli::filters::FilterArgs;
use crate::cli::{CliError, connect, profile_input};
use crate::config::Environment;
use crate::export::JudgedSide;
use crate::model::cloudflare::{Capture, Kind, short};
use crate::model::graph::aggregate;
use crate::model::graph::view::{Identity, View};
use crate::model::verdict::CaptureSums;
use crate::runtime::symbolication;
use crate::store;

/// Splits a list of files at its commas; a file that has them in its name comes first.
pub(super) fn files(text: &Path) -> Vec<PathBuf> {
    let name = text.to_string_lossy();
    if text.exists() || !name.contains(',') {
        return vec![text.to_owned()];
    }
    let parts = name.split(',').map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(PathBuf::from)
        .collect()
}

/// How captures of a side are read.
pub(super) struct Reading<'a> {
    pub(super) filters: &'a FilterArgs,
    pub(super) by: Identity,
    pub(super) sample_type: Option<&'a str>,
}

/// A side that was read: function by function, one capture after the other.
#[derive(Default)]
pub(super) struct Side {
    pub(super) judged: JudgedSide,
    pub(super) sums: Vec<CaptureSums>,
    /// The sample type of all of them.
    pub(super) sample_type: Option<(String, String)>,
}

/// Reads the captures of a side; each is dropped before the next is read.
///
/// # Errors
/// [`CliError::Failed`] naming the capture that can't be read, or can't be judged beside the others.
pub(super) fn read(what: &str, paths: &[PathBuf], how: &Reading<'_>) -> Result<Side, CliError> {
    let mut side = Side::default();
    what.clone_into(&mut side.judged.what);
    for path in paths {
        let source = profile_input::one(path)?;
        let name = path.to_string_lossy().into_owned();
        let source = match connect::store(&Environment::of_process()) {
            Ok(store) if how.filters.source_maps().is_empty() => {
                symbolication::recall(&store, source).0
            }
            _ => source,
        };
        let hash = match &source.capture {
            Some(capture) => capture.sha256.clone(),
            None => store::hash_of(path).unwrap_or_else(|| name.clone()),
        };
        let profile = how.filters.restore(source.profile)?.profile;
        let mut view = View::new(&profile);
        (view.by, view.hide_idle) = (how.by, true);
        if let Some(sample_type) = how.sample_type {
            view.sample_type = super::filters::sample_type(&profile, sample_type)?;
        }
        how.filters.apply(&mut view)?;
        let reading = aggregate::read(&profile, &view)
            .map_err(|error| CliError::failed(format!("{name}: {error}")))?;
        if reading.tree.has_negative() {
            let why = "it holds values below zero, as a difference does: judge the captures it was made of";
            return Err(CliError::failed(format!("{name}: {why}")));
        }
        let types = profile.type_names(reading.sample_type);
        match &side.sample_type {
            Some(known) if *known != types => return Err(unlike(&name, &types, known)),
            _ => {}
        }
        let sums = CaptureSums::new(name, &reading, &types.1);
        side.sample_type = Some(types);
        side.judged.samples += sums.samples;
        side.judged.captures.push(hash);
        side.sums.push(sums);
    }
    Ok(side)
}

/// Returns why a capture does not fit the others.
pub(super) fn unlike(name: &str, found: &(String, String), known: &(String, String)) -> CliError {
    CliError::failed(format!(
        "{name} holds {} in {}, the others {} in {}",
        found.0, found.1, known.0, known.1
    ))
}

/// A side as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// These files.
    Files(Vec<PathBuf>),
    /// A version: an id or a prefix of one.
    Version(String),
    /// The version that serves.
    Deployed,
    /// The one before it.
    Previous,
    /// What was captured between these times.
    Range(SystemTime, SystemTime),
}

/// Reads a side; times may be relative to `now`.
///
/// # Errors
/// A sentence on what sides there are.
pub(super) fn parse(text: &str, now: SystemTime) -> Result<Asked, String> {
    match text.split_once(':') {
        None if text == "before" => Ok(Asked::Previous),
        None if text == "after" => Ok(Asked::Deployed),
        Some(("files", files)) if !files.is_empty() => Ok(Asked::Files(self::files(Path::new(files)))),
        Some(("version", "deployed")) => Ok(Asked::Deployed),
        Some(("version", "previous")) => Ok(Asked::Previous),
        Some(("version", id)) if id.len() >= 4 && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') => {
            Ok(Asked::Version(id.to_ascii_lowercase()))
        }
        Some(("range", range)) => {
            let (start, end) = range.split_once('/').ok_or("a range is START/END")?;
            let (start, end) = (time(start, now)?, time(end, now)?);
            if start < end {
                Ok(Asked::Range(start, end))
            } else {
                Err("a range begins before it ends".to_owned())
            }
        }
        _ => Err("a side is version:ID, version:deployed, version:previous, range:START/END, files:A,B,…, before or after".to_owned()),
    }
}

fn time(text: &str, now: SystemTime) -> Result<SystemTime, String> {
    if text == "now" {
        return Ok(now);
    }
    if let Some(ago) = text.strip_prefix('-') {
        let ago: Duration = humantime::parse_duration(ago).map_err(|error| error.to_string())?;
        return now
            .checked_sub(ago)
            .ok_or_else(|| "that is too long ago".to_owned());
    }
    humantime::parse_rfc3339_weak(text).map_err(|error| error.to_string())
}

/// The captures that sides are chosen from: of one Worker, kind and, if asked for, object.
pub(super) struct Choice {
    pub(super) captures: Vec<Capture>,
    /// The id of the version that serves, if Cloudflare said it.
    pub(super) deployed: Option<String>,
}

impl Choice {
    /// Lists a Worker's captures on this machine.
    ///
    /// # Errors
    /// [`CliError`] if the cache can't be read.
    pub(super) fn of(worker: &str, kind: Kind, object: Option<&str>) -> Result<Self, CliError> {
        let store = connect::store(&Environment::of_process())?;
        let is_of = |capture: &Capture| {
            let target = capture.target();
            let is_object = match (&target.object, object) {
                (None, None) => true,
                (Some(found), Some(asked)) => {
                    found.object_id == asked || found.name.as_deref() == Some(asked)
                }
                _ => false,
            };
            target.worker == worker && capture.provenance.kind == Some(kind) && is_object
        };
        let mut captures = store.list()?.captures;
        captures.retain(is_of);
        Ok(Self {
            captures,
            deployed: None,
        })
    }

    /// Returns the id of the version that serves: what Cloudflare said, else that of the newest capture.
    fn serving(&self) -> Option<&str> {
        let newest = || self.captures.first()?.target().version_id.as_deref();
        self.deployed.as_deref().or_else(newest)
    }

    /// Returns the id of the captured version before the one that serves.
    fn before(&self) -> Option<&str> {
        let serving = self.serving()?;
        let rank = |id: &str| {
            let of_it = self
                .captures
                .iter()
                .filter(|c| c.target().version_id.as_deref() == Some(id));
            let number = of_it.clone().find_map(|c| c.target().version_number);
            (number, of_it.map(|c| c.provenance.asked_at).min())
        };
        let ours = rank(serving);
        let ids = self
            .captures
            .iter()
            .filter_map(|c| c.target().version_id.as_deref());
        ids.filter(|id| *id != serving)
            .filter(|id| match (rank(id).0, ours.0) {
                (Some(theirs), Some(ours)) => theirs < ours,
                _ => rank(id).1 < ours.1 || ours.1.is_none(),
            })
            .max_by_key(|id| rank(id))
    }

    /// Returns the files of a side, and what it is in words.
    pub(super) fn side(&self, asked: &Asked) -> (String, Vec<PathBuf>) {
        let of_version = |id: Option<&str>, word: &str| {
            let Some(id) = id else {
                return (word.to_owned(), Vec::new());
            };
            let of_it = |c: &&Capture| {
                c.target()
                    .version_id
                    .as_deref()
                    .is_some_and(|known| known.starts_with(id))
            };
            let number = self
                .captures
                .iter()
                .filter(of_it)
                .find_map(|c| c.target().version_number);
            let what = match number {
                Some(number) => format!("v{number} {}", short(id)),
                None => short(id).to_owned(),
            };
            let files = self.captures.iter().filter(of_it);
            (what, files.map(|c| c.path.clone()).collect())
        };
        match asked {
            Asked::Files(files) => (in_short(files), files.clone()),
            Asked::Version(id) => of_version(Some(id), id),
            Asked::Deployed => of_version(self.serving(), "the deployed version"),
            Asked::Previous => of_version(self.before(), "the previous version"),
            Asked::Range(start, end) => {
                let date = humantime::format_rfc3339_seconds;
                let is_in = |c: &&Capture| (*start..*end).contains(&c.provenance.asked_at);
                let files = self.captures.iter().filter(is_in);
                (
                    format!("{}/{}", date(*start), date(*end)),
                    files.map(|c| c.path.clone()).collect(),
                )
            }
        }
    }
}

/// Names files by the first of them.
fn in_short(files: &[PathBuf]) -> String {
    let Some(first) = files.first() else {
        return String::new();
    };
    let name = first.file_name().unwrap_or(first.as_os_str());
    let name = name.to_string_lossy();
    match files.len() - 1 {
        0 => name.into_owned(),
        more => format!("{name} and {more} more"),
    }
}
