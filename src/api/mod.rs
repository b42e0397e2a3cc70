//! Cloudflare's HTTP API: requests, responses, paging, retries, captures.
//!
//! Responses become [`crate::model::cloudflare`] types at this room's edge; the wire formats stay private. Timeouts, base
//! URL, token and account are arguments ([`Settings`]), so that tests can use a server of their own. The room knows nothing
//! of the screen, the cache or the configuration.
//!
//! Weak point: some facts of the real service are not published (the codes of four capture errors, the largest page of
//! some lists), so responses are parsed leniently, and errors are recognized by code first, then by text, then by status.

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
mod lock;
mod login;
mod notice;
mod paging;
mod path;
mod quota;
mod rate_limit;
mod ready;
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
pub use login::{ActiveLogin, TokenRefresh};
pub use notice::{Notice, OnNotice};
pub use paging::Page;
pub use quota::Quota;
