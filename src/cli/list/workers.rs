//! Workers with their traffic, and a Worker's versions with their shares of it.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::cli::CliError;
use crate::cli::connect::Session;
use crate::cli::list::table::{Listed, known, time};
use crate::model::cloudflare;
use crate::model::cloudflare::{Metrics, Version, Worker};
use crate::model::text::share::points;
use crate::model::text::units::{megabytes, millis};

const WORKERS: &[&str] = &[
    "worker", "req/s>", "err %>", "p50 ms>", "p99 ms>", "mem MB>", "deployed",
];
const VERSIONS: &[&str] = &[
    "version", "number>", "share>", "uploaded", "author", "message",
];

/// Returns the day of a time, in UTC.
fn day(at: SystemTime) -> String {
    time(at).chars().take(10).collect()
}

/// Lists all Workers, most CPU time first.
pub(super) async fn list(session: &Session) -> Result<Listed, CliError> {
    let (workers, metrics) =
        tokio::join!(session.client.workers(), session.client.worker_metrics());
    let mut workers = workers?;
    let metrics = known(metrics);
    for worker in &mut workers {
        // A Worker that analytics don't name had no traffic.
        worker.metrics = metrics
            .as_ref()
            .map(|metrics| metrics.get(&worker.name).copied().unwrap_or_default());
    }
    let cores = |worker: &Worker| worker.metrics.map_or(0.0, |metrics| metrics.cores());
    workers.sort_by(|a, b| {
        cores(b)
            .total_cmp(&cores(a))
            .then_with(|| a.name.cmp(&b.name))
    });
    let row = |worker: &Worker| {
        let mut row = vec![worker.name.clone()];
        row.extend(metrics_cells(worker.metrics));
        row.push(
            worker
                .deployed_on
                .map_or_else(|| "never deployed".to_owned(), time),
        );
        row
    };
    let value = |worker: &Worker| {
        let deployed = worker.deployed_on.map(time);
        with_metrics(
            json!({ "id": worker.id, "name": worker.name, "deployed_on": deployed }),
            worker.metrics,
        )
    };
    let narrow = |worker: &Worker, mut row: Vec<String>| {
        if let (Some(last), Some(deployed)) = (row.last_mut(), worker.deployed_on) {
            *last = day(deployed);
        }
        row
    };
    Ok(Listed::new(&workers, WORKERS, row, value).or_narrow(&workers, WORKERS, narrow))
}

/// Lists a Worker's versions, newest first.
pub(super) async fn versions(session: &Session, worker: &str) -> Result<Listed, CliError> {
    let worker = session.worker(worker).await?;
    let (versions, metrics) = tokio::join!(
        session.client.versions_with_shares(&worker),
        session.client.version_metrics(&worker.name)
    );
    let mut versions = versions?;
    let metrics = known(metrics);
    for version in &mut versions {
        version.metrics = metrics
            .as_ref()
            .map(|metrics| metrics.get(&version.id).copied().unwrap_or_default());
    }
    let row = |version: &Version| {
        let mut row = vec![
            version.id.clone(),
            format!("v{}", version.number),
            format!("{}%", version.percentage),
            time(version.created_on),
        ];
        row.extend(
            [&version.author, &version.message].map(|text| text.clone().unwrap_or_default()),
        );
        row
    };
    let value = |version: &Version| {
        let annotations = [
            ("workers/message", &version.message),
            ("workers/tag", &version.tag),
            ("workers/triggered_by", &version.triggered_by),
        ];
        let annotations: serde_json::Map<String, Value> = annotations
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), json!(value.as_ref()?))))
            .collect();
        let value = json!({
            "id": version.id, "number": version.number, "created_on": time(version.created_on),
            "author_email": version.author, "source": version.source, "annotations": annotations,
            "percentage": version.percentage,
        });
        with_metrics(value, version.metrics)
    };
    let narrow = |version: &Version, mut row: Vec<String>| {
        row[0] = cloudflare::short(&version.id).to_owned();
        row[3] = day(version.created_on);
        row
    };
    Ok(Listed::new(&versions, VERSIONS, row, value).or_narrow(&versions, VERSIONS, narrow))
}

/// Returns requests, errors, CPU time and memory.
fn metrics_cells(metrics: Option<Metrics>) -> [String; 5] {
    let none = || "–".to_owned();
    let Some(metrics) = metrics else {
        return [(); 5].map(|()| none());
    };
    let rate = metrics.requests_per_second;
    let is_quiet = rate == 0.0;
    let unless_quiet = |text: String| if is_quiet { none() } else { text };
    [
        // With one decimal throughout, so that the column compares by eye.
        match rate {
            0.0 => "0".to_owned(),
            rate if rate < 0.05 => "<0.1".to_owned(),
            rate => format!("{rate:.1}"),
        },
        unless_quiet(points(metrics.error_share())),
        unless_quiet(millis(metrics.cpu_p50_us)),
        unless_quiet(millis(metrics.cpu_p99_us)),
        metrics.memory_p99.map_or_else(none, megabytes),
    ]
}

/// Adds the metrics, null if unknown.
fn with_metrics(mut value: Value, metrics: Option<Metrics>) -> Value {
    if let Some(fields) = value.as_object_mut() {
        let quiet = metrics.is_some_and(|metrics| metrics.requests_per_second == 0.0);
        let quantile = |value: fn(Metrics) -> f64| metrics.filter(|_| !quiet).map(value);
        fields.insert(
            "requests_per_second".to_owned(),
            json!(metrics.map(|metrics| metrics.requests_per_second)),
        );
        fields.insert(
            "errors_per_second".to_owned(),
            json!(metrics.map(|metrics| metrics.errors_per_second)),
        );
        fields.insert(
            "cpu_p50_us".to_owned(),
            json!(quantile(|metrics| metrics.cpu_p50_us)),
        );
        fields.insert(
            "cpu_p99_us".to_owned(),
            json!(quantile(|metrics| metrics.cpu_p99_us)),
        );
        fields.insert(
            "memory_p99_bytes".to_owned(),
            json!(metrics.and_then(|metrics| metrics.memory_p99)),
        );
    }
    value
}
