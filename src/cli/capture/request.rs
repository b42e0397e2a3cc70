//! Sends a capture once its lock is free, with a countdown on stderr.

use std::convert::Infallible;
use std::io;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crate::api::{Captured, Step};
use crate::cli::CliError;
use crate::cli::capture::plan::Plan;
use crate::cli::connect::{Session, note};
use crate::model::cloudflare::{CaptureRequest, Metrics, Target, short};
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::store::{LockOwner, Store};

/// How often the countdown is drawn.
const TICK: Duration = Duration::from_millis(250);

/// Captures what is planned once no other capture runs, with a countdown. Meanwhile loads the target's metrics, if the token
/// may read analytics; the capture never waits for them.
pub(super) async fn capture(
    session: &Session,
    store: &Store,
    plan: &mut Plan,
) -> Result<Captured, CliError> {
    let CaptureRequest { target, window, .. } = &plan.request;
    let version = target.version_id.as_deref().unwrap_or_default();
    let what = format!("{} {}", printable(&target.worker), short(version));
    let _lock = runtime::capture_lock(store, &session.client, &target.worker, *window, |owner| {
        note(&waiting(&owner))
    })
    .await;
    session.client.ready(Step::Capture).await?;
    let mut found = None;
    let aside = async {
        found = metrics(session, target).await;
        std::future::pending::<Infallible>().await
    };
    let captured = tokio::select! {
        biased;
        captured = session.client.capture(&plan.request) => captured,
        never = aside => match never {},
        never = countdown(&what, *window) => match never {},
    };
    clear_countdown();
    plan.request.target.metrics = found;
    Ok(captured?)
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
pub(super) fn waiting(owner: &LockOwner) -> String {
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
#[expect(clippy::print_stderr, reason = "progress of a command goes to stderr")]
pub(super) async fn countdown(what: &str, window: Duration) -> Infallible {
    if !io::stderr().is_terminal() {
        return std::future::pending().await;
    }
    let start = Instant::now();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let passed = start.elapsed();
        if passed < window {
            eprint!(
                "\r\x1b[Kcapturing {what}: {:.1} s left",
                (window - passed).as_secs_f64()
            );
        } else {
            eprint!(
                "\r\x1b[Kcapturing {what}: waiting for the profile, {:.1} s",
                (passed - window).as_secs_f64()
            );
        }
    }
}

/// Clears the countdown.
#[expect(clippy::print_stderr, reason = "progress of a command goes to stderr")]
pub(super) fn clear_countdown() {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}
