//! Dates and ages as the screen writes them: UTC, absolute where it matters.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// The months with their days, in a year that is no leap year.
const MONTHS: [(&str, u64); 12] = [
    ("Jan", 31),
    ("Feb", 28),
    ("Mar", 31),
    ("Apr", 30),
    ("May", 31),
    ("Jun", 30),
    ("Jul", 31),
    ("Aug", 31),
    ("Sep", 30),
    ("Oct", 31),
    ("Nov", 30),
    ("Dec", 31),
];

/// Returns how long ago something was: `12 s`, `4 min`, `2 h`, `3 d`. Something in the future was just now.
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

/// Returns days since 1970 in UTC.
#[must_use]
pub(crate) fn day_of(then: SystemTime) -> u64 {
    then.duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
        / DAY
}

/// Returns a day in full: `2026-11-30`.
#[must_use]
pub(crate) fn date(day: u64) -> String {
    let (year, month, day) = calendar(day);
    format!("{year:04}-{:02}-{day:02}", month + 1)
}

/// Returns a day without its year: `30 Nov`, two columns for the number.
#[must_use]
pub(crate) fn short_date(day: u64) -> String {
    let (_, month, day) = calendar(day);
    format!("{day:2} {}", MONTHS.get(month).map_or("", |(name, _)| name))
}

/// Whether two days are of one year.
#[must_use]
pub(crate) fn same_year(one: u64, other: u64) -> bool {
    calendar(one).0 == calendar(other).0
}

/// Year, month (from 0) and day (from 1) of a day since 1970.
fn calendar(day: u64) -> (u64, usize, u64) {
    // The calendar repeats after 400 years.
    let (mut year, mut left) = (1970 + day / 146_097 * 400, day % 146_097);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let days = |year: u64| 365 + u64::from(is_leap(year));
    while left >= days(year) {
        left -= days(year);
        year += 1;
    }
    for (month, (_, days)) in MONTHS.iter().enumerate() {
        let days = days + u64::from(month == 1 && is_leap(year));
        if left < days {
            return (year, month, left + 1);
        }
        left -= days;
    }
    (year, 11, 31)
}

/// Returns the time of day in UTC: `03:12:40Z`.
#[must_use]
pub fn clock(then: SystemTime) -> String {
    let seconds = then
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
        % DAY;
    format!(
        "{:02}:{:02}:{:02}Z",
        seconds / HOUR,
        seconds % HOUR / MINUTE,
        seconds % MINUTE
    )
}

/// Returns how long ago something was as a sentence has it: `just now`, `3 min ago`.
#[must_use]
pub fn ago(then: SystemTime, now: SystemTime) -> String {
    match age(then, now) {
        age if age.ends_with(" s") => "just now".to_owned(),
        age => age + " ago",
    }
}

/// Returns a time of day in UTC without seconds, with the day if that is not today: `22:16Z`, `30 Nov 22:16Z`.
#[must_use]
pub fn minute(then: SystemTime, now: SystemTime) -> String {
    let clock = clock(then);
    let clock = format!("{}Z", clock.get(..5).unwrap_or_default());
    if day_of(then) == day_of(now) {
        clock
    } else {
        format!("{} {clock}", short_date(day_of(then)).trim_start())
    }
}

/// Returns a date with its time of day in UTC, as a file's name may hold it: `20261130T031240Z`.
#[must_use]
pub(crate) fn compact(then: SystemTime) -> String {
    format!(
        "{}T{}",
        date(day_of(then)).replace('-', ""),
        clock(then).replace(':', "")
    )
}

/// Returns the name of a group of a day: today and yesterday by word.
pub(crate) fn day_name(day: u64, today: u64) -> String {
    match today.saturating_sub(day) {
        0 => "Today (UTC)".to_owned(),
        1 => "Yesterday".to_owned(),
        _ => date(day),
    }
}

/// Returns a time for a row: `30 Nov 14:02`; of another year the day alone, in full.
pub(crate) fn when(day: u64, today: u64, clock: &str) -> String {
    if same_year(day, today) {
        format!("{} {clock}", short_date(day))
    } else {
        date(day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_grow_through_the_units() {
        let now = UNIX_EPOCH + Duration::from_secs(10 * DAY);
        for (seconds, text) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (3_599, "59 min"),
            (3_600, "1 h"),
            (90_000, "1 d"),
        ] {
            assert_eq!(age(now - Duration::from_secs(seconds), now), text);
        }
        assert_eq!(
            age(now + Duration::from_secs(5), now),
            "0 s",
            "clocks may differ"
        );
    }

    #[test]
    fn dates_in_file_names_have_no_colons() {
        // As `date -u -d @SECONDS +%Y%m%dT%H%M%SZ` has them.
        for (seconds, text) in [
            (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"),
            (1_796_026_633, "20261130T081713Z"),
        ] {
            assert_eq!(compact(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn days_have_dates() {
        for (day, text, short) in [
            (0, "1970-01-01", " 1 Jan"),
            (58, "1970-02-28", "28 Feb"),
            (59, "1970-03-01", " 1 Mar"),
            (789, "1972-02-29", "29 Feb"),
            (11_016, "2000-02-29", "29 Feb"),
            (20_787, "2026-11-30", "30 Nov"),
            (47_540, "2100-02-28", "28 Feb"),
            (47_541, "2100-03-01", " 1 Mar"),
            (2_932_896, "9999-12-31", "31 Dec"),
        ] {
            assert_eq!(
                (date(day).as_str(), short_date(day).as_str()),
                (text, short),
                "{day}"
            );
        }
        assert!(same_year(0, 364) && !same_year(364, 365));
    }

    #[test]
    fn the_clock_is_utc() {
        assert_eq!(
            clock(UNIX_EPOCH + Duration::from_secs(1_796_026_633)),
            "08:17:13Z"
        );
    }
}
