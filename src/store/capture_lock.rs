//! Whose turn it is to capture: one capture at a time for each account, over all copies of the program.
//!
//! A turn is a lock that the system holds for a process, and that falls when the process ends, however it ends: there is
//! no lock that could be left behind. Beside it stands who holds it, for telling.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::store::{Store, StoreError, files};

/// Largest note of a holder that is read, in bytes.
const NOTE_MAX: u64 = 4 << 10;
/// Nobody has a turn, or waits for one, for so long.
const UNUSED: Duration = Duration::from_secs(24 * 60 * 60);

/// The right to capture. Dropping it, or the end of the process, passes it on.
#[derive(Debug)]
pub struct CaptureGuard {
    _lock: File,
}

/// Who has the turn, as far as it said so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LockOwner {
    /// The Worker that is captured.
    pub worker: String,
    /// When its window ends.
    pub until: Option<SystemTime>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    worker: String,
    /// Milliseconds since 1970.
    until: u64,
}

impl Store {
    /// Takes the turn if nobody has it. `key` tells accounts apart; `window` is how long the capture samples.
    ///
    /// # Errors
    /// [`StoreError`] where the lock's file can't be had; a capture is more important than its turn.
    pub fn try_capture_lock(
        &self,
        key: &str,
        worker: &str,
        window: Duration,
    ) -> Result<Option<CaptureGuard>, StoreError> {
        let (path, file) = self.lock_file(key)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(held(file, worker, window))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(StoreError::write(&path, error)),
        }
    }

    /// Waits for the turn, for as long as it takes: those who wait get it one after the other.
    ///
    /// # Errors
    /// As [`Store::try_capture_lock`].
    pub fn wait_for_capture_lock(
        &self,
        key: &str,
        worker: &str,
        window: Duration,
    ) -> Result<CaptureGuard, StoreError> {
        let (path, file) = self.lock_file(key)?;
        file.lock()
            .map_err(|error| StoreError::write(&path, error))?;
        Ok(held(file, worker, window))
    }

    /// Who captures from this account now, in any copy of the program; `None`: nobody.
    #[must_use]
    pub fn capture_lock_owner(&self, key: &str) -> Option<LockOwner> {
        let file = File::open(self.lock_path(key)).ok()?;
        // A shared lock can be had unless somebody has the turn; it is given back at once.
        let Err(TryLockError::WouldBlock) = file.try_lock_shared() else {
            return None;
        };
        let mut text = String::new();
        let read = (&file).take(NOTE_MAX).read_to_string(&mut text);
        // A holder that has not yet said who it is has the turn all the same.
        let note: Option<Note> = read.ok().and_then(|_| serde_json::from_str(&text).ok());
        Some(note.map_or_else(LockOwner::default, |note| LockOwner {
            worker: note.worker,
            until: SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(note.until)),
        }))
    }

    fn lock_path(&self, key: &str) -> PathBuf {
        self.dir()
            .join("turns")
            .join(format!("{}.lock", files::slug(key)))
    }

    fn lock_file(&self, key: &str) -> Result<(PathBuf, File), StoreError> {
        let path = self.lock_path(key);
        if let Some(folder) = path.parent() {
            files::create_private_dir(folder)?;
            sweep(folder, &path);
        }
        let mut options = OpenOptions::new();
        // Never cut when opened: the note in it is the holder's.
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let file = options
            .open(&path)
            .map_err(|error| StoreError::write(&path, error))?;
        Ok((path, file))
    }
}

/// Takes away the locks of accounts that nobody has captured from for long: each run of a stand-in is one.
fn sweep(folder: &Path, except: &Path) {
    for entry in fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let changed = entry.metadata().and_then(|found| found.modified());
        let is_old = changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > UNUSED));
        if is_old && entry.path() != except {
            // What can't be removed now is tried again the next time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes down who has the turn. That it could not is no reason to give it back.
fn held(mut file: File, worker: &str, window: Duration) -> CaptureGuard {
    let until = SystemTime::now() + window;
    let until = until
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let note = Note {
        worker: worker.to_owned(),
        until: u64::try_from(until).unwrap_or(u64::MAX),
    };
    let _ = file
        .set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(&serde_json::to_vec(&note).unwrap_or_default()));
    CaptureGuard { _lock: file }
}
