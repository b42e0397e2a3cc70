//! Errors of API calls, distinguished by what the caller does next.

use std::fmt;
use std::time::Duration;

use crate::model::text::units::{counted, thousands};

/// The pause after a rate limit that names none.
pub(super) const UNSTATED_PAUSE: Duration = Duration::from_secs(60);

/// Which call it was; decides the wording and what to grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The token's state.
    Verify,
    /// The accounts the token can see.
    Accounts,
    /// The account's Workers, or one of them.
    Workers,
    /// A Worker's versions.
    Versions,
    /// A Worker's deployments.
    Deployments,
    /// Durable Object namespaces.
    Namespaces,
    /// Objects of a namespace.
    Objects,
    /// Metrics.
    Analytics,
    /// A capture.
    Capture,
}

impl Step {
    /// Returns the step as the end of "could not …".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Verify => "check the token",
            Self::Accounts => "list the accounts",
            Self::Workers => "list the Workers",
            Self::Versions => "list the Worker's versions",
            Self::Deployments => "see which version serves the traffic",
            Self::Namespaces => "list the Durable Object namespaces",
            Self::Objects => "list the Durable Objects",
            Self::Analytics => "read the metrics",
            Self::Capture => "capture a profile",
        }
    }

    /// Returns the permission that a token needs for it.
    #[must_use]
    pub const fn permission(self) -> &'static str {
        match self {
            Self::Verify | Self::Accounts => "Account Settings Read",
            Self::Analytics => "Account Analytics Read",
            _ => "Workers Scripts Read",
        }
    }
}

/// What was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// No route: almost always a wrong account id.
    Account,
    /// No Worker of that name or id.
    Worker,
    /// No version of that id.
    Version,
    /// No Durable Object namespace of that id.
    Namespace,
    /// Something else.
    Other,
}

/// Why a connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// The host name does not resolve.
    Name,
    /// The host refused the connection.
    Refused,
    /// The server's certificate or the encryption.
    Tls,
    /// A proxy from the environment.
    Proxy,
    /// No connection for another reason.
    Connect,
    /// The connection closed before the response began.
    Reset,
}

/// The kinds of failure, each with its own next step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The token is unknown, expired or revoked: another one is needed.
    TokenRefused,
    /// What was sent is not a token at all.
    TokenMalformed,
    /// The token is good but may not do this: a permission or another account is needed.
    Forbidden,
    /// Only a user's token may do this; the work can go on without it.
    UserOnly,
    /// The resource does not exist.
    NotFound(Missing),
    /// The target had no recent traffic, so there is nothing to sample.
    NoTraffic,
    /// It had traffic, but its isolate is no longer loaded.
    NoIsolate,
    /// Profiling isn't offered for this account or place.
    ProfilingUnavailable,
    /// This kind of Worker can't be profiled.
    ProfilingUnsupported,
    /// The runtime could not start; the server itself says to try again.
    NotStarted,
    /// Rate limited.
    RateLimited {
        /// How long to wait, if the server said so.
        retry_after: Option<Duration>,
    },
    /// The server rejected a value.
    BadRequest,
    /// The server refused with an undocumented message.
    Refused,
    /// An internal error of the server.
    Server,
    /// A browser challenge page instead of the API's response.
    Challenge,
    /// The server redirected the call; redirects are not followed, to protect the token.
    Redirected {
        /// The host it named.
        host: String,
    },
    /// The response to a capture isn't a profile.
    NotAProfile {
        /// The response's content type.
        content_type: String,
        /// Its first line, cut.
        first_line: String,
    },
    /// The response was empty.
    Empty,
    /// The response ended early.
    Cut {
        /// The bytes received.
        received: u64,
    },
    /// The response is larger than the limit.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The response isn't what the API documents.
    Unreadable,
    /// A list ended before all its entries were received.
    Truncated {
        /// The entries received.
        received: u64,
        /// The calls made.
        calls: u64,
        /// The entries that the server has, if it says so.
        total: Option<u64>,
    },
    /// Analytics rejected the query, such as an unknown field.
    Query,
    /// No response in time.
    TimedOut {
        /// The timeout.
        after: Duration,
    },
    /// No connection.
    Transport(Trouble),
    /// The base address, account or client can't be used as it is set.
    Settings,
}

impl ErrorKind {
    /// Returns the kind's own name, such as `RateLimited` or `Transport(Tls)`: nothing that the server said.
    #[must_use]
    pub fn name(&self) -> String {
        let text = format!("{self:?}");
        text.split([' ', '{']).next().unwrap_or_default().to_owned()
    }
}

/// A failed call.
#[derive(Debug)]
pub struct ApiError {
    pub(super) kind: ErrorKind,
    pub(super) step: Step,
    pub(super) facts: Box<Facts>,
}

/// The details of a failure. The texts contain neither control characters nor the token.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) status: Option<u16>,
    pub(super) code: Option<i64>,
    pub(super) message: String,
    pub(super) ray: Option<String>,
    pub(super) host: String,
    pub(super) account: Option<String>,
    /// The response's `Retry-After`.
    pub(super) retry_after: Option<Duration>,
    /// How to get a working token, if it was rejected and its source is known.
    pub(super) advice: Option<String>,
    /// Whether the rejected token was replaced since.
    pub(super) renewed: bool,
    pub(super) source: Option<reqwest::Error>,
}

impl ApiError {
    /// Returns the kind of failure.
    #[must_use]
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Returns which call failed.
    #[must_use]
    pub const fn step(&self) -> Step {
        self.step
    }

    /// Returns the API's error code.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        self.facts.code
    }

    /// Returns the response's HTTP status; `None` if there was no response.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.facts.status
    }

    /// Returns the response's `cf-ray`, which Cloudflare's support asks for.
    #[must_use]
    pub fn ray(&self) -> Option<&str> {
        self.facts.ray.as_deref()
    }

    /// Returns how long to wait before the next call of this kind: what the server asked for, or a minute after a rate limit
    /// that names no time.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            ErrorKind::RateLimited { retry_after } => Some(retry_after.unwrap_or(UNSTATED_PAUSE)),
            _ => self.facts.retry_after,
        }
    }

    pub(super) fn new(kind: ErrorKind, step: Step, facts: Facts) -> Self {
        Self {
            kind,
            step,
            facts: Box::new(facts),
        }
    }

    /// Returns the error for a setting that a call needs and doesn't have.
    pub(super) fn settings(step: Step, message: impl Into<String>) -> Self {
        let facts = Facts {
            message: message.into(),
            ..Facts::default()
        };
        Self::new(ErrorKind::Settings, step, facts)
    }

    /// Returns whether the token was replaced after a rejection, so that a retry may succeed.
    #[must_use]
    pub fn is_renewed(&self) -> bool {
        self.facts.renewed
    }

    /// Returns the HTTP status, the API's code and the server's message, for the end of a sentence.
    fn details(&self) -> String {
        let facts = &self.facts;
        let numbers = match (facts.status, facts.code) {
            (Some(status), Some(code)) => format!("HTTP {status}, code {code}"),
            (Some(status), None) => format!("HTTP {status}"),
            (None, Some(code)) => format!("code {code}"),
            (None, None) => String::new(),
        };
        match (facts.message.is_empty(), numbers.is_empty()) {
            (true, _) => numbers,
            (false, true) => facts.message.clone(),
            (false, false) => format!("{numbers}: {}", facts.message),
        }
    }

    fn account(&self) -> String {
        self.facts.account.as_ref().map_or_else(
            || "this account".to_owned(),
            |account| format!("account {account}"),
        )
    }
}

impl ApiError {
    /// Returns the sentence for a failure of the token, its rights or the address; `None` for other kinds.
    fn access_sentence(&self) -> Option<String> {
        let doing = self.step.phrase();
        let host = &self.facts.host;
        let details = self.details();
        let account = self.account();
        Some(match &self.kind {
            ErrorKind::TokenRefused => format!("{host} rejected the API token ({details})"),
            ErrorKind::TokenMalformed => format!("this is not an API token ({details})"),
            ErrorKind::Forbidden => {
                format!("the API token may not {doing} on {account} ({details})")
            }
            ErrorKind::UserOnly => {
                format!("only a user's token may {doing}; this is an account's token ({details})")
            }
            ErrorKind::NotFound(Missing::Account) => {
                format!("{host} does not know {account} ({details})")
            }
            ErrorKind::NotFound(Missing::Worker) => {
                format!("no such Worker on {account} ({details})")
            }
            ErrorKind::NotFound(Missing::Version) => {
                format!("this Worker has no such version ({details})")
            }
            ErrorKind::NotFound(Missing::Namespace) => {
                format!("no such Durable Object namespace on {account} ({details})")
            }
            ErrorKind::NotFound(Missing::Other) => {
                format!("could not {doing}: not found ({details})")
            }
            _ => return None,
        })
    }

    /// Returns the sentence for a capture that the API did not make; `None` for other kinds.
    fn capture_sentence(&self) -> Option<String> {
        Some(match &self.kind {
            ErrorKind::NoTraffic => {
                "this version or object had no recent traffic, so there is nothing to sample"
                    .to_owned()
            }
            ErrorKind::NoIsolate => {
                "this Worker had traffic, but none of its isolates is loaded now".to_owned()
            }
            ErrorKind::ProfilingUnavailable => {
                "profiling is not available for this account or target".to_owned()
            }
            ErrorKind::ProfilingUnsupported => "this kind of Worker can't be profiled".to_owned(),
            ErrorKind::NotStarted => "the Worker's runtime could not start the profiler".to_owned(),
            ErrorKind::NotAProfile {
                content_type,
                first_line,
            } => format!("the response is not a profile but {content_type}: {first_line}"),
            _ => return None,
        })
    }

    /// Returns the sentence for a failed connection.
    fn transport_sentence(&self, trouble: Trouble) -> String {
        let doing = self.step.phrase();
        let host = &self.facts.host;
        let details = self.details();
        match trouble {
            Trouble::Name => format!("could not {doing}: {host} does not resolve"),
            Trouble::Refused => format!("could not {doing}: {host} refused the connection"),
            Trouble::Tls => {
                format!("could not {doing}: no secure connection to {host} ({details})")
            }
            Trouble::Proxy => {
                format!("could not {doing}: the proxy for {host} failed ({details})")
            }
            Trouble::Connect => format!("could not {doing}: no connection to {host} ({details})"),
            Trouble::Reset => {
                format!("could not {doing}: {host} closed the connection without a response")
            }
        }
    }

    /// Returns the sentence for a response that can't be used, and for the kinds that no other sentence covers.
    fn response_sentence(&self) -> String {
        let doing = self.step.phrase();
        let host = &self.facts.host;
        let details = self.details();
        match &self.kind {
            ErrorKind::RateLimited {
                retry_after: Some(wait),
            } => {
                let seconds = wait.as_secs_f64().ceil();
                let status = self
                    .facts
                    .status
                    .map_or_else(String::new, |status| format!(" (HTTP {status})"));
                format!("{host}: rate limited for {seconds:.0} s{status}")
            }
            ErrorKind::RateLimited { retry_after: None } => {
                format!("{host}: rate limited ({details})")
            }
            ErrorKind::Truncated {
                received,
                calls,
                total,
            } => {
                let received = thousands(i128::from(*received));
                let total = total.map_or_else(String::new, |total| {
                    format!(" of {}", thousands(i128::from(total)))
                });
                let calls = counted(i128::from(*calls), "call");
                format!("could not {doing} completely: {received}{total} after {calls}")
            }
            ErrorKind::BadRequest => {
                format!("could not {doing}: the API rejected a value ({details})")
            }
            ErrorKind::Refused => format!("could not {doing}: {host} refused ({details})"),
            ErrorKind::Server => {
                format!("could not {doing}: {host} returned an internal error ({details})")
            }
            ErrorKind::Challenge => format!(
                "could not {doing}: {host} sent a browser challenge page instead of the API ({details})"
            ),
            ErrorKind::Redirected { host: other } => {
                format!("{host} redirected to {other}; redirect not followed, to protect the token")
            }
            ErrorKind::Empty => format!("could not {doing}: the response was empty"),
            ErrorKind::Cut { received } => {
                format!("could not {doing}: the response was cut off after {received} bytes")
            }
            ErrorKind::TooLarge { limit } => format!(
                "could not {doing}: the response is larger than the limit of {} MiB",
                limit >> 20
            ),
            ErrorKind::Unreadable => {
                format!("could not {doing}: the response is not what the API documents ({details})")
            }
            ErrorKind::Query => {
                format!("could not {doing}: analytics rejected the query ({details})")
            }
            ErrorKind::TimedOut { after } => format!(
                "could not {doing}: no response from {host} within {} s",
                after.as_secs()
            ),
            ErrorKind::Transport(trouble) => self.transport_sentence(*trouble),
            _ => self.facts.message.clone(),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = self
            .access_sentence()
            .or_else(|| self.capture_sentence())
            .unwrap_or_else(|| self.response_sentence());
        f.write_str(&sentence)
    }
}

impl std::error::Error for ApiError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.facts.source.as_ref().map(|source| source as _)
    }
}
