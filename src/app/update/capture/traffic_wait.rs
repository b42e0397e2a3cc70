//! Waiting for traffic, and capturing once there is some.

use std::time::{Duration, Instant};

use crate::app::capture::batch::Batch;
use crate::app::capture::effect::CaptureEffect;
use crate::app::capture::traffic_wait::TrafficWait;
use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::effect::Effect;
use crate::app::keys::message::{message, outside};
use crate::app::load::failure::{Failure, FailureKind, NextStep, Refusal, Retry};
use crate::app::overlays::Overlay;
use crate::app::state::State;
use crate::app::update::capture::batch;

/// The time between two looks: everything else that uses analytics shares them.
const EACH: Duration = Duration::from_secs(30);

/// Begins to wait, in place of another wait.
pub(crate) fn begin(state: &mut State, batch: Batch, now: Moment) -> Option<Effect> {
    if let Some(before) = state.captures.traffic_wait.take() {
        state.say(message![
            "Traffic on ",
            outside(before.worker()),
            " is not waited for any more."
        ]);
    }
    state.overlays.push(Overlay::TrafficWait);
    let id = state.fresh_id();
    state.captures.traffic_wait = Some(TrafficWait {
        id,
        batch,
        since: now.wall,
        next: now.instant + EACH,
        looks: 0,
        trouble: None,
    });
    look(state, EACH)
}

/// Looks after a while.
fn look(state: &State, after: Duration) -> Option<Effect> {
    let wait = state.captures.traffic_wait.as_ref()?;
    let target = Box::new(wait.batch.next()?.target.clone());
    let effect = CaptureEffect::LookForTraffic(after, target, wait.since);
    Some(Effect::Capture(wait.id, effect))
}

/// Sends the capture, once, if there were requests since the wait began; otherwise looks again.
pub(crate) fn on_traffic(
    state: &mut State,
    id: RequestId,
    requests: u64,
    now: Instant,
) -> Option<Effect> {
    let wait = state.captures.traffic_wait.take_if(|wait| wait.id == id)?;
    if requests == 0 {
        let trouble = None;
        state.captures.traffic_wait = Some(TrafficWait { trouble, ..wait });
        return look_again(state, now, Duration::ZERO);
    }
    if let Some(top @ Overlay::TrafficWait) = state.overlays.top_mut() {
        *top = Overlay::CaptureProgress;
    } else {
        state.say(message![
            outside(wait.worker()),
            " has traffic: it is captured now."
        ]);
    }
    if state.captures.running.is_some() {
        state.captures.waiting.push_back(wait.batch);
        return None;
    }
    batch::send(state, wait.batch, now)
}

/// A look failed: without the permission to look, the wait ends; otherwise the next look may succeed.
pub(crate) fn on_failure(state: &mut State, failure: Failure, now: Instant) -> Option<Effect> {
    if failure.refusal != Some(Refusal::NotAllowed) {
        state.captures.traffic_wait.as_mut()?.trouble = Some(failure.message);
        return look_again(state, now, failure.retry_after.unwrap_or_default());
    }
    let wait = state.captures.traffic_wait.take()?;
    let hint = "Without Account Analytics Read nobody can tell when there is traffic: send it requests, then try again.";
    let failure = Failure {
        kind: FailureKind::Capture,
        hint: Some(hint.into()),
        retry: Some(Retry::Batch(Box::new(wait.batch))),
        step: Some(NextStep::Again("try the same again".into())),
        ..failure
    };
    if let Some(top @ Overlay::TrafficWait) = state.overlays.top_mut() {
        *top = Overlay::Failure(failure);
    } else {
        state.warn(failure.message);
    }
    None
}

/// Looks again, not before the pause that the server asked for.
fn look_again(state: &mut State, now: Instant, pause: Duration) -> Option<Effect> {
    let id = state.fresh_id();
    let wait_for = pause.max(EACH);
    if let Some(wait) = &mut state.captures.traffic_wait {
        wait.id = id;
        wait.looks = wait.looks.saturating_add(1);
        wait.next = now.checked_add(wait_for).unwrap_or(now + EACH);
    }
    look(state, wait_for)
}

/// Ends the wait.
pub(crate) fn cancel(state: &mut State) -> Option<Effect> {
    let wait = state.captures.traffic_wait.take()?;
    if matches!(state.overlays.top(), Some(Overlay::TrafficWait)) {
        state.overlays.close();
    }
    state.say(message![
        "Traffic on ",
        outside(wait.worker()),
        " is not waited for any more; nothing was sent."
    ]);
    Some(Effect::Cancel(wait.id))
}
