//! Captures: their stages, their end, and the next one of a batch.

use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use std::time::{Duration, Instant};

use crate::app::capture::batch::{Aim, Series, Step};
use crate::app::capture::running::Capturing;
use crate::app::capture::stage::Stage;
use crate::app::core::failure::Failure;
use crate::app::core::ids::RequestId;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::screens::profile::compare_job::{CompareJob, CompareSide};
use crate::app::screens::profile::source::Part;
use crate::app::state::State;
use crate::app::update::capture_errors;
use crate::model::cloudflare::Capture;
use crate::model::diff::{Normalise, Width};

/// Sends the form's request, if it stands up to the check; while another capture runs it waits.
pub(crate) fn start(state: &mut State, now: Instant) -> Vec<Effect> {
    let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut() else {
        return Vec::new();
    };
    match form.series() {
        Err(complaint) => {
            form.complaint = Some(complaint);
            Vec::new()
        }
        Ok(series) if state.capturing.is_some() => {
            let worker = series.worker().to_owned();
            state.waiting.push_back(series);
            state.overlays.clear();
            state.say(format!(
                "{worker} is captured when the running capture has ended."
            ));
            Vec::new()
        }
        Ok(series) => {
            state.overlays.open(Overlay::CaptureProgress);
            send(state, series, now)
        }
    }
}

/// Sends what is next in a series, under a number of its own.
pub(crate) fn send(state: &mut State, series: Series, now: Instant) -> Vec<Effect> {
    let Some(Step { request, note }) = series.next().cloned() else {
        return Vec::new();
    };
    let id = state.fresh_id();
    state.capturing = Some(Capturing {
        id,
        request: request.clone(),
        note: note.clone(),
        since: now,
        stage: Stage::Sampling,
        behind: None,
        remark: None,
        series,
    });
    vec![Effect::Capture(id, Box::new(request), Box::new(note))]
}

/// Begins with what waits, once nothing runs and no server asked for a pause. Whoever works elsewhere is left alone.
pub(crate) fn next_waiting(state: &mut State, now: Instant) -> Vec<Effect> {
    if state.capturing.is_some() || state.pause.is_some_and(|until| now < until) {
        return Vec::new();
    }
    state.pause = None;
    match state.waiting.pop_front() {
        Some(series) => send(state, series, now),
        None => Vec::new(),
    }
}

/// Takes note of how far the running capture is.
pub(crate) fn at_stage(state: &mut State, id: RequestId, stage: Stage, now: Instant) {
    let Some(running) = state.capturing.as_mut().filter(|c| c.id == id) else {
        return;
    };
    if stage == Stage::Sampling {
        // The window opens when the call is sent, not when it is wished for.
        (running.since, running.behind) = (now, None);
    }
    running.stage = stage;
}

/// The running capture waits for one of another copy of the program.
pub(crate) fn queued(state: &mut State, id: RequestId, behind: Option<String>) {
    if let Some(running) = state.capturing.as_mut().filter(|c| c.id == id) {
        (running.stage, running.behind) = (Stage::Waiting, behind);
    }
}

/// Takes note of what is to be told in the end.
pub(crate) fn remark(state: &mut State, id: RequestId, remark: String) {
    if let Some(running) = state.capturing.as_mut().filter(|c| c.id == id) {
        running.remark = Some(remark);
    }
}

/// A capture is on the disk: goes on with the series, or shows what it was for.
pub(crate) fn kept(
    state: &mut State,
    id: RequestId,
    capture: Capture,
    now: Instant,
) -> Vec<Effect> {
    state.history.put_one(capture.clone());
    state.history.note_made(capture.path.clone());
    let Some(running) = state.capturing.take_if(|c| c.id == id) else {
        return Vec::new();
    };
    let mut series = running.series;
    series.kept.push(capture);
    if let Some(remark) = running.remark {
        state.warn(remark);
    }
    if series.next().is_some() {
        return send(state, series, now);
    }
    let refresh = state.fresh_id();
    let mut wishes = vec![state.history.ask(refresh)];
    if is_watched(state) {
        state.clear_overlays();
        wishes.extend(open(state, &series));
    } else if state.notice.as_ref().is_none_or(|notice| !notice.warns) {
        state.say(series.announcement());
    }
    wishes.extend(next_waiting(state, now));
    wishes
}

/// Opens what a series has brought, as it was meant.
pub(crate) fn open(state: &mut State, series: &Series) -> Option<Effect> {
    let id = state.fresh_id();
    let effect = opening(series, id)?;
    state.opening = Some(id);
    Some(effect)
}

/// Drops the running capture and what was asked for with it; what was sampled is lost, as there is no way to end one early.
pub(crate) fn cancel(state: &mut State, now: Instant) -> Vec<Effect> {
    let Some(running) = state.capturing.take() else {
        return Vec::new();
    };
    if is_watched(state) {
        state.clear_overlays();
    }
    state.say(running.series.cancelled(running.stage));
    let mut wishes = vec![Effect::Cancel(running.id)];
    wishes.extend(next_waiting(state, now));
    wishes
}

/// Another account comes into force: what was only going to be captured would be asked of the wrong one. What runs ends as
/// it began.
pub(crate) fn leave_account(state: &mut State) -> Vec<Effect> {
    state.waiting.clear();
    if let Some(running) = &mut state.capturing {
        let taken = running.series.kept.len() + 1;
        running.series.steps.truncate(taken);
    }
    (state.pause, state.elsewhere) = (None, None);
    let looks = state
        .awaiting
        .take()
        .map(|awaiting| Effect::Cancel(awaiting.id));
    looks
        .into_iter()
        .chain([crate::app::update::other_instances::ask(
            state,
            Duration::ZERO,
        )])
        .collect()
}

/// The capture failed: says why, and what can be done.
pub(crate) fn failed(state: &mut State, failure: Failure, now: Instant) -> Vec<Effect> {
    let watched = is_watched(state);
    let Some(running) = state.capturing.take() else {
        return Vec::new();
    };
    let failure = capture_errors::explain(state, &running, failure, now);
    if !state.waiting.is_empty() {
        state.pause = failure.until;
    }
    if state.overlays.is_empty()
        || (watched && !matches!(state.overlays.top(), Some(Overlay::Help(_))))
    {
        state.overlays.open(Overlay::Failure(failure));
    } else if let Some(beneath @ Overlay::CaptureProgress) = state.overlays.beneath_mut() {
        *beneath = Overlay::Failure(failure);
    } else {
        let worker = &running.request.worker;
        state.warn(message![
            "The capture of ",
            outside(worker),
            " failed: ",
            outside(failure.brief()),
            " ",
            Command::Capture,
            " in its row tries again.",
        ]);
    }
    next_waiting(state, now)
}

/// Whether the user waits for the running capture: whoever types or chooses is not to be interrupted.
pub(crate) fn is_watched(state: &State) -> bool {
    match (state.overlays.top(), state.overlays.beneath()) {
        (Some(Overlay::CaptureProgress | Overlay::ConfirmQuit), _) => true,
        // Reading the keys is waiting too.
        (Some(Overlay::Help(_)), Some(Overlay::CaptureProgress)) => true,
        _ => false,
    }
}

/// What shows the captures as they were meant; fewer than were wished for are opened as what they are.
#[must_use]
pub(crate) fn opening(series: &Series, id: RequestId) -> Option<Effect> {
    let kept = |capture: &Capture| CompareSide::Kept(Box::new(capture.clone()));
    match (series.kept.as_slice(), series.aim) {
        ([], _) => None,
        ([base, new], Aim::Compare) => {
            let (normalise, width) = (Normalise::ByWindow, Width::Larger);
            let (base, new) = (kept(base), kept(new));
            Some(Effect::Compare(
                id,
                Box::new(CompareJob {
                    base,
                    new,
                    view: None,
                    normalise,
                    width,
                }),
            ))
        }
        ([only], _) => Some(Effect::OpenCapture(id, Box::new(only.clone()))),
        (several, _) => {
            let parts = several
                .iter()
                .map(|capture| Part::Kept(Box::new(capture.clone())));
            Some(Effect::OpenMerged(id, parts.collect()))
        }
    }
}
