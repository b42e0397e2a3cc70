//! How a profile is displayed: panes, colours, the base of percentages, what is selected.

use crate::model::graph::call_tree::NodeId;
use crate::model::graph::icicle::Collected;

/// Which part has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The icicle.
    #[default]
    Icicle,
    /// The table.
    Table,
}

/// The base of percentages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PercentBase {
    /// The whole capture, idle included.
    #[default]
    Capture,
    /// The frame that is zoomed into.
    Zoom,
    /// What is shown after filters.
    Shown,
}

impl PercentBase {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Capture, Self::Zoom, Self::Shown];

    /// Returns the name that options give it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Zoom => "zoom",
            Self::Shown => "shown",
        }
    }
}

/// What a frame's colour shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// The function's name.
    #[default]
    Name,
    /// Its package.
    Package,
    /// Its self value's share.
    SelfShare,
}

/// What is selected in the icicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// A frame; the zoom's root is the ceiling.
    Node(NodeId),
    /// Narrow frames under one cell.
    Collected(Collected),
}

/// A zoom to come back from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zoom {
    pub(crate) root: NodeId,
    pub(crate) only: Option<Collected>,
    pub(crate) selection: Selection,
    pub(crate) first_row: u32,
}
