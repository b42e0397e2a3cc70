//! A capture from a local runtime.

use std::pin::pin;
use std::time::Duration;

use crate::cli::capture::args::CaptureArgs;
use crate::cli::capture::request::{clear_countdown, countdown, waiting};
use crate::cli::capture::save::Taken;
use crate::cli::connect::note;
use crate::cli::{CliError, local, signals};
use crate::inspector::{Captured, Inspector, InspectorError};
use crate::model::cloudflare::{CaptureRequest, Origin, Target};
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::store::{LockOwner, Store};

/// Rejects options that only Cloudflare supports.
///
/// # Errors
/// [`CliError::Usage`].
pub(super) fn check(args: &CaptureArgs) -> Result<(), CliError> {
    let usage = |what: &str| {
        Err(CliError::Usage(format!(
            "a local runtime has no {what}: capture its Workers by name"
        )))
    };
    if args.version.is_some() {
        return usage("versions");
    }
    if args.object.is_some() {
        return usage("choice of Durable Objects, since all of them run in their Worker's isolate");
    }
    Ok(())
}

/// Captures until done or a signal arrives; the runtime is then told to stop profiling.
pub(super) async fn take(
    args: &CaptureArgs,
    inspector: &Inspector,
    store: &Store,
    window: Duration,
) -> Result<Taken, CliError> {
    let mut signal = pin!(signals::first());
    let targets = tokio::select! {
        biased;
        ended = &mut signal => return Err(ended),
        targets = inspector.targets() => targets?.called(args.worker.as_deref()),
    };
    let target = local::choose(&targets, args.worker.as_deref(), inspector)?;
    let kind = args.kind();
    let name = target.isolate.name.clone();
    let (what, mut ended) = (printable(&name), None);
    let waits = |holder: LockOwner| note(&waiting(&holder));
    let _turn = tokio::select! {
        biased;
        ended = &mut signal => return Err(ended),
        turn = runtime::local_capture_lock(store, inspector.address(), &name, window, waits) => turn,
    };
    let cancelled = async { ended = Some(signal.await) };
    let captured = tokio::select! {
        captured = inspector.capture(target, kind, window, cancelled) => captured,
        never = countdown(&what, window) => match never {},
    };
    clear_countdown();
    let Captured {
        bytes,
        asked_at,
        answered_at,
    } = match (captured, ended) {
        (Err(InspectorError::Cancelled), Some(signal)) => return Err(signal),
        (captured, _) => captured?,
    };
    let request = CaptureRequest {
        target: Target {
            worker: name,
            ..Target::default()
        },
        kind,
        window,
        find_object: None,
    };
    Ok(Taken {
        bytes,
        provenance: request.provenance(Origin::Inspector, None, (asked_at, answered_at)),
        warnings: Vec::new(),
    })
}
