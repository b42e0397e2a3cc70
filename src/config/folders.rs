//! Where files lie.

use std::path::PathBuf;

use super::{ConfigError, Environment};

/// The folder of the captures: `FLARESCOPE_CACHE_DIR`, else the system's place for caches (`XDG_CACHE_HOME` on Linux).
///
/// # Errors
/// [`ConfigError::NoHome`].
pub fn cache_dir(environment: &Environment) -> Result<PathBuf, ConfigError> {
    if let Some(dir) = environment.get("FLARESCOPE_CACHE_DIR") {
        return Ok(PathBuf::from(dir));
    }
    let dirs = directories::ProjectDirs::from("", "", "flarescope").ok_or(ConfigError::NoHome)?;
    Ok(dirs.cache_dir().to_owned())
}

/// The folder of what is remembered from one start to the next: `XDG_STATE_HOME` or `~/.local/state` on Linux, elsewhere the
/// system's place for a program's data.
///
/// # Errors
/// [`ConfigError::NoHome`].
pub fn state_dir(environment: &Environment) -> Result<PathBuf, ConfigError> {
    // The variable is looked up by hand, so that the rule can be tested. A relative path in it counts as unset.
    let named = environment.get("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(target_os = "linux")
        && let Some(dir) = named.or_else(|| Some(PathBuf::from(environment.get("HOME")?).join(".local/state")))
    {
        return Ok(dir.join("flarescope"));
    }
    let dirs = directories::ProjectDirs::from("", "", "flarescope").ok_or(ConfigError::NoHome)?;
    Ok(dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_remembered_lies_where_the_system_keeps_state() {
        let named = Environment::of(&[("XDG_STATE_HOME", "/state"), ("HOME", "/home/x")]);
        assert_eq!(state_dir(&named).unwrap(), PathBuf::from("/state/flarescope"));
        let relative = Environment::of(&[("XDG_STATE_HOME", "state"), ("HOME", "/home/x")]);
        assert_eq!(state_dir(&relative).unwrap(), PathBuf::from("/home/x/.local/state/flarescope"));
    }

    #[test]
    fn the_variable_names_the_folder() {
        let environment = Environment::of(&[("FLARESCOPE_CACHE_DIR", "/somewhere/else")]);
        assert_eq!(cache_dir(&environment).unwrap(), PathBuf::from("/somewhere/else"));
    }
}
