//! Captures: one long call each, never sent twice.

use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::json;

use crate::api::client::Client;
use crate::api::envelope::Refusal;
use crate::api::error::{ApiError, ErrorKind, Step};
use crate::api::exchange::{Raw, Sending, header};
use crate::api::path::Path;
use crate::model::cloudflare::CaptureRequest;

/// Largest response to a capture that is read. The longest window at a sample each millisecond takes about 4 MB.
pub const CAPTURE_BODY_MAX: usize = 64 << 20;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// A complete response to a capture that begins as a profile does. Not decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The bytes as received: raw pprof, or gzip or zstd of it.
    pub bytes: Vec<u8>,
    /// The response's content type.
    pub content_type: Option<String>,
    /// The response's `cf-ray`.
    pub ray: Option<String>,
    /// When the request was sent.
    pub asked_at: SystemTime,
    /// When the response was complete.
    pub answered_at: SystemTime,
}

impl Client {
    /// Captures a profile: returns after the window. Dropping the future drops the connection, the only way to cancel; the
    /// server may finish and count it all the same. Never retried.
    ///
    /// # Errors
    /// Any [`ApiError`]; also if the response isn't a profile, is empty or incomplete, so that only profiles are kept.
    pub async fn capture(&self, request: &CaptureRequest) -> Result<Captured, ApiError> {
        let step = Step::Capture;
        let account = self.account(step)?;
        let target = &request.target;
        let version = target
            .version_id
            .as_deref()
            .ok_or_else(|| ApiError::settings(step, "no version is chosen"))?;
        self.ready(step).await?;
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}/versions/{version}/profile",
            values: &[account, &target.worker, version],
        };
        let mut body = json!({
            "duration_ms": u64::try_from(request.window.as_millis()).unwrap_or(u64::MAX),
            "profile_type": request.kind.to_string(),
        });
        if let (Some(object), Some(body)) = (&target.object, body.as_object_mut()) {
            body.insert("namespace_id".to_owned(), json!(object.namespace_id));
            body.insert("actor_id".to_owned(), json!(object.object_id));
        }
        let asked_at = SystemTime::now();
        let post = self
            .captures()?
            .post(self.url(step, path)?)
            // Cloudflare's own client sends this; `application/json` is untested here.
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
        let sent = self.active_login();
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
            // Not retried: the window would differ from the one the user watched.
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

    /// Checks that a response can be kept as a profile.
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
        let facts = self.facts(Some(raw.status), &raw.headers);
        Err(ApiError::new(kind, step, facts))
    }
}

/// Logs the end of the window.
async fn announce_end(window: Duration) -> Infallible {
    tokio::time::sleep(window).await;
    tracing::info!(stage = "window-over", "capture");
    std::future::pending().await
}

/// Returns whether the content type is one that no profile has.
fn is_text_type(content_type: &str) -> bool {
    let kind = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    kind.ends_with("json") || kind.ends_with("xml") || kind == "text/html"
}

/// Returns whether the bytes begin as JSON or markup. White space alone doesn't decide: pprof may begin with a line feed.
fn is_text(bytes: &[u8]) -> bool {
    let bytes = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    matches!(bytes.first(), None | Some(b'{' | b'[' | b'<'))
}

/// Returns whether the bytes begin as gzip, as zstd, or with the tag of a pprof field.
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
    fn profiles_are_recognized_by_their_first_bytes() {
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
    fn content_types_of_text_may_have_parameters() {
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
