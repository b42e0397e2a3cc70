//! Captures from a local runtime, workerd or `wrangler dev`, through the Chrome DevTools Protocol.
//!
//! It lists the targets of an inspector, captures one profile over a WebSocket, and returns the profile's JSON undecoded.
//! Timeouts and address are arguments, so that tests can use a scripted server. It knows nothing of the screen,
//! the cache or Cloudflare.
//!
//! The order of the calls matters: enabling the profiler of an isolate that is being profiled kills workerd, and a profile
//! outlives the client that started it. So each connection first stops any running profile, and enables the profiler once.
//!
//! Weak point: a runtime serves one client at a time. Its ways of saying so are recognized by the close code.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

mod address;
mod capture;
mod connection;
mod error;
mod message;
mod targets;

use std::time::Duration;

pub use address::{Address, AddressError};
pub use capture::Captured;
pub use error::InspectorError;
pub use targets::{Target, Targets};

/// Timeouts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// For a connection, and for a whole list.
    pub connect_timeout: Duration,
    /// For a response before the window: an isolate has one thread and can't respond while JavaScript runs.
    pub reply_timeout: Duration,
    /// For the profile, after the window.
    pub profile_timeout: Duration,
    /// For stopping a cancelled capture.
    pub farewell: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            reply_timeout: Duration::from_secs(30),
            profile_timeout: Duration::from_secs(45),
            farewell: Duration::from_secs(2),
        }
    }
}

/// The inspector at one address. Cheap to clone; connects on first use.
#[derive(Debug, Clone)]
pub struct Inspector {
    address: Address,
    settings: Settings,
}

impl Inspector {
    /// Creates an inspector for an address.
    #[must_use]
    pub const fn new(address: Address, settings: Settings) -> Self {
        Self { address, settings }
    }

    /// Returns its address.
    #[must_use]
    pub const fn address(&self) -> &Address {
        &self.address
    }
}
