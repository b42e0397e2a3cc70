//! `flarescope cache`: where captures lie, which ones there are, and away with them.

use std::io::{self, Write};

use clap::Subcommand;

use super::connect::{self, note};
use super::{CliResult, columns};
use crate::config::Environment;

/// Show or clear the captures on this machine
#[derive(Debug, clap::Args)]
pub(super) struct CacheArgs {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print the folder that the captures lie in
    Path,
    /// Print the path of each capture, the newest first
    List,
    /// Remove every capture
    Clear,
}

/// Runs the command.
///
/// # Errors
/// The folder can't be read or written.
pub(super) fn run(args: &CacheArgs) -> CliResult {
    let store = connect::store(&Environment::of_process())?;
    let mut out = io::stdout().lock();
    match args.act {
        Act::Path => writeln!(out, "{}", store.dir().display())?,
        Act::List => {
            let listing = store.list()?;
            for warning in &listing.warnings {
                note(&columns::clean(warning));
            }
            for capture in &listing.captures {
                writeln!(out, "{}", capture.path.display())?;
            }
        }
        Act::Clear => {
            let removed = store.clear()?;
            note(&format!("{removed} captures removed"));
        }
    }
    Ok(())
}
