//! Writing a view to bytes and to a file: what the export sheet does.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::app::{ExportJob, Format};
use crate::export::{self, Caption, Scene};
use crate::formats::{folded, pprof};
use crate::model::profile::Profile;
use crate::model::tree::NodeId;
use crate::model::view::{self, Reading, Subset, View, ViewError};

/// Why a view could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The view can't be taken from the profile.
    #[error(transparent)]
    View(#[from] ViewError),
    /// There is nothing to write.
    #[error("there are no stacks to write: the profile, or what is left of it, is empty")]
    Empty,
    /// The picture could not be made.
    #[error(transparent)]
    Picture(#[from] export::ExportError),
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

/// Writes the part of a view below a node as a file's bytes. `target` is what a picture's title says.
///
/// # Errors
/// [`ExportError`] if there is nothing to write.
pub fn write(
    format: Format,
    target: &str,
    profile: &Profile,
    view: &View,
    reading: &Reading,
    root: NodeId,
) -> Result<Vec<u8>, ExportError> {
    match format {
        Format::Pprof => {
            let root = (root != NodeId::ROOT).then_some((reading, root));
            Ok(pprof::encode(&Subset::new(profile, view, root)?))
        }
        Format::Folded => {
            let text = folded::write(reading, root);
            if text.is_empty() { Err(ExportError::Empty) } else { Ok(text.into_bytes()) }
        }
        Format::Svg => {
            let caption = Caption::new(target, profile, view, reading);
            Ok(export::svg(&Scene { profile, reading, root, caption: &caption })?)
        }
    }
}

/// Does what the export sheet asks for; answers the file's whole path.
pub(super) fn run(job: &ExportJob) -> Result<PathBuf, ExportError> {
    let path = absolute(&job.path);
    if !job.overwrite && path.exists() {
        return Err(ExportError::Exists(path));
    }
    let bytes = if job.whole {
        // All there is, but of the sample type that is looked at.
        let view = View { sample_type: job.view.sample_type, ..View::new(&job.profile) };
        let reading = view::read(&job.profile, &view)?;
        write(job.format, &job.caption, &job.profile, &view, &reading, NodeId::ROOT)?
    } else {
        write(job.format, &job.caption, &job.profile, &job.view, &job.reading, job.root)?
    };
    put(&path, &bytes).map_err(|source| ExportError::File { path: path.clone(), source })?;
    Ok(path)
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
