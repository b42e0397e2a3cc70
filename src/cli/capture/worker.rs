//! The command of the capture worker: its request has everything, so it only captures.

use crate::cli::capture::args::CaptureArgs;
use crate::cli::{CliError, CliResult};
use crate::model::cloudflare::{CaptureRequest, ObjectRef};
use crate::runtime;
use crate::runtime::WorkerError;

/// Captures what the arguments say, with the request on standard input.
///
/// # Errors
/// [`CliError::Usage`] without a request; [`CliError::Reported`] if the capture failed.
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
        Ok(false) => Err(CliError::Reported),
        Err(error) => Err(CliError::Usage(error.to_string())),
    }
}
