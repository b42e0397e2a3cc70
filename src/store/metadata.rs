//! What is written beside a capture's bytes, with the number of its format.

use std::fmt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize};

use crate::model::cloudflare::{
    Amendment, Capture, Keeping, Kind, Metrics, ObjectRef, Origin, Provenance, Summary, Target,
};
use crate::store::files;

/// The format that this program writes.
const FORMAT: u32 = 1;

/// Longest name of a capture, in characters.
const TITLE_MAX: usize = 200;
/// Longest note, in characters.
const NOTE_MAX: usize = 4_000;

/// Why a description can't be used.
#[derive(Debug)]
pub(super) enum Unread {
    /// There is none.
    Missing,
    /// A newer program wrote it, in the format of that number.
    Newer(u32),
    /// It is no description, and why.
    Broken(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("its description is missing"),
            Self::Newer(format) => {
                write!(f, "its description has format {format}, of a newer program")
            }
            Self::Broken(why) => write!(f, "its description is broken ({why})"),
        }
    }
}

/// The one thing that every format has.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// A capture's description as it lies on the disk. Fields that only a newer program knows are kept as they are.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Metadata {
    format: u32,
    sha256: String,
    bytes: u64,
    #[serde(default, deserialize_with = "known_kind")]
    kind: Option<Kind>,
    #[serde(default)]
    window_ms: Option<u64>,
    /// Without its object, which comes next.
    #[serde(flatten)]
    target: Target,
    #[serde(flatten)]
    object: Option<ObjectRef>,
    #[serde(default)]
    account_id: Option<String>,
    #[serde(default)]
    account_name: Option<String>,
    asked_at: String,
    answered_at: String,
    origin: Origin,
    #[serde(default)]
    summary: Option<Summary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    #[serde(flatten)]
    other: serde_json::Map<String, serde_json::Value>,
}

/// Reads a kind; `None` if only a newer program knows it.
fn known_kind<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Kind>, D::Error> {
    Ok(Kind::deserialize(serde_json::Value::deserialize(input)?).ok())
}

impl Metadata {
    pub(super) fn of(capture: &Capture) -> Self {
        let (mut provenance, keeping) = (capture.provenance.clone(), capture.keeping.clone());
        Self {
            format: FORMAT,
            sha256: capture.sha256.clone(),
            bytes: capture.bytes,
            kind: provenance.kind,
            window_ms: provenance
                .window
                .and_then(|window| u64::try_from(window.as_millis()).ok()),
            object: provenance.target.object.take(),
            target: provenance.target,
            account_id: provenance.account_id,
            account_name: provenance.account_name,
            asked_at: write_time(provenance.asked_at),
            answered_at: write_time(provenance.answered_at),
            origin: provenance.origin,
            summary: capture.summary.clone(),
            title: keeping.title,
            note: keeping.note,
            pinned: keeping.pinned,
            other: serde_json::Map::new(),
        }
    }

    /// Reads a description.
    ///
    /// # Errors
    /// [`Unread::Newer`] or [`Unread::Broken`].
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Unread> {
        // The number is read by itself first: a newer format may name or shape everything else differently.
        let Format { format } =
            serde_json::from_slice(bytes).map_err(|error| Unread::Broken(error.to_string()))?;
        match format {
            1..=FORMAT => {
                serde_json::from_slice(bytes).map_err(|error| Unread::Broken(error.to_string()))
            }
            0 => Err(Unread::Broken("there is no format 0".to_owned())),
            newer => Err(Unread::Newer(newer)),
        }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        // Writing fails only for maps whose keys are not strings, and this type has no such map.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    pub(super) fn set_summary(&mut self, summary: Summary) {
        self.summary = Some(summary);
    }

    pub(super) const fn set_metrics(&mut self, metrics: Metrics) {
        self.target.metrics = Some(metrics);
    }

    pub(super) fn amend(&mut self, amendment: &Amendment) {
        match amendment {
            Amendment::Title(title) => {
                self.title = title.as_deref().and_then(|text| clean(text, TITLE_MAX))
            }
            Amendment::Note(note) => {
                self.note = note.as_deref().and_then(|text| clean(text, NOTE_MAX))
            }
            Amendment::Pinned(pinned) => self.pinned = *pinned,
        }
    }

    /// Returns the capture that it describes, at `path`.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub(super) fn into_capture(self, path: &Path) -> Result<Capture, String> {
        if !path.to_string_lossy().contains(&self.sha256) || self.sha256.len() != 64 {
            return Err("its description is another capture's".to_owned());
        }
        let time = |text: &str| {
            humantime::parse_rfc3339(text).map_err(|_| "its description has no time".to_owned())
        };
        let checked = |object: ObjectRef| {
            ObjectRef::new(&object.namespace_id, &object.object_id, object.name)
                .map_err(|error| error.to_string())
        };
        let target = Target {
            object: self.object.map(checked).transpose()?,
            ..self.target
        };
        Ok(Capture {
            path: path.to_owned(),
            bytes: self.bytes,
            provenance: Provenance {
                target,
                kind: self.kind,
                window: self.window_ms.map(Duration::from_millis),
                account_id: self.account_id,
                account_name: self.account_name,
                asked_at: time(&self.asked_at)?,
                answered_at: time(&self.answered_at)?,
                origin: self.origin,
            },
            summary: self.summary,
            sha256: self.sha256,
            keeping: Keeping {
                title: self.title,
                note: self.note,
                pinned: self.pinned,
                used_at: files::changed_at(&path.with_file_name(files::description_name(path))),
                damage: None,
            },
        })
    }
}

/// A text as it is kept: on one line, without blanks around it, at most so many characters; `None` where nothing is left.
fn clean(text: &str, max: usize) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_control()).take(max).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn write_time(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}
