//! Captures that ended while nobody watched: what became of each, for whoever starts the program next.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::store::{Store, StoreError, files};

/// Largest note that is read, in bytes.
const NOTE_MAX: u64 = 64 << 10;
/// A note that nobody has read for so long tells nothing any more.
const OLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How a capture ended that nobody watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetachedResult {
    /// The Worker that was captured.
    pub worker: String,
    /// When it ended.
    pub at: SystemTime,
    /// Where the profile lies, or why there is none.
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
    /// Leaves word of how a capture ended.
    ///
    /// # Errors
    /// [`StoreError::Write`]; what was captured is not touched by it.
    pub fn record_detached_result(&self, ended: &DetachedResult) -> Result<(), StoreError> {
        let folder = self.words();
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

    /// Takes the words that were left, the oldest first: each is told once.
    #[must_use]
    pub fn drain_detached_results(&self) -> Vec<DetachedResult> {
        let entries = fs::read_dir(self.words())
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        let mut words: Vec<DetachedResult> =
            entries.filter_map(|entry| take(&entry.path())).collect();
        words.retain(|word| word.at.elapsed().is_ok_and(|age| age < OLD));
        words.sort_by_key(|word| word.at);
        words
    }

    fn words(&self) -> PathBuf {
        self.dir().join("unwatched")
    }
}

/// Reads a word and takes it away; only one of several copies of the program gets it.
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
