//! Captures that this screen does not see: those of other copies of the program, and those that outlived their screen.

use std::path::PathBuf;
use std::time::SystemTime;

/// What other instances capture, and what ended while no screen was open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// The Worker of this account that another instance captures now.
    pub runs: Option<String>,
    /// When that window ends, if known.
    pub until: Option<SystemTime>,
    /// Captures that ended while no screen was open, the oldest first.
    pub ended: Vec<Ended>,
    /// Captures in rescue folders: the path of each, and a sentence on it.
    pub rescued: Vec<(PathBuf, String)>,
    /// Where the next capture goes if the cache can't take it.
    pub unkept: Option<String>,
}

/// A capture that ended while no screen was open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The Worker that was captured.
    pub worker: String,
    /// When.
    pub at: SystemTime,
    /// The path of its profile, or why it failed.
    pub outcome: Result<PathBuf, String>,
}
