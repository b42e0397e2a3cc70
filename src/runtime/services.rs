//! The services that effects run with: the account's API, the cache.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;

use crate::api::{ApiError, Client, Notice, OnNotice, Quota, Settings};
use crate::app::Origin;
use crate::inspector::Inspector;
use crate::model::cloudflare::{Account, Namespace};
use crate::store::{Choice, Store};

/// The longest pause of a rate limit that is waited out silently.
const PATIENCE: Duration = Duration::from_secs(3);

/// How to reach the API.
#[derive(Debug, Clone)]
pub struct Access {
    /// Address, token, time-outs.
    pub settings: Settings,
    /// The API or the demo server.
    pub origin: Origin,
}

/// A local runtime.
#[derive(Debug, Clone)]
pub struct Local {
    /// How to reach it.
    pub inspector: Inspector,
    /// The user's name for its only Worker, if the runtime has none.
    pub label: Option<String>,
}

/// Where lists and captures come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Cloudflare's API or the demo server.
    Cloudflare(Access),
    /// A local workerd or `wrangler dev`.
    Inspector(Local),
}

/// Returns the file of this program; `None` if it can't be found.
pub(super) fn own_program() -> Option<PathBuf> {
    let known = std::env::current_exe()
        .ok()
        .filter(|program| program.exists());
    // This link works even if the program's file was replaced.
    let itself = || cfg!(target_os = "linux").then(|| PathBuf::from("/proc/self/exe"));
    known.or_else(itself)
}

/// Everything that effects need from outside. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// The source of lists and captures; `None` for files and captures on disk only.
    pub source: Option<Source>,
    /// The current account, once one is chosen.
    pub account: Option<Account>,
    /// The cache.
    pub store: Store,
    /// Where the chosen account is remembered.
    pub choice: Option<Choice>,
    /// This program, started again for each capture; `None` if captures run in this process and are lost with it.
    pub program: Option<PathBuf>,
    client: Arc<OnceCell<Client>>,
    namespaces: Arc<OnceCell<Vec<Namespace>>>,
    /// Set once the token may not read this account's analytics: asking again for each Worker would waste calls.
    no_analytics: Arc<AtomicBool>,
    /// Lists that turned out to be incomplete.
    truncated: Arc<Mutex<Vec<String>>>,
}

impl Services {
    /// Creates services. Opens nothing yet: the first frame must not wait for certificates.
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
            truncated: Arc::default(),
        }
    }

    /// Returns how to reach the API; `None` for other sources.
    #[must_use]
    pub const fn access(&self) -> Option<&Access> {
        match &self.source {
            Some(Source::Cloudflare(access)) => Some(access),
            _ => None,
        }
    }

    /// Returns the local runtime; `None` for other sources.
    pub(super) const fn local(&self) -> Option<&Local> {
        match &self.source {
            Some(Source::Inspector(local)) => Some(local),
            _ => None,
        }
    }

    /// Runs each capture in a worker process, if the program's file can be found.
    #[must_use]
    pub fn with_capture_worker(self) -> Self {
        Self {
            program: own_program(),
            ..self
        }
    }

    /// Switches to another account. Requests that run already keep the old one.
    pub(super) fn use_account(&mut self, account: Account) {
        self.account = Some(account);
        self.namespaces = Arc::default();
        self.no_analytics = Arc::default();
    }

    /// Returns whether analytics may be available.
    pub(super) fn may_ask_analytics(&self) -> bool {
        !self.no_analytics.load(Ordering::Relaxed)
    }

    /// Sends no more requests to analytics.
    pub(super) fn give_up_analytics(&self) {
        self.no_analytics.store(true, Ordering::Relaxed);
    }

    /// Returns what was left of the shared API quota at the latest response.
    pub(super) fn quota(&self) -> Option<Quota> {
        self.client.get()?.quota()
    }

    /// Remembers the account for the next start, unless it is the demo server's.
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

    /// Returns a client for the current account, built on first use; `None` without access.
    ///
    /// # Errors
    /// If the address or the certificates can't be used.
    pub async fn client(&self) -> Option<Result<Client, ApiError>> {
        let access = self.access()?;
        let build = || async {
            let truncated = Arc::clone(&self.truncated);
            let take = move |notice: &Notice| {
                if let Notice::Truncated(error) = notice {
                    let mut truncated = truncated.lock().unwrap_or_else(PoisonError::into_inner);
                    truncated.push(error.to_string());
                }
            };
            Client::new(Settings {
                // On the screen the user decides about longer waits.
                patience: PATIENCE.min(access.settings.patience),
                on_notice: Some(OnNotice::new(take)),
                ..access.settings.clone()
            })
        };
        let client = self.client.get_or_try_init(build).await;
        Some(client.map(|client| match &self.account {
            Some(account) => client.with_account(&account.id),
            None => client.clone(),
        }))
    }

    /// Returns the lists that turned out to be incomplete since the last call, as sentences.
    pub(super) fn drain_truncated(&self) -> Vec<String> {
        std::mem::take(
            &mut *self
                .truncated
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Returns all namespaces of the account. Loaded once a session, since they change with deployments only.
    ///
    /// # Errors
    /// The error of the API.
    pub async fn namespaces(&self, client: &Client) -> Result<&[Namespace], ApiError> {
        self.namespaces
            .get_or_try_init(|| client.namespaces())
            .await
            .map(Vec::as_slice)
    }
}
