//! The trash: deleted captures, which can be restored for a while, also after a restart.
//!
//! They are in a folder beside the others as `TIME~NAME`, where `TIME` is the time of deletion in milliseconds.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::model::cloudflare::Capture;
use crate::store::{Store, StoreError, files, metadata_path};

/// How long a deleted capture can be restored.
pub const TRASH_RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Temporary files older than this are leftovers of killed writers.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// A file in the trash.
pub(super) struct Trashed {
    /// When it was deleted, in milliseconds since 1970.
    at: u64,
    /// Its original name.
    name: String,
    /// Its path in the trash.
    pub(super) path: PathBuf,
    /// The size of a profile; 0 for a description.
    pub(super) bytes: u64,
}

impl Store {
    /// Moves a capture to the trash; [`Self::restore`] undoes it within [`TRASH_RETENTION`].
    ///
    /// # Errors
    /// [`StoreError::Write`] if a file can't be moved; the capture then stays. A missing file is not an error.
    pub fn move_to_trash(&self, capture: &Capture) -> Result<(), StoreError> {
        let _lock = files::lock(&self.profiles);
        files::create_private_dir(&self.trash)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let description = metadata_path(&capture.path);
        // The profile moves first: a description alone is ignored, but a profile alone would be listed.
        for path in [&capture.path, &description] {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            files::rename(path, &self.trash.join(format!("{now}~{name}")))?;
        }
        files::sync_dir(&self.trash);
        files::sync_dir(&self.profiles);
        Ok(())
    }

    /// Restores the capture that was deleted last; `None` if the trash is empty.
    ///
    /// # Errors
    /// [`StoreError::Write`] if a file can't be moved; [`StoreError::Gone`] if the restored file is not a capture.
    pub fn restore(&self) -> Result<Option<Capture>, StoreError> {
        let _lock = files::lock(&self.profiles);
        let all = self.trashed();
        let profiles = all
            .iter()
            .filter_map(|file| Some((file, files::profile_stem(&file.name)?)));
        let Some((profile, stem)) = profiles.max_by_key(|(file, _)| file.at) else {
            return Ok(None);
        };
        files::create_private_dir(&self.profiles)?;
        let description = format!("{stem}.json");
        // The description moves first, so that the profile is never listed without it.
        if let Some(file) = all
            .iter()
            .filter(|file| file.name == description)
            .max_by_key(|file| file.at)
        {
            files::rename(&file.path, &self.profiles.join(&description))?;
        }
        let path = self.profiles.join(&profile.name);
        files::rename(&profile.path, &path)?;
        files::sync_dir(&self.profiles);
        files::sync_dir(&self.trash);
        self.entry(&path, stem, Instant::now())
            .map(|(capture, _)| Some(capture))
            .map_err(|_| StoreError::Gone(path.clone()))
    }

    /// Removes temporary files of killed writers, captures deleted longer ago than [`TRASH_RETENTION`], and descriptions
    /// left behind by an interrupted deletion. What can't be removed now is retried next time.
    pub fn clean_up(&self) {
        if self.steady {
            return;
        }
        let _lock = files::lock(&self.profiles);
        self.sweep(STALE);
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let oldest = u64::try_from(now.saturating_sub(TRASH_RETENTION).as_millis()).unwrap_or(0);
        for file in self.trashed() {
            if file.at < oldest {
                let _ = files::remove(&file.path);
            } else if let Some(stem) = files::profile_stem(&file.name) {
                let description = format!("{stem}.json");
                let left = self.profiles.join(&description);
                if !self.profiles.join(&file.name).exists() && left.exists() {
                    let _ = files::rename(
                        &left,
                        &self.trash.join(format!("{}~{description}", file.at)),
                    );
                }
            }
        }
    }

    /// Returns the files in the trash, oldest deletion first.
    pub(super) fn trashed(&self) -> Vec<Trashed> {
        let entries = fs::read_dir(&self.trash)
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        let file = |entry: fs::DirEntry| {
            let whole = entry.file_name().to_string_lossy().into_owned();
            let (at, name) = whole.split_once('~')?;
            let is_ours = files::profile_stem(name).is_some() || files::is_description(name);
            let found = fs::symlink_metadata(entry.path())
                .ok()
                .filter(|found| is_ours && found.is_file())?;
            let bytes = if files::profile_stem(name).is_some() {
                found.len()
            } else {
                0
            };
            Some(Trashed {
                at: at.parse().ok()?,
                name: name.to_owned(),
                path: entry.path(),
                bytes,
            })
        };
        let mut all: Vec<Trashed> = entries.filter_map(file).collect();
        all.sort_by_key(|file| file.at);
        all
    }

    /// Removes temporary files older than `older_than`.
    pub(super) fn sweep(&self, older_than: Duration) {
        for entry in fs::read_dir(&self.profiles)
            .into_iter()
            .flatten()
            .filter_map(Result::ok)
        {
            let temporary = entry
                .file_name()
                .to_string_lossy()
                .starts_with(files::TEMPORARY);
            let age = entry
                .metadata()
                .and_then(|found| found.modified())
                .map(|time| time.elapsed().unwrap_or_default());
            if temporary && age.is_ok_and(|age| age >= older_than) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
