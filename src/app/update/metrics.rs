//! Refreshing the metrics while somebody looks, at most once a minute.

use std::time::{Duration, Instant};

use crate::app::core::clock::Moment;
use crate::app::core::failure::{Failure, Refusal};
use crate::app::core::ids::RequestId;
use crate::app::core::layout::{MIN_COLUMNS, MIN_ROWS};
use crate::app::core::load::Load;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::state::State;

/// How old figures get before they are asked for anew: analytics are a shared and slow service.
const KEEP: Duration = Duration::from_secs(60);
/// Without a key for so long nobody is taken to look.
const LOOKED: Duration = Duration::from_secs(180);

/// Whether somebody may be looking at the figures.
fn is_seen(state: &State, now: Instant) -> bool {
    let (columns, rows) = state.size;
    let looked = state
        .touched
        .is_some_and(|at| now.saturating_duration_since(at) < LOOKED);
    looked && state.screen == Screen::Workers && columns >= MIN_COLUMNS && rows >= MIN_ROWS
}

/// Figures came, or a reason why not: the next turn is a while away.
pub(crate) fn came(state: &mut State, failed: Option<&Failure>, now: Moment) -> Option<Effect> {
    state.touched.get_or_insert(now.instant);
    let renewal = &mut state.workers.renewal;
    // A right that is missing is missing for as long as this account is in force.
    renewal.lasting = failed.is_some_and(|failure| failure.refusal == Some(Refusal::NotAllowed));
    (renewal.came, renewal.newer) = (Some(now.instant), None);
    let pause = failed.and_then(|failure| failure.retry_after);
    wait(state, now.instant, pause.unwrap_or_default())
}

/// Waits for the next turn, at least for the pause that the server asked for.
fn wait(state: &mut State, now: Instant, pause: Duration) -> Option<Effect> {
    if state.workers.renewal.lasting || !is_seen(state, now) {
        return None;
    }
    let id = state.fresh_id();
    state.workers.renewal.due = Some(id);
    Some(Effect::Later(id, pause.max(KEEP)))
}

/// The wait is over. Answers whether it was ours.
pub(crate) fn due(state: &mut State, id: RequestId, now: Moment) -> Vec<Effect> {
    if state.workers.renewal.due != Some(id) {
        return Vec::new();
    }
    state.workers.renewal.due = None;
    ask(state, now.instant)
}

/// After a while that nobody looked, the first key asks for what has grown old meanwhile.
pub(crate) fn freshen(state: &mut State, now: Moment) -> Vec<Effect> {
    let renewal = &state.workers.renewal;
    let old = renewal
        .came
        .is_some_and(|came| now.instant.saturating_duration_since(came) >= KEEP);
    if !old || renewal.due.is_some() {
        Vec::new()
    } else {
        ask(state, now.instant)
    }
}

fn ask(state: &mut State, now: Instant) -> Vec<Effect> {
    let low = state.quota.is_some_and(|quota| quota.is_low(now));
    let renewal = &state.workers.renewal;
    let busy =
        renewal.newer.is_some() || matches!(state.workers.figures, Load::Running(_) | Load::Idle);
    if low || busy || renewal.lasting || !is_seen(state, now) {
        return Vec::new();
    }
    let id = state.fresh_id();
    state.workers.renewal.newer = Some(id);
    vec![Effect::Figures(id)]
}
