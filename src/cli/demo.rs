//! `flarescope demo`: the screen on the demo server, or the server alone.

use std::io;
use std::io::Write;
use std::net::SocketAddr;

use crate::cli::signals::Signals;
use crate::cli::{CliError, CliResult, LookArgs, connect};
use crate::config::Environment;
use crate::demo::{DemoServer, Injection, Options};

/// Try it on recorded profiles: no account, no network
#[derive(Debug, clap::Args)]
pub(super) struct DemoArgs {
    /// Only serve the API at this address (port 0: a free one), until a signal ends it
    #[arg(long, value_name = "ADDR:PORT")]
    serve: Option<SocketAddr>,
    /// Shorten or stretch the captures: 0.1 makes them take a tenth of their time
    #[arg(long, value_name = "X", default_value = "1", value_parser = time_scale)]
    time_scale: f64,
    /// Inject faults: all, or comma-separated names (an unknown one lists them); 500@versions aims at an endpoint
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true, value_parser = faults)]
    faults: Faults,
    /// How many accounts the token can see; it may use only the first
    #[arg(long, value_name = "N", default_value_t = 1, hide = true, value_parser = clap::value_parser!(u16).range(1..))]
    accounts: u16,
    /// How many Workers there are
    #[arg(long, value_name = "N", default_value_t = 64, hide = true)]
    workers: u16,
    /// How many of the first five minutes' 1,200 calls are left
    #[arg(long, value_name = "N", default_value_t = 1200, hide = true)]
    calls: u64,
}

/// Faults as one value of the command line.
#[derive(Debug, Clone)]
struct Faults(Vec<Injection>);

fn faults(text: &str) -> Result<Faults, String> {
    Injection::parse_list(text).map(Faults)
}

fn time_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if (0.0..=10.0).contains(&scale) => Ok(scale),
        _ => Err("it is a number from 0 to 10".to_owned()),
    }
}

/// Runs the command.
///
/// # Errors
/// The address can't be bound; [`CliError::Signal`] when a signal ends it.
pub(super) fn run(args: &DemoArgs, look: &LookArgs) -> CliResult {
    let options = Options {
        time_scale: args.time_scale,
        faults: args.faults.0.clone(),
        accounts: args.accounts.into(),
        workers: args.workers.into(),
        calls: args.calls,
        ..Options::default()
    };
    // Mistakes in it are reported before anything starts.
    connect::configuration(&Environment::of_process())?;
    let Some(addr) = args.serve else {
        return crate::cli::screen::demo(options, look);
    };
    let server = DemoServer::start(&Options { addr, ..options })
        .map_err(|error| CliError::failed(format!("can't listen on {addr}: {error}")))?;
    let mut out = io::stdout().lock();
    let (url, token, account) = (&server.base_url, &server.token, &server.account_id);
    // The lines below the first can be pasted into another shell: the token opens nothing else. All are written at once, as a
    // script may read the first and close the pipe.
    let text = format!(
        "listening on {url} token {token} account {account}\nexport CLOUDFLARE_API_BASE_URL={url}\nexport \
         CLOUDFLARE_API_TOKEN={token}\nexport CLOUDFLARE_ACCOUNT_ID={account}\n"
    );
    out.write_all(text.as_bytes())?;
    out.flush()?;
    drop(out);
    let signal = connect::block_on(async { Ok::<_, CliError>(Signals::listen()?.next().await) })??;
    Err(CliError::Signal(signal))
}
