//! What captures request of the runtime, and the responses.

use std::time::{Duration, SystemTime};

use crate::app::capture::other_instances::Elsewhere;
use crate::app::capture::stage::Stage;
use crate::model::cloudflare::{Capture, CaptureRequest, Target};

/// A request about captures.
#[derive(Debug, Clone)]
pub enum CaptureEffect {
    /// Take one capture and store it.
    Start(Box<CaptureRequest>),
    /// Look after a while whether a target has had traffic since a time.
    LookForTraffic(Duration, Box<Target>, SystemTime),
    /// Look after a while for captures of other instances and for detached results.
    LookElsewhere(Duration),
}

/// A response about captures.
#[derive(Debug)]
pub enum CaptureResponse {
    /// How far a capture is.
    Stage(Stage),
    /// A capture waits for another instance.
    Queued {
        /// The Worker that the other instance captures, if known.
        behind: Option<String>,
        /// How long that may take at most, if known.
        at_most: Option<Duration>,
    },
    /// Something to say when the capture is complete, such as what was evicted for it.
    Remark(String),
    /// A capture is on disk and complete.
    Kept(Box<Capture>),
    /// Requests of a target since the wait began.
    Traffic(u64),
    /// Captures of other instances, and detached results.
    Elsewhere(Elsewhere),
}
