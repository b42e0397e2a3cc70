//! Waiting counted as CPU time: a quiet isolate's gaps are attributed to the frame that runs after them.

use crate::model::cloudflare::Kind;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::graph::frames::IDLE;
use crate::model::insights::{Facts, Found, InsightKind, LongSamples, Look};
use crate::model::text::units::nanoseconds;

/// A sample that stands for so many periods is not of running code: V8 is late by two or three at most.
const PERIODS_MAX: i128 = 10;
/// Less than one part in so many on such samples is ignored.
const WAITING_PARTS: i128 = 10;
/// V8's period, if a capture doesn't have it.
const V8_PERIOD: i128 = 1_000_000;

/// Finds waiting counted as CPU time: by the samples, else by the metrics.
pub(crate) fn wall_as_cpu(look: &Look<'_>) -> Option<Found> {
    if !look.subject.is_time {
        return None;
    }
    by_samples(look).or_else(|| by_traffic(look))
}

/// Samples that stand for far more than the period.
fn by_samples(look: &Look<'_>) -> Option<Found> {
    let (reading, tree) = (look.reading, &look.reading.tree);
    reading.counted_samples()?;
    let period = period(look)?;
    let (mut waiting, mut samples) = (0_i64, 0_i64);
    let mut longest: Option<(i64, FrameId)> = None;
    for node in tree
        .nodes()
        .filter(|node| is_busy(look, *node) && tree.self_samples(*node) > 0)
    {
        let spent = nanoseconds(i128::from(tree.self_value(node)), &look.subject.unit)?;
        if spent > period * PERIODS_MAX * i128::from(tree.self_samples(node)) {
            waiting += tree.self_value(node);
            samples += tree.self_samples(node);
            longest = longest.max(tree.frame(node).map(|frame| (tree.self_value(node), frame)));
        }
    }
    if !Look::is_part(waiting, WAITING_PARTS, reading.base) {
        return None;
    }
    let facts = LongSamples {
        each: nanoseconds(i128::from(waiting), &look.subject.unit)? / i128::from(samples),
        period,
        samples: look.busy_samples,
    };
    let frame = longest.map(|(_, frame)| frame);
    Some(
        look.found(InsightKind::WallAsCpu, waiting, Facts::LongSamples(facts))
            .at(look, frame),
    )
}

/// More busy time than all requests of the window may have cost.
fn by_traffic(look: &Look<'_>) -> Option<Found> {
    let metrics = look.context.metrics?;
    let window = look.context.window.or_else(|| look.profile.duration())?;
    if look.subject.is_memory || look.reading.shown <= 0 {
        return None;
    }
    let requests = (metrics.requests_per_second * window.as_secs_f64())
        .ceil()
        .max(1.0);
    let idle = look.reading.base - look.reading.idle - look.busy;
    let busy = nanoseconds(look.reading.shown - idle, &look.subject.unit)?;
    let p99 = metrics.cpu_p99_us * 1_000.0;
    #[expect(clippy::cast_possible_truncation, reason = "three digits are shown")]
    let [most, requests, p99] = [requests * p99, requests, p99].map(|number| number as i128);
    let facts = Facts::MoreThanTraffic {
        busy,
        most,
        requests,
        p99,
    };
    let weight = i64::try_from(look.reading.shown).unwrap_or(i64::MAX);
    (most > 0 && busy > most).then(|| look.found(InsightKind::WallAsCpu, weight, facts))
}

fn is_busy(look: &Look<'_>, node: NodeId) -> bool {
    look.reading
        .tree
        .frame(node)
        .is_some_and(|frame| look.reading.frames.name(frame) != IDLE)
}

/// Returns the time that a sample should stand for, in nanoseconds.
fn period(look: &Look<'_>) -> Option<i128> {
    let written = look.profile.period().and_then(|(of, every)| {
        nanoseconds(i128::from(every), &look.profile.type_names(of).1).filter(|every| *every > 0)
    });
    written.or_else(|| (look.context.kind == Some(Kind::Cpu)).then_some(V8_PERIOD))
}
