//! The list of Workers: loading it, and the details of the selected one.

use std::time::{Duration, Instant};

use crate::app::core::ids::RequestId;
use crate::app::core::load::Load;
use crate::app::core::session::Origin;
use crate::app::effect::Effect;
use crate::app::screens::workers::details::DetailRow;
use crate::app::screens::workers::{Details, Section};
use crate::app::state::State;

/// How long the selection has to rest on a Worker before its details are asked for: walking must not spend the quota.
const REST: Duration = Duration::from_millis(300);
/// How long details stay good.
const DETAILS_KEEP: Duration = Duration::from_secs(60);

/// Asks for the Workers and their traffic.
pub(crate) fn ask(state: &mut State) -> Vec<Effect> {
    let list = state.fresh_id();
    state.workers.load = Load::Running(list);
    state.workers.named.clear();
    if state.is_local() {
        return vec![Effect::ListWorkers(list)];
    }
    let figures = state.fresh_id();
    state.workers.figures = Load::Running(figures);
    vec![Effect::ListWorkers(list), Effect::Figures(figures)]
}

/// Keeps the list for the next start once it is whole and its figures are there, or are known not to come.
pub(crate) fn keep(state: &mut State) -> Option<Effect> {
    let workers = &state.workers;
    let whole =
        workers.load.ready().is_some() && !matches!(workers.figures, Load::Running(_) | Load::Idle);
    let as_of = workers
        .as_of
        .filter(|_| whole && state.session.origin == Origin::Cloudflare)?;
    let rows = workers.rows.clone();
    Some(Effect::KeepWorkers(state.fresh_id(), rows, as_of))
}

/// Starts to wait until the selection has rested, unless the selected Worker's details are there.
pub(crate) fn rest(state: &mut State, now: Instant) -> Vec<Effect> {
    state.workers.held = false;
    // Of a local runtime the list says all there is.
    let Some(worker) = state.workers.current().filter(|_| !state.is_local()) else {
        return Vec::new();
    };
    if let Some(Details { load, at, newer }) = state.workers.details.get(&worker.id)
        && (matches!(load, Load::Running(_))
            || newer.is_some()
            || now.duration_since(*at) < DETAILS_KEEP)
    {
        return Vec::new();
    }
    let id = state.fresh_id();
    state.workers.resting = Some(id);
    vec![Effect::Rest(id, REST)]
}

/// The selection rested: asks for the details of the selected Worker.
pub(crate) fn rested(state: &mut State, id: RequestId, now: Instant) -> Vec<Effect> {
    if state.workers.resting != Some(id) {
        return Vec::new();
    }
    state.workers.resting = None;
    // The calls are those of all the user's tools: the last tenth is for what is asked for by hand.
    state.workers.held = state.quota.is_some_and(|quota| quota.is_low(now));
    if state.workers.held {
        Vec::new()
    } else {
        ask_details(state, now)
    }
}

/// Asks for the details of the selected Worker at once.
pub(crate) fn ask_details(state: &mut State, now: Instant) -> Vec<Effect> {
    let Some(worker) = state
        .workers
        .current()
        .filter(|_| !state.is_local())
        .cloned()
    else {
        return Vec::new();
    };
    let id = state.fresh_id();
    state.workers.held = false;
    match state.workers.details.get_mut(&worker.id) {
        // What is known stays until something newer has come.
        Some(details) if details.load.ready().is_some() => details.newer = Some(id),
        _ => {
            let asked = Details {
                load: Load::Running(id),
                at: now,
                newer: None,
            };
            state.workers.details.insert(worker.id.clone(), asked);
        }
    }
    vec![Effect::Details(id, Box::new(worker))]
}

/// The rows of the right pane: versions, objects, captures on disk of the selected Worker.
#[must_use]
pub(crate) fn detail_rows(state: &State) -> Vec<DetailRow<'_>> {
    let Some(worker) = state.workers.current() else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    if let Some(Load::Ready(details)) = state.workers.current_details() {
        rows.extend(details.versions.iter().map(DetailRow::Version));
        rows.extend(details.namespaces.iter().map(DetailRow::Namespace));
    }
    rows.extend(
        state
            .history
            .of_worker(&worker.name)
            .map(DetailRow::Capture),
    );
    rows
}

/// Whether the pane of the selected Worker stands in the list's place: it has the focus, and there is no room beside the list
/// or below it.
#[must_use]
pub fn pane_in_place(state: &State) -> bool {
    let (_, pane) = crate::app::core::layout::workers_geometry(state.size);
    pane.height == 0 && state.workers.section != Section::List && !detail_rows(state).is_empty()
}

/// The next section's first row for Tab: list, versions, objects, captures, list.
pub(crate) fn next_section(state: &State, backwards: bool) -> Section {
    let rows = detail_rows(state);
    let class = |row: &DetailRow<'_>| match row {
        DetailRow::Version(_) => 0,
        DetailRow::Namespace(_) => 1,
        DetailRow::Capture(_) => 2,
    };
    let mut starts = vec![Section::List];
    for (at, row) in rows.iter().enumerate() {
        if at == 0 || class(row) != class(&rows[at - 1]) {
            starts.push(Section::Details(at));
        }
    }
    let here = match state.workers.section {
        Section::List => 0,
        Section::Details(at) => starts
            .iter()
            .rposition(|start| matches!(start, Section::Details(first) if *first <= at))
            .unwrap_or(0),
    };
    let step = if backwards { starts.len() - 1 } else { 1 };
    starts[(here + step) % starts.len()]
}
