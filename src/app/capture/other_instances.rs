//! Captures that this screen does not see: those of other copies of the program, and those that outlived their screen.

use std::path::PathBuf;
use std::time::SystemTime;

/// What goes on, and went on, beside this screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// The Worker of this account that another copy of the program captures now.
    pub runs: Option<String>,
    /// When that window ends, where it is known.
    pub until: Option<SystemTime>,
    /// Captures that ended while nobody watched, the oldest first.
    pub ended: Vec<Ended>,
    /// Captures that the cache could not take and that are still elsewhere: where each is, and what is said of it.
    pub rescued: Vec<(PathBuf, String)>,
    /// Where the next capture goes if the cache can't take it.
    pub unkept: Option<String>,
}

/// A capture that ended while nobody watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The Worker that was captured.
    pub worker: String,
    /// When.
    pub at: SystemTime,
    /// Where its profile lies, or why there is none.
    pub outcome: Result<PathBuf, String>,
}
