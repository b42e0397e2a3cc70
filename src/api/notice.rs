//! What a call reports besides its result.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::api::error::ApiError;

/// Something that the user should know of although the call goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice {
    /// Calls wait for the rate limit.
    Waiting {
        /// The host that limits them.
        host: String,
        /// For how long.
        pause: Duration,
    },
    /// A list is not complete.
    Truncated(ApiError),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting { host, pause } => {
                write!(
                    f,
                    "{host}: rate limited; waiting {:.0} s",
                    pause.as_secs_f64().ceil()
                )
            }
            Self::Truncated(error) => error.fmt(f),
        }
    }
}

/// Takes notices as they occur.
#[derive(Clone)]
pub struct OnNotice(Arc<dyn Fn(&Notice) + Send + Sync>);

impl OnNotice {
    /// Calls `take` with each notice. It must not block.
    #[must_use]
    pub fn new(take: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    pub(super) fn take(&self, notice: &Notice) {
        (self.0)(notice);
    }
}

impl fmt::Debug for OnNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnNotice")
    }
}
