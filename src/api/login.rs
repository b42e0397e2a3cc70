//! The token in force, and the place where a newer one is looked for once it is refused.
//!
//! Other programs keep some tokens fresh: the logins of Cloudflare's own tools, a file, a command. Such a place is read once
//! more after a refusal. Nothing is ever renewed from here.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::text::secret::Secret;

/// What reads the place where the token was found.
type Read = Arc<dyn Fn() -> Option<Secret> + Send + Sync>;

/// Where the token was found, as far as a refusal needs to know it.
#[derive(Clone)]
pub struct TokenPlace {
    pub(super) read: Option<Read>,
    pub(super) advice: String,
}

impl TokenPlace {
    /// A place that can't change while the program runs. `advice` says in whole sentences how to come to a token that works.
    #[must_use]
    pub fn fixed(advice: impl Into<String>) -> Self {
        Self {
            read: None,
            advice: advice.into(),
        }
    }

    /// A place that `read` looks into again: it may wait for a file or a program, and answers `None` where no token is there.
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

/// The token that calls are sent with, at one moment.
#[derive(Debug, Clone)]
pub struct InForce {
    pub(super) secret: Secret,
    /// How often its place had been looked into by then: calls that were refused together share one look.
    pub(super) looks: u64,
}

impl InForce {
    /// The token itself.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }
}

/// What a client keeps of its token.
#[derive(Debug)]
pub(super) struct Login {
    pub(super) in_force: Mutex<InForce>,
    /// Held while the place is looked into.
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
