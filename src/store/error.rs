//! Errors of the cache.

use std::io;
use std::path::{Path, PathBuf};

/// An error of the cache. A capture that can't be kept stays usable in memory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file or folder can't be written.
    #[error("{} can't be written: {source}", path.display())]
    Write {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file or folder can't be read.
    #[error("{} can't be read: {source}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file's hash differs from the recorded one.
    #[error("{} changed since it was captured: its hash differs", .0.display())]
    Damaged(PathBuf),
    /// A newer version wrote the description: changing it could lose fields that this one doesn't know.
    #[error("{} was written by a newer flarescope (format {format}); only that version can change it", path.display())]
    Newer {
        /// Which description.
        path: PathBuf,
        /// The number of its format.
        format: u32,
    },
    /// Another program removed it.
    #[error("{} no longer exists", .0.display())]
    Gone(PathBuf),
    /// No capture has that hash or path.
    #[error("no capture begins with `{0}`; see flarescope list captures")]
    Unknown(String),
    /// Several captures have hashes with this prefix.
    #[error("several captures begin with `{0}`: give more digits")]
    Ambiguous(String),
}

impl StoreError {
    pub(super) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }
}
