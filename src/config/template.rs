//! The configuration template: every entry, commented out.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::config::first_run::create_private_dir;

/// The text of the template.
pub const TEMPLATE: &str = include_str!("config.toml");

/// Writes the template, readable by its owner only. An existing file is never overwritten.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if the file exists; other errors of the system.
pub fn write_template(path: &Path) -> io::Result<()> {
    if let Some(dir) = path
        .parent()
        .filter(|dir| !dir.as_os_str().is_empty() && !dir.exists())
    {
        create_private_dir(dir)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(TEMPLATE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Settings;
    use crate::config::{File, parse};

    /// The template with every entry uncommented.
    fn uncommented() -> String {
        let is_entry = |line: &str| {
            line.split_once(" = ").is_some_and(|(key, _)| {
                key.chars()
                    .all(|c| c.is_ascii_lowercase() || c == '_' || c == '-')
            })
        };
        let line = |line: &'static str| {
            line.strip_prefix("# ")
                .filter(|rest| is_entry(rest))
                .unwrap_or(line)
        };
        TEMPLATE.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn as_it_is_it_changes_nothing_and_taken_out_it_says_what_is_so_anyway() {
        let path = Path::new("c.toml");
        let first = parse::parse(path, TEMPLATE).unwrap();
        let nothing = File {
            path: Some(path.to_owned()),
            ..File::default()
        };
        assert_eq!(
            File {
                lines: nothing.lines.clone(),
                ..first
            },
            nothing
        );

        let all = parse::parse(path, &uncommented()).unwrap();
        let settings = Settings::default();
        assert_eq!(all.theme.as_deref(), Some("ember"));
        assert_eq!(
            (all.truecolor, all.ascii, all.mouse),
            (Some(false), Some(false), Some(false))
        );
        assert_eq!(all.quota, Some(crate::config::QUOTA));
        assert_eq!(
            (all.kind, all.window),
            (Some(settings.kind), Some(settings.window))
        );
        assert_eq!(all.columns, Some(settings.columns));
        assert!(all.account.is_some() && all.token_command.is_some());
        for row in crate::app::COMMANDS {
            if let Some(own) = all.keys.own(row.command) {
                assert_eq!(own, settings.keys.of(row), "{}", row.name);
            }
        }
    }

    #[test]
    fn a_file_that_is_there_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/config.toml");
        write_template(&path).unwrap();
        fs::write(&path, "theme = \"mono\"").unwrap();
        assert_eq!(
            write_template(&path).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "theme = \"mono\"");
    }
}
