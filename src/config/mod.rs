//! Settings from flags, environment and configuration file, in this order: token, account, address, folders, keys.
//!
//! The environment is passed as a value ([`Environment`]), so that every rule can be tested. No token is ever stored, and
//! none is read from the command line, which others can read.

mod account;
mod address;
mod command;
mod environment;
mod file;
mod first_run;
mod folders;
mod load;
mod logins;
mod parse;
mod size;
mod template;
mod themes;
mod token;

pub use account::{AccountSource, FoundAccount, account};
pub use address::base_url;
pub use environment::Environment;
pub use file::{Command, File};
pub use first_run::is_first_run;
pub use folders::{cache_dir, config_dir, state_dir};
pub use logins::Tool;
pub use size::{size, written_size};
pub use template::{TEMPLATE, write_template};
pub use themes::{ThemeFile, own_themes};
pub use token::{FoundToken, TokenReader, TokenSource, token};

/// The default quota of the captures on disk, in bytes.
pub const QUOTA: u64 = 1 << 30;

/// Why the program can't start with these settings. The texts are sentences for the user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// No token was found.
    #[error(
        "there is no API token. Set CLOUDFLARE_API_TOKEN to one with Workers Scripts Read (made at \
         https://dash.cloudflare.com/profile/api-tokens), or try `flarescope demo`, which needs none{0}"
    )]
    NoToken(String),
    /// The configuration file can't be read.
    #[error("the configuration {}: {why}", path.display())]
    File {
        /// Which file.
        path: std::path::PathBuf,
        /// Why.
        why: String,
    },
    /// The configuration has mistakes, each with its line.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Mistakes(Vec<crate::model::text::mistakes::Mistake>),
    /// The command that prints the token failed.
    #[error("token_command failed: {0}")]
    TokenCommand(String),
    /// A token that can't be sent.
    #[error("{1} ({0})")]
    Token(String, crate::model::text::secret::SecretError),
    /// A token file that can't be read.
    #[error("the token file {} can't be read: {source}", path.display())]
    TokenFile {
        /// Which file.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// An invalid account id.
    #[error("{0}: {1}")]
    Account(&'static str, crate::model::cloudflare::TargetError),
    /// A compliance region that Cloudflare doesn't have.
    #[error("CLOUDFLARE_COMPLIANCE_REGION is `{0}`; it can be public or fedramp_high")]
    Region(String),
    /// No home folder, so no place for the cache.
    #[error("there is no home folder for the cache: set FLARESCOPE_CACHE_DIR")]
    NoHome,
}
