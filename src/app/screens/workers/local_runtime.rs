//! A local runtime on the screen: its isolates stand where an account's Workers would, without versions and figures.

use crate::model::cloudflare::local_runtime::{Isolate, Runtime};

/// A runtime that answers on this machine, found by chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// Host and port.
    pub address: String,
    /// What is there.
    pub runtime: Runtime,
}

impl crate::app::screens::workers::Workers {
    /// The isolate that a row stands for.
    #[must_use]
    pub fn isolate(&self, name: &str) -> Option<&Isolate> {
        self.runtime
            .isolates
            .iter()
            .find(|isolate| isolate.name == name)
    }
}
