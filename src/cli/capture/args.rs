//! The options of `flarescope capture`.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::CliError;
use crate::config::File;
use crate::model::cloudflare;
use crate::model::cloudflare::{Kind, TargetError};

/// The default duration, as in Cloudflare's dashboard.
const DURATION: Duration = Duration::from_secs(10);

/// Capture a profile in production, or of a local runtime
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CaptureArgs {
    /// The Worker: its name or id; optional for the only one of a local runtime
    #[arg(long, value_name = "NAME")]
    pub(super) worker: Option<String>,
    /// deployed (the one that serves most; the default), latest, an id, or at least 8 digits of one
    #[arg(long, value_name = "VERSION")]
    pub(super) version: Option<String>,
    /// What to sample [default: as configured, or cpu]
    #[arg(long = "type", value_name = "KIND")]
    pub(super) kind: Option<Kind>,
    /// How long, from 1s to 50s [default: as configured, or 10s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) duration: Option<Duration>,
    /// The namespace (id, name or class) of the Durable Object to capture
    #[arg(long, value_name = "NAMESPACE", requires = "object")]
    pub(super) namespace: Option<String>,
    /// The Durable Object to capture: its 64-digit id, or its name if it had traffic lately
    #[arg(long, value_name = "ID|NAME", requires = "namespace")]
    pub(super) object: Option<String>,
    /// Repeat the capture, from 1 to 9 times; --open merges them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    pub(super) count: u8,
    /// Capture both versions of a gradual deployment, the larger share first; --open compares them
    #[arg(long, conflicts_with_all = ["version", "object", "count"])]
    pub(super) canary: bool,
    /// Also write the profile to this file; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Open it on the screen
    #[arg(long, conflicts_with = "json")]
    pub(super) open: bool,
    /// Write the profile even to a terminal
    #[arg(long)]
    pub(super) force: bool,
    /// Print one JSON object about the capture
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Run as a capture worker, with its request on standard input
    #[arg(long, hide = true)]
    pub(super) capture_worker: bool,
}

fn duration(text: &str) -> Result<Duration, String> {
    // The reader of durations would propose any unit, also those that no capture takes.
    if text.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Err(format!("write it with its unit: {text}s"));
    }
    humantime::parse_duration(text).map_err(|error| format!("{error}; write it as 10s"))
}

impl CaptureArgs {
    /// Returns the options with defaults from the configuration.
    pub(super) fn configured(&self, file: &File) -> Self {
        Self {
            kind: self.kind.or(file.kind),
            duration: self.duration.or(file.window),
            ..self.clone()
        }
    }

    /// Returns whether this is the capture worker of a screen.
    pub(in crate::cli) const fn is_worker(&self) -> bool {
        self.capture_worker
    }

    /// Returns the Worker.
    ///
    /// # Errors
    /// [`CliError::Usage`] if none is named.
    pub(super) fn worker(&self) -> Result<&str, CliError> {
        self.worker
            .as_deref()
            .ok_or_else(|| CliError::Usage("which Worker? Use --worker NAME".to_owned()))
    }

    /// What to sample.
    pub(super) fn kind(&self) -> Kind {
        self.kind.unwrap_or(Kind::Cpu)
    }

    /// How long.
    ///
    /// # Errors
    /// [`TargetError::Window`] if the API would reject it.
    pub(super) fn window(&self) -> Result<Duration, TargetError> {
        cloudflare::check_window(self.duration.unwrap_or(DURATION))
    }
}
