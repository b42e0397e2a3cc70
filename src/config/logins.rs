//! Logins of Cloudflare's own tools, `cf` and `wrangler`, read from their files and never renewed.
//!
//! Renewing would end the other tool's login, since a refresh token works once. So a login is used until it expires, and a
//! message names the command that renews it. Both tools can bind a folder to a profile, a login with a name: below such a
//! folder no other login is used.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

use crate::config::Environment;

/// Largest file of another tool that is read, in bytes.
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
    /// Returns its command's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cf => "cf",
            Self::Wrangler => "wrangler",
        }
    }

    /// Returns the command that renews its login.
    #[must_use]
    pub const fn renew(self) -> &'static str {
        match self {
            Self::Cf => "cf auth whoami",
            Self::Wrangler => "wrangler whoami",
        }
    }

    /// Returns the command that logs in again.
    #[must_use]
    pub const fn log_in(self) -> &'static str {
        match self {
            Self::Cf => "cf auth login",
            Self::Wrangler => "wrangler login",
        }
    }

    /// Returns the folder of its settings.
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
            Self::Cf => base.join("cloudflare"),
            Self::Wrangler if home.join(".wrangler").is_dir() => home.join(".wrangler"),
            Self::Wrangler => base.join(".wrangler"),
        })
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Cf => "json",
            Self::Wrangler => "toml",
        }
    }
}

/// A login that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Login {
    /// A valid token.
    Token(String, PathBuf),
    /// One that can't be used, and why.
    Unusable(String),
}

/// The fields of a login that are needed. The refresh token is not even read.
#[derive(Debug, Deserialize)]
struct Stored {
    oauth_token: Option<String>,
    expiration_time: Option<String>,
    /// Wrangler's, from before it had OAuth.
    api_token: Option<String>,
}

/// Returns a tool's login for the working folder at `now`; `None` if it has none.
pub(super) fn find(tool: Tool, environment: &Environment, now: SystemTime) -> Option<Login> {
    let dir = tool.dir(environment)?;
    let profile = bound_profile(tool, environment);
    let staging = environment.get("WRANGLER_API_ENVIRONMENT") == Some("staging");
    let stem = match &profile {
        Some(profile) => profile.as_str(),
        None if staging => "staging",
        None => "default",
    };
    let (name, renew) = (tool.name(), tool.renew());
    let login = match &profile {
        Some(profile) => format!("The {name} profile {profile}, which this folder is bound to,"),
        None => format!("The login of {name}"),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !stem.chars().all(is_name) {
        return Some(Login::Unusable(format!("{login} has no valid name")));
    }
    let path = dir.join(format!("config/{stem}.{}", tool.extension()));
    let Some(stored) = read(tool, &path) else {
        let in_keyring = path.with_extension("enc").is_file();
        let why = match profile {
            _ if in_keyring => format!("{login} is in the keyring, which only {name} can open"),
            Some(profile) => {
                format!("{login} has no login: `{name} auth create {profile}` creates it")
            }
            None => return None,
        };
        return Some(Login::Unusable(why));
    };
    let token = |token: Option<String>| token.filter(|token| !token.is_empty());
    if let Some(token) = token(stored.oauth_token) {
        let until = stored
            .expiration_time
            .as_deref()
            .and_then(|text| humantime::parse_rfc3339_weak(text).ok());
        return Some(if until.is_some_and(|until| until > now) {
            Login::Token(token, path)
        } else {
            Login::Unusable(format!("{login} has expired: `{renew}` renews it"))
        });
    }
    token(stored.api_token).map(|token| Login::Token(token, path))
}

/// Returns the profile that the working folder or its closest bound parent is bound to.
pub(super) fn bound_profile(tool: Tool, environment: &Environment) -> Option<String> {
    let bindings = tool
        .dir(environment)?
        .join("profiles/directory-bindings.json");
    let mut bindings: HashMap<PathBuf, String> =
        serde_json::from_str(&read_small(&bindings)?).ok()?;
    environment
        .folder()?
        .ancestors()
        .find_map(|folder| bindings.remove(folder))
}

fn read(tool: Tool, path: &Path) -> Option<Stored> {
    let text = read_small(path)?;
    match tool {
        Tool::Cf => serde_json::from_str(&text).ok(),
        Tool::Wrangler => toml::from_str(&text).ok(),
    }
}

/// Returns the text of another tool's file; `None` if it is missing, is no regular file or is too large.
pub(super) fn read_small(path: &Path) -> Option<String> {
    let found = std::fs::metadata(path).ok()?;
    if !found.is_file() || found.len() > FILE_MAX {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::wording::wording;

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
    fn logins_are_found_in_the_files_of_the_tools() {
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
        // An old folder in the home folder takes precedence.
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
    fn unusable_logins_say_why() {
        let mut wording = wording!();
        let home = tempfile::tempdir().unwrap();
        let place = ".config/cloudflare/config/default.json";
        let expired = r#"{"oauth_token":"x","expiration_time":"2026-11-30T12:00:00Z"}"#;
        let environment = write(home.path(), place, expired);
        let find = |now| find(Tool::Cf, &environment, now);
        let mut unusable = || match find(now()) {
            Some(Login::Unusable(why)) => wording.add(why),
            other => panic!("{other:?}"),
        };
        unusable();
        assert!(matches!(
            find(now() - Duration::from_secs(1)),
            Some(Login::Token(..))
        ));
        std::fs::remove_file(home.path().join(place)).unwrap();
        write(
            home.path(),
            ".config/cloudflare/config/default.enc",
            "sealed",
        );
        unusable();
        write(home.path(), place, "not json");
        unusable();
        std::fs::remove_file(home.path().join(".config/cloudflare/config/default.enc")).unwrap();
        assert_eq!(find(now()), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_uses_the_profile_that_it_is_bound_to_and_no_other_login() {
        let mut wording = wording!();
        let home = tempfile::tempdir().unwrap();
        let bindings = r#"{"/srv/shop":"work","/srv/shop/client":"client","/bad":"../default"}"#;
        for (tool, dir, extension) in [
            (Tool::Wrangler, ".config/.wrangler", "toml"),
            (Tool::Cf, ".config/cloudflare", "json"),
        ] {
            let login = |token: &str| match tool {
                Tool::Wrangler => {
                    format!("oauth_token = \"{token}\"\nexpiration_time = \"2999-01-01T00:00:00Z\"")
                }
                Tool::Cf => format!(
                    r#"{{"oauth_token":"{token}","expiration_time":"2999-01-01T00:00:00Z"}}"#
                ),
            };
            let path = |name: &str| format!("{dir}/config/{name}.{extension}");
            write(home.path(), &path("default"), &login("by-default"));
            let environment = write(home.path(), &path("work"), &login("at-work"));
            let bindings_path = format!("{dir}/profiles/directory-bindings.json");
            write(home.path(), &bindings_path, bindings);
            let find = |folder: &str| {
                find(
                    tool,
                    &environment.clone().in_folder(Path::new(folder)),
                    now(),
                )
            };
            for (folder, token) in [
                ("/srv/shop", "at-work"),
                ("/srv/shop/site/src", "at-work"),
                ("/srv/shopping", "by-default"),
                ("/", "by-default"),
            ] {
                assert!(
                    matches!(find(folder), Some(Login::Token(found, _)) if found == token),
                    "{folder}"
                );
            }
            for folder in ["/srv/shop/client/src", "/bad"] {
                match find(folder) {
                    Some(Login::Unusable(why)) => wording.add(why),
                    other => panic!("{folder}: {other:?}"),
                }
            }
            write(home.path(), &bindings_path, "no JSON");
            assert!(
                matches!(find("/srv/shop"), Some(Login::Token(found, _)) if found == "by-default")
            );
        }
    }
}
