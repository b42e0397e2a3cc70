//! Taking the captures of a batch one by one, and what waits for its turn.

use std::time::{Duration, Instant};

use crate::app::capture::batch::Batch;
use crate::app::capture::effect::CaptureEffect;
use crate::app::capture::running::Capturing;
use crate::app::capture::stage::Stage;
use crate::app::core::ids::RequestId;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::load::failure::Failure;
use crate::app::overlays::Overlay;
use crate::app::state::State;
use crate::app::update::capture::errors;
use crate::app::update::requests;
use crate::model::cloudflare::Capture;

/// Sends the next capture of a batch, under an id of its own.
pub(crate) fn send(state: &mut State, batch: Batch, now: Instant) -> Option<Effect> {
    let request = batch.next().cloned()?;
    let id = state.fresh_id();
    state.captures.running = Some(Capturing {
        id,
        request: request.clone(),
        since: now,
        stage: Stage::Sampling,
        behind: None,
        free_by: None,
        remark: None,
        batch,
    });
    let effect = CaptureEffect::Start(Box::new(request));
    Some(Effect::Capture(id, effect))
}

/// Sends what is left of a batch that failed, or puts it first in the queue.
pub(crate) fn resume(state: &mut State, batch: Batch, now: Instant) -> Option<Effect> {
    if state.captures.running.is_some() {
        // What waited has begun meanwhile.
        say_queued(state, &batch);
        state.captures.waiting.push_front(batch);
        return None;
    }
    state.overlays.push(Overlay::CaptureProgress);
    send(state, batch, now)
}

/// Says that a batch waits for the running capture.
pub(crate) fn say_queued(state: &mut State, batch: &Batch) {
    state.say(message![
        outside(batch.worker()),
        " is captured when the running capture has ended."
    ]);
}

/// Starts the next batch that waits, unless a capture runs or a server asked for a pause.
pub(crate) fn start_waiting(state: &mut State, now: Instant) -> Option<Effect> {
    let captures = &mut state.captures;
    if captures.running.is_some() || captures.pause.is_some_and(|until| now < until) {
        return None;
    }
    captures.pause = None;
    let batch = captures.waiting.pop_front()?;
    send(state, batch, now)
}

/// Returns the running capture, if it is the one of this request.
fn running(state: &mut State, id: RequestId) -> Option<&mut Capturing> {
    state
        .captures
        .running
        .as_mut()
        .filter(|running| running.id == id)
}

/// Notes how far the running capture is.
pub(crate) fn on_stage(state: &mut State, id: RequestId, stage: Stage, now: Instant) {
    if let Some(running) = running(state, id) {
        if stage == Stage::Sampling {
            // The window opens when the call is sent, not when it is requested.
            (running.since, running.behind) = (now, None);
        }
        running.stage = stage;
    }
}

/// The running capture waits for one of another instance.
pub(crate) fn on_queued(
    state: &mut State,
    id: RequestId,
    behind: Option<String>,
    free_by: Option<Instant>,
) {
    if let Some(running) = running(state, id) {
        running.stage = Stage::Waiting;
        (running.behind, running.free_by) = (behind, free_by);
    }
}

/// Notes what to say when the capture is complete.
pub(crate) fn on_remark(state: &mut State, id: RequestId, remark: String) {
    if let Some(running) = running(state, id) {
        running.remark = Some(remark);
    }
}

/// A capture is on disk: continues the batch, or shows what it was for.
pub(crate) fn on_kept(
    state: &mut State,
    id: RequestId,
    capture: Capture,
    now: Instant,
) -> Vec<Effect> {
    state.history.put_one(capture.clone());
    state.history.note_made(capture.path.clone());
    let Some(running) = state.captures.running.take_if(|running| running.id == id) else {
        return Vec::new();
    };
    let mut batch = running.batch;
    batch.kept.push(capture);
    if let Some(remark) = running.remark {
        state.warn(outside(remark));
    }
    if batch.next().is_some() {
        return Vec::from_iter(send(state, batch, now));
    }
    let mut effects = vec![requests::list_captures(state)];
    if state.is_capture_watched() {
        state.clear_overlays();
        effects.extend(requests::open_batch(state, &batch));
    } else if state.notice.as_ref().is_none_or(|notice| !notice.warns) {
        state.say(batch.announcement());
    }
    effects.extend(start_waiting(state, now));
    effects
}

/// Drops the running capture and the rest of its batch; what was sampled is lost, as none can be ended early.
pub(crate) fn cancel(state: &mut State, now: Instant) -> Vec<Effect> {
    let Some(running) = state.captures.running.take() else {
        return Vec::new();
    };
    if state.is_capture_watched() {
        state.clear_overlays();
    }
    state.say(running.batch.cancelled(running.stage));
    let mut effects = vec![Effect::Cancel(running.id)];
    effects.extend(start_waiting(state, now));
    effects
}

/// Drops what was only going to be captured of another account. The running capture ends as it began.
pub(crate) fn leave_account(state: &mut State) -> Vec<Effect> {
    let captures = &mut state.captures;
    captures.waiting.clear();
    if let Some(running) = &mut captures.running {
        let taken = running.batch.kept.len() + 1;
        running.batch.steps.truncate(taken);
    }
    (captures.pause, captures.elsewhere) = (None, None);
    let wait = captures.traffic_wait.take();
    let mut effects: Vec<Effect> = wait.iter().map(|wait| Effect::Cancel(wait.id)).collect();
    effects.push(requests::look_elsewhere(state, Duration::ZERO));
    effects
}

/// The running capture failed: says why, and what can be done.
pub(crate) fn on_failure(state: &mut State, failure: Failure, now: Instant) -> Option<Effect> {
    let is_watched = state.is_capture_watched();
    let running = state.captures.running.take()?;
    let failure = errors::explain(state, &running, failure);
    if !state.captures.waiting.is_empty() {
        state.captures.pause = failure.until;
    }
    if state.overlays.is_empty()
        || (is_watched && !matches!(state.overlays.top(), Some(Overlay::Help(_))))
    {
        state.overlays.open(Overlay::Failure(failure));
    } else if let Some(beneath @ Overlay::CaptureProgress) = state.overlays.beneath_mut() {
        *beneath = Overlay::Failure(failure);
    } else {
        state.warn(message![
            "The capture of ",
            outside(running.request.target.worker),
            " failed: ",
            failure.brief(),
            " ",
            Command::Capture,
            " in its row tries again.",
        ]);
    }
    start_waiting(state, now)
}
