//! Files named by the user: resolves their paths and writes them atomically.

use std::io;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file exists and may not be overwritten.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// A folder has that name.
    #[error("{} is a folder: write a file's name behind it", .0.display())]
    Folder(PathBuf),
    /// An I/O error.
    #[error("{}: {}", path.display(), reason(source))]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Returns the reason as users can act on it, without the name of the temporary file.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "this folder may not be written to".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "this disk can only be read".to_owned(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "no room is left on the disk".to_owned()
        }
        ErrorKind::NotADirectory => "one of its folders is a file".to_owned(),
        ErrorKind::InvalidFilename => "a file can't be called that".to_owned(),
        ErrorKind::NotFound => "there is no such folder, and none can be made".to_owned(),
        // Other errors than the system's name the temporary file.
        kind if error.raw_os_error().is_none() => kind.to_string(),
        _ => error.to_string(),
    }
}

/// Returns the absolute path, with `~` expanded to the home folder.
pub fn absolute(path: &Path) -> PathBuf {
    let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
    let path = match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    };
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns the absolute path that a typed text means. If there is no such file, it may be quoted as for a shell, or a file's
/// address, as terminals and desktops write it when a file is dragged.
pub(super) fn typed(path: &Path) -> PathBuf {
    let plain = absolute(path);
    let unquoted = path.to_str().filter(|_| !plain.exists()).and_then(unquote);
    unquoted.map_or(plain, |text| absolute(&text))
}

/// Returns the path in a quoted text or an address; `None` if it is neither.
fn unquote(text: &str) -> Option<PathBuf> {
    let text = text.trim();
    if text.starts_with("file://") {
        return url::Url::parse(text).ok()?.to_file_path().ok();
    }
    let escapes = cfg!(unix);
    if !(text.starts_with(['\'', '"']) || (escapes && text.contains('\\'))) {
        return None;
    }
    let (mut path, mut quote) = (String::new(), None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) if escapes => path.extend(chars.next()),
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (c, _) => path.push(c),
        }
    }
    (quote.is_none() && !path.is_empty()).then(|| path.into())
}

/// Rejects a path that can't be written to, before the content is computed.
///
/// # Errors
/// [`FileError::Folder`], and [`FileError::Exists`] unless `overwrite` is set.
pub fn check(path: &Path, overwrite: bool) -> Result<(), FileError> {
    if path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/') {
        return Err(FileError::Folder(path.to_owned()));
    }
    if !overwrite && path.exists() {
        Err(FileError::Exists(path.to_owned()))
    } else {
        Ok(())
    }
}

/// Checks that a file can be written at a path, as far as possible without creating anything.
///
/// # Errors
/// [`FileError::Io`], as [`write()`] would return it.
pub fn probe(path: &Path) -> Result<(), FileError> {
    let refused = |source| FileError::Io {
        path: path.to_owned(),
        source,
    };
    // A device or pipe is written to directly.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(());
    }
    // Links are followed and missing folders are created.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.ancestors().skip(1).find(|folder| folder.exists());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(refused(ErrorKind::NotADirectory.into()));
    }
    tempfile::Builder::new()
        .prefix(".flarescope-")
        .tempfile_in(folder)
        .map(drop)
        .map_err(refused)
}

/// Returns the folder of a file if [`write()`] would have to create it first.
#[must_use]
pub fn missing_folder(path: &Path) -> Option<PathBuf> {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_owned)
}

/// Writes a file and creates missing folders: atomically if it is a regular file, directly if it is a device, a pipe or a file
/// with several names. A file that is replaced keeps its mode.
///
/// # Errors
/// [`FileError`]; a file that is written atomically is then unchanged.
pub fn write(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), FileError> {
    check(path, overwrite)?;
    put(path, bytes, overwrite).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists if !overwrite => FileError::Exists(path.to_owned()),
        _ => FileError::Io {
            path: path.to_owned(),
            source,
        },
    })
}

fn put(path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes);
    }
    // The target of a link is replaced, not the link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| match error.kind() {
        // A file in the place of a folder exists, which is another error than that the target exists.
        ErrorKind::AlreadyExists => io::Error::from(ErrorKind::NotADirectory),
        _ => error,
    })?;
    let old = std::fs::metadata(&path).ok().filter(|_| overwrite);
    #[cfg(unix)]
    if let Some(old) = &old
        && std::os::unix::fs::MetadataExt::nlink(old) > 1
    {
        // Its other names must lead to the new content.
        return std::fs::write(&path, bytes);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".flarescope-");
    #[cfg(unix)]
    if old.is_none() {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file; the umask applies.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let named = if overwrite {
        file.persist(&path)
    } else {
        file.persist_noclobber(&path)
    };
    named.map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::wording;

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = directories::BaseDirs::new().unwrap().home_dir().to_owned();
        assert_eq!(absolute(Path::new("~/a/b.pprof")), home.join("a/b.pprof"));
        assert!(absolute(Path::new("b.pprof")).is_absolute());
        assert_eq!(absolute(Path::new("/x/~/b")), Path::new("/x/~/b"));
    }

    #[test]
    fn a_quoted_or_dragged_path_is_the_file_that_it_means() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("it's a b");
        let folder = dir.path().display();
        let meant = |text: String| typed(Path::new(&text));
        for text in [
            format!("{folder}/it's a b"),
            format!("'{folder}/it'\\''s a b'"),
            format!("\"{folder}/it's a b\" "),
            format!("{folder}/it\\'s\\ a\\ b"),
            format!("file://{folder}/it's%20a%20b"),
        ] {
            assert_eq!(meant(text.clone()), file, "before it is there: {text}");
            std::fs::write(&file, "").unwrap();
            assert_eq!(meant(text.clone()), file, "{text}");
            std::fs::remove_file(&file).unwrap();
        }
        for text in ["it's", "a'b'", "'a", "file://host/a", "'", "''"] {
            assert_eq!(meant(format!("{folder}/{text}")), dir.path().join(text));
            assert_eq!(meant(text.to_owned()), absolute(Path::new(text)), "{text}");
        }
        let quoted = dir.path().join("a\\ b");
        std::fs::write(&quoted, "").unwrap();
        assert_eq!(typed(&quoted), quoted, "there is a file of that name");
    }

    #[test]
    fn folders_are_made_and_nothing_is_left_beside_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/folder/view.pprof");
        write(&path, b"one", false).unwrap();
        assert!(matches!(
            write(&path, b"other", false),
            Err(FileError::Exists(_))
        ));
        write(&path, b"two", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1
        );
    }

    #[cfg(unix)]
    #[test]
    fn replaced_file_keeps_its_mode_and_its_other_names() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("view.pprof");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        for private in [0o600, 0o640, 0o400] {
            std::fs::write(&path, "old").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(private)).unwrap();
            write(&path, b"new", true).unwrap();
            assert_eq!(
                (mode(&path), std::fs::read(&path).unwrap()),
                (private, b"new".to_vec())
            );
            std::fs::remove_file(&path).unwrap();
        }
        let (other, link) = (dir.path().join("other"), dir.path().join("link"));
        std::fs::write(&path, "longer than what follows").unwrap();
        std::fs::hard_link(&path, &other).unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        write(&link, b"short", true).unwrap();
        for name in [&path, &other, &link] {
            assert_eq!(std::fs::read(name).unwrap(), b"short");
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn what_can_not_be_written_is_reported_in_words() {
        let mut wording = wording!();
        let dir = tempfile::tempdir().unwrap();
        let message = |path: &Path| write(path, b"x", true).unwrap_err().to_string();
        wording.add(message(dir.path()));
        wording.add(message(&dir.path().join("sub/")));
        std::fs::write(dir.path().join("file"), "").unwrap();
        for below in ["file/below", "file/further/below"] {
            wording.add(message(&dir.path().join(below)));
            let error = write(&dir.path().join(below), b"x", false).unwrap_err();
            assert!(matches!(error, FileError::Io { .. }), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_goes_on_leading_where_it_led() {
        let dir = tempfile::tempdir().unwrap();
        let (target, link) = (dir.path().join("target"), dir.path().join("link"));
        std::fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write(&link, b"new", true).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
        assert!(link.is_symlink());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_as_one() {
        let mut wording = wording!();
        let error = write(Path::new("/dev/full"), b"x", true).unwrap_err();
        wording.add(error);
    }
}
