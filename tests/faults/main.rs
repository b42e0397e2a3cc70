//! The walk: each fault of the stand-in at each call, on the screen and in the commands. The reason is told in plain words,
//! with the ray where there was an answer, and there is always a next step.
#![cfg(feature = "demo")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod commands;
mod quota;
mod screen;

use flarescope::demo::{Aimed, Options, Standin};

/// A stand-in that meets these faults; a capture's second takes a fiftieth of one, and a slow answer is 1.2 s late.
fn standin(faults: &str) -> Standin {
    let faults = Aimed::parse_list(faults).unwrap();
    Standin::start(&Options {
        faults,
        time_scale: 0.02,
        ..Options::default()
    })
    .unwrap()
}

/// What is the same of a fault wherever it is met: what it is called, and whether an answer came that had a ray.
const READS: &[(&str, &str, bool)] = &[
    (
        "401",
        "refused the API token (HTTP 401, code 10000: Authentication error)",
        true,
    ),
    ("403", "(HTTP 403, code 10000: Authentication error)", true),
    ("429", "wants no more calls for 1 s (HTTP 429)", true),
    (
        "500",
        "has a fault of its own (HTTP 500: error code: 1101)",
        true,
    ),
    (
        "html",
        "a web page that wants a browser stands before",
        true,
    ),
    (
        "json-200",
        "refused (HTTP 200, code 10398: The profile could not be produced.)",
        true,
    ),
    (
        "svg-200",
        "the answer is not what the API documents (HTTP 200: HTML: <svg",
        true,
    ),
    ("empty", "the answer was empty", true),
    ("cut", "the answer was cut off after", true),
    ("slow", "no answer from 127.0.0.1", false),
    ("reset", "closed the connection without an answer", false),
    (
        "redirect",
        "sent the call on to login.example.com; it was not followed, so that the token stays home",
        true,
    ),
];

/// What can be done about a fault of a read, wherever it is met.
fn remedy(fault: &str) -> &'static str {
    match fault {
        "401" => "Make one with Workers Scripts Read",
        "403" => "Grant the token",
        "429" => "in 1 s",
        "500" => "Try again in a moment.",
        "html" => "use another network",
        "json-200" => "the server's words say why",
        "svg-200" => "check CLOUDFLARE_API_BASE_URL",
        "redirect" => "Check CLOUDFLARE_API_BASE_URL",
        "slow" => "Check the network",
        "reset" => "Check the network",
        _ => "Try again",
    }
}
