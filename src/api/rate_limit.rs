//! Decides when each kind of call may be sent again: the one place that reads `Retry-After` and `Ratelimit`.
//!
//! Captures and analytics have limits of their own, so a `Retry-After` holds back only calls of the kind that got it. A used-up
//! `Ratelimit` holds back all.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::api::error::{Step, UNSTATED_PAUSE};
use crate::api::lock::lock;
use crate::api::quota::Quota;
use crate::api::time::PAUSE_MAX;

/// Calls that are limited together.
#[derive(Clone, Copy)]
enum Lane {
    Reads,
    Analytics,
    Captures,
}

impl Lane {
    const ALL: [Self; 3] = [Self::Reads, Self::Analytics, Self::Captures];

    const fn of(step: Step) -> Self {
        match step {
            Step::Analytics => Self::Analytics,
            Step::Capture => Self::Captures,
            _ => Self::Reads,
        }
    }
}

/// The rate limits of a host, as its responses state them.
#[derive(Debug, Default)]
pub(super) struct RateLimit(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    quota: Option<Quota>,
    /// The pause of each lane.
    holds: [Option<Hold>; Lane::ALL.len()],
    /// The latest such time that was announced.
    announced: Option<Instant>,
}

#[derive(Debug)]
struct Hold {
    until: Instant,
    cause: Cause,
}

/// The response that asked for a pause, for the errors of the calls that it holds back.
#[derive(Debug, Clone, Default)]
pub(super) struct Cause {
    pub(super) status: Option<u16>,
    pub(super) code: Option<i64>,
    pub(super) ray: Option<String>,
}

impl State {
    /// Holds back a lane, unless it is held back for longer already.
    fn hold(&mut self, lane: Lane, pause: Duration, cause: Cause) {
        let until = Instant::now() + pause.min(PAUSE_MAX);
        let hold = &mut self.holds[lane as usize];
        if hold.as_ref().is_none_or(|hold| hold.until < until) {
            *hold = Some(Hold { until, cause });
        }
    }
}

impl RateLimit {
    pub(super) fn quota(&self) -> Option<Quota> {
        lock(&self.0).quota
    }

    /// Takes the quota that a response states. Without any calls left, none is sent until the window ends.
    pub(super) fn set_quota(&self, quota: Quota) {
        if quota.is_low() {
            tracing::warn!(
                remaining = quota.remaining,
                limit = quota.limit,
                resets_in_s = quota.resets_in.map(|time| time.as_secs()),
                "quota-low"
            );
        }
        let mut state = lock(&self.0);
        state.quota = Some(quota);
        if quota.remaining == 0 {
            let pause = quota.resets_in.unwrap_or(UNSTATED_PAUSE);
            Lane::ALL
                .iter()
                .for_each(|lane| state.hold(*lane, pause, Cause::default()));
        }
    }

    /// Holds back calls of this kind.
    pub(super) fn hold(&self, step: Step, pause: Duration, cause: Cause) {
        lock(&self.0).hold(Lane::of(step), pause, cause);
    }

    /// Returns how long calls of this kind have to wait; `None` if they needn't.
    pub(super) fn pause(&self, step: Step) -> Option<Duration> {
        lock(&self.0).holds[Lane::of(step) as usize]
            .as_ref()?
            .until
            .checked_duration_since(Instant::now())
            .filter(|pause| !pause.is_zero())
    }

    /// Returns the response that holds back calls of this kind, or did last.
    pub(super) fn cause(&self, step: Step) -> Cause {
        let state = lock(&self.0);
        let hold = state.holds[Lane::of(step) as usize].as_ref();
        hold.map_or_else(Cause::default, |hold| hold.cause.clone())
    }

    /// Returns whether a pause that is about to be waited out was not announced yet.
    pub(super) fn announce(&self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        let mut state = lock(&self.0);
        // Calls that wait together compute the same end, but for microseconds.
        let is_new = state.announced.is_none_or(|announced| {
            until.saturating_duration_since(announced) > Duration::from_millis(100)
        });
        if is_new {
            state.announced = Some(until);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_pause_holds_back_its_own_kind_and_is_not_shortened() {
        let limit = RateLimit::default();
        limit.hold(Step::Workers, MINUTE, Cause::default());
        limit.hold(Step::Versions, Duration::from_secs(1), Cause::default());
        assert!(limit.pause(Step::Deployments) > Some(MINUTE / 2));
        assert_eq!(limit.pause(Step::Analytics), None);
        assert_eq!(limit.pause(Step::Capture), None);
        limit.hold(Step::Capture, Duration::MAX, Cause::default());
        assert!(limit.pause(Step::Capture) <= Some(PAUSE_MAX));
    }

    #[test]
    fn a_used_up_quota_holds_back_everything() {
        let limit = RateLimit::default();
        let quota = |remaining| Quota {
            remaining,
            limit: Some(100),
            resets_in: Some(MINUTE),
        };
        limit.set_quota(quota(1));
        assert_eq!(limit.pause(Step::Workers), None);
        limit.set_quota(quota(0));
        for step in [Step::Workers, Step::Analytics, Step::Capture] {
            assert!(limit.pause(step) > Some(MINUTE / 2), "{step:?}");
        }
    }

    #[test]
    fn calls_that_wait_together_are_announced_once() {
        let limit = RateLimit::default();
        limit.hold(Step::Workers, MINUTE, Cause::default());
        let announced = [(); 4].map(|()| limit.announce(limit.pause(Step::Workers).unwrap()));
        assert_eq!(announced, [true, false, false, false]);
    }
}
