//! The capture form: opening it for what is selected, changing it, and sending what it asks for.

use std::time::{Duration, Instant};

use crate::app::capture::running::Capturing;
use crate::app::capture::traffic_wait::TrafficWait;
use crate::app::core::clock::Moment;
use crate::app::core::session::{Origin, Screen};
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::CaptureForm;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::{DetailRow, Section};
use crate::app::state::State;
use crate::app::update::capture::batch;
use crate::app::update::{preselect, requests};
use crate::model::cloudflare::{Kind, Worker};

/// Opens the form for what is selected.
pub(crate) fn open(state: &mut State, now: Moment) -> Vec<Effect> {
    if state.session.origin == Origin::Offline {
        state.warn(
            "A capture needs a Cloudflare account: set CLOUDFLARE_API_TOKEN and start again.",
        );
        return Vec::new();
    }
    if state.screen == Screen::Workers
        && let Some(missing) = preselect::missing(state)
    {
        state.warn(missing);
        return Vec::new();
    }
    let name = selected_worker(state);
    if state.is_local() {
        return open_local(state, name.as_deref());
    }
    let rows = &state.workers.rows;
    let row = name
        .as_ref()
        .and_then(|name| rows.iter().position(|worker| worker.name == *name));
    let Some(row) = row else {
        let why = preselect::without_worker(state, name.as_deref());
        state.warn(why);
        return Vec::new();
    };
    open_for(state, row, now.instant)
}

/// Returns the name of the Worker that a capture would be of.
fn selected_worker(state: &State) -> Option<String> {
    match state.screen {
        Screen::Workers => Some(state.workers.current()?.name.clone()),
        Screen::History => Some(state.history.current()?.target().worker.clone()),
        Screen::Profile | Screen::Welcome => {
            let source = &state.profile.as_ref()?.source;
            source.common(|capture| Some(capture.target().worker.clone()))
        }
    }
}

/// Opens the form for a Worker, given by its row.
fn open_for(state: &mut State, row: usize, now: Instant) -> Vec<Effect> {
    let worker = state.workers.rows[row].clone();
    // A capture that runs or waits comes back by the same key.
    let captures = &state.captures;
    let is_running = |running: &Capturing| running.request.target.worker == worker.name;
    if captures.running.as_ref().is_some_and(is_running) {
        state.overlays.open(Overlay::CaptureProgress);
        return Vec::new();
    }
    let waits = |wait: &TrafficWait| wait.worker() == worker.name;
    if captures.traffic_wait.as_ref().is_some_and(waits) {
        state.overlays.open(Overlay::TrafficWait);
        return Vec::new();
    }
    if worker.deployed_on.is_none() {
        state.warn(message![
            outside(worker.name),
            " was never deployed: there is nothing to capture."
        ]);
        return Vec::new();
    }
    let is_known = state.workers.details_of(&worker.name).is_some();
    let form = new_form(state, &worker);
    state.overlays.open(Overlay::CaptureForm(form));
    if let Some(place) = state.workers.order.iter().position(|&at| at == row) {
        state.workers.select(place);
    }
    let mut effects = Vec::new();
    if !is_known {
        effects.extend(requests::worker_details(state, now));
    }
    effects.push(requests::look_elsewhere(state, Duration::ZERO));
    effects.extend(requests::largest_objects(state));
    effects
}

/// Returns the form for a Worker, with what the selection suggests.
fn new_form(state: &State, worker: &Worker) -> CaptureForm {
    let workers = &state.workers;
    let details = workers.details_of(&worker.name).cloned();
    let mut form = CaptureForm::new(
        worker.name.clone(),
        details.unwrap_or_default(),
        worker.metrics,
    );
    (form.kind, form.window) = (state.settings.kind, state.settings.window_place());
    match (state.screen, workers.section) {
        (Screen::Workers, Section::List) => form.suggest_kind(),
        (Screen::Workers, Section::Details(at)) => match state.detail_rows().get(at) {
            Some(DetailRow::Version(chosen)) => {
                let versions = &form.details.versions;
                form.version = versions
                    .iter()
                    .position(|version| version.id == chosen.id)
                    .unwrap_or(0);
                form.suggest_kind();
            }
            Some(DetailRow::Namespace(chosen)) => {
                let classes = &form.details.namespaces;
                let id = &chosen.namespace.id;
                if let Some(place) = classes.iter().position(|class| class.namespace.id == *id) {
                    form.choose_class(place);
                }
            }
            Some(DetailRow::Capture(_)) | None => {}
        },
        (Screen::History, _) => {
            let capture = state.history.current();
            form.kind = capture
                .and_then(|capture| capture.provenance.kind)
                .unwrap_or(Kind::Cpu);
        }
        (Screen::Profile, _) => {
            let profile = state.profile.as_ref();
            form.kind = profile.map_or(Kind::Cpu, ProfileState::kind);
            // As the line with its headline says.
            let wants_both = profile.is_some_and(ProfileState::wants_both_versions);
            form.both = wants_both && form.sides().is_some();
        }
        (Screen::Welcome, _) => {}
    }
    form
}

/// Opens the form for an isolate of the local runtime.
fn open_local(state: &mut State, name: Option<&str>) -> Vec<Effect> {
    let Some(isolate) = name.and_then(|name| state.workers.isolate(name)) else {
        let why = preselect::without_worker(state, name);
        state.warn(why);
        return Vec::new();
    };
    if let Some(why) = isolate.obstacle {
        let name = outside(&isolate.name);
        state.warn(message![
            name,
            format!(" can't be profiled: {}.", why.words())
        ]);
        return Vec::new();
    }
    let kind = match (state.screen, state.workers.section) {
        (Screen::Workers, Section::Details(at)) => match state.detail_rows().get(at) {
            Some(DetailRow::Capture(capture)) => capture.provenance.kind,
            _ => None,
        },
        (Screen::Workers, Section::List) => None,
        (Screen::History, _) => state
            .history
            .current()
            .and_then(|capture| capture.provenance.kind),
        (Screen::Profile | Screen::Welcome, _) => state.profile.as_ref().map(ProfileState::kind),
    };
    let mut form = CaptureForm::local(isolate.name.clone());
    form.kind = kind.unwrap_or(Kind::Cpu);
    state.overlays.open(Overlay::CaptureForm(form));
    vec![requests::look_elsewhere(state, Duration::ZERO)]
}

/// Opens the form on a Durable Object.
pub(crate) fn open_on_object(
    state: &mut State,
    namespace: Option<&str>,
    object: &str,
    kind: Option<Kind>,
    now: Moment,
) -> Vec<Effect> {
    let mut effects = open(state, now);
    let Some(form) = state.form_mut() else {
        return effects;
    };
    if form.choose_object(namespace, object) {
        if let Some(kind) = kind {
            form.kind = kind;
            effects.extend(requests::largest_objects(state));
        }
        return effects;
    }
    let worker = form.worker.clone();
    let is_known = state.workers.details_of(&worker).is_some();
    state.overlays.clear();
    state.warn(if is_known {
        "This Worker has no Durable Object class, so an object's id does not fit."
    } else {
        "Its classes are still loading. Paste the id again in a moment."
    });
    effects
}

/// Changes the form by a command of its own. Returns the request for what it then offers.
pub(crate) fn change(state: &mut State, command: Command) -> Option<Effect> {
    let form = state.form_mut()?;
    match command {
        Command::ServingVersion => form.choose_serving(),
        Command::OtherKind => form.switch_kind(),
        Command::NextClass => form.next_class(),
        Command::OneMore => form.add(1),
        Command::OneFewer => form.add(-1),
        _ => {}
    }
    requests::largest_objects(state)
}

/// Sends what the form asks for, if it is complete; while another capture runs it waits.
pub(crate) fn start(state: &mut State, now: Instant) -> Vec<Effect> {
    let Some(form) = state.form_mut() else {
        return Vec::new();
    };
    if form.trouble.take().is_some() {
        // There is nothing to start yet: what the form is made of is requested again.
        return Vec::from_iter(requests::worker_details(state, now));
    }
    match form.batch() {
        Err(complaint) => form.complaint = Some(complaint),
        Ok(batch) if state.captures.running.is_some() => {
            state.overlays.clear();
            batch::say_queued(state, &batch);
            state.captures.waiting.push_back(batch);
        }
        Ok(batch) => {
            state.overlays.open(Overlay::CaptureProgress);
            return Vec::from_iter(batch::send(state, batch, now));
        }
    }
    Vec::new()
}
