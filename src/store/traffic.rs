//! Serialized metrics: in a capture's description, and in the request to the capture worker.

use serde::{Deserialize, Deserializer, Serialize};

use crate::model::cloudflare::Metrics;

/// Metrics of a Worker or a version over the 15 minutes before it was captured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    requests_per_second: f64,
    errors_per_second: f64,
    /// Microseconds, as the two below.
    cpu_p50_us: f64,
    cpu_p99_us: f64,
    #[serde(default)]
    memory_p99_bytes: Option<f64>,
    #[serde(default)]
    exceeded: u64,
}

impl From<Metrics> for Traffic {
    fn from(metrics: Metrics) -> Self {
        let Metrics {
            requests_per_second,
            errors_per_second,
            cpu_p50_us,
            cpu_p99_us,
            memory_p99,
            exceeded,
        } = metrics;
        let memory_p99_bytes = memory_p99;
        Self {
            requests_per_second,
            errors_per_second,
            cpu_p50_us,
            cpu_p99_us,
            memory_p99_bytes,
            exceeded,
        }
    }
}

impl From<Traffic> for Metrics {
    fn from(traffic: Traffic) -> Self {
        Self {
            requests_per_second: traffic.requests_per_second,
            errors_per_second: traffic.errors_per_second,
            cpu_p50_us: traffic.cpu_p50_us,
            cpu_p99_us: traffic.cpu_p99_us,
            memory_p99: traffic.memory_p99_bytes,
            exceeded: traffic.exceeded,
        }
    }
}

impl Traffic {
    /// Returns whether the values are plausible: the file may have been edited.
    fn is_possible(&self) -> bool {
        let metrics = [
            self.requests_per_second,
            self.errors_per_second,
            self.cpu_p50_us,
            self.cpu_p99_us,
        ];
        metrics
            .into_iter()
            .chain(self.memory_p99_bytes)
            .all(|figure| figure.is_finite() && figure >= 0.0)
    }

    /// Deserializes leniently: unreadable metrics are `None`, so that the rest of the description is kept.
    pub(super) fn lenient<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Self>, D::Error> {
        let value = serde_json::Value::deserialize(input)?;
        Ok(serde_json::from_value::<Self>(value)
            .ok()
            .filter(Self::is_possible))
    }
}
