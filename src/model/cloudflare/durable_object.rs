//! Durable Objects and their namespaces.

use serde::{Deserialize, Serialize};

use crate::model::cloudflare::account::id32;
use crate::model::cloudflare::error::TargetError;

/// A Durable Object class of a Worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// 32 hexadecimal digits.
    pub id: String,
    /// `{script}_{class}`.
    pub name: String,
    /// The owning Worker's name; a capture must go there. `None`: orphaned, no capture possible.
    pub script: Option<String>,
    /// The class's name.
    pub class: Option<String>,
}

/// One Durable Object.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// 64 hexadecimal digits.
    pub id: String,
    /// Its name, if analytics have one.
    pub name: Option<String>,
    /// Whether it keeps data; `None` if the response doesn't say.
    pub has_stored_data: Option<bool>,
    /// CPU seconds over the analytics window, if analytics may be read.
    pub cpu_seconds: Option<f64>,
    /// 99th percentile of its isolate's memory in bytes, if analytics may be read.
    pub memory_p99: Option<f64>,
    /// The version it is pinned to, if analytics have it.
    pub version_id: Option<String>,
}

/// One Durable Object of one namespace: both ids or neither are sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectRef {
    /// 32 hexadecimal digits.
    pub namespace_id: String,
    /// 64 hexadecimal digits.
    pub object_id: String,
    /// Its name, if known; for display only.
    #[serde(default, rename = "object_name")]
    pub name: Option<String>,
}

impl ObjectRef {
    /// Checks both ids.
    ///
    /// # Errors
    /// [`TargetError::Id32`] or [`TargetError::ObjectId`], saying what is wrong with which.
    pub fn new(
        namespace_id: &str,
        object_id: &str,
        name: Option<String>,
    ) -> Result<Self, TargetError> {
        Ok(Self {
            namespace_id: id32(namespace_id)?,
            object_id: object_id64(object_id)?,
            name,
        })
    }
}

/// Checks a Durable Object's id: 64 hexadecimal digits, returned in lower case.
///
/// # Errors
/// [`TargetError::ObjectId`], with the number of characters.
pub fn object_id64(text: &str) -> Result<String, TargetError> {
    let text = text.trim();
    let hex = text.chars().all(|c| c.is_ascii_hexdigit());
    match text.chars().count() {
        64 if hex => Ok(text.to_ascii_lowercase()),
        digits => Err(TargetError::ObjectId { digits, hex }),
    }
}
