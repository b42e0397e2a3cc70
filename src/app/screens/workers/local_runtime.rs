//! A local runtime: its isolates take the place of an account's Workers, without versions and metrics.

use crate::model::cloudflare::local_runtime::{Isolate, Runtime};

/// A runtime that was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// Host and port.
    pub address: String,
    /// Returns the value, if it is loaded.
    pub runtime: Runtime,
}

impl crate::app::screens::workers::Workers {
    /// Returns the isolate of a row.
    #[must_use]
    pub fn isolate(&self, name: &str) -> Option<&Isolate> {
        self.runtime
            .isolates
            .iter()
            .find(|isolate| isolate.name == name)
    }
}
