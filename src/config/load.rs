//! Finds and reads the configuration file.

use std::fs::Metadata;
use std::path::PathBuf;

use crate::config::file::File;
use crate::config::{ConfigError, Environment, folders, parse};

/// Largest configuration that is read, in bytes.
const FILE_MAX: u64 = 1 << 20;

impl File {
    /// Reads the file that `FLARESCOPE_CONFIG` names, otherwise the default one. A missing default file gives the defaults.
    ///
    /// # Errors
    /// [`ConfigError::File`] if the file can't be read, [`ConfigError::Mistakes`] with the line of each mistake.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let must_exist = environment.get("FLARESCOPE_CONFIG").is_some();
        let Some(path) = Self::place(environment) else {
            return Ok(Self::default());
        };
        let failed = |why: String| ConfigError::File {
            path: path.clone(),
            why,
        };
        let found = match std::fs::metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(failed("it is not a regular file".to_owned()));
            }
            Ok(found) if found.len() > FILE_MAX => {
                return Err(failed(format!("it is larger than {FILE_MAX} bytes")));
            }
            Ok(found) => found,
            Err(_) if !must_exist => return Ok(Self::default()),
            Err(error) => return Err(failed(error.to_string())),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        let file = parse::parse(&path, &text)?;
        if file.token_command.is_some() && is_writable_by_all(&found) {
            let why = "everybody may write it, and it runs a command: chmod o-w it";
            return Err(failed(why.to_owned()));
        }
        Ok(file)
    }

    /// Returns the file's path, whether it exists or not; `None` without a home folder.
    #[must_use]
    pub fn place(environment: &Environment) -> Option<PathBuf> {
        let named = environment.get("FLARESCOPE_CONFIG").map(PathBuf::from);
        named.or_else(|| Some(folders::config_dir(environment)?.join("config.toml")))
    }
}

#[cfg(unix)]
fn is_writable_by_all(found: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    found.permissions().mode() & 0o002 != 0
}

/// On other systems a user's folders are private by default.
#[cfg(not(unix))]
fn is_writable_by_all(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file::Command;

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
    #[cfg(unix)]
    fn neither_a_device_nor_a_command_that_anybody_could_write_is_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let read = |path: &str| File::read(&Environment::of(&[("FLARESCOPE_CONFIG", path)]));
        assert!(matches!(read("/dev/zero"), Err(ConfigError::File { .. })));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "token_command = \"true\"").unwrap();
        let path = file.path().to_str().unwrap();
        let chmod = |mode| {
            std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        };
        chmod(0o664);
        assert!(read(path).is_ok());
        chmod(0o666);
        assert!(matches!(read(path), Err(ConfigError::File { .. })));
        std::fs::write(file.path(), "theme = \"ember\"").unwrap();
        assert!(read(path).is_ok(), "it runs nothing");
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
