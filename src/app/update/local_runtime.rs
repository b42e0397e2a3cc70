//! A local runtime: its isolates take the place of an account's Workers.

use std::time::{Duration, SystemTime};

use crate::app::core::ids::RequestId;
use crate::app::core::load::Load;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::Form;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::Section;
use crate::app::screens::workers::details::DetailRow;
use crate::app::state::State;
use crate::app::update::workers::detail_rows;
use crate::model::cloudflare::local_runtime::{Isolate, Runtime};
use crate::model::cloudflare::{Kind, Worker};

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
    crate::app::update::preselect::tell(state);
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
        let text = crate::app::update::preselect::without_worker(state, name.as_deref());
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
    state.overlays.open(Overlay::CaptureForm(form));
    vec![crate::app::update::other_instances::ask(
        state,
        Duration::ZERO,
    )]
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
