//! Which account.

use super::{ConfigError, Environment, File};
use crate::model::target::id32;

/// The account that was named: `--account`, then `CLOUDFLARE_ACCOUNT_ID`, then `CF_ACCOUNT_ID`, then the configuration's.
/// `None`: ask the API.
///
/// # Errors
/// [`ConfigError::Account`] where what was given is no id.
pub fn account(flag: Option<&str>, environment: &Environment, file: &File) -> Result<Option<String>, ConfigError> {
    let variable = |name: &'static str| Some((name, environment.get(name)?));
    let named = flag
        .map(|text| ("--account", text))
        .or_else(|| variable("CLOUDFLARE_ACCOUNT_ID"))
        .or_else(|| variable("CF_ACCOUNT_ID"))
        .or_else(|| Some(("account", file.account.as_deref()?)));
    named.map(|(place, text)| id32(text).map_err(|error| ConfigError::Account(place, error))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(flag: Option<&str>, environment: &Environment) -> Result<Option<String>, ConfigError> {
        super::account(flag, environment, &File::default())
    }

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

    #[test]
    fn the_configuration_comes_last() {
        let (one, two) = ("1".repeat(32), "2".repeat(32));
        let file = File { account: Some(one.clone()), ..File::default() };
        assert_eq!(super::account(None, &Environment::default(), &file).unwrap(), Some(one));
        let environment = Environment::of(&[("CLOUDFLARE_ACCOUNT_ID", &two)]);
        assert_eq!(super::account(None, &environment, &file).unwrap(), Some(two));
    }
}
