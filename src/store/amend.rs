//! Changes the description of a capture without losing concurrent changes.

use std::fs::{self, File};
use std::time::{Instant, SystemTime};

use crate::model::cloudflare::{Amendment, Capture, Summary};
use crate::store::metadata::{Metadata, Unread};
use crate::store::{Store, StoreError, files, metadata_path, read_metadata};

/// What the name of a description that could not be read ends in, once it was set apart.
pub(super) const BROKEN: &str = ".broken";

impl Store {
    /// Changes what is noted of a capture and returns how it now is. What others noted meanwhile stays, and so do fields
    /// that this program doesn't know.
    ///
    /// # Errors
    /// [`StoreError::Write`]; [`StoreError::Gone`] if the capture no longer exists; [`StoreError::Newer`].
    pub fn amend(&self, capture: &Capture, amendment: &Amendment) -> Result<Capture, StoreError> {
        self.describe(capture, |metadata| metadata.amend(amendment))
    }

    /// Notes what reading the profile told, for the lists. A description that can't be read is left alone: nobody asked
    /// for a change.
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

    /// Notes that a capture was used just now: what was used longest ago gives way first. It is a time on the file and
    /// costs next to nothing; where it can't be set, the order is a little less fair.
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
                // Whatever is still in it may be worth something to somebody.
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
