//! The client: what it is made of, and what it keeps between calls.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::sync::Semaphore;
use url::Url;

use crate::api::error::{ApiError, Step};
use crate::api::lock::lock;
use crate::api::login::{Login, TokenRefresh};
use crate::api::notice::{Notice, OnNotice};
use crate::api::quota::Quota;
use crate::api::rate_limit::RateLimit;
use crate::model::text::secret::Secret;

/// Reads under way to one host at the same time.
const READS_AT_ONCE: usize = 4;
/// How often the system checks a silent connection; a capture is silent for up to 50 s.
const KEEPALIVE: Duration = Duration::from_secs(15);

/// The settings of a client.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Base address, with `/client/v4`. Plain http is for loopback only.
    pub base_url: String,
    /// The bearer token.
    pub token: Secret,
    /// What to do if it is rejected; `None` if unknown.
    pub token_refresh: Option<TokenRefresh>,
    /// The account that calls are about; may be set later with [`Client::with_account`].
    pub account: Option<String>,
    /// The `User-Agent` header.
    pub user_agent: String,
    /// Timeout of a connection.
    pub connect_timeout: Duration,
    /// Timeout of a read, for each attempt.
    pub read_timeout: Duration,
    /// Timeout of a capture beyond its window.
    pub capture_slack: Duration,
    /// The first pause before a read is tried again; it doubles up to [`Self::backoff_max`].
    pub backoff: Duration,
    /// The longest such pause.
    pub backoff_max: Duration,
    /// The longest pause of a rate limit that is waited out; a longer one is an error at once.
    pub patience: Duration,
    /// Takes notices; `None` to drop them.
    pub on_notice: Option<OnNotice>,
}

impl Settings {
    /// Returns the default settings for this address and token.
    #[must_use]
    pub fn new(base_url: impl Into<String>, token: Secret) -> Self {
        Self {
            base_url: base_url.into(),
            token,
            token_refresh: None,
            account: None,
            user_agent: concat!("flarescope/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            capture_slack: Duration::from_secs(45),
            backoff: Duration::from_millis(500),
            backoff_max: Duration::from_secs(8),
            patience: Duration::from_secs(60),
            on_notice: None,
        }
    }
}

/// Cloudflare's API for one token. Cheap to clone; clones share connections, limits and the known quota.
#[derive(Debug, Clone)]
pub struct Client {
    pub(super) shared: Arc<Shared>,
    /// The account calls are about.
    account: Option<Arc<str>>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) login: Login,
    pub(super) base: Url,
    pub(super) host: String,
    pub(super) reads: reqwest::Client,
    /// Created at the first capture and separate: a capture must not start on a pooled connection that may be dead.
    captures: OnceLock<reqwest::Client>,
    pub(super) gate: Semaphore,
    pub(super) rate_limit: RateLimit,
    /// Seconds by which this machine's clock is ahead of the server's.
    clock_ahead: Mutex<Option<i64>>,
    /// Set once analytics rejected the undocumented fields: from then on only documented ones are queried.
    pub(super) plain_figures: AtomicBool,
}

impl Client {
    /// Creates a client without opening a connection.
    ///
    /// # Errors
    /// [`crate::api::ErrorKind::Settings`]: an address that isn't http or https, plain http to another host than this machine, a user
    /// name or password in it, or a system without usable certificates.
    pub fn new(settings: Settings) -> Result<Self, ApiError> {
        let base = check_base(&settings.base_url)?;
        let host = host_of(&base);
        let reads = build(&settings, &base, false)
            .map_err(|error| invalid(format!("no HTTPS here: {error}")))?;
        let account = settings.account.as_deref().map(Arc::from);
        let shared = Shared {
            login: Login::new(settings.token.clone()),
            settings,
            base,
            host,
            reads,
            captures: OnceLock::new(),
            gate: Semaphore::new(READS_AT_ONCE),
            rate_limit: RateLimit::default(),
            clock_ahead: Mutex::new(None),
            plain_figures: AtomicBool::new(false),
        };
        Ok(Self {
            shared: Arc::new(shared),
            account,
        })
    }

    /// Returns the same client for another account.
    #[must_use]
    pub fn with_account(&self, id: &str) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            account: Some(Arc::from(id)),
        }
    }

    /// Returns the account that calls are about.
    #[must_use]
    pub fn account_id(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// Returns the host that calls go to, with its port if it isn't the default one.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.shared.host
    }

    /// Returns the remaining shared quota according to the latest response that stated it.
    #[must_use]
    pub fn quota(&self) -> Option<Quota> {
        self.shared.rate_limit.quota()
    }

    /// Returns by how many seconds this machine's clock was ahead of the server's at the latest response; negative if behind.
    #[must_use]
    pub fn clock_ahead(&self) -> Option<i64> {
        *lock(&self.shared.clock_ahead)
    }

    pub(super) fn set_clock_ahead(&self, seconds: i64) {
        *lock(&self.shared.clock_ahead) = Some(seconds);
    }

    pub(super) fn notify(&self, notice: &Notice) {
        if let Some(on_notice) = &self.shared.settings.on_notice {
            on_notice.take(notice);
        }
    }

    /// Returns the account.
    ///
    /// # Errors
    /// [`crate::api::ErrorKind::Settings`] if none is chosen.
    pub(super) fn account(&self, step: Step) -> Result<&str, ApiError> {
        self.account
            .as_deref()
            .ok_or_else(|| ApiError::settings(step, "no account is chosen"))
    }

    /// Returns the HTTP client for captures.
    pub(super) fn captures(&self) -> Result<&reqwest::Client, ApiError> {
        if let Some(client) = self.shared.captures.get() {
            return Ok(client);
        }
        let client = build(&self.shared.settings, &self.shared.base, true)
            .map_err(|error| invalid(format!("no HTTPS here: {error}")))?;
        Ok(self.shared.captures.get_or_init(|| client))
    }
}

/// Builds one HTTP client. It follows no redirect, to protect the token, and retries nothing by itself: what is
/// tried again, and how often, is decided in `call`.
fn build(
    settings: &Settings,
    base: &Url,
    fresh_connections: bool,
) -> reqwest::Result<reqwest::Client> {
    // Fails only if the process has chosen a provider already, which then serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(&settings.user_agent)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(settings.connect_timeout)
        .tcp_keepalive(KEEPALIVE)
        .tcp_keepalive_interval(KEEPALIVE);
    if fresh_connections {
        builder = builder.pool_max_idle_per_host(0);
    }
    if is_loopback(base) {
        builder = builder.no_proxy();
    }
    builder.build()
}

fn check_base(text: &str) -> Result<Url, ApiError> {
    let url = Url::parse(text.trim())
        .map_err(|error| invalid(format!("`{text}` is no base address: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid(
            "the base address must not hold a user name or password".to_owned(),
        ));
    }
    match url.scheme() {
        "https" if url.host().is_some() => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(invalid(format!(
            "{} would get the token unencrypted: plain http is for this machine only, use https",
            host_of(&url)
        ))),
        other => Err(invalid(format!(
            "a base address begins with https://, not {other}:"
        ))),
    }
}

fn invalid(message: String) -> ApiError {
    ApiError::settings(Step::Verify, message)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

pub(super) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_for_this_machine_only() {
        for good in [
            "https://api.cloudflare.com/client/v4",
            "http://127.0.0.1:8787/client/v4",
            "http://[::1]:1/",
            "http://localhost",
        ] {
            assert!(check_base(good).is_ok(), "{good}");
        }
        for bad in [
            "http://api.cloudflare.com/client/v4",
            "ftp://x/",
            "api.cloudflare.com",
            "https://u:p@example.com/",
            "",
        ] {
            assert!(check_base(bad).is_err(), "{bad}");
        }
    }
}
