//! The change of one share between two sides, and how sure it is.

use crate::model::verdict::student::{quantile, two_sided};

/// Degrees of freedom that the spread of all functions has beside a function's own.
pub(super) const PRIOR_DEGREES: f64 = 6.0;
/// Captures a side beyond which nobody is told to take more.
const MORE_MAX: u32 = 100;

/// The shares of one function in the captures of both sides, with the captures' busy samples.
#[derive(Debug, Clone)]
pub(super) struct Shares {
    pub(super) base: Vec<(f64, f64)>,
    pub(super) new: Vec<(f64, f64)>,
}

/// How much larger the shares of unchanged functions are in the new side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Others {
    pub(super) ratio: f64,
    /// The variance of its logarithm: it is an estimate as well.
    pub(super) variance: f64,
}

impl Others {
    /// Takes shares as they are.
    pub(super) const NONE: Self = Self {
        ratio: 1.0,
        variance: 0.0,
    };

    /// Returns the same ratio as if it were known.
    pub(super) const fn certain(self) -> Self {
        Self {
            variance: 0.0,
            ..self
        }
    }

    /// Whether unchanged functions have clearly grown, as they do when another one shrinks.
    pub(super) fn has_grown(self) -> bool {
        self.ratio.ln() > 2.0 * self.variance.sqrt()
    }

    /// Returns the median ratio of the functions that are on both sides, with the variance that the median of so many ratios
    /// of unequal precision has: π/2·K/(Σ 1/σ)².
    pub(super) fn new(functions: &[&Shares], tau: f64) -> Self {
        let ratio = |shares: &&Shares| {
            let (m1, m2) = shares.means();
            m2 / m1
        };
        let precision = |shares: &&Shares| {
            let ((m1, m2), (v1, v2)) = (shares.means(), shares.variances(tau));
            (v1 / (m1 * m1) + v2 / (m2 * m2)).sqrt().max(1e-12).recip()
        };
        let all: f64 = functions.iter().map(precision).sum();
        #[expect(clippy::cast_precision_loss, reason = "a count of functions")]
        let count = functions.len() as f64;
        Self {
            ratio: median(functions.iter().map(ratio)).unwrap_or(1.0),
            variance: std::f64::consts::FRAC_PI_2 * count / (all * all),
        }
    }
}

/// The change of a share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    /// The mean share of the base.
    pub(super) base: f64,
    /// That of the new side, in the base's scale.
    pub(super) new: f64,
    /// Its standard error.
    pub(super) error: f64,
    /// The probability of such a change by chance.
    pub(super) p: f64,
}

impl Shares {
    pub(super) fn means(&self) -> (f64, f64) {
        (mean(&self.base), mean(&self.new))
    }

    /// The mean over all captures.
    fn overall(&self) -> f64 {
        let all = self.base.iter().chain(&self.new);
        all.map(|(share, _)| share).sum::<f64>() / self.count()
    }

    fn count(&self) -> f64 {
        count(&self.base) + count(&self.new)
    }

    fn degrees(&self) -> f64 {
        self.count() - 2.0
    }

    /// Returns the spread of the captures about their side's mean, as a multiple of what sampling and `tau` explain. `None`
    /// if the share is 0 or 1 throughout.
    pub(super) fn spread(&self, tau: f64) -> Option<f64> {
        let p = self.overall();
        if p <= 0.0 || p >= 1.0 {
            return None;
        }
        let (m1, m2) = self.means();
        let of = |side: &[(f64, f64)], mean: f64| {
            let squares = side.iter().map(|(share, samples)| {
                (share - mean).powi(2) / (p * (1.0 - p) * (1.0 / samples + tau))
            });
            squares.sum::<f64>()
        };
        Some((of(&self.base, m1) + of(&self.new, m2)) / self.degrees())
    }

    /// Returns the variances of both sides' means.
    fn variances(&self, tau: f64) -> (f64, f64) {
        let (p, d) = (self.overall(), self.degrees());
        let spread = (PRIOR_DEGREES + d * self.spread(tau).unwrap_or(1.0)) / (PRIOR_DEGREES + d);
        let of = |side: &[(f64, f64)]| {
            let sum: f64 = side.iter().map(|(_, samples)| 1.0 / samples + tau).sum();
            spread * p * (1.0 - p) * sum / count(side).powi(2)
        };
        (of(&self.base), of(&self.new))
    }

    /// Returns the change, in the base's scale.
    pub(super) fn estimate(&self, tau: f64, others: Others) -> Estimate {
        let (m1, m2) = self.means();
        let degrees = PRIOR_DEGREES + self.degrees();
        let (base, new) = self.variances(tau);
        let scale = others.ratio;
        let of_scale = (m2 / scale).powi(2) * others.variance;
        // Nothing at all on both sides has no error, and no change either.
        let error = (base + new / scale.powi(2) + of_scale).sqrt().max(1e-12);
        let new = m2 / scale;
        Estimate {
            base: m1,
            new,
            error,
            p: two_sided((new - m1) / error, degrees),
        }
    }

    /// Returns the sum of two functions' shares.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let add = |one: &[(f64, f64)], other: &[(f64, f64)]| {
            let both = one.iter().zip(other);
            both.map(|((a, samples), (b, _))| (a + b, *samples))
                .collect()
        };
        Self {
            base: add(&self.base, &other.base),
            new: add(&self.new, &other.new),
        }
    }
}

impl Estimate {
    pub(super) const fn change(&self) -> f64 {
        self.new - self.base
    }

    /// Returns the interval of the change, by the quantile for its degrees of freedom.
    pub(super) fn interval(&self, quantile: f64) -> (f64, f64) {
        let half = quantile * self.error;
        (self.change() - half, self.change() + half)
    }

    /// Returns how many captures more a side would tell a change of this size from none, or from one of `threshold`. `None`
    /// if a hundred would not.
    pub(super) fn more_captures(&self, side: usize, threshold: f64, alpha: f64) -> Option<u32> {
        let change = self.change().abs();
        let wanted = if change > threshold {
            change
        } else {
            threshold - change
        };
        let side = u32::try_from(side).unwrap_or(u32::MAX);
        let tells = |more: u32| {
            let count = f64::from(side.saturating_add(more));
            let error = self.error * (f64::from(side) / count).sqrt();
            let degrees = PRIOR_DEGREES + 2.0 * count - 2.0;
            quantile(alpha, degrees) * error <= wanted
        };
        // More captures never tell less.
        let (mut low, mut high) = (1, MORE_MAX);
        while low < high {
            let middle = u32::midpoint(low, high);
            if tells(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        tells(low).then_some(low)
    }
}

/// Returns the spread between isolates: the one at which half of the functions vary by less than it and sampling explain.
pub(super) fn spread_between(functions: &[Shares]) -> f64 {
    let middle = |tau: f64| median(functions.iter().filter_map(|shares| shares.spread(tau)));
    if middle(0.0).is_none_or(|spread| spread <= 1.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let tau = f64::midpoint(low, high);
        if middle(tau).is_some_and(|spread| spread > 1.0) {
            low = tau;
        } else {
            high = tau;
        }
    }
    high
}

/// Returns the median; `None` of nothing.
pub(super) fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut all: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let middle = all.len() / 2;
    let upper = *all.get(middle)?;
    Some(if all.len() % 2 == 1 {
        upper
    } else {
        f64::midpoint(all[middle - 1], upper)
    })
}

fn mean(side: &[(f64, f64)]) -> f64 {
    side.iter().map(|(share, _)| share).sum::<f64>() / count(side)
}

#[expect(clippy::cast_precision_loss, reason = "a count of captures")]
const fn count(side: &[(f64, f64)]) -> f64 {
    side.len() as f64
}
