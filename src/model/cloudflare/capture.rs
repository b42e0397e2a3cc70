//! Captures: what is requested, and what is known of one afterwards.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::model::cloudflare::account::Account;
use crate::model::cloudflare::durable_object::ObjectRef;
use crate::model::cloudflare::error::TargetError;
use crate::model::cloudflare::kind::Kind;
use crate::model::cloudflare::metrics;
use crate::model::cloudflare::metrics::Metrics;

/// Shortest window that Cloudflare accepts for a capture.
pub const WINDOW_MIN: Duration = Duration::from_millis(1_000);
/// Longest window that Cloudflare accepts for a capture.
pub const WINDOW_MAX: Duration = Duration::from_millis(50_000);

/// What a capture is of, as it is known when it is requested.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Target {
    /// The Worker's name, or the imported file's.
    pub worker: String,
    /// UUID, prefix of one, or `latest`. `None`: an isolate of a local runtime, or a file.
    #[serde(default)]
    pub version_id: Option<String>,
    /// The version's number.
    #[serde(default)]
    pub version_number: Option<u64>,
    /// Who uploaded it: an e-mail address or an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The uploader's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its share of the traffic, as a percentage.
    #[serde(default)]
    pub percentage: Option<f64>,
    /// Metrics of all its isolates, if known; `None` for a Durable Object.
    #[serde(
        default,
        rename = "traffic",
        deserialize_with = "metrics::lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub metrics: Option<Metrics>,
    /// One Durable Object, or any isolate of the version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectRef>,
}

/// A request for one capture, checked against everything Cloudflare is known to refuse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptureRequest {
    /// What is captured.
    pub target: Target,
    /// CPU or heap.
    pub kind: Kind,
    /// How long it samples; see [`check_window`].
    pub window: Duration,
    /// An object to find by its name first: its namespace's id, and the name.
    pub find_object: Option<(String, String)>,
}

impl CaptureRequest {
    /// Returns the provenance of a capture made by this request, between these times.
    #[must_use]
    pub fn provenance(
        self,
        origin: Origin,
        account: Option<&Account>,
        (asked_at, answered_at): (SystemTime, SystemTime),
    ) -> Provenance {
        Provenance {
            target: self.target,
            kind: Some(self.kind),
            window: Some(self.window),
            account_id: account.map(|account| account.id.clone()),
            account_name: account
                .filter(|account| account.name != account.id)
                .map(|account| account.name.clone()),
            asked_at,
            answered_at,
            origin,
        }
    }
}

/// Checks a capture's window.
///
/// # Errors
/// [`TargetError::Window`] outside [`WINDOW_MIN`]…[`WINDOW_MAX`].
pub fn check_window(window: Duration) -> Result<Duration, TargetError> {
    if (WINDOW_MIN..=WINDOW_MAX).contains(&window) {
        Ok(window)
    } else {
        Err(TargetError::Window(window))
    }
}

/// Where a capture comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Cloudflare's API.
    Cloudflare,
    /// The demo server.
    Demo,
    /// A local runtime's inspector.
    Inspector,
    /// A file the user imported, or an origin of a newer program.
    #[serde(other)]
    File,
}

/// What is known of a capture besides its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// What was captured.
    pub target: Target,
    /// CPU or heap; `None` if an imported file doesn't say.
    pub kind: Option<Kind>,
    /// The window that was asked for.
    pub window: Option<Duration>,
    /// 32 hexadecimal digits; `None` for files and local runtimes.
    pub account_id: Option<String>,
    /// The account's name, if known.
    pub account_name: Option<String>,
    /// When it was requested.
    pub asked_at: SystemTime,
    /// When the response was complete.
    pub answered_at: SystemTime,
    /// Where it comes from.
    pub origin: Origin,
}

impl Provenance {
    /// Describes an imported file by its name and time.
    #[must_use]
    pub fn of_file(
        name: &str,
        kind: Option<Kind>,
        window: Option<Duration>,
        at: SystemTime,
    ) -> Self {
        Self {
            target: Target {
                worker: name.to_owned(),
                ..Target::default()
            },
            kind,
            window,
            account_id: None,
            account_name: None,
            asked_at: at,
            answered_at: at,
            origin: Origin::File,
        }
    }
}

/// One capture: its bytes' hash, size and path, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// SHA-256 of the raw bytes as lower-case hex: the capture's name everywhere.
    pub sha256: String,
    /// The file with the raw bytes; empty if they are in memory only.
    pub path: PathBuf,
    /// Size of the raw bytes.
    pub bytes: u64,
    /// What it is of, and where it comes from.
    pub provenance: Provenance,
    /// What decoding it showed; `None` if it was not decoded yet, or can't be.
    pub summary: Option<Summary>,
    /// The user's notes on it, and the state of its files.
    pub keeping: Keeping,
}

impl Capture {
    /// Returns what it is of.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.provenance.target
    }
}

/// What the user noted on a capture, and the state of its files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keeping {
    /// Its name; without one it has its Worker's.
    pub title: Option<String>,
    /// The user's note.
    pub note: Option<String>,
    /// Whether it is never evicted.
    pub pinned: bool,
    /// When it was last written, changed or opened, if the disk says so.
    pub used_at: Option<SystemTime>,
    /// What is wrong with its files; such a capture is only pruned on request.
    pub damage: Option<String>,
}

/// A change to the user's notes on a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amendment {
    /// Sets or clears the name.
    Title(Option<String>),
    /// Sets or clears the note.
    Note(Option<String>),
    /// Whether it is never evicted.
    Pinned(bool),
}

/// What the lists show of a capture, kept beside it so that no list decodes profiles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Type of the values shown, as `("cpu", "nanoseconds")`.
    pub sample_type: (String, String),
    /// Net sum of the values.
    pub total: i64,
    /// Samples (objects), or the number of records.
    pub samples: i64,
    /// The function with the largest self value (idle aside), and its value.
    #[serde(default)]
    pub top: Option<(String, i64)>,
}
