//! What becomes of a finished capture: the cache, the file that was asked for, a word on stdout.

use std::io;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::api::Captured;
use crate::cli::capture::args::CaptureArgs;
use crate::cli::capture::plan::Plan;
use crate::cli::connect::{Session, note};
use crate::cli::output::{print_json, print_path, put};
use crate::cli::{CliError, list};
use crate::model::cloudflare::{Capture, Figures, Summary};
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::insights::summary::summarise;
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::runtime::{eviction_note, files, rescue_note};
use crate::store::{About, Store};

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
/// Nothing of it could be written, or not where it was asked for; or it is no profile that can be read. What came stays where
/// it was kept, and that is told.
pub(super) fn finish(args: &CaptureArgs, store: &Store, taken: Taken) -> Result<Capture, CliError> {
    let Kept {
        mut capture,
        place,
        bytes,
        warnings,
        is_readable,
    } = keep(store, taken);
    let mut out = io::stdout().lock();
    match args.output.as_deref() {
        Some(path) if path == Path::new("-") => {
            out.write_all(&bytes)?;
            out.flush()?;
            return readable(capture, is_readable);
        }
        Some(path) => match (put(&files::absolute(path), &bytes), place) {
            (Ok(()), Place::Cache) => {}
            (Ok(()), place) => {
                if place == Place::Rescue {
                    // It has the place that was asked for.
                    let _ = store.remove_rescued(&capture);
                }
                capture.path = path.to_owned();
            }
            (Err(error), Place::Nowhere) => {
                return Err(CliError::failed(format!("it can't be written: {error}")));
            }
            (Err(error), _) => {
                let kept = capture.path.display();
                let message = format!("it can't be written: {error}; the capture is at {kept}");
                return Err(CliError::failed(message));
            }
        },
        None if place == Place::Nowhere => return Err(nowhere()),
        None => {}
    }
    if args.json {
        print_json(&mut out, &described(&capture, &warnings))?;
    } else {
        print_path(&mut out, &capture.path)?;
    }
    readable(capture, is_readable)
}

/// The capture, if it can be read; that it can't was said when it was kept.
fn readable(capture: Capture, is_readable: bool) -> Result<Capture, CliError> {
    if is_readable {
        Ok(capture)
    } else {
        Err(CliError::Told)
    }
}

fn nowhere() -> CliError {
    CliError::failed("the capture could be written nowhere")
}

/// A capture as `--json` tells of it.
fn described(capture: &Capture, warnings: &[String]) -> Value {
    let mut value = list::capture_json(capture);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("warnings".to_owned(), json!(warnings));
    }
    value
}

/// Where a capture lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Cache,
    Rescue,
    /// In memory alone.
    Nowhere,
}

/// A capture with the place that took it.
struct Kept {
    capture: Capture,
    place: Place,
    bytes: Vec<u8>,
    warnings: Vec<String>,
    is_readable: bool,
}

/// Puts a capture on the disk, then reads it: one that can't be read is still a capture.
fn keep(store: &Store, taken: Taken) -> Kept {
    let Taken {
        bytes,
        about,
        mut warnings,
    } = taken;
    let (mut capture, place) = put_away(store, &bytes, about, &mut warnings);
    let is_readable = match summary(&bytes) {
        Ok((summary, left_out)) => {
            left_out
                .into_iter()
                .for_each(|what| warn(&mut warnings, what));
            if place != Place::Nowhere
                && let Err(error) = store.set_summary(&capture, summary.clone())
            {
                warn(&mut warnings, error.to_string());
            }
            capture.summary = Some(summary);
            true
        }
        Err(why) => {
            warn(&mut warnings, format!("the profile can't be read: {why}"));
            false
        }
    };
    Kept {
        capture,
        place,
        bytes,
        warnings,
        is_readable,
    }
}

/// Puts a capture into the cache, else into a rescue folder.
fn put_away(
    store: &Store,
    bytes: &[u8],
    about: About,
    warnings: &mut Vec<String>,
) -> (Capture, Place) {
    let why = match store.keep(bytes, about.clone()) {
        Ok(capture) => {
            match store.make_room(&capture) {
                Ok(room) => eviction_note(&room)
                    .into_iter()
                    .for_each(|told| warn(warnings, told)),
                Err(error) => warn(warnings, error.to_string()),
            }
            return (capture, Place::Cache);
        }
        Err(why) => why,
    };
    match store.rescue(bytes, about.clone()) {
        Ok(rescued) => {
            warn(warnings, rescue_note(&rescued.path, &why));
            (rescued, Place::Rescue)
        }
        Err(_) => {
            warn(warnings, format!("the capture is not in the cache: {why}"));
            (about.unkept(bytes), Place::Nowhere)
        }
    }
}

/// One of several captures that is on the disk.
pub(super) struct OneOfSeveral {
    /// The capture, with the path it can be found at.
    pub(super) capture: Capture,
    /// What `--json` tells of it.
    pub(super) told: Value,
    /// Whether it is a profile that can be read.
    pub(super) is_readable: bool,
}

/// Keeps one of several captures.
///
/// # Errors
/// It could be written nowhere.
pub(super) fn one_of_several(store: &Store, taken: Taken) -> Result<OneOfSeveral, CliError> {
    let Kept {
        capture,
        place,
        warnings,
        is_readable,
        ..
    } = keep(store, taken);
    if place == Place::Nowhere {
        return Err(nowhere());
    }
    Ok(OneOfSeveral {
        told: described(&capture, &warnings),
        capture,
        is_readable,
    })
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

fn warn(warnings: &mut Vec<String>, warning: String) {
    note(&printable(&warning));
    warnings.push(warning);
}
