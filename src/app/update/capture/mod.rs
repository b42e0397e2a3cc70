//! Captures: the form, the running capture, what waits, and what other instances capture.

mod batch;
mod errors;
pub(crate) mod form;
mod other_instances;
pub(crate) mod traffic_wait;

pub(crate) use batch::{cancel, leave_account, resume, start_waiting};

use crate::app::capture::effect::CaptureResponse;
use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::load::failure::Failure;
use crate::app::overlays::Overlay;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;

/// Runs a command of the form, of a running capture or of a wait.
pub(crate) fn run(state: &mut State, command: Command, now: Moment) -> Vec<Effect> {
    match command {
        Command::StartCapture => return form::start(state, now.instant),
        Command::CancelCapture if matches!(state.overlays.top(), Some(Overlay::TrafficWait)) => {
            return Vec::from_iter(traffic_wait::cancel(state));
        }
        Command::CancelCapture => return cancel(state, now.instant),
        Command::KeepRunning => state.clear_overlays(),
        _ => return Vec::from_iter(form::change(state, command)),
    }
    Vec::new()
}

/// Applies a response.
pub(crate) fn on_response(
    state: &mut State,
    id: RequestId,
    response: CaptureResponse,
    now: Moment,
) -> Vec<Effect> {
    match response {
        CaptureResponse::Stage(stage) => batch::on_stage(state, id, stage, now.instant),
        CaptureResponse::Queued { behind, at_most } => {
            let free_by = at_most.and_then(|time| now.instant.checked_add(time));
            batch::on_queued(state, id, behind, free_by);
        }
        CaptureResponse::Remark(remark) => batch::on_remark(state, id, remark),
        CaptureResponse::Kept(kept) => return batch::on_kept(state, id, *kept, now.instant),
        CaptureResponse::Traffic(requests) => {
            return Vec::from_iter(traffic_wait::on_traffic(state, id, requests, now.instant));
        }
        CaptureResponse::Elsewhere(found) => {
            return other_instances::on_found(state, id, found, now);
        }
    }
    Vec::new()
}

/// The running capture, or a look for traffic, failed.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    failure: Failure,
    now: Moment,
) -> Result<Outcome, Failure> {
    let captures = &state.captures;
    if captures
        .running
        .as_ref()
        .is_some_and(|running| running.id == id)
    {
        Ok(batch::on_failure(state, failure, now.instant).into())
    } else if captures
        .traffic_wait
        .as_ref()
        .is_some_and(|wait| wait.id == id)
    {
        Ok(traffic_wait::on_failure(state, failure, now.instant).into())
    } else {
        Err(failure)
    }
}
