//! What is profiled: accounts, Workers, versions, Durable Objects, and a checked request for a capture.
//!
//! These are the words of the product, free of any wire format: `api` and `store` turn their own shapes into them.

pub mod local_runtime;

use std::fmt;
use std::time::{Duration, SystemTime};

/// Shortest window that Cloudflare accepts for a capture.
pub const WINDOW_MIN: Duration = Duration::from_millis(1_000);
/// Longest window that Cloudflare accepts for a capture.
pub const WINDOW_MAX: Duration = Duration::from_millis(50_000);
/// Shortest prefix of a version's id that the profile endpoint accepts.
pub const VERSION_PREFIX_MIN: usize = 8;

/// Memory that an isolate may use, in bytes: 128 MB.
pub const MEMORY_LIMIT: f64 = 128e6;
/// From this part of the limit on, memory is what runs out first.
const MEMORY_NEAR: f64 = 0.8;

/// Why a target or a window can't be used. The texts are whole sentences for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The window is outside [`WINDOW_MIN`]…[`WINDOW_MAX`].
    #[error("a capture takes 1 s to 50 s; {} s is outside of that", .0.as_secs_f64())]
    Window(Duration),
    /// A Durable Object's id is not 64 hexadecimal digits.
    #[error("a Durable Object's id has 64 hexadecimal digits; this one has {digits}{}", if *.hex { "" } else { " and other characters" })]
    ObjectId {
        /// How many characters were given.
        digits: usize,
        /// Whether all of them were hexadecimal.
        hex: bool,
    },
    /// A version is neither `latest`, an id nor a prefix of at least eight digits.
    #[error(
        "`{0}` is no version: give `deployed`, `latest`, an id, or at least its first 8 digits"
    )]
    Version(String),
    /// An account's or namespace's id is not 32 hexadecimal digits.
    #[error("`{0}` is no id: it needs 32 hexadecimal digits")]
    Id32(String),
}

/// An account the token can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// 32 hexadecimal digits.
    pub id: String,
    /// The name its owner gave it.
    pub name: String,
}

/// A Worker as the list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    /// 32 hexadecimal digits; immutable, while the name can change.
    pub id: String,
    /// The script's name.
    pub name: String,
    /// When a version of it was last deployed; `None`: never, so there is nothing to profile.
    pub deployed_on: Option<SystemTime>,
    /// Traffic figures, where the token may read analytics.
    pub metrics: Option<Metrics>,
}

/// Traffic of a Worker, version or object over the analytics window (15 minutes).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Metrics {
    /// Requests a second.
    pub requests_per_second: f64,
    /// Requests that failed, a second.
    pub errors_per_second: f64,
    /// Median CPU time of a request, in microseconds.
    pub cpu_p50_us: f64,
    /// 99th percentile of a request's CPU time, in microseconds.
    pub cpu_p99_us: f64,
    /// 99th percentile of the isolate's memory in bytes, where analytics tell it; the limit is 128 MB.
    pub memory_p99: Option<f64>,
    /// Requests that ran out of CPU time or memory, over the whole analytics window.
    pub exceeded: u64,
}

impl Metrics {
    /// The part of the requests that failed, 0…1.
    #[must_use]
    pub fn error_share(&self) -> f64 {
        if self.requests_per_second > 0.0 {
            self.errors_per_second / self.requests_per_second
        } else {
            0.0
        }
    }

    /// What to capture first where requests ran out of something: the heap where memory is near its limit, else the CPU.
    #[must_use]
    pub fn suspect(&self) -> Option<Kind> {
        let full = self
            .memory_p99
            .is_some_and(|bytes| bytes >= MEMORY_LIMIT * MEMORY_NEAR);
        if full {
            Some(Kind::Heap)
        } else {
            (self.exceeded > 0).then_some(Kind::Cpu)
        }
    }

    /// Estimates how many cores are kept busy: requests a second × median CPU time. A rough order for the list, not a bill.
    #[must_use]
    pub fn cores(&self) -> f64 {
        self.requests_per_second * self.cpu_p50_us / 1e6
    }
}

/// One uploaded version of a Worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// UUID.
    pub id: String,
    /// Counts from 1.
    pub number: u64,
    /// When it was uploaded.
    pub created_on: SystemTime,
    /// E-mail address or id of who uploaded it.
    pub author: Option<String>,
    /// The uploader's message.
    pub message: Option<String>,
    /// The uploader's tag.
    pub tag: Option<String>,
    /// What uploaded it: `wrangler`, `dash`, `terraform`, …
    pub source: Option<String>,
    /// What triggered it: `upload`, `secret`, `rollback`, …
    pub triggered_by: Option<String>,
    /// Share of the live traffic in per cent (0…100, may be fractional); 0: not deployed.
    pub percentage: f64,
    /// Traffic of this version alone, where analytics may be read.
    pub metrics: Option<Metrics>,
}

impl Version {
    /// The first eight digits of the id, as shown everywhere.
    #[must_use]
    pub fn short_id(&self) -> &str {
        short(&self.id)
    }
}

/// The first eight characters of an id, as it is shown everywhere.
#[must_use]
pub fn short(id: &str) -> &str {
    id.char_indices()
        .nth(8)
        .map_or(id, |(end, _)| id.get(..end).unwrap_or(id))
}

/// A Durable Object class of a Worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// 32 hexadecimal digits.
    pub id: String,
    /// `{script}_{class}`.
    pub name: String,
    /// The owning Worker's name; a capture must go there. `None`: orphaned, no capture possible.
    pub script: Option<String>,
    /// The class's name.
    pub class: Option<String>,
}

/// One Durable Object.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// 64 hexadecimal digits.
    pub id: String,
    /// Its name, where analytics carry one.
    pub name: Option<String>,
    /// Whether it keeps data; `None` where the answer did not say.
    pub has_stored_data: Option<bool>,
    /// CPU seconds over the analytics window, where analytics may be read.
    pub cpu_seconds: Option<f64>,
    /// 99th percentile of its isolate's memory in bytes, where analytics may be read.
    pub memory_p99: Option<f64>,
    /// The version it is pinned to, if analytics has it.
    pub version_id: Option<String>,
}

/// What a capture samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, clap::ValueEnum)]
pub enum Kind {
    /// A stack each millisecond.
    Cpu,
    /// A stack per 512 kB allocated during the window; not retained memory.
    Heap,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Heap => "heap",
        })
    }
}

/// Which version a capture is to sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionChoice {
    /// The one that serves the largest share of the traffic: the default.
    Deployed,
    /// The one uploaded last, deployed or not.
    Latest,
    /// An id, or at least the first eight digits of one.
    Id(String),
}

impl VersionChoice {
    /// Reads `deployed`, `latest`, a UUID or a prefix of one.
    ///
    /// # Errors
    /// [`TargetError::Version`] for anything else.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        match text {
            "deployed" => Ok(Self::Deployed),
            "latest" => Ok(Self::Latest),
            id if id.len() >= VERSION_PREFIX_MIN
                && id.len() <= 36
                && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-') =>
            {
                Ok(Self::Id(id.to_ascii_lowercase()))
            }
            other => Err(TargetError::Version(other.to_owned())),
        }
    }
}

/// One Durable Object of one namespace: both ids or neither are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectRef {
    /// 32 hexadecimal digits.
    pub namespace_id: String,
    /// 64 hexadecimal digits.
    pub object_id: String,
    /// Its name, where known; for showing only.
    pub name: Option<String>,
}

impl ObjectRef {
    /// Checks both ids.
    ///
    /// # Errors
    /// [`TargetError::Id32`] or [`TargetError::ObjectId`], saying what is wrong with which.
    pub fn new(
        namespace_id: &str,
        object_id: &str,
        name: Option<String>,
    ) -> Result<Self, TargetError> {
        Ok(Self {
            namespace_id: id32(namespace_id)?,
            object_id: object_id64(object_id)?,
            name,
        })
    }
}

/// Checks the id of an account or namespace: 32 hexadecimal digits, returned in lower case.
///
/// # Errors
/// [`TargetError::Id32`].
pub fn id32(text: &str) -> Result<String, TargetError> {
    let text = text.trim();
    if text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(TargetError::Id32(text.to_owned()))
    }
}

/// Checks a Durable Object's id: 64 hexadecimal digits, returned in lower case.
///
/// # Errors
/// [`TargetError::ObjectId`], which counts what was given.
pub fn object_id64(text: &str) -> Result<String, TargetError> {
    let text = text.trim();
    let hex = text.chars().all(|c| c.is_ascii_hexdigit());
    match text.chars().count() {
        64 if hex => Ok(text.to_ascii_lowercase()),
        digits => Err(TargetError::ObjectId { digits, hex }),
    }
}

/// A request for one capture, checked against everything Cloudflare is known to refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureRequest {
    /// The Worker's name or id.
    pub worker: String,
    /// UUID, prefix of one, or `latest`: what goes into the URL. `None`: an isolate of a local runtime, which has none.
    pub version: Option<String>,
    /// CPU or heap.
    pub kind: Kind,
    /// How long it samples; see [`check_window`].
    pub window: Duration,
    /// One Durable Object, or any isolate of the version.
    pub object: Option<ObjectRef>,
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

/// Where a capture came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Cloudflare's API.
    Cloudflare,
    /// The demo server (`flarescope demo`).
    Demo,
    /// A local runtime's inspector.
    Inspector,
    /// A file the user imported.
    File,
}

impl Origin {
    /// The word used in the cache and in `list captures --json`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cloudflare => "cloudflare",
            Self::Demo => "demo",
            Self::Inspector => "inspector",
            Self::File => "file",
        }
    }
}

/// One capture on disk: what is known of it, beside its raw bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// SHA-256 of the raw bytes as lower-case hex: the capture's name everywhere.
    pub sha256: String,
    /// Where the raw bytes lie.
    pub path: std::path::PathBuf,
    /// Size of the raw bytes.
    pub bytes: u64,
    /// CPU or heap, where known (an imported file may not say).
    pub kind: Option<Kind>,
    /// The window that was asked for.
    pub window: Option<Duration>,
    /// The Worker's name, or the imported file's.
    pub worker: String,
    /// The version that was sampled, if it is known.
    pub version_id: Option<String>,
    /// That version's number.
    pub version_number: Option<u64>,
    /// Its share of the traffic when it was captured, in per cent.
    pub percentage: Option<f64>,
    /// Traffic of all its isolates in the quarter of an hour before it was captured, where that was known. Of a Durable Object
    /// it is not.
    pub metrics: Option<Metrics>,
    /// The Durable Object that was sampled.
    pub object: Option<ObjectRef>,
    /// 32 hexadecimal digits; `None` for files.
    pub account_id: Option<String>,
    /// The account's name, where known.
    pub account_name: Option<String>,
    /// When it was asked for.
    pub asked_at: SystemTime,
    /// When the answer was whole.
    pub answered_at: SystemTime,
    /// Where it came from.
    pub origin: Origin,
    /// Facts from decoding it; `None` until it was decoded once, or if that fails.
    pub summary: Option<Summary>,
    /// What people noted of it since, and the state of its files.
    pub keeping: Keeping,
}

/// What became of a capture after it was taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keeping {
    /// The name it was given; without one it goes by its Worker's.
    pub title: Option<String>,
    /// What was noted about it.
    pub note: Option<String>,
    /// Whether pruning and the quota leave it alone.
    pub pinned: bool,
    /// When it was last kept, changed or opened, where the disk tells.
    pub used_at: Option<SystemTime>,
    /// What is wrong with its files; such a capture is not pruned unless that is asked for.
    pub damage: Option<String>,
}

/// A change to what is noted of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amendment {
    /// Another name, or none.
    Title(Option<String>),
    /// Another note, or none.
    Note(Option<String>),
    /// Whether pruning and the quota leave it alone.
    Pinned(bool),
}

/// What the lists show of a capture, kept beside it so that no list decodes profiles.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Type of the values shown, as `("cpu", "nanoseconds")`.
    pub sample_type: (String, String),
    /// Net sum of the values.
    pub total: i64,
    /// Samples (objects), or the number of records.
    pub samples: i64,
    /// The function with the largest self value (idle aside), and its value.
    pub top: Option<(String, i64)>,
}
