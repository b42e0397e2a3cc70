//! Opens several captures or files as one profile.

use std::fs::File;
use std::io::Cursor;
use std::sync::Arc;

use crate::app::{Failure, FailureKind, Part, Source, merge_sources};
use crate::formats;
use crate::model::cloudflare::Capture;
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::profile::merge::MergeError;
use crate::runtime::tasks::EffectResult;
use crate::runtime::{Services, failures, files, open, symbolication};
use crate::store::Store;

/// Reads all parts and merges them. If one can't be read, none is opened: a total without it would
/// look like the total of all.
pub(super) fn open(services: &Services, parts: Vec<Part>) -> EffectResult {
    let read = |part: Part| match part {
        Part::Kept(capture) => kept(&services.store, *capture),
        Part::File(path) => {
            let path = files::absolute(&path);
            let file = File::open(&path).map_err(|error| failures::file(&path, &error))?;
            let name = path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let profile = formats::read(file, &name).map_err(|error| failures::format(&error))?;
            Ok(Source::of_file(profile, path))
        }
        // The merged profile gets one map for all parts.
        Part::Open(source) => Ok(Source {
            profile: Arc::clone(source.bundle()),
            names: None,
            ..*source
        }),
    };
    let sources = parts
        .into_iter()
        .map(read)
        .collect::<Result<Vec<Source>, Failure>>()?;
    let (source, warning) = merge_sources(sources).map_err(unmerged)?;
    let (source, failed) = symbolication::recall(&services.store, source);
    let view = View {
        hide_idle: true,
        ..View::new(&source.profile)
    };
    let reading =
        aggregate::read(&source.profile, &view).map_err(|error| failures::view(&error))?;
    Ok(open::opened(
        source,
        view,
        Arc::new(reading),
        warning.or(failed).map(Into::into),
    ))
}

/// Loads several captures as one.
///
/// # Errors
/// [`Failure`] if one can't be read, or they can't be merged.
pub(super) fn several(store: &Store, captures: Vec<Capture>) -> Result<Source, Failure> {
    let sources = captures.into_iter().map(|capture| kept(store, capture));
    let (source, _) = merge_sources(sources.collect::<Result<_, _>>()?).map_err(unmerged)?;
    Ok(source)
}

/// Returns why several can't be opened as one.
fn unmerged(error: MergeError) -> Failure {
    Failure::new(
        FailureKind::File,
        format!("These can't be opened as one: {error}."),
    )
}

/// Loads a capture from disk.
pub(super) fn kept(store: &Store, capture: Capture) -> Result<Source, Failure> {
    let bytes = store
        .read(&capture)
        .map_err(|error| failures::store(&error))?;
    let profile = formats::read(Cursor::new(bytes), &capture.target().worker)
        .map_err(|error| failures::format(&error))?;
    Ok(Source::of_capture(profile, capture))
}
