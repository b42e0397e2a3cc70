//! Captures that run or wait for their turn: the countdown, how far each has come, and what happens to its end.

use std::time::{Duration, Instant};

use crate::app::capture::batch::Series;
use crate::app::effect::{CaptureNote, RequestId};
use crate::model::cloudflare::CaptureRequest;

/// How far a capture has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Another copy of the program captures from this account: one at a time.
    Waiting,
    /// The window is open; no answer before it ends.
    Sampling,
    /// The answer is arriving.
    Answer,
    /// The raw bytes are safe.
    OnDisk,
    /// The profile is being read.
    Open,
}

/// A capture that runs.
#[derive(Debug, Clone)]
pub struct Capturing {
    /// The request's id.
    pub id: RequestId,
    /// What was asked for.
    pub request: CaptureRequest,
    /// What the history will say of it.
    pub note: CaptureNote,
    /// When it was sent.
    pub since: Instant,
    /// How far it is.
    pub stage: Stage,
    /// While it waits: the Worker that another copy of the program captures, where it is known.
    pub behind: Option<String>,
    /// What is to be told once it is there.
    pub remark: Option<String>,
    /// What was asked for together with it.
    pub series: Series,
}

impl Capturing {
    /// How much of the window is left; zero when the answer is waited for.
    #[must_use]
    pub fn left(&self, now: Instant) -> Duration {
        self.request
            .window
            .saturating_sub(now.duration_since(self.since))
    }

    /// How long the answer has been waited for since the window ended.
    #[must_use]
    pub fn waited(&self, now: Instant) -> Duration {
        now.duration_since(self.since)
            .saturating_sub(self.request.window)
    }
}
