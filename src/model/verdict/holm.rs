//! Holm's correction: of many findings, which stand together at one level.

/// Returns which of some probabilities are significant together at `alpha`.
pub(super) fn holm(probabilities: &[f64], alpha: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let mut stands = vec![false; probabilities.len()];
    let mut left = probabilities.len();
    for at in order {
        #[expect(clippy::cast_precision_loss, reason = "a count of functions")]
        let level = alpha / left as f64;
        if probabilities[at] > level {
            break;
        }
        stands[at] = true;
        left -= 1;
    }
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_next_one_has_a_milder_level_until_one_fails() {
        // 0.01 ≤ 0.05/4; 0.016 ≤ 0.05/3; 0.03 > 0.05/2: the last fails with it, although 0.04 ≤ 0.05.
        assert_eq!(
            holm(&[0.04, 0.01, 0.03, 0.016], 0.05),
            [false, true, false, true]
        );
        assert!(holm(&[], 0.05).is_empty());
    }
}
