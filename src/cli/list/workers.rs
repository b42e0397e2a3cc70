//! Workers with their traffic, and a Worker's versions with their shares of it.

use serde_json::{Value, json};

use super::super::CliError;
use super::super::connect::Session;
use super::{Listed, known, time};
use crate::model::target::{Figures, Version, Worker};

/// All Workers, the costly ones first.
pub(super) async fn list(session: &Session) -> Result<Listed, CliError> {
    let (workers, figures) = tokio::join!(session.client.workers(), session.client.worker_figures());
    let mut workers = workers?;
    let figures = known(figures);
    for worker in &mut workers {
        // A Worker that analytics don't name had no traffic.
        worker.figures = figures.as_ref().map(|figures| figures.get(&worker.name).copied().unwrap_or_default());
    }
    let cores = |worker: &Worker| worker.figures.map_or(0.0, |figures| figures.cores());
    workers.sort_by(|a, b| cores(b).total_cmp(&cores(a)).then_with(|| a.name.cmp(&b.name)));
    let row = |worker: &Worker| {
        let mut row = vec![worker.name.clone()];
        row.extend(figure_cells(worker.figures));
        row.push(worker.deployed_on.map_or_else(|| "never deployed".to_owned(), time));
        row
    };
    let value = |worker: &Worker| {
        let deployed = worker.deployed_on.map(time);
        with_figures(json!({ "id": worker.id, "name": worker.name, "deployed_on": deployed }), worker.figures)
    };
    Ok(Listed {
        head: &["worker", "req/s>", "p50 ms>", "p99 ms>", "deployed"],
        rows: workers.iter().map(row).collect(),
        json: workers.iter().map(value).collect(),
    })
}

/// A Worker's versions, the newest first.
pub(super) async fn versions(session: &Session, worker: &str) -> Result<Listed, CliError> {
    let worker = session.client.worker(worker).await?;
    let (versions, figures) =
        tokio::join!(session.client.versions_with_shares(&worker), session.client.version_figures(&worker.name));
    let mut versions = versions?;
    let figures = known(figures);
    for version in &mut versions {
        version.figures = figures.as_ref().map(|figures| figures.get(&version.id).copied().unwrap_or_default());
    }
    let row = |version: &Version| {
        let mut row = vec![
            version.id.clone(),
            format!("v{}", version.number),
            format!("{} %", version.percentage),
            time(version.created_on),
        ];
        row.extend([&version.author, &version.message].map(|text| text.clone().unwrap_or_default()));
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
    Ok(Listed {
        head: &["version", "number>", "share>", "uploaded", "author", "message"],
        rows: versions.iter().map(row).collect(),
        json: versions.iter().map(value).collect(),
    })
}

fn figure_cells(figures: Option<Figures>) -> [String; 3] {
    figures.map_or([const { String::new() }; 3].map(|_| "–".to_owned()), |figures| {
        let quiet = figures.requests_per_second == 0.0;
        let ms = |us: f64| if quiet { "–".to_owned() } else { format!("{:.1}", us / 1000.0) };
        let rate = figures.requests_per_second;
        let rate = if rate == 0.0 || rate >= 10.0 { format!("{rate:.0}") } else { format!("{rate:.2}") };
        [rate, ms(figures.cpu_p50_us), ms(figures.cpu_p99_us)]
    })
}

/// Adds the figures, null where they are not to be had.
fn with_figures(mut value: Value, figures: Option<Figures>) -> Value {
    if let Some(fields) = value.as_object_mut() {
        let quiet = figures.is_some_and(|figures| figures.requests_per_second == 0.0);
        let quantile = |value: fn(Figures) -> f64| figures.filter(|_| !quiet).map(value);
        fields.insert("requests_per_second".to_owned(), json!(figures.map(|figures| figures.requests_per_second)));
        fields.insert("errors_per_second".to_owned(), json!(figures.map(|figures| figures.errors_per_second)));
        fields.insert("cpu_p50_us".to_owned(), json!(quantile(|figures| figures.cpu_p50_us)));
        fields.insert("cpu_p99_us".to_owned(), json!(quantile(|figures| figures.cpu_p99_us)));
        fields.insert("memory_p99_bytes".to_owned(), json!(figures.and_then(|figures| figures.memory_p99)));
    }
    value
}
