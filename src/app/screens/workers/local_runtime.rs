//! A local runtime: its isolates take the place of an account's Workers, without versions and metrics.

use crate::model::cloudflare::local_runtime::Runtime;

/// A runtime that was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// Host and port.
    pub address: String,
    /// What it runs.
    pub runtime: Runtime,
}
