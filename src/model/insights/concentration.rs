//! Where memory is allocated: in one of several files or packages, or else below one function.

use std::collections::HashMap;

use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frame_key::package;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::insights::wording::{fitting, listed, name};
use crate::model::insights::{Certainty, Found, Hint, HintKind, Look, Place};
use crate::model::text::sanitize::printable;

/// From half on, memory is concentrated.
const HALF: i128 = 2;
/// What holds all but one part in so many is the way in, and says nothing.
const ENTRY_PARTS: i128 = 20;
/// So many functions are named.
const NAMED_MAX: usize = 3;
/// Go's own scheduler starts every stack.
const GO_RUNTIME: &str = "runtime";

/// One of several files or packages, else one function that is not the way in. `found` is what was told before.
pub(crate) fn concentrated(look: &Look<'_>, found: &[Found]) -> Option<Found> {
    if !look.subject.is_memory {
        return None;
    }
    by_group(look).or_else(|| by_function(look, found))
}

/// Whether a part is at least half of what is shown, and not simply everything.
fn dominates(look: &Look<'_>, part: i64) -> bool {
    let shown = look.reading.shown;
    Look::is_part(part, HALF, shown) && (shown - i128::from(part)) * ENTRY_PARTS > shown
}

fn by_group(look: &Look<'_>) -> Option<Found> {
    let reading = look.reading;
    let (groups, group_of) = groups(look);
    if groups.len() < 2 {
        return None;
    }
    let totals = totals(look, &group_of, groups.len());
    // The innermost that still holds half: callers hold no less.
    let (group, total) = totals
        .iter()
        .enumerate()
        .filter(|(_, total)| dominates(look, **total))
        .min_by_key(|(_, total)| **total)
        .map(|(group, total)| (group, *total))?;
    let mut members: Vec<(FrameId, i64)> = reading
        .frames
        .ids()
        .filter(|frame| group_of[frame.0 as usize] == Some(group))
        .map(|frame| (frame, reading.stat(frame).total))
        .collect();
    members.sort_by_key(|(_, total)| std::cmp::Reverse(*total));
    let (share, noun, place) = (
        look.subject.share(total),
        &look.subject.noun,
        printable(&groups[group]),
    );
    let hint = Hint {
        kind: HintKind::Concentrated,
        certainty: Certainty::Certain,
        text: fitting(&[
            format!("{share} of {noun} are allocated in or below {place}"),
            format!("{share} of {noun} in or below {}", last_parts(&place)),
        ]),
        why: format!(
            "{}, by {}",
            look.subject.value(total),
            with_shares(look, &members)
        ),
        goes_to: members
            .first()
            .map(|(frame, _)| Place::Function(look.function(*frame))),
    };
    Some(Found {
        hint,
        weight: total,
    })
}

fn by_function(look: &Look<'_>, found: &[Found]) -> Option<Found> {
    let reading = look.reading;
    let entries: Vec<Option<FrameId>> = reading
        .tree
        .unordered(NodeId::ROOT)
        .map(|child| reading.tree.frame(child))
        .collect();
    let (frame, total) = reading
        .frames
        .ids()
        .filter(|frame| {
            let family = reading.frames.family(*frame);
            !matches!(family, Family::Runtime | Family::Unknown) && !entries.contains(&Some(*frame))
        })
        .map(|frame| (frame, reading.stat(frame).total))
        .filter(|(_, total)| dominates(look, *total))
        .min_by_key(|(_, total)| *total)?;
    let function = look.function(frame);
    if found.iter().any(|found| found.leads_to(&function)) {
        return None;
    }
    let (share, noun) = (look.subject.share(total), &look.subject.noun);
    let below = callees(look, frame);
    let hint = Hint {
        kind: HintKind::AllocatedBelow,
        certainty: Certainty::Certain,
        text: fitting(&[
            format!(
                "{share} of {noun} are allocated below {}",
                name(reading, frame)
            ),
            format!("{share} below {}", name(reading, frame)),
        ]),
        why: format!(
            "{}, by {}",
            look.subject.value(total),
            with_shares(look, &below)
        ),
        goes_to: Some(Place::Function(function)),
    };
    Some(Found {
        hint,
        weight: total,
    })
}

/// The files and packages that are somebody's code, and which of them each frame belongs to.
fn groups(look: &Look<'_>) -> (Vec<String>, Vec<Option<usize>>) {
    let frames = &look.reading.frames;
    let mut groups: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let group_of = frames
        .ids()
        .map(|frame| {
            let info = frames.info(frame);
            let group = match frames.family(frame) {
                Family::Dependency => package(info.name, info.file),
                Family::Own if info.file.ends_with(".go") => package(info.name, info.file),
                Family::Own => info.file.to_owned(),
                Family::Runtime | Family::Unknown | Family::Grey | Family::Gc => return None,
            };
            (group != GO_RUNTIME && look.reading.stat(frame).nodes > 0).then(|| {
                *known.entry(group).or_insert_with_key(|group| {
                    groups.push(group.clone());
                    groups.len() - 1
                })
            })
        })
        .collect();
    (groups, group_of)
}

/// What each group adds up to, each sample once however many of its frames are on the stack.
fn totals(look: &Look<'_>, group_of: &[Option<usize>], groups: usize) -> Vec<i64> {
    let tree = &look.reading.tree;
    let mut totals = vec![0; groups];
    // Where the last stack part that was counted for a group ends: what lies within is counted already.
    let mut counted_to = vec![NodeId::ROOT; groups];
    for node in tree.nodes() {
        let Some(group) = tree
            .frame(node)
            .and_then(|frame| group_of[frame.0 as usize])
        else {
            continue;
        };
        if node >= counted_to[group] {
            totals[group] += tree.total(node);
            counted_to[group] = tree.end(node);
        }
    }
    totals
}

/// What a function calls, heaviest first, with what runs below each; where it recurses, from its outermost calls.
fn callees(look: &Look<'_>, frame: FrameId) -> Vec<(FrameId, i64)> {
    let tree = &look.reading.tree;
    let mut callees: Vec<(FrameId, i64)> = Vec::new();
    let mut counted_to = NodeId::ROOT;
    for node in tree.nodes().filter(|node| tree.frame(*node) == Some(frame)) {
        if node < counted_to {
            continue;
        }
        counted_to = tree.end(node);
        for child in tree.unordered(node) {
            let Some(callee) = tree.frame(child) else {
                continue;
            };
            match callees.iter_mut().find(|(known, _)| *known == callee) {
                Some((_, total)) => *total += tree.total(child),
                None => callees.push((callee, tree.total(child))),
            }
        }
    }
    callees.sort_by_key(|(_, total)| std::cmp::Reverse(*total));
    callees
}

fn with_shares(look: &Look<'_>, functions: &[(FrameId, i64)]) -> String {
    let named = functions.iter().take(NAMED_MAX);
    let words = |(frame, total): &(FrameId, i64)| {
        format!(
            "{} {}",
            name(look.reading, *frame),
            look.subject.share(*total)
        )
    };
    listed(&named.map(words).collect::<Vec<_>>())
}

/// The last two parts of a path.
fn last_parts(path: &str) -> &str {
    path.rmatch_indices('/')
        .nth(1)
        .map_or(path, |(at, _)| path.get(at + 1..).unwrap_or(path))
}
