//! Loads source maps from files and folders, each with its bundle if that lies beside it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::formats::source_map::{Found, read};
use crate::formats::{self, FormatError, limits};
use crate::model::source_map::SourceMap;
use crate::model::text::address;
use crate::model::text::sanitize::printable;
use crate::runtime::files::absolute;

/// Maps read from one folder at most.
const FOLDER_MAX: usize = 256;
/// The extension of source maps.
const ENDING: &str = ".map";

/// Why a source map can't be loaded. One sentence, with the file's name, safe to print.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceMapError {
    /// The file can't be read.
    #[error("{name}: {source}")]
    File {
        /// The file.
        name: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It is not a valid source map.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A folder without source maps.
    #[error("{0}: there is no source map (*.map) in this folder")]
    Nothing(String),
    /// A bundle whose map is on a server.
    #[error("{name}: its map is at {url}, which is not fetched; give the map's file")]
    Remote {
        /// The bundle.
        name: String,
        /// The address of its map.
        url: String,
    },
}

/// Loads the source maps of paths: map files, bundles that contain or name one, folders with any number.
///
/// # Errors
/// [`SourceMapError`] at the first file that can't be used. In a folder, such files are skipped if others can be used.
pub fn load(paths: &[PathBuf]) -> Result<Vec<Arc<SourceMap>>, SourceMapError> {
    let mut maps = Vec::new();
    for path in paths {
        let path = absolute(path);
        if path.is_dir() {
            maps.extend(of_folder(&path)?);
        } else {
            maps.push(Arc::new(of_file(&path)?));
        }
    }
    Ok(maps)
}

fn of_folder(folder: &Path) -> Result<Vec<Arc<SourceMap>>, SourceMapError> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, error))?;
    let is_map = |path: &PathBuf| path.is_file() && path.to_string_lossy().ends_with(ENDING);
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(is_map)
        .collect();
    files.sort();
    files.truncate(FOLDER_MAX);
    let (mut maps, mut first_error) = (Vec::new(), None);
    for file in files {
        match of_file(&file) {
            Ok(map) => maps.push(Arc::new(map)),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match first_error {
        _ if !maps.is_empty() => Ok(maps),
        Some(error) => Err(error),
        None => Err(SourceMapError::Nothing(shown(folder))),
    }
}

fn of_file(path: &Path) -> Result<SourceMap, SourceMapError> {
    let bytes = bytes_of(path)?;
    let map = match read(&bytes, &name_of(path))? {
        Found::Map(map) if map.has_bundle() => return Ok(*map),
        Found::Map(map) => *map,
        Found::Elsewhere(url) => {
            // A bundle with its map beside it. Addresses and paths outside the folder are not followed.
            let beside = beside(path, &address::path(&url)).filter(|_| !url.contains("://"));
            let beside = beside.ok_or_else(|| remote(path, &url))?;
            return match read(&bytes_of(&beside)?, &name_of(&beside))? {
                Found::Map(map) => Ok(with_text(*map, &bytes)),
                Found::Elsewhere(url) => Err(remote(&beside, &url)),
            };
        }
    };
    let text = bundle_of(path, &map).and_then(|bundle| bytes_of(&bundle).ok());
    Ok(match text {
        Some(text) => with_text(map, &text),
        None => map,
    })
}

/// Returns the bundle beside a map: named like the map without its extension, else as the map says.
fn bundle_of(path: &Path, map: &SourceMap) -> Option<PathBuf> {
    let name = name_of(path);
    let by_name = name
        .strip_suffix(ENDING)
        .filter(|name| name.ends_with("js"))
        .and_then(|name| beside(path, name));
    let by_map = map.file().and_then(|file| beside(path, file));
    by_name
        .into_iter()
        .chain(by_map)
        .find(|bundle| bundle != path && bundle.is_file())
}

fn with_text(map: SourceMap, bytes: &[u8]) -> SourceMap {
    map.with_bundle(&formats::text(bytes))
}

/// Returns the file of that name in the same folder; `None` if the name leads out of it.
fn beside(path: &Path, name: &str) -> Option<PathBuf> {
    let name = Path::new(name.trim_start_matches("./"));
    (name.file_name()? == name.as_os_str()).then(|| path.with_file_name(name))
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, SourceMapError> {
    let mut bytes = Vec::new();
    let limit = limits::MAP_BYTES as u64 + 1;
    let file = File::open(path).map_err(|error| failed(path, error))?;
    file.take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(path, error))?;
    Ok(bytes)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

fn failed(path: &Path, source: io::Error) -> SourceMapError {
    SourceMapError::File {
        name: shown(path),
        source,
    }
}

fn remote(path: &Path, url: &str) -> SourceMapError {
    SourceMapError::Remote {
        name: shown(path),
        url: printable(url).chars().take(200).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = r#"{"version":3,"file":"out.js","sources":["a.ts"],"names":["add"],"mappings":"AAAA,SAASA"}"#;

    #[test]
    fn a_bundle_beside_the_map_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        put("worker.js.map", MAP);
        let map = || load(&[dir.path().join("worker.js.map")]).unwrap().remove(0);
        assert!(!map().has_bundle());
        put("out.js", "function a(){}");
        assert!(map().has_bundle(), "by the name in the map");
        assert_eq!(map().name(), "worker.js.map");
    }

    #[test]
    fn a_bundle_names_its_map() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        let bundle = [dir.path().join("worker.js")];
        put(
            "worker.js",
            "function a(){}\n//# sourceMappingURL=worker.js.map\n",
        );
        assert!(
            matches!(load(&bundle), Err(SourceMapError::File { .. })),
            "the map is not there"
        );
        put("worker.js.map", MAP);
        assert!(load(&bundle).unwrap()[0].has_bundle());
        for url in [
            "https://example.com/worker.js.map",
            "../worker.js.map",
            "/etc/passwd",
        ] {
            put(
                "worker.js",
                &format!("function a(){{}}\n//# sourceMappingURL={url}"),
            );
            assert!(
                matches!(load(&bundle), Err(SourceMapError::Remote { .. })),
                "{url}"
            );
        }
        let inline = data_encoding::BASE64.encode(MAP.as_bytes());
        put(
            "worker.js",
            &format!(
                "function a(){{}}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,{inline}"
            ),
        );
        assert!(load(&bundle).unwrap()[0].has_bundle());
    }

    #[test]
    fn a_folder_gives_all_its_maps() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(
            load(&[dir.path().to_owned()]),
            Err(SourceMapError::Nothing(_))
        ));
        fs::write(dir.path().join("b.js.map"), "{}").unwrap();
        assert!(
            matches!(
                load(&[dir.path().to_owned()]),
                Err(SourceMapError::Format(_))
            ),
            "the only one is broken"
        );
        fs::write(dir.path().join("a.js.map"), MAP).unwrap();
        let names: Vec<String> = load(&[dir.path().to_owned()])
            .unwrap()
            .iter()
            .map(|map| map.name().to_owned())
            .collect();
        assert_eq!(names, ["a.js.map"]);
    }
}
