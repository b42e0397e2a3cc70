//! The process's environment as a value.

use std::collections::HashMap;

/// Environment variables. An empty one counts as unset.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: HashMap<String, String>,
}

impl Environment {
    /// Returns the variables of this process, without those that are not Unicode.
    #[must_use]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self { variables }
    }

    /// These variables and no others.
    #[must_use]
    pub fn of(variables: &[(&str, &str)]) -> Self {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Self { variables }
    }

    /// Returns a variable's value; `None` if it is unset or blank.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.trim().is_empty())
    }
}
