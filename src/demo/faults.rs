//! Everything that can go wrong, on demand.
//!
//! Which call meets a fault: **captures** meet the next one of those that fit them, each time; where several fit, one
//! capture in each round is let through. **Reads** meet the next one that fits them at every second call, so that trying
//! again helps. A fault that is the only one for its calls and concerns rights (`401`, `403`, `403-analytics`) is always met.
//! One that is aimed at a kind of call (`500@versions`) is met at each of those and at no other.

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

use crate::demo::connection::Connection;
use crate::demo::endpoints::{Endpoint, UnknownEndpoint};
use crate::demo::envelope::{graphql_refusal, json_response, refusal};

/// How much later than usual a slow answer comes, before the time scale: longer than any client waits.
const SLOW: Duration = Duration::from_secs(60);
/// How long a limited client is told to wait, before the time scale.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Largest answer that is cut.
const CUT_MAX: usize = 16 << 20;

/// A simulated fault of the demo server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The token is refused.
    Unauthorized,
    /// The token may not do this.
    Forbidden,
    /// The token may not read analytics.
    NoAnalytics,
    /// Too many calls; `Retry-After` is 5 s, shortened by the time scale to no less than 1 s.
    RateLimited,
    /// The server has a fault and says so without an envelope.
    ServerError,
    /// A browser challenge page, with status 403.
    Html,
    /// A capture's refusal with status 200.
    Json200,
    /// A capture returns a picture.
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

/// A name that no fault or no kind of call has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownFault {
    /// No fault.
    #[error("there is no fault `{0}`; there are all, {names}", names = NAMES.map(|(name, _)| name).join(", "))]
    Name(String),
    /// No kind of call.
    #[error(transparent)]
    Endpoint(#[from] UnknownEndpoint),
}

/// A fault, and the calls that it is kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aimed {
    /// What goes wrong.
    pub fault: Fault,
    /// Met at each of these calls, and at no other; `None`: in turn, at all that it fits.
    pub at: Option<Endpoint>,
}

impl Aimed {
    /// Reads a list of names with commas between them; `all` is every one, and `@` aims at a kind of call.
    ///
    /// # Errors
    /// [`UnknownFault`], which lists those there are.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, UnknownFault> {
        let mut faults = Vec::new();
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let (name, at) = match word.split_once('@') {
                Some((name, call)) => (name, Some(call.parse()?)),
                None => (word, None),
            };
            if name == "all" {
                faults.extend(Fault::all().into_iter().map(|fault| Self { fault, at }));
            } else {
                faults.push(Self {
                    fault: name.parse()?,
                    at,
                });
            }
        }
        Ok(faults)
    }
}

impl Fault {
    /// All there are.
    #[must_use]
    pub fn all() -> Vec<Self> {
        NAMES.map(|(_, fault)| fault).to_vec()
    }

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

    /// Whether it is met at every call where it stands alone: trying again doesn't change rights.
    fn is_lasting(self) -> bool {
        matches!(
            self,
            Self::Unauthorized | Self::Forbidden | Self::NoAnalytics
        )
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let found = NAMES.into_iter().find(|(name, _)| *name == text);
        found
            .map(|(_, fault)| fault)
            .ok_or_else(|| UnknownFault::Name(text.to_owned()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES
            .into_iter()
            .find(|(_, fault)| fault == self)
            .map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

/// Calls that take their turns together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Analytics,
    Capture,
}

impl Kind {
    const fn of(call: Option<Endpoint>) -> Self {
        match call {
            Some(Endpoint::Capture) => Self::Capture,
            Some(Endpoint::Analytics) => Self::Analytics,
            _ => Self::Read,
        }
    }
}

/// The faults that are on, and whose turn it is for each kind of call.
#[derive(Debug, Default)]
pub(super) struct Faults {
    on: Vec<Aimed>,
    turns: Mutex<[usize; 3]>,
}

impl Faults {
    pub(super) fn new(on: Vec<Aimed>) -> Self {
        Self {
            on,
            turns: Mutex::default(),
        }
    }

    /// The fault that this call meets.
    fn next(&self, call: Option<Endpoint>) -> Option<Fault> {
        let aimed = self
            .on
            .iter()
            .find(|aimed| aimed.at.is_some() && aimed.at == call);
        if let Some(aimed) = aimed {
            return Some(aimed.fault);
        }
        let call = Kind::of(call);
        let anywhere = self
            .on
            .iter()
            .filter(|aimed| aimed.at.is_none())
            .map(|aimed| aimed.fault);
        let fitting: Vec<Fault> = anywhere.filter(|fault| fault.fits(call)).collect();
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = turns.get_mut(call as usize)?;
        let round = match (call, fitting.as_slice()) {
            (_, []) => return None,
            (_, [only]) if only.is_lasting() => 1,
            (Kind::Capture, [_]) => 1,
            (Kind::Capture, several) => several.len() + 1,
            // One good answer after each fault.
            (_, several) => several.len() * 2,
        };
        let place = *turn % round;
        *turn += 1;
        match call {
            Kind::Capture => fitting.get(place).copied(),
            _ if round == 1 => fitting.first().copied(),
            _ if place.is_multiple_of(2) => fitting.get(place / 2).copied(),
            _ => None,
        }
    }

    /// Responds to a call, with its fault if one applies.
    pub(super) async fn answer(
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
        // A refusal of its own says more than a broken answer.
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

/// A good answer, broken.
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

/// The first half of an answer, then the end of the connection.
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

    const READ: Option<Endpoint> = Some(Endpoint::Workers);
    const ANALYTICS: Option<Endpoint> = Some(Endpoint::Analytics);
    const CAPTURE: Option<Endpoint> = Some(Endpoint::Capture);

    fn anywhere(faults: &[Fault]) -> Vec<Aimed> {
        faults
            .iter()
            .map(|fault| Aimed {
                fault: *fault,
                at: None,
            })
            .collect()
    }

    #[test]
    fn an_aimed_fault_is_met_at_each_of_its_calls_and_at_no_other() {
        let faults = Faults::new(Aimed::parse_list("cut@versions,500").unwrap());
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
            "the others take their turns as ever"
        );
    }

    #[test]
    fn names_read_back_and_unknown_ones_are_told() {
        let all = Aimed::parse_list("all").unwrap();
        assert_eq!(all, anywhere(&Fault::all()));
        for fault in Fault::all() {
            assert_eq!(fault.to_string().parse(), Ok(fault));
        }
        let aimed = Aimed::parse_list("500@versions").unwrap();
        assert_eq!(
            aimed,
            [Aimed {
                fault: Fault::ServerError,
                at: Some(Endpoint::Versions)
            }]
        );
        assert_eq!(
            Aimed::parse_list("429, cut").unwrap(),
            anywhere(&[Fault::RateLimited, Fault::Cut])
        );
        assert!(
            Aimed::parse_list("teapot")
                .unwrap_err()
                .to_string()
                .contains("no-traffic")
        );
        assert!(
            Aimed::parse_list("500@kettle")
                .unwrap_err()
                .to_string()
                .contains("deployments")
        );
    }

    #[test]
    fn reads_meet_a_fault_at_every_second_call() {
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
    fn captures_meet_each_fault_in_turn_and_a_single_one_always() {
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
    fn missing_rights_last() {
        let faults = Faults::new(anywhere(&[Fault::Unauthorized, Fault::NoAnalytics]));
        for call in [READ, READ, CAPTURE, CAPTURE] {
            assert_eq!(faults.next(call), Some(Fault::Unauthorized));
        }
        for _ in 0..3 {
            assert_eq!(faults.next(ANALYTICS), Some(Fault::NoAnalytics));
        }
    }
}
