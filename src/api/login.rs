//! The token in force, and the place where a newer one is looked for once it is refused.
//!
//! Other programs keep some tokens fresh: the logins of Cloudflare's own tools, a file, a command. Such a place is read once
//! more after a refusal. Nothing is ever renewed from here.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind};
use crate::model::text::secret::Secret;

/// What reads the place where the token was found.
type Read = Arc<dyn Fn() -> Option<Secret> + Send + Sync>;

/// Where the token was found, as far as a refusal needs to know it.
#[derive(Clone)]
pub struct TokenPlace {
    read: Option<Read>,
    advice: String,
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
    secret: Secret,
    /// How often its place had been looked into by then: calls that were refused together share one look.
    looks: u64,
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
    in_force: Mutex<InForce>,
    /// Held while the place is looked into.
    looking: tokio::sync::Mutex<()>,
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

impl Client {
    /// The token that the next call is sent with.
    #[must_use]
    pub fn in_force(&self) -> InForce {
        self.shared.login.in_force()
    }

    /// After `refused` was refused: reads the token's place once more, and takes a token that is another one into force.
    /// Answers whether another one is in force now.
    pub async fn looked_for_newer(&self, refused: &InForce) -> bool {
        let login = &self.shared.login;
        let _looking = login.looking.lock().await;
        let now = login.in_force();
        if now.looks == refused.looks && now.secret == refused.secret {
            let place = self.shared.settings.place.as_ref();
            let Some(read) = place.and_then(|place| place.read.clone()) else {
                return false;
            };
            let found = tokio::task::spawn_blocking(move || read())
                .await
                .ok()
                .flatten();
            let secret = found.unwrap_or_else(|| now.secret.clone());
            let looked = InForce {
                secret,
                looks: now.looks.saturating_add(1),
            };
            *login
                .in_force
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = looked;
        }
        let renewed = login.in_force().secret != refused.secret;
        tracing::info!(renewed, "token-read-again");
        renewed
    }

    /// Marks an error as one after which another token came into force.
    pub(super) fn renewed(&self, mut error: ApiError) -> ApiError {
        error.facts.renewed = true;
        error
    }

    /// How to come to a token that works, where its place is known.
    #[must_use]
    pub fn token_advice(&self) -> Option<String> {
        self.shared
            .settings
            .place
            .as_ref()
            .map(|place| place.advice.clone())
    }

    /// The same, for an error that it helps against.
    pub(super) fn advice(&self, kind: &ErrorKind) -> Option<String> {
        self.token_advice()
            .filter(|_| *kind == ErrorKind::TokenRefused)
    }

    /// A text from outside without any token that was sent.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.shared
            .settings
            .token
            .scrub(&self.in_force().secret.scrub(text))
    }
}
