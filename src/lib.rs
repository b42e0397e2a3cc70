//! flarescope: profile Cloudflare Workers and Durable Objects in production, and read the result in a terminal.
//!
//! **There is no stable library API.** The library exists for the binary, its tests and benches; anything in it may change
//! in any release. Use the program: its commands and their JSON output are stable, as `docs/CLI.md` describes them.
//!
//! One crate, a library and a thin binary. Each module below is a room with one job; `docs/ARCHITECTURE.md` draws
//! which may name which, and `tests/architecture.rs` holds them to it.

pub mod api;
pub mod app;
pub mod cli;
pub mod config;
#[cfg(feature = "demo")]
pub mod demo;
pub mod export;
pub mod formats;
pub mod inspector;
pub mod model;
pub mod runtime;
pub mod store;
pub mod term;
pub mod ui;

#[cfg(test)]
#[path = "../tests/support/wording.rs"]
mod wording;

pub use cli::run;
