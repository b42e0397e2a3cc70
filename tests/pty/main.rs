//! The program in a real pseudo-terminal, with a terminal emulator at the other end.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

mod terminal;

mod endings;
mod gone;
mod hostile;
mod input;
mod keys;
mod limits;
mod log;
mod login;
mod panics;
mod quota;
mod relay;
mod session;
#[path = "../support/wording.rs"]
mod wording;
mod worker;
