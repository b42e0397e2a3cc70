//! Functions that run below themselves: how deep, and what that concerns.

use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::{Family, FrameId, is_nameless};
use crate::model::insights::wording::{fitting, listed, name};
use crate::model::insights::{Certainty, Found, Hint, HintKind, Look, Place};
use crate::model::text::units::value;

/// Less than one part in so many below itself is not told: V8 shows a function below itself when it swaps its code.
const NESTED_PARTS: i128 = 100;
/// So many recursions are told at most.
const RECURSIONS_MAX: usize = 3;

/// What is known of one frame's recursion.
#[derive(Debug, Clone, Copy, Default)]
struct Nesting {
    /// How often it stands on one stack, at most.
    deepest: u32,
    /// What runs in it below itself, each sample once.
    nested: i64,
    /// The totals of all its levels, added up.
    levels: i128,
    /// What runs in it when it was called by itself directly, each level added.
    direct: i128,
}

/// Recursions with a notable part below the first level, one for each ring of functions that call each other.
pub(crate) fn recursion(look: &Look<'_>) -> Vec<Found> {
    let reading = look.reading;
    let nestings = nestings(&reading.tree, reading.frames.len());
    let nesting = |frame: FrameId| nestings[frame.0 as usize];
    let is_told = |frame: &FrameId| {
        // What has no file may be the runtime's, and without columns several nameless functions can be one frame.
        let is_one = || look.profile.has_columns() || !is_nameless(reading.frames.name(*frame));
        matches!(
            reading.frames.family(*frame),
            Family::Own | Family::Dependency
        ) && is_one()
            && Look::is_part(nesting(*frame).nested, NESTED_PARTS, reading.base)
    };
    let mut waiting: Vec<FrameId> = reading.frames.ids().filter(is_told).collect();
    waiting.sort_by_key(|frame| std::cmp::Reverse(nesting(*frame).nested));
    let mut found = Vec::new();
    while let Some(&first) = waiting.first().filter(|_| found.len() < RECURSIONS_MAX) {
        let ring = ring(&reading.tree, first, reading.frames.len());
        let (mut members, rest): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|frame| *frame == first || ring[frame.0 as usize]);
        waiting = rest;
        members.sort_by_key(|frame| std::cmp::Reverse(reading.stat(*frame).self_value));
        found.extend(
            members
                .split_first()
                .map(|(frame, others)| told(look, *frame, nesting(*frame), others)),
        );
    }
    found
}

fn told(look: &Look<'_>, frame: FrameId, nesting: Nesting, others: &[FrameId]) -> Found {
    let (reading, subject) = (look.reading, &look.subject);
    let total = reading.stat(frame).total;
    let (name_of, share, noun, deep) = (
        name(reading, frame),
        subject.share(total),
        &subject.noun,
        nesting.deepest,
    );
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let average = nesting.levels as f64 / total.max(1) as f64;
    let mut why = format!(
        "{} once, {} level by level: {average:.1} deep on average",
        subject.value(total),
        value(nesting.levels, &subject.unit)
    );
    if !others.is_empty() {
        let names: Vec<String> = others
            .iter()
            .take(3)
            .map(|other| name(reading, *other))
            .collect();
        why += &format!("; with {}", listed(&names));
    }
    let folds = nesting.direct * NESTED_PARTS >= reading.base
        && nesting.direct * 2 >= nesting.levels - i128::from(total);
    if folds {
        why += "; r folds it";
    }
    // Two functions of one name and file are one frame.
    let is_one = reading.frames.info(frame).places <= 1;
    let hint = Hint {
        kind: HintKind::Recursion,
        certainty: if is_one {
            Certainty::Certain
        } else {
            Certainty::Likely
        },
        text: fitting(&[
            format!("{name_of} runs below itself, {deep} deep: {share} of {noun}"),
            format!("{name_of} runs below itself, {deep} deep: {share}"),
            format!("{name_of} runs below itself: {share}"),
            format!("{share} of {noun} in recursion of {name_of}"),
        ]),
        why,
        goes_to: Some(Place::Function(look.function(frame))),
    };
    Found {
        hint,
        weight: total,
    }
}

/// Measures each frame's recursion in one walk.
fn nestings(tree: &Tree, frames: usize) -> Vec<Nesting> {
    let mut nestings = vec![Nesting::default(); frames];
    let mut on_path = vec![0_u32; frames];
    let mut path: Vec<usize> = Vec::new();
    for node in tree.nodes() {
        while path.len() >= tree.depth(node).max(1) as usize {
            if let Some(left) = path.pop() {
                on_path[left] -= 1;
            }
        }
        let Some(FrameId(frame)) = tree.frame(node) else {
            continue;
        };
        let frame = frame as usize;
        let total = tree.total(node);
        let nesting = &mut nestings[frame];
        nesting.levels += i128::from(total);
        if on_path[frame] == 1 {
            nesting.nested += total;
        }
        if path.last() == Some(&frame) {
            nesting.direct += i128::from(total);
        }
        on_path[frame] += 1;
        nesting.deepest = nesting.deepest.max(on_path[frame]);
        path.push(frame);
    }
    nestings
}

/// Marks the frames that stand between a frame and itself further in: they call each other in a ring.
fn ring(tree: &Tree, frame: FrameId, frames: usize) -> Vec<bool> {
    let mut ring = vec![false; frames];
    let mut seen = vec![false; tree.len()];
    let mut inside_until = NodeId::ROOT;
    for node in tree.nodes().filter(|node| tree.frame(*node) == Some(frame)) {
        if node >= inside_until {
            inside_until = tree.end(node);
            continue;
        }
        let mut above = tree.parent(node);
        // Each node is passed once: what lies above one that was seen was seen with it.
        while tree.frame(above) != Some(frame) && !seen[above.0 as usize] {
            seen[above.0 as usize] = true;
            if let Some(FrameId(between)) = tree.frame(above) {
                ring[between as usize] = true;
            }
            above = tree.parent(above);
        }
    }
    ring
}
