//! Reads the token's source again after a rejection.

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind};
use crate::api::lock::lock;
use crate::api::login::ActiveLogin;

impl Client {
    /// Returns the token that the next call is sent with.
    #[must_use]
    pub fn active_login(&self) -> ActiveLogin {
        self.shared.login.active()
    }

    /// Reads the token's source again after `refused` was rejected, and uses the token found there from now on. Returns
    /// whether the current token now differs from `refused`.
    pub async fn refresh_token(&self, refused: &ActiveLogin) -> bool {
        let login = &self.shared.login;
        let _reading = login.reading.lock().await;
        let now = login.active();
        if now.reads == refused.reads && now.secret == refused.secret {
            let refresh = self.shared.settings.token_refresh.as_ref();
            let Some(read) = refresh.and_then(|refresh| refresh.read.clone()) else {
                return false;
            };
            let found = tokio::task::spawn_blocking(move || read())
                .await
                .ok()
                .flatten();
            let secret = found.unwrap_or_else(|| now.secret.clone());
            let active = ActiveLogin {
                secret,
                reads: now.reads.saturating_add(1),
            };
            *lock(&login.active) = active;
        }
        let renewed = login.active().secret != refused.secret;
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
            .token_refresh
            .as_ref()
            .map(|refresh| refresh.advice.clone())
    }

    /// Returns [`Self::token_advice`] for a rejected token; `None` for other errors.
    pub(super) fn advice(&self, kind: &ErrorKind) -> Option<String> {
        self.token_advice()
            .filter(|_| *kind == ErrorKind::TokenRefused)
    }

    /// Removes every token that was sent from a server's text.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.shared
            .settings
            .token
            .scrub(&self.active_login().secret.scrub(text))
    }
}
