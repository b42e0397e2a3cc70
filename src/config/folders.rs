//! The folders of the program's files.

use std::path::{Path, PathBuf};

use crate::config::{ConfigError, Environment};

/// Returns the folder of the captures: `FLARESCOPE_CACHE_DIR`, otherwise the system's cache folder (`XDG_CACHE_HOME` on
/// Linux).
///
/// # Errors
/// [`ConfigError::NoHome`] without a home folder.
pub fn cache_dir(environment: &Environment) -> Result<PathBuf, ConfigError> {
    if let Some(dir) = environment.get("FLARESCOPE_CACHE_DIR") {
        return Ok(PathBuf::from(dir));
    }
    let dirs = directories::ProjectDirs::from("", "", "flarescope").ok_or(ConfigError::NoHome)?;
    Ok(dirs.cache_dir().to_owned())
}

/// Returns the folder of the configuration and the user's themes; `None` without a home folder.
#[must_use]
pub fn config_dir(environment: &Environment) -> Option<PathBuf> {
    xdg(environment, "XDG_CONFIG_HOME").or_else(|| {
        Some(
            directories::ProjectDirs::from("", "", "flarescope")?
                .config_dir()
                .to_owned(),
        )
    })
}

/// Returns the folder of the state kept between starts on this machine; `None` without a home folder.
#[must_use]
pub fn state_dir(environment: &Environment) -> Option<PathBuf> {
    xdg(environment, "XDG_STATE_HOME").or_else(|| {
        let dirs = directories::ProjectDirs::from("", "", "flarescope")?;
        Some(
            dirs.state_dir()
                .unwrap_or_else(|| dirs.data_local_dir())
                .to_owned(),
        )
    })
}

/// Returns the program's folder in the one that a variable names. The variables are read by hand, so that the rule can be
/// tested; other systems than Linux have their own folders. A relative path is ignored, as the XDG standard says.
fn xdg(environment: &Environment, variable: &str) -> Option<PathBuf> {
    let named = environment
        .get(variable)
        .map(Path::new)
        .filter(|path| path.is_absolute());
    named
        .filter(|_| cfg!(target_os = "linux"))
        .map(|dir| dir.join("flarescope"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_the_folder() {
        let environment = Environment::of(&[("FLARESCOPE_CACHE_DIR", "/somewhere/else")]);
        assert_eq!(
            cache_dir(&environment).unwrap(),
            PathBuf::from("/somewhere/else")
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn configuration_and_state_have_folders_of_their_own() {
        let environment = Environment::of(&[("XDG_CONFIG_HOME", "/a"), ("XDG_STATE_HOME", "/b")]);
        assert_eq!(
            config_dir(&environment),
            Some(PathBuf::from("/a/flarescope"))
        );
        assert_eq!(
            state_dir(&environment),
            Some(PathBuf::from("/b/flarescope"))
        );
        let relative = Environment::of(&[("XDG_STATE_HOME", "b")]);
        assert_ne!(state_dir(&relative), Some(PathBuf::from("b/flarescope")));
    }
}
