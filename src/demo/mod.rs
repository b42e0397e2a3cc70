//! The demo server: Cloudflare's API as far as the program uses it, on loopback, with recorded profiles.
//!
//! `flarescope demo` opens the screen on it; tests and other clients use it, too. Its responses and errors follow the public
//! documentation field by field; where that is silent, what Cloudflare's own clients expect. It serves the same account at
//! every start ([`ACCOUNT_ID`]).
//!
//! Weak point: some error codes are not published (unknown versions and deployments, four capture errors). Those are made up,
//! and no client should rely on them.

mod account_data;
mod analytics;
mod connection;
mod datasets;
mod endpoints;
mod envelope;
mod faults;
mod fixtures;
mod graphql;
mod limiter;
mod profile;
mod reads;
mod recordings;
mod scripts;
mod server;
mod state;

pub use account_data::{ACCOUNT_ID, ACCOUNT_NAME};
pub use endpoints::Endpoint;
pub use faults::{Fault, Injection};
pub use server::{DemoServer, TOKEN};
pub use state::Options;
