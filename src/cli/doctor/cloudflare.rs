//! Checks that need the network: token, address, clock, account, permissions.

use std::time::{Duration, SystemTime};

use crate::api::{ApiError, Client, ErrorKind, Quota, Step};
use crate::cli::AccountArgs;
use crate::cli::connect::Credentials;
use crate::cli::doctor::{Check, Status};
use crate::config::{AccountSource, ConfigError, Environment, File, FoundAccount, TokenSource};
use crate::model::text::sanitize::printable;
use crate::model::text::units::counted;

/// How long before its expiry a token is warned about.
const SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// How far the clock may be off without a warning.
const CLOCK_OFF: u64 = 60;

/// Runs the checks in order and skips those that depend on a failed one. If the configuration can't be read,
/// only flags and environment are used.
pub(super) async fn checks(
    args: &AccountArgs,
    environment: &Environment,
    file: Option<&File>,
) -> Vec<Check> {
    const FIX: &str = "It is checked once the configuration is fixed.";
    let credentials = match Credentials::find_with(
        args,
        environment,
        file.unwrap_or(&File::default()),
    ) {
        Ok(credentials) => credentials,
        Err(ConfigError::NoToken(_)) if file.is_none() => {
            let message =
                "none in the environment and no login; the configuration may have a command for it";
            return vec![Check::warning("token", message, FIX)];
        }
        Err(error) => {
            let hint = unsettled(&error).to_owned();
            return vec![Check::failed("token", error.to_string(), Some(hint))];
        }
    };
    let mut checks = vec![Check::ok(
        "token",
        format!("found in {}", credentials.token_source),
    )];
    let client = match Client::new(credentials.settings.clone()) {
        Ok(client) => client,
        Err(error) => {
            let hint =
                "Unset CLOUDFLARE_API_BASE_URL, or set it to https://api.cloudflare.com/client/v4."
                    .to_owned();
            checks.push(Check::failed("address", error.to_string(), Some(hint)));
            return checks;
        }
    };
    let named = credentials.account.clone();
    let client = named.as_ref().map_or_else(
        || client.clone(),
        |found| client.with_account(&found.account.id),
    );
    let (reached, token) = token(&client, &credentials.token_source).await;
    let useless = reached.status == Status::Failed
        || token
            .as_ref()
            .is_some_and(|check| check.status == Status::Failed);
    checks.push(reached);
    checks.extend(token);
    checks.extend(clock(client.clock_ahead()));
    if useless {
        return checks;
    }
    let by_hand = |found: &FoundAccount| {
        matches!(
            found.source,
            AccountSource::Flag | AccountSource::Variable(_)
        )
    };
    if file.is_none() && !named.as_ref().is_some_and(by_hand) {
        checks.push(Check::warning(
            "account",
            "not checked: the configuration may name it",
            FIX,
        ));
        return checks;
    }
    let (account, client) = account(&client, named).await;
    checks.push(account);
    if let Some(client) = client {
        checks.extend(permissions(&client).await);
        checks.extend(calls(client.quota()));
    }
    checks
}

/// Returns the advice if the program can't start.
fn unsettled(error: &ConfigError) -> &'static str {
    match error {
        ConfigError::NoToken(_) => "Captures on disk, files and the demo work without it.",
        ConfigError::TokenFile { .. } => "Check the path of --token-file and its permissions.",
        ConfigError::TokenCommand(_) => {
            "Run the command by itself: it must print the token and exit with 0."
        }
        _ => "Copy the value again, in one line, and start again.",
    }
}

/// Checks what is left of the API quota, which all of the user's tools share.
fn calls(quota: Option<Quota>) -> Option<Check> {
    let quota = quota?;
    let limit = quota
        .limit
        .map_or_else(String::new, |limit| format!(" of {limit}"));
    let until = quota.resets_in.map_or_else(String::new, |time| {
        format!(" for the next {} s", time.as_secs())
    });
    let message = format!("{}{limit} left{until}", quota.remaining);
    Some(if quota.is_low() {
        let hint = "All your tools and the dashboard share them. Captures still work; lists load less until then.";
        Check::warning("calls", message, hint)
    } else {
        Check::ok("calls", message)
    })
}

/// Checks that the server responds, and the token's state.
async fn token(client: &Client, source: &TokenSource) -> (Check, Option<Check>) {
    // A login of another tool is not an API token and can't be verified; listing accounts shows as much.
    let answer = match source {
        TokenSource::Login(..) => client
            .accounts()
            .await
            .map(|_| Check::ok("validity", "the login is accepted")),
        _ => client.verify().await.map(|state| {
            let owner = if state.account_owned {
                "of an account"
            } else {
                "of a user"
            };
            let until = state
                .expires_on
                .map(|end| (end, humantime::format_rfc3339_seconds(end).to_string()));
            match until {
                _ if state.status != "active" => Check::failed(
                    "validity",
                    format!("the token is {}", printable(&state.status)),
                    Some(source.advice()),
                ),
                Some((end, until)) if end < SystemTime::now() + SOON => Check::warning(
                    "validity",
                    format!("an active token {owner}, until {until}"),
                    "Create the next one in time: https://dash.cloudflare.com/profile/api-tokens",
                ),
                Some((_, until)) => Check::ok(
                    "validity",
                    format!("an active token {owner}, until {until}"),
                ),
                None => Check::ok(
                    "validity",
                    format!("an active token {owner}, without expiry"),
                ),
            }
        }),
    };
    let reached = || {
        Check::ok(
            "network",
            format!("{} answers{}", client.host(), by_way_of(client.host())),
        )
    };
    match answer {
        Ok(check) => (reached(), Some(check)),
        Err(error) if is_silence(&error) => (Check::refused("network", &error), None),
        // A narrow token may work without the right to verify itself.
        Err(error)
            if !matches!(
                error.kind(),
                ErrorKind::TokenRefused | ErrorKind::TokenMalformed
            ) =>
        {
            let hint = error
                .hint()
                .map_or_else(String::new, |hint| format!(" {hint}"));
            let hint = format!("The checks below show whether it works.{hint}");
            (reached(), Some(Check::missing("validity", &error, hint)))
        }
        Err(error) => (reached(), Some(Check::refused("validity", &error))),
    }
}

/// Returns the variable that may name a proxy for this host. Its value may contain a password.
fn by_way_of(host: &str) -> String {
    let name = host.split(':').next().unwrap_or_default();
    let near = matches!(name, "localhost" | "127.0.0.1" | "[") || name.ends_with(".localhost");
    let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match names.into_iter().find(set).filter(|_| !near) {
        Some(name) => format!("; {name} is set"),
        None => String::new(),
    }
}

/// Returns whether the API itself did not respond.
fn is_silence(error: &ApiError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Transport(_)
            | ErrorKind::TimedOut { .. }
            | ErrorKind::Challenge
            | ErrorKind::Redirected { .. }
    )
}

fn clock(ahead: Option<i64>) -> Option<Check> {
    let ahead = ahead?;
    let off = ahead.unsigned_abs();
    Some(if off <= CLOCK_OFF {
        Check::ok("clock", format!("within {CLOCK_OFF} s of the server's"))
    } else {
        let side = if ahead > 0 { "ahead of" } else { "behind" };
        let hint = "Set the clock: ages and recent traffic are wrong by as much.";
        Check::warning("clock", format!("{off} s {side} the server's"), hint)
    })
}

/// Checks the account. Returns it with a client for it.
async fn account(client: &Client, named: Option<FoundAccount>) -> (Check, Option<Client>) {
    const CHOOSE: &str = "Choose one with --account ID, CLOUDFLARE_ACCOUNT_ID, or A on the screen.";
    if let Some(FoundAccount { account, source }) = named {
        let name = if account.name == account.id {
            String::new()
        } else {
            format!("{}, ", account.name)
        };
        let message = format!("{}{}, by {source}", printable(&name), account.id);
        return (Check::ok("account", message), Some(client.clone()));
    }
    match client.accounts().await {
        Ok(accounts) => match accounts.as_slice() {
            [] => (
                Check::failed(
                    "account",
                    "the token can list no account",
                    Some(CHOOSE.to_owned()),
                ),
                None,
            ),
            [only] => {
                let message = format!("{} ({}), the only one", printable(&only.name), only.id);
                (
                    Check::ok("account", message),
                    Some(client.with_account(&only.id)),
                )
            }
            several => {
                let message = format!("the token can see {} accounts", several.len());
                (
                    Check::failed(
                        "account",
                        message,
                        Some(format!("{CHOOSE} flarescope list accounts shows them.")),
                    ),
                    None,
                )
            }
        },
        Err(error) => (Check::refused("account", &error), None),
    }
}

/// Checks the token's permissions one by one.
async fn permissions(client: &Client) -> Vec<Check> {
    let (workers, namespaces, figures) = tokio::join!(
        client.workers_page(1),
        client.namespaces(),
        client.worker_metrics()
    );
    let some = workers.as_ref().ok().and_then(|page| {
        let deployed = page
            .items
            .iter()
            .find(|worker| worker.deployed_on.is_some());
        deployed.or(page.items.first()).cloned()
    });
    let mut checks = vec![match workers {
        Ok(page) => {
            let count = page.total.unwrap_or(page.items.len() as u64);
            let message = format!(
                "{}: ok ({count} Workers; also allows capture)",
                Step::Workers.permission()
            );
            Check::ok("workers", message)
        }
        Err(error) => Check::refused("workers", &error),
    }];
    if let Some(worker) = some {
        let (versions, deployments) = tokio::join!(
            client.version(&worker.id, "latest"),
            client.deployments(&worker.name)
        );
        let of = printable(&worker.name);
        checks.push(match versions {
            Ok(latest) => Check::ok("versions", format!("{of} is at v{}", latest.number)),
            Err(error) => Check::refused("versions", &error),
        });
        checks.push(match deployments {
            Ok(deployments) => {
                let serving = deployments
                    .first()
                    .map_or(0, |deployment| deployment.versions.len());
                let verb = if serving == 1 { "serves" } else { "serve" };
                let versions = counted(serving as i128, "version");
                Check::ok("deployments", format!("{versions} {verb} {of}"))
            }
            Err(error) => Check::refused("deployments", &error),
        });
    }
    checks.push(match namespaces {
        Ok(namespaces) => Check::ok(
            "objects",
            format!(
                "{}: ok ({})",
                Step::Namespaces.permission(),
                counted(namespaces.len() as i128, "Durable Object class")
            ),
        ),
        Err(error) => {
            let hint = error
                .hint()
                .map_or_else(String::new, |hint| format!(" {hint}"));
            Check::missing(
                "objects",
                &error,
                format!("Workers can be captured without it, their objects can't.{hint}"),
            )
        }
    });
    checks.push(match figures {
        Ok(figures) => {
            let workers = counted(figures.len() as i128, "Worker");
            Check::ok(
                "analytics",
                format!(
                    "{}: ok ({workers} with traffic)",
                    Step::Analytics.permission()
                ),
            )
        }
        Err(error) => {
            let hint = error
                .hint()
                .filter(|_| *error.kind() != ErrorKind::Forbidden);
            let hint = hint.unwrap_or_else(|| {
                "With Account Analytics Read the lists show traffic and CPU time.".to_owned()
            });
            Check::missing(
                "analytics",
                &error,
                format!("Everything else works without the metrics. {hint}"),
            )
        }
    });
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::wording;

    #[test]
    fn calls_that_run_out_are_reported_before_they_have() {
        let mut wording = wording!();
        let quota = |remaining| {
            Some(Quota {
                remaining,
                limit: Some(1200),
                resets_in: Some(Duration::from_secs(42)),
            })
        };
        assert!(calls(None).is_none());
        let check = calls(quota(120)).unwrap();
        assert_eq!(check.status, Status::Ok);
        wording.add(check.message);
        let check = calls(quota(119)).unwrap();
        assert_eq!(check.status, Status::Warning);
        wording.add(check.hint.unwrap());
    }

    #[test]
    fn a_clock_that_is_off_is_reported_with_its_side() {
        let mut wording = wording!();
        assert!(clock(None).is_none());
        for (ahead, status) in [
            (0, Status::Ok),
            (-61, Status::Warning),
            (4000, Status::Warning),
        ] {
            let check = clock(Some(ahead)).unwrap();
            assert_eq!(check.status, status);
            wording.add(check.message);
        }
    }
}
