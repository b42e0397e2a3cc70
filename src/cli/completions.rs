//! `flarescope completions` and `flarescope man`: the files a package installs beside the program.

use std::io;
use std::io::Write as _;

use clap::CommandFactory as _;

use crate::cli::{Cli, CliError, CliResult};

/// Print completions for a shell
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Print the manual page
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The page of this command, not of the program
    #[arg(value_name = "COMMAND")]
    of: Option<String>,
}

/// Prints completions.
///
/// # Errors
/// Standard output can't be written.
pub(super) fn completions(args: &CompletionsArgs) -> CliResult {
    // The generator panics if its output is closed, so it writes to memory.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "flarescope", &mut text);
    Ok(io::stdout().lock().write_all(&text)?)
}

/// Prints a manual page.
///
/// # Errors
/// [`CliError::Usage`] for an unknown command.
pub(super) fn man(args: &ManArgs) -> CliResult {
    let mut whole = Cli::command();
    // Global options are on each page.
    whole.build();
    let page = match &args.of {
        None => clap_mangen::Man::new(whole),
        Some(name) => {
            let found = whole.find_subcommand(name).cloned();
            let command =
                found.ok_or_else(|| CliError::Usage(format!("there is no command `{name}`")))?;
            clap_mangen::Man::new(command)
        }
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(io::stdout().lock().write_all(&text)?)
}
