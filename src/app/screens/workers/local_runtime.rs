//! A local runtime on the screen: its isolates stand where an account's Workers would, without versions and figures.

use crate::app::capture::note::CaptureNote;
use crate::app::core::session::Origin;
use crate::app::overlays::capture_form::Form;
use crate::app::screens::workers::details::WorkerDetails;
use crate::app::state::State;
use crate::model::cloudflare::local_runtime::{Isolate, Runtime};
use crate::model::cloudflare::{CaptureRequest, Kind};

/// A runtime that answers on this machine, found by chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// Host and port.
    pub address: String,
    /// What is there.
    pub runtime: Runtime,
}

impl State {
    /// Whether a local runtime is profiled instead of an account.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.session.origin == Origin::Inspector
    }
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

impl Form {
    /// Opens the form on an isolate of a local runtime.
    #[must_use]
    pub fn local(worker: String) -> Self {
        Self {
            is_local: true,
            ..Self::new(worker, WorkerDetails::default(), None)
        }
    }

    /// The request that the form stands for.
    pub(crate) fn local_request(&self) -> (CaptureRequest, CaptureNote) {
        let request = CaptureRequest {
            worker: self.worker.clone(),
            version: None,
            kind: self.kind,
            window: self.length(),
            object: None,
        };
        (
            request,
            CaptureNote {
                version_number: None,
                percentage: None,
                figures: None,
                find_object: None,
            },
        )
    }

    /// What the choice means.
    pub(crate) fn local_meaning(&self) -> Vec<String> {
        let how = match self.kind {
            Kind::Cpu => "sampled each 1 ms",
            Kind::Heap => "sampled each 512 kB it allocates",
        };
        vec![
            format!(
                "For {} s its isolate is {how}, with all its Durable Objects.",
                self.length().as_secs()
            ),
            "Send it requests meanwhile: nothing else makes any.".to_owned(),
        ]
    }
}
