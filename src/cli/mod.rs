//! The commands: arguments in, one answer on stdout, messages on stderr, an exit code.
//!
//! One file a command. Results go to stdout, everything else to stderr; see [`failure`] for the exit codes.

mod cache;
mod capture;
mod columns;
mod connect;
#[cfg(feature = "demo")]
mod demo;
mod failure;
mod list;
mod output;
mod signals;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use connect::{Session, connect};
pub use failure::{CliError, CliResult};

/// Profile Cloudflare Workers and Durable Objects in production, and read the result in a terminal.
#[derive(Debug, Parser)]
#[command(name = "flarescope", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    look: LookArgs,
}

/// Which account, and where its token comes from. The token itself is never an argument: arguments are public.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct AccountArgs {
    /// Account id (else CLOUDFLARE_ACCOUNT_ID, else the only account the token can see)
    #[arg(long, value_name = "ID", global = true, help_heading = "Account")]
    pub account: Option<String>,
    /// Read the API token from this file; - reads it from standard input
    #[arg(long, value_name = "PATH", global = true, help_heading = "Account")]
    pub token_file: Option<std::path::PathBuf>,
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
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::Args),
    Capture(capture::Args),
    Cache(cache::Args),
    #[cfg(feature = "demo")]
    Demo(demo::Args),
}

/// Runs the program with the process's own arguments and answers its exit code.
#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let Some(command) = cli.command else { return ExitCode::SUCCESS };
    let (result, json) = match command {
        Command::List(args) => (list::run(&args, &cli.account), args.json),
        Command::Capture(args) => (capture::run(&args, &cli.account), args.json),
        Command::Cache(args) => (cache::run(&args), false),
        #[cfg(feature = "demo")]
        Command::Demo(args) => (demo::run(&args), false),
    };
    result.map_or_else(|error| error.report(json), |()| ExitCode::SUCCESS)
}
