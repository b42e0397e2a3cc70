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

/// A date with its time of day in UTC, as a file's name may hold it: `20261130T031240Z`.
#[must_use]
pub(super) fn compact(then: SystemTime) -> String {
    let seconds = then.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    // Years are counted from March on, so that the leap day comes last; 400 of them have 146,097 days.
    let days = seconds / DAY + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, next) = if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
    let year = era * 400 + year_of_era + next;
    let clock = clock(then).replace(':', "");
    format!("{year:04}{month:02}{day:02}T{clock}")
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
    fn dates_in_file_names_know_leap_years() {
        // As `date -u -d @SECONDS +%Y%m%dT%H%M%SZ` has them.
        for (seconds, text) in [
            (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"),
            (1_796_026_633, "20261130T081713Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(compact(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn the_clock_is_utc() {
        assert_eq!(clock(UNIX_EPOCH + Duration::from_secs(1_796_026_633)), "08:17:13Z");
    }
}
