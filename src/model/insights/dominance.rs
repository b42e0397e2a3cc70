//! Large self values: one function's, no function's, the collector's, and whether there are enough samples to tell.

use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::insights::{Facts, Found, InsightKind, Look, SelfValue};

/// A function with one part in so many of the busy time is a culprit.
const CULPRIT_PARTS: i128 = 4;
/// Without a function with one part in so many, there is no culprit.
const NO_CULPRIT_PARTS: i128 = 10;
/// The collector is reported from one part in so many on.
const COLLECTOR_PARTS: i128 = 10;
/// With fewer samples a percentage may be off by ten points and more.
const SAMPLES_FEW: i64 = 100;

/// Go's collector: its own threads, and the part that allocations do.
const GO_COLLECTOR: [&str; 4] = [
    "runtime.gcBgMarkWorker",
    "runtime.gcAssistAlloc",
    "runtime.bgsweep",
    "runtime.gcStart",
];

/// Functions with over a quarter as self value, the heaviest first.
pub(crate) fn culprits(look: &Look<'_>) -> Vec<Found> {
    let reading = look.reading;
    let mut found: Vec<Found> = functions(look)
        .filter(|(_, own)| Look::is_part(*own, CULPRIT_PARTS, look.busy))
        .map(|(frame, own)| {
            let family = reading.frames.family(frame);
            let kind = if matches!(family, Family::Runtime | Family::Unknown) {
                InsightKind::RuntimeCulprit
            } else {
                InsightKind::Culprit
            };
            let samples = reading.stat(frame).samples;
            let facts = SelfValue {
                own,
                busy: look.busy,
                interval: reading.of_capture().interval(samples),
                samples,
                has_hidden: reading.hides,
                caller: largest_caller(look, frame),
            };
            look.found(kind, own, Facts::SelfValue(facts))
                .at(look, Some(frame))
                .unsure(is_few(look))
        })
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.weight));
    found
}

/// Many functions with little each.
pub(crate) fn no_culprit(look: &Look<'_>) -> Option<Found> {
    let reading = look.reading;
    // After a filter every share is small.
    let is_whole = reading.shown + reading.idle == reading.total;
    let (heaviest, most) = functions(look).max_by_key(|(_, own)| *own)?;
    let is_many = functions(look).filter(|(_, own)| *own > 0).count() > 10;
    if !is_whole || !is_many || is_few(look) || Look::is_part(most, NO_CULPRIT_PARTS, reading.base)
    {
        return None;
    }
    let facts = Facts::Largest {
        functions: functions(look).count(),
        own: most,
    };
    Some(
        look.found(InsightKind::NoCulprit, most, facts)
            .at(look, Some(heaviest)),
    )
}

/// Returns the garbage collector takes over a tenth of the CPU time.
pub(crate) fn collector(look: &Look<'_>) -> Option<Found> {
    let reading = look.reading;
    if !look.subject.is_time {
        return None;
    }
    let collects = |frame: FrameId| {
        reading.frames.family(frame) == Family::Gc
            || GO_COLLECTOR.contains(&reading.frames.name(frame))
    };
    let (mut all, mut counted_to) = (0, NodeId::ROOT);
    let mut heaviest: Option<(i64, FrameId)> = None;
    for node in reading.tree.nodes() {
        let Some(frame) = reading
            .tree
            .frame(node)
            .filter(|frame| node >= counted_to && collects(*frame))
        else {
            continue;
        };
        all += reading.tree.total(node);
        counted_to = reading.tree.end(node);
        heaviest = heaviest.max(Some((reading.tree.total(node), frame)));
    }
    let (_, frame) = heaviest.filter(|_| Look::is_part(all, COLLECTOR_PARTS, look.busy))?;
    Some(
        look.found(InsightKind::Collector, all, Facts::Collector(all))
            .at(look, Some(frame)),
    )
}

/// Too few samples for a ranking.
pub(crate) fn few_samples(look: &Look<'_>) -> Option<Found> {
    let samples = u64::try_from(look.busy_samples)
        .ok()
        .filter(|samples| *samples > 0 && is_few(look))?;
    let facts = if is_idle(look) {
        Facts::NoOwnCode(samples)
    } else {
        let all = look.reading.counted_samples().unwrap_or(samples);
        Facts::Samples { samples, all }
    };
    Some(look.found(InsightKind::FewSamples, 0, facts))
}

/// Whether the isolate idled, and nothing else ran than the runtime.
fn is_idle(look: &Look<'_>) -> bool {
    let reading = look.reading;
    let is_code = |frame: FrameId| {
        let family = reading.frames.family(frame);
        !matches!(family, Family::Grey | Family::Gc | Family::Runtime)
    };
    let mut code = reading.frames.ids().filter(|frame| is_code(*frame));
    reading.idle != 0 && !code.any(|frame| reading.stat(frame).nodes > 0)
}

/// Whether samples were counted, and are too few to rank by.
fn is_few(look: &Look<'_>) -> bool {
    look.reading.counted_samples().is_some() && look.busy_samples < SAMPLES_FEW
}

/// Returns the functions of code with their self values.
fn functions<'a>(look: &'a Look<'_>) -> impl Iterator<Item = (FrameId, i64)> + 'a {
    let reading = look.reading;
    let is_code =
        |frame: &FrameId| !matches!(reading.frames.family(*frame), Family::Grey | Family::Gc);
    let stats = reading
        .frames
        .ids()
        .filter(is_code)
        .map(|frame| (frame, reading.stat(frame)));
    stats
        .filter(|(_, stat)| stat.nodes > 0)
        .map(|(frame, stat)| (frame, stat.self_value))
}

/// Returns the caller (`None`: the runtime) with the largest part of a function's self value, and that part.
fn largest_caller(look: &Look<'_>, frame: FrameId) -> Option<(Option<String>, i64)> {
    let tree = &look.reading.tree;
    let mut callers: Vec<(Option<FrameId>, i64)> = Vec::new();
    for node in tree
        .nodes()
        .filter(|node| tree.frame(*node) == Some(frame) && tree.self_value(*node) != 0)
    {
        let mut above = tree.parent(node);
        // The caller of a recursion is that of its first level.
        while tree.frame(above) == Some(frame) {
            above = tree.parent(above);
        }
        let caller = tree.frame(above);
        match callers.iter_mut().find(|(known, _)| *known == caller) {
            Some((_, own)) => *own += tree.self_value(node),
            None => callers.push((caller, tree.self_value(node))),
        }
    }
    let (caller, own) = callers.into_iter().max_by_key(|(_, own)| *own)?;
    Some((caller.map(|caller| look.name(caller)), own))
}
