//! A capture that runs: its countdown, how far it has come, and what happens to its end.

use std::time::{Duration, Instant};

use super::effect::CaptureNote;
use super::{Effect, Failure, FailureKind, Front, NextStep, RequestId, State};
use crate::model::target::{CaptureRequest, short};

/// Cloudflare's code for a version or object without traffic to sample.
const NO_TRAFFIC: i64 = 10_393;

/// How far a capture has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The window is open; no answer before it ends.
    Sampling,
    /// The answer is arriving.
    Answer,
    /// The raw bytes are safe.
    OnDisk,
    /// The profile is being read.
    Open,
}

/// A capture that runs.
#[derive(Debug, Clone)]
pub struct Capturing {
    /// The request's id.
    pub id: RequestId,
    /// What was asked for.
    pub request: CaptureRequest,
    /// What the history will say of it.
    pub note: CaptureNote,
    /// When it was sent.
    pub since: Instant,
    /// How far it is.
    pub stage: Stage,
}

impl Capturing {
    /// How much of the window is left; zero when the answer is waited for.
    #[must_use]
    pub fn left(&self, now: Instant) -> Duration {
        self.request.window.saturating_sub(now.duration_since(self.since))
    }

    /// How long the answer has been waited for since the window ended.
    #[must_use]
    pub fn waited(&self, now: Instant) -> Duration {
        now.duration_since(self.since).saturating_sub(self.request.window)
    }
}

/// Sends the form's request, if it stands up to the check.
pub(super) fn start(state: &mut State, now: Instant) -> Vec<Effect> {
    if state.capturing.is_some() {
        state.warn("One capture at a time: the running one has to end first.");
        return Vec::new();
    }
    let Some(Front::Form(form)) = &mut state.front else { return Vec::new() };
    match form.request() {
        Err(complaint) => {
            form.complaint = Some(complaint);
            Vec::new()
        }
        Ok((request, note)) => send(state, request, note, now),
    }
}

pub(super) fn send(state: &mut State, request: CaptureRequest, note: CaptureNote, now: Instant) -> Vec<Effect> {
    let id = state.fresh_id();
    state.capturing =
        Some(Capturing { id, request: request.clone(), note: note.clone(), since: now, stage: Stage::Sampling });
    state.front = Some(Front::Capturing);
    vec![Effect::Capture(id, Box::new(request), Box::new(note))]
}

/// Drops the running capture; what was sampled is lost, as there is no way to end one early.
pub(super) fn cancel(state: &mut State) -> Vec<Effect> {
    let Some(running) = state.capturing.take() else { return Vec::new() };
    if matches!(state.front, Some(Front::Capturing | Front::AskQuit)) {
        (state.front, state.beneath) = (None, None);
    }
    state.say(format!("The capture of {} was cancelled; nothing was kept.", running.request.worker));
    vec![Effect::Cancel(running.id)]
}

/// The capture failed: says why, and what can be done.
pub(super) fn failed(state: &mut State, mut failure: Failure) {
    let Some(running) = state.capturing.take() else { return };
    failure.kind = FailureKind::Capture;
    failure.again =
        Some(Box::new(Effect::Capture(running.id, Box::new(running.request.clone()), Box::new(running.note.clone()))));
    if failure.code == Some(NO_TRAFFIC) {
        explain_no_traffic(state, &running, &mut failure);
    }
    if failure.step.is_none() {
        failure.step = Some(NextStep::Again { offer: "try the same again".to_owned() });
    }
    if state.front.is_none() || matches!(state.front, Some(Front::Capturing | Front::AskQuit)) {
        (state.front, state.beneath) = (Some(Front::Failure(failure)), None);
    } else if matches!(state.beneath, Some(Front::Capturing)) {
        state.beneath = Some(Front::Failure(failure));
    } else {
        state.warn(format!("The capture of {} failed: {}", running.request.worker, failure.message));
    }
}

/// Points from a version without traffic to the one that has it.
fn explain_no_traffic(state: &State, running: &Capturing, failure: &mut Failure) {
    let Some(details) = state.workers.details_of(&running.request.worker) else { return };
    let Some(serving) = details.serving() else { return };
    let asked = details.versions.iter().find(|v| Some(&v.id) == running.request.version.as_ref());
    if let Some(asked) = asked.filter(|v| v.percentage <= 0.0) {
        failure.hint = Some(format!(
            "{} (v{}) serves 0 % of the traffic: it is not deployed. Nothing was lost.",
            asked.short_id(),
            asked.number
        ));
        failure.step = Some(NextStep::ServingVersion {
            offer: format!(
                "take {}, which serves {} %",
                short(&serving.id),
                super::form::percentage(serving.percentage)
            ),
        });
    }
}
