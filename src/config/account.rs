//! Which account.

use super::{ConfigError, Environment};
use crate::model::target::id32;

/// The account that was named: `--account`, then `CLOUDFLARE_ACCOUNT_ID`, then `CF_ACCOUNT_ID`. `None`: ask the API.
///
/// # Errors
/// [`ConfigError::Account`] where what was given is no id.
pub fn account(flag: Option<&str>, environment: &Environment) -> Result<Option<String>, ConfigError> {
    let variable = |name: &'static str| Some((name, environment.get(name)?));
    let named = flag
        .map(|text| ("--account", text))
        .or_else(|| variable("CLOUDFLARE_ACCOUNT_ID"))
        .or_else(|| variable("CF_ACCOUNT_ID"));
    named.map(|(place, text)| id32(text).map_err(|error| ConfigError::Account(place, error))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_goes_before_the_variable_and_both_are_checked() {
        let (one, two) = ("1".repeat(32), "2".repeat(32));
        let environment = Environment::of(&[("CLOUDFLARE_ACCOUNT_ID", &two)]);
        assert_eq!(account(Some(&one), &environment).unwrap(), Some(one));
        assert_eq!(account(None, &environment).unwrap(), Some(two));
        assert_eq!(account(None, &Environment::of(&[("CLOUDFLARE_ACCOUNT_ID", "")])).unwrap(), None);
        let error = account(None, &Environment::of(&[("CF_ACCOUNT_ID", "acme")])).unwrap_err().to_string();
        assert!(error.contains("CF_ACCOUNT_ID") && error.contains("32"), "{error}");
    }
}
