//! The hints of the open profile: requested when its view changes, shown one at a time.

use std::time::Duration;

use crate::app::core::ids::RequestId;
use crate::app::screens::profile::hint::Hint;
use crate::model::insights::Insight;

/// Metrics say something about a capture only if both are of about the same time.
pub(crate) const METRICS_AGE_MAX: Duration = Duration::from_secs(30 * 60);

/// A profile's hints.
#[derive(Debug)]
pub struct Hints {
    /// The hints, the most useful first.
    pub list: Vec<Hint>,
    /// The current one; a place in `list`.
    pub at: usize,
    /// Whether it was visited: the next key goes on.
    pub(crate) visited: bool,
    /// Whether the hints of this view are still to be requested.
    pub(crate) wanted: bool,
    pub(crate) pending: Option<RequestId>,
}

impl Hints {
    /// Returns no hints, to be requested.
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

    /// Returns the current hint.
    #[must_use]
    pub fn current(&self) -> Option<&Hint> {
        self.list.get(self.at)
    }

    /// Takes the response with this id; the shown hint stays if it is among the new ones. Returns whether it was awaited.
    pub(crate) fn take(&mut self, id: RequestId, insights: Vec<Insight>) -> bool {
        if self.pending != Some(id) {
            return false;
        }
        self.pending = None;
        let list: Vec<Hint> = insights.into_iter().map(Hint::new).collect();
        let same = self.current().and_then(|current| {
            list.iter()
                .position(|hint| hint.insight.kind == current.insight.kind)
        });
        self.visited &= same.is_some();
        self.at = same.unwrap_or(0);
        self.list = list;
        true
    }
}
