//! What a failure's sheet offers: its next step, or the same once more.

use crate::app::capture::batch::Series;
use crate::app::core::clock::Moment;
use crate::app::core::failure::{Failure, NextStep, Refusal};
use crate::app::core::session::{Origin, Screen};
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::overlays::capture_form::{Form, FormField};
use crate::app::overlays::{Overlay, object_picker};
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::{accounts, capture, overlays, traffic_wait, workers};

/// What `R` does in a failure's sheet: the same request under a new number; of a series, what is left of it. A server
/// that wanted to be left alone is.
pub(crate) fn again(state: &mut State, failure: Failure, now: Moment) -> Vec<Effect> {
    if let Some(left) = failure.pause(now.instant) {
        let seconds = left.as_secs_f64().ceil();
        state.overlays.push(Overlay::Failure(failure));
        state.warn(format!("Not yet: it may be sent again in {seconds:.0} s."));
        return Vec::new();
    }
    if let Some(series) = failure.series {
        return send(state, *series, now);
    }
    match failure.again.map(|effect| *effect) {
        Some(Effect::ListAccounts(_)) => vec![accounts::ask(state)],
        Some(Effect::ListWorkers(_)) if state.session.origin != Origin::Offline => {
            workers::ask(state)
        }
        Some(Effect::OpenFile(_, path)) => {
            let id = state.fresh_id();
            state.opening = Some(id);
            vec![Effect::OpenFile(id, path)]
        }
        Some(Effect::OpenCapture(_, capture)) => {
            let id = state.fresh_id();
            state.opening = Some(id);
            vec![Effect::OpenCapture(id, capture)]
        }
        _ => Vec::new(),
    }
}

fn send(state: &mut State, series: Series, now: Moment) -> Vec<Effect> {
    if state.capturing.is_some() {
        // What waited has begun meanwhile.
        state.say(format!(
            "{} is captured when the running capture has ended.",
            series.worker()
        ));
        state.waiting.push_front(series);
        return Vec::new();
    }
    state.overlays.push(Overlay::CaptureProgress);
    capture::send(state, series, now.instant)
}

/// Does what a failure's sheet offers first; the sheet is closed already.
pub(crate) fn next_step(state: &mut State, failure: Failure, now: Moment) -> Vec<Effect> {
    match failure.step.clone() {
        Some(NextStep::Again { .. }) => again(state, failure, now),
        Some(NextStep::ServingVersion { .. }) => form(state, failure, true),
        Some(NextStep::Form { .. }) => form(state, failure, false),
        Some(NextStep::WaitForTraffic { .. }) => match failure.series {
            Some(series) => traffic_wait::begin(state, *series, now),
            None => Vec::new(),
        },
        Some(NextStep::OpenKept { .. }) => failure
            .series
            .and_then(|series| capture::open(state, &series))
            .into_iter()
            .collect(),
        Some(NextStep::OtherWorker { .. }) => {
            overlays::clear(state);
            if state.session.origin != Origin::Offline {
                (state.screen, state.workers.section) = (Screen::Workers, Section::List);
            }
            Vec::new()
        }
        Some(NextStep::Account { .. }) => accounts::open(state),
        Some(NextStep::OtherFile { .. }) => {
            overlays::clear(state);
            // What was typed is often wrong in one letter only.
            let path = match failure.again.as_deref() {
                Some(Effect::OpenFile(_, path)) => path.to_string_lossy().into_owned(),
                _ => String::new(),
            };
            state.input = Some(Input::new(Purpose::OpenFile, path));
            Vec::new()
        }
        Some(NextStep::Back { .. }) | None => Vec::new(),
    }
}

/// Opens the form with the choices that were refused, or with the version that serves.
fn form(state: &mut State, failure: Failure, serving: bool) -> Vec<Effect> {
    let Some(step) = failure.series.as_ref().and_then(|series| series.next()) else {
        return Vec::new();
    };
    let request = &step.request;
    let details = state
        .workers
        .details_of(&request.worker)
        .cloned()
        .unwrap_or_default();
    let mut form = Form::new(
        request.worker.clone(),
        details,
        state.workers.figures_of(&request.worker),
    );
    form.choose(request);
    if let Some((namespace, typed)) = &step.note.find_object {
        object_picker::take_object(&mut form, Some(namespace), typed);
    }
    if failure.refusal == Some(Refusal::NoObject) && form.class > 0 {
        form.field = FormField::Object;
    }
    if serving {
        form.choose_serving();
    }
    state.overlays.push(Overlay::CaptureForm(form));
    Vec::new()
}
