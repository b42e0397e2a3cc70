//! Output of commands: standard output, or a file that is written atomically.

use std::io;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::connect::note;
use crate::cli::{CliError, CliResult};
use crate::model::text::sanitize::{json_safe, printable};
use crate::runtime::files;
use crate::runtime::files::FileError;

/// Returns the terminal's columns; `None` if standard output is not a terminal and lines are not cut.
pub(super) fn terminal_columns() -> Option<usize> {
    let (columns, _) = io::stdout()
        .is_terminal()
        .then(|| crossterm::terminal::size().ok())
        .flatten()?;
    (columns > 0).then_some(columns.into())
}

/// A destination, checked before long work starts.
pub(super) struct Output(Option<PathBuf>);

impl Output {
    /// Returns the destination of a path; `-` is standard output.
    ///
    /// # Errors
    /// [`CliError`] if the path can't be written to, or binary data would go to a terminal without `force`.
    pub(super) fn new(path: &Path, is_binary: bool, force: bool) -> Result<Self, CliError> {
        if path == Path::new("-") {
            if is_binary && io::stdout().is_terminal() && !force {
                let message =
                    "this is binary data: use -o FILE, or --force to write it to the terminal";
                return Err(CliError::Usage(message.to_owned()));
            }
            return Ok(Self(None));
        }
        let path = files::absolute(path);
        files::check(&path, true)
            .and_then(|()| files::probe(&path))
            .map_err(|error| unwritten(&error))?;
        Ok(Self(Some(path)))
    }

    /// Returns the columns of the terminal that it writes to; `None` for anything else.
    pub(super) fn columns(&self) -> Option<usize> {
        terminal_columns().filter(|_| self.0.is_none())
    }

    /// Writes the bytes; replaces an existing file.
    ///
    /// # Errors
    /// [`CliError`] if they can't be written.
    pub(super) fn write(&self, bytes: &[u8]) -> CliResult {
        match &self.0 {
            None => Ok(io::stdout().lock().write_all(bytes)?),
            Some(path) => put(path, bytes).map_err(|error| unwritten(&error)),
        }
    }
}

/// Prints a value as indented JSON, with control characters escaped.
///
/// # Errors
/// [`CliError`] if it can't be written.
pub(super) fn print_json(out: &mut impl io::Write, value: &impl serde::Serialize) -> CliResult {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| CliError::Fault(error.to_string()))?;
    Ok(writeln!(out, "{}", json_safe(text))?)
}

/// Prints a path on a line of its own: sanitized on a terminal, byte for byte otherwise.
///
/// # Errors
/// [`CliError`] if it can't be written.
pub(super) fn print_path(out: &mut impl io::Write, path: &Path) -> CliResult {
    if io::stdout().is_terminal() {
        return Ok(writeln!(out, "{}", printable(&path.to_string_lossy()))?);
    }
    out.write_all(path.as_os_str().as_encoded_bytes())?;
    Ok(writeln!(out)?)
}

/// Writes a file, with a note if its folder was created: a typo in the path would go unseen.
///
/// # Errors
/// [`FileError`]; the file is then unchanged.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let made = files::missing_folder(path);
    files::write(path, bytes, true)?;
    if let Some(made) = made {
        note(&format!(
            "created the folder {}",
            printable(&made.to_string_lossy())
        ));
    }
    Ok(())
}

fn unwritten(error: &FileError) -> CliError {
    CliError::failed(printable(&error.to_string()).into_owned())
}
