//! Captures on this machine.

use serde_json::{Value, json};

use crate::cli::connect::note;
use crate::cli::list::table::{Listed, time};
use crate::cli::{CliError, connect};
use crate::config::Environment;
use crate::model::cloudflare;
use crate::model::cloudflare::{Capture, Origin};
use crate::model::text::sanitize::printable;

/// Lists all captures, or those of one Worker, newest first.
pub(super) fn list(worker: Option<&str>, environment: &Environment) -> Result<Listed, CliError> {
    let store = connect::store(environment)?;
    let listing = store.list()?;
    for warning in &listing.warnings {
        note(&printable(warning));
    }
    connect::note_rescued(&store);
    let mut captures = listing.captures;
    if let Some(worker) = worker {
        captures.retain(|capture| capture.target().worker == worker);
    }
    let row = |capture: &Capture| {
        vec![
            time(capture.provenance.asked_at),
            capture
                .provenance
                .kind
                .map_or_else(|| "–".to_owned(), |kind| kind.to_string()),
            capture.provenance.window.map_or_else(
                || "–".to_owned(),
                |window| humantime::format_duration(window).to_string(),
            ),
            capture.target().worker.clone(),
            capture
                .provenance
                .target
                .version_id
                .as_deref()
                .map_or_else(|| "–".to_owned(), |id| cloudflare::short(id).to_owned()),
            capture
                .summary
                .as_ref()
                .map_or_else(|| "–".to_owned(), |summary| summary.samples.to_string()),
            notes(capture),
            capture.path.display().to_string(),
        ]
    };
    // Eight digits of its hash are enough to open it.
    let narrow = |capture: &Capture, row: Vec<String>| {
        let asked = time(capture.provenance.asked_at)
            .replace('T', " ")
            .chars()
            .take(16)
            .collect();
        let hash = capture.sha256.chars().take(8).collect();
        [hash, asked]
            .into_iter()
            .chain(row.into_iter().skip(1).take(6))
            .collect()
    };
    let head = &[
        "asked", "kind", "window>", "worker", "version", "samples>", "notes", "path",
    ];
    let narrow_head = &[
        "hash",
        "asked (UTC)",
        "kind",
        "window>",
        "worker",
        "version",
        "samples>",
        "notes",
    ];
    Ok(Listed::new(&captures, head, row, capture_json).or_narrow(&captures, narrow_head, narrow))
}

/// Returns the user's notes on a capture, whether it is damaged, and whether it comes from the demo server.
fn notes(capture: &Capture) -> String {
    let keeping = &capture.keeping;
    let words = [
        keeping.damage.as_ref().map(|_| "damaged"),
        (capture.provenance.origin == Origin::Demo).then_some("demo"),
        keeping.pinned.then_some("pinned"),
        keeping.title.as_deref(),
        keeping.note.as_deref(),
    ];
    let words: Vec<&str> = words.into_iter().flatten().collect();
    if words.is_empty() {
        "–".to_owned()
    } else {
        words.join(", ")
    }
}

/// Returns a capture as the lists and `capture --json` print it.
pub(in crate::cli) fn capture_json(capture: &Capture) -> Value {
    let (target, provenance) = (capture.target(), &capture.provenance);
    let (object, metrics) = (target.object.as_ref(), target.metrics.as_ref());
    let summary = capture.summary.as_ref();
    let sample_type = summary
        .map(|summary| json!({ "type": summary.sample_type.0, "unit": summary.sample_type.1 }));
    json!({
        "path": capture.path, "sha256": capture.sha256, "bytes": capture.bytes,
        "kind": provenance.kind,
        "duration_ms": provenance.window.map(|window| u64::try_from(window.as_millis()).unwrap_or(u64::MAX)),
        "worker": target.worker, "version_id": target.version_id, "version_number": target.version_number,
        "percentage": target.percentage,
        "requests_per_second": metrics.map(|metrics| metrics.requests_per_second),
        "cpu_p50_us": metrics.map(|metrics| metrics.cpu_p50_us),
        "cpu_p99_us": metrics.map(|metrics| metrics.cpu_p99_us), "namespace_id": object.map(|object| &object.namespace_id),
        "object_id": object.map(|object| &object.object_id),
        "account_id": provenance.account_id, "account_name": provenance.account_name,
        "asked_at": time(provenance.asked_at), "answered_at": time(provenance.answered_at), "origin": provenance.origin,
        "sample_type": sample_type, "total": summary.map(|summary| summary.total),
        "samples": summary.map(|summary| summary.samples),
        "name": capture.keeping.title, "note": capture.keeping.note, "pinned": capture.keeping.pinned,
        "object_name": object.and_then(|object| object.name.as_ref()),
        "used_at": capture.keeping.used_at.map(time), "damage": capture.keeping.damage,
        "top": summary.and_then(|summary| summary.top.as_ref()).map(|(name, value)| json!({ "function": name, "self": value })),
    })
}
