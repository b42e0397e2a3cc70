//! The user's own themes, as unparsed text.

use std::path::PathBuf;

use crate::config::{Environment, config_dir};

/// Most files that are read: a wrong folder must not delay the start.
const COUNT_MAX: usize = 100;
/// Largest file that is read, in bytes.
const FILE_MAX: u64 = 256 << 10;

/// A theme's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeFile {
    /// The file's name without `.toml`, which is the theme's.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Its text; empty if it can't be read.
    pub text: String,
}

/// Returns the themes in the folder `themes` beside the configuration, by name; none without the folder.
#[must_use]
pub fn own_themes(environment: &Environment) -> Vec<ThemeFile> {
    let Some(entries) =
        config_dir(environment).and_then(|dir| std::fs::read_dir(dir.join("themes")).ok())
    else {
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .take(COUNT_MAX)
        .collect();
    paths.sort();
    paths.into_iter().filter_map(read).collect()
}

fn read(path: PathBuf) -> Option<ThemeFile> {
    let name = path.file_stem()?.to_str()?.to_owned();
    let found = std::fs::metadata(&path).ok()?;
    let text = if found.is_file() && found.len() <= FILE_MAX {
        std::fs::read_to_string(&path).ok()?
    } else {
        return None;
    };
    Some(ThemeFile { name, path, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn themes_are_the_toml_files_of_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::of(&[("XDG_CONFIG_HOME", folder.path().to_str().unwrap())]);
        assert_eq!(own_themes(&environment), []);
        let themes = folder.path().join("flarescope/themes");
        std::fs::create_dir_all(themes.join("folder.toml")).unwrap();
        std::fs::write(themes.join("b.toml"), "inherits = \"ember\"").unwrap();
        std::fs::write(themes.join("a.toml"), "").unwrap();
        std::fs::write(themes.join("bytes.toml"), [0xff, 0xfe]).unwrap();
        std::fs::write(themes.join("notes.txt"), "x").unwrap();
        let found = own_themes(&environment);
        assert_eq!(
            found
                .iter()
                .map(|theme| theme.name.as_str())
                .collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(found[1].text, "inherits = \"ember\"");
    }
}
