//! The last choices: the account for each API address, and the theme. They are kept outside the cache, so that clearing
//! the cache keeps them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::cloudflare::Account;
use crate::store::{StoreError, files};

/// Largest file that is read, in bytes.
const FILE_MAX: u64 = 64 << 10;
/// Largest number of addresses; test servers keep using new ports.
const ADDRESSES_MAX: usize = 16;

/// The file with the theme's name.
const THEME: &str = "theme";

/// The remembered choices in one folder.
#[derive(Debug, Clone)]
pub struct Choice {
    dir: PathBuf,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    version: u32,
    accounts: BTreeMap<String, StoredAccount>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredAccount {
    id: String,
    name: String,
    /// Counts up with each choice, so that the oldest can go.
    #[serde(default)]
    sequence: u64,
}

impl Choice {
    /// Uses this folder. Nothing is read or created yet.
    #[must_use]
    pub fn open(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// Returns the account chosen last at this address; `None` also if the file can't be read.
    #[must_use]
    pub fn account(&self, base_url: &str) -> Option<Account> {
        let mut stored = self.read();
        stored.accounts.remove(base_url).map(|found| Account {
            id: found.id,
            name: found.name,
        })
    }

    /// Remembers an account for this address.
    ///
    /// # Errors
    /// [`StoreError::Write`]; the choice still holds until the program ends.
    pub fn remember(&self, base_url: &str, account: &Account) -> Result<(), StoreError> {
        let mut stored = self.read();
        let sequence = 1 + stored
            .accounts
            .values()
            .map(|known| known.sequence)
            .max()
            .unwrap_or(0);
        let chosen = StoredAccount {
            id: account.id.clone(),
            name: account.name.clone(),
            sequence,
        };
        stored.accounts.insert(base_url.to_owned(), chosen);
        while stored.accounts.len() > ADDRESSES_MAX {
            let oldest = stored
                .accounts
                .iter()
                .min_by_key(|(_, known)| known.sequence)
                .map(|(address, _)| address.clone());
            oldest.and_then(|address| stored.accounts.remove(&address));
        }
        stored.version = 1;
        files::create_private_dir(&self.dir)?;
        let path = self.path();
        let text = serde_json::to_vec_pretty(&stored)
            .map_err(|error| StoreError::write(&path, error.into()))?;
        files::write(&path, &text)
    }

    /// Returns the theme chosen last; `None` also if the file can't be read.
    #[must_use]
    pub fn theme(&self) -> Option<String> {
        let path = self.dir.join(THEME);
        let small =
            fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= FILE_MAX);
        let text = small.then(|| fs::read_to_string(&path).ok()).flatten()?;
        Some(text.trim_end_matches('\n').to_owned()).filter(|name| !name.is_empty())
    }

    /// Remembers a theme by its name.
    ///
    /// # Errors
    /// [`StoreError::Write`]; the choice still holds until the program ends.
    pub fn remember_theme(&self, name: &str) -> Result<(), StoreError> {
        files::create_private_dir(&self.dir)?;
        files::write(&self.dir.join(THEME), format!("{name}\n").as_bytes())
    }

    fn path(&self) -> PathBuf {
        self.dir.join("accounts.json")
    }

    fn read(&self) -> Stored {
        let path = self.path();
        let small =
            fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= FILE_MAX);
        let bytes = small.then(|| fs::read(&path).ok()).flatten();
        bytes
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(digit: &str) -> Account {
        Account {
            id: digit.repeat(32),
            name: format!("acme {digit}"),
        }
    }

    #[test]
    fn each_address_has_its_own_choice() {
        let dir = tempfile::tempdir().unwrap();
        let choice = Choice::open(dir.path().join("state"));
        assert_eq!(choice.account("https://a"), None);
        choice.remember("https://a", &account("1")).unwrap();
        choice.remember("https://b", &account("2")).unwrap();
        choice.remember("https://a", &account("3")).unwrap();
        assert_eq!(choice.account("https://a"), Some(account("3")));
        assert_eq!(choice.account("https://b"), Some(account("2")));
        for port in 0..40 {
            choice
                .remember(&format!("http://127.0.0.1:{port}"), &account("4"))
                .unwrap();
        }
        assert_eq!(
            (choice.account("https://a"), choice.read().accounts.len()),
            (None, ADDRESSES_MAX)
        );
    }

    #[test]
    fn the_last_theme_is_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let choice = Choice::open(dir.path().join("state"));
        assert_eq!(choice.theme(), None);
        for name in ["daylight", "my own"] {
            choice.remember_theme(name).unwrap();
            assert_eq!(choice.theme().as_deref(), Some(name));
        }
        fs::write(choice.dir.join(THEME), "\n").unwrap();
        assert_eq!(choice.theme(), None);
        fs::write(choice.dir.join(THEME), [0xff, 0xfe]).unwrap();
        assert_eq!(choice.theme(), None);
    }

    #[test]
    fn a_broken_file_remembers_nothing_and_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let choice = Choice::open(dir.path());
        fs::write(choice.path(), "{\"version\":1,\"accounts\":[").unwrap();
        assert_eq!(choice.account("https://a"), None);
        choice.remember("https://a", &account("1")).unwrap();
        assert_eq!(choice.account("https://a"), Some(account("1")));
    }
}
