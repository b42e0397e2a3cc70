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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum PercentBase {
    /// The whole capture, idle included.
    #[default]
    Capture,
    /// The frame that is zoomed into.
    Zoom,
    /// What is shown after filters.
    Shown,
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
