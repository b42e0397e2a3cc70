//! Waits until a call may be sent.

use std::time::Duration;

use reqwest::header::HeaderMap;

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind, Facts, Step};
use crate::api::notice::Notice;
use crate::api::rate_limit::Cause;

impl Client {
    /// Waits until a call of this kind may be sent.
    ///
    /// # Errors
    /// [`ErrorKind::RateLimited`] without a call if that takes longer than [`crate::api::Settings::patience`].
    pub async fn ready(&self, step: Step) -> Result<(), ApiError> {
        let limit = &self.shared.rate_limit;
        while let Some(pause) = limit.pause(step) {
            if pause > self.shared.settings.patience {
                let Cause { status, code, ray } = limit.cause(step);
                let facts = Facts {
                    status,
                    code,
                    ray,
                    ..self.facts(None, &HeaderMap::new())
                };
                let retry_after = Some(pause);
                return Err(ApiError::new(
                    ErrorKind::RateLimited { retry_after },
                    step,
                    facts,
                ));
            }
            if limit.announce(pause) {
                tracing::info!(wait_ms = pause.as_millis(), "rate-limit");
                let host = self.host().to_owned();
                self.notify(&Notice::Waiting { host, pause });
            }
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }

    /// Holds back calls of this kind, as another process with the same token was asked to.
    pub fn hold(&self, step: Step, pause: Duration) {
        self.shared.rate_limit.hold(step, pause, Cause::default());
    }
}
