//! The log line of a request.

use std::borrow::Cow;
use std::time::Instant;

use crate::api::error::ApiError;
use crate::api::exchange::{Raw, Sending, header};

/// A request under way. It is logged when dropped, also if it is cancelled or the program quits.
pub(super) struct RequestLog<'a> {
    sending: &'a Sending,
    begun: Instant,
    status: Option<u16>,
    ray: Option<String>,
    bytes: Option<u64>,
    error: Option<Cow<'static, str>>,
}

impl<'a> RequestLog<'a> {
    pub(super) fn begin(sending: &'a Sending) -> Self {
        Self {
            sending,
            begun: Instant::now(),
            status: None,
            ray: None,
            bytes: None,
            error: Some(Cow::Borrowed("Dropped")),
        }
    }

    /// Records the outcome.
    pub(super) fn end(&mut self, outcome: &Result<Raw, ApiError>) {
        if !tracing::event_enabled!(tracing::Level::INFO) {
            return;
        }
        match outcome {
            Ok(raw) => {
                self.status = Some(raw.status.as_u16());
                self.ray = header(&raw.headers, "cf-ray");
                self.bytes = Some(raw.body.len() as u64);
                self.error = None;
            }
            Err(error) => {
                self.status = error.status();
                self.ray = error.ray().map(str::to_owned);
                self.error = Some(error.kind().name().into());
            }
        }
    }
}

impl Drop for RequestLog<'_> {
    fn drop(&mut self) {
        tracing::info!(
            method = self.sending.method.as_str(),
            path = self.sending.template,
            attempt = self.sending.attempt,
            status = self.status,
            ray = self.ray,
            ms = self.begun.elapsed().as_millis(),
            bytes = self.bytes,
            error = self.error.as_deref(),
            "request"
        );
    }
}
