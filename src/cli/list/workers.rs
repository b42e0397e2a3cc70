//! Workers with their traffic, and a Worker's versions with their shares of it.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::cli::CliError;
use crate::cli::connect::Session;
use crate::cli::list::table::{Listed, known, time};
use crate::model::cloudflare;
use crate::model::cloudflare::{Figures, Version, Worker};

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
    let (workers, figures) =
        tokio::join!(session.client.workers(), session.client.worker_figures());
    let mut workers = workers?;
    let figures = known(figures);
    for worker in &mut workers {
        // A Worker that analytics don't name had no traffic.
        worker.figures = figures
            .as_ref()
            .map(|figures| figures.get(&worker.name).copied().unwrap_or_default());
    }
    let cores = |worker: &Worker| worker.figures.map_or(0.0, |figures| figures.cores());
    workers.sort_by(|a, b| {
        cores(b)
            .total_cmp(&cores(a))
            .then_with(|| a.name.cmp(&b.name))
    });
    let row = |worker: &Worker| {
        let mut row = vec![worker.name.clone()];
        row.extend(figure_cells(worker.figures));
        row.push(
            worker
                .deployed_on
                .map_or_else(|| "never deployed".to_owned(), time),
        );
        row
    };
    let value = |worker: &Worker| {
        let deployed = worker.deployed_on.map(time);
        with_figures(
            json!({ "id": worker.id, "name": worker.name, "deployed_on": deployed }),
            worker.figures,
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
    let (versions, figures) = tokio::join!(
        session.client.versions_with_shares(&worker),
        session.client.version_figures(&worker.name)
    );
    let mut versions = versions?;
    let figures = known(figures);
    for version in &mut versions {
        version.figures = figures
            .as_ref()
            .map(|figures| figures.get(&version.id).copied().unwrap_or_default());
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
        with_figures(value, version.figures)
    };
    let narrow = |version: &Version, mut row: Vec<String>| {
        row[0] = cloudflare::short(&version.id).to_owned();
        row[3] = day(version.created_on);
        row
    };
    Ok(Listed::new(&versions, VERSIONS, row, value).or_narrow(&versions, VERSIONS, narrow))
}

/// Returns requests, errors, CPU time and memory, with one decimal throughout, so that columns compare by eye.
fn figure_cells(figures: Option<Figures>) -> [String; 5] {
    let none = || "–".to_owned();
    let Some(figures) = figures else {
        return [(); 5].map(|()| none());
    };
    let rate = figures.requests_per_second;
    let unless_quiet = |number: f64| {
        if rate == 0.0 {
            none()
        } else {
            format!("{number:.1}")
        }
    };
    [
        match rate {
            0.0 => "0".to_owned(),
            rate if rate < 0.05 => "<0.1".to_owned(),
            rate => format!("{rate:.1}"),
        },
        unless_quiet(figures.error_share() * 100.0),
        unless_quiet(figures.cpu_p50_us / 1000.0),
        unless_quiet(figures.cpu_p99_us / 1000.0),
        figures
            .memory_p99
            .map_or_else(none, |bytes| format!("{:.0}", bytes / 1e6)),
    ]
}

/// Adds the metrics, null if unknown.
fn with_figures(mut value: Value, figures: Option<Figures>) -> Value {
    if let Some(fields) = value.as_object_mut() {
        let quiet = figures.is_some_and(|figures| figures.requests_per_second == 0.0);
        let quantile = |value: fn(Figures) -> f64| figures.filter(|_| !quiet).map(value);
        fields.insert(
            "requests_per_second".to_owned(),
            json!(figures.map(|figures| figures.requests_per_second)),
        );
        fields.insert(
            "errors_per_second".to_owned(),
            json!(figures.map(|figures| figures.errors_per_second)),
        );
        fields.insert(
            "cpu_p50_us".to_owned(),
            json!(quantile(|figures| figures.cpu_p50_us)),
        );
        fields.insert(
            "cpu_p99_us".to_owned(),
            json!(quantile(|figures| figures.cpu_p99_us)),
        );
        fields.insert(
            "memory_p99_bytes".to_owned(),
            json!(figures.and_then(|figures| figures.memory_p99)),
        );
    }
    value
}
