//! Symbolication: gives a profile the names of its source, by a chosen source map or by its Worker's last one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::{
    Failure, FailureKind, MapJob, MapNames, ProfileResponse, Response, Source, map_outcome,
};
use crate::model::profile::Profile;
use crate::model::source_map::{Fit, SourceMap, restore};
use crate::model::text::sanitize::printable;
use crate::runtime::files;
use crate::runtime::tasks::EffectResult;
use crate::runtime::{Services, source_maps};
use crate::store::Store;

/// Restores a profile's names by source maps.
///
/// # Errors
/// A sentence, safe to print, if no map fits.
pub fn names(
    profile: &Arc<Profile>,
    maps: &[Arc<SourceMap>],
    paths: &[PathBuf],
) -> Result<MapNames, String> {
    let restored = restore(profile, maps);
    let sentences = |fits: bool| {
        let some = restored
            .uses
            .iter()
            .filter(|made| (made.fit == Fit::Fits) == fits);
        some.map(|made| printable(&map_outcome(made)).into_owned())
            .collect::<Vec<_>>()
            .join("; ")
    };
    match restored.profile {
        Some(named) => {
            let used = maps
                .iter()
                .zip(&restored.uses)
                .filter(|(_, made)| made.fit == Fit::Fits);
            Ok(MapNames {
                bundle: Arc::clone(profile),
                restored: Arc::new(named),
                maps: used.map(|(map, _)| Arc::clone(map)).collect(),
                paths: paths.to_vec(),
                summary: sentences(true),
            })
        }
        None => Err(sentences(false)),
    }
}

/// Loads a map for the open profile and remembers it for its Worker.
pub(super) fn load(services: &Services, job: &MapJob) -> EffectResult {
    let path = files::typed(&job.path);
    let maps = source_maps::load(std::slice::from_ref(&path))
        .map_err(|error| Failure::new(FailureKind::File, format!("{error}.")))?;
    let answer = names(&job.profile, &maps, std::slice::from_ref(&path));
    if let (Ok(_), Some(capture)) = (&answer, &job.capture) {
        // If it can't be remembered, the user only has to load it again.
        let _ = services.store.remember_source_maps(capture, &[path]);
    }
    Ok(Response::Profile(ProfileResponse::Mapped(
        answer.map(Box::new),
    )))
}

/// Gives a capture the names of its Worker's last map. Returns a sentence if that failed.
/// A missing map is reported and stays remembered: it may be back the next time.
#[must_use]
pub fn recall(store: &Store, source: Source) -> (Source, Option<String>) {
    let Some(capture) = source.captures().next() else {
        return (source, None);
    };
    let paths = store.source_maps(capture);
    if paths.is_empty() {
        return (source, None);
    }
    if let Some(gone) = paths.iter().find(|path| !path.exists()) {
        let worker = printable(&capture.target().worker).into_owned();
        let gone = shown(gone);
        return (
            source,
            Some(format!(
                "The source map of {worker} is not there now: {gone}."
            )),
        );
    }
    let maps = match source_maps::load(&paths) {
        Ok(maps) => maps,
        Err(error) => return (source, Some(format!("{error}."))),
    };
    match names(&source.profile, &maps, &paths) {
        Ok(names) => (source.with_names(names), None),
        Err(why) => (source, Some(format!("{why}."))),
    }
}

/// Gives both sides of a comparison the same kind of names: the source's, unless the new side shows its bundle's.
#[must_use]
pub(super) fn alike(store: &Store, base: Source, new: Source) -> (Source, Source) {
    if new.has_bundle_names() {
        let profile = Arc::clone(base.bundle());
        return (Source { profile, ..base }, new);
    }
    let named = |source: Source| {
        if source.names.is_some() {
            source
        } else {
            recall(store, source).0
        }
    };
    let (base, new) = (named(base), named(new));
    // A map for one side may fit the other.
    let other = new.names.as_ref().filter(|_| base.names.is_none());
    let names = other.and_then(|other| names(&base.profile, &other.maps, &other.paths).ok());
    (
        if let Some(names) = names {
            base.with_names(names)
        } else {
            base
        },
        new,
    )
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}
