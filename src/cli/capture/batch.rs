//! Capture batches: repeated captures of one target, or both versions of a gradual deployment.

use std::io;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{Aim, Batch};
use crate::cli::capture::args::CaptureArgs;
use crate::cli::capture::plan::Plan;
use crate::cli::capture::{plan, request, save};
use crate::cli::connect::note;
use crate::cli::output::{print_json, print_path};
use crate::cli::signals::Signals;
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect, screen, signals};
use crate::config::Environment;
use crate::model::cloudflare::{Capture, VersionChoice};
use crate::model::text::sanitize::printable;
use crate::store::Store;

/// Takes the captures one after the other. Each is kept before the next is sent, so a failure costs only its own.
///
/// # Errors
/// As for a single capture. Captures that succeeded are reported before the failure.
pub(super) fn run(
    args: &CaptureArgs,
    account: &AccountArgs,
    look: &LookArgs,
    store: &Store,
    window: Duration,
) -> CliResult {
    let mut taken = Results::default();
    let ended = connect::block_on(all(args, account, store, window, &mut taken))?;
    match ended {
        Err(error) if taken.captures.is_empty() => return Err(error),
        ended => report(args, &taken, ended)?,
    }
    if taken.has_unreadable {
        return Err(CliError::Reported);
    }
    if args.open {
        let aim = if args.canary { Aim::Compare } else { Aim::Open };
        return screen::series(Batch::of_kept(taken.captures, aim), account, look);
    }
    Ok(())
}

/// The captures so far.
#[derive(Debug, Default)]
struct Results {
    captures: Vec<Capture>,
    values: Vec<Value>,
    planned: usize,
    /// Whether one of them can't be decoded, which was reported.
    has_unreadable: bool,
}

async fn all(
    args: &CaptureArgs,
    account: &AccountArgs,
    store: &Store,
    window: Duration,
    taken: &mut Results,
) -> CliResult {
    let mut signals = Signals::listen()?;
    let worker = args.worker()?;
    let planned = async {
        let session = connect::connect(account, &Environment::of_process()).await?;
        let plans: Vec<Plan> = if args.canary {
            plan::both_sides(args, worker, &session, window)
                .await?
                .into()
        } else {
            let choice = VersionChoice::parse(args.version.as_deref().unwrap_or("deployed"))?;
            let plan = plan::plan(args, worker, &session, window, &choice).await?;
            vec![plan; usize::from(args.count)]
        };
        Ok((session, plans))
    };
    let (session, plans) = signals::until_signal(&mut signals, planned).await?;
    if let Some(plan) = plans.first() {
        plan.warnings
            .iter()
            .for_each(|warning| note(&printable(warning)));
    }
    taken.planned = plans.len();
    for plan in plans {
        let captured = request::of_account(&session, store, plan, &mut signals).await?;
        let kept = save::keep_one(store, captured)?;
        if !args.json {
            // Printed at once: the next capture takes its time.
            print_path(&mut io::stdout().lock(), &kept.capture.path)?;
        }
        taken.values.push(kept.json());
        taken.has_unreadable |= !kept.is_readable;
        taken.captures.push(kept.capture);
    }
    Ok(())
}

/// Reports the captures that succeeded and the failure.
fn report(args: &CaptureArgs, taken: &Results, ended: CliResult) -> CliResult {
    let (kept, planned) = (taken.captures.len(), taken.planned);
    if ended.is_err() {
        note(&format!(
            "{kept} of {planned} captures are kept; the rest failed or was not sent"
        ));
    }
    if !args.json {
        return ended;
    }
    let mut value = json!({ "captures": taken.values });
    if let (Err(error), Some(fields)) = (&ended, value.as_object_mut()) {
        fields.insert("error".to_owned(), json!(error.as_failed()));
    }
    let mut out = io::stdout().lock();
    print_json(&mut out, &value)?;
    // Its JSON is written already.
    ended.map_err(|error| CliError::Exit(error.report(false)))
}
