//! The demo server's options and the state that its handlers share.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::demo::account_data::AccountData;
use crate::demo::envelope::Bounds;
use crate::demo::faults::{Faults, Injection};
use crate::demo::limiter::Limiter;

/// Calls per quota window, and the window's length.
pub(super) const QUOTA: u64 = 1200;
pub(super) const QUOTA_WINDOW: Duration = Duration::from_secs(300);
/// The number of Workers with fixtures of their own.
const NAMED_WORKERS: usize = crate::demo::fixtures::WORKERS.len();
/// Small, so that a list of 64 Workers has pages.
const FEW_WORKERS: Bounds = Bounds {
    usual: 10,
    most: 25,
};
/// For accounts with more Workers than the fixtures have: the size that the API is expected to have.
const MANY_WORKERS: Bounds = Bounds {
    usual: 10,
    most: 100,
};

/// Options of the demo server.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub addr: SocketAddr,
    /// How long each second of a capture's window takes, in seconds.
    pub time_scale: f64,
    /// The faults to simulate.
    pub faults: Vec<Injection>,
    /// How many accounts the token can see; it may use only the first.
    pub accounts: usize,
    /// How many Workers there are.
    pub workers: usize,
    /// Calls that are left in the first quota window, at most 1,200.
    pub calls: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            time_scale: 1.0,
            faults: vec![],
            accounts: 1,
            workers: NAMED_WORKERS,
            calls: QUOTA,
        }
    }
}
/// The state that all handlers share.
pub(super) type Server = Arc<ServerState>;

#[derive(Debug)]
pub(super) struct ServerState {
    pub(super) data: AccountData,
    pub(super) time_scale: f64,
    pub(super) captures: Limiter,
    pub(super) accounts: usize,
    pub(super) faults: Faults,
    pub(super) responses: AtomicU64,
    quota: Mutex<(Instant, u64)>,
}

impl ServerState {
    pub(super) fn new(options: &Options) -> Server {
        Arc::new(Self {
            data: AccountData::new(SystemTime::now(), options.workers),
            accounts: options.accounts,
            time_scale: options.time_scale,
            captures: Limiter::default(),
            faults: Faults::new(options.faults.clone()),
            responses: AtomicU64::new(0),
            quota: Mutex::new((Instant::now(), QUOTA.saturating_sub(options.calls))),
        })
    }

    /// Returns the page sizes of the list of Workers.
    pub(super) fn worker_pages(&self) -> Bounds {
        if self.data.workers.len() > NAMED_WORKERS {
            MANY_WORKERS
        } else {
            FEW_WORKERS
        }
    }

    /// Counts a call and returns how many are left in the quota window, and the seconds until it ends.
    pub(super) fn count_call(&self) -> (Option<u64>, u64) {
        let mut quota = self.quota.lock().unwrap_or_else(PoisonError::into_inner);
        let (began, used) = *quota;
        let (began, used) = if began.elapsed() >= QUOTA_WINDOW {
            (Instant::now(), 0)
        } else {
            (began, used)
        };
        *quota = (began, used + 1);
        (
            QUOTA.checked_sub(used + 1),
            QUOTA_WINDOW.saturating_sub(began.elapsed()).as_secs(),
        )
    }
}
