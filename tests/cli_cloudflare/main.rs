//! The commands that talk to Cloudflare, against the demo server: what they print, and how they end.
#![cfg(feature = "demo")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod commands;
#[path = "../support/demo_server.rs"]
mod demo_server;
mod endings;
mod headline;
mod limits;
mod log;
mod logins;
mod refusals;
mod ways;
#[path = "../support/wording.rs"]
mod wording;

use demo_server::{BIN, Place, fast, names, text};
