//! Waiting for traffic, and capturing once there is some.

use std::time::{Duration, Instant};

use crate::app::capture::batch::Series;
use crate::app::capture::note::TrafficLook;
use crate::app::core::clock::Moment;
use crate::app::core::failure::{Failure, FailureKind, Refusal};
use crate::app::core::ids::RequestId;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::traffic_wait::Awaiting;
use crate::app::state::State;
use crate::app::update::capture;

/// How long there is between two looks: analytics are shared with everything else that asks them.
const EACH: Duration = Duration::from_secs(30);

/// Begins to wait; what was waited for before is given up.
pub(crate) fn begin(state: &mut State, series: Series, now: Moment) -> Vec<Effect> {
    if let Some(before) = state.awaiting.take() {
        state.say(format!(
            "Traffic on {} is not waited for any more.",
            before.worker()
        ));
    }
    state.overlays.push(Overlay::TrafficWait);
    let id = state.fresh_id();
    state.awaiting = Some(Awaiting {
        id,
        series,
        since: now.wall,
        next: now.instant + EACH,
        looks: 0,
        trouble: None,
    });
    look(state, EACH)
}

/// Looks after a while, and hears of it under the number that is noted.
fn look(state: &State, wait: Duration) -> Vec<Effect> {
    let Some(awaiting) = &state.awaiting else {
        return Vec::new();
    };
    let Some(step) = awaiting.series.next() else {
        return Vec::new();
    };
    let request = &step.request;
    let look = TrafficLook {
        worker: request.worker.clone(),
        version: request.version.clone().unwrap_or_default(),
        object: request.object.clone(),
        since: awaiting.since,
    };
    vec![Effect::LookForTraffic(awaiting.id, wait, Box::new(look))]
}

/// Takes a look's answer: requests since it is waited for. The capture is sent once; it is not waited for again.
pub(crate) fn looked(state: &mut State, id: RequestId, requests: u64, now: Instant) -> Vec<Effect> {
    let Some(awaiting) = state.awaiting.take_if(|a| a.id == id) else {
        return Vec::new();
    };
    if requests == 0 {
        state.awaiting = Some(Awaiting {
            trouble: None,
            ..awaiting
        });
        return again(state, now, Duration::ZERO);
    }
    if let Some(top @ Overlay::TrafficWait) = state.overlays.top_mut() {
        *top = Overlay::CaptureProgress;
    } else {
        state.say(format!(
            "{} has traffic: it is captured now.",
            awaiting.worker()
        ));
    }
    if state.capturing.is_some() {
        state.waiting.push_back(awaiting.series);
        return Vec::new();
    }
    capture::send(state, awaiting.series, now)
}

/// A look that failed: without the right to look there is nothing to wait for, else the next one may tell more.
pub(crate) fn failed(state: &mut State, failure: Failure, now: Instant) -> Vec<Effect> {
    let Some(awaiting) = state.awaiting.as_mut() else {
        return Vec::new();
    };
    if !matches!(failure.refusal, Some(Refusal::NotAllowed)) {
        awaiting.trouble = Some(failure.message);
        return again(state, now, failure.retry_after.unwrap_or_default());
    }
    let series = Box::new(awaiting.series.clone());
    state.awaiting = None;
    let hint = "Without Account Analytics Read nobody can tell when there is traffic: send it requests, then try again.";
    let failure = Failure {
        kind: FailureKind::Capture,
        hint: Some(hint.to_owned()),
        series: Some(series),
        step: Some(crate::app::core::failure::NextStep::Again {
            offer: "try the same again".to_owned(),
        }),
        ..failure
    };
    if let Some(top @ Overlay::TrafficWait) = state.overlays.top_mut() {
        *top = Overlay::Failure(failure);
    } else {
        state.warn(failure.message);
    }
    Vec::new()
}

/// Looks again, not before the pause that the server asked for.
fn again(state: &mut State, now: Instant, pause: Duration) -> Vec<Effect> {
    let id = state.fresh_id();
    let wait = pause.max(EACH);
    if let Some(awaiting) = &mut state.awaiting {
        awaiting.id = id;
        awaiting.looks = awaiting.looks.saturating_add(1);
        awaiting.next = now.checked_add(wait).unwrap_or(now + EACH);
    }
    look(state, wait)
}

/// Gives up.
pub(crate) fn cancel(state: &mut State) -> Vec<Effect> {
    let Some(awaiting) = state.awaiting.take() else {
        return Vec::new();
    };
    if matches!(state.overlays.top(), Some(Overlay::TrafficWait)) {
        state.overlays.close();
    }
    state.say(format!(
        "Traffic on {} is not waited for any more; nothing was sent.",
        awaiting.worker()
    ));
    vec![Effect::Cancel(awaiting.id)]
}
