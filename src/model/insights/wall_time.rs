//! Time that was booked as CPU although nothing ran: a quiet isolate's gaps land on the frame that runs after them.

use crate::model::cloudflare::Kind;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::insights::wording::fitting;
use crate::model::insights::{Certainty, Found, Hint, HintKind, IDLE, Look, Place};
use crate::model::text::units::{counted, nanoseconds, thousands, value};

/// A sample that stands for so many periods was no sample of running code: V8 is late by two or three at most.
const PERIODS_MAX: i128 = 10;
/// One part in so many on such samples is told.
const WAITING_PARTS: i128 = 10;
/// How often V8 samples, where a capture does not say.
const V8_PERIOD: i128 = 1_000_000;
const NANOSECONDS: &str = "nanoseconds";

/// Waiting booked as CPU time: by the samples, else by what analytics allow.
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
    let each = nanoseconds(i128::from(waiting), &look.subject.unit)? / i128::from(samples);
    let work = value(period * i128::from(look.busy_samples), NANOSECONDS);
    let (each, period) = (value(each, NANOSECONDS), value(period, NANOSECONDS));
    Some(found(
        fitting(&[
            format!("each sample stands for {each}, not {period}: waiting, not CPU"),
            format!("a sample stands for {each}, not {period}: it waited"),
        ]),
        format!(
            "{} {} are about {work} of work; the gaps between requests land on the next frame",
            thousands(i128::from(look.busy_samples)),
            look.subject.counts
        ),
        waiting,
        longest.map(|(_, frame)| Place::Function(look.function(frame))),
    ))
}

/// More busy time than all requests of the window may have cost.
fn by_traffic(look: &Look<'_>) -> Option<Found> {
    let figures = look.context.figures?;
    let window = look.context.window.or_else(|| look.profile.duration())?;
    if look.subject.kind() != Kind::Cpu || look.reading.shown <= 0 {
        return None;
    }
    let requests = (figures.requests_per_second * window.as_secs_f64())
        .ceil()
        .max(1.0);
    #[expect(clippy::cast_possible_truncation, reason = "three figures are shown")]
    let most = (requests * figures.cpu_p99_us * 1_000.0) as i128;
    let idle = look.reading.base - look.reading.idle - look.busy;
    let busy = nanoseconds(look.reading.shown - idle, &look.subject.unit)?;
    if most <= 0 || busy <= most {
        return None;
    }
    let (busy, most) = (value(busy, NANOSECONDS), value(most, NANOSECONDS));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number of requests"
    )]
    let requests = counted(requests as i128, "request");
    Some(found(
        format!("{busy} busy, yet all requests used at most {most} of CPU"),
        format!(
            "{requests} in the window at their p99 of {}: the rest is waiting, booked as CPU",
            value(figures.cpu_p99_us as i128 * 1_000, NANOSECONDS)
        ),
        i64::try_from(look.reading.shown).unwrap_or(i64::MAX),
        None,
    ))
}

fn found(text: String, why: String, weight: i64, goes_to: Option<Place>) -> Found {
    let hint = Hint {
        kind: HintKind::WallAsCpu,
        certainty: Certainty::Likely,
        text,
        why,
        goes_to,
    };
    Found { hint, weight }
}

fn is_busy(look: &Look<'_>, node: NodeId) -> bool {
    look.reading
        .tree
        .frame(node)
        .is_some_and(|frame| look.reading.frames.name(frame) != IDLE)
}

/// How long a sample should stand for, in nanoseconds.
fn period(look: &Look<'_>) -> Option<i128> {
    let written = look.profile.period().and_then(|(of, every)| {
        nanoseconds(i128::from(every), &look.profile.type_names(of).1).filter(|every| *every > 0)
    });
    written.or_else(|| (look.context.kind == Some(Kind::Cpu)).then_some(V8_PERIOD))
}
