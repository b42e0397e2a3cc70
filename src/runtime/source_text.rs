//! Finds the source text of a function's file: in the source maps that gave its name, else below the user's source folder.

use std::fs;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::model::source_map::SourceMap;
use crate::model::text::source_text::Code;

/// Size of the largest source file that is read, in bytes.
const BYTES_MAX: u64 = 64 << 20;

/// Returns the text of a file as profiles name it; `None` if it is not found.
#[must_use]
pub fn find(file: &str, maps: &[Arc<SourceMap>], root: Option<&Path>) -> Option<Code> {
    let of_map = maps.iter().find_map(|map| map.text_of(file));
    if let Some(text) = of_map {
        return Some(Code::new(text));
    }
    if let Some(text) = root.and_then(|root| below(root, file)) {
        return Some(Code::new(&text));
    }
    // The bundle itself, if it lies beside its map.
    let bundle = maps.iter().find_map(|map| map.bundle_text(file));
    bundle.map(|text| Code::new(&text))
}

/// Returns a file below a folder: at its whole path, else at the longest suffix that exists. Paths in profiles are
/// untrusted and never lead out of the folder.
fn below(root: &Path, file: &str) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let path = file
        .split_once("://")
        .map_or(file, |(_, path)| path)
        .replace('\\', "/");
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .collect();
    for from in 0..parts.len() {
        let relative: PathBuf = parts.get(from..)?.iter().collect();
        if relative
            .components()
            .any(|part| !matches!(part, Component::Normal(_)))
        {
            continue;
        }
        // A symlink may lead out of the folder.
        let Ok(whole) = root.join(relative).canonicalize() else {
            continue;
        };
        if whole.starts_with(&root) && fs::metadata(&whole).is_ok_and(|found| found.is_file()) {
            return text(&whole);
        }
    }
    None
}

fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(BYTES_MAX)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_below_the_folder_and_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("project");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/cart.ts"), "cart").unwrap();
        fs::write(dir.path().join("secret"), "secret").unwrap();
        let found = |file: &str| below(&root, file);
        for file in [
            "src/cart.ts",
            "/home/dana/shop/src/cart.ts",
            "file:///bundle/src/cart.ts",
            "../../src/cart.ts",
            "cart/src\\cart.ts",
        ] {
            assert_eq!(found(file).as_deref(), Some("cart"), "{file}");
        }
        for file in [
            "../secret",
            "secret",
            "src",
            "",
            "src/../../secret",
            "cart.ts",
        ] {
            assert_eq!(found(file), None, "{file}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("secret"), root.join("src/link.ts"))
                .unwrap();
            assert_eq!(found("src/link.ts"), None, "a link that leads out");
        }
    }
}
