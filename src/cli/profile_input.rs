//! FILE arguments: a path, `-`, or a prefix of a capture's hash; several become one profile.

use std::fs::File;
use std::io;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::app::{Source, merge_sources};
use crate::cli::{CliError, connect};
use crate::config::Environment;
use crate::formats;
use crate::model::cloudflare::Capture;
use crate::model::text::sanitize::printable;
use crate::store::StoreError;

/// Loads profiles and merges them. Also returns a warning on what could not be merged.
///
/// # Errors
/// [`CliError::Failed`], naming the file, or saying why they can't be merged; [`CliError::Usage`] for standard input twice.
pub(super) fn load(paths: &[PathBuf]) -> Result<(Source, Option<String>), CliError> {
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(CliError::Usage(
            "standard input can be read only once".to_owned(),
        ));
    }
    let sources = paths
        .iter()
        .map(|path| one(path))
        .collect::<Result<Vec<_>, _>>()?;
    merge_sources(sources)
        .map_err(|error| CliError::failed(printable(&error.to_string()).into_owned()))
}

/// Loads a profile, with its provenance if it is a capture, given by path or by hash, or a
/// copy of one. A file takes precedence over a hash.
///
/// # Errors
/// [`CliError::Failed`], naming the file.
pub(super) fn one(path: &Path) -> Result<Source, CliError> {
    let failed = |error: formats::FormatError| CliError::failed(error.to_string());
    let text = path.to_string_lossy();
    if text == "-" {
        let name = "standard input".to_owned();
        let profile = formats::read(io::stdin(), &name).map_err(failed)?;
        return Ok(Source::new(profile, name));
    }
    match File::open(path) {
        Ok(file) => {
            let profile = formats::read(file, &text).map_err(failed)?;
            // A path that `capture` printed, or a copy of that file: it has a description.
            let capture = connect::store(&Environment::of_process())
                .ok()
                .and_then(|store| store.like(path).inspect(|capture| store.touch(capture)));
            Ok(match capture {
                Some(capture) => Source::of_capture(profile, capture),
                None => Source::of_file(profile, path.to_owned()),
            })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => match kept(&text)? {
            Some((capture, bytes)) => {
                let profile =
                    formats::read(Cursor::new(bytes), &capture.target().worker).map_err(failed)?;
                Ok(Source::of_capture(profile, capture))
            }
            None => Err(CliError::failed(format!("{}: {error}", printable(&text)))),
        },
        Err(error) => Err(CliError::failed(format!("{}: {error}", printable(&text)))),
    }
}

/// Returns the capture whose hash begins with a text; `None` if the text can't be a hash.
fn kept(text: &str) -> Result<Option<(Capture, Vec<u8>)>, CliError> {
    let store = connect::store(&Environment::of_process())?;
    match store.find(text) {
        Ok(capture) => {
            let bytes = store.read(&capture)?;
            store.touch(&capture);
            Ok(Some((capture, bytes)))
        }
        Err(StoreError::Ambiguous(_)) => Err(CliError::failed(format!(
            "several captures' hashes begin with {text}"
        ))),
        Err(_) => Ok(None),
    }
}
