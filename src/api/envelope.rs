//! Classifies unsuccessful responses: by code, then by the documented text, then by status.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::api::error::{ErrorKind, Missing, Step};
use crate::model::text::sanitize::is_unsafe;

/// Longest quoted text from outside, in characters.
const TEXT_MAX: usize = 300;

/// The parts of a failed response that decide its kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: Option<i64>,
    pub(super) message: String,
    /// Codes of the nested errors, which are more specific than the outer one.
    chain: Vec<i64>,
}

/// The outer shape of a success. `success: false` can come with HTTP 200, so both are checked.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<T> {
    #[serde(default)]
    pub(super) success: Option<bool>,
    pub(super) result: Option<T>,
    #[serde(default)]
    pub(super) result_info: Option<ResultInfo>,
}

/// The position of a page in its list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResultInfo {
    pub(super) per_page: Option<u64>,
    pub(super) total_count: Option<u64>,
    pub(super) cursor: Option<String>,
    pub(super) cursors: Option<Cursors>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Cursors {
    pub(super) after: Option<String>,
}

impl ResultInfo {
    /// Returns the cursor of the next page, from either field; an empty one ends the list.
    pub(super) fn next_cursor(self) -> Option<String> {
        let after = self.cursors.and_then(|cursors| cursors.after);
        self.cursor
            .filter(|cursor| !cursor.is_empty())
            .or(after)
            .filter(|cursor| !cursor.is_empty())
    }
}

impl Refusal {
    /// Parses the envelope's errors, the older `{"code","error"}` or GraphQL's errors; `None` for anything else.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(body).ok()?;
        if let Some(first) = value.get("errors").and_then(|errors| errors.get(0)) {
            return Some(Self {
                code: first.get("code").and_then(Value::as_i64),
                message: text(
                    first
                        .get("message")
                        .and_then(Value::as_str)
                        .or_else(|| first.as_str())
                        .unwrap_or_default(),
                ),
                chain: chain(first),
            });
        }
        if let Some(message) = value.get("error").and_then(Value::as_str) {
            return Some(Self {
                code: value.get("code").and_then(Value::as_i64),
                message: text(message),
                chain: vec![],
            });
        }
        value.get("success").is_some().then(Self::default)
    }

    /// Returns its kind. `retry_after` is the header's.
    pub(super) fn kind(&self, step: Step, status: u16, retry_after: Option<Duration>) -> ErrorKind {
        if status == 429 {
            let retry_after = retry_after.or_else(|| self.unstated_pause(step));
            return ErrorKind::RateLimited { retry_after };
        }
        self.by_code(step, status, retry_after)
            .or_else(|| self.by_text(step))
            .unwrap_or_else(|| by_status(step, status))
    }

    /// Returns the pause that analytics name in their message alone.
    fn unstated_pause(&self, step: Step) -> Option<Duration> {
        let message = self.message.to_ascii_lowercase();
        (step == Step::Analytics && message.contains("rate limiter budget depleted"))
            .then_some(Duration::from_secs(300))
    }

    fn by_code(&self, step: Step, status: u16, retry_after: Option<Duration>) -> Option<ErrorKind> {
        Some(match self.code? {
            6003 => ErrorKind::TokenMalformed,
            1000 if step == Step::Verify || status == 401 => ErrorKind::TokenRefused,
            // The same code means "unknown token" and "not on this account"; only the status differs.
            10_000 if status == 403 => ErrorKind::Forbidden,
            10_000 => ErrorKind::TokenRefused,
            9106 => ErrorKind::UserOnly,
            9109 if self
                .message
                .to_ascii_lowercase()
                .contains("invalid access token") =>
            {
                ErrorKind::TokenRefused
            }
            9109 => ErrorKind::Forbidden,
            7000 | 7003 => ErrorKind::NotFound(Missing::Account),
            10_007 | 10_090 => ErrorKind::NotFound(Missing::Worker),
            10_066 => ErrorKind::NotFound(Missing::Namespace),
            10_393 => ErrorKind::NoTraffic,
            971 => ErrorKind::RateLimited { retry_after },
            _ if self.chain.iter().any(|code| matches!(code, 6103 | 6111)) => {
                ErrorKind::TokenMalformed
            }
            _ => return None,
        })
    }

    fn by_text(&self, step: Step) -> Option<ErrorKind> {
        let message = self.message.to_ascii_lowercase();
        let says = |part: &str| message.contains(part);
        Some(match step {
            Step::Capture if says("no recent executions") => ErrorKind::NoTraffic,
            Step::Capture if says("no loaded isolate") => ErrorKind::NoIsolate,
            Step::Capture if says("profiling is unavailable") => ErrorKind::ProfilingUnavailable,
            Step::Capture if says("does not support runtime profiling") => {
                ErrorKind::ProfilingUnsupported
            }
            Step::Capture if says("could not start profiling") => ErrorKind::NotStarted,
            Step::Capture if says("namespace") && says("not found") => {
                ErrorKind::NotFound(Missing::Namespace)
            }
            Step::Capture if says("version") && (says("not found") || says("does not exist")) => {
                ErrorKind::NotFound(Missing::Version)
            }
            Step::Analytics if says("not authorized for that account") => ErrorKind::Forbidden,
            Step::Analytics if says("does not have access to the path") => ErrorKind::Forbidden,
            Step::Analytics if self.unstated_pause(step).is_some() => ErrorKind::RateLimited {
                retry_after: self.unstated_pause(step),
            },
            Step::Analytics if says("too many queries in progress") => ErrorKind::Server,
            _ if says("authentication error") => ErrorKind::TokenRefused,
            _ => return None,
        })
    }
}

fn by_status(step: Step, status: u16) -> ErrorKind {
    match status {
        401 => ErrorKind::TokenRefused,
        403 => ErrorKind::Forbidden,
        404 if step == Step::Versions => ErrorKind::NotFound(Missing::Worker),
        404 => ErrorKind::NotFound(Missing::Other),
        500.. => ErrorKind::Server,
        _ if step == Step::Analytics => ErrorKind::Query,
        400..500 => ErrorKind::BadRequest,
        _ => ErrorKind::Refused,
    }
}

/// Returns all codes nested below an error. Bounded by the JSON parser's own depth limit.
fn chain(error: &Value) -> Vec<i64> {
    let mut codes = Vec::new();
    let mut open = vec![error];
    while let Some(error) = open.pop() {
        for nested in error
            .get("error_chain")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            codes.extend(nested.get("code").and_then(Value::as_i64));
            open.push(nested);
        }
    }
    codes
}

/// Returns a text from outside, safe to quote in a message: no unsafe characters, one line, truncated.
pub(super) fn text(outside: &str) -> String {
    let mut clean: String = outside
        .chars()
        .map(|c| if is_unsafe(c) { ' ' } else { c })
        .take(TEXT_MAX + 1)
        .collect();
    if let Some((end, _)) = clean.char_indices().nth(TEXT_MAX) {
        clean.truncate(end);
        clean.push('…');
    }
    clean.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(code: Option<i64>, message: &str) -> Refusal {
        Refusal {
            code,
            message: message.to_owned(),
            chain: vec![],
        }
    }

    #[test]
    fn every_documented_refusal_has_its_kind() {
        use ErrorKind as K;
        for (step, status, code, message, kind) in [
            (
                Step::Workers,
                400,
                Some(6003),
                "Invalid request headers",
                K::TokenMalformed,
            ),
            (
                Step::Verify,
                401,
                Some(1000),
                "Invalid API Token",
                K::TokenRefused,
            ),
            (
                Step::Workers,
                401,
                Some(10_000),
                "Authentication error",
                K::TokenRefused,
            ),
            (
                Step::Capture,
                403,
                Some(10_000),
                "Authentication error",
                K::Forbidden,
            ),
            (
                Step::Accounts,
                400,
                Some(9106),
                "Authentication failed",
                K::UserOnly,
            ),
            (
                Step::Workers,
                403,
                Some(9109),
                "Unauthorized to access requested resource",
                K::Forbidden,
            ),
            (
                Step::Workers,
                404,
                Some(7003),
                "Could not route to /accounts/x",
                K::NotFound(Missing::Account),
            ),
            (
                Step::Versions,
                404,
                Some(10_007),
                "This Worker does not exist on your account.",
                K::NotFound(Missing::Worker),
            ),
            (
                Step::Versions,
                404,
                Some(10_090),
                "workers.api.error.service_not_found",
                K::NotFound(Missing::Worker),
            ),
            (
                Step::Objects,
                404,
                Some(10_066),
                "Durable Object namespace ID 'x' not found.",
                K::NotFound(Missing::Namespace),
            ),
            (
                Step::Objects,
                400,
                Some(10_001),
                "limit: Number must be greater than or equal to 10",
                K::BadRequest,
            ),
            (
                Step::Workers,
                429,
                Some(971),
                "Please wait",
                K::RateLimited { retry_after: None },
            ),
            (
                Step::Capture,
                404,
                Some(10_393),
                "No recent executions were found for this Worker.",
                K::NoTraffic,
            ),
            (
                Step::Capture,
                400,
                None,
                "No recent executions were found for this Worker.",
                K::NoTraffic,
            ),
            (
                Step::Capture,
                404,
                Some(1),
                "The Worker has no loaded isolate in its recent execution locations.",
                K::NoIsolate,
            ),
            (
                Step::Capture,
                403,
                Some(1),
                "Worker profiling is unavailable in this environment.",
                K::ProfilingUnavailable,
            ),
            (
                Step::Capture,
                400,
                Some(1),
                "This Worker does not support runtime profiling.",
                K::ProfilingUnsupported,
            ),
            (
                Step::Capture,
                500,
                Some(1),
                "The Worker runtime could not start profiling. Please try again.",
                K::NotStarted,
            ),
            (
                Step::Analytics,
                200,
                None,
                "not authorized for that account",
                K::Forbidden,
            ),
            (
                Step::Analytics,
                403,
                None,
                "user x does not have access to the path",
                K::Forbidden,
            ),
            (Step::Analytics, 400, None, "unknown field \"x\"", K::Query),
            (Step::Workers, 502, None, "", K::Server),
        ] {
            assert_eq!(
                refusal(code, message).kind(step, status, None),
                kind,
                "{status} {code:?} {message}"
            );
        }
    }

    #[test]
    fn codes_are_read_from_every_shape_of_failure() {
        let nested = br#"{"success":false,"errors":[{"code":1,"message":"a","error_chain":[{"code":6111,"message":"b"}]}],"result":null}"#;
        let refusal = Refusal::parse(nested).unwrap();
        assert_eq!(
            refusal.kind(Step::Workers, 400, None),
            ErrorKind::TokenMalformed
        );
        let old = Refusal::parse(br#"{"code":10007,"error":"not_found"}"#).unwrap();
        assert_eq!(
            (old.code, old.message.as_str()),
            (Some(10_007), "not_found")
        );
        assert_eq!(Refusal::parse(b"<html>"), None);
        assert_eq!(Refusal::parse(b"{}"), None);
    }

    #[test]
    fn texts_from_outside_lose_their_control_characters() {
        assert_eq!(text("a\u{1b}[2Jb\r\n\u{202e}c"), "a [2Jb   c");
        assert_eq!(text(&"x".repeat(1000)).chars().count(), TEXT_MAX + 1);
    }

    #[test]
    fn cursors_are_found_in_both_places_and_empty_ones_end() {
        let info = |json: &str| {
            serde_json::from_str::<ResultInfo>(json)
                .unwrap()
                .next_cursor()
        };
        assert_eq!(info(r#"{"cursor":"a"}"#), Some("a".to_owned()));
        assert_eq!(info(r#"{"cursors":{"after":"b"}}"#), Some("b".to_owned()));
        assert_eq!(
            info(r#"{"cursor":"","cursors":{"after":"b"}}"#),
            Some("b".to_owned())
        );
        assert_eq!(info(r#"{"cursor":""}"#), None);
        assert_eq!(info(r"{}"), None);
    }
}
