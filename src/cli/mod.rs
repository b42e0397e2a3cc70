//! The commands: arguments in, one answer on stdout, messages on stderr, an exit code.
//!
//! One file a command. Results go to stdout, everything else to stderr; see [`CliError`] for the exit codes.

mod cache;
mod capture;
mod code;
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
mod list;
mod local;
mod output;
mod render;
mod screen;
mod signals;
mod source;
mod top;
mod view_args;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::export::columns;

pub use connect::{Session, connect};
pub use failure::{CliError, CliResult};
pub use local::LocalArgs;

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
    /// Write a profile, filtered or not, in another format
    Export(export::ExportArgs),
    Source(code::SourceArgs),
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
    /// Whether failures are to be told as JSON.
    fn wants_json(&self) -> bool {
        match self {
            Self::List(args) => args.json,
            Self::Capture(args) => args.json,
            Self::Top(args) => args.wants_json(),
            Self::Diff(args) => args.is_json(),
            Self::Source(args) => args.json,
            Self::Doctor(args) => args.json,
            Self::Config(args) => args.wants_json(),
            Self::Open(_) | Self::Export(_) | Self::Render(_) | Self::Cache(_) => false,
            Self::Completions(_) | Self::Man(_) => false,
            #[cfg(feature = "demo")]
            Self::Demo(_) => false,
        }
    }

    fn run(&self, account: &AccountArgs, look: &LookArgs) -> CliResult {
        match self {
            Self::Open(args) => screen::open(args, account, look),
            Self::List(args) => list::run(args, account),
            Self::Capture(args) => capture::run(args, account, look),
            Self::Top(args) => top::run(args),
            Self::Diff(args) => diff::run(args),
            Self::Source(args) => code::run(args),
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

/// Runs the program with the process's own arguments and answers its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::refuse(&error),
    };
    let (result, json) = match &cli.command {
        Some(command) => (command.run(&cli.account, &cli.look), command.wants_json()),
        None => (
            screen::workers(&cli.account, &cli.look, cli.worker.clone()),
            false,
        ),
    };
    result.map_or_else(|error| error.report(json), |()| ExitCode::SUCCESS)
}
