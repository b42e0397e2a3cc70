//! The time that each sample stands for, held against the profile's start and end.

use crate::model::text::units;

/// A first delta of so many intervals is no sampling interval.
const GAP: i64 = 2;
/// A clock that is so many intervals before the start is another one.
const SLACK: i128 = 10;
/// Time after the last sample is reported if it is this part of the window, one in.
const TAIL: i128 = 100;

/// Turns the microseconds from sample to sample into the time that each sample stands for, and returns what is not counted.
/// `window` is from start to end; `is_work`: the first sample is in a function, not in idle time.
///
/// A step back is taken from the time that follows: V8 now and then records a sample a microsecond before the last. The
/// time before the first sample is nobody's work.
pub(super) fn settle(deltas: &mut [i64], window: Option<i64>, is_work: bool) -> Vec<String> {
    let mut not_counted = Vec::new();
    let Some((first, others)) = deltas.split_first_mut() else {
        return not_counted;
    };
    let value = |micros: i128| units::value(micros, "microseconds");
    let sampled: i128 = others.iter().map(|delta| i128::from(*delta)).sum();
    // In some files start and end are of another unit.
    let window = window.filter(|window| (0..=i128::from(*window)).contains(&sampled));
    let interval = median(others);
    let is_gap = is_work && interval.is_some_and(|interval| *first > interval.saturating_mul(GAP));
    let is_other_clock = window.is_some_and(|window| *first > window);
    if is_gap || is_other_clock {
        let before = value((*first).into());
        not_counted.push(format!("{before} before the first sample not counted"));
    }
    if let (Some(window), Some(interval)) = (window, interval) {
        let before = if is_other_clock { 0 } else { *first };
        let tail = i128::from(window) - i128::from(before) - sampled;
        if tail > i128::from(interval.saturating_mul(GAP)) && tail * TAIL > i128::from(window) {
            not_counted.push(format!("{} after the last sample not counted", value(tail)));
        }
    }
    if is_gap || is_other_clock {
        *first = 0;
    }
    // The first samples may lie a little before the start.
    let slack = i128::from(interval.unwrap_or(0)) * SLACK;
    let (mut clock, mut latest) = (0_i128, 0_i128);
    for delta in deltas {
        clock += i128::from(*delta);
        if clock < -slack {
            // Not a step back, but another clock.
            clock = latest;
        }
        *delta = i64::try_from((clock - latest).max(0)).unwrap_or(i64::MAX);
        latest = latest.max(clock);
    }
    not_counted
}

/// Returns the middle one of the deltas above zero.
fn median(deltas: &[i64]) -> Option<i64> {
    let mut deltas: Vec<i64> = deltas.iter().copied().filter(|delta| *delta > 0).collect();
    let middle = deltas.len() / 2;
    (!deltas.is_empty()).then(|| *deltas.select_nth_unstable(middle).1)
}

#[cfg(test)]
mod tests {
    use super::settle;

    #[test]
    fn times_are_held_against_start_and_end() {
        let ms = 1_000;
        for (deltas, window, is_work, expected, not_counted) in [
            // Steps back are taken from what follows.
            (
                &[ms, -400, -100, 2 * ms, ms][..],
                None,
                true,
                &[ms, 0, 0, 1_500, ms][..],
                "",
            ),
            (&[-5, ms], None, true, &[0, 995], ""),
            (
                &[ms, -400, -700, 2 * ms],
                Some(1_900),
                true,
                &[ms, 0, 0, 900],
                "",
            ),
            (
                &[-600, ms, ms, ms],
                Some(2_400),
                true,
                &[0, 400, ms, ms],
                "",
            ),
            // A clock that starts over is no step back.
            (&[ms, ms, -9_000 * ms, ms], None, true, &[ms, ms, 0, ms], ""),
            // Before the first sample: work is never made of it, idle time may be.
            (
                &[45 * ms, ms, ms],
                Some(47 * ms),
                true,
                &[0, ms, ms],
                "45 ms before the first sample not counted",
            ),
            (
                &[45 * ms, ms, ms],
                Some(47 * ms),
                false,
                &[45 * ms, ms, ms],
                "",
            ),
            (
                &[987_000 * ms, ms, ms],
                Some(3 * ms),
                false,
                &[0, ms, ms],
                "987 s before the first sample not counted",
            ),
            // After the last one.
            (
                &[400, 600],
                Some(17 * ms),
                false,
                &[400, 600],
                "16 ms after the last sample not counted",
            ),
            (&[ms, ms], Some(3 * ms), true, &[ms, ms], ""),
            // Start and end in seconds say nothing.
            (&[ms, ms, ms], Some(3), true, &[ms, ms, ms], ""),
            (&[], Some(3), true, &[], ""),
        ] {
            let mut times = deltas.to_vec();
            let said = settle(&mut times, window, is_work).join("; ");
            assert_eq!((&times[..], &*said), (expected, not_counted), "{deltas:?}");
        }
    }
}
