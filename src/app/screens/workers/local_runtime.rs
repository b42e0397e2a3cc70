//! A local runtime on the screen: its isolates stand where an account's Workers would, without versions and figures.

use std::time::SystemTime;

use crate::app::core::load::Load;
use crate::app::effect::{CaptureNote, Effect, RequestId};
use crate::app::overlays::Front;
use crate::app::overlays::capture_form::Form;
use crate::app::screens::profile::ProfileState;
use crate::app::screens::workers::details::DetailRow;
use crate::app::screens::workers::details::WorkerDetails;
use crate::app::screens::workers::{Section, detail_rows};
use crate::app::state::{Origin, Screen, State};
use crate::model::cloudflare::local_runtime::{Isolate, Runtime};
use crate::model::cloudflare::{CaptureRequest, Kind, Worker};

/// A runtime that answers on this machine, found by chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// Host and port.
    pub address: String,
    /// What is there.
    pub runtime: Runtime,
}

impl State {
    /// Whether a local runtime is profiled instead of an account.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.session.origin == Origin::Inspector
    }
}

impl crate::app::screens::workers::Workers {
    /// The isolate that a row stands for.
    #[must_use]
    pub fn isolate(&self, name: &str) -> Option<&Isolate> {
        self.runtime
            .isolates
            .iter()
            .find(|isolate| isolate.name == name)
    }
}

impl Form {
    /// Opens the form on an isolate of a local runtime.
    #[must_use]
    pub fn local(worker: String) -> Self {
        Self {
            is_local: true,
            ..Self::new(worker, WorkerDetails::default(), None)
        }
    }

    /// The request that the form stands for.
    pub(crate) fn local_request(&self) -> (CaptureRequest, CaptureNote) {
        let request = CaptureRequest {
            worker: self.worker.clone(),
            version: None,
            kind: self.kind,
            window: self.length(),
            object: None,
        };
        (
            request,
            CaptureNote {
                version_number: None,
                percentage: None,
                figures: None,
                find_object: None,
            },
        )
    }

    /// What the choice means.
    pub(crate) fn local_meaning(&self) -> Vec<String> {
        let how = match self.kind {
            Kind::Cpu => "sampled each 1 ms",
            Kind::Heap => "sampled each 512 kB it allocates",
        };
        vec![
            format!(
                "For {} s its isolate is {how}, with all its Durable Objects.",
                self.length().as_secs()
            ),
            "Send it requests meanwhile: nothing else makes any.".to_owned(),
        ]
    }
}

/// Takes the runtime's isolates for the rows of the list.
pub(crate) fn put(state: &mut State, id: RequestId, runtime: Runtime, now: SystemTime) {
    let workers = &mut state.workers;
    if !workers.load.awaits(id) {
        return;
    }
    let row = |isolate: &Isolate| Worker {
        id: isolate.id.clone(),
        name: isolate.name.clone(),
        deployed_on: None,
        figures: None,
    };
    let (rows, count) = (
        runtime.isolates.iter().map(row).collect(),
        runtime.isolates.len() as u64,
    );
    workers.runtime = runtime;
    workers.add(rows, Some(count), now);
    // Those that are gone since the list was asked for last are gone for good.
    workers.complete();
    workers.load = Load::Ready(());
    crate::app::screens::workers::preselect::tell(state);
}

/// Opens the capture form for what is selected.
pub(crate) fn open_form(state: &mut State) -> Vec<Effect> {
    let (name, kind) = match state.screen {
        Screen::Workers => (
            state.workers.current().map(|worker| worker.name.clone()),
            selected_kind(state),
        ),
        Screen::History => {
            let capture = state.history.current();
            (
                capture.map(|capture| capture.worker.clone()),
                capture.and_then(|capture| capture.kind),
            )
        }
        _ => {
            let profile = state.profile.as_ref();
            let name =
                profile.and_then(|p| p.source.common(|capture| Some(capture.worker.clone())));
            (name, profile.map(ProfileState::kind))
        }
    };
    let Some(isolate) = name.as_ref().and_then(|name| state.workers.isolate(name)) else {
        let text = crate::app::screens::workers::preselect::without_worker(state, name.as_deref());
        state.warn(text);
        return Vec::new();
    };
    if let Some(why) = isolate.obstacle {
        let text = format!("{} can't be profiled: {}.", isolate.name, why.words());
        state.warn(text);
        return Vec::new();
    }
    let mut form = Form::local(isolate.name.clone());
    form.kind = kind.unwrap_or(Kind::Cpu);
    state.front = Some(Front::Form(form));
    Vec::new()
}

/// What the selected capture in the right pane sampled.
fn selected_kind(state: &State) -> Option<Kind> {
    let Section::Details(at) = state.workers.section else {
        return None;
    };
    match detail_rows(state).get(at) {
        Some(DetailRow::Capture(capture)) => capture.kind,
        _ => None,
    }
}
