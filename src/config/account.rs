//! Selects the account: the one that is named, otherwise the one chosen last.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::{ConfigError, Environment, File, Tool, logins};
use crate::model::cloudflare::{Account, id32};

/// Where an account's id was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccountSource {
    /// `--account`.
    Flag,
    /// An environment variable.
    Variable(&'static str),
    /// The configuration.
    File,
    /// The account chosen last.
    Remembered,
    /// The choice that one of Cloudflare's own tools remembers for this folder, and the file it is in.
    Tool(Tool, PathBuf),
    /// The only one that the token can see.
    Only,
}

impl AccountSource {
    /// A short note for the screen's title if the account was not named for this run.
    #[must_use]
    pub const fn brief(&self) -> &'static str {
        match self {
            Self::Remembered => "the last choice",
            Self::Tool(Tool::Cf, _) => "cf's choice",
            Self::Tool(Tool::Wrangler, _) => "wrangler's choice",
            Self::Flag | Self::Variable(_) | Self::File | Self::Only => "",
        }
    }
}

impl fmt::Display for AccountSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("--account"),
            Self::Variable(name) => f.write_str(name),
            Self::File => f.write_str("the configuration"),
            Self::Remembered => f.write_str("the last choice"),
            Self::Tool(tool, path) => {
                write!(f, "what {} remembers ({})", tool.name(), path.display())
            }
            Self::Only => f.write_str("the only one"),
        }
    }
}

/// An account that is known without a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAccount {
    /// Its id, and its name if known; otherwise the name is the id.
    pub account: Account,
    /// Where it was found.
    pub source: AccountSource,
}

/// Returns the account: `--account`, then `CLOUDFLARE_ACCOUNT_ID`, then `CF_ACCOUNT_ID`, then the configuration's, then the one that
/// was chosen last (`remembered`), then what `cf` and `wrangler` remember for the working folder. `None`: ask the API.
///
/// # Errors
/// [`ConfigError::Account`] if the named account is not an id. A remembered one that is not an id is ignored.
pub fn account(
    flag: Option<&str>,
    environment: &Environment,
    file: &File,
    remembered: Option<Account>,
) -> Result<Option<FoundAccount>, ConfigError> {
    let variable =
        |name: &'static str| Some((name, environment.get(name)?, AccountSource::Variable(name)));
    let named = flag
        .map(|text| ("--account", text, AccountSource::Flag))
        .or_else(|| variable("CLOUDFLARE_ACCOUNT_ID"))
        .or_else(|| variable("CF_ACCOUNT_ID"))
        .or_else(|| Some(("account", file.account.as_deref()?, AccountSource::File)));
    if let Some((place, text, source)) = named {
        let id = id32(text).map_err(|error| ConfigError::Account(place, error))?;
        return Ok(Some(FoundAccount {
            account: Account {
                name: id.clone(),
                id,
            },
            source,
        }));
    }
    let checked = |account: Account, source| {
        let id = id32(&account.id).ok()?;
        let name = if account.name.trim().is_empty() {
            id.clone()
        } else {
            account.name
        };
        Some(FoundAccount {
            account: Account { id, name },
            source,
        })
    };
    let ours = remembered.and_then(|account| checked(account, AccountSource::Remembered));
    Ok(ours.or_else(|| {
        let folder = environment.folder()?;
        [Tool::Cf, Tool::Wrangler].into_iter().find_map(|tool| {
            let (account, path) = of_tool(tool, folder)?;
            checked(account, AccountSource::Tool(tool, path))
        })
    }))
}

/// The account that was chosen in one of Cloudflare's tools, as the tool stores it.
#[derive(Debug, Deserialize)]
struct Stored {
    account: StoredAccount,
}

#[derive(Debug, Deserialize)]
struct StoredAccount {
    id: String,
    #[serde(default)]
    name: String,
}

/// Returns the account that a tool remembers for a folder.
fn of_tool(tool: Tool, folder: &Path) -> Option<(Account, PathBuf)> {
    let places: [&str; 2] = match tool {
        Tool::Cf => ["node_modules/.cache/cloudflare", ".cloudflare/cache"],
        Tool::Wrangler => ["node_modules/.cache/wrangler", ".wrangler/cache"],
    };
    let file = match tool {
        Tool::Cf => "cloudflare-account.json",
        Tool::Wrangler => "wrangler-account.json",
    };
    places.into_iter().find_map(|place| {
        let path = folder.join(place).join(file);
        let text = logins::read_small(&path)?;
        let stored: Stored = serde_json::from_str(&text).ok()?;
        Some((
            Account {
                id: stored.account.id,
                name: stored.account.name,
            },
            path,
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(
        flag: Option<&str>,
        environment: &Environment,
        file: &File,
    ) -> Result<Option<FoundAccount>, ConfigError> {
        account(flag, environment, file, None)
    }

    fn id(digit: &str) -> String {
        digit.repeat(32)
    }

    #[test]
    fn the_flag_precedes_the_variable_and_both_are_checked() {
        let file = File::default();
        let environment = Environment::of(&[("CLOUDFLARE_ACCOUNT_ID", &id("2"))]);
        let found = named(Some(&id("1")), &environment, &file).unwrap().unwrap();
        assert_eq!(
            (found.account.id, found.source),
            (id("1"), AccountSource::Flag)
        );
        let found = named(None, &environment, &file).unwrap().unwrap();
        assert_eq!(
            (found.account.id, found.source),
            (id("2"), AccountSource::Variable("CLOUDFLARE_ACCOUNT_ID"))
        );
        assert_eq!(
            named(
                None,
                &Environment::of(&[("CLOUDFLARE_ACCOUNT_ID", "")]),
                &file
            )
            .unwrap(),
            None
        );
        let error = named(None, &Environment::of(&[("CF_ACCOUNT_ID", "acme")]), &file)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("CF_ACCOUNT_ID") && error.contains("32"),
            "{error}"
        );
    }

    #[test]
    fn the_configuration_comes_after_both_and_before_what_is_remembered() {
        let file = File {
            account: Some(id("1")),
            ..File::default()
        };
        let remembered = Some(Account {
            id: id("3"),
            name: "acme".to_owned(),
        });
        let none = Environment::default();
        let found = account(None, &none, &file, remembered.clone())
            .unwrap()
            .unwrap();
        assert_eq!(
            (found.account.id, found.source),
            (id("1"), AccountSource::File)
        );
        let found = account(None, &none, &File::default(), remembered)
            .unwrap()
            .unwrap();
        assert_eq!(
            (found.account.name.as_str(), found.source),
            ("acme", AccountSource::Remembered)
        );
    }

    #[test]
    fn what_other_tools_remember_comes_last_and_broken_files_count_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let write = |place: &str, text: &str| {
            let path = folder.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let find = |remembered| {
            account(
                None,
                &Environment::default().in_folder(folder.path()),
                &File::default(),
                remembered,
            )
            .unwrap()
        };
        assert_eq!(find(None), None);
        write(
            "node_modules/.cache/wrangler/wrangler-account.json",
            &format!(r#"{{"account":{{"id":"{}","name":"Acme"}}}}"#, id("4")),
        );
        let found = find(None).unwrap();
        assert_eq!(
            (found.account.id.as_str(), found.account.name.as_str()),
            (id("4").as_str(), "Acme")
        );
        assert!(matches!(
            found.source,
            AccountSource::Tool(Tool::Wrangler, _)
        ));
        // cf's takes precedence; a broken one is skipped.
        write(
            ".cloudflare/cache/cloudflare-account.json",
            &format!(r#"{{"account":{{"id":"{}"}}}}"#, id("5")),
        );
        assert_eq!(find(None).unwrap().account.id, id("5"));
        write(
            ".cloudflare/cache/cloudflare-account.json",
            r#"{"account":{"id":"../../etc"}}"#,
        );
        assert_eq!(find(None).unwrap().account.id, id("4"));
        assert_eq!(
            find(Some(Account {
                id: id("6"),
                name: String::new()
            }))
            .unwrap()
            .account
            .name,
            id("6")
        );
        assert_eq!(
            find(Some(Account {
                id: "none".to_owned(),
                name: String::new()
            }))
            .unwrap()
            .account
            .id,
            id("4")
        );
    }
}
