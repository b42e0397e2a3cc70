//! The demo server: Cloudflare's API as far as the program uses it, on loopback, with recorded profiles.
//!
//! `flarescope demo` opens the screen on it, the tests and other people's clients talk to it. What it answers, and what it
//! refuses, follows the public documentation field by field; where that is silent it does what Cloudflare's own clients
//! expect. It serves the same account at every start ([`ACCOUNT_ID`]).
//!
//! Weak point: some codes are not published (a version that isn't there, a deployment, four refusals of a capture). Where
//! one must be answered it is a number of ours, and no client should rely on it.

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
pub use endpoints::{Endpoint, UnknownEndpoint};
pub use faults::{Aimed, Fault, UnknownFault};
pub use server::{DemoServer, TOKEN};
pub use state::Options;
