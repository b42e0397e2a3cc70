//! What chance alone changes between one capture a side.
//!
//! Isolates of one build differ by more than sampling: their shares spread by [`SPREAD`] as well. A change is beyond chance
//! only if it is outside of what both explain, and large enough to matter.

use std::fmt;

use crate::model::diff::{Change, Side};
use crate::model::graph::frames::FrameId;
use crate::model::graph::sample_values::SamplesFrom;
use crate::model::text::share;

/// The variance between the isolates of a build, as a part of p(1−p), as measured on captures of one build.
const SPREAD: f64 = 1.0 / 400.0;
/// The quantile of a two-sided 95% interval.
const QUANTILE: f64 = 1.96;
/// The least change of a share that can be beyond chance.
const LEAST: f64 = 0.05;

/// How much chance alone can change in a comparison of one capture a side.
#[derive(Debug, Clone, Copy)]
pub struct Chance {
    base: Counted,
    new: Counted,
    idle: Option<FrameId>,
}

/// One side: its busy samples, and the value that they add up to.
#[derive(Debug, Clone, Copy)]
struct Counted {
    samples: f64,
    whole: f64,
}

impl Counted {
    #[expect(clippy::cast_precision_loss, reason = "shares need no more")]
    fn new(side: &Side) -> Option<Self> {
        let is_counted = matches!(side.samples_from, SamplesFrom::Type(_)) && !side.has_negative;
        let samples = side.all_samples - side.idle.samples;
        let whole = side.whole - side.idle.value;
        (is_counted && samples > 0 && whole > 0).then_some(Self {
            samples: samples as f64,
            whole: whole as f64,
        })
    }

    /// Returns the share of a value, half a sample added so that none is nothing.
    #[expect(clippy::cast_precision_loss, reason = "shares need no more")]
    fn share(self, value: i64) -> f64 {
        let samples = (value as f64 / self.whole).max(0.0) * self.samples;
        (samples + 0.5) / (self.samples + 1.0)
    }
}

/// What chance says of one change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Chance alone gives factors up to this one, or down to its inverse.
    pub level: f64,
    /// Whether the change is within it, or too small to matter.
    pub is_within: bool,
}

impl Chance {
    /// Returns what chance can do between two sides; `None` where samples were not counted.
    pub(super) fn new(base: &Side, new: &Side, idle: Option<FrameId>) -> Option<Self> {
        Some(Self {
            base: Counted::new(base)?,
            new: Counted::new(new)?,
            idle,
        })
    }

    /// Returns the base's busy samples.
    pub(super) const fn base_samples(self) -> f64 {
        self.base.samples
    }

    /// Returns the factor that chance alone reaches for a function of this share.
    #[must_use]
    pub fn level(self, share: f64) -> f64 {
        let sampling = 1.0 / self.base.samples + 1.0 / self.new.samples;
        let odds = (1.0 - share) / share;
        (QUANTILE * (odds * (sampling + 2.0 * SPREAD)).sqrt()).exp()
    }

    /// Returns what chance says of a change of self values; `None` of idle time, which is traffic and no function.
    #[must_use]
    pub fn noise(self, change: &Change) -> Option<Noise> {
        if self.idle == Some(change.frame) {
            return None;
        }
        let (base, new) = (
            self.base.share(change.own.base),
            self.new.share(change.own.new),
        );
        let all = self.base.samples + self.new.samples;
        let mean = (base * self.base.samples + new * self.new.samples) / all;
        let level = self.level(mean.min(1.0));
        let factor = (new / base).max(base / new);
        Some(Noise {
            level,
            is_within: change.own.change() == 0 || factor <= level || (new - base).abs() < LEAST,
        })
    }
}

/// What one capture a side can't tell.
impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = share::factor(self.level(0.05));
        write!(
            f,
            "one capture a side: chance alone gives up to {level} for a 5% function"
        )
    }
}
