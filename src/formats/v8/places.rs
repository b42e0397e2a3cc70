//! Call frames, as both of V8's formats have them.

use std::collections::HashMap;

use crate::formats::v8::events::Events;
use crate::formats::{Fault, limits};
use crate::model::profile::{Function, Interner, Line, Location, Parts, StrId};

/// Where V8 says a function is. Lines and columns count from 1 here, from 0 in the file; 0: not known.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
struct CallFrame {
    name: StrId,
    url: StrId,
    line: i64,
    column: i64,
}

/// The distinct call frames of a profile, as its locations.
#[derive(Debug)]
pub(super) struct Places {
    texts: Interner,
    known: HashMap<CallFrame, u32>,
    frames: Vec<CallFrame>,
    root: StrId,
}

impl Places {
    pub(super) fn new() -> Self {
        let mut texts = Interner::default();
        let root = texts.id(b"(root)");
        Self {
            texts,
            known: HashMap::new(),
            frames: Vec::new(),
            root,
        }
    }

    /// Reads a `callFrame` and returns its location.
    pub(super) fn read(&mut self, events: &mut Events<'_>) -> Result<u32, Fault> {
        let mut frame = CallFrame::default();
        events.object("a callFrame")?;
        while events.next_key()? {
            match events.text.as_str() {
                "functionName" => {
                    events.string("a functionName")?;
                    frame.name = self.texts.id(events.text.as_bytes());
                }
                "url" => {
                    events.string("a url")?;
                    frame.url = self.texts.id(events.text.as_bytes());
                }
                // -1 is none.
                "lineNumber" => frame.line = from_1(events.advisory_number("lineNumber")?),
                "columnNumber" => frame.column = from_1(events.advisory_number("columnNumber")?),
                _ => events.skip()?,
            }
        }
        if frame.name == StrId::EMPTY {
            // As the runtime's pprof has it; line and column keep such functions apart.
            frame.name = self.texts.id(b"(anonymous)");
        }
        if let Some(known) = self.known.get(&frame) {
            return Ok(*known);
        }
        limits::check(self.frames.len() + 1, limits::LOCATIONS, "call frames")?;
        let location = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        self.frames.push(frame);
        self.known.insert(frame, location);
        Ok(location)
    }

    /// Whether a location is V8's stand-in for the beginning of all stacks, which is no frame.
    pub(super) fn is_root(&self, location: u32) -> bool {
        self.frames
            .get(location as usize)
            .is_some_and(|frame| frame.name == self.root)
    }

    /// The file of a location.
    pub(super) fn file(&self, location: u32) -> StrId {
        self.frames
            .get(location as usize)
            .map_or(StrId::EMPTY, |frame| frame.url)
    }

    /// The id of a text.
    pub(super) fn text(&mut self, text: &str) -> StrId {
        self.texts.id(text.as_bytes())
    }

    /// Hands all places and texts over.
    pub(super) fn finish(self, parts: &mut Parts) {
        for (index, frame) in (0..).zip(&self.frames) {
            let CallFrame {
                name,
                url: file,
                line,
                column,
            } = *frame;
            parts.functions.push(Function {
                name,
                system_name: name,
                file,
                start_line: line,
            });
            parts.lines.push(Line {
                function: Some(index),
                line,
                column,
            });
            let (lines_from, lines_to) = (index, index + 1);
            parts.locations.push(Location {
                mapping: None,
                address: 0,
                lines_from,
                lines_to,
                folded: false,
            });
        }
        parts.strings = self.texts.finish();
    }
}

/// A line or column of the file, counted from 1; 0 for none.
fn from_1(from_0: Option<i64>) -> i64 {
    from_0.map_or(0, |number| number.saturating_add(1).max(0))
}

/// Refuses stacks that are too deep, or too much together, before any is built.
pub(super) fn check_depths(depths: impl Iterator<Item = u32>) -> Result<(), Fault> {
    let mut together = 0;
    for depth in depths {
        together += depth as usize;
        limits::stack(depth as usize, together, limits::TREE_ENTRIES)?;
    }
    Ok(())
}

/// Appends the stack of a node to all stacks, root first.
pub(super) fn push_stack(
    parts: &mut Parts,
    node: u32,
    above: impl Fn(u32) -> Option<u32>,
    location: impl Fn(u32) -> Option<u32>,
) {
    let start = parts.stacks.len();
    let mut at = Some(node);
    while let Some(node) = at {
        parts.stacks.extend(location(node));
        at = above(node);
    }
    if let Some(stack) = parts.stacks.get_mut(start..) {
        stack.reverse();
    }
    parts
        .stack_ends
        .push(u32::try_from(parts.stacks.len()).unwrap_or(u32::MAX));
}
