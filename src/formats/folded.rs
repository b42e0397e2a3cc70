//! Folded stacks: one line a stack, names joined by `;`, a blank, the value.
//!
//! The format can't quote, so what would be taken for its own marks is replaced: `;` by `:`, the blank before a number
//! that ends a name by a no-break space, likewise blanks at a name's ends, a `#` that begins a line by `＃`, control
//! characters as on the screen. A nameless function's place stands beside its name, as names are all that keeps functions
//! apart here. Values are in the profile's unit, which a comment names; differences may be negative.

mod read;

use std::fmt::Write;

use crate::model::diff::{Comparison, Pair};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::text::sanitize::printable;

pub(super) use read::{begins_like, read};

const NO_BREAK: char = '\u{a0}';

/// What values are unless a comment says otherwise.
const SAMPLES: (&str, &str) = ("samples", "count");
/// Begins the comment on what values are.
const VALUES: &str = "# values: ";
/// Stands between their name and their unit.
const IN: &str = " in ";

/// Writes the stacks of a reading at and below a node, that node first in each. The values are those of a type of this
/// name and unit. Returns nothing if there is no stack.
#[must_use]
pub fn write(reading: &Reading, root: NodeId, (kind, unit): (&str, &str)) -> String {
    let own = |node| Some(reading.tree.self_value(node)).filter(|own| *own != 0);
    let lines = lines(reading, root, |node| own(node).map(|own| own.to_string()));
    if (kind, unit) == SAMPLES || lines.is_empty() {
        return lines;
    }
    format!("{VALUES}{}{IN}{}\n{lines}", printable(kind), plain(unit))
}

/// Writes the stacks of both sides of a comparison at and below a node: the base's value, a blank, the new one's, as the
/// flame graph tools take them for the pictures of a difference.
#[must_use]
pub fn write_both(comparison: &Comparison, root: NodeId) -> String {
    let own = |node| Some(comparison.own(node)).filter(|own| *own != Pair::default());
    lines(&comparison.reading, root, |node| {
        own(node).map(|own| format!("{} {}", own.base, own.new))
    })
}

/// Writes a line for each node that has something to say.
fn lines(reading: &Reading, root: NodeId, values: impl Fn(NodeId) -> Option<String>) -> String {
    let tree = &reading.tree;
    let names: Vec<String> = reading
        .frames
        .ids()
        .map(|frame| plain(&reading.frames.label(frame)))
        .collect();
    let mut text = String::new();
    // The line up to the current node, and where each of its names begins.
    let mut line = String::new();
    let mut starts: Vec<usize> = Vec::new();
    let depth = tree.depth(root);
    for node in tree.within(root) {
        let Some(name) = tree
            .frame(node)
            .and_then(|frame| names.get(frame.0 as usize))
        else {
            continue;
        };
        let level = (tree.depth(node) - depth.max(1)) as usize;
        if let Some(start) = starts.get(level) {
            line.truncate(*start);
            starts.truncate(level);
        }
        starts.push(line.len());
        if line.is_empty() {
            line.push_str(
                &name
                    .strip_prefix('#')
                    .map_or_else(|| name.clone(), |rest| format!("＃{rest}")),
            );
        } else {
            line.push(';');
            line.push_str(name);
        }
        if let Some(values) = values(node) {
            // Writing into a String does not fail.
            let _ = writeln!(text, "{line} {values}");
        }
    }
    text
}

/// A name without the format's own marks.
fn plain(name: &str) -> String {
    let mut name: String = printable(name).replace(';', ":");
    let inner = name.trim_matches(' ');
    if inner.len() < name.len() {
        let (before, after) = (
            name.len() - name.trim_start_matches(' ').len(),
            name.len() - name.trim_end_matches(' ').len(),
        );
        let pad = |count| std::iter::repeat_n(NO_BREAK, count).collect::<String>();
        name = format!("{}{inner}{}", pad(before), pad(after));
    }
    if let Some((head, number)) = name.rsplit_once(' ')
        && number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
    {
        name = format!("{head}{NO_BREAK}{number}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_lose_what_the_format_would_take_for_its_own() {
        for (name, expected) in [
            ("fetch", "fetch"),
            ("a;b", "a:b"),
            ("Array.at 42", "Array.at\u{a0}42"),
            ("line\nbreak", "line␊break"),
            (" lead and trail ", "\u{a0}lead and trail\u{a0}"),
            ("two words", "two words"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
