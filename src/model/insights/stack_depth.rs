//! Stacks that were cut because V8 records no more frames.

use std::collections::{HashMap, HashSet};

use crate::model::cloudflare::Kind;
use crate::model::hash::Quick;
use crate::model::insights::{Certainty, Found, Hint, HintKind, Look, Place};
use crate::model::profile::stack_trie::NONE;

/// V8 keeps so many JavaScript frames of a CPU sample; one more may stand for native code.
const CPU_FRAMES: u32 = 255;
/// V8 keeps so many frames of an allocation.
const HEAP_FRAMES: u32 = 128;
/// Less than one part in so many on cut stacks is not told.
const CUT_PARTS: i128 = 1_000;

/// Stacks about as deep as V8 records them that begin with a function others call: their callers are missing.
pub(crate) fn cut(look: &Look<'_>) -> Option<Found> {
    if !look.subject.is_v8 {
        return None;
    }
    let most = match look.subject.kind() {
        Kind::Cpu => CPU_FRAMES,
        Kind::Heap => HEAP_FRAMES,
    };
    let paths = &look.profile.paths;
    let (mut depth, mut top) = (
        vec![0_u32; paths.parent.len()],
        vec![NONE; paths.parent.len()],
    );
    let mut called: HashSet<u32, Quick> = HashSet::default();
    for node in 1..paths.parent.len() {
        let parent = paths.parent[node] as usize;
        let function = outermost(look, paths.step[node]);
        depth[node] = depth[parent] + 1;
        top[node] = if parent == 0 { function } else { top[parent] };
        if function != top[node] {
            called.insert(function);
        }
    }
    // Deeper stacks come from something that does not cut there.
    if depth
        .iter()
        .max()
        .is_none_or(|deepest| *deepest < most || *deepest > most + 1)
    {
        return None;
    }
    let mut cut: HashMap<u32, i64, Quick> = HashMap::default();
    for (node, value) in look
        .profile
        .record_ends
        .iter()
        .map(|node| *node as usize)
        .zip(look.values())
    {
        // V8 counts some frames that it does not write, so the cut is not always at the same depth.
        if depth[node] + 1 >= most && called.contains(&top[node]) {
            *cut.entry(top[node]).or_default() += value;
        }
    }
    let all: i64 = cut.values().sum();
    if !Look::is_part(all, CUT_PARTS, look.reading.base) {
        return None;
    }
    let heaviest = cut
        .iter()
        .max_by_key(|(function, value)| (**value, **function))
        .map(|(function, _)| *function);
    let (share, noun) = (look.subject.share(all), &look.subject.noun);
    Some(Found {
        hint: Hint {
            kind: HintKind::CutStacks,
            certainty: Certainty::Certain,
            text: format!("{share} of {noun} on stacks cut at {most} frames"),
            why: "V8 keeps the innermost: they begin in mid-recursion, and their callers' totals are too low"
                .to_owned(),
            goes_to: heaviest.and_then(|function| look.frame_of(function)).map(|f| Place::Function(look.function(f))),
        },
        weight: all,
    })
}

/// The function that a location's outermost line belongs to.
fn outermost(look: &Look<'_>, location: u32) -> u32 {
    let lines = look
        .profile
        .locations()
        .get(location as usize)
        .map(|location| look.profile.lines(location));
    lines
        .and_then(<[_]>::last)
        .and_then(|line| line.function)
        .unwrap_or(NONE)
}
