//! The rate limit of captures, as the API has it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Captures that may start within a window.
pub(super) const LIMIT: usize = 20;
/// When the latest captures started.
#[derive(Debug, Default)]
pub(super) struct Limiter(Mutex<VecDeque<Instant>>);

impl Limiter {
    /// Admits another capture.
    ///
    /// # Errors
    /// The time until the next one may start.
    pub(super) fn admit(&self, now: Instant, window: Duration) -> Result<(), Duration> {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while begun
            .front()
            .is_some_and(|first| now.duration_since(*first) >= window)
        {
            begun.pop_front();
        }
        match begun.front() {
            Some(first) if begun.len() >= LIMIT => {
                Err(window.saturating_sub(now.duration_since(*first)))
            }
            _ => {
                begun.push_back(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_opens_again_after_its_window() {
        let (limiter, window, start) =
            (Limiter::default(), Duration::from_secs(60), Instant::now());
        for _ in 0..LIMIT {
            assert_eq!(limiter.admit(start, window), Ok(()));
        }
        assert_eq!(
            limiter.admit(start + Duration::from_secs(1), window),
            Err(Duration::from_secs(59))
        );
        assert_eq!(limiter.admit(start + window, window), Ok(()));
    }
}
