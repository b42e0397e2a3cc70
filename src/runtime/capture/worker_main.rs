//! The capture worker: reads its request, captures, keeps, reports. Records the result if the screen is gone.

use std::io;
use std::io::{BufRead as _, Read as _, Write as _};
use std::time::SystemTime;

use tokio::sync::oneshot;

use crate::api::{Captured, Client, Settings};
use crate::inspector;
use crate::inspector::{Address, Inspector};
use crate::model::cloudflare::Capture;
use crate::model::graph::aggregate;
use crate::model::graph::view::View;
use crate::model::insights::summary::summarise;
use crate::model::text::secret::Secret;
use crate::runtime::capture::steps;
use crate::runtime::capture::steps::{CaptureSpec, Progress};
use crate::runtime::capture::worker::{
    CANCEL, Failed, LINE_MAX, Message, PROGRAM, Request, Source, cancelled,
};
use crate::runtime::{Local, local};
use crate::store::{DetachedResult, Store};

/// Why the worker could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The screen did not start it.
    #[error("--capture-worker is only for flarescope itself, which starts captures with it")]
    NoRequest,
    /// The system could not start threads.
    #[error("no runtime: {0}")]
    Runtime(#[from] io::Error),
}

/// Runs a capture with the request on standard input. Returns whether it produced a profile.
///
/// # Errors
/// [`WorkerError::NoRequest`] without a request, [`WorkerError::Runtime`] without threads.
pub fn run_worker() -> Result<bool, WorkerError> {
    leave_session();
    let request = read_request().ok_or(WorkerError::NoRequest)?;
    let store = Store::open(&request.cache)
        .with_quota(request.quota)
        .with_rescue(request.rescue);
    let spec = request.spec;
    let profiler = Profiler::new(request.source, &spec).ok_or(WorkerError::NoRequest)?;
    let cancellation = cancellation();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut screen = Screen { listens: true };
    let captured = runtime.block_on(async {
        // Its session has no terminal, so SIGHUP means nothing here.
        #[cfg(unix)]
        let _ignored = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup());
        profiler
            .ask(
                &store,
                &spec,
                &mut |progress| screen.report(&progress.into()),
                cancellation,
            )
            .await
    });
    // Doesn't wait for a thread that waits for the lock of a cancelled capture.
    runtime.shutdown_background();
    Ok(match captured {
        Ok(Some(captured)) => finish(&store, &spec, &captured, &mut screen),
        Ok(None) => false,
        Err(failed) => {
            let message = failed.message.clone();
            screen.report(&Message::Failed(failed));
            if !screen.listens {
                record_result(&store, &spec, Err(message));
            }
            false
        }
    })
}

/// The source of the profile, ready to use.
enum Profiler {
    Account(Settings),
    Local(Local),
}

impl Profiler {
    /// `None` if the request can't be used.
    fn new(source: Source, spec: &CaptureSpec) -> Option<Self> {
        Some(match source {
            Source::Account { token, base_url } => Self::Account(Settings {
                account: spec.account.as_ref().map(|account| account.id.clone()),
                ..Settings::new(base_url, Secret::new(&token).ok()?)
            }),
            Source::Inspector { address, label } => {
                // Whether it may be another machine was checked before the screen started.
                let address = Address::parse(&address, true).ok()?;
                Self::Local(Local {
                    inspector: Inspector::new(address, inspector::Settings::default()),
                    label,
                })
            }
        })
    }

    /// Captures the profile; `None` if it was cancelled.
    async fn ask(
        self,
        store: &Store,
        spec: &CaptureSpec,
        report: &mut (dyn FnMut(Progress) + Send),
        cancellation: oneshot::Receiver<()>,
    ) -> Result<Option<Captured>, Failed> {
        match self {
            Self::Local(local) => {
                let asked = local::ask(&local, store, spec, report, ended(cancellation));
                asked.await.map_err(|error| Failed::of_inspector(&error))
            }
            Self::Account(settings) => {
                let asked =
                    async { steps::ask(&Client::new(settings)?, store, spec, report).await };
                let captured = asked.await.map_err(|error| Failed::of_api(&error))?;
                Ok(Some(captured))
            }
        }
    }
}

/// Returns a receiver that gets a value when the screen cancels. A closed pipe does not cancel.
fn cancellation() -> oneshot::Receiver<()> {
    let (cancel, cancelled) = oneshot::channel();
    // A thread of its own: reading standard input blocks, and nothing waits for it at the end.
    std::thread::spawn(move || {
        let mut line = Vec::new();
        let read = io::stdin()
            .lock()
            .take(LINE_MAX)
            .read_until(b'\n', &mut line);
        if read.is_ok() && line.trim_ascii_end() == CANCEL.as_bytes() {
            let _ = cancel.send(());
        }
    });
    cancelled
}

/// Resolves when the screen cancels or SIGTERM arrives.
async fn ended(mut cancellation: oneshot::Receiver<()>) {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await.unwrap_or_default(),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending();
    tokio::select! {
        () = cancelled(&mut cancellation) => {}
        () = terminated => {}
    }
}

/// Keeps the profile, reports its path, then stores its summary. If it can't be kept, sends it to the screen.
fn finish(store: &Store, spec: &CaptureSpec, captured: &Captured, screen: &mut Screen) -> bool {
    match steps::keep(store, spec, captured) {
        Ok((capture, remark)) => {
            screen.report(&Message::Kept {
                path: capture.path.clone(),
                remark,
            });
            // A rescued capture is reported at each start as long as it is there.
            if !screen.listens && capture.path.starts_with(store.dir()) {
                record_result(store, spec, Ok(capture.path.clone()));
            }
            note_summary(store, &capture, &captured.bytes);
            true
        }
        Err(error) => {
            let why = error.to_string();
            let (asked_at, answered_at) = (captured.asked_at, captured.answered_at);
            screen.report(&Message::Unkept {
                bytes: captured.bytes.len() as u64,
                why,
                asked_at,
                answered_at,
            });
            screen.send(&captured.bytes);
            screen.listens
        }
    }
}

fn note_summary(store: &Store, capture: &Capture, bytes: &[u8]) {
    let read = steps::decode(bytes, &capture.target().worker).ok();
    let summary = read.and_then(|profile| {
        let reading = aggregate::read(
            &profile,
            &View {
                hide_idle: true,
                ..View::new(&profile)
            },
        )
        .ok()?;
        Some(summarise(&profile, &reading))
    });
    if let Some(summary) = summary {
        // Only the lists show it.
        let _ = store.set_summary(capture, summary);
    }
}

fn record_result(store: &Store, spec: &CaptureSpec, outcome: Result<std::path::PathBuf, String>) {
    let word = DetachedResult {
        worker: spec.request.target.worker.clone(),
        at: SystemTime::now(),
        outcome,
    };
    // Without the record the capture is still in the history.
    let _ = store.record_detached_result(&word);
}

/// Standard output to the screen, as long as the screen reads it.
struct Screen {
    listens: bool,
}

impl Screen {
    fn report(&mut self, message: &Message) {
        let mut line = serde_json::to_vec(message).unwrap_or_default();
        line.push(b'\n');
        self.send(&line);
    }

    fn send(&mut self, bytes: &[u8]) {
        let mut out = io::stdout().lock();
        self.listens = self.listens && out.write_all(bytes).and_then(|()| out.flush()).is_ok();
    }
}

impl From<Progress> for Message {
    fn from(progress: Progress) -> Self {
        match progress {
            Progress::Waiting(holder) => Self::Waiting {
                worker: holder.worker,
                until: holder.until,
            },
            Progress::Sent => Self::Sent,
            Progress::Arrived => Self::Arrived,
        }
    }
}

/// Returns the request on standard input; `None` if it is not from the same version of the program.
fn read_request() -> Option<Request> {
    let mut line = Vec::new();
    io::stdin()
        .lock()
        .take(LINE_MAX)
        .read_until(b'\n', &mut line)
        .ok()?;
    let request: Request = serde_json::from_slice(&line).ok()?;
    (request.program == PROGRAM).then_some(request)
}

/// Leaves the terminal's session, so that this process outlives it.
fn leave_session() {
    // Fails only for a group leader, which this process never is.
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}
