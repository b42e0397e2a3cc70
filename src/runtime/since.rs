//! Since when: looks a function up in earlier captures.

use std::sync::Arc;

use crate::app::{ProfileResponse, Response, SinceJob, Source};
use crate::model::cloudflare::Capture;
use crate::model::diff::{Normalise, Since, Width, compare};
use crate::model::graph::frames::FunctionName;
use crate::model::graph::view::View;
use crate::model::profile::Profile;
use crate::runtime::{merge, symbolication};
use crate::store::Store;

/// Looks the function up for the open profile.
pub(super) fn find(store: &Store, job: &SinceJob) -> Response {
    let since = job.new.capture.as_ref().and_then(|capture| {
        since(&job.bases, capture, &job.view, &job.function, |base| {
            sides(store, base, &job.new)
        })
    });
    Response::Profile(ProfileResponse::Since(since.map(Box::new)))
}

/// Reads an earlier capture and gives both profiles the same kind of names. `None` if it can't be read.
#[must_use]
pub fn sides(store: &Store, base: &Capture, new: &Source) -> Option<[Arc<Profile>; 2]> {
    let base = merge::kept(store, base.clone()).ok()?;
    let (base, new) = symbolication::alike(store, base, new.clone());
    Some([base.profile, new.profile])
}

/// Reads an earlier capture. `None` if it can't be read.
#[must_use]
pub fn profile(store: &Store, capture: &Capture) -> Option<Arc<Profile>> {
    let source = merge::kept(store, capture.clone()).ok()?;
    Some(source.profile)
}

/// Returns what the first of some earlier captures that can tell holds of a function: one that `sides` can read, with enough
/// samples. `None` if none can.
#[must_use]
pub fn since(
    bases: &[Capture],
    new: &Capture,
    view: &View,
    function: &FunctionName,
    sides: impl Fn(&Capture) -> Option<[Arc<Profile>; 2]>,
) -> Option<Since> {
    bases.iter().find_map(|base| {
        let [earlier, profile] = sides(base)?;
        let (normalise, width) = (Normalise::ByWindow, Width::Larger);
        let comparison = compare(&earlier, &profile, view, normalise, width).ok()?;
        Since::new(&comparison, function, base, new)
    })
}
