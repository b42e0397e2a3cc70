//! Why a call failed, told apart by what the caller does next.

use std::fmt;
use std::time::Duration;

/// Which call it was; decides the wording and what to grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Asking what the token is.
    Verify,
    /// The accounts the token can see.
    Accounts,
    /// The account's Workers, or one of them.
    Workers,
    /// A Worker's versions.
    Versions,
    /// What serves a Worker's traffic.
    Deployments,
    /// Durable Object namespaces.
    Namespaces,
    /// Objects of a namespace.
    Objects,
    /// Traffic figures.
    Analytics,
    /// A capture.
    Capture,
}

impl Step {
    /// The step as the end of "could not …".
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
            Self::Analytics => "read the traffic figures",
            Self::Capture => "capture a profile",
        }
    }

    /// The permission a token needs for it.
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

/// What went wrong between the program and the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// The host's name has no address.
    Name,
    /// Nobody listens there.
    Refused,
    /// The server's certificate or the encryption.
    Tls,
    /// A proxy from the environment.
    Proxy,
    /// No connection for another reason.
    Connect,
    /// The connection broke before the answer began.
    Reset,
}

/// The kinds of failure. Each asks for another next step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The token is unknown, expired or revoked: another one is needed.
    TokenRefused,
    /// What was sent is not a token at all.
    TokenMalformed,
    /// The token is good but may not do this: a permission or another account is needed.
    Forbidden,
    /// Only a user's token may ask this; the work can go on without.
    UserOnly,
    /// It isn't there.
    NotFound(Missing),
    /// No traffic on that target lately, so there is nothing to sample.
    NoTraffic,
    /// It had traffic, but its isolate is gone meanwhile.
    NoIsolate,
    /// Profiling isn't offered for this account or place.
    ProfilingUnavailable,
    /// This kind of Worker can't be profiled.
    ProfilingUnsupported,
    /// The runtime could not start; the server itself says to try again.
    NotStarted,
    /// Too many calls.
    RateLimited {
        /// How long to wait, where the server said it.
        retry_after: Option<Duration>,
    },
    /// The server refused a value that was sent.
    BadRequest,
    /// The server said no in words that are not documented.
    Refused,
    /// A fault of the server.
    Server,
    /// A page that wants a browser stood in the way.
    Challenge,
    /// The server sent the call elsewhere; it was not followed, so that the token stays home.
    Redirected {
        /// The host it named.
        host: String,
    },
    /// The answer to a capture isn't a profile.
    NotAProfile {
        /// What the answer called itself.
        content_type: String,
        /// Its first line, cut.
        first_line: String,
    },
    /// The answer had no bytes.
    Empty,
    /// The answer ended early.
    Cut {
        /// How many bytes had come.
        received: u64,
    },
    /// The answer is larger than is read.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// A list is longer than is walked, or an answer isn't what the API documents.
    Unreadable,
    /// The analytics don't know a field or refuse the question.
    Query,
    /// No answer in time.
    TimedOut {
        /// How long it was waited for.
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

/// What is known of a failure beside its kind. The texts are free of control characters and of the token.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) status: Option<u16>,
    pub(super) code: Option<i64>,
    pub(super) message: String,
    pub(super) ray: Option<String>,
    pub(super) host: String,
    pub(super) account: Option<String>,
    /// How to come to a token that works, where the token was refused and its place is known.
    pub(super) advice: Option<String>,
    /// The token was refused, and another one is in force since.
    pub(super) renewed: bool,
    pub(super) source: Option<reqwest::Error>,
}

impl ApiError {
    /// What kind of failure it is.
    #[must_use]
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Which call failed.
    #[must_use]
    pub const fn step(&self) -> Step {
        self.step
    }

    /// The API's own error code.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        self.facts.code
    }

    /// The answer's HTTP status; `None` where there was no answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.facts.status
    }

    /// The answer's `cf-ray`: what Cloudflare's support asks for.
    #[must_use]
    pub fn ray(&self) -> Option<&str> {
        self.facts.ray.as_deref()
    }

    /// How long the server asked to wait.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            ErrorKind::RateLimited { retry_after } => retry_after,
            _ => None,
        }
    }

    /// Whether the token was refused and another one was found in its place meanwhile: what failed may work now.
    #[must_use]
    pub fn is_renewed(&self) -> bool {
        self.facts.renewed
    }

    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        crate::api::hint::hint(self)
    }

    /// The server's own words with the code and status, for the end of a sentence.
    fn answered(&self) -> String {
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

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doing = self.step.phrase();
        let host = &self.facts.host;
        let answered = self.answered();
        match &self.kind {
            ErrorKind::TokenRefused => write!(f, "{host} refused the API token ({answered})"),
            ErrorKind::TokenMalformed => {
                write!(f, "what was sent is not an API token ({answered})")
            }
            ErrorKind::Forbidden => write!(
                f,
                "the API token may not {doing} on {} ({answered})",
                self.account()
            ),
            ErrorKind::UserOnly => {
                write!(
                    f,
                    "only a user's token may {doing}; this one belongs to an account ({answered})"
                )
            }
            ErrorKind::NotFound(Missing::Account) => {
                write!(f, "{host} does not know {} ({answered})", self.account())
            }
            ErrorKind::NotFound(Missing::Worker) => {
                write!(
                    f,
                    "there is no such Worker on {} ({answered})",
                    self.account()
                )
            }
            ErrorKind::NotFound(Missing::Version) => {
                write!(f, "this Worker has no such version ({answered})")
            }
            ErrorKind::NotFound(Missing::Namespace) => {
                write!(
                    f,
                    "there is no such Durable Object namespace on {} ({answered})",
                    self.account()
                )
            }
            ErrorKind::NotFound(Missing::Other) => {
                write!(f, "could not {doing}: nothing is there ({answered})")
            }
            ErrorKind::NoTraffic => {
                write!(
                    f,
                    "no traffic on this version or object lately, so there is nothing to sample"
                )
            }
            ErrorKind::NoIsolate => write!(
                f,
                "this Worker had traffic, but no isolate of it is loaded any more"
            ),
            ErrorKind::ProfilingUnavailable => {
                write!(f, "profiling is not available for this account or target")
            }
            ErrorKind::ProfilingUnsupported => write!(f, "this kind of Worker can't be profiled"),
            ErrorKind::NotStarted => write!(f, "the Worker's runtime could not start the profiler"),
            ErrorKind::RateLimited {
                retry_after: Some(wait),
            } => {
                write!(
                    f,
                    "{host} wants no more calls for {} s (HTTP 429)",
                    wait.as_secs()
                )
            }
            ErrorKind::RateLimited { retry_after: None } => {
                write!(f, "{host} wants no more calls for now ({answered})")
            }
            ErrorKind::BadRequest => {
                write!(f, "could not {doing}: the API refused a value ({answered})")
            }
            ErrorKind::Refused => write!(f, "could not {doing}: {host} refused ({answered})"),
            ErrorKind::Server => write!(
                f,
                "could not {doing}: {host} has a fault of its own ({answered})"
            ),
            ErrorKind::Challenge => {
                write!(
                    f,
                    "could not {doing}: a web page that wants a browser stands before {host} ({answered})"
                )
            }
            ErrorKind::Redirected { host: other } => {
                write!(
                    f,
                    "{host} sent the call on to {other}; it was not followed, so that the token stays home"
                )
            }
            ErrorKind::NotAProfile {
                content_type,
                first_line,
            } => {
                write!(
                    f,
                    "the answer is not a profile but {content_type}: {first_line}"
                )
            }
            ErrorKind::Empty => write!(f, "could not {doing}: the answer was empty"),
            ErrorKind::Cut { received } => {
                write!(
                    f,
                    "could not {doing}: the answer was cut off after {received} bytes"
                )
            }
            ErrorKind::TooLarge { limit } => {
                write!(
                    f,
                    "could not {doing}: the answer is larger than the limit of {} MiB",
                    limit >> 20
                )
            }
            ErrorKind::Unreadable => {
                write!(
                    f,
                    "could not {doing}: the answer is not what the API documents ({answered})"
                )
            }
            ErrorKind::Query => write!(
                f,
                "could not {doing}: the analytics refused the question ({answered})"
            ),
            ErrorKind::TimedOut { after } => {
                write!(
                    f,
                    "could not {doing}: no answer from {host} within {} s",
                    after.as_secs()
                )
            }
            ErrorKind::Transport(trouble) => match trouble {
                Trouble::Name => write!(f, "could not {doing}: the name {host} has no address"),
                Trouble::Refused => write!(
                    f,
                    "could not {doing}: nothing answers at {host} (connection refused)"
                ),
                Trouble::Tls => write!(
                    f,
                    "could not {doing}: no safe connection to {host} ({answered})"
                ),
                Trouble::Proxy => write!(
                    f,
                    "could not {doing}: the proxy on the way to {host} failed ({answered})"
                ),
                Trouble::Connect => {
                    write!(f, "could not {doing}: no connection to {host} ({answered})")
                }
                Trouble::Reset => write!(
                    f,
                    "could not {doing}: {host} closed the connection without an answer"
                ),
            },
            ErrorKind::Settings => write!(f, "{}", self.facts.message),
        }
    }
}

impl std::error::Error for ApiError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.facts.source.as_ref().map(|source| source as _)
    }
}
