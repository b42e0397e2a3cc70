//! What is known of a capture besides its bytes, and the insights from that.

use std::time::Duration;

use crate::model::cloudflare::{Capture, Kind, Metrics, Provenance};
use crate::model::insights::{Facts, Found, InsightKind, Look};

/// What is known of a capture besides its bytes; nothing of a file.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// CPU or heap, if known.
    pub kind: Option<Kind>,
    /// The window that was sampled.
    pub window: Option<Duration>,
    /// The version's share of the traffic when it was captured, as a percentage.
    pub percentage: Option<f64>,
    /// Metrics of all isolates of the target, from about the time of the capture.
    pub metrics: Option<Metrics>,
    /// Whether names and files come from a source map.
    pub has_source_map: bool,
}

impl Context {
    /// Returns what is known of a capture.
    #[must_use]
    pub fn of(capture: &Capture) -> Self {
        let Provenance {
            target,
            kind,
            window,
            ..
        } = &capture.provenance;
        Self {
            kind: *kind,
            window: *window,
            percentage: target.percentage,
            metrics: target.metrics,
            has_source_map: false,
        }
    }
}

/// Returns a capture of a version that served no traffic.
pub(crate) fn not_deployed(look: &Look<'_>) -> Option<Found> {
    let unserved = look.context.percentage.is_some_and(|share| share <= 0.0);
    unserved.then(|| look.found(InsightKind::NotDeployed, 0, Facts::None))
}

/// What a heap capture is, and what it is not.
pub(crate) fn window_only(look: &Look<'_>) -> Option<Found> {
    (look.subject.is_memory && look.subject.is_v8)
        .then(|| look.found(InsightKind::WindowOnly, 0, Facts::None))
}
