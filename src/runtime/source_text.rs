//! Finds the source text of a function's file: in the source maps that gave its name, else below the user's source folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::formats;
use crate::model::source_map::SourceMap;
use crate::model::text::address;
use crate::model::text::sanitize::printable;
use crate::model::text::source_text::Code;

/// Size of the largest source file that is read, in bytes.
const BYTES_MAX: u64 = 64 << 20;
/// Files and folders that are looked at for the only one of a name.
const ENTRIES_MAX: usize = 20_000;
/// Folders that hold other people's files of the same names.
const OTHERS: [&str; 2] = ["node_modules", ".git"];

/// Returns the text of a file as profiles name it; `None` if it is not found.
#[must_use]
pub fn find(file: &str, maps: &[Arc<SourceMap>], root: Option<&Path>) -> Option<Code> {
    let code = |text: &str| {
        if is_script(file) {
            Code::of_script(text)
        } else {
            Code::new(text)
        }
    };
    if let Some(text) = maps.iter().find_map(|map| map.text_of(file)) {
        return Some(code(text));
    }
    if let Some((text, path)) = root.and_then(|root| below(root, file)) {
        let mut code = code(&text);
        code.read_from = Some(printable(&path).into_owned());
        return Some(code);
    }
    // The bundle itself, if it is beside its map.
    let bundle = maps.iter().find_map(|map| map.bundle_text(file));
    bundle.map(|text| code(&text))
}

/// Whether V8 counts the lines of a file. What has no extension may be a script.
fn is_script(file: &str) -> bool {
    let name = address::file_name(file);
    name.rsplit_once('.').is_none_or(|(_, extension)| {
        let letters = extension
            .trim_start_matches(['c', 'm'])
            .trim_end_matches('x');
        matches!(letters, "js" | "ts")
    })
}

/// Returns the text of a file below a folder, and its path there.
fn below(root: &Path, file: &str) -> Option<(String, String)> {
    let path = locate(root, file)?;
    let root = root.canonicalize().ok()?;
    let shown = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy();
    Some((text(&path)?, shown.into_owned()))
}

/// Returns the path of a file below a folder, symlinks resolved. Paths in profiles are untrusted and never lead out of the
/// folder.
#[must_use]
pub fn locate(root: &Path, file: &str) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let as_written = match file.split_once("://") {
        Some((_, path)) => path,
        None => file,
    };
    // Only an address is decoded first, as a path may have percent signs of its own.
    let decoded = address::path(as_written);
    let mut names = [&*decoded, as_written];
    if as_written.len() == file.len() {
        names.reverse();
    }
    names.into_iter().find_map(|name| located(&root, name))
}

/// Returns the file below a folder that has the longest end of a path in common with a wanted one: at least two parts, or
/// all of it, unless there is only one file of that name.
fn located(root: &Path, wanted: &str) -> Option<PathBuf> {
    let wanted = wanted.replace('\\', "/");
    let wanted: Vec<&str> = wanted
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .collect();
    for from in 0..wanted.len() {
        let relative: PathBuf = wanted.get(from..)?.iter().collect();
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
        let is_file = fs::metadata(&whole).is_ok_and(|found| found.is_file());
        if whole.starts_with(root) && is_file && (from == 0 || in_common(&whole, &wanted) >= 2) {
            return Some(whole);
        }
    }
    let same = same_names(root, wanted.last()?);
    let longest = same.iter().map(|path| in_common(path, &wanted)).max()?;
    let mut best = same
        .iter()
        .filter(|path| in_common(path, &wanted) == longest);
    let first = best.next()?;
    let is_certain = best.next().is_none() && (longest >= 2 || same.len() == 1);
    is_certain.then(|| first.clone())
}

/// Counts the parts that the ends of two paths have in common.
fn in_common(path: &Path, wanted: &[&str]) -> usize {
    let parts = path.components().rev().map(Component::as_os_str);
    parts
        .zip(wanted.iter().rev())
        .take_while(|(part, wanted)| *part == **wanted)
        .count()
}

/// Lists the files of a name below a folder; none if there is too much to look at.
fn same_names(root: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    let mut entries = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > ENTRIES_MAX {
                return Vec::new();
            }
            // Symlinks are not followed: neither out of the folder nor in circles.
            match entry.file_type() {
                Ok(kind) if kind.is_file() && entry.file_name() == name => found.push(entry.path()),
                Ok(kind) if kind.is_dir() => {
                    let is_other = OTHERS.iter().any(|other| entry.file_name() == *other);
                    folders.extend((!is_other).then(|| entry.path()));
                }
                _ => {}
            }
        }
    }
    found
}

fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(BYTES_MAX)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(formats::text(&bytes).into_owned())
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
        let found = |file: &str| below(&root, file).map(|(text, _)| text);
        for file in [
            "src/cart.ts",
            "/home/dana/shop/src/cart.ts",
            "file:///bundle/src/cart.ts",
            "../../src/cart.ts",
            "cart/src\\cart.ts",
            // The only one of its name.
            "cart.ts",
            "/elsewhere/cart.ts",
        ] {
            assert_eq!(found(file).as_deref(), Some("cart"), "{file}");
        }
        for file in [
            "../secret",
            "secret",
            "src",
            "",
            "src/../../secret",
            "src/%2e%2e/%2e%2e/secret",
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

    #[test]
    fn a_namesake_is_not_taken_for_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        let put = |path: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
        };
        let found = |file: &str| below(&root, file).map(|(_, path)| path.replace('\\', "/"));
        for path in [
            "main.js",
            "my app/main.js",
            "a/index.ts",
            "b/index.ts",
            "100%25/x.js",
        ] {
            put(path);
        }
        for (file, expected) in [
            (
                "file:///home/dev/root/my%20app/main.js",
                Some("my app/main.js"),
            ),
            (
                "file:///home/dev/root/my%20app/main.js?v=3",
                Some("my app/main.js"),
            ),
            ("/home/dev/root/main.js", Some("main.js")),
            ("/home/dev/other/main.js", None),
            ("main.js", Some("main.js")),
            ("b/index.ts", Some("b/index.ts")),
            ("c/index.ts", None),
            ("100%25/x.js", Some("100%25/x.js")),
        ] {
            assert_eq!(found(file).as_deref(), expected, "{file}");
        }
        // With another name in the folder the first is certain.
        fs::remove_file(root.join("main.js")).unwrap();
        assert_eq!(
            found("/home/dev/other/main.js").as_deref(),
            Some("my app/main.js")
        );
    }
}
