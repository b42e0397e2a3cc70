//! A request and its response before decoding.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};

use crate::api::envelope::text;
use crate::api::error::Step;

/// One attempt at a request.
#[derive(Debug, Clone)]
pub(super) struct Sending {
    pub(super) step: Step,
    pub(super) method: Method,
    /// [`crate::api::path::Path::template`].
    pub(super) template: &'static str,
    /// From 1.
    pub(super) attempt: u32,
    pub(super) timeout: Duration,
    /// Largest body that is read, in bytes.
    pub(super) limit: usize,
}

/// A response before it is decoded.
pub(super) struct Raw {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Returns a header's text without control characters.
pub(super) fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(text)
}
