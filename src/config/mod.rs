//! What the environment and the flags say: token, account, address, folders. Flags go before the environment.
//!
//! The environment comes in as a value ([`Environment`]), so that every rule here can be tested. No token is ever stored,
//! and none is taken from the command line, which others can read.

mod account;
mod address;
mod command;
mod environment;
mod file;
mod folders;
mod logins;
mod token;

pub use account::{AccountSource, FoundAccount, account};
pub use address::base_url;
pub use environment::Environment;
pub use file::{Command, File};
pub use folders::{cache_dir, state_dir};
pub use logins::Tool;
pub use token::{FoundToken, TokenSource, token};

/// Why the program can't start as it is set up. The texts are sentences for the user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// No token anywhere.
    #[error(
        "there is no API token. Set CLOUDFLARE_API_TOKEN to one with Workers Scripts Read (made at \
         https://dash.cloudflare.com/profile/api-tokens), or try `flarescope demo`, which needs none{0}"
    )]
    NoToken(String),
    /// The configuration file can't be read or has a mistake.
    #[error("the configuration {}: {why}", path.display())]
    File {
        /// Which file.
        path: std::path::PathBuf,
        /// What is wrong, with its line.
        why: String,
    },
    /// The command that prints the token did not.
    #[error("token_command failed: {0}")]
    TokenCommand(String),
    /// A token that can't be sent.
    #[error("{1} ({0})")]
    Token(String, crate::model::secret::SecretError),
    /// A token file that can't be read.
    #[error("the token file {} can't be read: {source}", path.display())]
    TokenFile {
        /// Which file.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// An account id that is none.
    #[error("{0}: {1}")]
    Account(&'static str, crate::model::target::TargetError),
    /// A compliance region that Cloudflare doesn't have.
    #[error("CLOUDFLARE_COMPLIANCE_REGION is `{0}`; it can be public or fedramp_high")]
    Region(String),
    /// No home folder, so no place for the cache.
    #[error("there is no home folder for the cache: set FLARESCOPE_CACHE_DIR")]
    NoHome,
}
