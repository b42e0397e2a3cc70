//! Functions and paths of them in words that outlive one tree, and their places in another one.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::graph::view::Direction;

/// A function in words: name, file and line.
type Words = (String, String, Option<i64>);

/// A frame's identity in words that outlive one tree, and one set of names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    shown: Words,
    /// Where nameless functions of one line need it.
    column: Option<i64>,
    /// What the bundle calls it.
    bundle: Words,
}

impl Name {
    /// Whether another function has the same name and place on the screen.
    pub(crate) fn is_shown_as(&self, other: &Self) -> bool {
        (&self.shown, self.column) == (&other.shown, other.column)
    }
}

/// Returns the words of a node's function; `None` for the root.
pub(crate) fn name_of(reading: &Reading, node: NodeId) -> Option<Name> {
    Some(name_of_frame(reading, reading.tree.frame(node)?))
}

/// Returns the words of a frame.
pub(crate) fn name_of_frame(reading: &Reading, frame: FrameId) -> Name {
    let info = reading.frames.info(frame);
    let shown = (info.name.to_owned(), info.file.to_owned(), info.line);
    let bundle = info
        .original
        .map(|original| (original.name.clone(), original.file.clone(), original.line));
    Name {
        column: info.column,
        bundle: bundle.unwrap_or_else(|| shown.clone()),
        shown,
    }
}

/// Returns the functions from the root down to a node.
pub(crate) fn path(reading: &Reading, node: NodeId) -> Vec<Name> {
    let mut names = Vec::new();
    let mut here = node;
    while let Some(name) = name_of(reading, here) {
        names.push(name);
        here = reading.tree.parent(here);
    }
    names.reverse();
    names
}

/// Returns a node's function in the inverted tree: among those with self time, which are on top then,
/// else where it weighs most.
pub(crate) fn turned_place(
    old: &Reading,
    node: NodeId,
    reading: &Reading,
    direction: Direction,
) -> NodeId {
    let Some(name) = name_of(old, node) else {
        return NodeId::ROOT;
    };
    let on_top = match direction {
        Direction::BottomUp => reading
            .tree
            .unordered(NodeId::ROOT)
            .find(|child| name_of(reading, *child).as_ref() == Some(&name)),
        Direction::TopDown => None,
    };
    let same = |frame: &FrameId| name_of_frame(reading, *frame).is_shown_as(&name);
    let heaviest = || {
        reading
            .frames
            .ids()
            .find(same)
            .and_then(|frame| reading.heaviest(frame))
    };
    on_top.or_else(heaviest).unwrap_or(NodeId::ROOT)
}

/// Returns the node that the longest part of a path leads to; functions that are not there any more are skipped.
pub(crate) fn find(reading: &Reading, path: &[Name]) -> NodeId {
    let mut here = NodeId::ROOT;
    for name in path {
        let children = || {
            reading
                .tree
                .unordered(here)
                .filter_map(|child| Some((child, name_of(reading, child)?)))
        };
        let same = children().find(|(_, other)| other.is_shown_as(name));
        if let Some((child, _)) =
            same.or_else(|| children().find(|(_, other)| other.bundle == name.bundle))
        {
            here = child;
        }
    }
    here
}
