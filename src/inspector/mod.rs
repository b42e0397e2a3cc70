//! Captures from a local runtime, workerd or `wrangler dev`, through the Chrome DevTools Protocol.
//!
//! It lists what the inspector at an address offers, takes one profile over a WebSocket, and answers the profile's own JSON
//! undecoded. Time-outs and address are arguments, so that a scripted server can stand in. It knows nothing of the screen,
//! the cache or Cloudflare.
//!
//! The order of the calls matters: enabling the profiler of an isolate that is being profiled kills workerd, and a profile
//! outlives the client that began it. So each connection first stops whatever may run, and enables the profiler once.
//!
//! Weak point: a runtime serves one client at a time and has ways of its own to say so, which are told by the code that it
//! closes the connection with.

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

/// How long things may take.
#[derive(Debug, Clone)]
pub struct Settings {
    /// For a connection, and for a whole list.
    pub connect_timeout: Duration,
    /// For an answer before the window: it waits for JavaScript that runs, since an isolate has one thread.
    pub reply_timeout: Duration,
    /// For the profile, after the window.
    pub profile_timeout: Duration,
    /// For ending a capture that is not wanted any more.
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

/// The inspector at one address. Cheap to clone; nothing is opened before it is asked.
#[derive(Debug, Clone)]
pub struct Inspector {
    address: Address,
    settings: Settings,
}

impl Inspector {
    /// The inspector at this address.
    #[must_use]
    pub const fn new(address: Address, settings: Settings) -> Self {
        Self { address, settings }
    }

    /// Where it is.
    #[must_use]
    pub const fn address(&self) -> &Address {
        &self.address
    }
}
