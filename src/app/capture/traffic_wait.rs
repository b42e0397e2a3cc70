//! Waiting until a target has traffic, to send one capture then: looked for gently, in sight, and given up by a key.

use std::time::{Duration, Instant, SystemTime};

use crate::app::capture::batch::Batch;
use crate::app::core::ids::RequestId;
use crate::app::keys::message::Message;

/// A capture that waits for traffic.
#[derive(Debug, Clone)]
pub struct TrafficWait {
    /// The number of the look that is under way.
    pub id: RequestId,
    /// What is sent once there is traffic.
    pub batch: Batch,
    /// Since when it is waited for: traffic from before does not count.
    pub since: SystemTime,
    /// When the next look is due.
    pub next: Instant,
    /// How often it was looked already.
    pub looks: u32,
    /// Why the last look failed.
    pub trouble: Option<Message>,
}

impl TrafficWait {
    /// Returns how long it takes to the next look.
    #[must_use]
    pub fn left(&self, now: Instant) -> Duration {
        self.next.saturating_duration_since(now)
    }

    /// Returns the target's name.
    #[must_use]
    pub fn worker(&self) -> &str {
        self.batch.worker()
    }
}
