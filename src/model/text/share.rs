//! Shares for people: percentages, how far a share of samples may be off by chance, and changes.

use crate::model::text::units::thousands;

/// U+2212: as wide as a plus, and no hyphen to break a line at.
const MINUS: &str = "\u{2212}";

/// Returns a share as a percentage with one decimal: `63.7%`, `100%`; `–` if the whole is zero.
#[must_use]
pub fn per_cent(part: i128, whole: i128) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let share = part as f64 / whole as f64;
    percentage(share)
}

/// Returns a share (0…1) as a percentage with one decimal.
#[must_use]
pub fn percentage(share: f64) -> String {
    points(share) + "%"
}

/// Returns the same without the sign, for where that stands beside it or above.
#[must_use]
pub fn points(share: f64) -> String {
    let text = format!("{:.1}", share.abs() * 100.0);
    let text = if text == "100.0" { "100" } else { &text };
    let sign = if share < 0.0 && text != "0.0" {
        MINUS
    } else {
        ""
    };
    format!("{sign}{text}")
}

/// Returns a percentage that somebody set, such as a share of traffic: `90%`, `12.5%`.
#[must_use]
pub fn round_percentage(percentage: f64) -> String {
    let is_whole = (percentage - percentage.round()).abs() < 0.05;
    format!("{percentage:.*}%", usize::from(!is_whole))
}

/// Returns a factor: `×22`, from ×1 to ×10 with a decimal, `×2.4`, below with two figures, `×0.17`.
#[must_use]
pub fn factor(factor: f64) -> String {
    match factor {
        1e6.. => "over ×1,000,000".to_owned(),
        ..1e-6 => "below ×0.000001".to_owned(),
        9.95.. => format!("×{}", thousands(factor.round() as i128)),
        _ => {
            let decimals = match factor {
                0.995.. => 1,
                0.0995.. => 2,
                0.00995.. => 3,
                _ => 6,
            };
            let text = format!("{factor:.decimals$}");
            format!("×{}", text.trim_end_matches('0').trim_end_matches('.'))
        }
    }
}

/// Returns how a value changed: a factor from ×2 on and below ×0.5, else a percentage: `×22`, `+27%`, `−4.2%`. `None` where
/// neither means anything, as from or through zero, or nothing changed.
#[must_use]
pub fn change(from: i128, to: i128) -> Option<String> {
    if from == 0 || to == from || (to != 0 && to.signum() != from.signum()) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "three figures are shown")]
    Some(change_by(to as f64 / from as f64))
}

/// Returns the same for a value that is so many times what it was.
#[must_use]
pub fn change_by(factor: f64) -> String {
    if !(0.5..2.0).contains(&factor) && factor > 0.0 {
        return self::factor(factor);
    }
    let percents = (factor - 1.0).abs() * 100.0;
    let sign = if factor < 1.0 { MINUS } else { "+" };
    match percents {
        ..0.05 => format!("{sign}<0.1%"),
        ..9.95 => format!("{sign}{percents:.1}%"),
        _ => format!("{sign}{percents:.0}%"),
    }
}

/// Returns a change of a share in points: `+8.1`, `−0.3`.
#[must_use]
pub fn signed_points(change: f64) -> String {
    let text = points(change);
    if change > 0.0 && text != "0.0" {
        format!("+{text}")
    } else {
        text
    }
}

/// Returns half the width of the 95% confidence interval of `k` out of `n` samples in points: `±1.6`.
#[must_use]
pub fn interval(k: u64, n: u64) -> String {
    format!("±{:.1}", wilson_half_width(k, n) * 100.0)
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
    fn a_percentage_that_was_set_is_whole_where_it_can_be() {
        for (percentage, expected) in [(90.0, "90%"), (12.5, "12.5%"), (0.04, "0%")] {
            assert_eq!(round_percentage(percentage), expected);
        }
    }

    #[test]
    fn large_changes_are_factors_and_small_ones_percentages() {
        for (from, to, expected) in [
            (100, 2_059, Some("×21")),
            (100, 994, Some("×9.9")),
            (100, 230, Some("×2.3")),
            (100, 2_200, Some("×22")),
            (100, 200, Some("×2")),
            (1_000, 1_999, Some("+100%")),
            (100, 127, Some("+27%")),
            (1_000, 958, Some("\u{2212}4.2%")),
            (100, 50, Some("\u{2212}50%")),
            (1_000, 499, Some("×0.5")),
            (1_000, 43, Some("×0.043")),
            (3, 3_703, Some("×1,234")),
            (100, 0, Some("\u{2212}100%")),
            (1, 2_000_000, Some("over ×1,000,000")),
            (2_000_000, 1, Some("below ×0.000001")),
            (1_000_000, 1_000_001, Some("+<0.1%")),
            (0, 5, None),
            (5, -5, None),
            (7, 7, None),
        ] {
            assert_eq!(change(from, to).as_deref(), expected, "{from} → {to}");
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
