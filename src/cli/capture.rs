//! `flarescope capture`: one profile of a Worker or Durable Object in production, or of a local runtime.

mod batch;
mod local;
mod plan;
mod save;
mod worker;

use std::convert::Infallible;
use std::io;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::api::Captured;
use crate::cli::capture::plan::Plan;
use crate::cli::capture::save::Taken;
use crate::cli::connect::{Session, note};
use crate::cli::output::Output;
use crate::cli::{AccountArgs, CliError, CliResult, LookArgs, connect, screen, signals};
use crate::config::{Environment, File};
use crate::model::cloudflare;
use crate::model::cloudflare::{Figures, Kind, TargetError, VersionChoice};
use crate::model::text::sanitize::printable;
use crate::runtime;
use crate::store::{Destination, LockOwner, Store};

/// How often the countdown is drawn.
const TICK: Duration = Duration::from_millis(250);
/// How long is sampled where nothing is said, as in Cloudflare's dashboard.
const DURATION: Duration = Duration::from_secs(10);

/// Capture a profile in production, or of a local runtime
#[derive(Debug, Clone, clap::Args)]
pub(super) struct CaptureArgs {
    /// The Worker: its name or id; of a local runtime the only one need not be named
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// deployed (the one that serves most; the default), latest, an id, or at least 8 digits of one
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// What to sample [else as configured, else cpu]
    #[arg(long = "type", value_name = "KIND")]
    kind: Option<Kind>,
    /// How long, from 1s to 50s [else as configured, else 10s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,
    /// The namespace (id, name or class) of the Durable Object to capture
    #[arg(long, value_name = "NAMESPACE", requires = "object")]
    namespace: Option<String>,
    /// The Durable Object to capture: its 64-digit id, or its name if it had traffic lately
    #[arg(long, value_name = "ID|NAME", requires = "namespace")]
    object: Option<String>,
    /// So many captures in a row, from 1 to 9; --open opens them as one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    count: u8,
    /// Capture both versions of a gradual deployment, the larger share first; --open compares them
    #[arg(long, conflicts_with_all = ["version", "object", "count"])]
    canary: bool,
    /// Copy the profile there too; - writes it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open it on the screen
    #[arg(long, conflicts_with = "json")]
    open: bool,
    /// Write the profile even to a terminal
    #[arg(long)]
    force: bool,
    /// Print one JSON object about the capture
    #[arg(long)]
    pub(super) json: bool,
    /// Capture for the screen that started this process, which hands over who asks
    #[arg(long, hide = true)]
    capture_worker: bool,
}

fn duration(text: &str) -> Result<Duration, String> {
    // The reader of durations would propose any unit, also those that no capture takes.
    if text.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Err(format!("write it with its unit: {text}s"));
    }
    humantime::parse_duration(text).map_err(|error| format!("{error}; write it as 10s"))
}

impl CaptureArgs {
    /// The same, with what the configuration says where nothing was said.
    fn configured(&self, file: &File) -> Self {
        Self {
            kind: self.kind.or(file.kind),
            duration: self.duration.or(file.window),
            ..self.clone()
        }
    }

    /// Whether this is the process that captures for a screen.
    pub(super) const fn is_worker(&self) -> bool {
        self.capture_worker
    }

    /// What to sample.
    fn kind(&self) -> Kind {
        self.kind.unwrap_or(Kind::Cpu)
    }

    /// How long.
    ///
    /// # Errors
    /// [`TargetError::Window`] where the API would refuse it.
    fn window(&self) -> Result<Duration, TargetError> {
        cloudflare::check_window(self.duration.unwrap_or(DURATION))
    }
}

/// Runs the command.
///
/// # Errors
/// Everything that can fail on the way; see [`CliError`].
pub(super) fn run(args: &CaptureArgs, account: &AccountArgs, look: &LookArgs) -> CliResult {
    if args.capture_worker {
        return worker::run(args);
    }
    let environment = Environment::of_process();
    let args = &args.configured(&connect::configuration(&environment)?);
    let to_stdout = args.output.as_deref() == Some(Path::new("-"));
    if to_stdout && args.json {
        return Err(CliError::Usage(
            "-o - and --json both want standard output: choose one".to_owned(),
        ));
    }
    if to_stdout && !args.force && io::stdout().is_terminal() {
        return Err(CliError::Usage(
            "a profile is no text for a terminal: redirect it, or say --force".to_owned(),
        ));
    }
    if args.open {
        screen::needs_terminal()?;
    }
    if args.open && to_stdout {
        return Err(CliError::Usage(
            "-o - and --open both want the terminal: choose one".to_owned(),
        ));
    }
    if args.output.is_some() && (args.count > 1 || args.canary) {
        return Err(CliError::Usage(
            "-o names one file for several captures: leave it out, each is kept".to_owned(),
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
            connect::block_on(local::take(args, &inspector, &store, window))??
        }
        None if args.count > 1 || args.canary => {
            return batch::run(args, account, look, &store, window);
        }
        None => {
            let choice = VersionChoice::parse(args.version.as_deref().unwrap_or("deployed"))?;
            connect::block_on(async {
                tokio::select! {
                    biased;
                    // Leaving drops the connection, which is all the cancelling that the service offers.
                    ended = signals::first() => Err(ended),
                    done = work(args, account, &environment, &store, window, &choice) => done,
                }
            })??
        }
    };
    let capture = save::finish(args, &store, taken)?;
    if args.open {
        screen::captured(capture, account, look)
    } else {
        Ok(())
    }
}

/// Says where the capture goes if the cache can't take it, before it is asked for.
///
/// # Errors
/// [`CliError::Failed`] if nothing could take it.
fn check_destination(args: &CaptureArgs, store: &Store) -> CliResult {
    let destination = store.destination();
    let Some(told) = runtime::destination_note(&destination) else {
        return Ok(());
    };
    if matches!(destination, Destination::Nowhere(_)) && args.output.is_none() {
        return Err(CliError::failed(format!(
            "{told}: nothing was captured. -o FILE writes it somewhere else"
        )));
    }
    note(&printable(&told));
    Ok(())
}

async fn work(
    args: &CaptureArgs,
    account: &AccountArgs,
    environment: &Environment,
    store: &Store,
    window: Duration,
    choice: &VersionChoice,
) -> Result<Taken, CliError> {
    let worker = args.worker.as_deref();
    let worker =
        worker.ok_or_else(|| CliError::Usage("say which Worker: --worker NAME".to_owned()))?;
    let session = connect::connect(account, environment).await?;
    let plan = plan::plan(args, worker, &session, window, choice).await?;
    for warning in &plan.warnings {
        note(&printable(warning));
    }
    let (captured, figures) = capture(&session, store, &plan).await?;
    Ok(Taken::of_account(&session, plan, captured, figures))
}

/// Captures what is planned when its turn has come, with a countdown. Meanwhile its traffic is asked for, as far as the token may
/// read analytics: once the profile is there, nothing more is waited for.
async fn capture(
    session: &Session,
    store: &Store,
    plan: &Plan,
) -> Result<(Captured, Option<Figures>), CliError> {
    let what = format!(
        "{} {}",
        printable(&plan.worker.name),
        plan.version.short_id()
    );
    let (name, window) = (&plan.worker.name, plan.request.window);
    let _turn = runtime::turn(store, &session.client, name, window, |holder| {
        note(&waiting(&holder))
    })
    .await;
    let mut figures = None;
    let aside = async {
        figures = traffic(session, plan).await;
        std::future::pending::<Infallible>().await
    };
    let captured = tokio::select! {
        biased;
        captured = session.client.capture(&plan.request) => captured,
        never = aside => match never {},
        never = countdown(&what, window) => match never {},
    };
    clear_countdown();
    Ok((captured?, figures))
}

/// Traffic of the version that is captured. Requests of a Durable Object are not among its Worker's.
async fn traffic(session: &Session, plan: &Plan) -> Option<Figures> {
    if plan.request.object.is_some() {
        return None;
    }
    session
        .client
        .version_figures(&plan.worker.name)
        .await
        .ok()?
        .get(&plan.version.id)
        .copied()
}

/// What is said while another capture of the account has to end.
fn waiting(holder: &LockOwner) -> String {
    let what = if holder.worker.is_empty() {
        "this account".to_owned()
    } else {
        printable(&holder.worker).into_owned()
    };
    format!(
        "{what} is being captured already, and captures are taken one at a time: waiting for it to end"
    )
}

/// Draws the time that is left on a terminal, for as long as it is polled.
#[expect(clippy::print_stderr, reason = "progress of a command goes to stderr")]
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

/// Takes the countdown away again.
#[expect(clippy::print_stderr, reason = "progress of a command goes to stderr")]
fn clear_countdown() {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}

impl From<TargetError> for CliError {
    fn from(error: TargetError) -> Self {
        Self::Usage(error.to_string())
    }
}
