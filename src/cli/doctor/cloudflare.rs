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
    const MEND: &str = "It is looked at once the configuration is mended.";
    let credentials = match Credentials::find_with(
        args,
        environment,
        file.unwrap_or(&File::default()),
    ) {
        Ok(credentials) => credentials,
        Err(ConfigError::NoToken(_)) if file.is_none() => {
            let told =
                "none in the environment or a login; the configuration may have a command for it";
            return vec![Check::warning("token", told, MEND)];
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
            "not looked at: the configuration may name it",
            MEND,
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
        ConfigError::NoToken(_) => {
            "What is on this machine works without: captures on disk, files, the demo."
        }
        ConfigError::TokenFile { .. } => {
            "Check the path behind --token-file, and that it is yours to read."
        }
        ConfigError::TokenCommand(_) => {
            "Run the command by itself: it has to print the token and end with 0."
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
    let told = format!("{}{limit} are left{until}", quota.remaining);
    Some(if quota.is_low() {
        let hint = "All your tools and the dashboard share them: captures still work, lists ask for less until there are more.";
        Check::warning("calls", told, hint)
    } else {
        Check::ok("calls", told)
    })
}

/// Checks that the server responds, and what it says about the token.
async fn token(client: &Client, source: &TokenSource) -> (Check, Option<Check>) {
    // A login of another tool is no API token, so it can't be asked about; that it may list accounts tells as much.
    let answer = match source {
        TokenSource::Login(..) => client.accounts().await.map(|_| Check::ok("validity", "the login is accepted")),
        _ => client.verify().await.map(|state| {
            let owner = if state.account_owned { "of an account" } else { "of a user" };
            let until = state.expires_on.map(|end| (end, humantime::format_rfc3339_seconds(end).to_string()));
            match until {
                _ if state.status != "active" => Check::failed(
                    "validity",
                    format!("the token is {}", printable(&state.status)),
                    Some(source.advice()),
                ),
                Some((end, until)) if end < SystemTime::now() + SOON => Check::warning(
                    "validity",
                    format!("an active token {owner}, until {until}"),
                    "Make the next one in good time: https://dash.cloudflare.com/profile/api-tokens",
                ),
                Some((_, until)) => Check::ok("validity", format!("an active token {owner}, until {until}")),
                None => Check::ok("validity", format!("an active token {owner}, without an end")),
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
        // A narrow token may not be allowed to ask about itself and still do its work.
        Err(error)
            if !matches!(
                error.kind(),
                ErrorKind::TokenRefused | ErrorKind::TokenMalformed
            ) =>
        {
            let hint = error
                .hint()
                .map_or_else(String::new, |hint| format!(" {hint}"));
            let hint = format!("The checks below tell whether it works.{hint}");
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
        let hint = "Set it: ages and the traffic of the last minutes are wrong by as much.";
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
        let told = format!("{}{}, by {source}", printable(&name), account.id);
        return (Check::ok("account", told), Some(client.clone()));
    }
    match client.accounts().await {
        Ok(accounts) => match accounts.as_slice() {
            [] => (
                Check::failed(
                    "account",
                    "the token can list none",
                    Some(CHOOSE.to_owned()),
                ),
                None,
            ),
            [only] => {
                let told = format!("{} ({}), the only one", printable(&only.name), only.id);
                (
                    Check::ok("account", told),
                    Some(client.with_account(&only.id)),
                )
            }
            several => {
                let told = format!("the token can see {} of them", several.len());
                (
                    Check::failed(
                        "account",
                        told,
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
        client.worker_figures()
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
            let told = format!(
                "{}: {count} of them are seen; that right also captures",
                Step::Workers.permission()
            );
            Check::ok("workers", told)
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
                let noun = if serving == 1 {
                    "version serves"
                } else {
                    "versions serve"
                };
                Check::ok("deployments", format!("{serving} {noun} {of}"))
            }
            Err(error) => Check::refused("deployments", &error),
        });
    }
    checks.push(match namespaces {
        Ok(namespaces) => Check::ok(
            "objects",
            format!(
                "{}: {}",
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
                format!("Workers can be captured without, their objects can't.{hint}"),
            )
        }
    });
    checks.push(match figures {
        Ok(figures) => {
            let workers = counted(figures.len() as i128, "Worker");
            Check::ok(
                "analytics",
                format!("{}: {workers} had traffic", Step::Analytics.permission()),
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
                format!("Everything works without the figures. {hint}"),
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
    fn calls_that_run_out_are_told_before_they_have() {
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
    fn a_clock_that_is_off_is_told_with_its_side() {
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
