//! What can happen to the state: a command, a typed character, an answer, a change of the terminal.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::app::capture::other_instances::Elsewhere;
use crate::app::capture::stage::Stage;
use crate::app::core::failure::Failure;
use crate::app::core::ids::RequestId;
use crate::app::keys::command::Command;
use crate::app::screens::profile::source::{MapNames, Member, Source};
use crate::app::screens::profile::source_view::FunctionCode;
use crate::app::screens::workers::details::WorkerDetails;
use crate::app::screens::workers::local_runtime::Nearby;
use crate::model::cloudflare::local_runtime::Runtime;
use crate::model::cloudflare::{Account, Amendment, Capture, Figures, Object, Worker};
use crate::model::diff::{Comparison, Normalise, Width};
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::sandwich::Sandwich;
use crate::model::graph::view::View;
use crate::model::insights::Hint;
use crate::model::lines::LineShare;
use crate::model::profile::Profile;

/// Something that changes the state.
#[derive(Debug)]
pub enum Action {
    /// A command, from a key or the palette.
    Run(Command),
    /// A digit of a count.
    Digit(u8),
    /// A character for the line that is typed.
    Type(char),
    /// Pasted text for the line that is typed.
    Paste(String),
    /// The terminal has another size: columns, rows.
    Resize(u16, u16),
    /// A click on a cell: column, row.
    Click(u16, u16),
    /// A notch of the mouse's wheel over a cell.
    Wheel {
        /// Away from the top.
        down: bool,
        /// Column.
        x: u16,
        /// Row.
        y: u16,
    },
    /// A moment passed while something on the screen moves.
    Tick,
    /// An effect's answer.
    Done(RequestId, Result<Answer, Failure>),
}

/// A profile that was read, with its first view.
#[derive(Debug)]
pub struct Opened {
    /// The decoded profile.
    pub profile: Arc<Profile>,
    /// The capture it belongs to, if it is one.
    pub capture: Option<Capture>,
    /// What to call it: the Worker's or the file's name.
    pub name: String,
    /// The file it was read from, if it is no capture.
    pub path: Option<PathBuf>,
    /// What it was made of, if it is several captures or files as one.
    pub members: Vec<Member>,
    /// What source maps gave it, where they did; `profile` then is the one with the names of the source.
    pub names: Option<Arc<MapNames>>,
    /// A folder with the source files.
    pub source_root: Option<PathBuf>,
    /// The view that was read.
    pub view: View,
    /// What it says.
    pub reading: Arc<Reading>,
    /// The frame to zoom into.
    pub root: Option<NodeId>,
    /// Something to tell besides, such as a capture that could not be kept.
    pub warning: Option<crate::app::keys::message::Message>,
}

/// Two profiles that were compared.
#[derive(Debug)]
pub struct Compared {
    /// What was compared with.
    pub base: Source,
    /// What was compared.
    pub new: Source,
    /// The view of both.
    pub view: View,
    /// Whether totals are made equal.
    pub normalise: Normalise,
    /// What widths tell.
    pub width: Width,
    /// What came out.
    pub comparison: Arc<Comparison>,
}

/// What an effect answers.
#[derive(Debug)]
pub enum Answer {
    /// Some of the accounts; pages come as they arrive.
    Accounts {
        /// The page's rows.
        rows: Vec<Account>,
        /// How many there are in all, where the answer says.
        total: Option<u64>,
        /// Whether this was the last page.
        last: bool,
    },
    /// Something is remembered for the next start.
    Remembered,
    /// The account's Workers as they were listed last, and when that was.
    KnownWorkers(Vec<Worker>, SystemTime),
    /// What is left of the shared calls: how many, of how many, for how long.
    Quota {
        /// Calls left.
        remaining: u64,
        /// Calls a window allows.
        limit: u64,
        /// The time to the window's end, where it was said.
        resets_in: Option<Duration>,
    },
    /// A long wait is over.
    Due,
    /// A page of objects, and where the next one begins.
    Objects(Vec<Object>, Option<String>),
    /// The objects of a namespace with the most memory, most first.
    LargestObjects(String, Vec<Object>),
    /// Some of the Workers; pages come as they arrive.
    Workers {
        /// The page's rows.
        rows: Vec<Worker>,
        /// How many there are in all, where the answer says.
        total: Option<u64>,
        /// Whether this was the last page.
        last: bool,
    },
    /// All isolates of the local runtime.
    Isolates(Runtime),
    /// A local runtime answers; `None`: none does.
    Nearby(Option<Nearby>),
    /// Traffic by Worker's name.
    Figures(HashMap<String, Figures>),
    /// Versions and objects of one Worker.
    Details(Box<WorkerDetails>),
    /// The user rested on a row for a while.
    Rested,
    /// The captures on disk, newest first, and what was wrong with the folder.
    Captures(Vec<Capture>, Vec<String>),
    /// A capture on disk was changed in this way, and is now as told.
    Amended(Box<Capture>, Amendment),
    /// A capture was deleted, and can be brought back for so many days.
    Deleted(Box<Capture>, u64),
    /// The capture that was deleted last is back; `None`: there was none.
    BroughtBack(Option<Box<Capture>>),
    /// How far a capture has come.
    Stage(Stage),
    /// A capture waits for another copy of the program, which captures this Worker.
    Queued {
        /// Where it is known.
        behind: Option<String>,
    },
    /// Something to be told once the capture is there, such as what had to make room for it.
    Remark(String),
    /// A capture is on disk, and done.
    Kept(Box<Capture>),
    /// Requests of a target since it is waited for.
    Traffic(u64),
    /// What goes on, and went on, beside this screen.
    Elsewhere(Elsewhere),
    /// Of a path as it was typed: the names that its last part can be completed to.
    Paths(String, Vec<String>),
    /// A profile is open.
    Opened(Box<Opened>),
    /// Another view of the open profile was read.
    Read(Box<View>, Arc<Reading>),
    /// Two profiles were compared.
    Compared(Box<Compared>),
    /// The hints of the open profile, the most useful first.
    Hints(Vec<Hint>),
    /// A function between its callers and its callees.
    Sandwich(Arc<Sandwich>),
    /// The lines of a function, heaviest first.
    Lines(Vec<LineShare>),
    /// The code of a function.
    Code(Box<FunctionCode>),
    /// Source maps were read: what they gave the profile, or why they gave nothing, as a sentence.
    Mapped(Result<Box<MapNames>, String>),
    /// A file was written, and the folder that had to be made for it.
    Exported(PathBuf, Option<PathBuf>),
    /// The file is there already, and was not touched.
    Exists(PathBuf),
    /// Text went to the clipboard; the sentence says how.
    Copied(crate::app::keys::message::Message),
}
