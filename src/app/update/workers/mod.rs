//! The list of Workers: its responses, sorting, and opening a row.

pub(crate) mod local_runtime;
pub(crate) mod metrics;

use std::time::Instant;

use crate::app::action::Action;
use crate::app::capture::targets::WorkerDetails;
use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::core::rate_limit::Quota;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::load::Load;
use crate::app::load::failure::{Failure, NextStep, Retry};
use crate::app::overlays::Overlay;
use crate::app::overlays::account_picker::AccountsEffect;
use crate::app::screens::workers::effect::WorkersResponse;
use crate::app::screens::workers::{DetailRow, Section, put_details};
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::{preselect, requests};
use crate::model::cloudflare::Worker;

/// Applies a response.
pub(crate) fn on_response(
    state: &mut State,
    id: RequestId,
    response: WorkersResponse,
    now: Moment,
) -> Vec<Effect> {
    match response {
        WorkersResponse::Page { rows, total, last } => {
            return on_page(state, id, (rows, total), last, now);
        }
        WorkersResponse::Known(rows, as_of) => {
            if state.workers.load.awaits(id) {
                state.workers.show_known(rows, as_of);
            }
        }
        WorkersResponse::Isolates(runtime) => {
            local_runtime::on_isolates(state, id, runtime, now.wall);
        }
        WorkersResponse::Metrics(metrics) => {
            return metrics::on_metrics(state, id, metrics, now);
        }
        WorkersResponse::Details(details) => {
            if put_details(&mut state.workers, id, Ok((*details).clone()), now.instant) {
                update_form(state, Ok(*details));
            }
        }
        WorkersResponse::Rested => return Vec::from_iter(on_rest(state, id, now.instant)),
        WorkersResponse::Due => return Vec::from_iter(metrics::on_due(state, id, now)),
        WorkersResponse::Quota {
            remaining,
            limit,
            resets_in,
        } => {
            state.workers.quota = Some(Quota {
                remaining,
                limit,
                until: resets_in.map(|time| now.instant + time),
            });
        }
        WorkersResponse::Nearby(found) => {
            if state.workers.nearby.awaits(id) {
                state.workers.nearby = found.map_or(Load::Idle, Load::Ready);
            }
        }
    }
    Vec::new()
}

fn on_page(
    state: &mut State,
    id: RequestId,
    (rows, total): (Vec<Worker>, Option<u64>),
    last: bool,
    now: Moment,
) -> Vec<Effect> {
    if !state.workers.load.awaits(id) {
        return Vec::new();
    }
    state.workers.add(rows, total, now.wall);
    let mut effects = Vec::new();
    // A chosen account that works is remembered.
    if std::mem::take(&mut state.accounts.unproven) {
        let id = state.fresh_id();
        effects.push(Effect::Accounts(id, AccountsEffect::Remember));
    }
    if last {
        state.workers.load = Load::Ready(());
        state.workers.complete();
        preselect::warn_if_missing(state);
        effects.extend(requests::keep_workers(state));
        // The row that will be on top is known once the metrics are: its details are requested then, once.
        if !matches!(state.workers.metrics, Load::Running(_)) {
            effects.extend(requests::rest_on_worker(state, now.instant));
        }
    }
    effects
}

/// Requests the details of the Worker that the selection rested on.
fn on_rest(state: &mut State, id: RequestId, now: Instant) -> Option<Effect> {
    if state.workers.resting != Some(id) {
        return None;
    }
    state.workers.resting = None;
    // All of the user's tools share the calls: the last tenth is for what is requested by hand.
    state.workers.held = state.workers.quota.is_some_and(|quota| quota.is_low(now));
    if state.workers.held {
        None
    } else {
        requests::worker_details(state, now)
    }
}

/// Passes the selected Worker's details on to the capture form that was opened without them.
fn update_form(state: &mut State, details: Result<WorkerDetails, &Failure>) {
    if let Some(Overlay::CaptureForm(form)) = state.overlays.top_mut()
        && state
            .workers
            .current()
            .is_some_and(|worker| worker.name == form.worker)
    {
        match details {
            Ok(details) => form.set_details(details),
            Err(failure) => form.miss_details(failure),
        }
    }
}

/// The list, the metrics or a Worker's details could not be loaded.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    mut failure: Failure,
    now: Moment,
) -> Result<Outcome, Failure> {
    if state.workers.load.awaits(id) {
        failure.retry = Some(Retry::Workers);
        let again = NextStep::Again("ask for the list again".into());
        failure.step.get_or_insert(again);
        state.workers.load = Load::Failed(Box::new(failure.clone()));
        if state.screen == Screen::Workers && state.overlays.is_empty() {
            state.overlays.open(Overlay::Failure(failure));
        }
        return Ok(Outcome::default());
    }
    let copy = Err(Box::new(failure.clone()));
    if put_details(&mut state.workers, id, copy, now.instant) {
        update_form(state, Err(&failure));
        return Ok(Outcome::default());
    }
    metrics::on_failure(state, id, failure, now)
}

/// Leaves the pane for the list, or clears the filter.
pub(crate) fn step_back(state: &mut State) {
    if state.workers.section != Section::List {
        state.workers.section = Section::List;
    } else if !state.workers.filter.is_empty() {
        state.workers.filter.clear();
        state.workers.arrange();
    }
}

/// Sorts by the next column, or reverses the order, and selects the first row.
pub(crate) fn sort(state: &mut State, reverse: bool, now: Instant) -> Option<Effect> {
    let workers = &mut state.workers;
    if reverse {
        workers.reverse = !workers.reverse;
    } else {
        workers.next_sort();
    }
    workers.arrange();
    workers.section = Section::List;
    workers.select(0);
    requests::rest_on_worker(state, now)
}

/// Goes to the pane of the selected Worker, or opens what is selected there.
pub(crate) fn open(state: &mut State, now: Instant) -> Outcome {
    match state.workers.section {
        Section::List => open_row(state, now),
        Section::Details(at) => match state.detail_rows().get(at) {
            Some(DetailRow::Capture(capture)) => {
                let capture = Box::new((*capture).clone());
                requests::open_capture(state, capture).into()
            }
            Some(DetailRow::Namespace(class)) => {
                Action::ListObjects(Box::new((*class).clone())).into()
            }
            Some(DetailRow::Version(_)) => Action::Run(Command::Capture).into(),
            None => Outcome::default(),
        },
    }
}

fn open_row(state: &mut State, now: Instant) -> Outcome {
    if let Some(missing) = preselect::missing(state) {
        state.warn(missing);
        return Outcome::default();
    }
    let is_known = state
        .workers
        .current_details()
        .is_some_and(|load| matches!(load, Load::Ready(_) | Load::Running(_)));
    if !is_known && !state.is_local() {
        // Scrolling has not requested them: this does.
        return requests::worker_details(state, now).into();
    }
    if !state.detail_rows().is_empty() {
        state.workers.section = Section::Details(0);
    } else if state.is_local() {
        return Action::Run(Command::Capture).into();
    }
    Outcome::default()
}
