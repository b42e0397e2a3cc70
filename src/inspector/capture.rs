//! A capture: the order of the commands, and how the runtime is left.

use std::pin::pin;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::inspector::connection::Connection;
use crate::inspector::{Inspector, InspectorError, Settings, Target};
use crate::model::cloudflare::Kind;

/// Microseconds between samples, as in production.
const CPU_INTERVAL: u32 = 1_000;
/// Average number of bytes allocated between samples: V8's default, and Cloudflare's.
const HEAP_INTERVAL: u32 = 512 << 10;

/// A finished capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// V8's JSON as received, undecoded: a `.cpuprofile` or a `.heapprofile`.
    pub bytes: Vec<u8>,
    /// When it was requested.
    pub asked_at: SystemTime,
    /// When the response was complete.
    pub answered_at: SystemTime,
}

impl Inspector {
    /// Captures a profile: returns after the window. If `cancelled` resolves first, the runtime is told to stop: a profiler
    /// runs as long as the isolate otherwise.
    ///
    /// # Errors
    /// Any [`InspectorError`]; [`InspectorError::Cancelled`] if it was cancelled.
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
            // Fails if the connection is closed; then nothing is left to stop.
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
            // A client that died leaves its profiler running, and enabling it again kills the runtime. Some runtimes return
            // an error if there is nothing to stop.
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
            // Without the two flags, objects collected meanwhile are missing: nearly all of a busy Worker's. No depth is
            // given: more than V8's default of 128 makes workerd abort.
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
