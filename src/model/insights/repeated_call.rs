//! One caller that calls the same function from two of its lines: work that may be done twice.
//!
//! Only profiles whose callers' lines were sampled can show it, as Go's do; V8 gives every function one line.

use std::collections::HashMap;

use crate::model::graph::frame_key::package;
use crate::model::hash::Quick;
use crate::model::insights::{Facts, Found, InsightKind, Look};
use crate::model::profile::stack_trie::NONE;
use crate::model::profile::{Line, Profile};

/// The second line must have one part in so many: a tail is no finding.
const SECOND_PARTS: i128 = 100;

/// A call: from which function to which.
type Call = (u32, u32);

/// The caller's lines, with the total of the calls from each.
type Lines = Vec<(i64, i64)>;

/// Finds the caller that could save most by calling once.
pub(crate) fn called_twice(look: &Look<'_>) -> Option<Found> {
    if !has_sampled_lines(look.profile) {
        return None;
    }
    let mut best: Option<(i64, Call, Lines)> = None;
    for (call, mut lines) in calls(look) {
        lines.sort_unstable_by_key(|(line, value)| (std::cmp::Reverse(*value), *line));
        let Some((_, second)) = lines.get(1) else {
            continue;
        };
        let saved = lines.iter().skip(1).map(|(_, value)| value).sum();
        let better = best
            .as_ref()
            .is_none_or(|(most, known, _)| (saved, *known) > (*most, call));
        if better
            && Look::is_part(*second, SECOND_PARTS, look.reading.base)
            && is_own(look.profile, call)
        {
            best = Some((saved, call, lines));
        }
    }
    let (_, (caller, callee), lines) = best?;
    let total = lines.iter().map(|(_, value)| value).sum();
    let text = |function: u32| name(look.profile, function).into_owned();
    let facts = Facts::Calls {
        from: text(caller),
        to: text(callee),
        lines,
    };
    Some(
        look.found(InsightKind::CalledTwice, total, facts)
            .at(look, look.frame_of(caller)),
    )
}

/// Whether some function was sampled on more than one line.
fn has_sampled_lines(profile: &Profile) -> bool {
    let mut first: HashMap<u32, i64, Quick> = HashMap::default();
    profile.parts.lines.iter().any(|line| {
        line.function.is_some_and(|function| {
            line.line > 0 && *first.entry(function).or_insert(line.line) != line.line
        })
    })
}

/// Returns each call's total by the caller's line, each sample once.
fn calls(look: &Look<'_>) -> HashMap<Call, Lines, Quick> {
    let (profile, paths) = (look.profile, &look.profile.paths);
    let mut totals = vec![0_i64; paths.parent.len()];
    for (node, value) in profile.record_ends.iter().zip(look.values()) {
        totals[*node as usize] += value;
    }
    for node in (1..totals.len()).rev() {
        totals[paths.parent[node] as usize] += totals[node];
    }
    let lines_of = |node: u32| {
        let location = profile.locations().get(paths.step[node as usize] as usize);
        location.map_or(&[][..], |location| profile.lines(location))
    };
    let mut calls: HashMap<Call, Lines, Quick> = HashMap::default();
    // How often each function is on the current stack: a recursive one would be counted at every level.
    let mut on_stack = vec![0_u32; profile.functions().len()];
    let mut stack: Vec<u32> = Vec::new();
    for node in 1..u32::try_from(totals.len()).unwrap_or(NONE) {
        while let Some(left) = stack.pop_if(|above| *above != paths.parent[node as usize]) {
            functions(lines_of(left)).for_each(|function| on_stack[function as usize] -= 1);
        }
        let mut caller = stack
            .last()
            .and_then(|above| lines_of(*above).first())
            .copied();
        for callee in lines_of(node).iter().rev() {
            if let (Some(from), Some(to)) = (caller, callee.function)
                && let Some(function) = from
                    .function
                    .filter(|function| *function != to && from.line > 0)
                && on_stack[function as usize] == 1
                && on_stack[to as usize] == 0
            {
                add(
                    calls.entry((function, to)).or_default(),
                    from.line,
                    totals[node as usize],
                );
            }
            functions(std::slice::from_ref(callee))
                .for_each(|function| on_stack[function as usize] += 1);
            caller = Some(*callee);
        }
        stack.push(node);
    }
    calls
}

fn functions(lines: &[Line]) -> impl Iterator<Item = u32> + '_ {
    lines.iter().filter_map(|line| line.function)
}

fn add(lines: &mut Lines, line: i64, value: i64) {
    match lines.iter_mut().find(|(known, _)| *known == line) {
        Some((_, sum)) => *sum += value,
        None => lines.push((line, value)),
    }
}

fn name(profile: &Profile, function: u32) -> std::borrow::Cow<'_, str> {
    profile.text(profile.functions()[function as usize].name)
}

/// Whether a call is made by code that the reader can change: Go's own library calls itself from everywhere.
fn is_own(profile: &Profile, (caller, _): Call) -> bool {
    let function = &profile.functions()[caller as usize];
    let (name, file) = (profile.text(function.name), profile.text(function.file));
    // Its files lie by their import path, under `src/` unless paths were trimmed; others' modules begin with a host.
    let folder = format!("{}/", package(&name, &file));
    let is_library = !folder.contains('.')
        && (file.starts_with(&folder) || file.contains(&format!("/src/{folder}")));
    !(file.ends_with(".go") && is_library)
}
