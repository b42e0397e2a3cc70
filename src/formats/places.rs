//! The places in code that a file names, for formats that name each by function, file and line.

use std::collections::HashMap;

use crate::formats::{Fault, limits};
use crate::model::profile::{
    Function, Interner, Label, LabelValue, Line, Location, Parts, SampleType, StrId,
};

/// Where a function is. Lines and columns count from 1; 0: not known.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) name: StrId,
    pub(super) file: StrId,
    pub(super) line: i64,
    pub(super) column: i64,
}

/// The distinct places of a profile, as its locations.
#[derive(Debug, Default)]
pub(super) struct Places {
    texts: Interner,
    known: HashMap<Place, u32>,
    places: Vec<Place>,
}

impl Places {
    /// Returns the location of a place.
    pub(super) fn location(&mut self, place: Place) -> Result<u32, Fault> {
        if let Some(known) = self.known.get(&place) {
            return Ok(*known);
        }
        limits::check(self.places.len() + 1, limits::LOCATIONS, "places in code")?;
        let location = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.places.push(place);
        self.known.insert(place, location);
        Ok(location)
    }

    /// Returns what a location was made of.
    pub(super) fn place(&self, location: u32) -> Place {
        self.places
            .get(location as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Returns the id of a text.
    pub(super) fn text(&mut self, text: impl AsRef<[u8]>) -> StrId {
        self.texts.id(text.as_ref())
    }

    /// Returns a sample type of that name and unit.
    pub(super) fn sample_type(&mut self, kind: &str, unit: &str) -> SampleType {
        SampleType {
            kind: self.text(kind),
            unit: self.text(unit),
        }
    }

    /// Labels the records from `before` on with the thread that they are of.
    pub(super) fn label_thread(&mut self, thread: &str, before: usize, parts: &mut Parts) {
        let label = Label {
            key: self.text("thread"),
            value: LabelValue::Text(self.text(thread)),
        };
        for _ in before..parts.stack_ends.len() {
            parts.labels.push(label);
            let end = u32::try_from(parts.labels.len()).unwrap_or(u32::MAX);
            parts.label_ends.push(end);
        }
    }

    /// Hands all places and texts over.
    pub(super) fn finish(self, parts: &mut Parts) {
        for (index, place) in (0..).zip(&self.places) {
            let Place {
                name,
                file,
                line,
                column,
            } = *place;
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
            parts.locations.push(Location {
                mapping: None,
                address: 0,
                lines_from: index,
                lines_to: index + 1,
                folded: false,
            });
        }
        parts.strings = self.texts.finish();
    }
}

/// Refuses stacks that are too deep, or too many together with those that `parts` has, before any is built.
pub(super) fn check_depths(parts: &Parts, depths: impl Iterator<Item = u32>) -> Result<(), Fault> {
    let mut together = parts.stacks.len();
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
