//! Injects faults.
//!
//! **Captures** get each fault that applies to them in turn; if there are several, one capture in each round succeeds.
//! **Reads** get the next fault at every second call, so that a retry helps. A fault of permissions (`401`, `403`,
//! `403-analytics`) that is alone applies always. A fault aimed at an endpoint (`500@versions`) applies to each of its
//! calls and to no other.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::body::{self, Body};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::demo::connection::Connection;
use crate::demo::endpoints::{ENDPOINTS, Endpoint};
use crate::demo::envelope::{graphql_refusal, json_response, refusal};

/// The delay of a slow response, before the time scale: longer than any client waits.
const SLOW: Duration = Duration::from_secs(60);
/// `Retry-After` of a rate limit, before the time scale.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Largest response that can be cut.
const CUT_MAX: usize = 16 << 20;

/// A simulated fault of the demo server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The token is rejected.
    Unauthorized,
    /// The token may not do this.
    Forbidden,
    /// The token may not read analytics.
    NoAnalytics,
    /// Too many calls; `Retry-After` is 5 s, shortened by the time scale to no less than 1 s.
    RateLimited,
    /// An internal error without an envelope.
    ServerError,
    /// A browser challenge page, with status 403.
    Html,
    /// An error of a capture with status 200.
    Json200,
    /// A capture returns a picture.
    Svg200,
    /// A response without a body.
    Empty,
    /// The connection ends in the middle of the response.
    Cut,
    /// The response is a minute late, shortened by the time scale.
    Slow,
    /// The connection ends before the response.
    Reset,
    /// The call is redirected to another host.
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
const NAMES: [(&str, Fault); 18] = [
    ("401", Fault::Unauthorized),
    ("403", Fault::Forbidden),
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

/// Returns the value of a name.
///
/// # Errors
/// A message with all names if it is unknown.
fn named<T: Copy>(table: &[(&str, T)], name: &str, what: &str) -> Result<T, String> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = table.iter().map(|(name, _)| *name).collect();
        format!("unknown {what} `{name}`; there are {}", names.join(", "))
    })
}

/// A fault to inject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Injection {
    /// The fault.
    pub fault: Fault,
    /// The endpoint whose calls all get it; `None` if the calls that it fits get it in turn.
    pub at: Option<Endpoint>,
}

impl Injection {
    /// Parses comma-separated names; `all` is every fault, and `@` aims at an endpoint.
    ///
    /// # Errors
    /// A message with all names if one is unknown.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let mut faults = Vec::new();
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let (name, at) = match word.split_once('@') {
                Some((name, endpoint)) => (name, Some(named(&ENDPOINTS, endpoint, "endpoint")?)),
                None => (word, None),
            };
            if name == "all" {
                faults.extend(NAMES.map(|(_, fault)| Self { fault, at }));
            } else {
                let fault = named(&NAMES, name, "fault")?;
                faults.push(Self { fault, at });
            }
        }
        Ok(faults)
    }
}

impl Fault {
    fn fits(self, kind: Kind) -> bool {
        match self {
            Self::NoAnalytics => kind == Kind::Analytics,
            Self::Unauthorized
            | Self::Forbidden
            | Self::RateLimited
            | Self::ServerError
            | Self::Html
            | Self::Empty
            | Self::Cut
            | Self::Slow
            | Self::Reset
            | Self::Redirect => kind != Kind::Analytics,
            _ => kind == Kind::Capture,
        }
    }

    /// Returns whether it applies to every call if it is the only fault: a retry doesn't change permissions.
    fn is_lasting(self) -> bool {
        matches!(
            self,
            Self::Unauthorized | Self::Forbidden | Self::NoAnalytics
        )
    }
}

/// Calls that get faults in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Analytics,
    Capture,
}

impl Kind {
    const fn of(endpoint: Option<Endpoint>) -> Self {
        match endpoint {
            Some(Endpoint::Capture) => Self::Capture,
            Some(Endpoint::Analytics) => Self::Analytics,
            _ => Self::Read,
        }
    }
}

/// The faults to inject, and the number of calls of each kind.
#[derive(Debug, Default)]
pub(super) struct Faults {
    injections: Vec<Injection>,
    calls: Mutex<[usize; 3]>,
}

impl Faults {
    pub(super) fn new(injections: Vec<Injection>) -> Self {
        Self {
            injections,
            calls: Mutex::default(),
        }
    }

    /// Returns the fault of this call.
    fn next(&self, endpoint: Option<Endpoint>) -> Option<Fault> {
        let injections = self.injections.iter();
        if let Some(aimed) = injections
            .clone()
            .find(|injection| injection.at.is_some() && injection.at == endpoint)
        {
            return Some(aimed.fault);
        }
        let call = Kind::of(endpoint);
        let fitting: Vec<Fault> = injections
            .filter(|injection| injection.at.is_none() && injection.fault.fits(call))
            .map(|injection| injection.fault)
            .collect();
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let count = calls.get_mut(call as usize)?;
        let round = match (call, fitting.as_slice()) {
            (_, []) => return None,
            (_, [only]) if only.is_lasting() => 1,
            (Kind::Capture, [_]) => 1,
            (Kind::Capture, several) => several.len() + 1,
            // A success after each fault.
            (_, several) => several.len() * 2,
        };
        let place = *count % round;
        *count += 1;
        match call {
            Kind::Capture => fitting.get(place).copied(),
            _ if round == 1 => fitting.first().copied(),
            _ if place.is_multiple_of(2) => fitting.get(place / 2).copied(),
            _ => None,
        }
    }

    /// Responds to a call, with its fault if one applies.
    pub(super) async fn respond(
        &self,
        time_scale: f64,
        connection: &Connection,
        request: Request,
        next: Next,
    ) -> Response {
        let call = Endpoint::of(request.uri().path());
        let Some(fault) = self.next(call) else {
            return next.run(request).await;
        };
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
        // The endpoint's own error is more specific.
        if response.status().is_success() {
            broken(fault, response).await
        } else {
            response
        }
    }
}

/// Returns the response of a fault that ignores the request; `None` for other faults.
fn refused(fault: Fault, time_scale: f64) -> Option<Response> {
    Some(match fault {
        Fault::Unauthorized => refusal(401, 10_000, "Authentication error"),
        Fault::Forbidden => refusal(403, 10_000, "Authentication error"),
        Fault::NoAnalytics => graphql_refusal(403, "not authorized for that account", &[]),
        Fault::RateLimited => {
            let mut response = refusal(
                429,
                971,
                "Please wait and consider throttling your request speed",
            );
            let wait = RETRY_AFTER.mul_f64(time_scale).max(Duration::from_secs(1));
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs()));
            response
        }
        Fault::ServerError => {
            (StatusCode::INTERNAL_SERVER_ERROR, "error code: 1101").into_response()
        }
        Fault::Html => {
            let page = "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body></body></html>\n";
            let headers = [
                ("cf-mitigated", "challenge"),
                ("content-type", "text/html; charset=UTF-8"),
            ];
            (StatusCode::FORBIDDEN, headers, page).into_response()
        }
        Fault::Redirect => {
            let elsewhere = [(
                header::LOCATION,
                "https://login.example.com/client/v4/elsewhere",
            )];
            (StatusCode::FOUND, elsewhere).into_response()
        }
        Fault::NoTraffic => refusal(
            404,
            10_393,
            "No recent executions were found for this Worker.",
        ),
        Fault::NoIsolate => refusal(
            404,
            10_394,
            "The Worker has no loaded isolate in its recent execution locations.",
        ),
        Fault::Unavailable => refusal(
            403,
            10_395,
            "Worker profiling is unavailable in this environment.",
        ),
        Fault::Unsupported => refusal(
            400,
            10_396,
            "This Worker does not support runtime profiling.",
        ),
        Fault::NotStarted => refusal(
            503,
            10_397,
            "The Worker runtime could not start profiling. Please try again.",
        ),
        Fault::Json200 | Fault::Svg200 | Fault::Empty | Fault::Cut | Fault::Slow | Fault::Reset => {
            return None;
        }
    })
}

/// Breaks a successful response.
async fn broken(fault: Fault, response: Response) -> Response {
    match fault {
        Fault::Json200 => {
            let error = json!({ "code": 10_398, "message": "The profile could not be produced." });
            let body =
                json!({ "success": false, "errors": [error], "messages": [], "result": null });
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
            response
                .headers_mut()
                .extend(kept.map(|kind| (header::CONTENT_TYPE, kind)));
            response
        }
        Fault::Cut => cut(response).await,
        _ => response,
    }
}

/// Returns the first half of a response and then closes the connection.
async fn cut(response: Response) -> Response {
    let (mut parts, whole) = response.into_parts();
    let Ok(whole) = body::to_bytes(whole, CUT_MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts
        .headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let half = whole.slice(..whole.len() / 2);
    let pieces = futures_util::stream::unfold(Some(half), |half| async {
        match half {
            Some(half) => Some((Ok(half), None)),
            None => {
                // Lets the first half be sent before the connection closes.
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

    const READ: Option<Endpoint> = Some(Endpoint::Workers);
    const ANALYTICS: Option<Endpoint> = Some(Endpoint::Analytics);
    const CAPTURE: Option<Endpoint> = Some(Endpoint::Capture);

    fn anywhere(faults: &[Fault]) -> Vec<Injection> {
        faults
            .iter()
            .map(|&fault| Injection { fault, at: None })
            .collect()
    }

    #[test]
    fn an_aimed_fault_applies_to_each_of_its_calls_and_to_no_other() {
        let faults = Faults::new(Injection::parse_list("cut@versions,500").unwrap());
        let path =
            |rest: &str| Endpoint::of(&format!("/client/v4/accounts/{}/{rest}", "0".repeat(32)));
        for place in [
            "workers/workers/x/versions",
            "workers/workers/x/versions/latest",
        ] {
            assert_eq!(
                (faults.next(path(place)), faults.next(path(place))),
                (Some(Fault::Cut), Some(Fault::Cut))
            );
        }
        let met: Vec<_> = (0..2)
            .map(|_| faults.next(path("workers/workers")))
            .collect();
        assert_eq!(
            met,
            [Some(Fault::ServerError), None],
            "the others are injected in turn"
        );
    }

    #[test]
    fn names_are_parsed_and_unknown_ones_listed() {
        let parse = Injection::parse_list;
        assert_eq!(parse("all").unwrap().len(), NAMES.len());
        let aimed = Injection {
            fault: Fault::ServerError,
            at: Some(Endpoint::Versions),
        };
        assert_eq!(parse("500@versions").unwrap(), [aimed]);
        assert_eq!(
            parse("429, cut").unwrap(),
            anywhere(&[Fault::RateLimited, Fault::Cut])
        );
        assert!(parse("teapot").unwrap_err().contains("no-traffic"));
        assert!(parse("500@kettle").unwrap_err().contains("deployments"));
    }

    #[test]
    fn reads_get_a_fault_at_every_second_call() {
        let faults = Faults::new(anywhere(&[
            Fault::ServerError,
            Fault::NoTraffic,
            Fault::Html,
        ]));
        let met: Vec<_> = (0..6).map(|_| faults.next(READ)).collect();
        let (error, html) = (Some(Fault::ServerError), Some(Fault::Html));
        assert_eq!(met, [error, None, html, None, error, None]);
        assert_eq!(faults.next(ANALYTICS), None);
    }

    #[test]
    fn captures_get_each_fault_in_turn_and_a_single_one_always() {
        let faults = Faults::new(anywhere(&[Fault::NoTraffic, Fault::Cut]));
        let met: Vec<_> = (0..4).map(|_| faults.next(CAPTURE)).collect();
        assert_eq!(
            met,
            [
                Some(Fault::NoTraffic),
                Some(Fault::Cut),
                None,
                Some(Fault::NoTraffic)
            ]
        );
        let single = Faults::new(anywhere(&[Fault::Cut]));
        assert_eq!(
            (single.next(CAPTURE), single.next(CAPTURE)),
            (Some(Fault::Cut), Some(Fault::Cut))
        );
    }

    #[test]
    fn missing_permissions_persist() {
        let faults = Faults::new(anywhere(&[Fault::Unauthorized, Fault::NoAnalytics]));
        for call in [READ, READ, CAPTURE, CAPTURE] {
            assert_eq!(faults.next(call), Some(Fault::Unauthorized));
        }
        for _ in 0..3 {
            assert_eq!(faults.next(ANALYTICS), Some(Fault::NoAnalytics));
        }
    }
}
