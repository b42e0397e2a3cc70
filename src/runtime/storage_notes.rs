//! Notes on storage: captures that were evicted, and captures that were rescued because the cache could not take them.

use std::path::Path;

use crate::model::text::sanitize::shell_word;
use crate::model::text::units;
use crate::store::{Destination, Eviction, StoreError};

/// Returns the note on an eviction; `None` if nothing was removed and all is within the quota.
#[must_use]
pub fn eviction_note(room: &Eviction) -> Option<String> {
    let size = |bytes: u64| units::value(i128::from(bytes), "bytes");
    let removed = match room.removed.as_slice() {
        [] => None,
        [one] => Some(format!(
            "{}, the capture used longest ago ({}), was removed",
            one.provenance.target.worker,
            size(one.bytes)
        )),
        more => Some(format!(
            "{} captures used longest ago ({}) were removed",
            more.len(),
            size(more.iter().map(|capture| capture.bytes).sum())
        )),
    };
    let quota = size(room.quota);
    match (removed, room.over) {
        (None, None) => None,
        (Some(removed), None) => Some(format!("{removed}, as all of them may take {quota}.")),
        (None, Some(now)) => Some(format!(
            "The captures take {} of {quota}: the rest is pinned or damaged.",
            size(now)
        )),
        (Some(removed), Some(now)) => Some(format!(
            "{removed}; the rest still takes {} of {quota} and is pinned or damaged.",
            size(now)
        )),
    }
}

/// Returns the note on a rescued capture: where it is, and how to import it into the cache.
#[must_use]
pub fn rescue_note(path: &Path, why: &StoreError) -> String {
    format!(
        "the capture is not in the cache: {why}. It is at {}; when there is room, `{}` takes it in",
        path.display(),
        import(path)
    )
}

/// Returns the note on a rescued capture that is still there, with the command that imports it.
#[must_use]
pub fn still_rescued(path: &Path) -> String {
    format!(
        "a capture that the cache could not take is still at {}: `{}` takes it in",
        path.display(),
        import(path)
    )
}

fn import(path: &Path) -> String {
    let path = shell_word(&path.to_string_lossy());
    format!("flarescope cache import {path}")
}

/// Returns the note, shown before a capture, on where it goes if the cache can't take it; `None` if it can.
#[must_use]
pub fn destination_note(destination: &Destination) -> Option<String> {
    match destination {
        Destination::Cache => None,
        Destination::Rescue(folder, why) => Some(format!(
            "the cache may have no place for the capture: {why}. It then goes to {}",
            folder.display()
        )),
        Destination::Nowhere(why) => Some(format!(
            "the cache may have no place for the capture: {why}. No other folder has one"
        )),
    }
}
