//! What is written beside a capture's bytes, with the number of its format.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::files;
use crate::model::target::{Capture, ObjectRef, Origin, Summary};

/// The format that this program writes.
const FORMAT: u32 = 1;

/// A capture's description as it lies on the disk. Fields that only a newer program knows are kept as they are.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Metadata {
    format: u32,
    sha256: String,
    bytes: u64,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    window_ms: Option<u64>,
    worker: String,
    #[serde(default)]
    version_id: Option<String>,
    #[serde(default)]
    version_number: Option<u64>,
    #[serde(default)]
    percentage: Option<f64>,
    #[serde(default)]
    namespace_id: Option<String>,
    #[serde(default)]
    object_id: Option<String>,
    #[serde(default)]
    object_name: Option<String>,
    #[serde(default)]
    account_id: Option<String>,
    #[serde(default)]
    account_name: Option<String>,
    asked_at: String,
    answered_at: String,
    origin: String,
    #[serde(default)]
    summary: Option<StoredSummary>,
    #[serde(flatten)]
    other: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredSummary {
    sample_type: (String, String),
    total: i64,
    samples: i64,
    #[serde(default)]
    top: Option<(String, i64)>,
}

impl Metadata {
    pub(super) fn of(capture: &Capture) -> Self {
        let object = capture.object.as_ref();
        Self {
            format: FORMAT,
            sha256: capture.sha256.clone(),
            bytes: capture.bytes,
            kind: capture.kind.map(|kind| files::word(kind).to_owned()),
            window_ms: capture.window.and_then(|window| u64::try_from(window.as_millis()).ok()),
            worker: capture.worker.clone(),
            version_id: capture.version_id.clone(),
            version_number: capture.version_number,
            percentage: capture.percentage,
            namespace_id: object.map(|object| object.namespace_id.clone()),
            object_id: object.map(|object| object.object_id.clone()),
            object_name: object.and_then(|object| object.name.clone()),
            account_id: capture.account_id.clone(),
            account_name: capture.account_name.clone(),
            asked_at: write_time(capture.asked_at),
            answered_at: write_time(capture.answered_at),
            origin: capture.origin.word().to_owned(),
            summary: capture.summary.clone().map(StoredSummary::from),
            other: serde_json::Map::new(),
        }
    }

    /// Reads a description.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let metadata: Self =
            serde_json::from_slice(bytes).map_err(|error| format!("its description is broken ({error})"))?;
        match metadata.format {
            1..=FORMAT => Ok(metadata),
            newer => Err(format!("its description has format {newer}, of a newer program")),
        }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        // Only a map with keys that are no texts can fail to be written, and there is none.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    pub(super) fn set_summary(&mut self, summary: Summary) {
        self.summary = Some(summary.into());
    }

    /// The capture that it describes, lying at `path`.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub(super) fn into_capture(self, path: &Path) -> Result<Capture, String> {
        if !path.to_string_lossy().contains(&self.sha256) || self.sha256.len() != 64 {
            return Err("its description is another capture's".to_owned());
        }
        let time = |text: &str| humantime::parse_rfc3339(text).map_err(|_| "its description has no time".to_owned());
        let object = match (self.namespace_id, self.object_id) {
            (Some(namespace), Some(object)) => {
                Some(ObjectRef::new(&namespace, &object, self.object_name).map_err(|error| error.to_string())?)
            }
            _ => None,
        };
        let known = [Origin::Cloudflare, Origin::Demo, Origin::Inspector, Origin::File];
        Ok(Capture {
            path: path.to_owned(),
            bytes: self.bytes,
            kind: self.kind.as_deref().and_then(files::parse_kind),
            window: self.window_ms.map(Duration::from_millis),
            worker: self.worker,
            version_id: self.version_id,
            version_number: self.version_number,
            percentage: self.percentage,
            object,
            account_id: self.account_id,
            account_name: self.account_name,
            asked_at: time(&self.asked_at)?,
            answered_at: time(&self.answered_at)?,
            origin: known.into_iter().find(|origin| origin.word() == self.origin).unwrap_or(Origin::File),
            summary: self.summary.map(Summary::from),
            sha256: self.sha256,
        })
    }
}

fn write_time(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}

impl From<Summary> for StoredSummary {
    fn from(Summary { sample_type, total, samples, top }: Summary) -> Self {
        Self { sample_type, total, samples, top }
    }
}

impl From<StoredSummary> for Summary {
    fn from(StoredSummary { sample_type, total, samples, top }: StoredSummary) -> Self {
        Self { sample_type, total, samples, top }
    }
}
