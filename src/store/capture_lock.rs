//! The capture lock: one capture at a time for each account, across all instances of the program.
//!
//! It is a file lock, which the system releases when the process ends, however it ends: no stale lock can remain. The file
//! itself names the owner, for messages.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::store::{Store, StoreError, files};

/// Largest owner's note that is read, in bytes.
const NOTE_MAX: u64 = 4 << 10;
/// Lock files unused for this long are deleted.
const UNUSED: Duration = Duration::from_secs(24 * 60 * 60);

/// Holds the capture lock of an account until it is dropped or the process ends.
#[derive(Debug)]
pub struct CaptureGuard {
    _lock: File,
}

/// The owner of a capture lock; empty if it has not written its note yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LockOwner {
    /// The Worker being captured.
    pub worker: String,
    /// When its capture window ends.
    pub until: Option<SystemTime>,
}

impl LockOwner {
    /// Returns how long the capture may still take, `overtime` past its window at most; `None` if its window is unknown.
    #[must_use]
    pub fn time_left(&self, overtime: Duration) -> Option<Duration> {
        let end = self.until?.checked_add(overtime)?;
        Some(end.duration_since(SystemTime::now()).unwrap_or_default())
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    worker: String,
    /// Milliseconds since 1970.
    until: u64,
}

impl Store {
    /// Takes the capture lock; `None` if another instance holds it. `key` identifies the account; `window` is the length of
    /// the capture.
    ///
    /// # Errors
    /// [`StoreError::Write`] if the lock file can't be opened or locked. Callers then capture without the lock.
    pub fn try_capture_lock(
        &self,
        key: &str,
        worker: &str,
        window: Duration,
    ) -> Result<Option<CaptureGuard>, StoreError> {
        loop {
            let (path, file) = self.lock_file(key)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(Some(guard(file, worker, window))),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(StoreError::write(&path, error)),
            }
        }
    }

    /// Waits for the capture lock without a time limit.
    ///
    /// # Errors
    /// As [`Store::try_capture_lock`].
    pub fn wait_for_capture_lock(
        &self,
        key: &str,
        worker: &str,
        window: Duration,
    ) -> Result<CaptureGuard, StoreError> {
        loop {
            let (path, file) = self.lock_file(key)?;
            file.lock()
                .map_err(|error| StoreError::write(&path, error))?;
            if is_at(&file, &path) {
                return Ok(guard(file, worker, window));
            }
        }
    }

    /// Breaks a capture lock whose owner is `overtime` past its window: it was stopped and may never go on. The next who asks
    /// gets the lock. Returns whether it was broken.
    #[must_use]
    pub fn break_capture_lock(&self, key: &str, overtime: Duration) -> bool {
        // Of two who wait the second looks again: it must not break the lock that the first has taken since.
        let path = self.lock_path(key);
        let _lock = path.parent().and_then(files::lock);
        let left = self
            .capture_lock_owner(key)
            .and_then(|owner| owner.time_left(overtime));
        left == Some(Duration::ZERO) && fs::remove_file(path).is_ok()
    }

    /// Returns who captures from this account now, in any instance; `None` if the lock is free.
    #[must_use]
    pub fn capture_lock_owner(&self, key: &str) -> Option<LockOwner> {
        let file = File::open(self.lock_path(key)).ok()?;
        // A shared lock fails only if the lock is held; it is released at once.
        let Err(TryLockError::WouldBlock) = file.try_lock_shared() else {
            return None;
        };
        let mut text = String::new();
        let read = (&file).take(NOTE_MAX).read_to_string(&mut text);
        // An owner that has not written its note yet holds the lock all the same.
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
        // Never truncated when opened: the note in it is the owner's.
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

/// Returns whether a file is still the one at its path: a lock that was broken meanwhile excludes nobody.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |found: fs::Metadata| (found.dev(), found.ino());
        match (file.metadata(), fs::metadata(path)) {
            (Ok(held), Ok(named)) => id(held) == id(named),
            _ => false,
        }
    }
    // A file that is open can't be removed there.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// Deletes lock files unused for longer than [`UNUSED`]: each run of the demo server leaves one.
fn sweep(folder: &Path, except: &Path) {
    for entry in fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let changed = entry.metadata().and_then(|found| found.modified());
        let is_old = changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > UNUSED));
        if is_old && entry.path() != except {
            // What can't be removed now is retried next time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes the owner's note. A failure to write it is ignored: the lock is held all the same.
fn guard(mut file: File, worker: &str, window: Duration) -> CaptureGuard {
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
