//! A local runtime: its isolates, captures from them, and whether one runs where one usually does.

use super::capture::Job;
use super::executor::{Outcome, blocking, open};
use super::{Local, failures};
use crate::app::{Answer, FailureKind, Nearby, Stage};
use crate::inspector::{Address, Captured, Inspector, InspectorError, Settings, Targets};
use crate::store::About;

/// Asks what can be profiled.
pub(super) async fn isolates(local: &Local) -> Outcome {
    let targets = targets(local).await.map_err(|error| failures::inspector(FailureKind::List, &error))?;
    Ok(Answer::Isolates(targets.runtime()))
}

async fn targets(local: &Local) -> Result<Targets, InspectorError> {
    Ok(local.inspector.targets().await?.called(local.label.as_deref()))
}

/// Looks where `wrangler dev` listens unless told otherwise. That nothing is there is no failure.
pub(super) async fn nearby() -> Outcome {
    let inspector = Inspector::new(Address::usual(), Settings::default());
    let found = inspector.targets().await.ok().filter(|targets| !targets.list.is_empty());
    let address = inspector.address().to_string();
    Ok(Answer::Nearby(found.map(|targets| Nearby { address, runtime: targets.runtime() })))
}

/// Captures and keeps. A capture that is cancelled, or whose program is left, is stopped in the runtime too.
pub(super) async fn capture(local: &Local, job: Job) -> Outcome {
    let refused = |error: InspectorError| failures::inspector(FailureKind::Capture, &error);
    let Job { services, request, id, answers, writes, cancel, .. } = job;
    // An ending waits for it: the runtime has to be told to stop.
    let held = writes.upgrade();
    let targets = targets(local).await.map_err(refused)?;
    let target = targets.find(&request.worker).ok_or_else(|| {
        let name = &request.worker;
        failures::gone(format!("{} runs no Worker {name} any more.", local.inspector.address()))
    })?;
    let tell = |stage| {
        // A stage that finds no room is told by the next one.
        let _ = answers.try_send(super::executor::Done::Answer(id, Ok(Answer::Stage(stage))));
    };
    tell(Stage::Sampling);
    let cancelled = async {
        let _ = cancel.await;
    };
    let captured = local.inspector.capture(target, request.kind, request.window, cancelled).await.map_err(refused)?;
    tell(Stage::OnDisk);
    let Captured { bytes, asked_at, answered_at } = captured;
    let about = About::local(request.kind, request.window, request.worker, asked_at, answered_at);
    blocking(move || {
        let _held = held;
        match services.store.keep(&bytes, about.clone()) {
            Ok(kept) => Ok(Answer::Kept(Box::new(kept))),
            Err(error) => {
                let warning = super::capture::not_kept(&error.to_string());
                open(&services, about.unkept(&bytes), &bytes, Some(warning))
            }
        }
    })
    .await
}
