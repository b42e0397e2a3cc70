//! Local runtimes: lists and captures their isolates, and finds one at the usual address.

use std::pin::pin;

use crate::api::Captured;
use crate::app::{FailureKind, Nearby, Response, WorkersResponse};
use crate::inspector;
use crate::inspector::{Address, Inspector, InspectorError, Settings, Targets};
use crate::model::cloudflare::CaptureRequest;
use crate::runtime::capture::steps;
use crate::runtime::capture::steps::{CaptureSpec, Progress};
use crate::runtime::tasks::EffectResult;
use crate::runtime::{Local, failures};
use crate::store::Store;

/// Lists the isolates that can be profiled.
pub(super) async fn isolates(local: &Local) -> EffectResult {
    let targets = targets(local)
        .await
        .map_err(|error| failures::inspector(FailureKind::List, &error))?;
    Ok(Response::Workers(WorkersResponse::Isolates(
        targets.runtime(),
    )))
}

async fn targets(local: &Local) -> Result<Targets, InspectorError> {
    Ok(local
        .inspector
        .targets()
        .await?
        .called(local.label.as_deref()))
}

/// Looks for a runtime where `wrangler dev` listens by default. Finding none is not a failure.
pub(super) async fn nearby() -> EffectResult {
    let inspector = Inspector::new(Address::usual(), Settings::default());
    let found = inspector
        .targets()
        .await
        .ok()
        .filter(|targets| !targets.list.is_empty());
    let address = inspector.address().to_string();
    Ok(Response::Workers(WorkersResponse::Nearby(found.map(
        |targets| Nearby {
            address,
            runtime: targets.runtime(),
        },
    ))))
}

/// Takes the capture lock, then a profile of the Worker. If `cancelled` resolves first, tells the runtime to stop and
/// returns `None`.
pub(super) async fn ask(
    local: &Local,
    store: &Store,
    spec: &CaptureSpec,
    report: &mut (dyn FnMut(Progress) + Send),
    cancelled: impl Future<Output = ()>,
) -> Result<Option<Captured>, InspectorError> {
    let CaptureRequest {
        target,
        kind,
        window,
        ..
    } = &spec.request;
    let worker = &target.worker;
    let mut cancelled = pin!(cancelled);
    let address = local.inspector.address();
    let lock = steps::local_capture_lock(store, address, worker, *window, |owner| {
        report(Progress::Waiting(owner))
    });
    let _lock = tokio::select! {
        biased;
        () = &mut cancelled => return Ok(None),
        lock = lock => lock,
    };
    let targets = targets(local).await?;
    let target = targets.find(worker).ok_or_else(|| InspectorError::Gone {
        address: address.to_string(),
        name: worker.clone(),
    })?;
    report(Progress::Sent);
    let captured = match local
        .inspector
        .capture(target, *kind, *window, &mut cancelled)
        .await
    {
        Err(InspectorError::Cancelled) => return Ok(None),
        captured => captured?,
    };
    report(Progress::Arrived);
    let inspector::Captured {
        bytes,
        asked_at,
        answered_at,
    } = captured;
    Ok(Some(Captured {
        bytes,
        content_type: None,
        ray: None,
        asked_at,
        answered_at,
    }))
}
