//! Frames that the producer itself declares uninteresting (`drop_frames`, `keep_frames`), cut off as pprof does: the frame
//! and all it called go, their value to the frame above.

use regex::bytes::Regex;

use super::go_syntax::translate;
use super::profile::{Parts, StrId};

/// What pruning does to a location.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// Nothing.
    None,
    /// It goes, with all below.
    Whole,
    /// What it inlined goes, with all below; its outer lines stay.
    Below,
}

/// Cuts the stacks. An expression that is none cuts nothing.
pub(super) fn prune(parts: &mut Parts) {
    let Some(drop) = compile(parts, parts.drop_frames) else { return };
    let keep = compile(parts, parts.keep_frames);
    let cuts: Vec<Cut> = (0..parts.locations.len()).map(|at| cut(parts, at, &drop, keep.as_ref())).collect();
    if cuts.iter().all(|cut| *cut == Cut::None) {
        return;
    }
    let mut from = 0;
    let mut kept = 0;
    for end in &mut parts.stack_ends {
        let until = *end as usize;
        let stack = &parts.stacks[from..until];
        let left = stack.len() - cut_off(stack, &cuts);
        parts.stacks.copy_within(from..from + left, kept);
        kept += left;
        from = until;
        *end = u32::try_from(kept).unwrap_or(u32::MAX);
    }
    parts.stacks.truncate(kept);
    // Done once and for all: where only what a place inlined went, the place that is left would count as the user's own
    // the next time, and what is written would be cut again when it is read.
    (parts.drop_frames, parts.keep_frames) = (StrId::EMPTY, StrId::EMPTY);
}

fn compile(parts: &Parts, id: StrId) -> Option<Regex> {
    let text = parts.strings.text(id);
    if text.is_empty() { None } else { Regex::new(&format!("^(?:{})$", translate(&text))).ok() }
}

/// Decides about a location and takes off the lines that go.
fn cut(parts: &mut Parts, at: usize, drop: &Regex, keep: Option<&Regex>) -> Cut {
    let location = parts.locations[at];
    let (from, to) = (location.lines_from as usize, location.lines_to as usize);
    let goes = |line: &super::profile::Line| {
        let Some(function) = line.function else { return false };
        let name = parts.strings.bytes(parts.functions[function as usize].name);
        let name = simple(name);
        !name.is_empty() && drop.is_match(name) && !keep.is_some_and(|keep| keep.is_match(name))
    };
    // The outermost line that matches; those before it were inlined below.
    match parts.lines[from..to].iter().rposition(goes) {
        None => Cut::None,
        Some(line) if from + line + 1 == to => Cut::Whole,
        Some(line) => {
            parts.locations[at].lines_from += u32::try_from(line + 1).unwrap_or(0);
            Cut::Below
        }
    }
}

/// How many frames at the leaf's end of a stack go. Those before the first frame of the user's own stay: a stack is never
/// pruned to nothing.
fn cut_off(stack: &[u32], cuts: &[Cut]) -> usize {
    let of = |location: &u32| cuts[*location as usize];
    let Some(first) = stack.iter().position(|location| of(location) == Cut::None) else { return 0 };
    match stack.iter().enumerate().skip(first).find(|(_, location)| of(location) != Cut::None) {
        None => 0,
        Some((at, location)) => stack.len() - at - usize::from(of(location) == Cut::Below),
    }
}

/// A function's name without its arguments.
fn simple(name: &[u8]) -> &[u8] {
    const RESERVED: [&[u8]; 2] = [b"(anonymous namespace)", b"operator()"];
    let name = name.strip_prefix(b".").unwrap_or(name);
    let mut at = 0;
    while let Some(rest) = name.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(reserved) = RESERVED.iter().find(|reserved| rest.starts_with(reserved)) {
            at += reserved.len();
        } else if rest.starts_with(b"(") {
            return &name[..at];
        } else {
            at += 1;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_no_part_of_a_name() {
        for (name, expected) in [
            ("malloc", "malloc"),
            (".malloc", "malloc"),
            ("run(int)", "run"),
            ("(anonymous namespace)::go()", "(anonymous namespace)::go"),
            ("Fn::operator()(int)", "Fn::operator()"),
        ] {
            assert_eq!(simple(name.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn what_comes_before_the_first_own_frame_stays() {
        let cuts = [Cut::None, Cut::Whole, Cut::Below];
        for (stack, gone) in
            [(&[0, 1, 0][..], 2), (&[0, 2, 0], 1), (&[1, 1], 0), (&[1, 0, 0, 1], 1), (&[1, 0], 0), (&[], 0)]
        {
            assert_eq!(cut_off(stack, &cuts), gone, "{stack:?}");
        }
    }
}
