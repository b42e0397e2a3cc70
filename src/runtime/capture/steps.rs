//! The steps of a capture: lock, call, keep. The same in the program itself and in the capture worker.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::api::{ApiError, Captured, Client, Step};
use crate::formats;
use crate::formats::{Fault, FormatError};
use crate::inspector::Address;
use crate::model::cloudflare::{Account, Capture, CaptureRequest, Origin, Provenance};
use crate::model::profile::Profile;
use crate::runtime::storage_notes;
use crate::store::{CaptureGuard, LockOwner, Store, StoreError};

/// How long a capture may last past its window: the longest pause before its call and the wait for its response.
const OVERTIME: Duration = Duration::from_secs(105);
/// How long to wait at least before a lock is broken: a new owner has written its note by then.
const NOTE_WAIT: Duration = Duration::from_secs(2);

/// A capture to take: the request, and who is asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CaptureSpec {
    /// The request.
    pub request: CaptureRequest,
    /// The account; a local runtime has none.
    pub account: Option<Account>,
    /// The API, the demo server, or a local runtime.
    pub origin: Origin,
}

/// The progress of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Waits for another capture of the account.
    Waiting(LockOwner),
    /// The call was sent: sampling runs.
    Sent,
    /// The response is complete.
    Arrived,
}

impl CaptureSpec {
    /// Returns the provenance of the capture, once its response is complete.
    pub(in crate::runtime) fn provenance(&self, captured: &Captured) -> Provenance {
        let times = (captured.asked_at, captured.answered_at);
        let request = self.request.clone();
        request.provenance(self.origin, self.account.as_ref(), times)
    }
}

/// Takes the capture lock of the account, which all instances share; calls `waits` first if another capture holds it.
/// `None` if there is no folder for locks: a capture matters more than its lock.
async fn capture_lock(
    store: &Store,
    client: &Client,
    worker: &str,
    window: Duration,
    waits: impl FnOnce(LockOwner),
) -> Option<CaptureGuard> {
    lock(store, lock_key(client), worker, window, waits).await
}

/// Takes the capture lock of a local runtime's Worker: a second client would end both captures.
pub(in crate::runtime) async fn local_capture_lock(
    store: &Store,
    address: &Address,
    worker: &str,
    window: Duration,
    waits: impl FnOnce(LockOwner),
) -> Option<CaptureGuard> {
    lock(
        store,
        format!("local-{address}-{worker}"),
        worker,
        window,
        waits,
    )
    .await
}

async fn lock(
    store: &Store,
    key: String,
    worker: &str,
    window: Duration,
    waits: impl FnOnce(LockOwner),
) -> Option<CaptureGuard> {
    let begun = Instant::now();
    let locked = |worker: &str| {
        let ms = begun.elapsed().as_millis();
        tracing::info!(stage = "locked", worker, ms, "capture");
    };
    match store.try_capture_lock(&key, worker, window) {
        Ok(Some(guard)) => {
            locked(worker);
            return Some(guard);
        }
        Ok(None) => {
            let owner = store.capture_lock_owner(&key).unwrap_or_default();
            tracing::info!(stage = "waiting", worker, behind = owner.worker, "capture");
            waits(owner);
        }
        Err(error) => {
            tracing::warn!(stage = "no-lock", worker, %error, "capture");
            return None;
        }
    }
    loop {
        let left = store
            .capture_lock_owner(&key)
            .and_then(|owner| owner.time_left(OVERTIME));
        let patience = left.unwrap_or(OVERTIME).max(NOTE_WAIT);
        let (lock, of, name) = (store.clone(), key.clone(), worker.to_owned());
        // Waiting for the lock keeps the order of those who wait, which polling would not.
        let waiting = tokio::task::spawn_blocking(move || {
            lock.wait_for_capture_lock(&of, &name, window).ok()
        });
        if let Ok(guard) = timeout(patience, waiting).await {
            let guard = guard.ok().flatten()?;
            locked(worker);
            return Some(guard);
        }
        if store.break_capture_lock(&key, OVERTIME) {
            tracing::warn!(stage = "lock-broken", worker, "capture");
        }
    }
}

/// Returns how long the capture that holds the lock may still take.
#[must_use]
pub fn longest_wait(owner: &LockOwner) -> Option<Duration> {
    owner.time_left(OVERTIME)
}

/// Returns the key of an account's lock; an account of the demo server has another key than the real one.
pub(in crate::runtime) fn lock_key(client: &Client) -> String {
    format!("{}-{}", client.account_id().unwrap_or("any"), client.host())
}

/// Takes the lock, then captures. The call is sent once, whatever its result.
pub(in crate::runtime) async fn ask(
    client: &Client,
    store: &Store,
    spec: &CaptureSpec,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Captured, ApiError> {
    let CaptureRequest { target, window, .. } = &spec.request;
    let _lock = capture_lock(store, client, &target.worker, *window, |owner| {
        report(Progress::Waiting(owner))
    })
    .await;
    client.ready(Step::Capture).await?;
    report(Progress::Sent);
    let captured = client.capture(&spec.request).await?;
    report(Progress::Arrived);
    Ok(captured)
}

/// Decodes a capture's bytes.
///
/// # Errors
/// As [`formats::read`].
pub fn decode(bytes: &[u8], name: &str) -> Result<Profile, FormatError> {
    let begun = Instant::now();
    let read = formats::read(bytes, name);
    let ms = begun.elapsed().as_millis();
    match &read {
        Ok(profile) => {
            let records = profile.record_count();
            tracing::info!(stage = "decoded", records, ms, "capture");
        }
        Err(error) => {
            tracing::warn!(stage = "not-decoded", error = %variant(&error.fault), ms, "capture");
        }
    }
    read
}

/// Returns the variant's name alone: a fault may quote what came in place of a profile.
fn variant(fault: &Fault) -> String {
    let text = format!("{fault:?}");
    let kind = text.strip_prefix("Foreign(").unwrap_or(&text);
    kind.split(['(', ')', ' '])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Keeps a capture on disk before it is decoded: in the cache, else in a rescue folder. Then enforces the quota.
/// Returns the capture, and a remark if others were evicted or it was rescued.
pub(in crate::runtime) fn keep(
    store: &Store,
    spec: &CaptureSpec,
    captured: &Captured,
) -> Result<(Capture, Option<String>), StoreError> {
    let provenance = spec.provenance(captured);
    let kept = match store.keep(&captured.bytes, provenance.clone()) {
        Ok(kept) => kept,
        // The error of the cache says more than those of the rescue folders.
        Err(why) => match store.rescue(&captured.bytes, provenance) {
            Ok(rescued) => {
                let note = storage_notes::rescue_note(&rescued.path, &why);
                return Ok((rescued, Some(note)));
            }
            Err(_) => return Err(why),
        },
    };
    let remark = match store.enforce_quota(&kept) {
        Ok(room) => storage_notes::eviction_note(&room),
        Err(error) => Some(error.to_string()),
    };
    Ok((kept, remark))
}
