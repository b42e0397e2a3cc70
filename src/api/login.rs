//! The current token, and its source, where a newer one is looked for after a rejection.
//!
//! Other programs keep some tokens fresh: the logins of Cloudflare's own tools, a file, a command. Such a source is read once
//! more after a rejection. flarescope itself never renews a token.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::text::secret::Secret;

/// Reads the token's source again.
type Read = Arc<dyn Fn() -> Option<Secret> + Send + Sync>;

/// Where the token was found, and what to do if it is rejected.
#[derive(Clone)]
pub struct TokenPlace {
    pub(super) read: Option<Read>,
    pub(super) advice: String,
}

impl TokenPlace {
    /// A source that can't change while the program runs. `advice` says in whole sentences how to get a working token.
    #[must_use]
    pub fn fixed(advice: impl Into<String>) -> Self {
        Self {
            read: None,
            advice: advice.into(),
        }
    }

    /// A source that `read` reads again: it may block on a file or a program, and returns `None` if there is no token.
    #[must_use]
    pub fn read_again(
        advice: impl Into<String>,
        read: impl Fn() -> Option<Secret> + Send + Sync + 'static,
    ) -> Self {
        Self {
            read: Some(Arc::new(read)),
            advice: advice.into(),
        }
    }
}

impl fmt::Debug for TokenPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenPlace")
            .field("read", &self.read.is_some())
            .finish_non_exhaustive()
    }
}

/// The token used for calls at one moment.
#[derive(Debug, Clone)]
pub struct InForce {
    pub(super) secret: Secret,
    /// How often the source had been read by then: calls that were rejected together share one read.
    pub(super) looks: u64,
}

impl InForce {
    /// Returns the token itself.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }
}

/// The token state of a client.
#[derive(Debug)]
pub(super) struct Login {
    pub(super) in_force: Mutex<InForce>,
    /// Held while the source is read.
    pub(super) looking: tokio::sync::Mutex<()>,
}

impl Login {
    pub(super) fn new(secret: Secret) -> Self {
        Self {
            in_force: Mutex::new(InForce { secret, looks: 0 }),
            looking: tokio::sync::Mutex::default(),
        }
    }

    pub(super) fn in_force(&self) -> InForce {
        self.in_force
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
