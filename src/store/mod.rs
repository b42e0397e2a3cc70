//! The cache of captures: the raw bytes of each, and a description beside them.
//!
//! A capture is written whole or not at all (temporary file, sync, rename), readable by its owner only. Several programs
//! may use one folder at the same time: nothing is ever written in place, there is no index that could disagree, and
//! operations of several steps hold the folder's lock. The room knows nothing of the network or the screen, and doesn't
//! decode profiles.
//!
//! Weak point: a list reads one small file per capture, so its time grows with the number of captures.

mod amend;
mod capture_lock;
mod choice;
mod detached_results;
mod error;
mod eviction;
mod files;
mod lists;
mod metadata;
mod rescue;
mod source_maps;
mod trash;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

pub use capture_lock::{CaptureGuard, LockOwner};
pub use choice::Choice;
pub use detached_results::DetachedResult;
pub use error::StoreError;
pub use eviction::{Eviction, Prune};
pub use files::extension;
pub use rescue::{Destination, temporary_rescue};
pub use trash::TRASH_RETENTION;

use crate::model::cloudflare::{Capture, Keeping, Provenance};
use metadata::{Metadata, Unread};

/// Largest description that is read, in bytes.
const METADATA_MAX: u64 = 256 << 10;
/// How long a profile may lack its description before a warning is given.
const YOUNG: Duration = Duration::from_secs(10);
/// How long a list waits for the description of a newly written profile, and how often it checks.
const DESCRIPTION_WAIT: Duration = Duration::from_millis(300);
const DESCRIPTION_RETRY: Duration = Duration::from_millis(10);
/// Shortest prefix of a hash that [`Store::find`] accepts.
const PREFIX_MIN: usize = 4;

/// Returns the capture with these bytes, not on disk: its path is empty.
#[must_use]
pub fn unsaved(bytes: &[u8], provenance: Provenance) -> Capture {
    Capture {
        sha256: sha256(bytes),
        path: PathBuf::new(),
        bytes: bytes.len() as u64,
        provenance,
        summary: None,
        keeping: Keeping::default(),
    }
}

/// The contents of the cache.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// The newest first.
    pub captures: Vec<Capture>,
    /// One sentence for each unusable file; the file is left alone.
    pub warnings: Vec<String>,
}

/// Largest file that is compared with the kept captures, in bytes: the largest response, and most imports.
const ALIKE_MAX: u64 = 64 << 20;

/// The cache in one folder.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
    profiles: PathBuf,
    /// The folder of deleted captures, see [`Store::restore`].
    trash: PathBuf,
    quota: Option<u64>,
    /// Whether existing files are only read.
    steady: bool,
    /// Folders for captures that can't be kept in the cache, in order of preference.
    rescue: Vec<PathBuf>,
}

impl Store {
    /// Uses this folder, without a quota. Nothing is read or created yet, so it can't fail.
    #[must_use]
    pub fn open(dir: impl Into<PathBuf>) -> Self {
        let root = dir.into();
        Self {
            profiles: root.join("profiles"),
            trash: root.join("deleted"),
            quota: None,
            steady: false,
            rescue: Vec::new(),
            root,
        }
    }

    /// Sets the quota for all captures together, in bytes; `None` for no limit.
    #[must_use]
    pub fn with_quota(self, quota: Option<u64>) -> Self {
        Self { quota, ..self }
    }

    /// Leaves existing files unchanged: uses and source maps are not recorded, nothing is removed. New captures are kept.
    #[must_use]
    pub fn steady(self) -> Self {
        Self {
            steady: true,
            ..self
        }
    }

    /// Returns the quota in bytes; `None` if there is no limit.
    #[must_use]
    pub const fn quota(&self) -> Option<u64> {
        self.quota
    }

    /// Returns the cache folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.root
    }

    /// Writes a capture's raw bytes, then its description. Both are on the disk when this returns.
    ///
    /// # Errors
    /// [`StoreError::Write`] if the folder can't be created or written, or the disk is full. No partial file remains; the
    /// caller still has the bytes, and can continue with [`unsaved`].
    pub fn keep(&self, bytes: &[u8], provenance: Provenance) -> Result<Capture, StoreError> {
        let begun = Instant::now();
        self.write(bytes, provenance)
            .inspect(|capture| {
                tracing::info!(
                    file = %files::shown(&capture.path),
                    bytes = capture.bytes,
                    ms = begun.elapsed().as_millis(),
                    "cache-kept"
                );
            })
            .inspect_err(|error| tracing::warn!(%error, "cache-write-failed"))
    }

    fn write(&self, bytes: &[u8], provenance: Provenance) -> Result<Capture, StoreError> {
        let mut capture = unsaved(bytes, provenance);
        files::create_private_dir(&self.profiles)?;
        let stem = files::stem(&capture);
        let path = self.profiles.join(format!(
            "{stem}.{}",
            files::extension(bytes, capture.provenance.kind)
        ));
        files::write(&path, bytes)?;
        capture.path = path;
        let description = metadata_path(&capture.path);
        files::write(&description, &Metadata::of(&capture).to_json()).inspect_err(|_| {
            let _ = files::remove(&capture.path);
        })?;
        files::sync_dir(&self.profiles);
        capture.keeping.used_at = files::changed_at(&description);
        Ok(capture)
    }

    /// Returns all captures, newest first, and a warning for each unusable file.
    ///
    /// # Errors
    /// [`StoreError::Read`] if the folder exists and can't be read. A missing folder is an empty list.
    pub fn list(&self) -> Result<Listing, StoreError> {
        let mut listing = Listing::default();
        let names = self.names()?;
        // One wait for all of them.
        let patience = Instant::now() + DESCRIPTION_WAIT;
        for name in &names {
            let path = self.profiles.join(name);
            let Some(stem) = files::profile_stem(name) else {
                if let Some(warning) = stray(name, &names).filter(|_| self.stays(name)) {
                    listing.warnings.push(warning);
                }
                continue;
            };
            match self.entry(&path, stem, patience) {
                Ok((capture, warning)) => {
                    listing.captures.push(capture);
                    listing.warnings.extend(warning);
                }
                Err(warning) => listing.warnings.extend(warning),
            }
        }
        listing.captures.sort_by(newest_first);
        Ok(listing)
    }

    /// Returns a capture's raw bytes, checked against its hash.
    ///
    /// # Errors
    /// [`StoreError::Read`], or [`StoreError::Damaged`] if the bytes have changed since they were kept.
    pub fn read(&self, capture: &Capture) -> Result<Vec<u8>, StoreError> {
        let damaged = || StoreError::Damaged(capture.path.clone());
        let size = fs::symlink_metadata(&capture.path)
            .map_err(|source| StoreError::read(&capture.path, source))?
            .len();
        if size != capture.bytes {
            return Err(damaged());
        }
        let bytes = files::read(&capture.path, capture.bytes)
            .map_err(|source| StoreError::read(&capture.path, source))?;
        if sha256(&bytes) == capture.sha256 {
            Ok(bytes)
        } else {
            Err(damaged())
        }
    }

    /// Deletes a capture for good.
    ///
    /// # Errors
    /// [`StoreError::Write`]. A missing capture is not an error.
    pub fn remove(&self, capture: &Capture) -> Result<(), StoreError> {
        let _lock = files::lock(&self.profiles);
        self.remove_locked(capture)
    }

    fn remove_locked(&self, capture: &Capture) -> Result<(), StoreError> {
        // The profile goes first: a description alone is ignored, but a profile alone would be listed.
        files::remove(&capture.path)?;
        tracing::info!(file = %files::shown(&capture.path), bytes = capture.bytes, "cache-removed");
        files::remove(&metadata_path(&capture.path))
    }

    /// Returns the capture with this path or hash prefix, rescued ones included; the newest of several with the same bytes.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] or [`StoreError::Ambiguous`].
    pub fn find(&self, text: &str) -> Result<Capture, StoreError> {
        if let Some(capture) = self.at(Path::new(text)) {
            return Ok(capture);
        }
        let prefix = text.to_ascii_lowercase();
        if prefix.len() < PREFIX_MIN || !prefix.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(StoreError::Unknown(text.to_owned()));
        }
        let mut captures = self.with_hash(&prefix)?;
        captures.extend(self.rescued());
        let mut matching = captures
            .into_iter()
            .filter(|capture| capture.sha256.starts_with(&prefix));
        let first = matching
            .next()
            .ok_or_else(|| StoreError::Unknown(text.to_owned()))?;
        if matching.any(|other| other.sha256 != first.sha256) {
            return Err(StoreError::Ambiguous(text.to_owned()));
        }
        Ok(first)
    }

    /// Returns the kept or rescued capture at a path; `None` for any other file.
    #[must_use]
    pub fn at(&self, path: &Path) -> Option<Capture> {
        self.own_at(path).or_else(|| self.rescued_at(path))
    }

    /// As [`Self::at`], in this folder alone.
    fn own_at(&self, path: &Path) -> Option<Capture> {
        let name = path.file_name()?;
        let kept = self.profiles.join(name);
        let same = fs::canonicalize(path).ok()? == fs::canonicalize(&kept).ok()?;
        let name = name.to_string_lossy();
        let stem = files::profile_stem(&name).filter(|_| same)?;
        self.entry(&kept, stem, Instant::now())
            .ok()
            .map(|(capture, _)| capture)
    }

    /// Returns the kept capture with the same bytes as a file: a copy has the same description. `None` if there is none or the
    /// file is large.
    #[must_use]
    pub fn like(&self, path: &Path) -> Option<Capture> {
        if let Some(capture) = self.at(path) {
            return Some(capture);
        }
        let is_small = |found: &fs::Metadata| found.is_file() && found.len() <= ALIKE_MAX;
        fs::metadata(path).ok().filter(is_small)?;
        if self.names().ok()?.is_empty() {
            return None;
        }
        let hash = sha256(&fs::read(path).ok()?);
        let mut alike = self.with_hash(&hash).ok()?.into_iter();
        alike.find(|capture| capture.sha256 == hash)
    }

    /// Returns the captures that may be of the same Worker and kind, newest first, itself included. File names have both: no
    /// other description is read.
    #[must_use]
    pub fn alike(&self, capture: &Capture) -> Vec<Capture> {
        let (slug, kind) = (
            files::slug(&capture.target().worker),
            capture.provenance.kind,
        );
        let is_alike = |stem: &str| files::target_of(stem) == Some((slug.as_str(), kind));
        self.where_stem(is_alike).unwrap_or_default()
    }

    /// Returns the captures whose hash begins like this, newest first. File names have the hash: no other description is read.
    fn with_hash(&self, prefix: &str) -> Result<Vec<Capture>, StoreError> {
        self.where_stem(|stem| files::hash_of(stem).is_some_and(|hash| hash.starts_with(prefix)))
    }

    /// Returns the captures whose files' stem is such a one, newest first.
    fn where_stem(&self, is_it: impl Fn(&str) -> bool) -> Result<Vec<Capture>, StoreError> {
        let names = self.names()?;
        let mut captures: Vec<Capture> = names
            .iter()
            .filter_map(|name| Some((name, files::profile_stem(name)?)))
            .filter(|(_, stem)| is_it(stem))
            .filter_map(|(name, stem)| {
                self.entry(&self.profiles.join(name), stem, Instant::now())
                    .ok()
            })
            .map(|(capture, _)| capture)
            .collect();
        captures.sort_by(newest_first);
        Ok(captures)
    }

    /// Returns the names in the folder, in order.
    fn names(&self) -> Result<BTreeSet<String>, StoreError> {
        let entries = match fs::read_dir(&self.profiles) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            Err(source) => return Err(StoreError::read(&self.profiles, source)),
        };
        let names = entries
            .filter_map(Result::ok)
            .map(|entry| entry.file_name().to_string_lossy().into_owned());
        Ok(names.filter(|name| !name.starts_with('.')).collect())
    }

    /// Returns whether a file is still there after a concurrent deletion: that holds the lock until both files are gone.
    fn stays(&self, name: &str) -> bool {
        let _lock = files::lock(&self.profiles);
        self.profiles.join(name).exists()
    }

    /// Returns a capture, and a warning if its files are damaged. Without a readable description, the file name is used.
    fn entry(
        &self,
        path: &Path,
        stem: &str,
        patience: Instant,
    ) -> Result<(Capture, Option<String>), Option<String>> {
        let shown = path.display();
        let size = match fs::symlink_metadata(path) {
            Ok(found) if found.is_file() => found.len(),
            Ok(_) => return Err(Some(format!("{shown} is no plain file"))),
            // Removed by another instance.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
            Err(error) => return Err(Some(format!("{shown} can't be read: {error}"))),
        };
        let read = await_metadata(path, patience);
        let why = match read
            .map_err(|why| why.to_string())
            .and_then(|metadata| metadata.into_capture(path))
        {
            Ok(capture) if capture.bytes == size => return Ok((capture, None)),
            Ok(mut capture) => {
                let damage = format!("it has {size} bytes, not {}", capture.bytes);
                let warning = format!("{shown} is damaged: {damage}");
                capture.keeping.damage = Some(damage);
                return Ok((capture, Some(warning)));
            }
            Err(why) => why,
        };
        let mut capture = files::from_name(path, stem, size)
            .ok_or_else(|| Some(format!("{shown} can't be listed: {why}")))?;
        if is_young(path) && !metadata_path(path).exists() {
            // Another instance is about to write it.
            capture.keeping.used_at = files::changed_at(path);
            return Ok((capture, None));
        }
        let warning = format!("{shown} is listed by its name only: {why}");
        capture.keeping.used_at = files::changed_at(path);
        capture.keeping.damage = Some(why);
        Ok((capture, Some(warning)))
    }
}

fn newest_first(a: &Capture, b: &Capture) -> Ordering {
    b.provenance
        .asked_at
        .cmp(&a.provenance.asked_at)
        .then_with(|| a.path.cmp(&b.path))
}

/// Returns whether a profile is so new that its description may not be written yet: the bytes are written first.
fn is_young(profile: &Path) -> bool {
    // A time in the future comes from a wrong clock.
    files::changed_at(profile)
        .and_then(|at| at.elapsed().ok())
        .is_some_and(|age| age < YOUNG)
}

/// Reads the description of a profile. Waits for that of a new profile.
fn await_metadata(profile: &Path, patience: Instant) -> Result<Metadata, Unread> {
    let path = metadata_path(profile);
    loop {
        match read_metadata(&path) {
            Err(Unread::Missing) if Instant::now() < patience && is_young(profile) => {
                std::thread::sleep(DESCRIPTION_RETRY);
            }
            read => return read,
        }
    }
}

/// Returns the path of a capture's description.
fn metadata_path(profile: &Path) -> PathBuf {
    profile.with_file_name(files::description_name(profile))
}

fn read_metadata(path: &Path) -> Result<Metadata, Unread> {
    match files::read(path, METADATA_MAX) {
        Ok(bytes) => Metadata::parse(&bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Unread::Missing),
        Err(error) => Err(Unread::Broken(error.to_string())),
    }
}

/// Returns the warning for a file that is not a profile; `None` for expected ones.
fn stray(name: &str, names: &BTreeSet<String>) -> Option<String> {
    if name
        .strip_suffix(amend::BROKEN)
        .is_some_and(files::is_description)
    {
        return Some(format!(
            "{name} could not be read and was set apart; it was left alone"
        ));
    }
    let Some(stem) = name.strip_suffix(".json") else {
        return Some(format!(
            "{name} is not a file of this program; it was left alone"
        ));
    };
    let has_profile = files::EXTENSIONS
        .iter()
        .any(|extension| names.contains(&format!("{stem}.{extension}")));
    (!has_profile).then(|| format!("{name} describes a profile that is gone"))
}

/// Returns the hash of a file's bytes; `None` if it can't be read.
#[must_use]
pub fn hash_of(path: &Path) -> Option<String> {
    Some(sha256(&fs::read(path).ok()?))
}

/// Returns the SHA-256 of bytes in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
