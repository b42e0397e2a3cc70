//! What a command's FILE may be: a path, `-`, or the beginning of a kept capture's hash; several are one profile.

use std::fs::File;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use crate::app::{Source, merge_sources};
use crate::cli::{CliError, connect};
use crate::config::Environment;
use crate::formats;
use crate::model::cloudflare::Capture;
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::store::StoreError;

/// Reads profiles, and makes one of them if there are several. Answers with it what could not be taken over.
///
/// # Errors
/// [`CliError::Failed`], naming the file, or saying why they can't be one; [`CliError::Usage`] for standard input twice.
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

/// Reads a profile. What is known of a kept capture comes with it, by its path as by its hash, and with a
/// copy of it. A file of that name goes before a capture whose hash begins so.
///
/// # Errors
/// [`CliError::Failed`], naming the file.
pub(super) fn one(path: &Path) -> Result<Source, CliError> {
    let source = |profile: Profile, name: String| Source {
        profile: profile.into(),
        capture: None,
        name,
        path: None,
        members: Vec::new(),
        names: None,
    };
    let failed = |error: formats::FormatError| CliError::failed(error.to_string());
    let text = path.to_string_lossy();
    if text == "-" {
        let name = "standard input".to_owned();
        return Ok(source(
            formats::read(io::stdin(), &name).map_err(failed)?,
            name,
        ));
    }
    match File::open(path) {
        Ok(file) => {
            let profile = formats::read(file, &text).map_err(failed)?;
            // What `capture` prints, or a copy of it: more is known of it than its name.
            let capture = connect::store(&Environment::of_process())
                .ok()
                .and_then(|store| store.like(path));
            if let Some(capture) = capture {
                let name = capture.worker.clone();
                return Ok(Source {
                    capture: Some(capture),
                    ..source(profile, name)
                });
            }
            let name = path.file_name().map_or_else(
                || text.to_string(),
                |name| name.to_string_lossy().into_owned(),
            );
            Ok(Source {
                path: Some(path.to_owned()),
                ..source(profile, name)
            })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => match kept(&text)? {
            Some((capture, bytes)) => {
                let profile = formats::read(Cursor::new(bytes), &capture.worker).map_err(failed)?;
                let name = capture.worker.clone();
                Ok(Source {
                    capture: Some(capture),
                    ..source(profile, name)
                })
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
        Err(StoreError::Ambiguous(_)) => Err(CliError::failed(format!(
            "several captures' hashes begin with {text}"
        ))),
        Err(_) => Ok(None),
    }
}
