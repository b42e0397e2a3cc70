//! What the runtime responds to an effect, under the id of its request.

use std::path::PathBuf;

use crate::app::capture::effect::CaptureResponse;
use crate::app::keys::message::Message;
use crate::app::overlays::account_picker::AccountsPage;
use crate::app::overlays::object_picker::ObjectsResponse;
use crate::app::screens::history::effect::HistoryResponse;
use crate::app::screens::profile::effect::ProfileResponse;
use crate::app::screens::workers::effect::WorkersResponse;

/// The result of an effect.
#[derive(Debug)]
pub enum Response {
    /// Some of the accounts.
    Accounts(AccountsPage),
    /// For the list of Workers.
    Workers(WorkersResponse),
    /// About Durable Objects.
    Objects(ObjectsResponse),
    /// About the captures on disk.
    History(HistoryResponse),
    /// About captures that run.
    Capture(CaptureResponse),
    /// About profiles.
    Profile(ProfileResponse),
    /// A file was written, and the folder that was created for it.
    Exported(PathBuf, Option<PathBuf>),
    /// The file exists already, and was not touched.
    Exists(PathBuf),
    /// A path as it was typed, and the names that its last part can be completed to.
    Paths(String, Vec<String>),
    /// A text is in the clipboard; the sentence says how.
    Copied(Message),
    /// Something is remembered for the next start.
    Remembered,
}
