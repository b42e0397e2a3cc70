//! What is requested of the runtime to open and show a profile, and the responses.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::keys::message::Message;
use crate::app::screens::profile::compare_job::CompareJob;
use crate::app::screens::profile::display::PercentBase;
use crate::app::screens::profile::source::{MapJob, MapNames, Part, Source};
use crate::app::screens::profile::source_view::{CodeJob, FunctionCode};
use crate::model::cloudflare::Capture;
use crate::model::diff::{Comparison, Normalise, Since, Width};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{FrameId, FunctionName};
use crate::model::graph::icicle::Order;
use crate::model::graph::ranking::Sort;
use crate::model::graph::sandwich::Sandwich;
use crate::model::graph::view::View;
use crate::model::insights::headline::Headline;
use crate::model::insights::{Context, Insight};
use crate::model::lines::LineShare;
use crate::model::profile::Profile;
use crate::model::verdict::Assessment;

/// A request to open a profile, or of the profile that is open.
#[derive(Debug, Clone)]
pub enum ProfileEffect {
    /// Open a capture on disk.
    OpenCapture(Box<Capture>),
    /// Open a file.
    OpenFile(PathBuf),
    /// Open several captures or files as one.
    OpenMerged(Vec<Part>),
    /// Compute another view.
    Read(Arc<Profile>, Box<View>),
    /// Compare two profiles.
    Compare(Box<CompareJob>),
    /// Find the hints of a view.
    Hints(Arc<Profile>, Arc<Reading>, Box<Context>),
    /// Find what an earlier capture holds of the headline's function.
    Since(Box<SinceJob>),
    /// Compute callers and callees of a function.
    Sandwich(Arc<Profile>, Box<View>, FrameId),
    /// Compute the lines of a function.
    Lines(Arc<Profile>, Box<View>, FunctionName),
    /// Find the source of a function, with the cost of its lines.
    Code(Box<CodeJob>),
    /// Load a source map.
    LoadMap(Box<MapJob>),
}

/// A function to be looked up in earlier captures.
#[derive(Debug, Clone)]
pub struct SinceJob {
    /// The earlier captures, the best first.
    pub bases: Vec<Capture>,
    /// The open profile.
    pub new: Source,
    /// Its view.
    pub view: View,
    /// The function.
    pub function: FunctionName,
}

/// A response to a request of the profile.
#[derive(Debug)]
pub enum ProfileResponse {
    /// A profile is open.
    Opened(Box<Opened>),
    /// Another view was computed.
    Read(Box<View>, Arc<Reading>),
    /// Two profiles were compared.
    Compared(Box<Compared>),
    /// The insights into a view, the most useful first, and its headline; `None` for a difference.
    Hints(Vec<Insight>, Option<Box<Headline>>),
    /// What an earlier capture holds of the headline's function; `None` if none can say it.
    Since(Option<Box<Since>>),
    /// Callers and callees of a function.
    Sandwich(Arc<Sandwich>),
    /// The lines of a function, heaviest first.
    Lines(Vec<LineShare>),
    /// The source of a function.
    Code(Box<FunctionCode>),
    /// The names that source maps gave, or a sentence on why they gave none.
    Mapped(Result<Box<MapNames>, String>),
}

/// A profile that was opened, with its first view.
#[derive(Debug)]
pub struct Opened {
    /// The profile and where it comes from.
    pub source: Source,
    /// A folder with the source files.
    pub source_root: Option<PathBuf>,
    /// The view that was computed.
    pub view: View,
    /// The values of that view.
    pub reading: Arc<Reading>,
    /// How it is displayed.
    pub display: OpenedDisplay,
    /// A warning, such as a capture that could not be kept.
    pub warning: Option<Message>,
}

/// How a profile is displayed when it opens.
#[derive(Debug, Default)]
pub struct OpenedDisplay {
    /// The frame to zoom into.
    pub root: Option<NodeId>,
    /// A function between its callers and callees.
    pub sandwich: Option<Arc<Sandwich>>,
    /// The base of percentages.
    pub percent_base: PercentBase,
    /// The order of frames.
    pub order: Order,
    /// The order of the table.
    pub sort: Sort,
    /// Whether the table is in reverse.
    pub reverse: bool,
}

/// Two profiles that were compared.
#[derive(Debug)]
pub struct Compared {
    /// The baseline.
    pub base: Source,
    /// The profile that is compared with it.
    pub new: Source,
    /// The view of both.
    pub view: View,
    /// Whether totals are normalized.
    pub normalise: Normalise,
    /// What widths show.
    pub width: Width,
    /// The result.
    pub comparison: Arc<Comparison>,
    /// The verdicts, where there are several captures on a side.
    pub assessment: Option<Box<Assessment>>,
}
