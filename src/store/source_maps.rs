//! The source maps of each Worker: one small file for all, rewritten on each change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::cloudflare::Capture;
use crate::store::{Store, StoreError, files};

/// The file, in the cache's folder.
const FILE: &str = "source-maps.json";
/// Largest file that is read, in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// Largest number of Workers; beyond it the file starts over.
const WORKERS_MAX: usize = 4_096;

#[derive(Serialize, Deserialize, Default)]
struct Remembered {
    format: u32,
    /// By account and Worker.
    workers: BTreeMap<String, Vec<PathBuf>>,
}

impl Store {
    /// Returns the source maps last used for a capture's Worker; none if the file can't be read.
    #[must_use]
    pub fn source_maps(&self, capture: &Capture) -> Vec<PathBuf> {
        self.remembered()
            .workers
            .remove(&key(capture))
            .unwrap_or_default()
    }

    /// Records source maps for a capture's Worker; an empty list removes its entry.
    ///
    /// # Errors
    /// [`StoreError::Write`] if the cache can't be written.
    pub fn remember_source_maps(
        &self,
        capture: &Capture,
        paths: &[PathBuf],
    ) -> Result<(), StoreError> {
        if self.steady {
            return Ok(());
        }
        let mut remembered = self.remembered();
        if remembered.workers.len() >= WORKERS_MAX {
            remembered.workers.clear();
        }
        if paths.is_empty() {
            remembered.workers.remove(&key(capture));
        } else {
            remembered.workers.insert(key(capture), paths.to_vec());
        }
        remembered.format = 1;
        files::create_private_dir(self.dir())?;
        // Paths are stored as text: one that is not Unicode can't be found again.
        let Ok(json) = serde_json::to_vec_pretty(&remembered) else {
            return Ok(());
        };
        files::write(&self.file(), &json)
    }

    /// Forgets all source maps.
    ///
    /// # Errors
    /// [`StoreError::Write`] if the file can't be removed.
    pub(super) fn forget_source_maps(&self) -> Result<(), StoreError> {
        files::remove(&self.file())
    }

    fn file(&self) -> PathBuf {
        self.dir().join(FILE)
    }

    fn remembered(&self) -> Remembered {
        read(&self.file()).unwrap_or_default()
    }
}

fn read(path: &Path) -> Option<Remembered> {
    let is_small = fs::metadata(path).ok()?.len() <= BYTES_MAX;
    let remembered: Remembered =
        serde_json::from_slice(&fs::read(path).ok().filter(|_| is_small)?).ok()?;
    (remembered.format == 1).then_some(remembered)
}

/// Workers of two accounts may have one name.
fn key(capture: &Capture) -> String {
    format!(
        "{}/{}",
        capture.provenance.account_id.as_deref().unwrap_or("-"),
        capture.target().worker
    )
}
