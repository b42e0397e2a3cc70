//! The process's environment as a value.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Environment variables and the working folder. An empty variable counts as unset.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: HashMap<String, String>,
    /// The names of variables whose values are not Unicode.
    not_text: HashSet<String>,
    folder: Option<PathBuf>,
}

impl Environment {
    /// Returns the variables and the working folder of this process.
    #[must_use]
    pub fn of_process() -> Self {
        let mut environment = Self {
            folder: std::env::current_dir().ok(),
            ..Self::default()
        };
        for (name, value) in std::env::vars_os() {
            let Ok(name) = name.into_string() else {
                continue;
            };
            match value.into_string() {
                Ok(value) => drop(environment.variables.insert(name, value)),
                Err(_) => drop(environment.not_text.insert(name)),
            }
        }
        environment
    }

    /// Returns an environment of these variables alone, without a working folder.
    #[must_use]
    pub fn of(variables: &[(&str, &str)]) -> Self {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Self {
            variables,
            ..Self::default()
        }
    }

    /// Returns this environment in another working folder.
    #[must_use]
    pub fn in_folder(self, folder: &Path) -> Self {
        Self {
            folder: Some(folder.to_owned()),
            ..self
        }
    }

    /// Returns a variable's value; `None` if it is unset, blank or not Unicode.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.trim().is_empty())
    }

    /// Returns whether a variable's value is not Unicode.
    pub(super) fn is_not_text(&self, name: &str) -> bool {
        self.not_text.contains(name)
    }

    /// Returns the working folder.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}
