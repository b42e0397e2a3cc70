//! What a command's FILE may be: a path, `-`, or the beginning of a kept capture's hash.

use std::fs::File;
use std::io::{self, Cursor};
use std::path::Path;

use super::{CliError, connect};
use crate::config::Environment;
use crate::formats;
use crate::model::printable::printable;
use crate::model::profile::Profile;
use crate::model::target::Capture;
use crate::store::StoreError;

/// A profile, and what is known of it.
pub(super) struct Source {
    /// The profile.
    pub(super) profile: Profile,
    /// The capture, where it is a kept one.
    pub(super) capture: Option<Capture>,
    /// The Worker's or the file's name.
    pub(super) name: String,
}

/// Reads a profile. A file of that name goes before a capture whose hash begins so.
///
/// # Errors
/// [`CliError::Failed`], naming the file.
pub(super) fn load(path: &Path) -> Result<Source, CliError> {
    let failed = |error: formats::FormatError| CliError::failed(error.to_string());
    let text = path.to_string_lossy();
    if text == "-" {
        let name = "standard input".to_owned();
        return Ok(Source { profile: formats::read(io::stdin(), &name).map_err(failed)?, capture: None, name });
    }
    match File::open(path) {
        Ok(file) => {
            let profile = formats::read(file, &text).map_err(failed)?;
            let name = path.file_name().map_or_else(|| text.to_string(), |name| name.to_string_lossy().into_owned());
            Ok(Source { profile, capture: None, name })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => match kept(&text)? {
            Some((capture, bytes)) => {
                let profile = formats::read(Cursor::new(bytes), &capture.worker).map_err(failed)?;
                let name = capture.worker.clone();
                Ok(Source { profile, capture: Some(capture), name })
            }
            None => Err(CliError::failed(format!("{}: {error}", printable(&text)))),
        },
        Err(error) => Err(CliError::failed(format!("{}: {error}", printable(&text)))),
    }
}

/// The kept capture whose hash begins with a text, if the text can be one.
fn kept(text: &str) -> Result<Option<(Capture, Vec<u8>)>, CliError> {
    let store = connect::store(&Environment::of_process())?;
    match store.find(text) {
        Ok(capture) => {
            let bytes = store.read(&capture)?;
            Ok(Some((capture, bytes)))
        }
        Err(StoreError::Ambiguous(_)) => Err(CliError::failed(format!("several captures' hashes begin with {text}"))),
        Err(_) => Ok(None),
    }
}
