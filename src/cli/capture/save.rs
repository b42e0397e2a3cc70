//! Saves a finished capture: to the cache and the output file, with its result on stdout.

use std::io;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::app::Source;
use crate::cli::capture::args::CaptureArgs;
use crate::cli::connect::note;
use crate::cli::headline::Found;
use crate::cli::output::{print_json, print_path, put};
use crate::cli::{CliError, list};
use crate::model::cloudflare::{Capture, Metrics, Summary};
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::insights::summary::summarise;
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::runtime::files;
use crate::store;
use crate::store::Store;

/// A finished capture, with the warnings printed before it.
pub(super) struct Taken {
    pub(super) profile: runtime::Taken,
    /// The target's metrics, if they arrived before the profile.
    pub(super) metrics: Option<Metrics>,
    pub(super) warnings: Vec<String>,
}

/// Keeps, decodes, copies and reports the capture. Returns it with its path.
///
/// # Errors
/// It could not be written, or not to the output file, or it can't be decoded. A kept capture stays where it is, and
/// its path is reported.
pub(super) fn finish(args: &CaptureArgs, store: &Store, taken: Taken) -> Result<Capture, CliError> {
    let mut kept = keep(store, taken)?;
    let mut out = io::stdout().lock();
    match args.output.as_deref() {
        Some(path) if path == Path::new("-") => {
            out.write_all(&kept.bytes)?;
            out.flush()?;
            return kept.readable();
        }
        Some(path) => match (put(&files::absolute(path), &kept.bytes), kept.place) {
            (Ok(()), Place::Cache) => {}
            (Ok(()), place) => {
                if place == Place::Rescue {
                    // It is where the user asked for it.
                    let _ = store.remove_rescued(&kept.capture);
                }
                kept.capture.path = path.to_owned();
            }
            (Err(error), Place::Nowhere) => {
                return Err(CliError::failed(format!("it can't be written: {error}")));
            }
            (Err(error), _) => {
                let at = kept.capture.path.display();
                let message = format!("it can't be written: {error}; the capture is at {at}");
                return Err(CliError::failed(message));
            }
        },
        None if kept.place == Place::Nowhere => return Err(nowhere()),
        None => {}
    }
    if args.json {
        print_json(&mut out, &kept.json())?;
    } else {
        print_path(&mut out, &kept.capture.path)?;
    }
    kept.readable()
}

fn nowhere() -> CliError {
    CliError::failed("the capture could be written nowhere")
}

/// Where a capture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Cache,
    Rescue,
    /// Only in memory.
    Nowhere,
}

/// A capture with its place.
pub(super) struct Kept {
    pub(super) capture: Capture,
    place: Place,
    bytes: Vec<u8>,
    warnings: Vec<String>,
    headline: Option<Found>,
    /// Whether it can be decoded; if not, that was reported.
    pub(super) is_readable: bool,
}

impl Kept {
    /// Returns it as `--json` prints it.
    pub(super) fn json(&self) -> Value {
        let mut value = list::capture_json(&self.capture);
        if let Some(fields) = value.as_object_mut() {
            let headline = self.headline.as_ref().map(Found::json);
            fields.insert("headline".to_owned(), json!(headline));
            fields.insert("warnings".to_owned(), json!(self.warnings));
        }
        value
    }

    /// Returns the capture if it can be decoded.
    fn readable(self) -> Result<Capture, CliError> {
        if self.is_readable {
            Ok(self.capture)
        } else {
            Err(CliError::Reported)
        }
    }
}

/// Decodes a capture, and completes its description on disk. One that can't be decoded is still kept.
///
/// # Errors
/// The kept profile can't be read again.
fn keep(store: &Store, taken: Taken) -> Result<Kept, CliError> {
    let mut warnings = taken.warnings;
    let (mut capture, bytes, place) = match taken.profile {
        runtime::Taken::Kept(capture, remark) => {
            remark
                .into_iter()
                .for_each(|text| warn(&mut warnings, text));
            let place = if capture.path.starts_with(store.dir()) {
                Place::Cache
            } else {
                Place::Rescue
            };
            let bytes = store.read(&capture)?;
            (*capture, bytes, place)
        }
        runtime::Taken::Unkept(bytes, provenance, why) => {
            warn(
                &mut warnings,
                format!("the capture is not in the cache: {why}"),
            );
            let capture = store::unsaved(&bytes, *provenance);
            (capture, bytes, Place::Nowhere)
        }
    };
    if let Some(metrics) = taken.metrics {
        capture.provenance.target.metrics = Some(metrics);
        if place != Place::Nowhere
            && let Err(error) = store.set_metrics(&capture, metrics)
        {
            warn(&mut warnings, error.to_string());
        }
    }
    let mut headline = None;
    let is_readable = match summary(&bytes, &capture) {
        Ok((summary, found, left_out)) => {
            left_out
                .into_iter()
                .for_each(|what| warn(&mut warnings, what));
            if place != Place::Nowhere
                && let Err(error) = store.set_summary(&capture, summary.clone())
            {
                warn(&mut warnings, error.to_string());
            }
            if let Some(found) = &found {
                note(&printable(&found.text(usize::MAX)));
            }
            (capture.summary, headline) = (Some(summary), found);
            true
        }
        Err(why) => {
            warn(&mut warnings, format!("the profile can't be read: {why}"));
            false
        }
    };
    Ok(Kept {
        capture,
        place,
        bytes,
        warnings,
        headline,
        is_readable,
    })
}

/// Keeps a capture of a batch.
///
/// # Errors
/// It could not be written to any folder.
pub(super) fn keep_one(store: &Store, taken: Taken) -> Result<Kept, CliError> {
    let kept = keep(store, taken)?;
    if kept.place == Place::Nowhere {
        Err(nowhere())
    } else {
        Ok(kept)
    }
}

/// Returns a capture's summary and headline, with warnings on what could not be decoded.
fn summary(
    bytes: &[u8],
    capture: &Capture,
) -> Result<(Summary, Option<Found>, Vec<String>), String> {
    let profile = runtime::decode(bytes, "the capture").map_err(|error| error.fault.to_string())?;
    let reading =
        aggregate::read(&profile, &View::new(&profile)).map_err(|error| error.to_string())?;
    let left_out = profile.left_out().to_vec();
    let summary = summarise(&profile, &reading);
    let source = Source::of_capture(profile, capture.clone());
    Ok((summary, Found::of_capture(source), left_out))
}

fn warn(warnings: &mut Vec<String>, warning: String) {
    note(&printable(&warning));
    warnings.push(warning);
}
