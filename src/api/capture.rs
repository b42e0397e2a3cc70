//! The capture: one long call that is never sent twice.

use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::json;

use crate::api::client::{Client, unset};
use crate::api::envelope::Refusal;
use crate::api::error::{ApiError, ErrorKind, Step};
use crate::api::exchange::{Raw, Sending, header};
use crate::api::path::Path;
use crate::model::cloudflare::CaptureRequest;

/// Largest answer to a capture that is read. The longest window at a sample each millisecond takes about 4 MB.
pub const CAPTURE_BODY_MAX: usize = 64 << 20;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// A capture's answer: whole, and beginning as a profile does. Not decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The bytes as they came: raw pprof, or gzip or zstd of it.
    pub bytes: Vec<u8>,
    /// What the answer called itself.
    pub content_type: Option<String>,
    /// The answer's `cf-ray`.
    pub ray: Option<String>,
    /// When it was asked for.
    pub asked_at: SystemTime,
    /// When the answer was whole.
    pub answered_at: SystemTime,
}

impl Client {
    /// Captures a profile: returns after the window. Dropping the future drops the connection, which is all the
    /// cancelling there is; the server may finish and count it all the same. Never sent twice by itself.
    ///
    /// # Errors
    /// [`ApiError`]; also where the answer isn't a profile, is empty or was cut, so that only profiles are kept.
    pub async fn capture(&self, request: &CaptureRequest) -> Result<Captured, ApiError> {
        let step = Step::Capture;
        let account = self.account(step)?;
        let version = request
            .version
            .as_deref()
            .ok_or_else(|| unset(step, "no version is chosen"))?;
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}/versions/{version}/profile",
            values: &[account, &request.worker, version],
        };
        let mut body = json!({
            "duration_ms": u64::try_from(request.window.as_millis()).unwrap_or(u64::MAX),
            "profile_type": request.kind.to_string(),
        });
        if let (Some(object), Some(body)) = (&request.object, body.as_object_mut()) {
            body.insert("namespace_id".to_owned(), json!(object.namespace_id));
            body.insert("actor_id".to_owned(), json!(object.object_id));
        }
        let asked_at = SystemTime::now();
        let post = self
            .captures()?
            .post(self.url(step, path)?)
            // Not `application/json`: that is what a failure answers with, and is untried here.
            .header(ACCEPT, "*/*")
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        let sending = Sending {
            step,
            method: Method::POST,
            template: path.template,
            attempt: 1,
            timeout: request.window + self.shared.settings.capture_slack,
            limit: CAPTURE_BODY_MAX,
        };
        let sent = self.in_force();
        tracing::info!(
            stage = "sent",
            kind = %request.kind,
            window_ms = request.window.as_millis(),
            "capture"
        );
        let raw = tokio::select! {
            biased;
            raw = self.send(&sending, post) => raw?,
            never = announce_end(request.window) => match never {},
        };
        if let Err(error) = self.check(&raw) {
            let (reason, code) = (error.kind().name(), error.code());
            tracing::warn!(stage = "refused", reason, code, "capture");
            let refused = *error.kind() == ErrorKind::TokenRefused;
            // It is not sent again by itself: the window would be another one than the user has watched.
            return Err(if refused && self.refresh_token(&sent).await {
                self.renewed(error)
            } else {
                error
            });
        }
        tracing::info!(stage = "received", bytes = raw.body.len(), "capture");
        Ok(Captured {
            content_type: header(&raw.headers, CONTENT_TYPE.as_str()),
            ray: header(&raw.headers, "cf-ray"),
            bytes: raw.body,
            asked_at,
            answered_at: SystemTime::now(),
        })
    }

    /// Whether an answer may be kept as a profile.
    fn check(&self, raw: &Raw) -> Result<(), ApiError> {
        let step = Step::Capture;
        if !raw.status.is_success() {
            return Err(self.refused(step, raw));
        }
        let content_type = header(&raw.headers, CONTENT_TYPE.as_str()).unwrap_or_default();
        let kind = if raw.body.is_empty() {
            ErrorKind::Empty
        } else if is_text_type(&content_type) || is_text(&raw.body) || !begins_as_profile(&raw.body)
        {
            if Refusal::parse(&raw.body).is_some() {
                return Err(self.refused(step, raw));
            }
            let content_type = if content_type.is_empty() {
                "of no named type".to_owned()
            } else {
                content_type
            };
            ErrorKind::NotAProfile {
                content_type,
                first_line: self.first_line(&raw.body),
            }
        } else {
            return Ok(());
        };
        Err(ApiError {
            kind,
            step,
            facts: self.facts(Some(raw.status), &raw.headers),
        })
    }
}

/// Logs that the window is over, for as long as it is polled.
async fn announce_end(window: Duration) -> Infallible {
    tokio::time::sleep(window).await;
    tracing::info!(stage = "window-over", "capture");
    std::future::pending().await
}

/// Whether the answer calls itself something that no profile is.
fn is_text_type(content_type: &str) -> bool {
    let kind = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    kind.ends_with("json") || kind.ends_with("xml") || kind == "text/html"
}

/// Whether the bytes begin as JSON or markup. A line break is also the first byte of a pprof, so it does not decide.
fn is_text(bytes: &[u8]) -> bool {
    let bytes = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    matches!(bytes.first(), None | Some(b'{' | b'[' | b'<'))
}

/// Whether the first byte is gzip's, zstd's, or the tag of one of a pprof profile's fields.
fn begins_as_profile(bytes: &[u8]) -> bool {
    if bytes.starts_with(GZIP) || bytes.starts_with(ZSTD) {
        return true;
    }
    let Some(tag) = bytes.first() else {
        return false;
    };
    match (tag >> 3, tag & 7) {
        // Messages and strings.
        (1..=6 | 11, 2) => true,
        // Numbers.
        (7..=10 | 12 | 14 | 15, 0) => true,
        // Comments: one number, or several packed.
        (13, 0 | 2) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_told_from_other_answers_by_their_first_bytes() {
        for good in [
            &b"\x1f\x8b\x08"[..],
            b"\x28\xb5\x2f\xfd",
            b"\x0a\x04\x08\x01",
            b"\x32\x00",
            b"\x48\x01",
            b"\x6a\x01\x01",
        ] {
            assert!(begins_as_profile(good) && !is_text(good), "{good:?}");
        }
        for bad in [
            &b"{\"success\":false}"[..],
            b"<svg>",
            b"\n{}",
            b"\xef\xbb\xbf<html>",
            b"  ",
            b"\x00",
            b"No traffic",
        ] {
            assert!(!begins_as_profile(bad) || is_text(bad), "{bad:?}");
        }
    }

    #[test]
    fn types_of_text_are_told_with_their_parameters() {
        for (kind, text) in [
            ("application/json; charset=utf-8", true),
            ("image/svg+xml", true),
            ("text/html", true),
            ("application/problem+json", true),
            ("application/vnd.google.protobuf", false),
            ("application/octet-stream", false),
            ("", false),
        ] {
            assert_eq!(is_text_type(kind), text, "{kind}");
        }
    }
}
