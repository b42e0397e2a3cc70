//! Connects to an account: from flags, environment and configuration to a client.

use std::path::PathBuf;
use std::sync::Once;

use crate::api::{ApiError, Client, ErrorKind, Missing, OnNotice, Settings, TokenRefresh};
use crate::cli::failure::Failed;
use crate::cli::{AccountArgs, CliError, failure};
use crate::config::{
    AccountSource, ConfigError, Environment, File, FoundAccount, TokenReader, TokenSource,
};
use crate::model::cloudflare::{Account, Origin, Worker};
use crate::model::text::fuzzy;
use crate::model::text::mistakes::Mistake;
use crate::model::text::sanitize::printable;
use crate::runtime::still_rescued;
use crate::store::{Choice, Store};
use crate::ui::theme::{Depth, ThemeError};
use crate::{config, store};

/// A client with its account and the sources of its credentials.
#[derive(Debug, Clone)]
pub struct Session {
    /// The client for [`Session::account`].
    pub client: Client,
    /// The client's settings, without the account.
    pub settings: Settings,
    /// The account; its name is its id if the token may not list accounts.
    pub account: Account,
    /// The source of the token.
    pub token_source: TokenSource,
    /// The source of the account.
    pub account_source: AccountSource,
}

impl Session {
    /// Returns the origin of its captures: recordings of the demo server must never pass for production.
    #[must_use]
    pub fn origin(&self) -> Origin {
        #[cfg(feature = "demo")]
        if self.settings.token.reveal() == crate::demo::TOKEN {
            return Origin::Demo;
        }
        Origin::Cloudflare
    }
}

impl Session {
    /// Returns a Worker by its name or id. For an unknown name, the error suggests the closest one, at the cost of one call.
    ///
    /// # Errors
    /// [`CliError::Failed`].
    pub(super) async fn worker(&self, named: &str) -> Result<Worker, CliError> {
        let error = match self.client.worker(named).await {
            Ok(worker) => return Ok(worker),
            Err(error) if *error.kind() == ErrorKind::NotFound(Missing::Worker) => error,
            Err(error) => return Err(error.into()),
        };
        let page = self.client.workers_page(1).await.ok();
        let known = page
            .iter()
            .flat_map(|page| &page.items)
            .map(|worker| worker.name.as_str());
        let near = fuzzy::did_you_mean(named, known);
        Err(CliError::Failed(Failed {
            message: format!(
                "there is no Worker `{}` on account {}{}",
                printable(named),
                self.account.id,
                near
            ),
            // A typo is not Cloudflare's error: its support needs no ray.
            ray: None,
            hint: Some("flarescope list workers shows all Workers.".to_owned()),
            ..Failed::from(&error)
        }))
    }
}

/// Runs a command's calls to their end. Doesn't wait for threads that are still blocked, such as by another program's
/// capture lock: a command that gets a signal ends at once.
///
/// # Errors
/// [`CliError::Fault`] if the system can't start a runtime.
pub(super) fn block_on<T>(calls: impl Future<Output = T>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::Fault(format!("no runtime: {error}")))?;
    let ended = runtime.block_on(calls);
    runtime.shutdown_background();
    Ok(ended)
}

/// Reads the configuration file and checks that its theme exists, which the `config` room can't know.
///
/// # Errors
/// [`ConfigError`].
pub(super) fn configuration(environment: &Environment) -> Result<File, ConfigError> {
    static WARNED: Once = Once::new();
    let file = File::read(environment)?;
    // A command may need the configuration more than once.
    WARNED.call_once(|| {
        for warning in &file.warnings {
            note(&printable(&format!("{warning}: ignored")));
        }
    });
    if let (Some(name), Some(path)) = (&file.theme, &file.path)
        && let Err(error @ ThemeError::Unknown { .. }) =
            crate::cli::themes::themes(environment).load(name, Depth::None)
    {
        let line = file.line("theme").unwrap_or(1);
        return Err(ConfigError::Mistakes(vec![Mistake {
            file: path.display().to_string(),
            line,
            message: error.to_string(),
        }]));
    }
    Ok(file)
}

/// Opens the cache of captures.
pub(super) fn store(environment: &Environment) -> Result<Store, CliError> {
    let quota = configuration(environment)?.quota.unwrap_or(config::QUOTA);
    Ok(Store::open(config::cache_dir(environment)?)
        .with_quota(Some(quota))
        .with_rescue(rescue_folders(environment)))
}

/// Returns where captures go that the cache can't take, best first.
pub(super) fn rescue_folders(environment: &Environment) -> Vec<PathBuf> {
    let state = config::state_dir(environment).map(|state| state.join("rescued"));
    state
        .into_iter()
        .chain([store::temporary_rescue()])
        .collect()
}

/// Lists the remaining rescued captures on stderr.
pub(super) fn note_rescued(store: &Store) {
    for capture in store.rescued() {
        note(&crate::model::text::sanitize::printable(&still_rescued(
            &capture.path,
        )));
    }
}

/// The credentials from flags, environment and configuration.
#[derive(Debug, Clone)]
pub(super) struct Credentials {
    /// The client's settings, without the account.
    pub(super) settings: Settings,
    pub(super) token_source: TokenSource,
    /// The account that was given, or chosen before.
    pub(super) account: Option<FoundAccount>,
}

/// Returns where the chosen account is remembered; `None` without a home folder.
pub(super) fn choice(environment: &Environment) -> Option<Choice> {
    config::state_dir(environment).map(Choice::open)
}

impl Credentials {
    /// Finds token, address and account. Reads the token's source once: it may be a pipe, or a command that prompts.
    ///
    /// # Errors
    /// [`ConfigError`]; [`ConfigError::NoToken`] if no source has a token.
    pub(super) fn find(args: &AccountArgs, environment: &Environment) -> Result<Self, ConfigError> {
        Self::find_with(args, environment, &configuration(environment)?)
    }

    /// As [`Credentials::find`], with a configuration that is already read.
    ///
    /// # Errors
    /// As [`Credentials::find`].
    pub(super) fn find_with(
        args: &AccountArgs,
        environment: &Environment,
        file: &File,
    ) -> Result<Self, ConfigError> {
        let base_url = config::base_url(environment)?;
        let account = account(args, environment, file, &base_url)?;
        let found = config::token(args.token_file.as_deref(), environment, file)?;
        if let Some(hint) = found.hint {
            note(hint);
        }
        let settings = Settings {
            token_refresh: Some(token_refresh(&found.source, environment, file)),
            on_notice: Some(OnNotice::new(|notice| note(&notice.to_string()))),
            ..Settings::new(base_url, found.secret)
        };
        Ok(Self {
            settings,
            token_source: found.source,
            account,
        })
    }

    /// Returns a client for the given account, or for the only one that the token can see.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the list of accounts if the token can see several.
    pub(super) async fn connect(self) -> Result<Session, CliError> {
        let client = Client::new(self.settings.clone())?;
        let (account, account_source) = match self.account {
            Some(found) => (found.account, found.source),
            None => (only_account(client.accounts().await?)?, AccountSource::Only),
        };
        // The result is about this account, which was not named for this run.
        if matches!(
            account_source,
            AccountSource::Remembered | AccountSource::Tool(..)
        ) {
            let named = if account.name == account.id {
                String::new()
            } else {
                format!("{} ", account.name)
            };
            note(&format!(
                "account {}{}, by {account_source}",
                printable(&named),
                account.id
            ));
        }
        Ok(Session {
            client: client.with_account(&account.id),
            settings: self.settings,
            account,
            token_source: self.token_source,
            account_source,
        })
    }
}

/// Returns how to find a newer token after one is rejected, with advice if there is none.
fn token_refresh(source: &TokenSource, environment: &Environment, file: &File) -> TokenRefresh {
    match TokenReader::new(source, environment, file) {
        Some(reader) => TokenRefresh::from_source(source.advice(), move || reader.read()),
        None => TokenRefresh::never(source.advice()),
    }
}

/// Returns the account that was given or chosen before.
fn account(
    args: &AccountArgs,
    environment: &Environment,
    file: &File,
    base_url: &str,
) -> Result<Option<FoundAccount>, ConfigError> {
    let remembered = choice(environment).and_then(|choice| choice.account(base_url));
    config::account(args.account.as_deref(), environment, file, remembered)
}

/// Returns a client for the given account, or for the only one that the token can see.
///
/// # Errors
/// [`CliError::Usage`] if something is missing, or with the list of accounts if the token can see several.
pub async fn connect(args: &AccountArgs, environment: &Environment) -> Result<Session, CliError> {
    Credentials::find(args, environment)?.connect().await
}

fn only_account(mut accounts: Vec<Account>) -> Result<Account, CliError> {
    match accounts.len() {
        0 => Err(CliError::Usage(
            "the API token can't list any account: name one with --account ID or CLOUDFLARE_ACCOUNT_ID".to_owned(),
        )),
        1 => Ok(accounts.remove(0)),
        several => {
            let lines: String = accounts
                .iter()
                .map(|account| format!("\n  {}  {}", account.id, printable(&account.name)))
                .collect();
            Err(CliError::Usage(format!(
                "the API token can see {several} accounts: choose one with --account ID or CLOUDFLARE_ACCOUNT_ID{lines}"
            )))
        }
    }
}

/// Prints a note on stderr.
pub(super) fn note(text: &str) {
    failure::say(&format!("flarescope: {text}"));
}

impl From<ApiError> for CliError {
    fn from(error: ApiError) -> Self {
        if *error.kind() == ErrorKind::Settings {
            return Self::Usage(error.to_string());
        }
        Self::Failed(Failed::from(&error))
    }
}

impl From<&ApiError> for Failed {
    fn from(error: &ApiError) -> Self {
        Self {
            code: error.code(),
            status: error.status(),
            message: error.to_string(),
            ray: error.ray().map(str::to_owned),
            hint: error.hint(),
        }
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<crate::store::StoreError> for CliError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::failed(error.to_string())
    }
}
