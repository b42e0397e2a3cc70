//! The commands that talk to Cloudflare, against the stand-in: what they print, and how they end.
#![cfg(feature = "demo")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod commands;
mod endings;
mod limits;
mod log;
mod logins;
mod refusals;
#[path = "../support/standin.rs"]
mod standin;
mod ways;
#[path = "../support/wording.rs"]
mod wording;

use standin::{BIN, Place, fast, names, text};
