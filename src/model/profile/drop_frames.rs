//! Drops frames that the producer declares uninteresting (`drop_frames`, `keep_frames`), as pprof does: the frame and its
//! callees go, and their value goes to the caller.

use crate::model::profile::parts::Parts;
use crate::model::profile::strings::StrId;
use crate::model::text::pattern::{Pattern, PatternError};

/// What is dropped of a location.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// Nothing.
    None,
    /// All of it, with its callees.
    Whole,
    /// What it inlined, with its callees; its outer lines stay.
    Below,
}

/// Cuts the stacks. Nothing is cut if one of the two expressions is invalid.
pub(crate) fn prune(parts: &mut Parts) {
    let Ok(Some((drop, keep))) = expressions(parts) else {
        return;
    };
    let cuts: Vec<Cut> = (0..parts.locations.len())
        .map(|at| cut(parts, at, &drop, keep.as_ref()))
        .collect();
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
    // Only once: a location that lost only inlined lines would count as the user's own the next time, and a written profile
    // would be cut again when it is read.
    (parts.drop_frames, parts.keep_frames) = (StrId::EMPTY, StrId::EMPTY);
}

/// Returns the patterns of frames to drop, and of those to keep nevertheless; `None` if none are to be dropped.
///
/// # Errors
/// [`PatternError`] for the first invalid one.
pub(crate) fn expressions(
    parts: &Parts,
) -> Result<Option<(Pattern, Option<Pattern>)>, PatternError> {
    let Some(drop) = compile(parts, parts.drop_frames)? else {
        return Ok(None);
    };
    Ok(Some((drop, compile(parts, parts.keep_frames)?)))
}

fn compile(parts: &Parts, id: StrId) -> Result<Option<Pattern>, PatternError> {
    let text = parts.strings.text(id);
    if text.is_empty() {
        return Ok(None);
    }
    if std::str::from_utf8(parts.strings.bytes(id)).is_err() {
        return Err(PatternError::new(&text, "it is not UTF-8"));
    }
    // The error should quote the expression as written, if that is invalid by itself.
    let whole = Pattern::new(&format!("^({text})$"));
    whole
        .map(Some)
        .map_err(|fault| Pattern::new(&text).err().unwrap_or(fault))
}

/// Decides what to drop of a location, and removes its dropped lines.
fn cut(parts: &mut Parts, at: usize, drop: &Pattern, keep: Option<&Pattern>) -> Cut {
    let location = parts.locations[at];
    let (from, to) = (location.lines_from as usize, location.lines_to as usize);
    let goes = |line: &crate::model::profile::parts::Line| {
        let Some(function) = line.function else {
            return false;
        };
        let name = parts.strings.bytes(parts.functions[function as usize].name);
        // A name of nothing but arguments matches as the empty text.
        let simple = simple(name);
        !name.is_empty() && drop.matches(simple) && !keep.is_some_and(|keep| keep.matches(simple))
    };
    // The outermost line that matches; those before it were inlined into it.
    match parts.lines[from..to].iter().rposition(goes) {
        None => Cut::None,
        Some(line) if from + line + 1 == to => Cut::Whole,
        Some(line) => {
            parts.locations[at].lines_from += u32::try_from(line + 1).unwrap_or(0);
            Cut::Below
        }
    }
}

/// Counts the frames to cut at a stack's leaf. Those before the first frame of the user's own stay: a stack is never cut to
/// nothing.
fn cut_off(stack: &[u32], cuts: &[Cut]) -> usize {
    let of = |location: &u32| cuts[*location as usize];
    let Some(first) = stack.iter().position(|location| of(location) == Cut::None) else {
        return 0;
    };
    match stack
        .iter()
        .enumerate()
        .skip(first)
        .find(|(_, location)| of(location) != Cut::None)
    {
        None => 0,
        Some((at, location)) => stack.len() - at - usize::from(of(location) == Cut::Below),
    }
}

/// Returns a function's name without its arguments.
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
    use crate::model::profile::strings::Strings;
    use crate::wording::wording;

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
    fn an_expression_that_is_none_cuts_nothing_and_is_reported() {
        let mut wording = wording!();
        for (drop, keep, expected) in [
            (r"runtime\.\p{L}+", "", None),
            ("a)|(b", "", None),
            ("", "(", None),
            (
                "(",
                "",
                Some("`(` is no regular expression: unclosed group"),
            ),
            (
                "a",
                "b)",
                Some("`b)` is no regular expression: unopened group"),
            ),
        ] {
            let mut strings = Strings::new();
            let (drop_frames, keep_frames) =
                (strings.push(drop.as_bytes()), strings.push(keep.as_bytes()));
            let parts = Parts {
                strings,
                drop_frames,
                keep_frames,
                ..Parts::default()
            };
            let fault = expressions(&parts).err().map(|fault| fault.to_string());
            assert_eq!(fault.is_some(), expected.is_some(), "{drop} {keep}");
            if let (Some(fault), Some(expected)) = (fault, expected) {
                assert!(fault.starts_with(expected), "{fault}");
                wording.add(fault);
            }
        }
    }

    #[test]
    fn what_comes_before_the_first_own_frame_stays() {
        let cuts = [Cut::None, Cut::Whole, Cut::Below];
        for (stack, gone) in [
            (&[0, 1, 0][..], 2),
            (&[0, 2, 0], 1),
            (&[1, 1], 0),
            (&[1, 0, 0, 1], 1),
            (&[1, 0], 0),
            (&[], 0),
        ] {
            assert_eq!(cut_off(stack, &cuts), gone, "{stack:?}");
        }
    }
}
