//! Errors of the inspector, and what the user can do about each.

use std::io;
use std::time::Duration;

use crate::model::cloudflare::local_runtime::Obstacle;

/// An error of the inspector, distinguished by what the user does next. The texts are sentences, safe to print.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectorError {
    /// Nothing listens there.
    #[error("no runtime at {address}: {source}")]
    NoAnswer {
        /// Host and port.
        address: String,
        /// The system's message.
        #[source]
        source: io::Error,
    },
    /// It took too long.
    #[error("{what} did not arrive within {} s", .limit.as_secs_f64())]
    TimedOut {
        /// What timed out.
        what: &'static str,
        /// The timeout.
        limit: Duration,
    },
    /// Something else listens there.
    #[error("{address} is not an inspector: {why}")]
    NotAnInspector {
        /// Host and port.
        address: String,
        /// The evidence.
        why: String,
    },
    /// The response is larger than the limit.
    #[error("{what} is larger than {limit} bytes")]
    TooLarge {
        /// What.
        what: &'static str,
        /// The limit.
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
    /// It runs other Workers now.
    #[error("{address} runs no Worker {name} any more")]
    Gone {
        /// Host and port.
        address: String,
        /// The Worker's name.
        name: String,
    },
    /// It refused the connection with an HTTP status.
    #[error("the runtime refused the connection with HTTP status {0}")]
    Refused(u16),
    /// Another client is connected.
    #[error("another client is connected to the inspector; the runtime accepts one at a time")]
    Busy,
    /// Another client connected, which closes both connections.
    #[error("another client connected to the inspector, and the runtime closed both connections")]
    Taken,
    /// The runtime closed the connection for a reason of its own.
    #[error("the runtime closed the connection with code {code}{}", if .reason.is_empty() { String::new() } else { format!(": {reason}") })]
    Closed {
        /// The WebSocket's close code.
        code: u16,
        /// Its message.
        reason: String,
    },
    /// The connection broke without a close frame.
    #[error("connection lost: the runtime quit, crashed or restarted")]
    Lost,
    /// It returned an error for a command.
    #[error("the runtime refused {method}: {message}")]
    Said {
        /// The command.
        method: &'static str,
        /// Its message.
        message: String,
    },
    /// The reply to the command has no profile.
    #[error("the runtime returned no profile: the recording had already stopped")]
    NoProfile,
    /// It does not speak the protocol.
    #[error("the runtime sent an invalid message: {0}")]
    Garbled(String),
    /// The user cancelled it.
    #[error("the capture was cancelled")]
    Cancelled,
    /// The client can't be set up.
    #[error("could not set up a connection: {0}")]
    Client(String),
}

impl InspectorError {
    /// Returns what the user can do; `None` if the sentence says it all.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NoAnswer { address, .. } => {
                return Some(format!(
                    "Start `wrangler dev`, or workerd with --inspector-addr={address}, and try again."
                ));
            }
            Self::TimedOut { .. } => {
                "An isolate has one thread: it can't respond while its JavaScript runs. Try again when it is less busy."
            }
            Self::NotAnInspector { .. } => {
                "`wrangler dev` prints its inspector's port; workerd prints it with --control-fd=1."
            }
            Self::Unreachable {
                why: Obstacle::Name,
                ..
            } => "Give the service another name in the runtime's configuration.",
            Self::Refused(_) | Self::Closed { .. } | Self::Garbled(_) => {
                "Try again; if it persists, restart the runtime."
            }
            Self::Busy => "Close DevTools or the debugger that is attached, then try again.",
            Self::Taken => {
                "Close DevTools or the debugger that is attached, then try again: only one client at a time can profile."
            }
            Self::Lost => "Nothing was kept. See what the runtime printed last, then try again.",
            Self::NoProfile => {
                "The Worker was reloaded, or another client stopped the recording. Try again."
            }
            Self::TooLarge { .. } => "Try a shorter window.",
            Self::Gone { .. } => {
                "It was restarted with other Workers: reload the list to see what runs now."
            }
            Self::Unreachable { .. } | Self::Said { .. } | Self::Cancelled | Self::Client(_) => {
                return None;
            }
        };
        Some(text.to_owned())
    }
}
