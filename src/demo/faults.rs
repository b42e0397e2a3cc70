//! Everything that can go wrong, on demand.
//!
//! Which call meets a fault: **captures** meet the next one of those that fit them, each time; where several fit, one
//! capture in each round is let through. **Reads** meet the next one that fits them at every second call, so that trying
//! again helps. A fault that is the only one for its calls and concerns rights (`401`, `403-analytics`) is always met.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use axum::body::{self, Body};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::connection::Connection;
use super::envelope::{json_response, refusal};

/// How much later than usual a slow answer comes, before the time scale: longer than any client waits.
const SLOW: Duration = Duration::from_secs(60);
/// How long a limited client is told to wait, before the time scale.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Largest answer that is cut.
const CUT_MAX: usize = 16 << 20;

/// A fault of the stand-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The token is refused.
    Unauthorized,
    /// The token may not read analytics.
    NoAnalytics,
    /// Too many calls; `Retry-After` is 5 s, shortened by the time scale to no less than 1 s.
    RateLimited,
    /// The server has a fault and says so without an envelope.
    ServerError,
    /// A web page that wants a browser, with status 403.
    Html,
    /// A capture's refusal with status 200.
    Json200,
    /// A capture answers a picture.
    Svg200,
    /// An answer without a body.
    Empty,
    /// The connection ends in the middle of the answer.
    Cut,
    /// The answer comes a minute late, shortened by the time scale.
    Slow,
    /// The connection ends before the answer.
    Reset,
    /// The call is sent on to another host.
    Redirect,
    /// No traffic on the target.
    NoTraffic,
    /// No loaded isolate.
    NoIsolate,
    /// Profiling isn't offered here.
    Unavailable,
    /// This kind of Worker can't be profiled.
    Unsupported,
    /// The runtime could not start.
    NotStarted,
}

/// All faults by name.
const NAMES: [(&str, Fault); 17] = [
    ("401", Fault::Unauthorized),
    ("403-analytics", Fault::NoAnalytics),
    ("429", Fault::RateLimited),
    ("500", Fault::ServerError),
    ("html", Fault::Html),
    ("json-200", Fault::Json200),
    ("svg-200", Fault::Svg200),
    ("empty", Fault::Empty),
    ("cut", Fault::Cut),
    ("slow", Fault::Slow),
    ("reset", Fault::Reset),
    ("redirect", Fault::Redirect),
    ("no-traffic", Fault::NoTraffic),
    ("no-isolate", Fault::NoIsolate),
    ("unavailable", Fault::Unavailable),
    ("unsupported", Fault::Unsupported),
    ("not-started", Fault::NotStarted),
];

/// A name that no fault has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no fault `{0}`; there are all, {names}", names = NAMES.map(|(name, _)| name).join(", "))]
pub struct UnknownFault(String);

impl Fault {
    /// Reads a list of names with commas between them; `all` is every one.
    ///
    /// # Errors
    /// [`UnknownFault`], which lists those there are.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, UnknownFault> {
        let mut faults = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if name == "all" {
                faults.extend(NAMES.map(|(_, fault)| fault));
            } else {
                faults.push(name.parse()?);
            }
        }
        Ok(faults)
    }

    fn fits(self, call: Call) -> bool {
        match self {
            Self::NoAnalytics => call == Call::Analytics,
            Self::Unauthorized
            | Self::RateLimited
            | Self::ServerError
            | Self::Html
            | Self::Empty
            | Self::Cut
            | Self::Slow
            | Self::Reset
            | Self::Redirect => call != Call::Analytics,
            _ => call == Call::Capture,
        }
    }

    /// Whether it is met at every call where it stands alone: trying again doesn't change rights.
    fn is_lasting(self) -> bool {
        matches!(self, Self::Unauthorized | Self::NoAnalytics)
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let found = NAMES.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, fault)| fault).ok_or_else(|| UnknownFault(text.to_owned()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.into_iter().find(|(_, fault)| fault == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

/// Kinds of calls that faults are chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Read,
    Analytics,
    Capture,
}

impl Call {
    fn of(request: &Request) -> Self {
        let path = request.uri().path();
        if path.ends_with("/profile") {
            Self::Capture
        } else if path.ends_with("/graphql") {
            Self::Analytics
        } else {
            Self::Read
        }
    }
}

/// The faults that are on, and whose turn it is for each kind of call.
#[derive(Debug, Default)]
pub(super) struct Faults {
    on: Vec<Fault>,
    turns: Mutex<[usize; 3]>,
}

impl Faults {
    pub(super) fn new(on: Vec<Fault>) -> Self {
        Self { on, turns: Mutex::default() }
    }

    /// The fault that this call meets.
    fn next(&self, call: Call) -> Option<Fault> {
        let fitting: Vec<Fault> = self.on.iter().copied().filter(|fault| fault.fits(call)).collect();
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = turns.get_mut(call as usize)?;
        let round = match (call, fitting.as_slice()) {
            (_, []) => return None,
            (_, [only]) if only.is_lasting() => 1,
            (Call::Capture, [_]) => 1,
            (Call::Capture, several) => several.len() + 1,
            // One good answer after each fault.
            (_, several) => several.len() * 2,
        };
        let place = *turn % round;
        *turn += 1;
        match call {
            Call::Capture => fitting.get(place).copied(),
            _ if round == 1 => fitting.first().copied(),
            _ if place.is_multiple_of(2) => fitting.get(place / 2).copied(),
            _ => None,
        }
    }

    /// Answers a call, with its fault if it meets one.
    pub(super) async fn answer(
        &self,
        time_scale: f64,
        connection: &Connection,
        request: Request,
        next: Next,
    ) -> Response {
        let call = Call::of(&request);
        let Some(fault) = self.next(call) else { return next.run(request).await };
        if let Some(refused) = refused(fault, time_scale) {
            return refused;
        }
        if fault == Fault::Reset {
            connection.close();
            return StatusCode::OK.into_response();
        }
        if fault == Fault::Slow {
            tokio::time::sleep(SLOW.mul_f64(time_scale)).await;
            return next.run(request).await;
        }
        let response = next.run(request).await;
        // A refusal of its own says more than a broken answer.
        if response.status().is_success() { broken(fault, response).await } else { response }
    }
}

/// The answers that come at once and have nothing to do with what was asked.
fn refused(fault: Fault, time_scale: f64) -> Option<Response> {
    Some(match fault {
        Fault::Unauthorized => refusal(401, 10_000, "Authentication error"),
        Fault::NoAnalytics => super::analytics::refusal(403, "not authorized for that account", &[]),
        Fault::RateLimited => {
            let mut response = refusal(429, 971, "Please wait and consider throttling your request speed");
            let wait = RETRY_AFTER.mul_f64(time_scale).max(Duration::from_secs(1));
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs()));
            response
        }
        Fault::ServerError => (StatusCode::INTERNAL_SERVER_ERROR, "error code: 1101").into_response(),
        Fault::Html => {
            let page = "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body></body></html>\n";
            let headers = [("cf-mitigated", "challenge"), ("content-type", "text/html; charset=UTF-8")];
            (StatusCode::FORBIDDEN, headers, page).into_response()
        }
        Fault::Redirect => {
            let elsewhere = [(header::LOCATION, "https://login.example.com/client/v4/elsewhere")];
            (StatusCode::FOUND, elsewhere).into_response()
        }
        Fault::NoTraffic => refusal(404, 10_393, "No recent executions were found for this Worker."),
        Fault::NoIsolate => refusal(404, 10_394, "The Worker has no loaded isolate in its recent execution locations."),
        Fault::Unavailable => refusal(403, 10_395, "Worker profiling is unavailable in this environment."),
        Fault::Unsupported => refusal(400, 10_396, "This Worker does not support runtime profiling."),
        Fault::NotStarted => refusal(503, 10_397, "The Worker runtime could not start profiling. Please try again."),
        Fault::Json200 | Fault::Svg200 | Fault::Empty | Fault::Cut | Fault::Slow | Fault::Reset => return None,
    })
}

/// A good answer, broken.
async fn broken(fault: Fault, response: Response) -> Response {
    match fault {
        Fault::Json200 => {
            let error = json!({ "code": 10_398, "message": "The profile could not be produced." });
            let body = json!({ "success": false, "errors": [error], "messages": [], "result": null });
            json_response(StatusCode::OK, &body)
        }
        Fault::Svg200 => {
            let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"/>\n";
            ([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response()
        }
        Fault::Empty => {
            let (parts, _) = response.into_parts();
            let kept = parts.headers.get(header::CONTENT_TYPE).cloned();
            let mut response = StatusCode::OK.into_response();
            response.headers_mut().extend(kept.map(|kind| (header::CONTENT_TYPE, kind)));
            response
        }
        Fault::Cut => cut(response).await,
        _ => response,
    }
}

/// The first half of an answer, then the end of the connection.
async fn cut(response: Response) -> Response {
    let (mut parts, whole) = response.into_parts();
    let Ok(whole) = body::to_bytes(whole, CUT_MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let half = whole.slice(..whole.len() / 2);
    let pieces = futures_util::stream::unfold(Some(half), |half| async {
        match half {
            Some(half) => Some((Ok(half), None)),
            None => {
                // The first half has to be on its way before the connection ends.
                tokio::time::sleep(Duration::from_millis(50)).await;
                Some((Err(std::io::Error::other("cut")), None))
            }
        }
    });
    Response::from_parts(parts, Body::from_stream(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_unknown_ones_are_told() {
        let all = Fault::parse_list("all").unwrap();
        assert_eq!(all.len(), NAMES.len());
        for fault in all {
            assert_eq!(fault.to_string().parse(), Ok(fault));
        }
        assert_eq!(Fault::parse_list("429, cut").unwrap(), [Fault::RateLimited, Fault::Cut]);
        assert!(Fault::parse_list("teapot").unwrap_err().to_string().contains("no-traffic"));
    }

    #[test]
    fn reads_meet_a_fault_at_every_second_call() {
        let faults = Faults::new(vec![Fault::ServerError, Fault::NoTraffic, Fault::Html]);
        let met: Vec<_> = (0..6).map(|_| faults.next(Call::Read)).collect();
        let (error, html) = (Some(Fault::ServerError), Some(Fault::Html));
        assert_eq!(met, [error, None, html, None, error, None]);
        assert_eq!(faults.next(Call::Analytics), None);
    }

    #[test]
    fn captures_meet_each_fault_in_turn_and_a_single_one_always() {
        let faults = Faults::new(vec![Fault::NoTraffic, Fault::Cut]);
        let met: Vec<_> = (0..4).map(|_| faults.next(Call::Capture)).collect();
        assert_eq!(met, [Some(Fault::NoTraffic), Some(Fault::Cut), None, Some(Fault::NoTraffic)]);
        let single = Faults::new(vec![Fault::Cut]);
        assert_eq!((single.next(Call::Capture), single.next(Call::Capture)), (Some(Fault::Cut), Some(Fault::Cut)));
    }

    #[test]
    fn missing_rights_last() {
        let faults = Faults::new(vec![Fault::Unauthorized, Fault::NoAnalytics]);
        for call in [Call::Read, Call::Read, Call::Capture, Call::Capture] {
            assert_eq!(faults.next(call), Some(Fault::Unauthorized));
        }
        for _ in 0..3 {
            assert_eq!(faults.next(Call::Analytics), Some(Fault::NoAnalytics));
        }
    }
}
