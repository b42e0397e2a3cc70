//! The steps of a capture: lock, call, keep. The same in the program itself and in the capture worker.

use std::time::{Duration, Instant};

use crate::api::{ApiError, Captured, Client, Step};
use crate::app::CaptureNote;
use crate::formats;
use crate::formats::{Fault, FormatError};
use crate::inspector::Address;
use crate::model::cloudflare::{Account, Capture, CaptureRequest, Metrics, Origin};
use crate::model::profile::Profile;
use crate::runtime::{failures, storage_notes};
use crate::store::{About, CaptureGuard, LockOwner, Store, StoreError};

/// A capture to take: the request, with what the history records besides.
#[derive(Debug, Clone)]
pub(in crate::runtime) struct Order {
    /// The request.
    pub(in crate::runtime) request: CaptureRequest,
    /// The version's number, if known.
    pub(in crate::runtime) version_number: Option<u64>,
    /// Its share of the traffic, as a percentage.
    pub(in crate::runtime) percentage: Option<f64>,
    /// Its traffic, if known.
    pub(in crate::runtime) metrics: Option<Metrics>,
    /// 32 hexadecimal digits; a local runtime has no account.
    pub(in crate::runtime) account_id: Option<String>,
    /// The account's name, or the beginning of its id.
    pub(in crate::runtime) account_name: Option<String>,
    /// The API, the demo server, or a local runtime.
    pub(in crate::runtime) origin: Origin,
}

/// The progress of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::runtime) enum Progress {
    /// Waits for another capture of the account.
    Waiting(LockOwner),
    /// The call was sent: sampling runs.
    Sent,
    /// The response is complete.
    Arrived,
}

impl Order {
    pub(in crate::runtime) fn new(
        request: CaptureRequest,
        note: &CaptureNote,
        account: &Account,
        is_demo: bool,
    ) -> Self {
        Self {
            request,
            version_number: note.version_number,
            percentage: note.percentage,
            metrics: note.metrics,
            account_id: Some(account.id.clone()),
            account_name: Some(account.name.clone()),
            origin: if is_demo {
                Origin::Demo
            } else {
                Origin::Cloudflare
            },
        }
    }

    /// A capture of a local runtime, which knows neither versions nor accounts.
    pub(in crate::runtime) const fn local(request: CaptureRequest) -> Self {
        Self {
            request,
            version_number: None,
            percentage: None,
            metrics: None,
            account_id: None,
            account_name: None,
            origin: Origin::Inspector,
        }
    }

    /// Returns the description of the capture, once its response is complete.
    pub(in crate::runtime) fn about(&self, captured: &Captured) -> About {
        About {
            kind: Some(self.request.kind),
            window: Some(self.request.window),
            worker: self.request.worker.clone(),
            version_id: self.request.version.clone(),
            version_number: self.version_number,
            percentage: self.percentage,
            metrics: self.metrics,
            object: self.request.object.clone(),
            account_id: self.account_id.clone(),
            account_name: self.account_name.clone(),
            asked_at: captured.asked_at,
            answered_at: captured.answered_at,
            origin: self.origin,
        }
    }
}

/// Takes the capture lock of the account, which all instances share; calls `waits` first if another capture holds it.
/// `None` if there is no folder for locks: a capture matters more than its lock.
pub async fn capture_lock(
    store: &Store,
    client: &Client,
    worker: &str,
    window: Duration,
    waits: impl FnOnce(LockOwner),
) -> Option<CaptureGuard> {
    lock(store, lock_key(client), worker, window, waits).await
}

/// Takes the capture lock of a local runtime's Worker: a second client would end both captures.
pub async fn local_capture_lock(
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
    let (store, name) = (store.clone(), worker.to_owned());
    // Waiting for the lock keeps the order of those who wait, which polling would not.
    let waiting =
        tokio::task::spawn_blocking(move || store.wait_for_capture_lock(&key, &name, window).ok());
    let guard = waiting.await.ok().flatten()?;
    locked(worker);
    Some(guard)
}

/// Returns the key of an account's lock; an account of the demo server has another key than the real one.
pub(in crate::runtime) fn lock_key(client: &Client) -> String {
    format!("{}-{}", client.account_id().unwrap_or("any"), client.host())
}

/// Takes the lock, then captures. The call is sent once, whatever its result.
pub(in crate::runtime) async fn ask(
    client: &Client,
    store: &Store,
    order: &Order,
    report: &mut (dyn FnMut(Progress) + Send),
) -> Result<Captured, ApiError> {
    let CaptureRequest { worker, window, .. } = &order.request;
    let _lock = capture_lock(store, client, worker, *window, |owner| {
        report(Progress::Waiting(owner))
    })
    .await;
    client.ready(Step::Capture).await?;
    report(Progress::Sent);
    let captured = client.capture(&order.request).await?;
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
    order: &Order,
    captured: &Captured,
) -> Result<(Capture, Option<String>), StoreError> {
    let about = order.about(captured);
    let kept = match store.keep(&captured.bytes, about.clone()) {
        Ok(kept) => kept,
        // The error of the cache says more than those of the rescue folders.
        Err(why) => match store.rescue(&captured.bytes, about) {
            Ok(rescued) => {
                let note = storage_notes::rescue_note(&rescued.path, &why);
                return Ok((rescued, Some(failures::sentence(&note))));
            }
            Err(_) => return Err(why),
        },
    };
    let remark = match store.enforce_quota(&kept) {
        Ok(room) => storage_notes::eviction_note(&room),
        Err(error) => Some(failures::sentence(&error)),
    };
    Ok((kept, remark))
}
