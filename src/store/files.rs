//! File names, and atomic writes.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::model::cloudflare::{Capture, Keeping, Kind, Provenance};
use crate::store::StoreError;

/// The prefix of temporary files' names.
pub(super) const TEMPORARY: &str = ".tmp-";
/// The extensions of profiles.
pub(super) const EXTENSIONS: [&str; 5] = [
    "pprof",
    "pprof.gz",
    "pprof.zst",
    "cpuprofile",
    "heapprofile",
];
/// The file that is locked while several files, or parts of one, are changed together.
const LOCK: &str = ".lock";
/// A lock held for longer than this belongs to a stopped program; work then goes on without it.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// The time between two attempts to lock.
const LOCK_RETRY: Duration = Duration::from_millis(5);
/// The end of the year 9999, in milliseconds since 1970.
const MILLIS_END: u64 = 253_402_300_800_000;
/// Longest part of a Worker's name in a file name, in bytes.
const SLUG_MAX: usize = 64;

/// Creates a folder that only its owner can access, with its parents, and syncs their names. Closes an existing one to
/// others.
pub(super) fn create_private_dir(dir: &Path) -> Result<(), StoreError> {
    let is_new = !dir.exists();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        builder.mode(0o700);
        if let Ok(found) = fs::metadata(dir)
            && found.permissions().mode() & 0o077 != 0
        {
            fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
                .map_err(|error| StoreError::write(dir, error))?;
        }
    }
    builder
        .create(dir)
        .map_err(|error| StoreError::write(dir, error))?;
    if is_new {
        dir.ancestors().take(3).for_each(sync_dir);
    }
    Ok(())
}

/// Locks the folder until the guard is dropped or the process ends. `None` if the folder can't be written, the file system
/// has no locks, or the lock stays taken: at worst the last of two writers then wins.
pub(super) fn lock(dir: &Path) -> Option<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(dir.join(LOCK)).ok()?;
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(TryLockError::WouldBlock) if since.elapsed() < LOCK_WAIT => {
                std::thread::sleep(LOCK_RETRY)
            }
            Err(_) => return None,
        }
    }
}

/// Reads a regular file of at most `max` bytes: no pipe, device or link.
pub(super) fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(max.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::other(format!("it is larger than {max} bytes")));
    }
    Ok(bytes)
}

/// Writes a file atomically, readable by its owner only: temporary file in the same folder, sync, rename.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |error| StoreError::write(path, error);
    let dir = path.parent().unwrap_or(Path::new("."));
    // Created with mode 0600, and removed unless it is renamed.
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(dir)
        .map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Syncs the folder's names. Where the system can't, renames reach the disk later.
pub(super) fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

/// Removes a file. A missing file is not an error.
pub(super) fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::write(path, error))
        }
        _ => Ok(()),
    }
}

/// Returns when a file was last written or touched.
pub(super) fn changed_at(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// Returns the stem of a capture's files: Worker, kind, start time in milliseconds, hash. The time distinguishes two
/// captures with the same bytes.
pub(super) fn stem(capture: &Capture) -> String {
    let time = capture
        .provenance
        .asked_at
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let kind = capture
        .provenance
        .kind
        .map_or("any".to_owned(), |kind| kind.to_string());
    format!(
        "{}-{kind}-{time}-{}",
        slug(&capture.target().worker),
        capture.sha256
    )
}

/// Returns the extension for these bytes, without the dot. V8's two formats begin alike and are distinguished by kind.
#[must_use]
pub fn extension(bytes: &[u8], kind: Option<Kind>) -> &'static str {
    match (bytes, kind) {
        ([0x1f, 0x8b, ..], _) => "pprof.gz",
        ([0x28, 0xb5, 0x2f, 0xfd, ..], _) => "pprof.zst",
        ([b'{', ..], Some(Kind::Heap)) => "heapprofile",
        ([b'{', ..], _) => "cpuprofile",
        _ => "pprof",
    }
}

/// Renames a file on the same disk. A missing file is not an error.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::write(to, error)),
        _ => Ok(()),
    }
}

/// Returns the stem of a profile's file name; `None` for files that are not the cache's profiles.
pub(super) fn profile_stem(name: &str) -> Option<&str> {
    let stem = EXTENSIONS
        .iter()
        .find_map(|extension| name.strip_suffix(extension)?.strip_suffix('.'))?;
    parse_stem(stem).map(|_| stem)
}

/// Returns the hash in a stem.
pub(super) fn hash_of(stem: &str) -> Option<&str> {
    parse_stem(stem).map(|(_, _, _, sha256)| sha256)
}

/// Returns the Worker in a stem as a part of a file's name, and the kind.
pub(super) fn target_of(stem: &str) -> Option<(&str, Option<Kind>)> {
    parse_stem(stem).map(|(worker, kind, ..)| (worker, kind))
}

/// Returns the name of a profile's description.
pub(super) fn description_name(profile: &Path) -> String {
    let name = profile
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    format!("{}.json", profile_stem(&name).unwrap_or(&name))
}

/// Returns the file's name, for the log: the folder is the same for all.
pub(super) fn shown(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or_default()).display()
}

/// Returns whether it is the name of a description.
pub(super) fn is_description(name: &str) -> bool {
    name.strip_suffix(".json")
        .is_some_and(|stem| parse_stem(stem).is_some())
}

/// Returns a capture from its file name alone.
pub(super) fn from_name(path: &Path, stem: &str, bytes: u64) -> Option<Capture> {
    let (worker, kind, time, sha256) = parse_stem(stem)?;
    Some(Capture {
        sha256: sha256.to_owned(),
        path: path.to_owned(),
        bytes,
        provenance: Provenance::of_file(worker, kind, None, time),
        summary: None,
        keeping: Keeping::default(),
    })
}

fn parse_stem(stem: &str) -> Option<(&str, Option<Kind>, SystemTime, &str)> {
    let (rest, sha256) = stem.rsplit_once('-')?;
    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let (rest, time) = rest.rsplit_once('-')?;
    // Later times can't be formatted as dates.
    let time = Duration::from_millis(time.parse().ok().filter(|millis| *millis < MILLIS_END)?);
    let time = UNIX_EPOCH.checked_add(time)?;
    let (worker, kind) = rest.rsplit_once('-')?;
    Some((worker, parse_kind(kind), time, sha256))
}

/// Returns the kind with this name.
fn parse_kind(name: &str) -> Option<Kind> {
    [Kind::Cpu, Kind::Heap]
        .into_iter()
        .find(|kind| kind.to_string() == name)
}

/// Returns a name from outside as part of a file name: it can't leave the folder, hide the file or name a device.
pub(super) fn slug(name: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
            c
        } else {
            '_'
        }
    };
    let slug: String = name.chars().take(SLUG_MAX).map(safe).collect();
    if slug.is_empty() || slug.starts_with(['.', '-']) {
        format!("_{slug}")
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_stay_inside_the_folder() {
        for (name, slug) in [
            ("checkout-api", "checkout-api"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            (".hidden", "_.hidden"),
            ("-rf", "_-rf"),
            ("", "_"),
            ("a/b\u{1b}[2Jé", "a_b__2J_"),
        ] {
            assert_eq!(super::slug(name), slug);
        }
        assert_eq!(super::slug(&"x".repeat(500)).len(), SLUG_MAX);
    }

    #[test]
    fn the_bytes_and_where_they_are_alike_the_kind_tell_the_ending() {
        for (bytes, kind, ending) in [
            (&b"\x1f\x8b\x08"[..], None, "pprof.gz"),
            (b"\x28\xb5\x2f\xfd", None, "pprof.zst"),
            (b"\x0a\x04", Some(Kind::Heap), "pprof"),
            (b"{\"nodes\":[]}", Some(Kind::Cpu), "cpuprofile"),
            (b"{\"head\":{}}", Some(Kind::Heap), "heapprofile"),
        ] {
            assert_eq!(extension(bytes, kind), ending);
        }
    }

    #[test]
    fn a_name_shows_what_it_was_made_of() {
        let hash = "ab".repeat(32);
        let name = format!("my-worker-heap-1700000000123-{hash}");
        let (worker, kind, time, sha256) = parse_stem(&name).unwrap();
        assert_eq!(
            (worker, kind, sha256),
            ("my-worker", Some(Kind::Heap), hash.as_str())
        );
        assert_eq!(time, UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
        assert!(parse_stem("notes").is_none() && parse_stem(&format!("x-{hash}")).is_none());
    }
}
