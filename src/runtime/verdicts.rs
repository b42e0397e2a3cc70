//! Verdicts on the screen: judges the captures that the sides of a comparison were merged from.

use std::sync::Arc;

use crate::app::Source;
use crate::model::cloudflare::Capture;
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::profile::Profile;
use crate::model::verdict::{Assessment, CaptureSums, Options, judge};
use crate::runtime::{merge, symbolication};
use crate::store::Store;

/// Judges two sides in a view; each capture is dropped before the next is read. `None` if both are one capture each, or one
/// of their captures can't be read any more.
pub(super) fn assess(
    store: &Store,
    base: &Source,
    new: &Source,
    view: &View,
) -> Option<Assessment> {
    if base.members.is_empty() && new.members.is_empty() {
        return None;
    }
    let base = sums(store, base, view)?;
    let new = sums(store, new, view)?;
    Some(judge(&base, &new, Options::default()))
}

/// Returns what each capture of a side holds of each function.
fn sums(store: &Store, side: &Source, view: &View) -> Option<Vec<CaptureSums>> {
    if side.members.is_empty() {
        let name = side.name.clone();
        return Some(vec![reduce(name, &side.profile, view)?]);
    }
    side.members
        .iter()
        .map(|member| {
            let profile = profile(store, member.capture.as_ref()?)?;
            reduce(member.name.clone(), &profile, view)
        })
        .collect()
}

/// Reads a capture, with the names of its source.
fn profile(store: &Store, capture: &Capture) -> Option<Arc<Profile>> {
    let source = merge::kept(store, capture.clone()).ok()?;
    Some(symbolication::recall(store, source).0.profile)
}

fn reduce(name: String, profile: &Profile, view: &View) -> Option<CaptureSums> {
    let view = View {
        hide_idle: true,
        ..view.clone()
    };
    let reading = aggregate::read(profile, &view).ok()?;
    let unit = profile.type_names(reading.sample_type).1;
    Some(CaptureSums::new(name, &reading, &unit))
}
