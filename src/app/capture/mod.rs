//! Captures as the screen knows them: running, waiting in a batch, failed, or run by another instance.

pub(crate) mod batch;
pub(crate) mod effect;
pub(crate) mod other_instances;
pub(crate) mod running;
pub(crate) mod stage;
pub(crate) mod targets;
pub(crate) mod traffic_wait;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Instant;

use crate::app::capture::batch::Batch;
use crate::app::capture::running::Capturing;
use crate::app::capture::traffic_wait::TrafficWait;
use crate::app::core::ids::RequestId;

/// The captures of this session, and what is known of those of other instances.
#[derive(Debug, Default)]
pub struct Captures {
    /// The capture that runs.
    pub running: Option<Capturing>,
    /// What is captured after it, in this order.
    pub waiting: VecDeque<Batch>,
    /// No capture is sent before: the server asked for a pause.
    pub pause: Option<Instant>,
    /// The capture that is sent once its target has traffic.
    pub traffic_wait: Option<TrafficWait>,
    /// A Worker of this account that another instance captures.
    pub elsewhere: Option<String>,
    /// The request for what other instances do.
    pub(crate) look: Option<RequestId>,
    /// Where the next capture goes if the cache can't take it.
    pub unkept: Option<String>,
    /// Rescued captures that were named in this session.
    pub(crate) rescued: Vec<PathBuf>,
}
