//! The process that captures for the screen: everything is known already, so nothing is asked but the capture.

use crate::cli::capture::args::CaptureArgs;
use crate::cli::{CliError, CliResult};
use crate::model::cloudflare::{CaptureRequest, ObjectRef};
use crate::runtime;
use crate::runtime::WorkerError;

/// Captures what the arguments say, for whoever hands over on standard input who asks.
///
/// # Errors
/// [`CliError::Usage`] where nobody does; [`CliError::Told`] where no profile came.
pub(super) fn run(args: &CaptureArgs) -> CliResult {
    let object = match (&args.namespace, &args.object) {
        (Some(namespace), Some(object)) => Some(ObjectRef::new(namespace, object, None)?),
        _ => None,
    };
    let Some(worker) = &args.worker else {
        return Err(CliError::Usage(WorkerError::NoRequest.to_string()));
    };
    let request = CaptureRequest {
        worker: worker.clone(),
        version: args.version.clone(),
        kind: args.kind(),
        window: args.window()?,
        object,
    };
    match runtime::run_worker(request) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::Told),
        Err(error) => Err(CliError::Usage(error.to_string())),
    }
}
