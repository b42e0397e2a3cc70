//! Student's t distribution, by the incomplete beta function of a library.

use puruspe::betai;

/// Returns the probability of a value as far from zero as `t`, on either side.
pub(super) fn two_sided(t: f64, degrees: f64) -> f64 {
    if t.is_nan() || degrees <= 0.0 {
        return 1.0;
    }
    let x = degrees / (degrees + t * t);
    betai(degrees / 2.0, 0.5, x.clamp(0.0, 1.0)).clamp(0.0, 1.0)
}

/// Returns the value that is exceeded, on either side, with probability `alpha`.
pub(super) fn quantile(alpha: f64, degrees: f64) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    // The probability falls with the value.
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if two_sided(middle, degrees) > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probabilities computed by the closed forms for 1, 2 and 4 degrees of freedom:
    /// 1 − 2/π·atan t; 1 − t/√(2+t²); 1 − s·(3 − s²)/2 with s = t/√(4+t²).
    #[test]
    fn probabilities_are_those_of_the_closed_forms() {
        for step in 1..=30 {
            let t = f64::from(step) / 4.0;
            let one = 1.0 - 2.0 / std::f64::consts::PI * t.atan();
            let two = 1.0 - t / (2.0 + t * t).sqrt();
            let s = t / (4.0 + t * t).sqrt();
            let four = 1.0 - s * (3.0 - s * s) / 2.0;
            for (degrees, expected) in [(1.0, one), (2.0, two), (4.0, four)] {
                let found = two_sided(t, degrees);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{degrees} {t}: {found} {expected}"
                );
            }
        }
    }

    /// From a printed table of the distribution.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (degrees, expected) in [(10.0, 2.228), (20.0, 2.086), (6.0, 2.447), (30.0, 2.042)] {
            assert!(
                (quantile(0.05, degrees) - expected).abs() < 5e-4,
                "{degrees}"
            );
        }
    }
}
