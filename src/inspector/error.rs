//! Why an inspector gave no list or no profile, and what can be done about it.

use std::io;
use std::time::Duration;

use crate::model::cloudflare::local_runtime::Obstacle;

/// What went wrong, told apart by what the user does next. The texts are sentences, safe to print.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectorError {
    /// Nothing listens there.
    #[error("no runtime answers at {address}: {source}")]
    NoAnswer {
        /// Host and port.
        address: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// It took too long.
    #[error("{what} did not come within {} s", .limit.as_secs_f64())]
    TimedOut {
        /// What was waited for.
        what: &'static str,
        /// How long.
        limit: Duration,
    },
    /// Something else listens there.
    #[error("what listens at {address} is no inspector: {why}")]
    NotAnInspector {
        /// Host and port.
        address: String,
        /// How it can be told.
        why: String,
    },
    /// More came than is read.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// What.
        what: &'static str,
        /// How much is read.
        limit: usize,
    },
    /// The isolate is listed, but can't be reached.
    #[error("{name} can't be profiled: {}", .why.words())]
    Unreachable {
        /// The Worker's name.
        name: String,
        /// Why.
        why: Obstacle,
    },
    /// It refused the connection with an HTTP status.
    #[error("the runtime refused the connection with HTTP status {0}")]
    Refused(u16),
    /// Another client is there, and stays.
    #[error("another client holds the inspector, and the runtime takes one at a time")]
    Busy,
    /// Another client came, which ends both connections.
    #[error("another client took the inspector, and the runtime ended both connections")]
    Taken,
    /// The runtime closed the connection for a reason of its own.
    #[error("the runtime closed the connection with code {code}{}", if .reason.is_empty() { String::new() } else { format!(": {reason}") })]
    Closed {
        /// The WebSocket's close code.
        code: u16,
        /// What it said.
        reason: String,
    },
    /// The connection is gone without a word.
    #[error("the connection broke off: the runtime has ended, crashed or started anew")]
    Lost,
    /// It answered a command with an error.
    #[error("the runtime refused {method}: {message}")]
    Said {
        /// The command.
        method: &'static str,
        /// Its words.
        message: String,
    },
    /// The command was answered, but without a profile.
    #[error("the runtime has no profile to give: nothing was being recorded any more")]
    NoProfile,
    /// It does not speak the protocol.
    #[error("the runtime said something that is not of the protocol: {0}")]
    Garbled(String),
    /// The user did not want it any more.
    #[error("the capture was cancelled")]
    Cancelled,
    /// Nothing can be sent from here at all.
    #[error("no connection can be made here: {0}")]
    Client(String),
}

impl InspectorError {
    /// What the person can do; `None` where the sentence says it all.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NoAnswer { address, .. } => {
                return Some(format!(
                    "Start `wrangler dev`, or workerd with --inspector-addr={address}, and try again."
                ));
            }
            Self::TimedOut { .. } => {
                "An isolate has one thread: while its JavaScript runs, nothing is answered. Try again when it is less busy."
            }
            Self::NotAnInspector { .. } => {
                "`wrangler dev` says at which port its inspector is; workerd prints it with --control-fd=1."
            }
            Self::Unreachable {
                why: Obstacle::Name,
                ..
            } => "Give the service another name in the runtime's configuration.",
            Self::Refused(_) | Self::Closed { .. } | Self::Garbled(_) => {
                "Try again; if it stays, start the runtime anew."
            }
            Self::Busy => "Close DevTools or the debugger that is attached, then try again.",
            Self::Taken => {
                "Close DevTools or the debugger that is attached, then try again: only one client at a time can profile."
            }
            Self::Lost => "Nothing was kept. See what the runtime printed last, then try again.",
            Self::NoProfile => {
                "The Worker was loaded anew meanwhile, or another client stopped the recording. Try again."
            }
            Self::TooLarge { .. } => "Try a shorter window.",
            Self::Unreachable { .. } | Self::Said { .. } | Self::Cancelled | Self::Client(_) => {
                return None;
            }
        };
        Some(text.to_owned())
    }
}
