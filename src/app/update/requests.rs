//! Requests that more than one feature sends: each notes the request's id in the state and returns the effect.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::capture::batch::{Aim, Batch};
use crate::app::capture::effect::CaptureEffect;
use crate::app::capture::targets::NamespaceDetails;
use crate::app::core::clock::Moment;
use crate::app::core::session::Origin;
use crate::app::effect::Effect;
use crate::app::load::Load;
use crate::app::overlays::Overlay;
use crate::app::overlays::account_picker::AccountsEffect;
use crate::app::overlays::object_picker::ObjectsEffect;
use crate::app::screens::history::effect::HistoryEffect;
use crate::app::screens::profile::compare_job::{CompareJob, CompareSide};
use crate::app::screens::profile::effect::{ProfileEffect, SinceJob};
use crate::app::screens::profile::hints::METRICS_AGE_MAX;
use crate::app::screens::profile::source::Part;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::Details;
use crate::app::screens::workers::effect::WorkersEffect;
use crate::app::state::State;
use crate::model::cloudflare::{Capture, DefaultBaseline, Kind, baselines};
use crate::model::diff::{Normalise, Width};
use crate::model::graph::frames::FrameId;
use crate::model::insights::Context;
use crate::model::text::sanitize::printable_lines;

/// How long the selection has to rest on a Worker before its details are requested: scrolling must not spend the quota.
const REST: Duration = Duration::from_millis(300);
/// Earlier captures that are asked for a function before none is said to tell.
const BASES: usize = 3;
/// How long details stay good.
const DETAILS_KEEP: Duration = Duration::from_secs(60);

/// Lists the accounts.
pub(crate) fn list_accounts(state: &mut State) -> Effect {
    let id = state.fresh_id();
    state.accounts.load = Load::Running(id);
    Effect::Accounts(id, AccountsEffect::List)
}

/// Lists the Workers and their traffic.
pub(crate) fn list_workers(state: &mut State) -> Vec<Effect> {
    let list = state.fresh_id();
    state.workers.load = Load::Running(list);
    state.workers.named.clear();
    let list = Effect::Workers(list, WorkersEffect::List);
    if state.is_local() {
        return vec![list];
    }
    let metrics = state.fresh_id();
    state.workers.metrics = Load::Running(metrics);
    vec![list, Effect::Workers(metrics, WorkersEffect::Metrics)]
}

/// Keeps the list for the next start once it is whole and its metrics are there, or failed.
pub(crate) fn keep_workers(state: &mut State) -> Option<Effect> {
    let workers = &state.workers;
    let is_whole =
        workers.load.ready().is_some() && !matches!(workers.metrics, Load::Running(_) | Load::Idle);
    let as_of = workers
        .as_of
        .filter(|_| is_whole && state.session.origin == Origin::Cloudflare)?;
    let rows = workers.rows.clone();
    Some(Effect::Workers(
        state.fresh_id(),
        WorkersEffect::Keep(rows, as_of),
    ))
}

/// Waits until the selection has rested, unless the selected Worker's details are there.
pub(crate) fn rest_on_worker(state: &mut State, now: Instant) -> Option<Effect> {
    state.workers.held = false;
    // Of a local runtime the list says all there is.
    let worker = state.workers.current().filter(|_| !state.is_local())?;
    if let Some(Details { load, at, newer }) = state.workers.details.get(&worker.id)
        && (matches!(load, Load::Running(_))
            || newer.is_some()
            || now.duration_since(*at) < DETAILS_KEEP)
    {
        return None;
    }
    let id = state.fresh_id();
    state.workers.resting = Some(id);
    Some(Effect::Workers(id, WorkersEffect::Rest(REST)))
}

/// Requests the details of the selected Worker at once.
pub(crate) fn worker_details(state: &mut State, now: Instant) -> Option<Effect> {
    let worker = state
        .workers
        .current()
        .filter(|_| !state.is_local())?
        .clone();
    let id = state.fresh_id();
    state.workers.held = false;
    match state.workers.details.get_mut(&worker.id) {
        // What is known stays until something newer arrives.
        Some(details) if details.load.ready().is_some() => details.newer = Some(id),
        _ => {
            let requested = Details {
                load: Load::Running(id),
                at: now,
                newer: None,
            };
            state.workers.details.insert(worker.id.clone(), requested);
        }
    }
    Some(Effect::Workers(
        id,
        WorkersEffect::Details(Box::new(worker)),
    ))
}

/// Requests the objects with the most memory where a heap capture is prepared and the busiest are not all there are.
pub(crate) fn largest_objects(state: &mut State) -> Option<Effect> {
    let namespace = match (state.overlays.top(), &state.objects) {
        (_, Some(objects)) if objects.order == Kind::Heap => &objects.namespace.id,
        (Some(Overlay::CaptureForm(form)), None) if form.kind == Kind::Heap => {
            &form.chosen_class()?.namespace.id
        }
        _ => return None,
    };
    let namespace = namespace.clone();
    let workers = &mut state.workers;
    let is_requested = workers
        .largest
        .as_ref()
        .is_some_and(|(_, requested)| *requested == namespace);
    let is_wanted = workers
        .class(&namespace)
        .is_some_and(NamespaceDetails::may_have_larger);
    if is_requested || !is_wanted {
        return None;
    }
    let id = state.fresh_id();
    state.workers.largest = Some((id, namespace.clone()));
    Some(Effect::Objects(id, ObjectsEffect::Largest(namespace)))
}

/// Lists the captures on disk.
pub(crate) fn list_captures(state: &mut State) -> Effect {
    let id = state.fresh_id();
    state.history.load = Load::Running(id);
    Effect::History(id, HistoryEffect::List)
}

/// Looks after a while for what other instances capture.
pub(crate) fn look_elsewhere(state: &mut State, after: Duration) -> Effect {
    let id = state.fresh_id();
    state.captures.look = Some(id);
    Effect::Capture(id, CaptureEffect::LookElsewhere(after))
}

/// Opens what replaces the profile on the screen.
fn open(state: &mut State, effect: ProfileEffect) -> Effect {
    let id = state.fresh_id();
    state.profiles.opening = Some(id);
    Effect::Profile(id, effect)
}

/// Opens a file.
pub(crate) fn open_file(state: &mut State, path: PathBuf) -> Effect {
    open(state, ProfileEffect::OpenFile(path))
}

/// Opens a capture on disk.
pub(crate) fn open_capture(state: &mut State, capture: Box<Capture>) -> Effect {
    open(state, ProfileEffect::OpenCapture(capture))
}

/// Opens captures as one.
pub(crate) fn open_merged(state: &mut State, captures: &[Capture]) -> Effect {
    let part = |capture: &Capture| Part::Kept(Box::new(capture.clone()));
    let parts = captures.iter().map(part).collect();
    open(state, ProfileEffect::OpenMerged(parts))
}

/// Compares two profiles in the default view.
pub(crate) fn compare(state: &mut State, base: CompareSide, new: CompareSide) -> Effect {
    let job = CompareJob {
        base,
        new,
        view: None,
        normalise: Normalise::ByWindow,
        width: Width::Larger,
    };
    open(state, ProfileEffect::Compare(Box::new(job)))
}

/// Opens what a batch captured: one alone, several as one, or both sides of a comparison. `None` if it captured nothing.
pub(crate) fn open_batch(state: &mut State, batch: &Batch) -> Option<Effect> {
    let side = |capture: &Capture| CompareSide::Kept(Box::new(capture.clone()));
    Some(match (batch.kept.as_slice(), batch.aim) {
        ([], _) => return None,
        ([base, new], Aim::Compare) => compare(state, side(base), side(new)),
        ([only], _) => open_capture(state, Box::new(only.clone())),
        (several, _) => open_merged(state, several),
    })
}

/// Computes the open profile's view as it was changed.
pub(crate) fn view(state: &mut State) -> Option<Effect> {
    let id = state.fresh_id();
    let profile = state.profile.as_mut()?;
    Some(Effect::Profile(id, profile.request_view(id)))
}

/// Computes callers and callees of a function.
pub(crate) fn sandwich(state: &mut State, frame: FrameId) -> Option<Effect> {
    let id = state.fresh_id();
    let profile = state.profile.as_mut()?;
    Some(Effect::Profile(id, profile.request_sandwich(id, frame)))
}

/// Finds the hints of a view that has none yet. Computing the view does not wait for them.
pub(crate) fn hints(state: &mut State, now: Moment) -> Option<Effect> {
    let profile = state
        .profile
        .as_ref()
        .filter(|profile| profile.hints.wanted && profile.compare.is_none())?;
    let context = Box::new(context(state, profile, now));
    let id = state.fresh_id();
    let profile = state.profile.as_mut()?;
    profile.hints.wanted = false;
    profile.hints.pending = Some(id);
    let (source, reading) = (&profile.source.profile, &profile.reading);
    let effect = ProfileEffect::Hints(Arc::clone(source), Arc::clone(reading), context);
    Some(Effect::Profile(id, effect))
}

/// Asks earlier captures for the headline's function, once it and the list of captures are there.
pub(crate) fn since(state: &mut State) -> Option<Effect> {
    state.history.load.ready()?;
    let id = state.fresh_id();
    let profile = state
        .profile
        .as_mut()
        .filter(|profile| profile.headline.wants_since && profile.compare.is_none())?;
    profile.headline.wants_since = false;
    let capture = profile.source.capture.as_ref()?;
    let top = profile.headline.headline.as_ref()?.top.as_ref()?;
    let bases: Vec<Capture> = baselines(&state.history.captures, capture)
        .into_iter()
        .filter(|(_, why)| *why != DefaultBaseline::VersionAfter)
        .take(BASES)
        .map(|(base, _)| base.clone())
        .collect();
    if bases.is_empty() {
        profile.headline.lacks_base = true;
        return None;
    }
    let job = SinceJob {
        bases,
        new: profile.source.clone(),
        view: profile.read_view.clone(),
        function: top.function.clone(),
    };
    profile.headline.pending = Some(id);
    Some(Effect::Profile(id, ProfileEffect::Since(Box::new(job))))
}

/// Returns what is known of a profile beside its bytes.
pub(crate) fn context(state: &State, profile: &ProfileState, now: Moment) -> Context {
    let has_source_map = profile.source.names.is_some();
    let Some(capture) = &profile.source.capture else {
        return Context {
            has_source_map,
            ..Context::default()
        };
    };
    let is_recent = now
        .wall
        .duration_since(capture.provenance.answered_at)
        .is_ok_and(|age| age < METRICS_AGE_MAX);
    // Requests of an object are not among its Worker's.
    let is_worker =
        is_recent && capture.target().metrics.is_none() && capture.target().object.is_none();
    let current = || state.workers.metrics_of(&capture.target().worker);
    let metrics = capture
        .target()
        .metrics
        .or_else(|| current().filter(|_| is_worker));
    Context {
        metrics,
        has_source_map,
        ..Context::of(capture)
    }
}

/// Copies a text. All that goes to the clipboard goes through here: pasted into a shell, it must not run anything.
pub(crate) fn copy(state: &mut State, text: &str) -> Effect {
    Effect::Copy(state.fresh_id(), printable_lines(text).into_owned())
}
