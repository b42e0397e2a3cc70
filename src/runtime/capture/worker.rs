//! The capture worker, as the screen and commands see it: starts the process, sends the request, reads its messages.
//!
//! The worker is this program again, as `flarescope capture … --capture-worker`, in a session of its own: a closed window, a dead
//! link or a killed screen does not end it, and it keeps the profile on disk. What to capture, and the token or the local
//! runtime's address, come through its standard input. It writes lines of JSON. Limitation: a system that ends all processes of
//! a user at logout ends this one too.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;

use crate::api::{ApiError, CAPTURE_BODY_MAX, Captured, Client, ErrorKind};
use crate::app::Bindings;
use crate::app::keys::message::outside;
use crate::app::{Failure, FailureKind, Refusal};
use crate::inspector::InspectorError;
use crate::runtime::capture::steps::{CaptureSpec, Progress};
use crate::runtime::{Local, failures, log};
use crate::store::{LockOwner, Store};

/// How long to wait for the end of a worker that has kept its profile: it still stores the summary.
const SUMMARY_WAIT: Duration = Duration::from_secs(2);
/// How long to wait for a cancelled worker, which tells its runtime to stop.
const STOP_WAIT: Duration = Duration::from_secs(5);
/// Longest line that either side reads, in bytes.
pub(super) const LINE_MAX: u64 = 256 << 10;

/// All that the worker needs: what to capture, where from, and where to keep it.
#[derive(Serialize, Deserialize)]
pub(super) struct Request {
    /// Name and version: the program's file may have been replaced meanwhile.
    pub(super) program: String,
    pub(super) cache: PathBuf,
    pub(super) quota: Option<u64>,
    /// The rescue folders.
    pub(super) rescue: Vec<PathBuf>,
    pub(super) source: Source,
    pub(super) spec: CaptureSpec,
}

/// Where the profile comes from, as the request has it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Source {
    /// Cloudflare's API or the demo server.
    Account { token: String, base_url: String },
    /// A local runtime: its address, and the user's name for its only Worker.
    Inspector {
        address: String,
        label: Option<String>,
    },
}

/// Where the profile comes from.
#[derive(Clone, Copy)]
pub enum Profiled<'a> {
    /// Cloudflare's API or the demo server.
    Account {
        /// The client of the account.
        client: &'a Client,
        /// The API's address.
        base_url: &'a str,
    },
    /// A local runtime.
    Inspector(&'a Local),
}

/// Cancels the capture; the only input after the request. EOF does not cancel: the capture outlives the screen.
pub(super) const CANCEL: &str = "cancel";

/// A message of the worker, one line of JSON each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Message {
    /// Waits for another capture of the account.
    Waiting {
        worker: String,
        until: Option<SystemTime>,
    },
    /// Sampling runs.
    Sent,
    /// The response is complete.
    Arrived,
    /// The profile is on disk, with an optional remark.
    Kept {
        path: PathBuf,
        remark: Option<String>,
    },
    /// The profile could not be kept: this many bytes follow the line.
    Unkept {
        bytes: u64,
        why: String,
        asked_at: SystemTime,
        answered_at: SystemTime,
    },
    /// The capture failed.
    Failed(Failed),
}

/// A failure as the worker sends it.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::runtime) struct Failed {
    pub(super) message: String,
    evidence: Option<String>,
    hint: Option<String>,
    retry_after: Option<Duration>,
    refusal: Option<Refusal>,
    /// As a command reports it, if that differs.
    command: Option<CommandFailure>,
}

/// A failure of a capture as a command reports it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CommandFailure {
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The API's error code.
    pub code: Option<i64>,
    /// HTTP status.
    pub status: Option<u16>,
    /// `cf-ray` of the response.
    pub ray: Option<String>,
    /// How long the server asked to wait, if it did.
    pub retry_after: Option<Duration>,
    /// Whether the token was rejected.
    pub is_token_rejected: bool,
}

impl From<Failed> for CommandFailure {
    fn from(failed: Failed) -> Self {
        failed.command.unwrap_or(Self {
            message: failed.message,
            hint: failed.hint,
            retry_after: failed.retry_after,
            ..Self::default()
        })
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        let Failure {
            message,
            evidence,
            hint,
            retry_after,
            refusal,
            ..
        } = failure;
        // Sentences about captures name no keys, so that none of the user's own is missing.
        let words = |message| Bindings::default().expand_keys(&message);
        Self {
            message: words(message),
            evidence,
            hint: hint.map(words),
            retry_after,
            refusal,
            command: None,
        }
    }
}

impl Failed {
    /// Returns the failure for an error of the API.
    pub(super) fn of_api(error: &ApiError) -> Self {
        Self {
            command: Some(CommandFailure {
                message: error.to_string(),
                hint: error.hint(),
                code: error.code(),
                status: error.status(),
                ray: error.ray().map(str::to_owned),
                retry_after: error.retry_after(),
                is_token_rejected: *error.kind() == ErrorKind::TokenRefused,
            }),
            ..Self::from(failures::api(FailureKind::Capture, error))
        }
    }

    /// Returns the failure for an error of a local runtime.
    pub(super) fn of_inspector(error: &InspectorError) -> Self {
        Self {
            command: Some(CommandFailure {
                message: error.to_string(),
                hint: error.hint(),
                ..CommandFailure::default()
            }),
            ..Self::from(failures::inspector(FailureKind::Capture, error))
        }
    }

    /// Returns the failure as the screen reports it.
    pub(super) fn into_failure(self) -> Failure {
        let Self {
            message,
            evidence,
            hint,
            retry_after,
            refusal,
            ..
        } = self;
        Failure {
            evidence,
            hint: hint.map(outside),
            retry_after,
            refusal,
            ..Failure::new(FailureKind::Capture, outside(message))
        }
    }
}

/// What a capture worker ended with.
pub(in crate::runtime) enum Outcome {
    /// The profile is at this path, with an optional remark.
    Kept(PathBuf, Option<String>),
    /// The profile is only in memory, and why.
    Unkept(Captured, String),
    /// The user cancelled it.
    Cancelled,
}

/// A running capture worker.
pub(in crate::runtime) struct CaptureWorker {
    child: Child,
    messages: BufReader<ChildStdout>,
    input: ChildStdin,
    /// Whether it must tell a runtime to stop before it ends.
    waits_for_stop: bool,
}

impl CaptureWorker {
    /// Starts the worker and sends its request; the client's token goes through a pipe.
    pub(in crate::runtime) async fn start(
        program: &Path,
        asked: Profiled<'_>,
        store: &Store,
        spec: &CaptureSpec,
    ) -> io::Result<Self> {
        let mut child = command(program, &spec.request.target.worker)
            .spawn()
            .inspect_err(|error| tracing::warn!(%error, "capture-worker-not-started"))?;
        tracing::info!(worker_pid = child.id(), "capture-worker-started");
        let waits_for_stop = matches!(asked, Profiled::Inspector(_));
        let request = Request {
            program: PROGRAM.to_owned(),
            cache: std::path::absolute(store.dir())?,
            quota: store.quota(),
            rescue: store
                .rescue_folders()
                .iter()
                .map(std::path::absolute)
                .collect::<io::Result<_>>()?,
            source: match asked {
                Profiled::Account { client, base_url } => Source::Account {
                    token: client.active_login().secret().reveal().to_owned(),
                    base_url: base_url.to_owned(),
                },
                Profiled::Inspector(Local { inspector, label }) => Source::Inspector {
                    address: inspector.address().to_string(),
                    label: label.clone(),
                },
            },
            spec: spec.clone(),
        };
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let mut line = serde_json::to_vec(&request)?;
        line.push(b'\n');
        if let Err(error) = input.write_all(&line).await {
            // It ended before it read its input.
            let _ = child.kill().await;
            return Err(error);
        }
        Ok(Self {
            child,
            messages: BufReader::new(output),
            input,
            waits_for_stop,
        })
    }

    /// Follows the worker to its end. If `cancel` is sent, the worker is ended; if it is only dropped, as when the
    /// program ends, the worker continues.
    pub(in crate::runtime) async fn follow(
        mut self,
        report: &mut (dyn FnMut(Progress) + Send),
        cancel: &mut oneshot::Receiver<()>,
    ) -> Result<Outcome, Failed> {
        let outcome = tokio::select! {
            biased;
            () = cancelled(cancel) => Ok(Outcome::Cancelled),
            outcome = listen(&mut self.messages, report) => outcome,
        };
        if matches!(outcome, Ok(Outcome::Cancelled)) {
            tracing::info!(stage = "cancelled", "capture");
            if self.waits_for_stop
                && self
                    .input
                    .write_all(format!("{CANCEL}\n").as_bytes())
                    .await
                    .is_ok()
            {
                let _ = tokio::time::timeout(STOP_WAIT, self.child.wait()).await;
            }
            // Ending the process closes its connection, the only way to cancel that the API offers.
            let _ = self.child.kill().await;
        } else {
            // It has sent its last message and still stores the summary, which the lists show.
            if tokio::time::timeout(SUMMARY_WAIT, self.child.wait())
                .await
                .is_err()
            {
                // Reaps the process.
                tokio::spawn(async move { self.child.wait().await });
            }
        }
        outcome
    }
}

/// Resolves when a value is sent; never if the sender was dropped.
pub(super) async fn cancelled(cancel: &mut oneshot::Receiver<()>) {
    if cancel.await.is_err() {
        std::future::pending().await
    }
}

/// The program's name and version, equal on both sides.
pub(super) const PROGRAM: &str = concat!("flarescope ", env!("CARGO_PKG_VERSION"));

fn command(program: &Path, worker: &str) -> Command {
    let mut command = Command::new(program);
    command
        .arg("capture")
        // For `ps` alone: the request has it as well. One argument, as a name may begin with a dash.
        .arg(format!("--worker={worker}"))
        .arg("--capture-worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    command.arg0("flarescope");
    command.envs(log::file().map(|path| ("FLARESCOPE_LOG", path)));
    // The token comes with the request; no other source may be read.
    command
        .env_remove("CLOUDFLARE_API_TOKEN")
        .env_remove("CF_API_TOKEN");
    command
}

/// Reads the worker's messages up to the last one.
async fn listen(
    messages: &mut (impl AsyncBufRead + Unpin),
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Outcome, Failed> {
    loop {
        let mut line = Vec::new();
        let read = (&mut *messages)
            .take(LINE_MAX)
            .read_until(b'\n', &mut line)
            .await;
        let message = read
            .ok()
            .filter(|count| *count > 0)
            .and_then(|_| serde_json::from_slice(&line).ok());
        match message {
            Some(Message::Waiting { worker, until }) => {
                report(Progress::Waiting(LockOwner { worker, until }))
            }
            Some(Message::Sent) => report(Progress::Sent),
            Some(Message::Arrived) => report(Progress::Arrived),
            Some(Message::Kept { path, remark }) => return Ok(Outcome::Kept(path, remark)),
            Some(Message::Failed(failed)) => return Err(failed),
            Some(Message::Unkept {
                bytes,
                why,
                asked_at,
                answered_at,
            }) if bytes <= CAPTURE_BODY_MAX as u64 => {
                let mut profile = Vec::new();
                match (&mut *messages).take(bytes).read_to_end(&mut profile).await {
                    Ok(count) if count as u64 == bytes => {
                        let captured = Captured {
                            bytes: profile,
                            content_type: None,
                            ray: None,
                            asked_at,
                            answered_at,
                        };
                        return Ok(Outcome::Unkept(captured, why));
                    }
                    _ => return Err(ended_early()),
                }
            }
            Some(Message::Unkept { .. }) | None => return Err(ended_early()),
        }
    }
}

/// Returns the failure for a worker that ended before it sent its outcome.
fn ended_early() -> Failed {
    tracing::warn!("capture-worker-ended-early");
    Failed::from(Failure {
        hint: Some("Something ended it from outside. If the profile had arrived, it is among the captures.".into()),
        ..Failure::new(FailureKind::Capture, "The capture worker ended unexpectedly.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::wording;

    async fn listen_to(text: &[u8]) -> (Vec<Progress>, Result<Outcome, Failure>) {
        let mut reported = Vec::new();
        let mut messages = text;
        let outcome = listen(&mut messages, &mut |progress| reported.push(progress)).await;
        (reported, outcome.map_err(Failed::into_failure))
    }

    fn line(message: &Message) -> Vec<u8> {
        [serde_json::to_vec(message).unwrap(), b"\n".to_vec()].concat()
    }

    #[tokio::test]
    async fn messages_are_read_to_the_last_one() {
        let kept = Message::Kept {
            path: "/x/y.pprof".into(),
            remark: None,
        };
        let text = [
            line(&Message::Sent),
            line(&Message::Arrived),
            line(&kept),
            b"more".to_vec(),
        ]
        .concat();
        let (reported, outcome) = listen_to(&text).await;
        assert_eq!(reported, [Progress::Sent, Progress::Arrived]);
        assert!(
            matches!(outcome, Ok(Outcome::Kept(path, None)) if path == Path::new("/x/y.pprof"))
        );
    }

    #[tokio::test]
    async fn a_failure_keeps_its_words() {
        let failure = Failure::new(FailureKind::Capture, "refused");
        let message = Message::Failed(Failed::from(failure));
        let (_, outcome) = listen_to(&line(&message)).await;
        assert_eq!(
            outcome.err().map(|failure| failure.message),
            Some(outside("refused"))
        );
    }

    #[tokio::test]
    async fn a_profile_that_could_not_be_kept_comes_through_whole_or_not_at_all() {
        let time = SystemTime::UNIX_EPOCH;
        let message = Message::Unkept {
            bytes: 5,
            why: "full".to_owned(),
            asked_at: time,
            answered_at: time,
        };
        let (_, outcome) = listen_to(&[line(&message), b"\n\0{}\n".to_vec()].concat()).await;
        assert!(
            matches!(outcome, Ok(Outcome::Unkept(captured, _)) if captured.bytes == b"\n\0{}\n")
        );
        let (_, outcome) = listen_to(&[line(&message), b"1234".to_vec()].concat()).await;
        assert!(outcome.is_err());
        let huge = Message::Unkept {
            bytes: u64::MAX,
            why: String::new(),
            asked_at: time,
            answered_at: time,
        };
        assert!(listen_to(&line(&huge)).await.1.is_err());
    }

    #[tokio::test]
    async fn an_end_without_a_word_and_what_is_no_word_are_failures() {
        let mut wording = wording!();
        for text in [
            &b""[..],
            b"{\"word\":\"sent\"}\n",
            b"panicked at\n",
            b"{\"word\":\"kept\"}\n",
        ] {
            let Err(failure) = listen_to(text).await.1 else {
                panic!("{text:?}")
            };
            wording.add(Bindings::default().expand_keys(&failure.message));
        }
    }
}
