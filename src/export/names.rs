//! Names made safe for a picture: nothing in one can end a line of folded stacks, become markup or be obeyed.

use std::collections::HashMap;

use crate::model::graph::frames::{FrameId, Frames};
use crate::model::text::sanitize::printable;

/// Looks like a blank and doesn't part a name from a number behind it.
const NO_BREAK: char = '\u{a0}';

/// The frames' names as they stand in a picture.
pub(super) struct Names {
    clean: Vec<String>,
    places: Vec<String>,
}

impl Names {
    /// Cleans the names of all frames.
    pub(super) fn new(frames: &Frames) -> Self {
        let place = |frame| {
            let info = frames.info(frame);
            let file = if info.file.is_empty() {
                "runtime"
            } else {
                info.file
            };
            info.line
                .map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"))
        };
        Self {
            clean: frames
                .ids()
                .map(|frame| clean(frames.name(frame)))
                .collect(),
            places: frames.ids().map(|frame| clean(&place(frame))).collect(),
        }
    }

    /// Answers one name for each of the frames a caller calls: the plain one, and where two would read the same, with
    /// the place, so that they stay two boxes.
    pub(super) fn of_siblings(&self, frames: &[FrameId]) -> Vec<String> {
        let at = |names: &[String], frame: &FrameId| {
            names.get(frame.0 as usize).cloned().unwrap_or_default()
        };
        let mut names: Vec<String> = frames.iter().map(|frame| at(&self.clean, frame)).collect();
        let twice = count(&names);
        for (name, frame) in names.iter_mut().zip(frames) {
            if twice.get(name).is_some_and(|count| *count > 1) {
                *name = format!("{name} · {}", at(&self.places, frame));
            }
        }
        let twice = count(&names);
        let mut seen: HashMap<String, u32> = HashMap::new();
        for name in &mut names {
            if twice.get(name).is_some_and(|count| *count > 1) {
                let number = seen
                    .entry(name.clone())
                    .and_modify(|number| *number += 1)
                    .or_insert(1);
                *name = format!("{name} ·{number}");
            }
        }
        names
    }
}

fn count(names: &[String]) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for name in names {
        *counts.entry(name.clone()).or_insert(0) += 1;
    }
    counts
}

/// Makes text safe for XML and for a line of folded stacks, as little changed as can be.
pub(super) fn clean(text: &str) -> String {
    let printable = printable(text);
    // Two characters that XML can't hold and a terminal can; the semicolon parts frames.
    let replaced = printable
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
        .replace(';', ":");
    let mut name = replaced.trim().to_owned();
    if name.is_empty() {
        return "(nameless)".to_owned();
    }
    if name.starts_with("# ") {
        // A line that begins so would be a remark.
        name.replace_range(1..2, NO_BREAK.encode_utf8(&mut [0; 4]));
    }
    if let Some((before, last)) = name.rsplit_once(' ')
        && last
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        // It would be read as a count.
        name = format!("{before}{NO_BREAK}{last}");
    }
    if name.ends_with(']')
        && let Some(start) = name.rfind("_[")
    {
        // Taken for the mark of a kernel or inlined frame, and cut off.
        name.insert(start + 1, ' ');
    }
    name
}

/// Appends text as XML content.
pub(super) fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_be_read_wrongly_are_freed_of_it() {
        for (name, expected) in [
            ("handleCheckout", "handleCheckout"),
            ("[u8; 4]", "[u8: 4]"),
            ("retry 3", "retry\u{a0}3"),
            ("v 1.5", "v\u{a0}1.5"),
            ("# remark", "#\u{a0}remark"),
            ("read_[k]", "read_ [k]"),
            ("\u{1b}]0;x\u{7}", "␛]0:x␇"),
            ("a\u{fffe}b", "a\u{fffd}b"),
            ("  ", "␣␣"),
            ("", "(nameless)"),
            ("<b> & \"q\"", "<b> & \"q\""),
        ] {
            assert_eq!(clean(name), expected, "{name:?}");
        }
    }
}
