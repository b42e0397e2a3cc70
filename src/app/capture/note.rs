//! What is known of a capture's target when it is requested.

use std::time::SystemTime;

use crate::model::cloudflare::{Metrics, ObjectRef};

/// What a capture's place in the history needs besides the request.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptureNote {
    /// The version's number, if known.
    pub version_number: Option<u64>,
    /// Its percentage of the traffic.
    pub percentage: Option<f64>,
    /// Traffic of what is captured, as it is on the screen.
    pub metrics: Option<Metrics>,
    /// An object whose id or version is unknown: the namespace's id, and the object's name or id to look up in analytics.
    pub find_object: Option<(String, String)>,
}

/// Traffic that is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficLook {
    /// The Worker's name.
    pub worker: String,
    /// The version's id.
    pub version: String,
    /// One Durable Object, or anything of that version.
    pub object: Option<ObjectRef>,
    /// Earlier traffic does not count.
    pub since: SystemTime,
}
