//! Workers and their versions.

use std::time::SystemTime;

use crate::model::cloudflare::error::TargetError;
use crate::model::cloudflare::metrics::Metrics;

/// Shortest prefix of a version's id that the profile endpoint accepts.
pub const VERSION_PREFIX_MIN: usize = 8;

/// A Worker as the list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    /// 32 hexadecimal digits; immutable, while the name can change.
    pub id: String,
    /// The script's name.
    pub name: String,
    /// When a version was last deployed; `None` if never, so there is nothing to profile.
    pub deployed_on: Option<SystemTime>,
    /// Its metrics, if the token may read analytics.
    pub metrics: Option<Metrics>,
}

/// One uploaded version of a Worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// UUID.
    pub id: String,
    /// Counts from 1.
    pub number: u64,
    /// When it was uploaded.
    pub created_on: SystemTime,
    /// E-mail address or id of the uploader.
    pub author: Option<String>,
    /// The uploader's message.
    pub message: Option<String>,
    /// The uploader's tag.
    pub tag: Option<String>,
    /// What uploaded it: `wrangler`, `dash`, `terraform`, …
    pub source: Option<String>,
    /// What triggered it: `upload`, `secret`, `rollback`, …
    pub triggered_by: Option<String>,
    /// Share of the live traffic as a percentage, perhaps fractional; 0 if not deployed.
    pub percentage: f64,
    /// Metrics of this version alone, if the token may read analytics.
    pub metrics: Option<Metrics>,
}

impl Version {
    /// Returns the first eight digits of the id, as shown everywhere.
    #[must_use]
    pub fn short_id(&self) -> &str {
        short(&self.id)
    }
}

/// Returns the first eight characters of an id, as shown everywhere.
#[must_use]
pub fn short(id: &str) -> &str {
    id.char_indices()
        .nth(8)
        .map_or(id, |(end, _)| id.get(..end).unwrap_or(id))
}

/// Which version a capture is to sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionChoice {
    /// The one that serves the largest share of the traffic: the default.
    Deployed,
    /// The one uploaded last, deployed or not.
    Latest,
    /// An id, or at least the first eight digits of one.
    Id(String),
}

impl VersionChoice {
    /// Reads `deployed`, `latest`, a UUID or a prefix of one.
    ///
    /// # Errors
    /// [`TargetError::Version`] for anything else.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        match text {
            "deployed" => Ok(Self::Deployed),
            "latest" => Ok(Self::Latest),
            id if id.len() >= VERSION_PREFIX_MIN
                && id.len() <= 36
                && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-') =>
            {
                Ok(Self::Id(id.to_ascii_lowercase()))
            }
            other => Err(TargetError::Version(other.to_owned())),
        }
    }
}
