//! `flarescope completions` and `flarescope man`: the files a package installs beside the program.

use std::io;
use std::io::Write as _;

use clap::CommandFactory as _;

use crate::cli::{Cli, CliError, CliResult};

/// The sections of the program's page that no option tells.
const SECTIONS: &str = r#".SH ENVIRONMENT
.TP
CLOUDFLARE_API_TOKEN
The API token, unless \-\-token\-file gives one.
.TP
CLOUDFLARE_ACCOUNT_ID
The account, unless \-\-account gives one.
.TP
CLOUDFLARE_API_BASE_URL
Another API address, such as that of the demo server.
.TP
FLARESCOPE_CONFIG
Another configuration file.
.TP
FLARESCOPE_CACHE_DIR
Another folder for the captures.
.TP
FLARESCOPE_LOG
A file for the log, as \-\-log.
.TP
FLARESCOPE_ASCII, FLARESCOPE_MOUSE, NO_COLOR
Draw with ASCII only, let the mouse select, draw without colours.
.TP
XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME
Where the folders below are.
.SH FILES
.TP
$XDG_CONFIG_HOME/flarescope/config.toml
The configuration; flarescope config shows it.
.TP
$XDG_CONFIG_HOME/flarescope/themes/
Themes of your own.
.TP
$XDG_CACHE_HOME/flarescope/
Captures, at most 1 GiB.
.TP
$XDG_STATE_HOME/flarescope/
Chosen accounts, the last theme, captures that the cache couldn't take.
.SH EXIT STATUS
.TP
0
Done.
.TP
1
It failed: network, API, a file that can't be read.
.TP
2
Usage or configuration error.
.TP
70
Internal error.
.TP
129, 130, 143
Ended by SIGHUP, SIGINT, SIGTERM.
.SH EXAMPLES
.TP
flarescope demo
Try it on recorded profiles.
.TP
flarescope capture checkout\-api \-\-duration 10s
Capture a CPU profile of ten seconds.
.TP
flarescope top checkout\-api.pprof \-\-focus parse
The functions of a profile, below those that match.
.TP
flarescope export checkout\-api.pprof \-o checkout\-api.svg
A flame graph for a browser.
.TP
flarescope diff before.pprof after.pprof
What changed from one profile to another.
"#;

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
    if args.of.is_none() {
        text.extend_from_slice(SECTIONS.as_bytes());
    }
    Ok(io::stdout().lock().write_all(&text)?)
}
