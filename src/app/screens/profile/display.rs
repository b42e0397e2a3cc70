//! How a profile is displayed: panes, colours, the base of percentages, what is selected.

use crate::app::screens::profile::frame_path::Name;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::icicle::Collected;
use crate::model::graph::view::View;

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

/// The views before and after the current one, the nearest last.
#[derive(Debug, Default)]
pub(crate) struct Views {
    pub(super) past: Vec<Place>,
    pub(super) future: Vec<Place>,
    /// The zoom of the view that is being computed.
    pub(super) zoom: Option<Vec<Name>>,
}

/// What was looked at: a view, and the functions down to its zoom.
#[derive(Debug)]
pub(crate) struct Place {
    pub(super) view: View,
    pub(super) zoom: Vec<Name>,
    /// Tells one place from another.
    pub(super) key: (String, NodeId),
}
