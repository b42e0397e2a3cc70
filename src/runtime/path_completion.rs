//! Path completion: the paths that begin with the typed text.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};

use crate::runtime::files::absolute;

/// Most names that are read from a folder.
const NAMES_MAX: usize = 50_000;

/// Returns the completions of a path's last part, sorted; folders end in `/`. Hidden names are included only if the part
/// begins with a dot. Names that can't be typed are left out.
pub(super) fn fitting(typed: &str) -> Vec<String> {
    if typed == "~" {
        return vec!["~/".to_owned()];
    }
    let (folder, begun) = typed
        .rfind(['/', MAIN_SEPARATOR])
        .map_or(("", typed), |at| typed.split_at(at + 1));
    let folder = absolute(Path::new(if folder.is_empty() { "." } else { folder }));
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .take(NAMES_MAX);
    let fits = |name: &String| {
        name.starts_with(begun)
            && (begun.starts_with('.') || !name.starts_with('.'))
            && !name.chars().any(char::is_control)
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(&fits)?;
            // Links are followed.
            let is_folder = fs::metadata(entry.path()).is_ok_and(|found| found.is_dir());
            Some(if is_folder { name + "/" } else { name })
        })
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_alike_fit_and_folders_are_marked() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "worker.js",
            "worker.js.map",
            "other",
            ".hidden",
            "work\u{1b}[31m",
        ] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        fs::create_dir(dir.path().join("works here")).unwrap();
        let fit = |begun: &str| fitting(&format!("{}/{begun}", dir.path().display()));
        assert_eq!(fit("work"), ["worker.js", "worker.js.map", "works here/"]);
        assert_eq!(fit("works"), ["works here/"]);
        assert_eq!(
            fit(""),
            ["other", "worker.js", "worker.js.map", "works here/"]
        );
        assert_eq!(fit("."), [".hidden"]);
        assert_eq!(fit("none"), [""; 0]);
        assert_eq!(fit("none/at/all"), [""; 0]);
    }

    #[test]
    fn a_tilde_is_the_home_folder() {
        assert_eq!(fitting("~"), ["~/"]);
        let home = directories::BaseDirs::new()
            .unwrap()
            .home_dir()
            .display()
            .to_string();
        assert_eq!(fitting("~/"), fitting(&format!("{home}/")));
    }
}
