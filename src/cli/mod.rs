//! The commands: arguments in, one answer on stdout, messages on stderr, an exit code.
//!
//! One file a command. Results go to stdout, everything else to stderr; see [`CliError`] for the exit codes.

mod cache;
mod capture;
mod check;
mod completions;
mod config;
mod connect;
#[cfg(feature = "demo")]
mod demo;
mod diff;
mod doctor;
mod export;
mod failure;
pub mod filters;
mod headline;
mod list;
mod local;
mod output;
mod peek;
mod profile_input;
mod render;
mod screen;
mod sides;
mod signals;
mod source_view;
mod themes;
mod top;
mod view_args;

use std::io::IsTerminal as _;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::config::Environment;
use crate::runtime;
use crate::runtime::log;

pub use connect::{Session, connect};
pub use failure::{CliError, CliResult};
pub use local::LocalArgs;

/// How many files have to be allowed to be open at once: a screen with a capture has half of these.
#[cfg(unix)]
const FILES_MIN: u64 = 64;

/// Profile Cloudflare Workers and Durable Objects in production, and read the result in a terminal.
#[derive(Debug, Parser)]
#[command(name = "flarescope", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Open the screen on this Worker
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    look: LookArgs,
    /// Append a line for each request, retry, cache write and capture stage to this file (also FLARESCOPE_LOG)
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
}

/// Which account, and where its token comes from. The token itself is never an argument: arguments are public.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct AccountArgs {
    /// Account id (else CLOUDFLARE_ACCOUNT_ID, the configuration's, the last choice, the only one)
    #[arg(long, value_name = "ID", global = true, help_heading = "Account")]
    pub account: Option<String>,
    /// Read the API token from this file; - reads it from standard input
    #[arg(long, value_name = "PATH", global = true, help_heading = "Account")]
    pub token_file: Option<std::path::PathBuf>,
    /// What is asked instead of an account.
    #[command(flatten)]
    pub local: LocalArgs,
}

/// How the screen is to look.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LookArgs {
    /// Theme
    #[arg(long, value_name = "NAME", global = true, help_heading = "Screen")]
    pub theme: Option<String>,
    /// Draw with ASCII characters only
    #[arg(long, global = true, help_heading = "Screen")]
    pub ascii: bool,
    /// Send 24-bit colours
    #[arg(long, global = true, help_heading = "Screen")]
    pub truecolor: bool,
    /// Let the mouse select, zoom and scroll
    #[arg(long, global = true, help_heading = "Screen")]
    pub mouse: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Open(screen::OpenArgs),
    List(list::ListArgs),
    Capture(capture::CaptureArgs),
    /// Rank the functions of a profile
    Top(top::TopArgs),
    /// Rank what changed from one profile to another
    Diff(diff::DiffArgs),
    Check(check::CheckArgs),
    /// Print the callers and callees of a function
    Peek(peek::PeekArgs),
    /// Write a profile, filtered or not, in another format
    Export(export::ExportArgs),
    Source(source_view::SourceArgs),
    Render(render::RenderArgs),
    Cache(cache::CacheArgs),
    Config(config::ConfigArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
    #[cfg(feature = "demo")]
    Demo(demo::DemoArgs),
}

impl Command {
    /// Returns whether failures are printed as JSON.
    fn wants_json(&self) -> bool {
        match self {
            Self::List(args) => args.json,
            Self::Capture(args) => args.json,
            Self::Top(args) => args.wants_json(),
            Self::Diff(args) => args.is_json(),
            Self::Check(args) => args.wants_json(),
            Self::Peek(args) => args.json,
            Self::Source(args) => args.json,
            Self::Doctor(args) => args.json,
            Self::Config(args) => args.wants_json(),
            Self::Open(_) | Self::Export(_) | Self::Render(_) | Self::Cache(_) => false,
            Self::Completions(_) | Self::Man(_) => false,
            #[cfg(feature = "demo")]
            Self::Demo(_) => false,
        }
    }

    /// Returns whether it runs tasks, for the screen or the network, and doesn't only read files.
    const fn has_tasks(&self) -> bool {
        !matches!(
            self,
            Self::Top(_)
                | Self::Diff(_)
                | Self::Export(_)
                | Self::Peek(_)
                | Self::Source(_)
                | Self::Cache(_)
                | Self::Config(_)
                | Self::Completions(_)
                | Self::Man(_)
        )
    }

    fn run(&self, account: &AccountArgs, look: &LookArgs) -> CliResult {
        match self {
            Self::Open(args) => screen::open(args, account, look),
            Self::List(args) => list::run(args, account),
            Self::Capture(args) => capture::run(args, account, look),
            Self::Top(args) => top::run(args),
            Self::Diff(args) => diff::run(args),
            Self::Check(args) => check::run(args, account),
            Self::Peek(args) => peek::run(args),
            Self::Source(args) => source_view::run(args),
            Self::Export(args) => export::run(args),
            Self::Render(args) => render::run(args, account, look),
            Self::Cache(args) => cache::run(args),
            Self::Config(args) => config::run(args, account, look),
            Self::Doctor(args) => doctor::run(args, account, look),
            Self::Completions(args) => completions::completions(args),
            Self::Man(args) => completions::man(args),
            #[cfg(feature = "demo")]
            Self::Demo(args) => demo::run(args, look),
        }
    }
}

impl Cli {
    /// Starts the log that the flag or else the environment names.
    ///
    /// # Errors
    /// [`CliError::Usage`] if it can't be written.
    fn start_log(&self) -> CliResult {
        let environment = Environment::of_process();
        let named = environment.get("FLARESCOPE_LOG").map(PathBuf::from);
        let Some(path) = self.log.clone().or(named) else {
            return Ok(());
        };
        match log::start(&path) {
            // The screen could open it; its capture must not be lost to a log.
            Err(_) if matches!(&self.command, Some(Command::Capture(args)) if args.is_worker()) => {
                Ok(())
            }
            started => started.map_err(|error| CliError::Usage(error.to_string())),
        }
    }

    fn run(&self) -> CliResult {
        match &self.command {
            Some(command) => command.run(&self.account, &self.look),
            None => screen::workers(&self.account, &self.look, self.worker.clone()),
        }
    }
}

/// Runs a command; a panic is a fault of the program, with an exit code of its own.
fn catching(command: impl FnOnce() -> CliResult) -> CliResult {
    std::panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|panic| {
        let reason = runtime::panic_message(&*panic);
        Err(CliError::Fault(format!(
            "a bug of flarescope ended it: {reason}"
        )))
    })
}

/// Rejects a limit on open files that is too low for tasks: libraries panic at it.
///
/// # Errors
/// [`CliError::Failed`].
fn enough_files() -> CliResult {
    #[cfg(unix)]
    if let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current
        && limit < FILES_MIN
    {
        return Err(CliError::failed(format!(
            "only {limit} files may be open at once, and flarescope needs {FILES_MIN}: ulimit -n {FILES_MIN} allows them"
        )));
    }
    Ok(())
}

/// Runs the program with the process's own arguments and returns its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let parsed = Cli::command().try_get_matches().and_then(|matches| {
        let command = matches.subcommand_name().unwrap_or("screen").to_owned();
        Ok((Cli::from_arg_matches(&matches)?, command))
    });
    let (cli, command) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return failure::refuse(&error),
    };
    let result = catching(|| {
        if cli.command.as_ref().is_none_or(Command::has_tasks) {
            enough_files()?;
        }
        cli.start_log()?;
        // Without a terminal crossterm would start programs to find out.
        let is_asked = log::file().is_some() && std::io::stdout().is_terminal();
        let size = is_asked
            .then(crossterm::terminal::size)
            .and_then(Result::ok);
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            command,
            columns = size.map(|(columns, _)| columns),
            rows = size.map(|(_, rows)| rows),
            os = std::env::consts::OS,
            arch = std::env::consts::ARCH,
            "start"
        );
        cli.run()
    });
    let json = cli.command.as_ref().is_some_and(Command::wants_json);
    let code = result.map_or_else(|error| error.report(json), |()| 0);
    tracing::info!(code, "end");
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault_with_exit_code_70() {
        let error = catching(|| panic!("the flame went out")).unwrap_err();
        assert!(error.message().ends_with("the flame went out"));
        assert_eq!(error.report(false), 70);
        assert_eq!(
            catching(|| Err(CliError::Signal(15)))
                .unwrap_err()
                .report(false),
            143
        );
    }
}
