//! Reads the token's place again once the token is refused.

use std::sync::PoisonError;

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind};
use crate::api::login::InForce;

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
