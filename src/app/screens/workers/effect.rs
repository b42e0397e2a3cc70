//! What the list of Workers requests of the runtime, and the responses.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use crate::app::capture::targets::WorkerDetails;
use crate::app::screens::workers::local_runtime::Nearby;
use crate::model::cloudflare::local_runtime::Runtime;
use crate::model::cloudflare::{Metrics, Worker};

/// A request of the list of Workers.
#[derive(Debug, Clone)]
pub enum WorkersEffect {
    /// List all Workers of the account, page by page.
    List,
    /// Keep the list for the next start.
    Keep(Vec<Worker>, SystemTime),
    /// Get the traffic of every Worker.
    Metrics,
    /// Get versions, namespaces and busy objects of one Worker.
    Details(Box<Worker>),
    /// Respond after a while, unless another wait of the kind begins first.
    Rest(Duration),
    /// Respond when the metrics are due again.
    Later(Duration),
    /// Look for a local runtime where one usually listens.
    LookNearby,
}

/// A response to the list of Workers.
#[derive(Debug)]
pub enum WorkersResponse {
    /// Some of the Workers; pages come as they arrive.
    Page {
        /// The page's rows.
        rows: Vec<Worker>,
        /// How many there are in all, where Cloudflare says.
        total: Option<u64>,
        /// Whether this was the last page.
        last: bool,
    },
    /// The account's Workers as they were listed last, and when that was.
    Known(Vec<Worker>, SystemTime),
    /// All isolates of the local runtime.
    Isolates(Runtime),
    /// Traffic by Worker's name.
    Metrics(HashMap<String, Metrics>),
    /// Versions and objects of one Worker.
    Details(Box<WorkerDetails>),
    /// The selection rested on a row for a while.
    Rested,
    /// The metrics are due again.
    Due,
    /// What is left of the shared rate limit.
    Quota {
        /// Calls left.
        remaining: u64,
        /// Calls a window allows.
        limit: u64,
        /// The time to the window's end, if known.
        resets_in: Option<Duration>,
    },
    /// The local runtime that was found, if any.
    Nearby(Option<Nearby>),
}
