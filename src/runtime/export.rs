//! Writing a view to bytes and to a file: what the export sheet does.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::app::{ExportJob, Format};
use crate::export::{self, Caption, ExportError, Scene};
use crate::model::tree::NodeId;
use crate::model::view::{self, View, ViewError};

/// Why a view could not be written to a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum FileError {
    /// The view could not be written as bytes.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The whole capture can't be looked at.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The file could not be written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is there, and was not to be replaced.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
}

/// Does what the export sheet asks for; answers the file's whole path.
pub(super) fn run(job: &ExportJob) -> Result<PathBuf, FileError> {
    let path = absolute(&job.path);
    if !job.overwrite && path.exists() {
        return Err(FileError::Exists(path));
    }
    // Of the whole capture all there is, but of the sample type that is looked at.
    let whole = View { sample_type: job.view.sample_type, ..View::new(&job.profile) };
    let all;
    let (view, reading, root) = if job.whole {
        all = view::read(&job.profile, &whole)?;
        (&whole, &all, NodeId::ROOT)
    } else {
        (&job.view, &*job.reading, job.root)
    };
    let caption = Caption::new(&job.caption, &job.profile, view, reading);
    let scene = Scene { profile: &job.profile, reading, root, caption: &caption };
    let bytes = export::write(format(job.format), view, &scene)?;
    put(&path, &bytes).map_err(|source| FileError::File { path: path.clone(), source })?;
    Ok(path)
}

const fn format(format: Format) -> export::Format {
    match format {
        Format::Pprof => export::Format::Pprof,
        Format::Svg => export::Format::Svg,
        Format::Folded => export::Format::Folded,
    }
}

/// The path with `~` taken for the home folder, from the root.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
    let path = match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    };
    std::path::absolute(&path).unwrap_or(path)
}

/// Puts the bytes into a file of their own first: a disk that fills up must not leave half a file under the name.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".flarescope-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = directories::BaseDirs::new().unwrap().home_dir().to_owned();
        assert_eq!(absolute(Path::new("~/a/b.pprof")), home.join("a/b.pprof"));
        assert!(absolute(Path::new("b.pprof")).is_absolute());
        assert_eq!(absolute(Path::new("/x/~/b")), Path::new("/x/~/b"));
    }

    #[test]
    fn folders_are_made_and_nothing_is_left_beside_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/folder/view.pprof");
        put(&path, b"one").unwrap();
        put(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
