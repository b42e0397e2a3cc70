//! What becomes of a finished capture: the cache, the file that was asked for, a word on stdout.

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::api::Captured;
use crate::cli::capture::CaptureArgs;
use crate::cli::capture::plan::Plan;
use crate::cli::connect::{Session, note};
use crate::cli::output::{print_json, print_path, put};
use crate::cli::{CliError, list};
use crate::model::cloudflare::{Capture, Figures, Kind, Summary};
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::insights::summary::summarise;
use crate::model::text::sanitize::printable;
use crate::runtime::{files, room_told};
use crate::store::{About, Store};
use crate::{runtime, store};

/// A capture that has come, and what was said about it before.
pub(super) struct Taken {
    pub(super) bytes: Vec<u8>,
    pub(super) about: About,
    pub(super) warnings: Vec<String>,
}

impl Taken {
    /// One of an account's Workers.
    pub(super) fn of_account(
        session: &Session,
        plan: Plan,
        captured: Captured,
        figures: Option<Figures>,
    ) -> Self {
        let about = About {
            figures,
            ..about(session, &plan, &captured)
        };
        Self {
            about,
            warnings: plan.warnings,
            bytes: captured.bytes,
        }
    }
}

/// Keeps the capture, reads it, copies it, tells of it, and answers it with the path it can be found at.
///
/// # Errors
/// Nothing of it could be written, or not where it was asked for. What came stays in the cache.
pub(super) fn finish(args: &CaptureArgs, store: &Store, taken: Taken) -> Result<Capture, CliError> {
    let Kept {
        mut capture,
        is_cached: cached,
        bytes,
        warnings,
    } = keep(store, taken);
    let mut out = io::stdout().lock();
    match args.output.as_deref() {
        Some(path) if path == Path::new("-") => {
            out.write_all(&bytes)?;
            out.flush()?;
            return Ok(capture);
        }
        Some(path) => match put(&files::absolute(path), &bytes) {
            Ok(()) if cached => {}
            Ok(()) => capture.path = path.to_owned(),
            Err(error) => {
                let kept = if cached {
                    capture.path
                } else {
                    rescue(&bytes, capture.kind)?
                };
                let message = format!(
                    "it can't be written: {error}; the capture is at {}",
                    kept.display()
                );
                return Err(CliError::failed(message));
            }
        },
        None if cached => {}
        None => capture.path = rescue(&bytes, capture.kind)?,
    }
    if args.json {
        print_json(&mut out, &described(&capture, &warnings))?;
    } else {
        print_path(&mut out, &capture.path)?;
    }
    Ok(capture)
}

/// A capture as `--json` tells of it.
fn described(capture: &Capture, warnings: &[String]) -> Value {
    let mut value = list::capture_json(capture);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("warnings".to_owned(), json!(warnings));
    }
    value
}

/// A capture in the cache, or at least in memory.
struct Kept {
    capture: Capture,
    is_cached: bool,
    bytes: Vec<u8>,
    warnings: Vec<String>,
}

/// Puts a capture into the cache, then reads it: one that can't be read is still a capture.
fn keep(store: &Store, taken: Taken) -> Kept {
    let Taken {
        bytes,
        about,
        mut warnings,
    } = taken;
    let (mut capture, is_cached) = match store.keep(&bytes, about.clone()) {
        Ok(capture) => {
            match store.make_room(&capture) {
                Ok(room) => room_told(&room)
                    .into_iter()
                    .for_each(|told| warn(&mut warnings, told)),
                Err(error) => warn(&mut warnings, error.to_string()),
            }
            (capture, true)
        }
        Err(error) => {
            warn(
                &mut warnings,
                format!("the capture is not in the cache: {error}"),
            );
            (about.unkept(&bytes), false)
        }
    };
    match summary(&bytes) {
        Ok((summary, left_out)) => {
            for what in left_out {
                warn(&mut warnings, what);
            }
            if is_cached && let Err(error) = store.set_summary(&capture, summary.clone()) {
                warn(&mut warnings, error.to_string());
            }
            capture.summary = Some(summary);
        }
        Err(why) => warn(&mut warnings, format!("the profile can't be read: {why}")),
    }
    Kept {
        capture,
        is_cached,
        bytes,
        warnings,
    }
}

/// Keeps one of several captures; answers it, with the path it can be found at, and what `--json` tells of it.
///
/// # Errors
/// It could be written nowhere.
pub(super) fn one_of_several(store: &Store, taken: Taken) -> Result<(Capture, Value), CliError> {
    let Kept {
        mut capture,
        is_cached,
        bytes,
        warnings,
    } = keep(store, taken);
    if !is_cached {
        capture.path = rescue(&bytes, capture.kind)?;
    }
    let value = described(&capture, &warnings);
    Ok((capture, value))
}

fn about(session: &Session, plan: &Plan, captured: &Captured) -> About {
    let account = &session.account;
    About {
        kind: Some(plan.request.kind),
        window: Some(plan.request.window),
        worker: plan.worker.name.clone(),
        version_id: Some(plan.version.id.clone()),
        version_number: Some(plan.version.number),
        percentage: Some(plan.version.percentage),
        figures: None,
        object: plan.request.object.clone(),
        account_id: Some(account.id.clone()),
        account_name: (account.name != account.id).then(|| account.name.clone()),
        asked_at: captured.asked_at,
        answered_at: captured.answered_at,
        origin: session.origin(),
    }
}

/// What a profile holds in short, and what of it could not be read.
fn summary(bytes: &[u8]) -> Result<(Summary, Vec<String>), String> {
    let profile = runtime::decode(bytes, "the capture").map_err(|error| error.fault.to_string())?;
    let reading =
        aggregate::read(&profile, &View::new(&profile)).map_err(|error| error.to_string())?;
    let left_out = profile.left_out().to_vec();
    Ok((summarise(&profile, &reading), left_out))
}

/// Puts a profile that has no other place into a private temporary file.
fn rescue(bytes: &[u8], kind: Option<Kind>) -> Result<PathBuf, CliError> {
    let suffix = format!(".{}", store::extension(bytes, kind));
    let mut file = tempfile::Builder::new()
        .prefix("flarescope-")
        .suffix(&suffix)
        .tempfile()?;
    file.write_all(bytes)?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path)
}

fn warn(warnings: &mut Vec<String>, warning: String) {
    note(&printable(&warning));
    warnings.push(warning);
}
