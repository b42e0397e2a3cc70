//! One capture: what is said to the runtime, in which order, and how it is left.

use std::pin::pin;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::inspector::connection::Connection;
use crate::inspector::{Inspector, InspectorError, Settings, Target};
use crate::model::cloudflare::Kind;

/// Microseconds from sample to sample: as Cloudflare samples in production.
const CPU_INTERVAL: u32 = 1_000;
/// Bytes allocated from stack to stack, on average: V8's own measure, and Cloudflare's.
const HEAP_INTERVAL: u32 = 512 << 10;

/// A capture that has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// V8's JSON as it came, undecoded: a `.cpuprofile` or a `.heapprofile`.
    pub bytes: Vec<u8>,
    /// When it was asked for.
    pub asked_at: SystemTime,
    /// When the answer was whole.
    pub answered_at: SystemTime,
}

impl Inspector {
    /// Takes a profile; returns after the window. When `cancelled` comes first, the runtime is told to stop and left
    /// properly: a profile that nobody stops goes on for as long as the isolate lives.
    ///
    /// # Errors
    /// [`InspectorError`]; [`InspectorError::Cancelled`] where that was wished.
    pub async fn capture(
        &self,
        target: &Target,
        kind: Kind,
        window: Duration,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Captured, InspectorError> {
        if let Some(why) = target.isolate.obstacle {
            return Err(InspectorError::Unreachable {
                name: target.isolate.name.clone(),
                why,
            });
        }
        let mut cancelled = pin!(cancelled);
        let asked_at = SystemTime::now();
        let mut connection = tokio::select! {
            biased;
            () = &mut cancelled => return Err(InspectorError::Cancelled),
            opened = Connection::open(&self.address, &target.path, &self.settings) => opened?,
        };
        let outcome = tokio::select! {
            biased;
            () = &mut cancelled => Err(InspectorError::Cancelled),
            outcome = sample(&mut connection, kind, window, &self.settings) => outcome,
        };
        if outcome.is_err() {
            // It may be the connection itself that is gone; then there is nobody to be told.
            let _ = connection
                .call(stop(kind), None, self.settings.farewell)
                .await;
        }
        let answered_at = SystemTime::now();
        connection.close().await;
        Ok(Captured {
            bytes: outcome?,
            asked_at,
            answered_at,
        })
    }
}

const fn stop(kind: Kind) -> &'static str {
    match kind {
        Kind::Cpu => "Profiler.stop",
        Kind::Heap => "HeapProfiler.stopSampling",
    }
}

/// Samples for the window and returns the profile.
async fn sample(
    connection: &mut Connection,
    kind: Kind,
    window: Duration,
    settings: &Settings,
) -> Result<Vec<u8>, InspectorError> {
    let limit = settings.reply_timeout;
    match kind {
        Kind::Cpu => {
            // A client that died leaves its profile running, and enabling the profiler then kills the runtime. That there
            // is none to be stopped, some runtimes call an error.
            match connection
                .call(stop(kind), None, settings.profile_timeout)
                .await
            {
                Ok(_) | Err(InspectorError::Said { .. }) => {}
                Err(error) => return Err(error),
            }
            connection.call("Profiler.enable", None, limit).await?;
            let interval = json!({ "interval": CPU_INTERVAL });
            connection
                .call("Profiler.setSamplingInterval", Some(interval), limit)
                .await?;
            connection.call("Profiler.start", None, limit).await?;
        }
        Kind::Heap => {
            // Without the two flags what was collected meanwhile is missing: of a busy Worker nearly all. A depth is not
            // named: more than V8's own 128 makes workerd abort.
            let how = json!({
                "samplingInterval": HEAP_INTERVAL,
                "includeObjectsCollectedByMajorGC": true,
                "includeObjectsCollectedByMinorGC": true,
            });
            connection
                .call("HeapProfiler.startSampling", Some(how), limit)
                .await?;
        }
    }
    connection.hold(window).await?;
    let reply = connection
        .call(stop(kind), None, settings.profile_timeout)
        .await?;
    reply.profile().ok_or(InspectorError::NoProfile)
}
