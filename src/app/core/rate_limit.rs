//! What is left of the rate limit that all of a user's tools share.

use std::time::{Duration, Instant};

/// The rate limit, from the latest response that stated it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Calls left in this window.
    pub remaining: u64,
    /// Calls a window allows.
    pub limit: u64,
    /// When the window ends, if known.
    pub until: Option<Instant>,
}

impl Quota {
    /// Whether less than a tenth is left: then background requests are put off.
    #[must_use]
    pub fn is_low(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| now < until) && self.remaining.saturating_mul(10) < self.limit
    }

    /// Returns the time until the window ends.
    #[must_use]
    pub fn resets_in(&self, now: Instant) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_a_tenth_it_is_low_until_the_window_ends() {
        let now = Instant::now();
        let quota = |remaining| Quota {
            remaining,
            limit: 1200,
            until: Some(now + Duration::from_secs(9)),
        };
        assert!(!quota(120).is_low(now));
        assert!(quota(119).is_low(now));
        assert!(!quota(0).is_low(now + Duration::from_secs(9)));
        assert!(
            Quota {
                until: None,
                ..quota(0)
            }
            .is_low(now + Duration::from_secs(999))
        );
    }
}
