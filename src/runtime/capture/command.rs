//! Captures of a command: in a worker process that outlives it, else in this one.

use tokio::sync::oneshot;

use crate::api::{ActiveLogin, Client, Step};
use crate::model::cloudflare::{Capture, Provenance};
use crate::runtime::capture::steps;
use crate::runtime::capture::steps::{CaptureSpec, Progress};
use crate::runtime::capture::worker::{
    CaptureWorker, CommandFailure, Failed, Outcome, Profiled, cancelled,
};
use crate::runtime::{failures, local, services};
use crate::store::Store;

/// What a command's capture ended with.
#[derive(Debug)]
pub enum Taken {
    /// It is on disk, with an optional remark.
    Kept(Box<Capture>, Option<String>),
    /// It could not be kept: the bytes, what is known of them, and why.
    Unkept(Vec<u8>, Box<Provenance>, String),
}

/// Takes the capture lock, captures and keeps the profile. `None` if a value was sent through `cancel`; if `cancel` or this
/// future is only dropped, a worker process continues and keeps the profile.
///
/// # Errors
/// [`CommandFailure`] if the capture was refused or lost, or the kept profile can't be found.
pub async fn take(
    asked: Profiled<'_>,
    store: &Store,
    spec: &CaptureSpec,
    report: &mut (dyn FnMut(Progress) + Send),
    mut cancel: oneshot::Receiver<()>,
) -> Result<Option<Taken>, CommandFailure> {
    let worker = match services::own_program() {
        Some(program) => CaptureWorker::start(&program, asked, store, spec)
            .await
            .ok(),
        None => None,
    };
    let outcome = match worker {
        Some(worker) => {
            let sent = match asked {
                Profiled::Account { client, .. } => Some((client, client.active_login())),
                Profiled::Inspector(_) => None,
            };
            match (worker.follow(report, &mut cancel).await, sent) {
                (Err(failed), Some((client, sent))) => {
                    return Err(advised(failed.into(), client, &sent).await);
                }
                (followed, _) => followed,
            }
        }
        None => here(asked, store, spec, report, cancel).await,
    };
    let taken = match outcome? {
        Outcome::Cancelled => return Ok(None),
        Outcome::Kept(path, remark) => {
            let found = store.find(&path.to_string_lossy()).map_err(Failed::from)?;
            Taken::Kept(Box::new(found), remark)
        }
        Outcome::Unkept(captured, why) => {
            let provenance = Box::new(spec.provenance(&captured));
            Taken::Unkept(captured.bytes, provenance, why)
        }
    };
    Ok(Some(taken))
}

/// Adds what only this process knows: where the token came from. Holds later calls back as long as the server asked.
async fn advised(
    mut failure: CommandFailure,
    client: &Client,
    sent: &ActiveLogin,
) -> CommandFailure {
    if let Some(pause) = failure.retry_after {
        client.hold(Step::Capture, pause);
    }
    if failure.is_token_rejected {
        failure.hint = if client.refresh_token(sent).await {
            Some("A newer login was found: run the command again.".to_owned())
        } else {
            client.token_advice().or(failure.hint)
        };
    }
    failure
}

/// Captures in this process; the capture is lost if the process ends.
async fn here(
    asked: Profiled<'_>,
    store: &Store,
    spec: &CaptureSpec,
    report: &mut (dyn FnMut(Progress) + Send),
    mut cancel: oneshot::Receiver<()>,
) -> Result<Outcome, Failed> {
    let captured = match asked {
        Profiled::Account { client, .. } => tokio::select! {
            biased;
            () = cancelled(&mut cancel) => None,
            captured = steps::ask(client, store, spec, report) =>
                Some(captured.map_err(|error| Failed::of_api(&error))?),
        },
        Profiled::Inspector(local) => {
            let asked = local::ask(local, store, spec, report, cancelled(&mut cancel));
            asked.await.map_err(|error| Failed::of_inspector(&error))?
        }
    };
    let Some(captured) = captured else {
        return Ok(Outcome::Cancelled);
    };
    Ok(match steps::keep(store, spec, &captured) {
        Ok((capture, remark)) => Outcome::Kept(capture.path, remark),
        Err(error) => Outcome::Unkept(captured, error.to_string()),
    })
}

impl From<crate::store::StoreError> for Failed {
    fn from(error: crate::store::StoreError) -> Self {
        Self::from(failures::store(&error))
    }
}
