//! What effects are run with: the account's API, the cache.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::OnceCell;

use crate::api::{ApiError, Client, Quota, Settings};
use crate::app::Origin;
use crate::inspector::Inspector;
use crate::model::cloudflare::{Account, Namespace};
use crate::store::{Choice, Store};

/// The longest `Retry-After` that is waited out without a word.
const PATIENCE: Duration = Duration::from_secs(3);

/// How the API is reached.
#[derive(Debug, Clone)]
pub struct Access {
    /// Address, token, time-outs.
    pub settings: Settings,
    /// The API or its stand-in.
    pub origin: Origin,
}

/// A local runtime.
#[derive(Debug, Clone)]
pub struct Local {
    /// How to reach it.
    pub inspector: Inspector,
    /// The user's name for its only Worker, where the runtime itself has none.
    pub label: Option<String>,
}

/// Where lists and captures come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Cloudflare's API or its stand-in.
    Cloudflare(Access),
    /// A local workerd or `wrangler dev`.
    Inspector(Local),
}

/// Everything that effects need from outside. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// What is asked; `None`: files and captures on disk only.
    pub source: Option<Source>,
    /// The account in force, once one is chosen.
    pub account: Option<Account>,
    /// The cache.
    pub store: Store,
    /// Where the choice of an account is remembered.
    pub choice: Option<Choice>,
    /// This program, to be started again for each capture; `None`: captures are taken here, and lost with the program.
    pub program: Option<PathBuf>,
    client: Arc<OnceCell<Client>>,
    namespaces: Arc<OnceCell<Vec<Namespace>>>,
    /// The token may not read this account's analytics: asking for each Worker again would cost calls and tell nothing.
    no_analytics: Arc<AtomicBool>,
}

impl Services {
    /// Puts services together. Nothing is opened yet: the first frame must not wait for certificates.
    #[must_use]
    pub fn new(
        source: Option<Source>,
        account: Option<Account>,
        store: Store,
        choice: Option<Choice>,
    ) -> Self {
        let (client, namespaces) = (Arc::default(), Arc::default());
        Self {
            source,
            account,
            store,
            choice,
            program: None,
            client,
            namespaces,
            no_analytics: Arc::default(),
        }
    }

    /// How the API is reached, where that is what is asked.
    #[must_use]
    pub const fn access(&self) -> Option<&Access> {
        match &self.source {
            Some(Source::Cloudflare(access)) => Some(access),
            _ => None,
        }
    }

    /// The local runtime, where that is what is asked.
    pub(super) const fn local(&self) -> Option<&Local> {
        match &self.source {
            Some(Source::Inspector(local)) => Some(local),
            _ => None,
        }
    }

    /// Takes each capture in a process of its own, if the program's file can be found.
    #[must_use]
    pub fn with_capture_worker(self) -> Self {
        let known = std::env::current_exe()
            .ok()
            .filter(|program| program.exists());
        // A program that was replaced while it runs is still to be had here.
        let itself = || cfg!(target_os = "linux").then(|| PathBuf::from("/proc/self/exe"));
        Self {
            program: known.or_else(itself),
            ..self
        }
    }

    /// The same for another account: what was asked about the old one goes on with the old.
    pub(super) fn use_account(&mut self, account: Account) {
        self.account = Some(account);
        self.namespaces = Arc::default();
        self.no_analytics = Arc::default();
    }

    /// Whether analytics are worth a call.
    pub(super) fn may_ask_analytics(&self) -> bool {
        !self.no_analytics.load(Ordering::Relaxed)
    }

    /// Analytics were refused for good.
    pub(super) fn give_up_analytics(&self) {
        self.no_analytics.store(true, Ordering::Relaxed);
    }

    /// What was left of the shared calls at the latest answer.
    pub(super) fn quota(&self) -> Option<Quota> {
        self.client.get()?.quota()
    }

    /// Remembers the account for the next start; the stand-in's is none to remember.
    ///
    /// # Errors
    /// The file can't be written.
    pub(super) fn remember(&self) -> Result<(), crate::store::StoreError> {
        match (self.access(), &self.choice, &self.account) {
            (Some(access), Some(choice), Some(account)) if access.origin == Origin::Cloudflare => {
                choice.remember(&access.settings.base_url, account)
            }
            _ => Ok(()),
        }
    }

    /// A client for the account in force, built when first asked for; `None` without access.
    ///
    /// # Errors
    /// If the address or the certificates can't be used.
    pub async fn client(&self) -> Option<Result<Client, ApiError>> {
        let access = self.access()?;
        let build = || async {
            // On the screen a person decides about longer waits.
            let patience = PATIENCE.min(access.settings.patience);
            Client::new(Settings {
                patience,
                ..access.settings.clone()
            })
        };
        let client = self.client.get_or_try_init(build).await;
        Some(client.map(|client| match &self.account {
            Some(account) => client.with_account(&account.id),
            None => client.clone(),
        }))
    }

    /// All namespaces of the account; asked for once a session, since they change with deployments only.
    ///
    /// # Errors
    /// What the API said.
    pub async fn namespaces(&self, client: &Client) -> Result<&[Namespace], ApiError> {
        self.namespaces
            .get_or_try_init(|| client.namespaces())
            .await
            .map(Vec::as_slice)
    }
}
