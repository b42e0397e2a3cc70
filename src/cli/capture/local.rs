//! A capture from a local runtime.

use std::time::Duration;

use crate::cli::capture::args::CaptureArgs;
use crate::cli::capture::request;
use crate::cli::capture::save::Taken;
use crate::cli::signals::Signals;
use crate::cli::{CliError, local, signals};
use crate::inspector::Inspector;
use crate::model::cloudflare::{CaptureRequest, Origin, Target};
use crate::runtime::{CaptureSpec, Local, Profiled};
use crate::store::Store;

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
    inspector: Inspector,
    store: &Store,
    window: Duration,
) -> Result<Taken, CliError> {
    let mut signals = Signals::listen()?;
    let named = args.worker.as_deref();
    let found = async { Ok(inspector.targets().await?.called(named)) };
    let targets = signals::until_signal(&mut signals, found).await?;
    let target = local::choose(&targets, named, &inspector)?;
    let spec = CaptureSpec {
        request: CaptureRequest {
            target: Target {
                worker: target.isolate.name.clone(),
                ..Target::default()
            },
            kind: args.kind(),
            window,
            find_object: None,
        },
        account: None,
        origin: Origin::Inspector,
    };
    let local = Local {
        inspector,
        label: args.worker.clone(),
    };
    let profiled = Profiled::Inspector(&local);
    let profile = request::capture(profiled, store, &spec, &mut signals).await?;
    Ok(Taken {
        profile,
        metrics: None,
        warnings: Vec::new(),
    })
}
