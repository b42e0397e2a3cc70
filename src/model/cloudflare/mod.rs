//! What is profiled: accounts, Workers, versions, Durable Objects, and a checked request for a capture.
//!
//! `api` turns the wire's shapes into these. The cache and the capture worker write what is derived here as it is.

mod account;
mod baseline;
mod capture;
mod durable_object;
mod error;
mod kind;
pub mod local_runtime;
mod metrics;
mod worker;

pub use account::{Account, id32};
pub use baseline::{DefaultBaseline, baselines};
pub use capture::{
    Amendment, Capture, CaptureRequest, Keeping, Origin, Provenance, Summary, Target, WINDOW_MAX,
    WINDOW_MIN, check_window,
};
pub use durable_object::{Namespace, Object, ObjectRef, object_id64};
pub use error::TargetError;
pub use kind::Kind;
pub use metrics::{MEMORY_LIMIT, Metrics};
pub use worker::{VERSION_PREFIX_MIN, Version, VersionChoice, Worker, short};
