//! What is known of a capture beside its bytes, and the hints that come from it.

use std::time::Duration;

use crate::model::cloudflare::{Capture, Figures, Kind};
use crate::model::insights::{Certainty, Found, Hint, HintKind, Look};

/// What is known of a capture beside its bytes. A file alone leaves everything open.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// CPU or heap, where the capture says so.
    pub kind: Option<Kind>,
    /// The window that was sampled.
    pub window: Option<Duration>,
    /// The version's share of the traffic when it was captured, in per cent.
    pub percentage: Option<f64>,
    /// Traffic of what was captured, all isolates together, about the time of the capture.
    pub figures: Option<Figures>,
    /// Whether names and files come from a source map.
    pub has_source_map: bool,
}

impl Context {
    /// What is kept with a capture.
    #[must_use]
    pub fn of(capture: &Capture) -> Self {
        Self {
            kind: capture.kind,
            window: capture.window,
            percentage: capture.percentage,
            figures: capture.figures,
            has_source_map: false,
        }
    }
}

/// A capture of a version that serves nobody.
pub(crate) fn not_deployed(context: &Context) -> Option<Found> {
    let unserved = context.percentage.is_some_and(|share| share <= 0.0);
    unserved.then(|| Found {
        hint: Hint {
            kind: HintKind::NotDeployed,
            certainty: Certainty::Certain,
            text: "this version served 0% of traffic when it was captured".to_owned(),
            why: "it was uploaded, but not deployed: users get the code of another version"
                .to_owned(),
            goes_to: None,
        },
        weight: 0,
    })
}

/// What a heap capture is, and what it is not.
pub(crate) fn window_only(look: &Look<'_>) -> Option<Found> {
    (look.subject.is_memory && look.subject.is_v8).then(|| Found {
        hint: Hint {
            kind: HintKind::WindowOnly,
            certainty: Certainty::Note,
            text: "only allocations of this window, not the memory in use".to_owned(),
            why: "what was collected since is counted; what start-up allocated is not".to_owned(),
            goes_to: None,
        },
        weight: 0,
    })
}
