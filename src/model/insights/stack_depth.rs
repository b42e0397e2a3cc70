//! Stacks cut because V8 records no more frames.

use std::collections::{HashMap, HashSet};

use crate::model::hash::Quick;
use crate::model::insights::{Facts, Found, InsightKind, Look};
use crate::model::profile::stack_trie::NONE;

/// JavaScript frames that V8 keeps of a CPU sample; one more may stand for native code.
const CPU_FRAMES: u32 = 255;
/// Frames that V8 keeps of an allocation.
const HEAP_FRAMES: u32 = 128;
/// Less than one part in so many on cut stacks is ignored.
const CUT_PARTS: i128 = 1_000;

/// Finds stacks about as deep as V8 records them that begin with a function others call: their callers are missing.
pub(crate) fn cut(look: &Look<'_>) -> Option<Found> {
    if !look.subject.is_v8 {
        return None;
    }
    let most = if look.subject.is_memory {
        HEAP_FRAMES
    } else {
        CPU_FRAMES
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
    // Deeper stacks come from a runtime that does not cut there.
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
    let frame = heaviest.and_then(|function| look.frame_of(function));
    let facts = Facts::CutStacks {
        value: all,
        frames: most,
    };
    Some(
        look.found(InsightKind::CutStacks, all, facts)
            .at(look, frame),
    )
}

/// Returns the function of a location's outermost line.
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
