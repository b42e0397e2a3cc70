//! `flarescope capture`: one profile of a Worker or Durable Object in production.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::connect::{self, Session, note};
use super::{AccountArgs, CliError, CliResult, columns, list, output, signals};
use crate::api::Captured;
use crate::config::Environment;
use crate::model::target::{
    self, Capture, CaptureRequest, Kind, ObjectRef, Origin, TargetError, Version, VersionChoice, Worker,
};
use crate::store::{About, Store};

/// How often the countdown is drawn.
const TICK: Duration = Duration::from_millis(250);

/// Capture a profile in production
#[derive(Debug, clap::Args)]
pub(super) struct CaptureArgs {
    /// The Worker: its name or id
    #[arg(long, value_name = "NAME")]
    worker: String,
    /// deployed (the one that serves most), latest, an id, or at least 8 digits of one
    #[arg(long, value_name = "VERSION", default_value = "deployed")]
    version: String,
    /// What to sample
    #[arg(long = "type", value_name = "KIND", default_value = "cpu")]
    kind: KindArg,
    /// How long, from 1s to 50s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = humantime::parse_duration)]
    duration: Duration,
    /// The namespace (id, name or class) of the Durable Object to capture
    #[arg(long, value_name = "NAMESPACE", requires = "object")]
    namespace: Option<String>,
    /// The Durable Object to capture: its 64-digit id, or its name if it had traffic lately
    #[arg(long, value_name = "ID|NAME", requires = "namespace")]
    object: Option<String>,
    /// Copy the profile there too; - writes it to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the profile even to a terminal
    #[arg(long)]
    force: bool,
    /// Print one JSON object about the capture
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum KindArg {
    /// A stack each millisecond
    Cpu,
    /// A stack per 512 kB allocated during the window
    Heap,
}

/// What is captured, with what is known of it.
struct Plan {
    request: CaptureRequest,
    worker: Worker,
    version: Version,
    warnings: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// Everything that can fail on the way; see [`CliError`].
pub(super) fn run(args: &CaptureArgs, account: &AccountArgs) -> CliResult {
    let to_stdout = args.output.as_deref() == Some(Path::new("-"));
    if to_stdout && args.json {
        return Err(CliError::Usage("-o - and --json both want standard output: choose one".to_owned()));
    }
    if to_stdout && !args.force && io::stdout().is_terminal() {
        return Err(CliError::Usage("a profile is no text for a terminal: redirect it, or say --force".to_owned()));
    }
    let window = target::check_window(args.duration)?;
    let choice = VersionChoice::parse(&args.version)?;
    let environment = Environment::of_process();
    let store = connect::store(&environment)?;
    let (session, plan, captured) = connect::runtime()?.block_on(async {
        tokio::select! {
            biased;
            // Leaving drops the connection, which is all the cancelling that the service offers.
            ended = signals::first() => Err(ended),
            done = work(args, account, &environment, window, &choice) => done,
        }
    })?;
    finish(args, &store, &session, plan, captured)
}

async fn work(
    args: &CaptureArgs,
    account: &AccountArgs,
    environment: &Environment,
    window: Duration,
    choice: &VersionChoice,
) -> Result<(Session, Plan, Captured), CliError> {
    let session = connect::connect(account, environment).await?;
    let plan = plan(args, &session, window, choice).await?;
    for warning in &plan.warnings {
        note(&columns::clean(warning));
    }
    let what = format!("{} {}", columns::clean(&plan.worker.name), plan.version.short_id());
    let captured = tokio::select! {
        captured = session.client.capture(&plan.request) => captured,
        never = countdown(&what, window) => match never {},
    };
    clear_countdown();
    let captured = captured?;
    Ok((session, plan, captured))
}

/// Finds out which version and object are meant, and what is to be said about them.
async fn plan(
    args: &CaptureArgs,
    session: &Session,
    window: Duration,
    choice: &VersionChoice,
) -> Result<Plan, CliError> {
    let worker = session.client.worker(&args.worker).await?;
    let versions = session.client.versions_with_shares(&worker).await?;
    let mut warnings = Vec::new();
    let object = match (&args.namespace, &args.object) {
        (Some(namespace), Some(object)) => Some(find_object(session, &worker, namespace, object).await?),
        _ => None,
    };
    let pinned = object.as_ref().and_then(|(_, version)| version.as_deref());
    let version = choose(&versions, choice, pinned, &worker)?.clone();
    if let Some(pinned) = pinned.filter(|pinned| *pinned != version.id) {
        warnings.push(format!("this object runs version {}, not {}", target::short(pinned), version.short_id()));
    } else if object.is_none() && version.percentage == 0.0 {
        warnings.push(format!(
            "version {} serves 0 % of the traffic: a capture will most likely find nothing",
            version.short_id()
        ));
    }
    let request = CaptureRequest {
        worker: worker.id.clone(),
        version: version.id.clone(),
        kind: match args.kind {
            KindArg::Cpu => Kind::Cpu,
            KindArg::Heap => Kind::Heap,
        },
        window,
        object: object.map(|(object, _)| object),
    };
    Ok(Plan { request, worker, version, warnings })
}

/// The version that is meant. An object decides for the one it runs, if that is known.
fn choose<'a>(
    versions: &'a [Version],
    choice: &VersionChoice,
    pinned: Option<&str>,
    worker: &Worker,
) -> Result<&'a Version, CliError> {
    let name = columns::clean(&worker.name);
    match choice {
        VersionChoice::Deployed => {
            let serving = || {
                versions
                    .iter()
                    .filter(|version| version.percentage > 0.0)
                    .max_by(|a, b| a.percentage.total_cmp(&b.percentage))
            };
            let pinned = pinned.and_then(|id| versions.iter().find(|version| version.id == id));
            pinned
                .or_else(serving)
                .ok_or_else(|| CliError::failed(format!("{name} was never deployed, so there is nothing to capture")))
        }
        VersionChoice::Latest => {
            versions.first().ok_or_else(|| CliError::failed(format!("{name} has no version to capture")))
        }
        VersionChoice::Id(prefix) => {
            let mut matching = versions.iter().filter(|version| version.id.starts_with(prefix.as_str()));
            let first = matching.next().ok_or_else(|| {
                CliError::failed(format!(
                    "{name} has no version {prefix}: flarescope list versions --worker {name} shows those it has"
                ))
            })?;
            match matching.next() {
                None => Ok(first),
                Some(_) => Err(CliError::Usage(format!("several versions begin with {prefix}: give more digits"))),
            }
        }
    }
}

/// The object that is meant, and the version it runs where analytics tell it.
async fn find_object(
    session: &Session,
    worker: &Worker,
    namespace: &str,
    object: &str,
) -> Result<(ObjectRef, Option<String>), CliError> {
    let client = &session.client;
    let namespace = list::find_namespace(client, namespace, Some(&worker.name)).await?;
    match &namespace.script {
        Some(script) if *script == worker.name => {}
        Some(script) => {
            return Err(CliError::Usage(format!(
                "{} belongs to the Worker {}: give that one with --worker",
                columns::clean(&namespace.name),
                columns::clean(script)
            )));
        }
        None => {
            return Err(CliError::failed(format!(
                "no Worker owns {} any more, so its objects can't be captured",
                columns::clean(&namespace.name)
            )));
        }
    }
    // Analytics know names and versions of busy objects; an id works without them.
    let busy = client.hot_objects(&namespace.id).await;
    let (id, name) = match target::object_id64(object) {
        Ok(id) => (id, None),
        // Nearly an id: a slip, not a name.
        Err(error @ TargetError::ObjectId { digits: 56..=72, hex: true }) => return Err(error.into()),
        Err(_) => {
            let known =
                busy.as_ref().ok().and_then(|busy| busy.iter().find(|busy| busy.name.as_deref() == Some(object)));
            let found = match known {
                Some(known) => Some(known.id.clone()),
                None => client.object_id_by_name(&namespace.id, object).await?,
            };
            let id = found.ok_or_else(|| {
                CliError::failed(format!(
                    "no object named `{}` had traffic lately; its 64-digit id works too",
                    columns::clean(object)
                ))
            })?;
            (id, Some(object.to_owned()))
        }
    };
    let version =
        busy.ok().and_then(|busy| busy.into_iter().find(|busy| busy.id == id)).and_then(|busy| busy.version_id);
    Ok((ObjectRef::new(&namespace.id, &id, name)?, version))
}

/// Keeps the capture, then tells of it.
fn finish(args: &CaptureArgs, store: &Store, session: &Session, plan: Plan, captured: Captured) -> CliResult {
    let Plan { request, worker, version, mut warnings } = plan;
    let about = About {
        kind: Some(request.kind),
        window: Some(request.window),
        worker: worker.name,
        version_id: Some(version.id.clone()),
        version_number: Some(version.number),
        percentage: Some(version.percentage),
        object: request.object,
        account_id: Some(session.account.id.clone()),
        account_name: (session.account.name != session.account.id).then(|| session.account.name.clone()),
        asked_at: captured.asked_at,
        answered_at: captured.answered_at,
        origin: Origin::Cloudflare,
    };
    let bytes = captured.bytes;
    let mut capture = store.keep(&bytes, about.clone()).or_else(|error| {
        let warning = format!("the capture is not in the cache: {error}");
        note(&columns::clean(&warning));
        warnings.push(warning);
        rescue(args, &bytes, about)
    })?;
    match args.output.as_deref() {
        Some(path) if path == Path::new("-") => {
            let mut out = io::stdout().lock();
            out.write_all(&bytes)?;
            out.flush()?;
            return Ok(());
        }
        Some(path) => {
            output::write_file(path, &bytes).map_err(|error| {
                let kept = capture.path.display();
                CliError::failed(format!("{} can't be written ({error}); the capture is kept: {kept}", path.display()))
            })?;
            if capture.path.as_os_str().is_empty() {
                capture.path = path.to_owned();
            }
        }
        None => {}
    }
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &described(&capture, &warnings)).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", capture.path.display())?;
    }
    Ok(())
}

/// Without a cache the profile still goes somewhere: to `-o`, else to a private temporary file.
fn rescue(args: &CaptureArgs, bytes: &[u8], about: About) -> Result<Capture, CliError> {
    let mut capture = about.unkept(bytes);
    if args.output.is_none() {
        let mut file = tempfile::Builder::new().prefix("flarescope-").suffix(".pprof").tempfile()?;
        file.write_all(bytes)?;
        capture.path = file.keep().map_err(|error| error.error)?.1;
    }
    Ok(capture)
}

fn described(capture: &Capture, warnings: &[String]) -> Value {
    let mut value = list::capture_json(capture);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("warnings".to_owned(), json!(warnings));
    }
    value
}

/// Draws the time that is left on a terminal, for as long as it is polled.
#[expect(clippy::print_stderr, reason = "progress of a command goes to stderr")]
async fn countdown(what: &str, window: Duration) -> std::convert::Infallible {
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
            eprint!("\r\x1b[Kcapturing {what}: {:.1} s left", (window - passed).as_secs_f64());
        } else {
            eprint!("\r\x1b[Kcapturing {what}: waiting for the profile, {:.1} s", (passed - window).as_secs_f64());
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
