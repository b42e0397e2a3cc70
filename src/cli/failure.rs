//! How a command ends when it can't do what was asked: one message on stderr (or one JSON value on stdout under `--json`) and an exit code.

use std::borrow::Cow;
use std::io::Write as _;
use std::process::ExitCode;

use crate::model::text::sanitize::{is_unsafe, json_safe, printable};

/// What a command returns.
pub type CliResult = Result<(), CliError>;

/// Why a command ended early; decides the exit code.
#[derive(Debug)]
pub enum CliError {
    /// A failure: network, API, unreadable file. Exit code 1.
    Failed(Failed),
    /// Wrong use or configuration. Exit code 2.
    Usage(String),
    /// Ended by a signal; the exit code is 128 + its number.
    Signal(u8),
    /// A bug in flarescope. Exit code 70.
    Fault(String),
    /// A failure that is already reported. Exit code 1.
    Reported,
    /// An end that is already reported, with its exit code.
    Exit(u8),
    /// Ends silently, for instance when the reader closed the pipe. Exit code 0.
    Quiet,
}

/// A failure with the API's details, as `--json` prints it.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Failed {
    /// The API's own error code.
    pub code: Option<i64>,
    /// HTTP status.
    pub status: Option<u16>,
    /// The message.
    pub message: String,
    /// `cf-ray` of the response.
    pub ray: Option<String>,
    /// What to do about it; not in JSON.
    #[serde(skip)]
    pub hint: Option<String>,
}

impl CliError {
    /// Creates a failure from one sentence.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(Failed {
            message: message.into(),
            ..Failed::default()
        })
    }

    /// Returns the message.
    pub(super) fn message(&self) -> &str {
        match self {
            Self::Failed(failed) => &failed.message,
            Self::Usage(message) | Self::Fault(message) => message,
            Self::Signal(_) | Self::Reported | Self::Exit(_) | Self::Quiet => "",
        }
    }

    /// Returns the failure as JSON has it; `None` if there is nothing to report.
    pub(super) fn as_failed(&self) -> Option<Cow<'_, Failed>> {
        let of = |message: String| {
            Some(Cow::Owned(Failed {
                message,
                ..Failed::default()
            }))
        };
        match self {
            Self::Quiet | Self::Reported | Self::Exit(_) => None,
            Self::Failed(failed) => Some(Cow::Borrowed(failed)),
            Self::Usage(message) | Self::Fault(message) => of(message.clone()),
            Self::Signal(number) => of(format!("ended by signal {number}")),
        }
    }

    /// Prints the failure and returns the exit code.
    #[must_use]
    pub fn report(&self, json: bool) -> u8 {
        let code = match self {
            Self::Quiet => 0,
            Self::Reported | Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Fault(_) => 70,
            Self::Signal(number) => 128 + number,
            Self::Exit(code) => *code,
        };
        let Some(failed) = self.as_failed() else {
            return code;
        };
        if json {
            let error = json_safe(serde_json::json!({ "error": failed }).to_string());
            // If standard output is closed, the exit code remains.
            let _ = writeln!(std::io::stdout().lock(), "{error}");
        }
        if matches!(self, Self::Signal(_)) {
            return code;
        }
        let ray = failed
            .ray
            .as_ref()
            .map(|ray| format!("Cloudflare's support can look it up by its cf-ray {ray}"));
        let lines = [
            Some(format!("flarescope: {}", failed.message)),
            failed.hint.clone(),
            ray,
        ];
        lines.into_iter().flatten().for_each(|text| say(&text));
        code
    }
}

/// Reports invalid arguments and returns the exit code.
pub(super) fn refuse(error: &clap::Error) -> ExitCode {
    let is_hostile = |argument: std::ffi::OsString| argument.to_string_lossy().contains(is_unsafe);
    // The message quotes the arguments: only without unsafe characters is it printed as it is, with colours.
    if !error.use_stderr() || !std::env::args_os().any(is_hostile) {
        error.exit();
    }
    say(error.render().to_string().trim_end());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Prints lines to stderr. Sanitizes them, as parts may come from outside.
pub(super) fn say(text: &str) {
    let mut out = std::io::stderr().lock();
    for line in text.lines() {
        // There is no other way to report it.
        let _ = writeln!(out, "{}", printable(line));
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Self::Quiet
        } else {
            Self::failed(error.to_string())
        }
    }
}
