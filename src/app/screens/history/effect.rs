//! What the history requests of the runtime, and the responses.

use crate::model::cloudflare::{Amendment, Capture};

/// A request of the history.
#[derive(Debug, Clone)]
pub enum HistoryEffect {
    /// List the captures on disk.
    List,
    /// Change the name, note or pin of a capture.
    Amend(Box<Capture>, Amendment),
    /// Move a capture to the trash.
    Delete(Box<Capture>),
    /// Restore the capture that was deleted last.
    Restore,
}

/// A response to the history.
#[derive(Debug)]
pub enum HistoryResponse {
    /// The captures on disk, newest first, and what was wrong with the folder.
    List(Vec<Capture>, Vec<String>),
    /// A capture as it is after the change.
    Amended(Box<Capture>, Amendment),
    /// A capture is in the trash, for so many days.
    Deleted(Box<Capture>, u64),
    /// The capture that was restored; `None` if the trash is empty.
    Restored(Option<Box<Capture>>),
}
