//! Where memory is allocated: in one of several files or packages, else below one function.

use std::collections::HashMap;

use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frame_key::package;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::insights::{Facts, Found, InsightKind, Look};

/// Memory is concentrated where half of it is.
const HALF: i128 = 2;
/// What has all but one part in so many is only the entry, and means nothing.
const ENTRY_PARTS: i128 = 20;
/// Most functions that are named.
const NAMED_MAX: usize = 3;
/// Go's own scheduler starts every stack.
const GO_RUNTIME: &str = "runtime";

/// Finds one of several files or packages, else one function that is not the entry. `found` has the insights so far.
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
    // The innermost that still has half: its callers have no less.
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
    let facts = Facts::Allocations {
        place: groups[group].clone(),
        total,
        parts: largest(look, &members),
    };
    let first = members.first().map(|(frame, _)| *frame);
    Some(
        look.found(InsightKind::Concentrated, total, facts)
            .at(look, first),
    )
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
    let function = Some(look.function(frame));
    if found.iter().any(|found| found.insight.function == function) {
        return None;
    }
    let facts = Facts::Allocations {
        place: look.name(frame),
        total,
        parts: largest(look, &callees(look, frame)),
    };
    Some(
        look.found(InsightKind::AllocatedBelow, total, facts)
            .at(look, Some(frame)),
    )
}

/// Returns the files and packages with code, and which of them each frame belongs to.
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

/// Returns each group's total; each sample counts once, however many of the group's frames are on its stack.
fn totals(look: &Look<'_>, group_of: &[Option<usize>], groups: usize) -> Vec<i64> {
    let tree = &look.reading.tree;
    let mut totals = vec![0; groups];
    // Where the subtree ends that was counted last for each group: what is in it is counted already.
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

/// Returns a function's callees with their totals, the heaviest first; of recursion, those of the outermost calls.
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

fn largest(look: &Look<'_>, functions: &[(FrameId, i64)]) -> Vec<(String, i64)> {
    functions
        .iter()
        .take(NAMED_MAX)
        .map(|(frame, total)| (look.name(*frame), *total))
        .collect()
}
