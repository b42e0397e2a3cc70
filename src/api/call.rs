//! One call: sends it, retries where that is safe, reads the response and checks it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER,
};
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use url::Url;

use crate::api::body;
use crate::api::body::{BodyError, JSON_BODY_MAX};
use crate::api::client::{Client, host_of};
use crate::api::envelope::{Envelope, Refusal, ResultInfo, text};
use crate::api::error::{ApiError, ErrorKind, Facts, Step, Trouble};
use crate::api::exchange::{Raw, Sending, header};
use crate::api::path::Path;
use crate::api::quota::Quota;
use crate::api::rate_limit::Cause;
use crate::api::request_log::RequestLog;
use crate::api::time;

/// Attempts of a read in all.
const TRIES: u32 = 3;

/// The decoded response of a read.
#[derive(Debug)]
pub(super) struct Response<T> {
    pub(super) result: T,
    pub(super) info: ResultInfo,
}

impl Client {
    /// Reads the resource at this path below the base.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        step: Step,
        path: Path<'_>,
        query: &[(&str, String)],
    ) -> Result<Response<T>, ApiError> {
        let mut url = self.url(step, path)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let raw = self.read(step, path.template, &url).await?;
        self.success(step, &raw)
    }

    /// Tries a read up to [`TRIES`] times. Only temporary errors are retried.
    async fn read(&self, step: Step, template: &'static str, url: &Url) -> Result<Raw, ApiError> {
        let settings = &self.shared.settings;
        let mut pause = settings.backoff;
        let (mut tried, mut renewed) = (1, false);
        let mut sending = Sending {
            step,
            method: Method::GET,
            template,
            attempt: 0,
            timeout: settings.read_timeout,
            limit: JSON_BODY_MAX,
        };
        loop {
            sending.attempt += 1;
            let sent = self.active_login();
            let request = self
                .shared
                .reads
                .get(url.clone())
                .header(ACCEPT, "application/json");
            let error = match self.once(&sending, request).await {
                Ok(raw) if raw.status.is_success() => return Ok(raw),
                Ok(raw) => self.refused(step, &raw),
                Err(error) => error,
            };
            let (reason, code) = (error.kind(), error.code());
            if *reason == ErrorKind::TokenRefused && !renewed {
                renewed = self.refresh_token(&sent).await;
                if renewed {
                    tracing::info!(path = template, reason = %reason.name(), code, "retry");
                    continue;
                }
            }
            let held = self.shared.rate_limit.pause(step);
            let is_too_long = held.is_some_and(|held| held > settings.patience);
            if tried == TRIES || !is_temporary(&error) || is_too_long {
                let retry_after_ms = error.retry_after().map(|wait| wait.as_millis());
                tracing::warn!(path = template, reason = %reason.name(), code, retry_after_ms, "failed");
                return Err(error);
            }
            let wait = match held {
                Some(held) => error.retry_after().unwrap_or(held),
                None => jittered(pause),
            };
            tracing::info!(path = template, reason = %reason.name(), code, wait_ms = wait.as_millis(), "retry");
            if held.is_none() {
                tokio::time::sleep(wait).await;
            }
            pause = (pause * 2).min(settings.backoff_max);
            tried += 1;
        }
    }

    /// Posts a JSON query, which changes nothing, and reads the response: once, and once more if a newer token is found.
    pub(super) async fn post(
        &self,
        step: Step,
        path: Path<'_>,
        json: &serde_json::Value,
    ) -> Result<Raw, ApiError> {
        let sent = self.active_login();
        let raw = self.post_once(step, path, 1, json).await?;
        let refused =
            !raw.status.is_success() && *self.refused(step, &raw).kind() == ErrorKind::TokenRefused;
        if refused && self.refresh_token(&sent).await {
            self.post_once(step, path, 2, json).await
        } else {
            Ok(raw)
        }
    }

    async fn post_once(
        &self,
        step: Step,
        path: Path<'_>,
        attempt: u32,
        json: &serde_json::Value,
    ) -> Result<Raw, ApiError> {
        let request = self
            .shared
            .reads
            .request(Method::POST, self.url(step, path)?)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/json")
            .body(json.to_string());
        let sending = Sending {
            step,
            method: Method::POST,
            template: path.template,
            attempt,
            timeout: self.shared.settings.read_timeout,
            limit: JSON_BODY_MAX,
        };
        self.once(&sending, request).await
    }

    /// Sends a request once a slot is free, and reads the whole response.
    async fn once(
        &self,
        sending: &Sending,
        request: reqwest::RequestBuilder,
    ) -> Result<Raw, ApiError> {
        let _slot = self.shared.gate.acquire().await;
        self.send(sending, request).await
    }

    /// Sends a request once, as soon as the rate limit allows, and reads the whole response, at most [`Sending::limit`]
    /// bytes. Every request is logged.
    pub(super) async fn send(
        &self,
        sending: &Sending,
        request: reqwest::RequestBuilder,
    ) -> Result<Raw, ApiError> {
        self.ready(sending.step).await?;
        let mut line = RequestLog::begin(sending);
        let outcome = self.exchange(sending, request).await;
        line.end(&outcome);
        outcome
    }

    async fn exchange(
        &self,
        sending: &Sending,
        request: reqwest::RequestBuilder,
    ) -> Result<Raw, ApiError> {
        let Sending {
            step,
            timeout,
            limit,
            ..
        } = *sending;
        let response = request
            .header(AUTHORIZATION, self.bearer(step)?)
            .timeout(timeout)
            .send()
            .await
            .map_err(|error| self.transport(step, error, timeout))?;
        let status = response.status();
        let headers = response.headers().clone();
        if let Some(quota) = header(&headers, "ratelimit")
            .and_then(|state| Quota::parse(&state, header(&headers, "ratelimit-policy").as_deref()))
        {
            self.shared.rate_limit.set_quota(quota);
        }
        if let Some(ahead) =
            header(&headers, "date").and_then(|date| time::ahead_of(&date, SystemTime::now()))
        {
            self.set_clock_ahead(ahead);
        }
        if status.is_redirection() {
            return Err(self.redirected(step, &headers, status));
        }
        match body::read(response, limit).await {
            Ok(body) => Ok(Raw {
                status,
                headers,
                body,
            }),
            Err(BodyError::TooLarge(limit)) => {
                let facts = self.facts(Some(status), &headers);
                let limit = limit as u64;
                Err(ApiError::new(ErrorKind::TooLarge { limit }, step, facts))
            }
            Err(BodyError::Broken(error, received)) => {
                let kind = if error.is_timeout() {
                    ErrorKind::TimedOut { after: timeout }
                } else {
                    ErrorKind::Cut {
                        received: received as u64,
                    }
                };
                let mut facts = self.facts(Some(status), &headers);
                facts.source = Some(error.without_url());
                Err(ApiError::new(kind, step, facts))
            }
        }
    }

    /// Returns the address of this path below the base. Segments are encoded: no name can become another path.
    pub(super) fn url(&self, step: Step, path: Path<'_>) -> Result<Url, ApiError> {
        let mut url = self.shared.base.clone();
        // The URL standard resolves even encoded dots, so such a name has no address.
        let addressable = path
            .segments()
            .all(|segment| !matches!(segment, "" | "." | ".."));
        match url.path_segments_mut() {
            Ok(mut segments) if addressable => {
                segments.pop_if_empty().extend(path.segments());
            }
            _ => {
                let message = "an empty name, `.` or `..` has no address";
                return Err(ApiError::settings(step, message));
            }
        }
        Ok(url)
    }

    fn bearer(&self, step: Step) -> Result<HeaderValue, ApiError> {
        // Up to U+00FF each character is one byte of the header.
        let token = self.active_login();
        let bytes: Vec<u8> = "Bearer "
            .chars()
            .chain(token.secret().reveal().chars())
            .filter_map(|c| u8::try_from(c).ok())
            .collect();
        let mut value = HeaderValue::from_bytes(&bytes)
            .map_err(|_| ApiError::settings(step, "the API token can't be sent"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Decodes a successful response; `success: false` with status 200 is an error.
    fn success<T: DeserializeOwned>(&self, step: Step, raw: &Raw) -> Result<Response<T>, ApiError> {
        let envelope: Envelope<T> = match serde_json::from_slice(&raw.body) {
            Ok(envelope) => envelope,
            Err(error) => {
                // The result of a refusal may have another shape; the refusal says more.
                return Err(self.refused_or_unreadable(step, raw, &error.to_string()));
            }
        };
        match envelope {
            Envelope {
                success: Some(false),
                ..
            } => Err(self.refused(step, raw)),
            Envelope {
                result: Some(result),
                result_info,
                ..
            } => Ok(Response {
                result,
                info: result_info.unwrap_or_default(),
            }),
            Envelope { result: None, .. } => {
                Err(self.refused_or_unreadable(step, raw, "it has no result"))
            }
        }
    }

    /// Returns the error for a response without a result: its own message, otherwise why it can't be decoded.
    fn refused_or_unreadable(&self, step: Step, raw: &Raw, why: &str) -> ApiError {
        match Refusal::parse(&raw.body) {
            Some(refusal) if !refusal.message.is_empty() => self.refused(step, raw),
            _ => self.unreadable(step, raw, why),
        }
    }

    /// Returns the error for an unsuccessful response, and holds back further calls if it asks for that.
    pub(super) fn refused(&self, step: Step, raw: &Raw) -> ApiError {
        let mut facts = self.facts(Some(raw.status), &raw.headers);
        let wait = header(&raw.headers, RETRY_AFTER.as_str())
            .and_then(|text| time::retry_after(&text, SystemTime::now()));
        let refusal = Refusal::parse(&raw.body);
        let challenged = header(&raw.headers, "cf-mitigated").is_some();
        let kind = match &refusal {
            _ if challenged => ErrorKind::Challenge,
            Some(refusal) => refusal.kind(step, raw.status.as_u16(), wait),
            None => Refusal::default().kind(step, raw.status.as_u16(), wait),
        };
        facts.retry_after = wait;
        facts.advice = self.advice(&kind);
        match refusal {
            Some(refusal) => {
                facts.code = refusal.code;
                facts.message = self.scrub(&refusal.message);
            }
            None => facts.message = self.first_line(&raw.body),
        }
        let pause = match kind {
            ErrorKind::RateLimited { retry_after } => retry_after,
            _ => wait,
        };
        if let Some(pause) = pause {
            let cause = Cause {
                status: facts.status,
                code: facts.code,
                ray: facts.ray.clone(),
            };
            self.shared.rate_limit.hold(step, pause, cause);
        }
        ApiError::new(kind, step, facts)
    }

    /// Returns the error for a successful response that isn't as documented.
    pub(super) fn unreadable(&self, step: Step, raw: &Raw, why: &str) -> ApiError {
        let mut facts = self.facts(Some(raw.status), &raw.headers);
        if raw.body.is_empty() {
            return ApiError::new(ErrorKind::Empty, step, facts);
        }
        let html = raw.body.trim_ascii_start().starts_with(b"<");
        facts.message = if html {
            format!("HTML: {}", self.first_line(&raw.body))
        } else {
            text(why)
        };
        ApiError::new(ErrorKind::Unreadable, step, facts)
    }

    fn redirected(&self, step: Step, headers: &HeaderMap, status: StatusCode) -> ApiError {
        let target =
            header(headers, LOCATION.as_str()).and_then(|place| self.shared.base.join(&place).ok());
        let host = target.map_or_else(|| "nowhere".to_owned(), |url| text(&host_of(&url)));
        let facts = self.facts(Some(status), headers);
        ApiError::new(ErrorKind::Redirected { host }, step, facts)
    }

    fn transport(&self, step: Step, error: reqwest::Error, timeout: Duration) -> ApiError {
        let mut facts = self.facts(None, &HeaderMap::new());
        let why = chain(&error);
        let kind = if error.is_timeout() {
            let after = if error.is_connect() {
                self.shared.settings.connect_timeout
            } else {
                timeout
            };
            ErrorKind::TimedOut { after }
        } else {
            ErrorKind::Transport(trouble(&error, &why))
        };
        facts.message = why;
        facts.source = Some(error.without_url());
        ApiError::new(kind, step, facts)
    }

    pub(super) fn facts(&self, status: Option<StatusCode>, headers: &HeaderMap) -> Facts {
        Facts {
            status: status.map(|status| status.as_u16()),
            ray: header(headers, "cf-ray"),
            host: self.shared.host.clone(),
            account: self.account_id().map(str::to_owned),
            ..Facts::default()
        }
    }

    /// Returns the first line of an unexpected body, safe to show.
    pub(super) fn first_line(&self, body: &[u8]) -> String {
        let start = body.get(..4096).unwrap_or(body);
        let line = String::from_utf8_lossy(start);
        let line = line
            .trim_start_matches('\u{feff}')
            .trim_start()
            .lines()
            .next()
            .unwrap_or_default();
        let short: String = line.chars().take(120).collect();
        self.scrub(&text(&short))
    }
}

/// Returns whether a retry of a read may help.
fn is_temporary(error: &ApiError) -> bool {
    match error.kind() {
        ErrorKind::RateLimited { .. } => true,
        ErrorKind::Transport(trouble) => !matches!(trouble, Trouble::Tls),
        ErrorKind::Cut { .. } => true,
        _ => error
            .status()
            .is_some_and(|status| status == 408 || status >= 500),
    }
}

/// Returns between half and all of the pause, so that many programs don't retry in step.
fn jittered(pause: Duration) -> Duration {
    let random = RandomState::new().build_hasher().finish() % 512;
    pause / 2 + pause * u32::try_from(random).unwrap_or(0) / 1024
}

/// Returns an error's innermost cause, which says the most.
fn chain(error: &reqwest::Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    text(&last.to_string())
}

fn trouble(error: &reqwest::Error, why: &str) -> Trouble {
    // The error's own text repeats the address, which may contain any name.
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    let mut proxied = false;
    while let Some(error) = cause {
        let words = error.to_string();
        proxied |= words.contains("proxy") || words.contains("tunnel");
        let io = error.downcast_ref::<std::io::Error>();
        match io.map(std::io::Error::kind) {
            Some(std::io::ErrorKind::ConnectionRefused) if proxied => return Trouble::Proxy,
            Some(std::io::ErrorKind::ConnectionRefused) => return Trouble::Refused,
            _ if error.is::<rustls::Error>() => return Trouble::Tls,
            _ => {}
        }
        // An I/O error that wraps another one names the other's cause, not the other itself.
        let wrapped = io
            .and_then(std::io::Error::get_ref)
            .map(|inner| inner as &dyn std::error::Error);
        cause = wrapped.or_else(|| error.source());
    }
    match () {
        () if error.is_dns() => Trouble::Name,
        () if why.contains("certificate") => Trouble::Tls,
        () if proxied => Trouble::Proxy,
        () if error.is_connect() => Trouble::Connect,
        () => Trouble::Reset,
    }
}
