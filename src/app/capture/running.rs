//! Captures that run or wait for their turn: the countdown, how far each has come, and what happens to its end.

use crate::app::capture::stage::Stage;
use std::time::{Duration, Instant};

use crate::app::capture::batch::Batch;
use crate::app::core::ids::RequestId;
use crate::model::cloudflare::CaptureRequest;

/// A capture that runs.
#[derive(Debug, Clone)]
pub struct Capturing {
    /// The request's id.
    pub id: RequestId,
    /// What is captured.
    pub request: CaptureRequest,
    /// When it was sent.
    pub since: Instant,
    /// How far it is.
    pub stage: Stage,
    /// While it waits: the Worker that another copy of the program captures, if known.
    pub behind: Option<String>,
    /// While it waits: when that one has ended at the latest, if known.
    pub free_by: Option<Instant>,
    /// What to say when it is complete.
    pub remark: Option<String>,
    /// The batch that it belongs to.
    pub batch: Batch,
}

impl Capturing {
    /// Returns how much of the window is left; zero while the response is awaited.
    #[must_use]
    pub fn left(&self, now: Instant) -> Duration {
        self.request
            .window
            .saturating_sub(now.duration_since(self.since))
    }

    /// Returns how long the response has been awaited since the window ended.
    #[must_use]
    pub fn waited(&self, now: Instant) -> Duration {
        now.duration_since(self.since)
            .saturating_sub(self.request.window)
    }
}
