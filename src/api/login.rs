//! The current token, and how to find a newer one after a rejection.
//!
//! Other programs renew some tokens: the logins of Cloudflare's own tools, a file, a command. Such a source is read again after
//! a rejection. flarescope itself never renews a token.

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::api::lock::lock;
use crate::model::text::secret::Secret;

/// Reads the token's source again.
type Read = Arc<dyn Fn() -> Option<Secret> + Send + Sync>;

/// What to do if the token is rejected.
#[derive(Clone)]
pub struct TokenRefresh {
    pub(super) read: Option<Read>,
    pub(super) advice: String,
}

impl TokenRefresh {
    /// Creates a source that can't change while the program runs. `advice` says in whole sentences how to get a working token.
    #[must_use]
    pub fn never(advice: impl Into<String>) -> Self {
        Self {
            read: None,
            advice: advice.into(),
        }
    }

    /// Creates a source that `read` reads again: it may block on a file or a program, and returns `None` if there is no token.
    #[must_use]
    pub fn from_source(
        advice: impl Into<String>,
        read: impl Fn() -> Option<Secret> + Send + Sync + 'static,
    ) -> Self {
        Self {
            read: Some(Arc::new(read)),
            advice: advice.into(),
        }
    }
}

impl fmt::Debug for TokenRefresh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenRefresh")
            .field("read", &self.read.is_some())
            .finish_non_exhaustive()
    }
}

/// The token that calls are sent with at one moment.
#[derive(Debug, Clone)]
pub struct ActiveLogin {
    pub(super) secret: Secret,
    /// How often the source had been read by then: calls that were rejected together share one read.
    pub(super) reads: u64,
}

impl ActiveLogin {
    /// Returns the token itself.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }
}

/// The token state of a client.
#[derive(Debug)]
pub(super) struct Login {
    pub(super) active: Mutex<ActiveLogin>,
    /// Held while the source is read.
    pub(super) reading: tokio::sync::Mutex<()>,
}

impl Login {
    pub(super) fn new(secret: Secret) -> Self {
        Self {
            active: Mutex::new(ActiveLogin { secret, reads: 0 }),
            reading: tokio::sync::Mutex::default(),
        }
    }

    pub(super) fn active(&self) -> ActiveLogin {
        lock(&self.active).clone()
    }
}
