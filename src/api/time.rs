//! Times as the API writes them.

use std::time::{Duration, SystemTime};

/// The longest accepted `Retry-After`.
pub(super) const PAUSE_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Parses an RFC 3339 time in UTC (`Z` or a zero offset, with or without fractions).
pub(super) fn parse(text: &str) -> Option<SystemTime> {
    let text = text.trim();
    let utc = text.strip_suffix("+00:00").map(|start| format!("{start}Z"));
    humantime::parse_rfc3339(utc.as_deref().unwrap_or(text)).ok()
}

/// Formats a time to the second, as GraphQL's `Time`.
pub(super) fn format(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Parses `Retry-After`: whole seconds, or an HTTP date measured from `now`; a longer pause than is believed is cut.
pub(super) fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    let pause = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().map_or(PAUSE_MAX, Duration::from_secs)
    } else {
        let date = httpdate::parse_http_date(text).ok()?;
        date.duration_since(now).unwrap_or_default()
    };
    Some(pause.min(PAUSE_MAX))
}

/// Returns by how many seconds `now` is ahead of a response's `Date`; negative if behind.
pub(super) fn ahead_of(date: &str, now: SystemTime) -> Option<i64> {
    let date = httpdate::parse_http_date(date).ok()?;
    let seconds = |gap: Duration| i64::try_from(gap.as_secs()).unwrap_or(i64::MAX);
    Some(match now.duration_since(date) {
        Ok(ahead) => seconds(ahead),
        Err(behind) => -seconds(behind.duration()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_utc_and_fractions_are_read() {
        let plain = parse("2026-10-09T11:58:03Z").unwrap();
        assert_eq!(parse("2026-10-09T11:58:03+00:00"), Some(plain));
        assert_eq!(
            parse("2026-10-09T11:58:03.123456Z"),
            Some(plain + Duration::from_micros(123_456))
        );
        assert_eq!(parse("yesterday"), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = parse("2026-10-09T11:58:03Z").unwrap();
        assert_eq!(retry_after("17", now), Some(Duration::from_secs(17)));
        assert_eq!(
            retry_after("Fri, 09 Oct 2026 11:58:33 GMT", now),
            Some(Duration::from_secs(30))
        );
        assert_eq!(
            retry_after("Fri, 09 Oct 2026 11:00:00 GMT", now),
            Some(Duration::ZERO)
        );
        assert_eq!(retry_after("soon", now), None);
        assert_eq!(retry_after("", now), None);
        for absurd in [
            "86401",
            "18446744073709551615",
            "99999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(retry_after(absurd, now), Some(PAUSE_MAX), "{absurd}");
        }
        assert_eq!(retry_after("-1", now), None);
    }

    #[test]
    fn clocks_are_compared_both_ways() {
        let now = parse("2026-10-09T11:58:03Z").unwrap();
        assert_eq!(ahead_of("Fri, 09 Oct 2026 11:57:03 GMT", now), Some(60));
        assert_eq!(ahead_of("Fri, 09 Oct 2026 11:58:33 GMT", now), Some(-30));
        assert_eq!(ahead_of("now", now), None);
    }
}
