//! Since when: what a function held in an earlier capture.

use std::time::SystemTime;

use crate::model::cloudflare::Capture;
use crate::model::diff::Comparison;
use crate::model::graph::frames::FunctionName;

/// Busy samples that a capture needs to say what was before.
const BASE_SAMPLES_MIN: f64 = 200.0;

/// What a function held in an earlier capture, beside what it holds now.
#[derive(Debug, Clone, PartialEq)]
pub struct Since {
    /// The earlier capture's version, if known.
    pub version_id: Option<String>,
    /// Its number, if known.
    pub version_number: Option<u64>,
    /// Whether it is another version than the one now.
    pub is_other_version: bool,
    /// When it was taken.
    pub at: SystemTime,
    /// The function's self value then, and all of that capture.
    pub then: (i64, i128),
    /// The function's self value now, and all of this capture.
    pub now: (i64, i128),
    /// Whether the change is within what chance alone gives between one capture a side; `None` without samples.
    pub within_noise: Option<bool>,
}

impl Since {
    /// Returns what an earlier capture says of a function; `None` if it has too few samples, or nothing of the function is
    /// shown on either side.
    #[must_use]
    pub fn new(
        comparison: &Comparison,
        function: &FunctionName,
        base: &Capture,
        new: &Capture,
    ) -> Option<Self> {
        let frames = &comparison.reading.frames;
        let frame = frames
            .ids()
            .find(|frame| function.is(&frames.info(*frame)))?;
        let change = comparison
            .changes()
            .into_iter()
            .find(|change| change.frame == frame)?;
        let chance = comparison.chance();
        if chance.is_some_and(|chance| chance.base_samples() < BASE_SAMPLES_MIN) {
            return None;
        }
        let (then, now) = (base.target(), new.target());
        Some(Self {
            version_id: then.version_id.clone(),
            version_number: then.version_number,
            is_other_version: then.version_id.is_some() && then.version_id != now.version_id,
            at: base.provenance.answered_at,
            then: (change.own.base, comparison.base.whole),
            now: (change.own.new, comparison.new.whole),
            within_noise: chance
                .and_then(|chance| chance.noise(&change))
                .map(|noise| noise.is_within),
        })
    }

    /// Returns the share then, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        part(self.then)
    }

    /// Returns how many times the share then the share now is; `None` if there was none.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        (self.then.0 != 0).then(|| part(self.now) / self.share())
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn part((value, whole): (i64, i128)) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    value as f64 / whole as f64
}
