//! A local runtime: its isolates take the place of an account's Workers.

use std::time::SystemTime;

use crate::app::core::ids::RequestId;
use crate::app::load::Load;
use crate::app::state::State;
use crate::app::update::preselect;
use crate::model::cloudflare::Worker;
use crate::model::cloudflare::local_runtime::{Isolate, Runtime};

/// Shows the runtime's isolates as the rows of the list.
pub(crate) fn on_isolates(state: &mut State, id: RequestId, runtime: Runtime, now: SystemTime) {
    let workers = &mut state.workers;
    if !workers.load.awaits(id) {
        return;
    }
    let row = |isolate: &Isolate| Worker {
        id: isolate.id.clone(),
        name: isolate.name.clone(),
        deployed_on: None,
        metrics: None,
    };
    let (rows, count) = (
        runtime.isolates.iter().map(row).collect(),
        runtime.isolates.len() as u64,
    );
    workers.runtime = runtime;
    workers.add(rows, Some(count), now);
    // Isolates that are gone since the last list are gone for good.
    workers.complete();
    workers.load = Load::Ready(());
    preselect::warn_if_missing(state);
}
