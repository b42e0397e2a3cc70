//! What can happen to the state: a command, a typed character, a response, a change of the terminal.

use crate::app::capture::batch::Batch;
use crate::app::capture::targets::NamespaceDetails;
use crate::app::core::ids::RequestId;
use crate::app::keys::command::Command;
use crate::app::keys::key::Key;
use crate::app::load::failure::Failure;
use crate::app::response::Response;
use crate::model::cloudflare::Kind;

/// Something that changes the state.
#[derive(Debug)]
pub enum Action {
    /// A command, from a key or the palette.
    Run(Command),
    /// A key that means something elsewhere only.
    Unbound(Key),
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
    /// A notch of the mouse wheel over a cell.
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
    /// The response to an effect.
    Done(RequestId, Result<Response, Failure>),
    /// The captures of a batch are to be taken, once nothing else runs.
    StartBatch(Box<Batch>),
    /// A batch is to be captured once its target has traffic.
    AwaitTraffic(Box<Batch>),
    /// The capture form is to be opened on a Durable Object.
    CaptureObject {
        /// The id of its namespace, if known.
        namespace: Option<String>,
        /// Its id or name.
        object: String,
        /// The kind of capture, if one was chosen.
        kind: Option<Kind>,
    },
    /// The objects of a class are to be chosen from.
    ListObjects(Box<NamespaceDetails>),
    /// The account was switched.
    LeaveAccount,
}
