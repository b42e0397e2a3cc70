//! Changes the description of a capture without losing concurrent changes.

use std::fs::{self, File};
use std::time::{Instant, SystemTime};

use crate::model::cloudflare::{Amendment, Capture, Metrics, Summary};
use crate::store::metadata::{Metadata, Unread};
use crate::store::{Store, StoreError, files, metadata_path, read_metadata};

/// The extension of an unreadable description that was set aside.
pub(super) const BROKEN: &str = ".broken";

impl Store {
    /// Changes the description of a capture and returns the result. Concurrent changes and unknown fields are kept.
    ///
    /// # Errors
    /// [`StoreError::Write`]; [`StoreError::Gone`] if the capture no longer exists; [`StoreError::Newer`].
    pub fn amend(&self, capture: &Capture, amendment: &Amendment) -> Result<Capture, StoreError> {
        self.describe(capture, |metadata| metadata.amend(amendment))
    }

    /// Records a profile's summary, for the lists. An unreadable description is left alone: the user asked for no change.
    ///
    /// # Errors
    /// As [`Self::amend`]; the capture itself is not touched.
    pub fn set_summary(&self, capture: &Capture, summary: Summary) -> Result<(), StoreError> {
        if capture.keeping.damage.is_some() {
            return Ok(());
        }
        self.describe(capture, |metadata| metadata.set_summary(summary))
            .map(drop)
    }

    /// Records the metrics of a capture's target, which may arrive later than its profile.
    ///
    /// # Errors
    /// As [`Self::amend`].
    pub fn set_metrics(&self, capture: &Capture, metrics: Metrics) -> Result<Capture, StoreError> {
        self.describe(capture, |metadata| metadata.set_metrics(metrics))
    }

    /// Records that a capture was used now, as its file's time: the least recently used are evicted first. Failures are
    /// ignored.
    pub fn touch(&self, capture: &Capture) {
        if self.steady {
            return;
        }
        let _ = File::open(metadata_path(&capture.path))
            .and_then(|file| file.set_modified(SystemTime::now()));
    }

    fn describe(
        &self,
        capture: &Capture,
        change: impl FnOnce(&mut Metadata),
    ) -> Result<Capture, StoreError> {
        let _lock = files::lock(&self.profiles);
        let gone = || StoreError::Gone(capture.path.clone());
        fs::symlink_metadata(&capture.path).map_err(|_| gone())?;
        let path = metadata_path(&capture.path);
        let mut metadata = match read_metadata(&path) {
            Ok(metadata) => metadata,
            Err(Unread::Newer(format)) => return Err(StoreError::Newer { path, format }),
            Err(Unread::Missing) => Metadata::of(capture),
            Err(Unread::Broken(_)) => {
                // What is left in it may still be useful.
                let mut apart = path.clone().into_os_string();
                apart.push(BROKEN);
                files::rename(&path, apart.as_ref())?;
                Metadata::of(capture)
            }
        };
        change(&mut metadata);
        files::write(&path, &metadata.to_json())?;
        files::sync_dir(&self.profiles);
        let name = capture
            .path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let stem = files::profile_stem(&name).ok_or_else(gone)?;
        self.entry(&capture.path, stem, Instant::now())
            .map(|(capture, _)| capture)
            .map_err(|_| gone())
    }
}
