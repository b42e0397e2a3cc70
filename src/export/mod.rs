//! A view of a profile → a file's bytes: a flame graph as SVG, a report, JSON. Writes no files and reads no clock.
//!
//! What is exported is the view: the reading with its filters, from one node down. Per cents are of the whole capture, as
//! on the screen. Text from the profile is taken for hostile: no name can become markup, a script or a control character.

mod boxes;
mod caption;
mod colours;
mod flame;
mod json;
mod markdown;
mod names;
mod rows;
mod sketch;
mod svg;
mod text;

use crate::model::profile::Profile;
use crate::model::tree::NodeId;
use crate::model::view::Reading;

pub use caption::Caption;
pub use json::json;
pub use markdown::markdown;
pub use svg::svg;
pub use text::text;

/// What is exported.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The profile, for the names of its units.
    pub profile: &'a Profile,
    /// What is shown of it.
    pub reading: &'a Reading,
    /// The node the picture starts at: the root, or where the view is zoomed to.
    pub root: NodeId,
    /// What stands above.
    pub caption: &'a Caption,
}

/// Why a view could not be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The library that draws flame graphs refused.
    #[error("the flame graph could not be drawn: {0}")]
    FlameGraph(#[source] std::io::Error),
    /// The value could not be written as JSON.
    #[error("the view could not be written as JSON: {0}")]
    Json(#[source] serde_json::Error),
}
