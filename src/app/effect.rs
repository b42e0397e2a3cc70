//! What the state requests. The runtime does it and responds with the same id.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::capture::effect::CaptureEffect;
use crate::app::core::ids::RequestId;
use crate::app::overlays::account_picker::AccountsEffect;
use crate::app::overlays::export_dialog::format::Format;
use crate::app::overlays::object_picker::ObjectsEffect;
use crate::app::screens::history::effect::HistoryEffect;
use crate::app::screens::profile::compare_job::ComparedJob;
use crate::app::screens::profile::effect::ProfileEffect;
use crate::app::screens::profile::source::Source;
use crate::app::screens::workers::effect::WorkersEffect;
use crate::model::cloudflare::Account;
use crate::model::diff::Since;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::view::View;
use crate::model::insights::Context;

/// A profile to be written to a file.
#[derive(Debug, Clone)]
pub struct ExportJob {
    /// Which format.
    pub format: Format,
    /// Whether the whole capture is written instead of the view.
    pub whole: bool,
    /// The path; `~` is the home folder.
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
    /// The profile, and where it comes from.
    pub source: Source,
    /// Its view.
    pub view: View,
    /// The values of the view.
    pub reading: Arc<Reading>,
    /// The zoomed frame.
    pub root: NodeId,
    /// Pseudonyms instead of names.
    pub anonymous: bool,
    /// The command that shows the same view on any machine that has the file.
    pub command: Option<String>,
    /// What an earlier capture says of the headline's function.
    pub since: Option<Since>,
    /// What is known of the capture beside its bytes, for the hints of a report; `None` if it gets none.
    pub context: Option<Context>,
    /// The baseline: the changes are written, not the values.
    pub compared: Option<ComparedJob>,
}

/// A line of a source file to be opened in the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorJob {
    /// The folder with the sources; `None` if it isn't known.
    pub root: Option<PathBuf>,
    /// The file, as in the profile.
    pub file: String,
    /// The line, from 1.
    pub line: i64,
    /// The place, to be copied where no file or no editor is found.
    pub place: String,
}

/// A screenshot to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenshotJob {
    /// Which format: one of the screenshots.
    pub format: Format,
    /// The path; `~` is the home folder.
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

/// Something to be written.
#[derive(Debug, Clone)]
pub enum ExportEffect {
    /// A profile, to a file.
    File(Box<ExportJob>),
    /// The same as a text, to the clipboard.
    Copy(Box<ExportJob>),
    /// The screen as it is without the overlay in front.
    Screenshot(ScreenshotJob),
}

/// One request of the state.
#[derive(Debug, Clone)]
pub enum Effect {
    /// About accounts.
    Accounts(RequestId, AccountsEffect),
    /// About the list of Workers.
    Workers(RequestId, WorkersEffect),
    /// About Durable Objects.
    Objects(RequestId, ObjectsEffect),
    /// About the captures on disk.
    History(RequestId, HistoryEffect),
    /// About captures that run.
    Capture(RequestId, CaptureEffect),
    /// About profiles.
    Profile(RequestId, ProfileEffect),
    /// Write a file.
    Export(RequestId, ExportEffect),
    /// Complete a path that is being typed.
    CompletePath(RequestId, String),
    /// Copy a text to the clipboard.
    Copy(RequestId, String),
    /// Open the editor at a line, or copy the place.
    OpenEditor(RequestId, Box<EditorJob>),
    /// Remember a theme for the next start.
    RememberTheme(RequestId, String),
    /// Cancel a request.
    Cancel(RequestId),
    /// Use this account from now on.
    UseAccount(Box<Account>),
    /// Redraw everything.
    Redraw,
    /// Turn mouse reports of the terminal on or off.
    Mouse(bool),
    /// Suspend the process until the shell resumes it.
    Suspend,
    /// Leave the program.
    Quit,
    /// Restart the session on the embedded demo server.
    StartDemo,
    /// Look for credentials again.
    LookForLogin,
    /// Restart the session on the local runtime that was found.
    UseNearby,
}
