//! `flarescope capture`: one profile of a Worker or Durable Object in production, or of a local runtime.

mod args;
mod batch;
mod local;
mod plan;
mod request;
mod save;
mod worker;

use std::io;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use crate::cli::capture::save::Taken;
use crate::cli::connect::note;
use crate::cli::output::Output;
use crate::cli::signals::Signals;
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect, screen, signals};
use crate::config::Environment;
use crate::model::cloudflare::{TargetError, VersionChoice};
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::store::{Destination, Store};

pub(super) use crate::cli::capture::args::CaptureArgs;

/// Runs the command.
///
/// # Errors
/// Any [`CliError`].
pub(super) fn run(args: &CaptureArgs, account: &AccountArgs, look: &LookArgs) -> CliResult {
    if args.capture_worker {
        return worker::run();
    }
    let environment = Environment::of_process();
    let args = &args.configured(&connect::configuration(&environment)?);
    let to_stdout = args.output.as_deref() == Some(Path::new("-"));
    if to_stdout && args.json {
        return Err(CliError::Usage(
            "-o - and --json both use standard output: choose one".to_owned(),
        ));
    }
    if to_stdout && !args.force && io::stdout().is_terminal() {
        return Err(CliError::Usage(
            "a profile is binary: redirect it, or use --force".to_owned(),
        ));
    }
    if args.open {
        screen::needs_terminal()?;
    }
    if args.open && to_stdout {
        return Err(CliError::Usage(
            "-o - and --open both use the terminal: choose one".to_owned(),
        ));
    }
    if args.output.is_some() && (args.count > 1 || args.canary) {
        return Err(CliError::Usage(
            "-o names one file for several captures: omit it, each is kept".to_owned(),
        ));
    }
    let window = args.window()?;
    if let Some(path) = args.output.as_deref().filter(|_| !to_stdout) {
        Output::new(path, true, args.force)?;
    }
    let store = connect::store(&environment)?;
    connect::note_rescued(&store);
    check_destination(args, &store)?;
    let taken = match account.local.inspector()? {
        Some(inspector) => {
            local::check(args)?;
            connect::block_on(local::take(args, inspector, &store, window))??
        }
        None if args.count > 1 || args.canary => {
            return batch::run(args, account, look, &store, window);
        }
        None => {
            let choice = VersionChoice::parse(args.version.as_deref().unwrap_or("deployed"))?;
            connect::block_on(take(args, account, &environment, &store, window, &choice))??
        }
    };
    let capture = save::finish(args, &store, taken)?;
    if args.open {
        screen::captured(capture, account, look)
    } else {
        Ok(())
    }
}

/// Prints where the capture goes if the cache can't take it, before it is sent.
///
/// # Errors
/// [`CliError::Failed`] if no folder could take it.
fn check_destination(args: &CaptureArgs, store: &Store) -> CliResult {
    let destination = store.destination();
    let Some(text) = runtime::destination_note(&destination) else {
        return Ok(());
    };
    if matches!(destination, Destination::Nowhere(_)) && args.output.is_none() {
        return Err(CliError::failed(format!(
            "{text}: nothing was captured. -o FILE writes it elsewhere"
        )));
    }
    note(&printable(&text));
    Ok(())
}

async fn take(
    args: &CaptureArgs,
    account: &AccountArgs,
    environment: &Environment,
    store: &Store,
    window: Duration,
    choice: &VersionChoice,
) -> Result<Taken, CliError> {
    let mut signals = Signals::listen()?;
    let worker = args.worker()?;
    let planned = async {
        let session = connect::connect(account, environment).await?;
        let plan = plan::plan(args, worker, &session, window, choice).await?;
        Ok((session, plan))
    };
    let (session, plan) = signals::until_signal(&mut signals, planned).await?;
    for warning in &plan.warnings {
        note(&printable(warning));
    }
    request::of_account(&session, store, plan, &mut signals).await
}

impl From<TargetError> for CliError {
    fn from(error: TargetError) -> Self {
        Self::Usage(error.to_string())
    }
}
