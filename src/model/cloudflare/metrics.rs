//! Metrics from Cloudflare's analytics.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use crate::model::cloudflare::kind::Kind;

/// Memory that an isolate may use, in bytes: 128 MB.
pub const MEMORY_LIMIT: f64 = 128e6;
/// From this part of the limit on, memory is likely to run out first.
const MEMORY_NEAR: f64 = 0.8;

/// Traffic of a Worker, version or object over the analytics window (15 minutes).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Metrics {
    /// Requests a second.
    pub requests_per_second: f64,
    /// Requests that failed, a second.
    pub errors_per_second: f64,
    /// Median CPU time of a request, in microseconds.
    pub cpu_p50_us: f64,
    /// 99th percentile of a request's CPU time, in microseconds.
    pub cpu_p99_us: f64,
    /// 99th percentile of the isolate's memory in bytes, if known; the limit is 128 MB.
    #[serde(default, rename = "memory_p99_bytes", alias = "memory_p99")]
    pub memory_p99: Option<f64>,
    /// Requests that ran out of CPU time or memory, over the whole analytics window.
    #[serde(default)]
    pub exceeded: u64,
}

impl Metrics {
    /// Returns the part of the requests that failed, 0…1.
    #[must_use]
    pub fn error_share(&self) -> f64 {
        if self.requests_per_second > 0.0 {
            self.errors_per_second / self.requests_per_second
        } else {
            0.0
        }
    }

    /// Returns what to capture first if requests exceeded a limit: the heap if memory is near its limit, else the CPU.
    #[must_use]
    pub fn suspect(&self) -> Option<Kind> {
        let full = self
            .memory_p99
            .is_some_and(|bytes| bytes >= MEMORY_LIMIT * MEMORY_NEAR);
        if full {
            Some(Kind::Heap)
        } else {
            (self.exceeded > 0).then_some(Kind::Cpu)
        }
    }

    fn is_possible(&self) -> bool {
        [
            self.requests_per_second,
            self.errors_per_second,
            self.cpu_p50_us,
            self.cpu_p99_us,
            self.memory_p99.unwrap_or_default(),
        ]
        .into_iter()
        .all(|metric| metric.is_finite() && metric >= 0.0)
    }

    /// Estimates how many cores are kept busy: requests a second × median CPU time. A rough order for the list, not a bill.
    #[must_use]
    pub fn cores(&self) -> f64 {
        self.requests_per_second * self.cpu_p50_us / 1e6
    }
}

/// Reads metrics, or `None` if they can't be metrics of anything: anybody can change a description, and the rest of it is
/// still of use.
pub(super) fn lenient<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Metrics>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read {
        Metrics(Metrics),
        Other(IgnoredAny),
    }
    Ok(match Read::deserialize(input)? {
        Read::Metrics(metrics) if metrics.is_possible() => Some(metrics),
        Read::Metrics(_) | Read::Other(_) => None,
    })
}
