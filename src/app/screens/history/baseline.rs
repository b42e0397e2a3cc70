//! The default baseline of a capture, in words.

use crate::app::screens::history::History;
use crate::model::cloudflare::{Capture, DefaultBaseline, baselines, short};

impl History {
    /// Returns the default baseline of a capture.
    #[must_use]
    pub fn default_baseline(&self, capture: &Capture) -> Option<(&Capture, DefaultBaseline)> {
        baselines(&self.captures, capture).into_iter().next()
    }
}

/// Returns why it is the default baseline.
#[must_use]
pub(crate) const fn reason(why: DefaultBaseline) -> &'static str {
    match why {
        DefaultBaseline::VersionBefore => "the version before this one",
        DefaultBaseline::CaptureBefore => "the capture before this one",
        DefaultBaseline::VersionAfter => "the version after this one; this one is the base",
    }
}

/// Returns a version as it is written beside others: the beginning of its id, and its number where known.
#[must_use]
pub(crate) fn version(capture: &Capture) -> Option<String> {
    let id = short(capture.target().version_id.as_deref()?);
    Some(
        capture
            .provenance
            .target
            .version_number
            .map_or_else(|| id.to_owned(), |number| format!("{id} v{number}")),
    )
}
