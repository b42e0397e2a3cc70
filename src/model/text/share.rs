//! Shares for people: percentages, and how far a share of samples may be off by chance.

/// U+2212: as wide as a plus, and no hyphen to break a line at.
const MINUS: &str = "\u{2212}";

/// Returns a share as a percentage with one decimal: `63.7%`, `100%`; `–` if the whole is zero.
#[must_use]
pub fn per_cent(part: i128, whole: i128) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let share = part as f64 / whole as f64 * 100.0;
    let text = if share.abs() >= 99.95 && share.abs() < 100.05 {
        "100".to_owned()
    } else {
        format!("{:.1}", share.abs())
    };
    let sign = if share < 0.0 && text != "0.0" {
        MINUS
    } else {
        ""
    };
    format!("{sign}{text}%")
}

/// Returns half the width of the 95% Wilson interval of `k` out of `n` samples, as a share (0…1); 0 without samples.
#[must_use]
pub fn wilson_half_width(k: u64, n: u64) -> f64 {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if n == 0 {
        return 0.0;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "an error bar, shown with one decimal"
    )]
    let (share, n) = (k.min(n) as f64 / n as f64, n as f64);
    Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / (1.0 + Z * Z / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_cent_has_one_decimal() {
        for (part, whole, expected) in [
            (637, 1000, "63.7%"),
            (1000, 1000, "100%"),
            (9996, 10_000, "100%"),
            (-25, 1000, "\u{2212}2.5%"),
            (-1, 1_000_000, "0.0%"),
            (0, 0, "–"),
        ] {
            assert_eq!(per_cent(part, whole), expected);
        }
    }

    #[test]
    fn wilson_interval_is_known_at_a_few_points() {
        assert_eq!(wilson_half_width(0, 0), 0.0);
        // 5 of 10: 0.2366 … 0.7634.
        assert!((wilson_half_width(5, 10) - 0.2634).abs() < 1e-4);
        assert!((wilson_half_width(2221, 3324) - 0.0160).abs() < 1e-4);
        assert!(wilson_half_width(0, 100) > 0.0);
    }
}
