//! The next step after each failure, in the user's words.

use crate::api::error::{ApiError, ErrorKind, Missing, Step, Trouble};

/// Where tokens are made.
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
        _ if error.facts.renewed => "A newer login was found meanwhile, and is used from now on: go again.".to_owned(),
        ErrorKind::TokenRefused => error.facts.advice.clone().unwrap_or_else(|| {
            format!("It may have expired or been revoked. Make one with Workers Scripts Read at {TOKENS}")
        }),
        ErrorKind::TokenMalformed => {
            format!("Give an API token (cfut_… or cfat_…), not a global key, in one line. Tokens are made at {TOKENS}")
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
            "Capture the version that serves the traffic (--version deployed), or send it requests and try again.".to_owned()
        }
        ErrorKind::NoIsolate => "Wait for the next requests and try again.".to_owned(),
        ErrorKind::ProfilingUnavailable => "Ask Cloudflare whether Worker profiling is enabled for this account.".to_owned(),
        ErrorKind::ProfilingUnsupported => "Choose another Worker.".to_owned(),
        ErrorKind::NotStarted => "Try again: this one passes by itself.".to_owned(),
        ErrorKind::RateLimited { retry_after } => {
            format!("Try again in {} s.", retry_after.map_or(60, |wait| wait.as_secs().max(1)))
        }
        ErrorKind::BadRequest => "Check the values; the server's words say which.".to_owned(),
        ErrorKind::Refused => "Nothing was kept; the server's words say why.".to_owned(),
        ErrorKind::Server => "Try again in a moment. https://www.cloudflarestatus.com says whether it is known.".to_owned(),
        ErrorKind::Challenge => {
            "A firewall took the program for a browser: use another network, or have its address allowed.".to_owned()
        }
        ErrorKind::Redirected { .. } => "Check CLOUDFLARE_API_BASE_URL.".to_owned(),
        ErrorKind::NotAProfile { .. } => "Nothing was kept. Try again; if it stays, check CLOUDFLARE_API_BASE_URL.".to_owned(),
        ErrorKind::Empty | ErrorKind::Cut { .. } if step == Step::Capture => {
            "Nothing was kept. Capturing again takes the same time and counts against the limit.".to_owned()
        }
        ErrorKind::Empty | ErrorKind::Cut { .. } => "Try again.".to_owned(),
        ErrorKind::Transport(Trouble::Reset) if step == Step::Capture => {
            "Nothing was kept, and a capture is never sent twice by itself: try again.".to_owned()
        }
        ErrorKind::Unreadable => "Try again; if it stays, check CLOUDFLARE_API_BASE_URL.".to_owned(),
        ErrorKind::TimedOut { .. } if step == Step::Capture => "Nothing was kept. Try a shorter window.".to_owned(),
        ErrorKind::TimedOut { .. } => "Check the network, then try again.".to_owned(),
        ErrorKind::Transport(Trouble::Tls) => {
            "Behind a proxy that inspects traffic, name its certificates with SSL_CERT_FILE.".to_owned()
        }
        ErrorKind::Transport(Trouble::Proxy) if error.facts.message.contains("authorization required") => {
            "It wants a name and a password: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT gives them, NO_PROXY goes without it."
                .to_owned()
        }
        ErrorKind::Transport(Trouble::Proxy) => "Check HTTPS_PROXY and NO_PROXY.".to_owned(),
        ErrorKind::Transport(_) => "Check the network, HTTPS_PROXY and CLOUDFLARE_API_BASE_URL, then try again.".to_owned(),
        ErrorKind::NotFound(Missing::Other) => {
            "It may be gone since it was listed: ask for the list again, and check CLOUDFLARE_API_BASE_URL.".to_owned()
        }
        ErrorKind::TooLarge { .. } => {
            "Nothing was kept: more is not read, so that no server can fill this machine. Check CLOUDFLARE_API_BASE_URL.".to_owned()
        }
        ErrorKind::Query => "Everything works without; a newer flarescope may know the question's new form.".to_owned(),
        // Its sentence says what to set.
        ErrorKind::Settings => return None,
    })
}
