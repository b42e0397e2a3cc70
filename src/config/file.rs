//! The configuration file: what can't be a flag each time. It never holds a token, only how to get one.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ConfigError, Environment};

/// Largest configuration that is read, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// What the file may say. A key that is not here is a mistake that is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    /// A command that prints the API token.
    pub token_command: Option<Command>,
    /// The account, as `--account` takes it.
    pub account: Option<String>,
}

/// A command, as words or as a line for the shell.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Command {
    /// For the shell.
    Line(String),
    /// The program and its arguments.
    Words(Vec<String>),
}

impl File {
    /// Reads the file that `FLARESCOPE_CONFIG` names, else the usual one. Without a usual one everything is as by default.
    ///
    /// # Errors
    /// [`ConfigError::File`], which says in which line what is wrong.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let named = environment.get("FLARESCOPE_CONFIG").map(PathBuf::from);
        let must_exist = named.is_some();
        let Some(path) = named.or_else(|| usual(environment)) else { return Ok(Self::default()) };
        let told = |why: String| ConfigError::File { path: path.clone(), why };
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > FILE_MAX => return Err(told(format!("it is larger than {FILE_MAX} bytes"))),
            Ok(_) => {}
            Err(_) if !must_exist => return Ok(Self::default()),
            Err(error) => return Err(told(error.to_string())),
        }
        let text = std::fs::read_to_string(&path).map_err(|error| told(error.to_string()))?;
        toml::from_str(&text).map_err(|error| told(error.to_string().trim_end().to_owned()))
    }
}

/// Where the file lies unless another is named.
fn usual(environment: &Environment) -> Option<PathBuf> {
    // The variable is looked up by hand, so that the rule can be tested; elsewhere the system has a place of its own.
    let named = environment.get("XDG_CONFIG_HOME").map(Path::new).filter(|path| path.is_absolute());
    let dir = match named {
        Some(dir) if cfg!(target_os = "linux") => dir.join("flarescope"),
        _ => directories::ProjectDirs::from("", "", "flarescope")?.config_dir().to_owned(),
    };
    Some(dir.join("config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<File, ConfigError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        File::read(&Environment::of(&[("FLARESCOPE_CONFIG", file.path().to_str().unwrap())]))
    }

    #[test]
    fn commands_are_words_or_a_line() {
        let words = read("token_command = [\"op\", \"read\", \"op://x y\"]\naccount = \"a\"").unwrap();
        assert_eq!(words.token_command, Some(Command::Words(["op", "read", "op://x y"].map(str::to_owned).to_vec())));
        let line = read("token_command = \"pass show cloudflare\"").unwrap();
        assert_eq!(line.token_command, Some(Command::Line("pass show cloudflare".to_owned())));
        assert_eq!(read("").unwrap(), File::default());
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let error = read("account = \"a\"\ntoken = \"secret\"").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("unknown field `token`"), "{error}");
        let error = File::read(&Environment::of(&[("FLARESCOPE_CONFIG", "/nonexistent/x.toml")])).unwrap_err();
        assert!(error.to_string().contains("/nonexistent/x.toml"), "{error}");
    }
}
