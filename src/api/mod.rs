//! Cloudflare over HTTP: requests, answers, paging, retries, captures.
//!
//! Answers become [`crate::model::cloudflare`] types at this room's edge; the wire's own shapes stay private. Time-outs, base
//! address, token and account are arguments ([`Settings`]), so that a test server can stand in. It knows nothing of the
//! screen, the cache or the configuration.
//!
//! Weak point: several facts of the real service are not published (the codes of four capture refusals, the largest page
//! of some lists), so answers are read leniently and refusals are told by code first, then by text, then by status.

mod analytics;
mod body;
mod call;
mod capture;
mod client;
mod envelope;
mod error;
mod exchange;
mod hint;
mod lists;
mod login;
mod paging;
mod path;
mod quota;
mod request_log;
mod time;
mod token_refresh;
mod traffic;
mod wire;

pub use analytics::ANALYTICS_WINDOW;
pub use capture::{CAPTURE_BODY_MAX, Captured};
pub use client::{Client, Settings};
pub use error::{ApiError, ErrorKind, Missing, Step, Trouble};
pub use lists::{Deployment, ObjectPage, TokenState};
pub use login::{InForce, TokenPlace};
pub use paging::Page;
pub use quota::Quota;
