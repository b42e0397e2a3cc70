//! Refreshing the metrics while the user looks, at most once a minute.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::core::layout::is_too_small;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::load::Load;
use crate::app::load::failure::{Failure, Refusal};
use crate::app::screens::workers::effect::WorkersEffect;
use crate::app::screens::workers::metrics::describe;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;
use crate::model::cloudflare::Metrics;

/// Metrics are requested again after this long: analytics are a shared and slow service.
const KEEP: Duration = Duration::from_secs(60);
/// After this long without input, refreshing stops.
const INPUT_AGE_MAX: Duration = Duration::from_secs(180);

/// Whether the user may be looking at the metrics.
fn is_seen(state: &State, now: Instant) -> bool {
    let is_recent = state
        .keys
        .last_input_at
        .is_some_and(|at| now.saturating_duration_since(at) < INPUT_AGE_MAX);
    is_recent && state.screen == Screen::Workers && !is_too_small(state.size)
}

/// Shows the metrics.
pub(crate) fn on_metrics(
    state: &mut State,
    id: RequestId,
    metrics: HashMap<String, Metrics>,
    now: Moment,
) -> Vec<Effect> {
    let first = state.workers.metrics.awaits(id);
    if !first && state.workers.renewal.newer != Some(id) {
        return Vec::new();
    }
    state.workers.set_metrics(metrics, first);
    let mut effects = Vec::from_iter(wait_for_next(state, None, now.instant));
    effects.extend(requests::keep_workers(state));
    if first && !state.workers.rows.is_empty() {
        effects.extend(requests::rest_on_worker(state, now.instant));
    }
    effects
}

/// The metrics could not be loaded.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    failure: Failure,
    now: Moment,
) -> Result<Outcome, Failure> {
    // If newer ones can't be loaded, the old ones stay until the next turn.
    if state.workers.renewal.newer == Some(id) {
        return Ok(wait_for_next(state, Some(&failure), now.instant).into());
    }
    if !state.workers.metrics.awaits(id) {
        return Err(failure);
    }
    let next = wait_for_next(state, Some(&failure), now.instant);
    // Columns stay blank; the reason is in the title. Everything else works.
    if state.overlays.is_empty() && !matches!(state.workers.load, Load::Failed(_)) {
        state.warn(describe(&failure));
    }
    state.workers.metrics = Load::Failed(Box::new(failure));
    state.workers.without_metrics();
    let mut effects = Vec::from_iter(next);
    // The order of the rows is final now.
    if !state.workers.rows.is_empty() {
        effects.extend(requests::rest_on_worker(state, now.instant));
    }
    Ok(effects.into())
}

/// Waits for the next turn after metrics arrived or failed, at least for the pause that the server asked for.
fn wait_for_next(state: &mut State, failed: Option<&Failure>, now: Instant) -> Option<Effect> {
    state.keys.last_input_at.get_or_insert(now);
    let renewal = &mut state.workers.renewal;
    // A missing permission stays missing for as long as this account is in force.
    renewal.lasting = failed.is_some_and(|failure| failure.refusal == Some(Refusal::NotAllowed));
    (renewal.last_at, renewal.newer) = (Some(now), None);
    if renewal.lasting || !is_seen(state, now) {
        return None;
    }
    let id = state.fresh_id();
    state.workers.renewal.due = Some(id);
    let pause = failed.and_then(|failure| failure.retry_after);
    let wait = pause.unwrap_or_default().max(KEEP);
    Some(Effect::Workers(id, WorkersEffect::Later(wait)))
}

/// Requests new metrics at the end of a wait.
pub(crate) fn on_due(state: &mut State, id: RequestId, now: Moment) -> Option<Effect> {
    if state.workers.renewal.due != Some(id) {
        return None;
    }
    state.workers.renewal.due = None;
    request(state, now.instant)
}

/// Requests new metrics with the first input after a while in which refreshing had stopped.
pub(crate) fn refresh_if_old(state: &mut State, now: Moment) -> Option<Effect> {
    let renewal = &state.workers.renewal;
    let is_old = renewal
        .last_at
        .is_some_and(|at| now.instant.saturating_duration_since(at) >= KEEP);
    if is_old && renewal.due.is_none() {
        request(state, now.instant)
    } else {
        None
    }
}

fn request(state: &mut State, now: Instant) -> Option<Effect> {
    let is_low = state.workers.quota.is_some_and(|quota| quota.is_low(now));
    let renewal = &state.workers.renewal;
    let is_busy =
        renewal.newer.is_some() || matches!(state.workers.metrics, Load::Running(_) | Load::Idle);
    if is_low || is_busy || renewal.lasting || !is_seen(state, now) {
        return None;
    }
    let id = state.fresh_id();
    state.workers.renewal.newer = Some(id);
    Some(Effect::Workers(id, WorkersEffect::Metrics))
}
