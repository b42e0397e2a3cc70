//! What the user can do about each failure.

use crate::api::error::{ApiError, ErrorKind, Missing, Step, Trouble, UNSTATED_PAUSE};

/// The page that creates tokens.
const TOKENS: &str = "https://dash.cloudflare.com/profile/api-tokens";

impl ApiError {
    /// Returns what the user can do about it; `None` if the error's sentence says it all.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        hint(self)
    }
}

fn hint(error: &ApiError) -> Option<String> {
    let step = error.step();
    Some(match error.kind() {
        _ if error.facts.renewed => "A newer login was found and is used from now on: try again.".to_owned(),
        ErrorKind::TokenRefused => error.facts.advice.clone().unwrap_or_else(|| {
            format!("It may have expired or been revoked. Create one with Workers Scripts Read at {TOKENS}")
        }),
        ErrorKind::TokenMalformed => {
            format!("Give an API token (cfut_… or cfat_…), not a global key, on one line. Create one at {TOKENS}")
        }
        ErrorKind::Forbidden if step == Step::Capture => {
            "Grant the token Workers Scripts Read on this account. If it has that, the profiling feature may not be enabled for \
             the account: ask Cloudflare."
                .to_owned()
        }
        ErrorKind::Forbidden => format!("Grant the token {} on this account, or choose another account.", step.permission()),
        ErrorKind::UserOnly => "Name the account: --account ID or CLOUDFLARE_ACCOUNT_ID.".to_owned(),
        ErrorKind::NotFound(Missing::Account) => {
            "Check the account id (32 hexadecimal digits): flarescope list accounts shows those the token can see.".to_owned()
        }
        ErrorKind::NotFound(Missing::Worker) => {
            "Check its name and the account: flarescope list workers shows them.".to_owned()
        }
        ErrorKind::NotFound(Missing::Version) => "flarescope list versions --worker NAME shows its versions.".to_owned(),
        ErrorKind::NotFound(Missing::Namespace) => "flarescope list namespaces shows them.".to_owned(),
        ErrorKind::NotFound(Missing::Other) if step == Step::Capture => {
            "The profiling feature may not be enabled for this account, or the Worker or version is gone.".to_owned()
        }
        ErrorKind::NoTraffic => {
            "Send it requests and try again, or capture a version that serves traffic: flarescope list versions shows them.".to_owned()
        }
        ErrorKind::NoIsolate => "Wait for the next requests and try again.".to_owned(),
        ErrorKind::ProfilingUnavailable => "Ask Cloudflare whether Worker profiling is enabled for this account.".to_owned(),
        ErrorKind::ProfilingUnsupported => "Choose another Worker.".to_owned(),
        ErrorKind::NotStarted => "This is temporary: try again.".to_owned(),
        ErrorKind::RateLimited { retry_after } => {
            let wait = retry_after.unwrap_or(UNSTATED_PAUSE);
            format!("Try again in {:.0} s.", wait.as_secs_f64().ceil().max(1.0))
        }
        ErrorKind::BadRequest => "Check the values; the server's message says which.".to_owned(),
        ErrorKind::Refused => "Nothing was kept; the server's message says why.".to_owned(),
        ErrorKind::Server => "Try again in a moment. See https://www.cloudflarestatus.com for known incidents.".to_owned(),
        ErrorKind::Challenge => {
            "A firewall treats flarescope as a bot: use another network, or have this address allowed.".to_owned()
        }
        ErrorKind::Redirected { .. } => "Check CLOUDFLARE_API_BASE_URL.".to_owned(),
        ErrorKind::NotAProfile { .. } => "Nothing was kept. Try again; if it persists, check CLOUDFLARE_API_BASE_URL.".to_owned(),
        ErrorKind::Empty | ErrorKind::Cut { .. } if step == Step::Capture => {
            "Nothing was kept. Another capture takes the same time and counts against the rate limit.".to_owned()
        }
        ErrorKind::Empty | ErrorKind::Cut { .. } => "Try again.".to_owned(),
        ErrorKind::Transport(Trouble::Reset) if step == Step::Capture => {
            "Nothing was kept. Captures are not retried automatically: try again.".to_owned()
        }
        ErrorKind::Unreadable => "Try again; if it persists, check CLOUDFLARE_API_BASE_URL.".to_owned(),
        ErrorKind::TimedOut { .. } if step == Step::Capture => "Nothing was kept. Try a shorter window.".to_owned(),
        ErrorKind::TimedOut { .. } => "Check the network, then try again.".to_owned(),
        ErrorKind::Transport(Trouble::Tls) => {
            "Behind a proxy that inspects TLS, set SSL_CERT_FILE to its certificates.".to_owned()
        }
        ErrorKind::Transport(Trouble::Proxy) if error.facts.message.contains("authorization required") => {
            "It requires a login: set HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, or bypass it with NO_PROXY."
                .to_owned()
        }
        ErrorKind::Transport(Trouble::Proxy) => "Check HTTPS_PROXY and NO_PROXY.".to_owned(),
        ErrorKind::Transport(_) => "Check the network, HTTPS_PROXY and CLOUDFLARE_API_BASE_URL, then try again.".to_owned(),
        ErrorKind::NotFound(Missing::Other) => {
            "It may have been deleted since it was listed: refresh the list, and check CLOUDFLARE_API_BASE_URL.".to_owned()
        }
        ErrorKind::TooLarge { .. } => {
            "Nothing was kept: the limit protects this machine's memory. Check CLOUDFLARE_API_BASE_URL.".to_owned()
        }
        ErrorKind::Query => "A newer flarescope may know the new query.".to_owned(),
        ErrorKind::Truncated { .. } => {
            "A Worker or object that is not listed can still be captured by its name or id.".to_owned()
        }
        // The error's sentence says what to set.
        ErrorKind::Settings => return None,
    })
}
