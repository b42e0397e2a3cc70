//! The hints of the open profile: asked for when its view changes, told one at a time, gone to by key.

use std::time::Duration;

use crate::app::core::ids::RequestId;
use crate::model::insights::Hint;

/// Traffic figures say something about a capture only if both are of about the same time.
pub(crate) const FIGURES_AGE_MAX: Duration = Duration::from_secs(30 * 60);

/// What is known of a profile's hints.
#[derive(Debug)]
pub struct Hints {
    /// The hints, the most useful first.
    pub list: Vec<Hint>,
    /// The one that is told; a place in `list`.
    pub at: usize,
    /// Whether it was gone to: the next key goes on.
    pub(crate) visited: bool,
    /// Whether the reading was not yet looked at.
    pub(crate) wanted: bool,
    pub(crate) pending: Option<RequestId>,
}

impl Hints {
    /// No hints yet, but they are wanted.
    #[must_use]
    pub(crate) const fn new() -> Self {
        Self {
            list: Vec::new(),
            at: 0,
            visited: false,
            wanted: true,
            pending: None,
        }
    }

    /// The hint that is told.
    #[must_use]
    pub fn current(&self) -> Option<&Hint> {
        self.list.get(self.at)
    }

    /// Takes the hints that were asked for under this number; the one that was told stays if it is among them.
    pub(crate) fn take(&mut self, id: RequestId, list: Vec<Hint>) {
        if self.pending != Some(id) {
            return;
        }
        self.pending = None;
        let same = self
            .current()
            .and_then(|told| list.iter().position(|hint| hint.kind == told.kind));
        self.visited &= same.is_some();
        self.at = same.unwrap_or(0);
        self.list = list;
    }
}
