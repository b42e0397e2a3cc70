//! Results of detached captures, which finished after the user quit: kept for the next start.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::store::{Store, StoreError, files};

/// Largest note that is read, in bytes.
const NOTE_MAX: u64 = 64 << 10;
/// Notes older than this are dropped unread.
const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The result of a capture that finished after the user quit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetachedResult {
    /// The Worker that was captured.
    pub worker: String,
    /// When it ended.
    pub at: SystemTime,
    /// The path of the profile, or the error message.
    pub outcome: Result<PathBuf, String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    worker: String,
    /// Milliseconds since 1970.
    at: u64,
    path: Option<PathBuf>,
    failure: Option<String>,
}

impl Store {
    /// Records the result of a detached capture.
    ///
    /// # Errors
    /// [`StoreError::Write`] if the note can't be written; the capture itself is not affected.
    pub fn record_detached_result(&self, ended: &DetachedResult) -> Result<(), StoreError> {
        let folder = self.detached_results_dir();
        files::create_private_dir(&folder)?;
        let at = ended
            .at
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let note = Note {
            worker: ended.worker.clone(),
            at: u64::try_from(at).unwrap_or(u64::MAX),
            path: ended.outcome.as_ref().ok().cloned(),
            failure: ended.outcome.as_ref().err().cloned(),
        };
        let path = folder.join(format!("{at}-{}.json", std::process::id()));
        files::write(&path, &serde_json::to_vec(&note).unwrap_or_default())
    }

    /// Returns the recorded results, oldest first, and removes them: each is returned once.
    #[must_use]
    pub fn drain_detached_results(&self) -> Vec<DetachedResult> {
        let entries = fs::read_dir(self.detached_results_dir())
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        let mut results: Vec<DetachedResult> =
            entries.filter_map(|entry| take(&entry.path())).collect();
        results.retain(|result| result.at.elapsed().is_ok_and(|age| age < MAX_AGE));
        results.sort_by_key(|result| result.at);
        results
    }

    fn detached_results_dir(&self) -> PathBuf {
        self.dir().join("unwatched")
    }
}

/// Reads a note and removes it; only one of several instances gets it.
fn take(path: &Path) -> Option<DetachedResult> {
    let is_note = path
        .extension()
        .is_some_and(|extension| extension == "json")
        && fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= NOTE_MAX);
    let bytes = is_note.then(|| fs::read(path).ok()).flatten()?;
    fs::remove_file(path).ok()?;
    let note: Note = serde_json::from_slice(&bytes).ok()?;
    let outcome = match (note.path, note.failure) {
        (Some(path), _) => Ok(path),
        (None, why) => Err(why?),
    };
    Some(DetachedResult {
        worker: note.worker,
        at: SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(note.at))?,
        outcome,
    })
}
