//! What a failure offers: its next step, or the same request once more.

use crate::app::action::Action;
use crate::app::core::clock::Moment;
use crate::app::core::session::{Origin, Screen};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::keys::command::Command;
use crate::app::load::failure::{Failure, NextStep, Refusal, Retry};
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::{CaptureForm, FormField};
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;

/// Sends the request again under a new id; of a batch, what is left of it. A pause that the server asked for is kept.
pub(crate) fn retry(state: &mut State, failure: Failure, now: Moment) -> Outcome {
    if let Some(left) = failure.pause(now.instant) {
        let seconds = left.as_secs_f64().ceil();
        state.overlays.push(Overlay::Failure(failure));
        state.warn(format!("Not yet: it may be sent again in {seconds:.0} s."));
        return Outcome::default();
    }
    match failure.retry {
        Some(Retry::Batch(batch)) => Action::StartBatch(batch).into(),
        Some(Retry::Accounts) => requests::list_accounts(state).into(),
        Some(Retry::Workers) if state.session.origin != Origin::Offline => {
            requests::list_workers(state).into()
        }
        Some(Retry::File(path)) => requests::open_file(state, path).into(),
        Some(Retry::Capture(capture)) => requests::open_capture(state, capture).into(),
        Some(Retry::Workers) | None => Outcome::default(),
    }
}

/// Does what a failure offers first; its overlay is closed already.
pub(crate) fn next_step(state: &mut State, failure: Failure, now: Moment) -> Outcome {
    match (&failure.step, &failure.retry) {
        (Some(NextStep::Again(_)), _) => return retry(state, failure, now),
        (Some(NextStep::ServingVersion(_)), _) => open_form(state, &failure, true),
        (Some(NextStep::Form(_)), _) => open_form(state, &failure, false),
        (Some(NextStep::WaitForTraffic(_)), Some(Retry::Batch(batch))) => {
            return Action::AwaitTraffic(batch.clone()).into();
        }
        (Some(NextStep::OpenKept(_)), Some(Retry::Batch(batch))) => {
            return requests::open_batch(state, batch).into();
        }
        (Some(NextStep::OtherWorker(_)), _) => {
            state.clear_overlays();
            if state.session.origin != Origin::Offline {
                (state.screen, state.workers.section) = (Screen::Workers, Section::List);
            }
        }
        (Some(NextStep::Account(_)), _) => return Action::Run(Command::ChooseAccount).into(),
        (Some(NextStep::OtherFile(_)), retry) => {
            state.clear_overlays();
            // What was typed is often wrong in one letter only.
            let path = match retry {
                Some(Retry::File(path)) => path.to_string_lossy().into_owned(),
                _ => String::new(),
            };
            state.input = Some(Input::new(Purpose::OpenFile, path));
        }
        (
            Some(NextStep::WaitForTraffic(_) | NextStep::OpenKept(_) | NextStep::Back(_)) | None,
            _,
        ) => {}
    }
    Outcome::default()
}

/// Opens the form with the choices that were refused, or with the version that serves most traffic.
fn open_form(state: &mut State, failure: &Failure, serving: bool) {
    let Some(request) = failure.batch().and_then(|batch| batch.next()) else {
        return;
    };
    let (workers, worker) = (&state.workers, &request.target.worker);
    let details = workers.details_of(worker).cloned();
    let metrics = workers.metrics_of(worker);
    let mut form = CaptureForm::new(worker.clone(), details.unwrap_or_default(), metrics);
    form.choose(request);
    if let Some((namespace, typed)) = &request.find_object {
        form.choose_object(Some(namespace), typed);
    }
    if failure.refusal == Some(Refusal::NoObject) && form.class > 0 {
        form.field = FormField::Object;
    }
    if serving {
        form.choose_serving();
    }
    state.overlays.push(Overlay::CaptureForm(form));
}
