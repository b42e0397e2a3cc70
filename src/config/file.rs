//! The configuration file: what can't be a flag each time. It never holds a token, only how to get one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::{Bindings, Column};
use crate::config::{ConfigError, Environment, folders, parse};
use crate::model::cloudflare::Kind;

/// Largest configuration that is read, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// What the file says. `None`: nothing of this.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Where it was read from; `None`: there is none.
    pub path: Option<PathBuf>,
    /// A command that prints the API token.
    pub token_command: Option<Command>,
    /// The account, as `--account` takes it.
    pub account: Option<String>,
    /// The theme's name. Whether there is one of this name is not known here.
    pub theme: Option<String>,
    /// Whether 24-bit colours are sent.
    pub truecolor: Option<bool>,
    /// Whether ASCII alone is drawn.
    pub ascii: Option<bool>,
    /// Whether the terminal reports the mouse.
    pub mouse: Option<bool>,
    /// The most that the captures on disk may take, in bytes.
    pub quota: Option<u64>,
    /// What is sampled where nothing is said.
    pub kind: Option<Kind>,
    /// How long, where nothing is said; one of [`crate::app::WINDOWS`].
    pub window: Option<Duration>,
    /// The columns that the table may show, in their order.
    pub columns: Option<Vec<Column>>,
    /// The keys in force.
    pub keys: Bindings,
    /// The line of each entry, from 1, by its name with the table's before it: `capture.kind`.
    pub(super) lines: BTreeMap<String, usize>,
}

/// A command, as words or as a line for the shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// For the shell.
    Line(String),
    /// The program and its arguments.
    Words(Vec<String>),
}

impl Command {
    /// The program it runs. The rest may hold what is nobody's business.
    #[must_use]
    pub fn program(&self) -> &str {
        match self {
            Self::Line(line) => line.split_whitespace().next().unwrap_or_default(),
            Self::Words(words) => words.first().map_or("", String::as_str),
        }
    }
}

impl File {
    /// Reads the file that `FLARESCOPE_CONFIG` names, else the usual one. Without a usual one everything is as by default.
    ///
    /// # Errors
    /// [`ConfigError::File`], or [`ConfigError::Mistakes`] with the line of each.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let must_exist = environment.get("FLARESCOPE_CONFIG").is_some();
        let Some(path) = Self::place(environment) else {
            return Ok(Self::default());
        };
        let told = |why: String| ConfigError::File {
            path: path.clone(),
            why,
        };
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > FILE_MAX => {
                return Err(told(format!("it is larger than {FILE_MAX} bytes")));
            }
            Ok(_) => {}
            Err(_) if !must_exist => return Ok(Self::default()),
            Err(error) => return Err(told(error.to_string())),
        }
        let text = std::fs::read_to_string(&path).map_err(|error| told(error.to_string()))?;
        parse::parse(&path, &text)
    }

    /// Where the file lies, whether it is there or not; `None` without a home folder.
    #[must_use]
    pub fn place(environment: &Environment) -> Option<PathBuf> {
        let named = environment.get("FLARESCOPE_CONFIG").map(PathBuf::from);
        named.or_else(|| Some(folders::config_dir(environment)?.join("config.toml")))
    }

    /// The line of an entry, from 1; `None`: the file says nothing of it.
    #[must_use]
    pub fn line(&self, entry: &str) -> Option<usize> {
        self.lines.get(entry).copied()
    }

    /// Where an entry stands, as `FILE:LINE`; `None`: the file says nothing of it.
    #[must_use]
    pub fn spot(&self, entry: &str) -> Option<String> {
        let line = self.line(entry)?;
        Some(format!(
            "{}:{line}",
            self.path.as_deref().map(Path::display)?
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<File, ConfigError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        File::read(&Environment::of(&[(
            "FLARESCOPE_CONFIG",
            file.path().to_str().unwrap(),
        )]))
    }

    #[test]
    fn commands_are_words_or_a_line() {
        let words = read("token_command = [\"op\", \"read\", \"op://x y\"]").unwrap();
        assert_eq!(
            words.token_command,
            Some(Command::Words(
                ["op", "read", "op://x y"].map(str::to_owned).to_vec()
            ))
        );
        let line = read("token_command = \"pass show cloudflare\"").unwrap();
        assert_eq!(
            line.token_command,
            Some(Command::Line("pass show cloudflare".to_owned()))
        );
        assert_eq!(
            line.token_command
                .map(|command| command.program().to_owned()),
            Some("pass".to_owned())
        );
        let empty = read("").unwrap();
        assert_eq!(
            File {
                path: None,
                ..empty
            },
            File::default()
        );
    }

    #[test]
    fn a_file_that_was_named_has_to_be_there() {
        let error = File::read(&Environment::of(&[(
            "FLARESCOPE_CONFIG",
            "/nonexistent/x.toml",
        )]))
        .unwrap_err();
        assert!(error.to_string().contains("/nonexistent/x.toml"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let usual = Environment::of(&[
            ("XDG_CONFIG_HOME", folder.path().to_str().unwrap()),
            ("HOME", "/nonexistent"),
        ]);
        if cfg!(target_os = "linux") {
            assert_eq!(File::read(&usual).unwrap(), File::default());
            assert_eq!(
                File::place(&usual),
                Some(folder.path().join("flarescope/config.toml"))
            );
        }
    }
}
