//! Dates and ages as the screen writes them: UTC, absolute where it matters.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How long ago something was: `12 s`, `4 min`, `2 h`, `3 d`. Something in the future was just now.
#[must_use]
pub fn age(then: SystemTime, now: SystemTime) -> String {
    let seconds = now.duration_since(then).unwrap_or(Duration::ZERO).as_secs();
    match seconds {
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        _ => format!("{} d", seconds / DAY),
    }
}

/// The time of day in UTC: `03:12:40Z`.
#[must_use]
pub fn clock(then: SystemTime) -> String {
    let seconds = then.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs() % DAY;
    format!("{:02}:{:02}:{:02}Z", seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_grow_through_the_units() {
        let now = UNIX_EPOCH + Duration::from_secs(10 * DAY);
        for (seconds, text) in
            [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"), (90_000, "1 d")]
        {
            assert_eq!(age(now - Duration::from_secs(seconds), now), text);
        }
        assert_eq!(age(now + Duration::from_secs(5), now), "0 s", "clocks may differ");
    }

    #[test]
    fn the_clock_is_utc() {
        assert_eq!(clock(UNIX_EPOCH + Duration::from_secs(1_796_026_633)), "08:17:13Z");
    }
}
