//! Rescued captures: those that could not be written to the cache are kept in the first other folder that works.
//!
//! Such a folder is a cache of its own, so nothing about a rescued capture is lost. It stays there until it is taken into
//! the cache.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::model::cloudflare::{Capture, Provenance};
use crate::store::{METADATA_MAX, Store, StoreError, files, metadata_path};

/// Free space that a folder must have for the next capture, in bytes. Most profiles are smaller.
const ROOM: usize = 1 << 20;

/// Where the next capture will be kept.
#[derive(Debug)]
pub enum Destination {
    /// In the cache.
    Cache,
    /// In this rescue folder, because the cache can't be written.
    Rescue(PathBuf, StoreError),
    /// Neither the cache nor a rescue folder can be written; the error of the cache.
    Nowhere(StoreError),
}

/// The rescue folder among the system's temporary files, by a name of this user's own.
#[must_use]
pub fn temporary_rescue() -> PathBuf {
    #[cfg(unix)]
    let name = format!("flarescope-{}", rustix::process::geteuid().as_raw());
    #[cfg(not(unix))]
    let name = "flarescope-rescued";
    std::env::temp_dir().join(name)
}

impl Store {
    /// Sets the rescue folders, in order of preference.
    #[must_use]
    pub fn with_rescue(self, folders: Vec<PathBuf>) -> Self {
        Self {
            rescue: folders,
            ..self
        }
    }

    /// Returns the rescue folders.
    #[must_use]
    pub fn rescue_folders(&self) -> &[PathBuf] {
        &self.rescue
    }

    /// Checks that the cache has the rights and the room for a capture: makes the folder, then writes and removes a file.
    ///
    /// # Errors
    /// [`StoreError::Write`], as keeping a capture would.
    pub fn probe(&self) -> Result<(), StoreError> {
        files::create_private_dir(&self.profiles)?;
        let refused = |source| StoreError::write(&self.profiles, source);
        // A unique name: another instance may do the same now.
        let mut file = tempfile::Builder::new()
            .prefix(files::TEMPORARY)
            .tempfile_in(&self.profiles)
            .map_err(refused)?;
        file.write_all(&vec![0; ROOM]).map_err(refused)
    }

    /// Returns where the next capture will probably be kept.
    #[must_use]
    pub fn destination(&self) -> Destination {
        let Err(why) = self.probe() else {
            return Destination::Cache;
        };
        let usable = self
            .rescue
            .iter()
            .find(|folder| rescue_store(folder).is_ok_and(|store| store.probe().is_ok()));
        match usable {
            Some(folder) => Destination::Rescue(folder.clone(), why),
            None => Destination::Nowhere(why),
        }
    }

    /// Keeps a capture that could not be written to the cache. It is on the disk when this returns.
    ///
    /// # Errors
    /// [`StoreError::Write`] for the last folder tried, if none takes it.
    pub fn rescue(&self, bytes: &[u8], provenance: Provenance) -> Result<Capture, StoreError> {
        let none = io::Error::other("there is no other folder");
        let mut refused = StoreError::write(&self.root, none);
        for folder in &self.rescue {
            match rescue_store(folder).and_then(|store| store.keep(bytes, provenance.clone())) {
                Ok(capture) => return Ok(capture),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// Returns the rescued captures, the newest of each folder first.
    #[must_use]
    pub fn rescued(&self) -> Vec<Capture> {
        let folders = self.rescue.iter().filter(|folder| is_private(folder));
        folders
            .filter_map(|folder| Self::open(folder).list().ok())
            .flat_map(|listing| listing.captures)
            .collect()
    }

    /// Returns the rescued capture at a path; `None` if it is any other file.
    #[must_use]
    pub fn rescued_at(&self, path: &Path) -> Option<Capture> {
        let folders = self.rescue.iter().filter(|folder| is_private(folder));
        folders.map(Self::open).find_map(|store| store.own_at(path))
    }

    /// Moves a rescued capture into the cache. It leaves the rescue folder only when the cache has it.
    ///
    /// # Errors
    /// [`StoreError::Read`], [`StoreError::Damaged`], or [`StoreError::Write`] if the cache still can't take it.
    pub fn take_in(&self, rescued: &Capture) -> Result<Capture, StoreError> {
        let bytes = self.read(rescued)?;
        let (from, name) = (metadata_path(&rescued.path), rescued.path.file_name());
        let mut kept = rescued.clone();
        kept.path = self.profiles.join(name.unwrap_or_default());
        files::create_private_dir(&self.profiles)?;
        files::write(&kept.path, &bytes)?;
        // A damaged or missing one is listed by its file name, as before.
        if let Ok(description) = files::read(&from, METADATA_MAX) {
            let to = metadata_path(&kept.path);
            files::write(&to, &description).inspect_err(|_| {
                let _ = files::remove(&kept.path);
            })?;
        }
        files::sync_dir(&self.profiles);
        self.remove_rescued(rescued)?;
        Ok(kept)
    }

    /// Removes a rescued capture that was kept in the cache since.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn remove_rescued(&self, rescued: &Capture) -> Result<(), StoreError> {
        self.remove_locked(rescued)
    }
}

/// Returns the store in a rescue folder, which is created if needed.
fn rescue_store(folder: &Path) -> Result<Store, StoreError> {
    if !folder.exists() {
        files::create_private_dir(folder)?;
    }
    if is_private(folder) {
        Ok(Store::open(folder))
    } else {
        let why = io::Error::from(io::ErrorKind::PermissionDenied);
        Err(StoreError::write(folder, why))
    }
}

/// Returns whether a path is this user's folder and no link: anybody may create that name among the system's temporary
/// files.
fn is_private(folder: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(folder) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        found.is_dir() && found.uid() == rustix::process::geteuid().as_raw()
    }
    #[cfg(not(unix))]
    found.is_dir()
}
