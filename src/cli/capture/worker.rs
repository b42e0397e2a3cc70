//! The command of the capture worker: its request comes on standard input.

use crate::cli::{CliError, CliResult};
use crate::runtime;

/// Captures what the request on standard input says.
///
/// # Errors
/// [`CliError::Usage`] without a request; [`CliError::Reported`] if the capture failed.
pub(super) fn run() -> CliResult {
    match runtime::run_worker() {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::Reported),
        Err(error) => Err(CliError::Usage(error.to_string())),
    }
}
