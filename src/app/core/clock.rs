//! The time of an action.

use std::time::{Instant, SystemTime};

/// The time of an action: one clock for durations, one for dates.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// For countdowns.
    pub instant: Instant,
    /// For dates and ages.
    pub wall: SystemTime,
}

/// The last click: when, and on which cell.
pub(crate) type LastClick = (Instant, u16, u16);
