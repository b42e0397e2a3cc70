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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_the_folder() {
        let environment = Environment::of(&[("FLARESCOPE_CACHE_DIR", "/somewhere/else")]);
        assert_eq!(cache_dir(&environment).unwrap(), PathBuf::from("/somewhere/else"));
    }
}
