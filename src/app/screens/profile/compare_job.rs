//! Two profiles to be compared, and a comparison to be exported.

use std::sync::Arc;

use crate::app::screens::profile::source::Source;
use crate::model::cloudflare::Capture;
use crate::model::diff::{Comparison, Normalise, Width};
use crate::model::graph::view::View;
use crate::model::verdict::Assessment;

/// The other side of a comparison that is to be written.
#[derive(Debug, Clone)]
pub struct ComparedJob {
    /// The base.
    pub base: Source,
    /// The result.
    pub comparison: Arc<Comparison>,
    /// The verdicts, where there are several captures on a side.
    pub assessment: Option<Box<Assessment>>,
    /// How totals are normalized, and what widths show.
    pub wanted: (Normalise, Width),
}

/// One side of a requested comparison.
#[derive(Debug, Clone)]
pub enum CompareSide {
    /// A capture on disk.
    Kept(Box<Capture>),
    /// Several captures on disk, as one and each by itself.
    Several(Vec<Capture>),
    /// A profile that is open.
    Open(Box<Source>),
}

/// Two profiles to be compared.
#[derive(Debug, Clone)]
pub struct CompareJob {
    /// What is compared with.
    pub base: CompareSide,
    /// What is compared.
    pub new: CompareSide,
    /// The view of both; `None` if the one that the new profile opens with.
    pub view: Option<View>,
    /// Whether totals are made equal.
    pub normalise: Normalise,
    /// What widths show.
    pub width: Width,
}
