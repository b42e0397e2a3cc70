//! Why the cache could not do something.

use std::io;
use std::path::{Path, PathBuf};

/// What went wrong with the cache. None of it stops the work: a capture stays in memory.
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
    /// The bytes are not the ones that were kept.
    #[error("{} has changed since it was kept: its hash is another", .0.display())]
    Damaged(PathBuf),
    /// A newer program wrote its description: changing it could lose what this one doesn't know.
    #[error("{} was described by a newer program (format {format}): only that one can change it", path.display())]
    Newer {
        /// Which description.
        path: PathBuf,
        /// The number of its format.
        format: u32,
    },
    /// Another program took it away meanwhile.
    #[error("{} is not there any more", .0.display())]
    Gone(PathBuf),
    /// Nothing kept has that hash or path.
    #[error("no capture on disk begins with `{0}`: flarescope list captures shows them")]
    Unknown(String),
    /// Several captures have hashes that begin so.
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
