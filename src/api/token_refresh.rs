//! Reads the token's source again after a rejection.

use std::sync::PoisonError;

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind};
use crate::api::login::InForce;

impl Client {
    /// Returns the token that the next call is sent with.
    #[must_use]
    pub fn in_force(&self) -> InForce {
        self.shared.login.in_force()
    }

    /// Reads the token's source again after `refused` was rejected, and uses the token found there from now on. Returns
    /// whether the current token now differs from `refused`.
    pub async fn refresh_token(&self, refused: &InForce) -> bool {
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

    /// Marks an error after which the token was replaced.
    pub(super) fn renewed(&self, mut error: ApiError) -> ApiError {
        error.facts.renewed = true;
        error
    }

    /// Returns how to get a working token; `None` if the token's source is unknown.
    #[must_use]
    pub fn token_advice(&self) -> Option<String> {
        self.shared
            .settings
            .place
            .as_ref()
            .map(|place| place.advice.clone())
    }

    /// Returns [`Self::token_advice`] for a rejected token; `None` for other errors.
    pub(super) fn advice(&self, kind: &ErrorKind) -> Option<String> {
        self.token_advice()
            .filter(|_| *kind == ErrorKind::TokenRefused)
    }

    /// Removes every token that was sent from a text of the server.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.shared
            .settings
            .token
            .scrub(&self.in_force().secret.scrub(text))
    }
}
