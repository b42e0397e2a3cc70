//! Where the API token comes from.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::config::file::{Command, File};
use crate::config::logins;
use crate::config::logins::{Login, Tool};
use crate::config::{ConfigError, Environment, command};
use crate::model::text::secret::{Secret, SecretError};

/// Largest token file that is read, in bytes. Tokens have about 50.
const FILE_MAX: u64 = 16 << 10;

const EXPIRED: &str = "It may have expired or been revoked.";

/// Where a token was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenSource {
    /// An environment variable.
    Variable(&'static str),
    /// `--token-file PATH`.
    File(PathBuf),
    /// `--token-file -`.
    Stdin,
    /// The configuration's `token_command`.
    Command,
    /// The login of one of Cloudflare's own tools, and the file it is in.
    Login(Tool, PathBuf),
}

impl TokenSource {
    /// Returns a short form for the screen's title.
    #[must_use]
    pub fn brief(&self) -> String {
        match self {
            Self::Variable(name) => (*name).to_owned(),
            Self::File(_) | Self::Stdin => "--token-file".to_owned(),
            Self::Command => "token_command".to_owned(),
            Self::Login(tool, _) => format!("{}'s login", tool.name()),
        }
    }

    /// Returns how to get a working token after this one was rejected, in whole sentences.
    #[must_use]
    pub fn advice(&self) -> String {
        let (cause, next) = match self {
            Self::Login(tool, _) => {
                return format!(
                    "The login of {} has expired or was revoked. `{}` renews it, `{}` logs in again; then retry.",
                    tool.name(),
                    tool.renew(),
                    tool.log_in()
                );
            }
            Self::Command => (
                "token_command printed the same token again.",
                "put it where the command reads it and retry".to_owned(),
            ),
            Self::Variable(name) => (EXPIRED, format!("set {name} to it and start again")),
            Self::File(path) => (EXPIRED, format!("put it into {} and retry", path.display())),
            Self::Stdin => (EXPIRED, "pass it and start again".to_owned()),
        };
        format!(
            "{cause} Create one with Workers Scripts Read at https://dash.cloudflare.com/profile/api-tokens, {next}."
        )
    }
}

/// Reads the token's source again after a rejection. Owns everything it needs, as that may happen at any time.
#[derive(Debug, Clone)]
pub struct TokenReader {
    source: TokenSource,
    environment: Environment,
    command: Option<Command>,
}

impl TokenReader {
    /// Returns a reader for a source that may have another token later; `None` for other sources.
    #[must_use]
    pub fn new(source: &TokenSource, environment: &Environment, file: &File) -> Option<Self> {
        match source {
            TokenSource::Variable(_) | TokenSource::Stdin => None,
            TokenSource::File(_) | TokenSource::Command | TokenSource::Login(..) => Some(Self {
                source: source.clone(),
                environment: environment.clone(),
                command: file.token_command.clone(),
            }),
        }
    }

    /// Returns the source's current token. A command runs without the terminal, which the screen may have taken.
    #[must_use]
    pub fn read(&self) -> Option<Secret> {
        let text = match &self.source {
            TokenSource::File(path) => read(path, std::fs::File::open(path).ok()?).ok()?,
            TokenSource::Command => command::run_again(self.command.as_ref()?)?,
            TokenSource::Login(tool, _) => {
                match logins::find(*tool, &self.environment, SystemTime::now())? {
                    Login::Token(text, _) => text,
                    Login::Unusable(_) => return None,
                }
            }
            TokenSource::Variable(_) | TokenSource::Stdin => return None,
        };
        Secret::new(&text).ok()
    }
}

impl fmt::Display for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Stdin => f.write_str("standard input"),
            Self::Command => f.write_str("token_command"),
            Self::Login(tool, path) => {
                write!(f, "the login of {} ({})", tool.name(), path.display())
            }
        }
    }
}

/// A token and its source.
#[derive(Debug, Clone)]
pub struct FoundToken {
    /// The token.
    pub secret: Secret,
    /// Where it was found.
    pub source: TokenSource,
    /// A hint for the user if the source is deprecated.
    pub hint: Option<&'static str>,
}

/// Returns the token: `--token-file`, then `CLOUDFLARE_API_TOKEN`, then `CF_API_TOKEN`, then the configuration's
/// `token_command`, then the login of `cf`, then that of `wrangler`.
///
/// # Errors
/// [`ConfigError::NoToken`]; other errors if the first token found can't be used.
pub fn token(
    flag: Option<&Path>,
    environment: &Environment,
    file: &File,
) -> Result<FoundToken, ConfigError> {
    if let Some(path) = flag {
        let (text, source) = if path == Path::new("-") {
            (read(path, std::io::stdin().lock())?, TokenSource::Stdin)
        } else {
            let opened = std::fs::File::open(path).map_err(|source| ConfigError::TokenFile {
                path: path.to_owned(),
                source,
            })?;
            (read(path, opened)?, TokenSource::File(path.to_owned()))
        };
        return found(&text, source, None);
    }
    for (name, hint) in [
        ("CLOUDFLARE_API_TOKEN", None),
        (
            "CF_API_TOKEN",
            Some("CF_API_TOKEN is an old name: use CLOUDFLARE_API_TOKEN"),
        ),
    ] {
        if environment.is_not_text(name) {
            let place = format!("from {name}");
            return Err(ConfigError::Token(place, SecretError::NotText));
        }
        if let Some(text) = environment.get(name) {
            return found(text, TokenSource::Variable(name), hint);
        }
    }
    if let Some(command) = &file.token_command {
        return found(&command::run(command)?, TokenSource::Command, None);
    }
    login(environment)
}

/// Returns the first usable login.
///
/// # Errors
/// [`ConfigError::NoToken`] with the reason for each login that can't be used.
fn login(environment: &Environment) -> Result<FoundToken, ConfigError> {
    let mut why = String::new();
    let mut tools = vec![Tool::Cf, Tool::Wrangler];
    // The other tool's login may be another customer's.
    if let Some(bound) = tools
        .iter()
        .position(|tool| logins::bound_profile(*tool, environment).is_some())
    {
        tools = vec![tools[bound]];
    }
    for tool in tools {
        match logins::find(tool, environment, SystemTime::now()) {
            Some(Login::Token(text, path)) => {
                return found(&text, TokenSource::Login(tool, path), None);
            }
            Some(Login::Unusable(reason)) => why.push_str(&format!(". {reason}")),
            None => {}
        }
    }
    if environment.get("CLOUDFLARE_API_KEY").is_some() {
        why.push_str(
            ". CLOUDFLARE_API_KEY is set, but a global key can do everything and is not used",
        );
    }
    Err(ConfigError::NoToken(why))
}

fn found(
    text: &str,
    source: TokenSource,
    hint: Option<&'static str>,
) -> Result<FoundToken, ConfigError> {
    let secret =
        Secret::new(text).map_err(|error| ConfigError::Token(format!("from {source}"), error))?;
    Ok(FoundToken {
        secret,
        source,
        hint,
    })
}

fn read(path: &Path, from: impl Read) -> Result<String, ConfigError> {
    let mut text = String::new();
    from.take(FILE_MAX)
        .read_to_string(&mut text)
        .map_err(|source| match source.kind() {
            std::io::ErrorKind::InvalidData => {
                ConfigError::Token(format!("from {}", path.display()), SecretError::NotText)
            }
            _ => ConfigError::TokenFile {
                path: path.to_owned(),
                source,
            },
        })?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::wording;

    fn token(flag: Option<&Path>, environment: &Environment) -> Result<FoundToken, ConfigError> {
        super::token(flag, environment, &File::default())
    }

    #[test]
    fn a_file_goes_before_the_variable_and_the_variable_before_its_old_name() {
        let environment =
            Environment::of(&[("CLOUDFLARE_API_TOKEN", "new"), ("CF_API_TOKEN", "old")]);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "filed\n").unwrap();
        assert_eq!(
            token(Some(file.path()), &environment)
                .unwrap()
                .secret
                .reveal(),
            "filed"
        );
        assert_eq!(token(None, &environment).unwrap().secret.reveal(), "new");
        let old = token(
            None,
            &Environment::of(&[("CLOUDFLARE_API_TOKEN", " "), ("CF_API_TOKEN", "old")]),
        )
        .unwrap();
        assert_eq!((old.secret.reveal(), old.hint.is_some()), ("old", true));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_command_goes_before_logins_and_variables_before_both() {
        let mut wording = wording!();
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(".config/.wrangler/config");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("default.toml"), "api_token = \"logged-in\"").unwrap();
        let environment = Environment::of(&[("HOME", home.path().to_str().unwrap())]);
        let found = token(None, &environment).unwrap();
        assert_eq!(found.secret.reveal(), "logged-in");
        wording.add(&found.source);
        let command = File {
            token_command: Some(Command::Line("echo commanded".to_owned())),
            ..File::default()
        };
        let found = super::token(None, &environment, &command).unwrap();
        assert_eq!(
            (found.secret.reveal(), found.source),
            ("commanded", TokenSource::Command)
        );
        let environment = Environment::of(&[("CLOUDFLARE_API_TOKEN", "set")]);
        assert_eq!(
            super::token(None, &environment, &command)
                .unwrap()
                .secret
                .reveal(),
            "set"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_same_place_is_read_again_and_no_other() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(".config/.wrangler/config");
        std::fs::create_dir_all(&dir).unwrap();
        let put = |text: &str| std::fs::write(dir.join("default.toml"), text).unwrap();
        let environment = Environment::of(&[("HOME", home.path().to_str().unwrap())]);
        put("oauth_token = \"first\"\nexpiration_time = \"2999-01-01T00:00:00Z\"");
        let found = token(None, &environment).unwrap();
        let reader = TokenReader::new(&found.source, &environment, &File::default()).unwrap();
        put("oauth_token = \"second\"\nexpiration_time = \"2999-01-01T00:00:00Z\"");
        assert_eq!(reader.read().unwrap().reveal(), "second");
        put("oauth_token = \"third\"\nexpiration_time = \"2001-01-01T00:00:00Z\"");
        assert_eq!(reader.read(), None, "one that has expired is none");
        std::fs::remove_file(dir.join("default.toml")).unwrap();
        assert_eq!(reader.read(), None);

        let file = home.path().join("token");
        let filed = TokenReader::new(
            &TokenSource::File(file.clone()),
            &environment,
            &File::default(),
        )
        .unwrap();
        assert_eq!(filed.read(), None);
        std::fs::write(&file, "filed\n").unwrap();
        assert_eq!(filed.read().unwrap().reveal(), "filed");

        let line = format!("cat {}", file.display());
        let command = File {
            token_command: Some(Command::Line(line)),
            ..File::default()
        };
        let commanded = TokenReader::new(&TokenSource::Command, &environment, &command).unwrap();
        assert_eq!(commanded.read().unwrap().reveal(), "filed");
        for fixed in [
            TokenSource::Variable("CLOUDFLARE_API_TOKEN"),
            TokenSource::Stdin,
        ] {
            assert!(TokenReader::new(&fixed, &environment, &command).is_none());
        }
    }

    #[test]
    fn what_is_wrong_is_reported_without_the_token() {
        let mut wording = wording!();
        let error = token(
            None,
            &Environment::of(&[("CLOUDFLARE_API_TOKEN", "“quoted”")]),
        )
        .unwrap_err()
        .to_string();
        assert!(
            error.contains("CLOUDFLARE_API_TOKEN") && !error.contains("quoted"),
            "{error}"
        );
        let error = token(None, &Environment::of(&[("CLOUDFLARE_API_KEY", "x")]))
            .unwrap_err()
            .to_string();
        wording.add(error);
        let error = token(
            Some(Path::new("/nonexistent/token")),
            &Environment::default(),
        )
        .unwrap_err()
        .to_string();
        assert!(error.contains("/nonexistent/token"), "{error}");
    }
}
