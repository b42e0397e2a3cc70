//! What needs the network: token, address, clock, account, permissions.

use std::time::{Duration, SystemTime};

use super::super::connect::Credentials;
use super::super::{AccountArgs, columns};
use super::{Check, Status};
use crate::api::{ApiError, Client, ErrorKind};
use crate::config::{Environment, FoundAccount, TokenSource};

/// How soon a token's end is worth a word.
const SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// How far a clock may be off before times mislead.
const CLOCK_OFF: u64 = 60;

/// Looks at everything in turn; what depends on a thing that failed is left out.
pub(super) async fn checks(args: &AccountArgs, environment: &Environment) -> Vec<Check> {
    let credentials = match Credentials::find(args, environment) {
        Ok(credentials) => credentials,
        Err(error) => return vec![Check::failed("token", error.to_string(), None)],
    };
    let mut checks = vec![Check::ok("token", format!("found in {}", credentials.token_source))];
    let client = match Client::new(credentials.settings.clone()) {
        Ok(client) => client,
        Err(error) => {
            checks.push(Check::failed("address", error.to_string(), None));
            return checks;
        }
    };
    let named = credentials.account.clone();
    let client = named.as_ref().map_or_else(|| client.clone(), |found| client.with_account(&found.account.id));
    let (reached, token) = token(&client, &credentials.token_source).await;
    let useless =
        reached.status == Status::Failed || token.as_ref().is_some_and(|check| check.status == Status::Failed);
    checks.push(reached);
    checks.extend(token);
    checks.extend(clock(client.clock_ahead()));
    if useless {
        return checks;
    }
    let (account, client) = account(&client, named).await;
    checks.push(account);
    if let Some(client) = client {
        checks.extend(permissions(&client).await);
    }
    checks
}

/// Whether the server answers at all, and what it says of the token.
async fn token(client: &Client, source: &TokenSource) -> (Check, Option<Check>) {
    // A login of another tool is no API token, so it can't be asked about; that it may list accounts tells as much.
    let answer = match source {
        TokenSource::Login(..) => client.accounts().await.map(|_| Check::ok("validity", "the login is accepted")),
        _ => client.verify().await.map(|state| {
            let owner = if state.account_owned { "of an account" } else { "of a user" };
            let until = state.expires_on.map(|end| (end, humantime::format_rfc3339_seconds(end).to_string()));
            match until {
                _ if state.status != "active" => {
                    Check::failed("validity", format!("the token is {}", columns::clean(&state.status)), None)
                }
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
    let reached = || Check::ok("network", format!("{} answers", client.host()));
    match answer {
        Ok(check) => (reached(), Some(check)),
        Err(error) if is_silence(&error) => (Check::refused("network", &error), None),
        // A narrow token may not be allowed to ask about itself and still do its work.
        Err(error) if !matches!(error.kind(), ErrorKind::TokenRefused | ErrorKind::TokenMalformed) => {
            (reached(), Some(Check::warning("validity", error.to_string(), "The checks below tell whether it works.")))
        }
        Err(error) => (reached(), Some(Check::refused("validity", &error))),
    }
}

/// Whether there was no answer of the API itself.
fn is_silence(error: &ApiError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Transport(_) | ErrorKind::TimedOut { .. } | ErrorKind::Challenge | ErrorKind::Redirected { .. }
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

/// The account that is worked on, and a client for it.
async fn account(client: &Client, named: Option<FoundAccount>) -> (Check, Option<Client>) {
    const CHOOSE: &str = "Choose one with --account ID, CLOUDFLARE_ACCOUNT_ID, or A on the screen.";
    if let Some(FoundAccount { account, source }) = named {
        let name = if account.name == account.id { String::new() } else { format!("{}, ", account.name) };
        let told = format!("{}{}, by {source}", columns::clean(&name), account.id);
        return (Check::ok("account", told), Some(client.clone()));
    }
    match client.accounts().await {
        Ok(accounts) => match accounts.as_slice() {
            [] => (Check::failed("account", "the token can list none", Some(CHOOSE.to_owned())), None),
            [only] => {
                let told = format!("{} ({}), the only one", columns::clean(&only.name), only.id);
                (Check::ok("account", told), Some(client.with_account(&only.id)))
            }
            several => {
                let told = format!("the token can see {} of them", several.len());
                (Check::failed("account", told, Some(format!("{CHOOSE} flarescope list accounts shows them."))), None)
            }
        },
        Err(error) => (Check::refused("account", &error), None),
    }
}

/// What the token may do there.
async fn permissions(client: &Client) -> Vec<Check> {
    let (workers, namespaces, figures) =
        tokio::join!(client.workers_page(1), client.namespaces(), client.worker_figures());
    let workers = match workers {
        Ok(page) => {
            let count = page.total.unwrap_or(page.items.len() as u64);
            Check::ok("workers", format!("may be read: {count} of them; that right also captures"))
        }
        Err(error) => Check::refused("workers", &error),
    };
    let namespaces = match namespaces {
        Ok(namespaces) => Check::ok("objects", format!("may be read: {} namespaces", namespaces.len())),
        Err(error) => Check::warning("objects", error.to_string(), error.hint().unwrap_or_default()),
    };
    let figures = match figures {
        Ok(figures) => Check::ok("analytics", format!("may be read: {} Workers had traffic", figures.len())),
        Err(error) => Check::warning(
            "analytics",
            error.to_string(),
            "Everything works without; with Account Analytics Read the lists show traffic and CPU time.",
        ),
    };
    vec![workers, namespaces, figures]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_off_is_told_with_its_side() {
        assert!(clock(None).is_none());
        for (ahead, status, words) in
            [(0, Status::Ok, "within"), (-61, Status::Warning, "behind"), (4000, Status::Warning, "ahead of")]
        {
            let check = clock(Some(ahead)).unwrap();
            assert_eq!(check.status, status);
            assert!(check.message.contains(words), "{}", check.message);
        }
    }
}
