//! What the state wishes for. The runtime does it and answers with the same id.

use crate::app::capture::note::CaptureNote;
use crate::app::capture::note::TrafficLook;
use crate::app::core::ids::RequestId;
use crate::app::screens::profile::compare_job::CompareJob;
use crate::app::screens::profile::compare_job::ComparedJob;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::app::overlays::export_format::Format;
use crate::app::screens::profile::source::{MapJob, Part};
use crate::app::screens::profile::source_view::CodeJob;
use crate::model::cloudflare::{Account, Amendment, Capture, CaptureRequest, Worker};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::{FrameId, FunctionName};
use crate::model::graph::view::View;
use crate::model::insights::Context;
use crate::model::profile::Profile;

/// A file to be written.
#[derive(Debug, Clone)]
pub struct ExportJob {
    /// Which format.
    pub format: Format,
    /// The whole capture instead of the view.
    pub whole: bool,
    /// Where to; `~` is the home folder.
    pub path: PathBuf,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
    /// The profile.
    pub profile: Arc<Profile>,
    /// The view that is shown.
    pub view: View,
    /// What it says.
    pub reading: Arc<Reading>,
    /// The frame that is zoomed into.
    pub root: crate::model::graph::call_tree::NodeId,
    /// Stand-ins instead of names.
    pub anonymous: bool,
    /// What the picture's title says: the target.
    pub target: String,
    /// When it was taken, where that is known.
    pub taken: Option<SystemTime>,
    /// The command that shows the same view.
    pub command: Option<String>,
    /// What is known of the capture beside its bytes, for the hints of a report; `None`: a report has none.
    pub context: Option<Context>,
    /// What the profile is compared with: what changed is written, not what is.
    pub compared: Option<ComparedJob>,
}

/// A picture of the screen to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureJob {
    /// Which format: one of those that are pictures of the screen.
    pub format: Format,
    /// Where to; `~` is the home folder.
    pub path: PathBuf,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

/// One wish.
#[derive(Debug, Clone)]
pub enum Effect {
    /// All accounts of the token, page by page.
    ListAccounts(RequestId),
    /// From now on this account is asked.
    UseAccount(Box<Account>),
    /// A theme is to be remembered for the next start.
    RememberTheme(RequestId, String),
    /// The account in force is to be remembered for the next start.
    RememberAccount(RequestId),
    /// All Workers of the account, page by page.
    ListWorkers(RequestId),
    /// A page of the objects of a namespace, from a cursor on or from the beginning.
    ListObjects(RequestId, String, Option<String>),
    /// The objects of a namespace with the most memory.
    LargestObjects(RequestId, String),
    /// The list of Workers is to be kept for the next start.
    KeepWorkers(RequestId, Vec<Worker>, SystemTime),
    /// An answer after a long while, which nobody waits for.
    Later(RequestId, Duration),
    /// Traffic of every Worker.
    Figures(RequestId),
    /// Versions, namespaces and busy objects of one Worker.
    Details(RequestId, Box<Worker>),
    /// An answer after a while, unless another wish of the kind comes first.
    Rest(RequestId, Duration),
    /// The captures on disk.
    ListCaptures(RequestId),
    /// What is noted of a capture on disk is to be changed.
    Amend(RequestId, Box<Capture>, Amendment),
    /// A capture on disk is to be deleted, so that it can be brought back.
    Delete(RequestId, Box<Capture>),
    /// The capture that was deleted last is to be brought back.
    BringBack(RequestId),
    /// One capture, which is kept.
    Capture(RequestId, Box<CaptureRequest>, Box<CaptureNote>),
    /// The request is not wanted any more.
    Cancel(RequestId),
    /// Whether a target has traffic, asked for after a while.
    LookForTraffic(RequestId, Duration, Box<TrafficLook>),
    /// What other copies of the program capture, and what came while nobody watched, asked for after a while.
    LookElsewhere(RequestId, Duration),
    /// A capture on disk is to be opened.
    OpenCapture(RequestId, Box<Capture>),
    /// What a path that is being typed can be completed to.
    CompletePath(RequestId, String),
    /// A file is to be opened.
    OpenFile(RequestId, PathBuf),
    /// Several captures or files are to be opened as one.
    OpenMerged(RequestId, Vec<Part>),
    /// Another view of a profile.
    Read(RequestId, Arc<Profile>, Box<View>),
    /// Two profiles are to be compared.
    Compare(RequestId, Box<CompareJob>),
    /// The hints of a reading are to be found.
    Hints(RequestId, Arc<Profile>, Arc<Reading>, Box<Context>),
    /// A function between its callers and its callees, in a view of a profile.
    Sandwich(RequestId, Arc<Profile>, Box<View>, FrameId),
    /// The lines of a function by name and file, in a view of a profile.
    Lines(RequestId, Arc<Profile>, Box<View>, FunctionName),
    /// The code of a function, with what its lines cost.
    Code(RequestId, Box<CodeJob>),
    /// A source map is to be read for a profile.
    LoadMap(RequestId, Box<MapJob>),
    /// A file is to be written.
    Export(RequestId, Box<ExportJob>),
    /// The screen is to be written to a file as it is without the sheet in front.
    Picture(RequestId, PictureJob),
    /// Text for the clipboard.
    Copy(RequestId, String),
    /// Draw everything again.
    Redraw,
    /// Let the terminal report the mouse, or not.
    Mouse(bool),
    /// Stop this process until the shell brings it back.
    Suspend,
    /// Leave the program.
    Quit,
    /// Start the session anew on the embedded stand-in.
    StartDemo,
    /// Look for credentials again.
    LookForLogin,
    /// Whether a local runtime answers where one usually does.
    LookNearby(RequestId),
    /// Start the session anew on the local runtime that was found.
    UseNearby,
}
