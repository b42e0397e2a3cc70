//! Captures what was planned, with a countdown on stderr.

use std::convert::Infallible;
use std::io;
use std::io::{IsTerminal, Write as _};
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};

use crate::api::Step;
use crate::cli::capture::plan::Plan;
use crate::cli::capture::save::Taken;
use crate::cli::connect::{Session, note};
use crate::cli::failure::Failed;
use crate::cli::signals::{HANGUP, Signals};
use crate::cli::{CliError, signals};
use crate::model::cloudflare::{CaptureRequest, Metrics, Target, short};
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::runtime::{CaptureSpec, CommandFailure, Profiled, Progress};
use crate::store::{LockOwner, Store};

/// How often the countdown is drawn.
const TICK: Duration = Duration::from_millis(250);

/// Captures a Worker of the account. Meanwhile loads the target's metrics, if the token may read analytics; the capture never
/// waits for them.
///
/// # Errors
/// [`CliError::Failed`], [`CliError::Signal`].
pub(super) async fn of_account(
    session: &Session,
    store: &Store,
    plan: Plan,
    signals: &mut Signals,
) -> Result<Taken, CliError> {
    let client = &session.client;
    let ready = async { Ok(client.ready(Step::Capture).await?) };
    signals::until_signal(signals, ready).await?;
    let spec = CaptureSpec {
        request: plan.request,
        account: Some(session.account.clone()),
        origin: session.origin(),
    };
    let profiled = Profiled::Account {
        client,
        base_url: &session.settings.base_url,
    };
    let mut found = None;
    let capturing = async {
        let aside = async {
            found = metrics(session, &spec.request.target).await;
            std::future::pending::<Infallible>().await
        };
        tokio::select! {
            biased;
            taken = capture(profiled, store, &spec, signals) => taken,
            never = aside => match never {},
        }
    };
    let taken = capturing.await?;
    Ok(Taken {
        profile: taken,
        metrics: found,
        warnings: plan.warnings,
    })
}

/// Captures in a worker process, which outlives this command: if its terminal goes, the capture continues and is kept. Other
/// signals cancel it.
///
/// # Errors
/// [`CliError::Failed`], [`CliError::Signal`].
pub(super) async fn capture(
    profiled: Profiled<'_>,
    store: &Store,
    spec: &CaptureSpec,
    signals: &mut Signals,
) -> Result<runtime::Taken, CliError> {
    let CaptureRequest { target, window, .. } = &spec.request;
    let sent = Notify::new();
    let mut report = |progress| match progress {
        Progress::Waiting(owner) => note(&waiting(&owner)),
        Progress::Sent => sent.notify_one(),
        Progress::Arrived => {}
    };
    let (cancel, cancelled) = oneshot::channel();
    let mut taking = pin!(runtime::take(profiled, store, spec, &mut report, cancelled));
    let shown = async {
        sent.notified().await;
        countdown(&named(target), *window).await
    };
    let taken = tokio::select! {
        biased;
        signal = signals.next() => {
            clear_countdown();
            if signal == HANGUP {
                // Its terminal may be gone already; a script may still read it.
                note("the capture continues and will be kept: flarescope list captures shows it");
            } else {
                // Ended here and not by being dropped, so that the call ends with the command.
                let _ = cancel.send(());
                let _ = taking.await;
            }
            return Err(CliError::Signal(signal));
        }
        taken = &mut taking => taken,
        never = shown => match never {},
    };
    clear_countdown();
    match taken {
        Ok(Some(taken)) => Ok(taken),
        Ok(None) => Err(CliError::failed("the capture was cancelled")),
        Err(failure) => Err(failure.into()),
    }
}

fn named(target: &Target) -> String {
    let version = target.version_id.as_deref().unwrap_or_default();
    let name = printable(&target.worker);
    format!("{name} {}", short(version)).trim_end().to_owned()
}

impl From<CommandFailure> for CliError {
    fn from(failure: CommandFailure) -> Self {
        Self::Failed(Failed {
            code: failure.code,
            status: failure.status,
            message: failure.message,
            ray: failure.ray,
            hint: failure.hint,
        })
    }
}

/// Returns the metrics of the captured version; `None` for a Durable Object, whose requests are not counted as its Worker's.
async fn metrics(session: &Session, target: &Target) -> Option<Metrics> {
    if target.object.is_some() {
        return None;
    }
    session
        .client
        .version_metrics(&target.worker)
        .await
        .ok()?
        .get(target.version_id.as_ref()?)
        .copied()
}

/// Returns the note shown while another capture of the account runs.
fn waiting(owner: &LockOwner) -> String {
    let what = if owner.worker.is_empty() {
        "this account".to_owned()
    } else {
        printable(&owner.worker).into_owned()
    };
    let at_most = runtime::longest_wait(owner).map_or_else(String::new, |time| {
        let time = Duration::from_secs(time.as_secs() + 1);
        format!(", {} at most", humantime::format_duration(time))
    });
    format!("another flarescope is capturing {what}; waiting for it to finish{at_most}")
}

/// Draws the remaining time on a terminal for as long as it is polled.
async fn countdown(what: &str, window: Duration) -> Infallible {
    if !io::stderr().is_terminal() {
        return std::future::pending().await;
    }
    let start = Instant::now();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let passed = start.elapsed();
        draw(&if passed < window {
            let left = (window - passed).as_secs_f64();
            format!("capturing {what}: {left:.1} s left")
        } else {
            let over = (passed - window).as_secs_f64();
            format!("capturing {what}: waiting for the profile, {over:.1} s")
        });
    }
}

/// Clears the countdown.
fn clear_countdown() {
    if io::stderr().is_terminal() {
        draw("");
    }
}

/// Replaces the line on the terminal. A terminal that is gone is no failure of the capture.
fn draw(line: &str) {
    let _ = write!(io::stderr(), "\r\x1b[K{line}");
}
