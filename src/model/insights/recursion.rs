//! Recursive functions: how deep, and how much it concerns.

use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::{Family, FrameId, is_nameless};
use crate::model::insights::{Facts, Found, InsightKind, Look, Recursion};

/// Less than one part in so many below itself is ignored: V8 shows a function below itself when it replaces its code.
const NESTED_PARTS: i128 = 100;
/// Most recursions that are reported.
const RECURSIONS_MAX: usize = 3;

/// What is known of one frame's recursion.
#[derive(Debug, Clone, Copy, Default)]
struct Nesting {
    /// Its most frames on one stack.
    deepest: u32,
    /// Its value below itself, each sample once.
    nested: i64,
    /// The totals of all its levels, added up.
    levels: i128,
    /// Its total where it called itself directly, each level added.
    direct: i128,
}

/// Finds recursions with a notable part below the first level, one for each ring of functions that call each other.
pub(crate) fn recursion(look: &Look<'_>) -> Vec<Found> {
    let reading = look.reading;
    let nestings = nestings(&reading.tree, reading.frames.len());
    let nesting = |frame: FrameId| nestings[frame.0 as usize];
    let is_recursion = |frame: &FrameId| {
        // What has no file may be the runtime's, and without columns several nameless functions can be one frame.
        let is_one = || look.profile.has_columns() || !is_nameless(reading.frames.name(*frame));
        matches!(
            reading.frames.family(*frame),
            Family::Own | Family::Dependency
        ) && is_one()
            && Look::is_part(nesting(*frame).nested, NESTED_PARTS, reading.base)
    };
    let mut waiting: Vec<FrameId> = reading.frames.ids().filter(is_recursion).collect();
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
                .map(|(frame, others)| insight(look, *frame, nesting(*frame), others)),
        );
    }
    found
}

fn insight(look: &Look<'_>, frame: FrameId, nesting: Nesting, others: &[FrameId]) -> Found {
    let reading = look.reading;
    let total = reading.stat(frame).total;
    let facts = Recursion {
        total,
        levels: nesting.levels,
        deepest: nesting.deepest,
        others: others
            .iter()
            .take(3)
            .map(|other| look.name(*other))
            .collect(),
        folds: nesting.direct * NESTED_PARTS >= reading.base
            && nesting.direct * 2 >= nesting.levels - i128::from(total),
    };
    look.found(InsightKind::Recursion, total, Facts::Recursion(facts))
        .at(look, Some(frame))
        // Two functions of one name and file are one frame.
        .unsure(reading.frames.info(frame).places > 1)
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

/// Marks the frames between a frame and itself deeper in the stack: they call each other in a ring.
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
        // Each node is visited once: what is above a seen one was seen with it.
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
