//! The log: one line an event, appended to the file that the user names.
//!
//! The rooms report events through `tracing`; without a log those cost a comparison each. A line is logfmt, `TIME PID EVENT
//! key=value …`: every value is escaped and cut here, so no caller can break a line or send a terminal anything. Each line
//! is one write to a file opened for appending, so several processes can share a log. Weak point: the file is opened for
//! every line, which suits a few lines a second and no more.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;
use std::{fmt, fs, io};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber, span};

/// Size at which the file is renamed and a new one begun, in bytes.
pub const LOG_MAX: u64 = 4 << 20;
/// Longest value, in characters.
const VALUE_MAX: usize = 200;

/// The file in use, once [`start`] has succeeded.
static FILE: OnceLock<PathBuf> = OnceLock::new();

/// The log can't be written.
#[derive(Debug, thiserror::Error)]
#[error("the log {} can't be written: {source}", path.display())]
pub struct LogError {
    path: PathBuf,
    source: io::Error,
}

/// Starts logging to this file for the rest of the process. Later failures are ignored.
///
/// # Errors
/// [`LogError`] if the file is not a regular one or can't be opened for appending by its owner alone.
pub fn start(path: &Path) -> Result<(), LogError> {
    let failed = |source| LogError {
        path: path.to_owned(),
        source,
    };
    let path = std::path::absolute(path).map_err(failed)?;
    let file = open(&path).map_err(failed)?;
    close_to_others(&file).map_err(failed)?;
    let log = Log {
        path: FILE.get_or_init(|| path).clone(),
        max: LOG_MAX,
    };
    // Fails only if the process logs already.
    let _ = tracing::subscriber::set_global_default(log);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Only the location: the message may quote anything.
        tracing::error!(at = panic.location().map(tracing::field::display), "panic");
        before(panic);
    }));
    Ok(())
}

/// Returns the log's file; `None` if nothing is logged.
#[must_use]
pub fn file() -> Option<&'static Path> {
    FILE.get().map(PathBuf::as_path)
}

/// Returns the file that a full log becomes.
#[must_use]
pub fn rotated(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

/// Writes this crate's events to a file.
struct Log {
    path: PathBuf,
    max: u64,
}

impl Log {
    fn append(&self, line: &str) -> io::Result<()> {
        let mut file = open(&self.path)?;
        if file.metadata()?.len() + line.len() as u64 > self.max && self.rotate(&file)? {
            file = open(&self.path)?;
        }
        file.write_all(line.as_bytes())
    }

    /// Returns whether the path leads to another file now. Only the process with the lock of the full file renames it, and only
    /// while the path still leads to it: a second rename would replace the full log by a nearly empty one.
    fn rotate(&self, full: &File) -> io::Result<bool> {
        if full.try_lock().is_err() {
            return Ok(true);
        }
        let now = fs::metadata(&self.path).map_or(0, |found| found.len());
        if now < full.metadata()?.len() {
            return Ok(true);
        }
        if fs::rename(&self.path, rotated(&self.path)).is_err() {
            // If the folder can't be changed, the log is truncated, so that it stays bounded.
            full.set_len(0)?;
            return Ok(false);
        }
        Ok(true)
    }
}

/// Opens a regular file for appending, and creates it if needed: a pipe without a reader would block the program.
fn open(path: &Path) -> io::Result<File> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is not a regular file")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = File::options();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
fn close_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    if file.metadata()?.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn close_to_others(_: &File) -> io::Result<()> {
    Ok(())
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target().split("::").next();
        metadata.is_event() && target == Some(env!("CARGO_CRATE_NAME"))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::INFO)
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let time = humantime::format_rfc3339_millis(SystemTime::now());
        let (pid, Fields { name, rest }) = (std::process::id(), fields);
        // A log that fails must not disturb the program.
        let _ = self.append(&format!("{time} {pid} {name}{rest}\n"));
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// An event's fields as they are written.
#[derive(Default)]
struct Fields {
    /// The event's message.
    name: String,
    /// ` key=value` of each other field.
    rest: String,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.name = escaped(value);
        } else {
            let _ = write!(self.rest, " {}={}", field.name(), escaped(value));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

/// Returns the value as one word: quoted and escaped unless it is plain, and truncated if it is long.
fn escaped(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '=');
    let cut = match value.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    };
    if !cut.is_empty() && cut.chars().all(is_plain) {
        cut
    } else {
        format!("{cut:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_one_word_without_control_characters_and_cut() {
        for (value, expected) in [
            ("GET", "GET"),
            ("/accounts/{account}", "/accounts/{account}"),
            ("", r#""""#),
            ("a b", r#""a b""#),
            ("x\ny=\"z\"", r#""x\ny=\"z\"""#),
            ("\u{1b}[2J\u{9b}1m", r#""\u{1b}[2J\u{9b}1m""#),
            ("api\u{202e}cod", r#""api\u{202e}cod""#),
            ("café", r#""café""#),
        ] {
            assert_eq!(escaped(value), expected);
        }
        assert_eq!(
            escaped(&"x".repeat(500)),
            format!("{:?}", "x".repeat(200) + "…")
        );
    }

    #[test]
    fn a_full_file_is_renamed_once_and_the_log_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log {
            path: dir.path().join("log"),
            max: 100,
        };
        for number in 0..25 {
            log.append(&format!("{number:>9}\n")).unwrap();
        }
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        let (old, new) = (read(&rotated(&log.path)), read(&log.path));
        assert_eq!(
            old.lines().map(str::trim).collect::<Vec<_>>(),
            ["10", "11", "12", "13", "14", "15", "16", "17", "18", "19"]
        );
        assert_eq!(new.lines().count(), 5);
    }

    #[test]
    fn writers_at_once_keep_every_line_whole() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log {
            path: dir.path().join("log"),
            max: 100_000,
        };
        let line = |writer: usize| format!("{}\n", writer.to_string().repeat(99));
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (log, line) = (&log, line(writer));
                scope.spawn(move || (0..300).for_each(|_| log.append(&line).unwrap()));
            }
        });
        let mut lines = fs::read_to_string(rotated(&log.path)).unwrap();
        lines.push_str(&fs::read_to_string(&log.path).unwrap());
        assert_eq!(lines.lines().count(), 1200);
        let whole: Vec<_> = (0..4).map(line).collect();
        assert!(
            lines
                .split_inclusive('\n')
                .all(|line| whole.contains(&line.to_owned()))
        );
    }
}
