//! Logins of Cloudflare's own tools, `cf` and `wrangler`, read where they keep them and never renewed.
//!
//! Renewing would end the other tool's login: its renewal token works once. So a login is used while it lasts, and the
//! user is told which command renews it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

use crate::config::Environment;

/// Largest login file that is read, in bytes.
const FILE_MAX: u64 = 256 << 10;

/// A tool that keeps a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Cloudflare's command line.
    Cf,
    /// The one for Workers.
    Wrangler,
}

impl Tool {
    /// Its name as it is typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cf => "cf",
            Self::Wrangler => "wrangler",
        }
    }

    /// The command that renews its login.
    #[must_use]
    pub const fn renew(self) -> &'static str {
        match self {
            Self::Cf => "cf auth whoami",
            Self::Wrangler => "wrangler whoami",
        }
    }

    /// The command that makes a new one.
    #[must_use]
    pub const fn log_in(self) -> &'static str {
        match self {
            Self::Cf => "cf auth login",
            Self::Wrangler => "wrangler login",
        }
    }

    fn dir(self, environment: &Environment) -> Option<PathBuf> {
        let home = environment
            .get(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
            .map(PathBuf::from)?;
        // Both tools take the XDG variable on every system, and fall back to different places.
        let base = environment
            .get("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .unwrap_or_else(|| {
                if cfg!(target_os = "macos") {
                    home.join("Library/Preferences")
                } else if cfg!(windows) {
                    environment
                        .get("APPDATA")
                        .map_or_else(|| home.clone(), PathBuf::from)
                        .join("xdg.config")
                } else {
                    home.join(".config")
                }
            });
        Some(match self {
            Self::Cf => base.join("cloudflare/config"),
            Self::Wrangler if home.join(".wrangler").is_dir() => home.join(".wrangler/config"),
            Self::Wrangler => base.join(".wrangler/config"),
        })
    }
}

/// What was found of a tool's login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Login {
    /// A token that still holds.
    Token(String, PathBuf),
    /// There is one, but its time is over.
    Expired(Tool),
    /// There is one, but in the system's keyring, which is the tool's alone.
    Keyring(Tool),
}

/// The fields of a login that count. It also holds what renews it, which is not even read.
#[derive(Debug, Deserialize)]
struct Stored {
    oauth_token: Option<String>,
    expiration_time: Option<String>,
    /// Wrangler's, from before it had logins.
    api_token: Option<String>,
}

/// The login of a tool at `now`, if it has one.
pub(super) fn find(tool: Tool, environment: &Environment, now: SystemTime) -> Option<Login> {
    let dir = tool.dir(environment)?;
    let staging = environment.get("WRANGLER_API_ENVIRONMENT") == Some("staging");
    let stem = if staging { "staging" } else { "default" };
    let path = dir.join(match tool {
        Tool::Cf => format!("{stem}.json"),
        Tool::Wrangler => format!("{stem}.toml"),
    });
    let Some(stored) = read(tool, &path) else {
        return dir
            .join(format!("{stem}.enc"))
            .is_file()
            .then_some(Login::Keyring(tool));
    };
    if let Some(token) = stored.oauth_token.filter(|token| !token.is_empty()) {
        let until = stored
            .expiration_time
            .as_deref()
            .and_then(|text| humantime::parse_rfc3339_weak(text).ok());
        return Some(if until.is_some_and(|until| until > now) {
            Login::Token(token, path)
        } else {
            Login::Expired(tool)
        });
    }
    stored
        .api_token
        .filter(|token| !token.is_empty())
        .map(|token| Login::Token(token, path))
}

fn read(tool: Tool, path: &Path) -> Option<Stored> {
    let small =
        std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= FILE_MAX);
    let text = small
        .then(|| std::fs::read_to_string(path).ok())
        .flatten()?;
    match tool {
        Tool::Cf => serde_json::from_str(&text).ok(),
        Tool::Wrangler => toml::from_str(&text).ok(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn now() -> SystemTime {
        humantime::parse_rfc3339("2026-11-30T12:00:00Z").unwrap()
    }

    fn write(home: &Path, place: &str, text: &str) -> Environment {
        let path = home.join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        Environment::of(&[("HOME", home.to_str().unwrap())])
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn logins_are_found_where_the_tools_keep_them() {
        let home = tempfile::tempdir().unwrap();
        let json = r#"{"oauth_token":"from-cf","refresh_token":"r","expiration_time":"2026-11-30T13:00:00.000Z","scopes":[]}"#;
        let environment = write(home.path(), ".config/cloudflare/config/default.json", json);
        assert!(
            matches!(find(Tool::Cf, &environment, now()), Some(Login::Token(token, _)) if token == "from-cf")
        );
        assert_eq!(find(Tool::Wrangler, &environment, now()), None);

        let toml = "oauth_token = \"from-wrangler\"\nexpiration_time = \"2026-11-30T13:00:00.000Z\"\nscopes = [\"a\"]\n";
        write(home.path(), ".config/.wrangler/config/default.toml", toml);
        assert!(
            matches!(find(Tool::Wrangler, &environment, now()), Some(Login::Token(token, _)) if token == "from-wrangler")
        );
        // An old folder in the home goes first.
        write(
            home.path(),
            ".wrangler/config/default.toml",
            "api_token = \"old\"",
        );
        assert!(
            matches!(find(Tool::Wrangler, &environment, now()), Some(Login::Token(token, _)) if token == "old")
        );
        let elsewhere = Environment::of(&[
            ("HOME", "/nonexistent"),
            ("XDG_CONFIG_HOME", "/nonexistent/x"),
        ]);
        assert_eq!(find(Tool::Cf, &elsewhere, now()), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_cannot_be_used_is_told_apart() {
        let home = tempfile::tempdir().unwrap();
        let place = ".config/cloudflare/config/default.json";
        let expired = r#"{"oauth_token":"x","expiration_time":"2026-11-30T12:00:00Z"}"#;
        let environment = write(home.path(), place, expired);
        assert_eq!(
            find(Tool::Cf, &environment, now()),
            Some(Login::Expired(Tool::Cf))
        );
        assert!(
            find(Tool::Cf, &environment, now() - Duration::from_secs(1))
                .is_some_and(|login| login != Login::Expired(Tool::Cf))
        );
        write(home.path(), place, "not json");
        assert_eq!(find(Tool::Cf, &environment, now()), None);
        std::fs::remove_file(home.path().join(place)).unwrap();
        write(
            home.path(),
            ".config/cloudflare/config/default.enc",
            "sealed",
        );
        assert_eq!(
            find(Tool::Cf, &environment, now()),
            Some(Login::Keyring(Tool::Cf))
        );
    }
}
