//! Who holds how much: the one function, none at all, the collector, and whether there are enough samples to say.

use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::insights::wording::{fitting, name};
use crate::model::insights::{Certainty, Found, Hint, HintKind, Look, Place};
use crate::model::text::share::{per_cent, wilson_half_width};
use crate::model::text::units::{counted, thousands, value};

/// A function with one part in so many of what is busy is told.
const CULPRIT_PARTS: i128 = 4;
/// No function with one part in so many: there is no culprit.
const NO_CULPRIT_PARTS: i128 = 10;
/// The collector is told from one part in so many on.
const COLLECTOR_PARTS: i128 = 10;
/// With fewer samples a share may be off by ten points and more.
const SAMPLES_FEW: i64 = 100;

/// What runs Go's collector: its own threads, and what an allocation has to help with.
const GO_COLLECTOR: [&str; 4] = [
    "runtime.gcBgMarkWorker",
    "runtime.gcAssistAlloc",
    "runtime.bgsweep",
    "runtime.gcStart",
];

/// Functions that hold over a quarter in their own lines, heaviest first.
pub(crate) fn culprits(look: &Look<'_>) -> Vec<Found> {
    let reading = look.reading;
    let mut found: Vec<Found> = functions(look)
        .filter(|(_, own)| Look::is_part(*own, CULPRIT_PARTS, look.busy))
        .map(|(frame, own)| {
            let subject = &look.subject;
            let (name, share) = (name(reading, frame), subject.share(own));
            let (noun, amount) = (&subject.noun, subject.value(own));
            let place = if reading.hides {
                "with what is hidden"
            } else {
                "in its own lines"
            };
            let family = reading.frames.family(frame);
            let is_runtime = matches!(family, Family::Runtime | Family::Unknown);
            let hint = Hint {
                kind: if is_runtime {
                    HintKind::RuntimeCulprit
                } else {
                    HintKind::Culprit
                },
                certainty: if is_few(look) {
                    Certainty::Likely
                } else {
                    Certainty::Certain
                },
                text: fitting(&[
                    format!("{name} holds {share} of {noun} {place}: {amount}"),
                    format!("{name} holds {share} of {noun} {place}"),
                    format!("{name} holds {share} of {noun}"),
                    format!("{share} of {noun} in {name}"),
                ]),
                why: format!("{}; {}", evidence(look, frame, own), callers(look, frame)),
                goes_to: Some(Place::Function(look.function(frame))),
            };
            Found { hint, weight: own }
        })
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.weight));
    found
}

/// Many functions with little each: nothing to point at.
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
    let functions = functions(look).count();
    Some(Found {
        hint: Hint {
            kind: HintKind::NoCulprit,
            certainty: Certainty::Certain,
            text: "no function above 10% self: look bottom-up, or group rows by file".to_owned(),
            why: format!(
                "{}; the largest share has {}: {}",
                counted(functions as i128, "function"),
                name(reading, heaviest),
                look.subject.share(most)
            ),
            goes_to: Some(Place::BottomUp),
        },
        weight: most,
    })
}

/// The garbage collector takes over a tenth of the CPU time.
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
    let (share, noun) = (look.subject.share(all), &look.subject.noun);
    Some(Found {
        hint: Hint {
            kind: HintKind::Collector,
            certainty: Certainty::Certain,
            text: format!("the garbage collector takes {share} of {noun}"),
            why: format!(
                "{}: a heap capture shows what is allocated, and by whom",
                look.subject.value(all)
            ),
            goes_to: Some(Place::Function(look.function(frame))),
        },
        weight: all,
    })
}

/// Too few samples for a ranking.
pub(crate) fn few_samples(look: &Look<'_>) -> Option<Found> {
    let samples = u64::try_from(look.busy_samples)
        .ok()
        .filter(|samples| *samples > 0 && is_few(look))?;
    let counts = &look.subject.counts;
    let counts = if samples == 1 {
        counts.trim_end_matches('s')
    } else {
        counts
    };
    let points = wilson_half_width(samples / 2, samples) * 100.0;
    Some(Found {
        hint: Hint {
            kind: HintKind::FewSamples,
            certainty: Certainty::Certain,
            text: format!("only {samples} {counts}: a share may be off by {points:.0} points"),
            why: "the order of the table means little; capture longer, or under more traffic"
                .to_owned(),
            goes_to: None,
        },
        weight: 0,
    })
}

/// Whether samples were counted, and are too few to rank by.
fn is_few(look: &Look<'_>) -> bool {
    look.reading.counted_samples().is_some() && look.busy_samples < SAMPLES_FEW
}

/// What is code, with what it holds in its own lines.
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

/// The figures behind a culprit: `5.09 s of 7.55 s busy, 2,221 samples ±1.6`.
fn evidence(look: &Look<'_>, frame: FrameId, own: i64) -> String {
    let samples = look.reading.stat(frame).samples;
    let of = value(look.busy, &look.subject.unit);
    let interval = look.reading.of_capture().interval(samples);
    let interval = interval.map_or_else(String::new, |interval| {
        let samples = thousands(i128::from(samples));
        format!(", {samples} {} {interval}", look.subject.counts)
    });
    let busy = if look.subject.is_time { " busy" } else { "" };
    format!("{} of {of}{busy}{interval}", look.subject.value(own))
}

/// Who calls a function, by what it holds in its own lines: `called only by decryptBlock`.
fn callers(look: &Look<'_>, frame: FrameId) -> String {
    let tree = &look.reading.tree;
    let mut callers: Vec<(Option<FrameId>, i64)> = Vec::new();
    for node in tree
        .nodes()
        .filter(|node| tree.frame(*node) == Some(frame) && tree.self_value(*node) != 0)
    {
        let mut above = tree.parent(node);
        // A function that recurses is called from where it was first entered.
        while tree.frame(above) == Some(frame) {
            above = tree.parent(above);
        }
        let caller = tree.frame(above);
        match callers.iter_mut().find(|(known, _)| *known == caller) {
            Some((_, own)) => *own += tree.self_value(node),
            None => callers.push((caller, tree.self_value(node))),
        }
    }
    let words = |caller: Option<FrameId>| {
        caller.map_or("the runtime".to_owned(), |caller| {
            name(look.reading, caller)
        })
    };
    match callers.iter().max_by_key(|(_, own)| *own) {
        Some((caller, _)) if callers.len() == 1 => format!("called only by {}", words(*caller)),
        Some((caller, own)) => {
            let all = look.reading.stat(frame).self_value;
            format!(
                "{} from {}",
                per_cent(i128::from(*own), i128::from(all)),
                words(*caller)
            )
        }
        None => String::new(),
    }
}
