//! The datasets of the analytics: rows made from the account's metrics, and their grouping.

use std::cmp::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use crate::demo::account_data::{AccountData, Namespace, Worker};

/// A dataset of the analytics.
#[derive(Debug)]
pub(super) struct Dataset {
    pub(super) name: &'static str,
    pub(super) dimensions: &'static [&'static str],
    pub(super) sums: &'static [&'static str],
    pub(super) quantiles: &'static [&'static str],
    /// Returns its rows for a time range of this length.
    pub(super) rows: fn(&AccountData, Duration) -> Vec<Row>,
}

/// All datasets.
pub(super) const DATASETS: [Dataset; 3] = [
    Dataset {
        name: "workersInvocationsAdaptive",
        dimensions: &[
            "scriptName",
            "scriptTag",
            "scriptVersion",
            "status",
            "usageModel",
        ],
        sums: &["requests", "errors", "subrequests", "cpuTimeUs", "wallTime"],
        quantiles: &[
            "cpuTimeP50",
            "cpuTimeP99",
            "wallTimeP50",
            "wallTimeP99",
            "memoryUsageBytesP99",
        ],
        rows: invocations,
    },
    Dataset {
        name: "durableObjectsPeriodicGroups",
        dimensions: &["namespaceId", "objectId", "name"],
        sums: &[
            "cpuTime",
            "activeTime",
            "exceededCpuErrors",
            "exceededMemoryErrors",
            "fatalInternalErrors",
            "rowsRead",
            "rowsWritten",
            "inboundWebsocketMsgCount",
            "outboundWebsocketMsgCount",
        ],
        quantiles: &["memoryUsageBytesP50", "memoryUsageBytesP99"],
        rows: periods,
    },
    Dataset {
        name: "durableObjectsInvocationsAdaptiveGroups",
        dimensions: &[
            "scriptName",
            "scriptVersion",
            "namespaceId",
            "objectId",
            "name",
            "status",
            "type",
        ],
        sums: &["requests", "errors", "responseBodySize", "wallTime"],
        quantiles: &["cpuTimeP50", "cpuTimeP99"],
        rows: object_invocations,
    },
];

/// One row, or a group of them.
#[derive(Debug, Clone)]
pub(super) struct Row {
    dimensions: Vec<(&'static str, String)>,
    sums: Vec<(&'static str, f64)>,
    quantiles: Vec<(&'static str, f64)>,
    /// A group has the quantiles of its heaviest row.
    weight: f64,
}

impl Row {
    fn dimension(&self, name: &str) -> &str {
        self.dimensions
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.sums
            .iter()
            .chain(&self.quantiles)
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }

    /// Returns a field's value: counts are whole numbers, times and quantiles are not rounded.
    pub(super) fn value(&self, name: &str) -> Value {
        match self.number(name) {
            Some(number) if self.sums.iter().any(|(sum, _)| *sum == name) => json!(whole(number)),
            Some(number) => json!(number),
            None => json!(self.dimension(name)),
        }
    }

    pub(super) fn compare(&self, other: &Self, name: &str) -> Ordering {
        match (self.number(name), other.number(name)) {
            (Some(mine), Some(theirs)) => mine.total_cmp(&theirs),
            _ => self.dimension(name).cmp(other.dimension(name)),
        }
    }
}

/// Groups rows by `dimensions`: adds up sums, and takes the quantiles of the heaviest row.
pub(super) fn group(rows: Vec<Row>, dimensions: &[&str]) -> Vec<Row> {
    let mut groups: Vec<Row> = Vec::new();
    let same = |a: &Row, b: &Row| {
        dimensions
            .iter()
            .all(|name| a.dimension(name) == b.dimension(name))
    };
    for row in rows {
        let Some(group) = groups.iter_mut().find(|group| same(group, &row)) else {
            groups.push(row);
            continue;
        };
        for (name, sum) in &mut group.sums {
            *sum += row.number(name).unwrap_or(0.0);
        }
        if row.weight > group.weight {
            (group.quantiles, group.weight) = (row.quantiles, row.weight);
        }
    }
    groups
}

fn invocations(data: &AccountData, window: Duration) -> Vec<Row> {
    let busy = data.workers.iter().filter(|worker| worker.rps > 0.0);
    let shares = busy.flat_map(|worker| {
        let serving = worker
            .deployments
            .first()
            .map_or(&[][..], |deployment| &deployment.shares);
        serving
            .iter()
            .map(move |(version, share)| (worker, version, f64::from(*share) / 100.0))
    });
    let rows = shares.flat_map(|(worker, version, share)| {
        // Exceptions and exceeded limits have the quantiles of the Worker's slowest requests.
        let exceeded = if worker.p99_ms > 90.0 { 0.002 } else { 0.0 };
        [
            ("success", 1.0 - 0.001 - exceeded),
            ("scriptThrewException", 0.001),
            ("exceededResources", exceeded),
        ]
        .into_iter()
        .filter(|(_, part)| *part > 0.0)
        .map(move |(status, part)| {
            invocation(
                worker,
                version,
                status,
                worker.rps * share * part * window.as_secs_f64(),
            )
        })
    });
    rows.collect()
}

fn invocation(worker: &Worker, version: &str, status: &str, requests: f64) -> Row {
    let dimensions = vec![
        ("scriptName", worker.name.clone()),
        ("scriptTag", worker.id.clone()),
        ("scriptVersion", version.to_owned()),
        ("status", status.to_owned()),
        ("usageModel", "standard".to_owned()),
    ];
    let (p50, p99) = (worker.p50_ms * 1000.0, worker.p99_ms * 1000.0);
    let errors = if status == "success" { 0.0 } else { requests };
    Row {
        dimensions,
        sums: vec![
            ("requests", requests),
            ("errors", errors),
            ("subrequests", requests * 1.4),
            ("cpuTimeUs", requests * p50),
            ("wallTime", requests * p50 * 3.0),
        ],
        quantiles: vec![
            ("cpuTimeP50", p50),
            ("cpuTimeP99", p99),
            ("wallTimeP50", p50 * 3.0),
            ("wallTimeP99", p99 * 2.5),
            ("memoryUsageBytesP99", 18e6 + p99 * 500.0),
        ],
        weight: requests,
    }
}

/// Returns each namespace's objects with traffic.
fn busy(data: &AccountData) -> impl Iterator<Item = (&Namespace, u64, f64)> {
    data.namespaces.iter().flat_map(|namespace| {
        namespace.busy.iter().map(move |(index, thousandths)| {
            (
                namespace,
                *index,
                namespace.cores * f64::from(u32::try_from(*thousandths).unwrap_or(0)) / 1000.0,
            )
        })
    })
}

fn periods(data: &AccountData, window: Duration) -> Vec<Row> {
    let row = |(namespace, index, cores): (&Namespace, u64, f64)| {
        let seconds = cores * window.as_secs_f64();
        // An object's memory is nearly independent of its CPU time.
        let held = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57;
        let memory = 19e6 + f64::from(u32::try_from(held).unwrap_or(0)) * 0.8e6 + cores * 9e6;
        Row {
            dimensions: vec![
                ("namespaceId", namespace.id.clone()),
                ("objectId", namespace.object_id(index)),
                ("name", namespace.object_name(index)),
            ],
            sums: vec![
                ("cpuTime", seconds * 1e6),
                ("activeTime", window.as_secs_f64() * 1e6 * 0.8),
                ("exceededCpuErrors", 0.0),
                ("exceededMemoryErrors", 0.0),
                ("fatalInternalErrors", 0.0),
                ("rowsRead", seconds * 900.0),
                ("rowsWritten", seconds * 40.0),
                ("inboundWebsocketMsgCount", seconds * 300.0),
                ("outboundWebsocketMsgCount", seconds * 2100.0),
            ],
            quantiles: vec![
                ("memoryUsageBytesP50", memory * 0.6),
                ("memoryUsageBytesP99", memory),
            ],
            weight: cores,
        }
    };
    busy(data).map(row).collect()
}

fn object_invocations(data: &AccountData, window: Duration) -> Vec<Row> {
    let row = |(namespace, index, cores): (&Namespace, u64, f64)| {
        let version = data
            .worker(namespace.script)
            .and_then(|worker| namespace.object_version(worker, index));
        let requests = cores * 240.0 * window.as_secs_f64();
        Row {
            dimensions: vec![
                ("scriptName", namespace.script.to_owned()),
                ("scriptVersion", version.unwrap_or_default().to_owned()),
                ("namespaceId", namespace.id.clone()),
                ("objectId", namespace.object_id(index)),
                ("name", namespace.object_name(index)),
                ("status", "success".to_owned()),
                ("type", "http".to_owned()),
            ],
            sums: vec![
                ("requests", requests),
                ("errors", 0.0),
                ("responseBodySize", requests * 900.0),
                ("wallTime", requests * 9000.0),
            ],
            quantiles: vec![("cpuTimeP50", 3_900.0), ("cpuTimeP99", 21_000.0)],
            weight: requests,
        }
    };
    busy(data).map(row).collect()
}

/// Rounds a count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, as intended"
)]
fn whole(count: f64) -> u64 {
    count.round() as u64
}
