//! `flarescope list`: accounts, Workers, versions, Durable Objects, captures.

mod captures;
mod local;
mod objects;
mod table;
mod workers;

use std::io;
use std::io::Write;

use clap::ValueEnum;
use serde_json::json;

use crate::api::Client;
use crate::cli::connect::Credentials;
use crate::cli::list::table::Listed;
use crate::cli::output::{print_json, terminal_columns};
use crate::cli::{AccountArgs, CliError, CliResult, connect};
use crate::config::Environment;
use crate::model::cloudflare::Account;

pub(super) use crate::cli::list::captures::capture_json;
pub(super) use crate::cli::list::objects::find_namespace;

/// Objects listed without `--limit`.
const OBJECTS: usize = 100;

/// List what an account has, or the captures on this machine
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// What to list
    what: What,
    /// List the versions, namespaces, objects or captures of this Worker
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// List the objects of this Durable Object namespace (id, name or class)
    #[arg(long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// List at most this many (objects: 100 unless given)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON array
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Accounts the token can see
    Accounts,
    /// Workers of the account, most CPU time first
    Workers,
    /// Versions of a Worker with their shares of the traffic
    Versions,
    /// Durable Object namespaces
    Namespaces,
    /// Objects of a namespace, busiest first
    Objects,
    /// Captures on this machine
    Captures,
}

impl ListArgs {
    /// Rejects options that the listed thing does not have.
    ///
    /// # Errors
    /// [`CliError::Usage`]: silently ignoring an option would give a wrong result.
    fn fit(&self) -> CliResult {
        let refused = |option: &str, fits: &str| {
            let what = self
                .what
                .to_possible_value()
                .map_or_else(String::new, |value| value.get_name().to_owned());
            Err(CliError::Usage(format!(
                "list {what} takes no {option}: it goes with list {fits}"
            )))
        };
        if self.worker.is_some() && matches!(self.what, What::Accounts | What::Workers) {
            return refused("--worker", "versions, namespaces, objects and captures");
        }
        if self.namespace.is_some() && self.what != What::Objects {
            return refused("--namespace", "objects");
        }
        Ok(())
    }
}

/// Runs the command.
///
/// # Errors
/// Any [`CliError`].
pub(super) fn run(args: &ListArgs, account: &AccountArgs) -> CliResult {
    args.fit()?;
    let environment = Environment::of_process();
    let mut listed = if args.what == What::Captures {
        captures::list(args.worker.as_deref(), &environment)?
    } else {
        connect::block_on(remote(args, account, &environment))??
    };
    if let Some(limit) = args.limit {
        listed.truncate(limit);
    }
    let mut out = io::stdout().lock();
    if args.json {
        print_json(&mut out, &listed.json)?;
    } else {
        out.write_all(listed.table(terminal_columns()).as_bytes())?;
    }
    Ok(())
}

async fn remote(
    args: &ListArgs,
    account: &AccountArgs,
    environment: &Environment,
) -> Result<Listed, CliError> {
    if let Some(inspector) = account.local.inspector()? {
        return if args.what == What::Workers {
            local::list(&inspector).await
        } else {
            Err(local::only_workers())
        };
    }
    if args.what == What::Accounts {
        let client = Client::new(Credentials::find(account, environment)?.settings)?;
        return Ok(accounts(&client.accounts().await?));
    }
    let worker = || {
        let usage = || CliError::Usage("which Worker? Use --worker NAME".to_owned());
        args.worker.as_deref().ok_or_else(usage)
    };
    let namespace = || {
        let usage = || CliError::Usage("which namespace? Use --namespace NAMESPACE".to_owned());
        args.namespace.as_deref().ok_or_else(usage)
    };
    // Missing options are reported before anything is sent.
    match args.what {
        What::Versions => worker().map(drop)?,
        What::Objects => namespace().map(drop)?,
        _ => {}
    }
    let session = connect::connect(account, environment).await?;
    match args.what {
        What::Workers => workers::list(&session).await,
        What::Versions => workers::versions(&session, worker()?).await,
        What::Namespaces => objects::namespaces(&session, args.worker.as_deref()).await,
        _ => {
            objects::list(
                &session,
                namespace()?,
                args.worker.as_deref(),
                args.limit.unwrap_or(OBJECTS),
            )
            .await
        }
    }
}

fn accounts(accounts: &[Account]) -> Listed {
    Listed::new(
        accounts,
        &["id", "name"],
        |account| vec![account.id.clone(), account.name.clone()],
        |account| json!({ "id": account.id, "name": account.name }),
    )
}
