//! What effects are run with: the account's API, the cache.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;

use crate::api::{ApiError, Client, Settings};
use crate::app::Origin;
use crate::inspector::Inspector;
use crate::model::target::Namespace;
use crate::store::Store;

/// The longest `Retry-After` that is waited out without a word.
const PATIENCE: Duration = Duration::from_secs(3);

/// An account that can be asked.
#[derive(Debug, Clone)]
pub struct Account {
    /// How to reach it.
    pub settings: Settings,
    /// 32 hexadecimal digits.
    pub id: String,
    /// Its name, or the beginning of its id.
    pub name: String,
    /// The API or its stand-in.
    pub origin: Origin,
}

/// A local runtime, which is profiled instead of an account.
#[derive(Debug, Clone)]
pub struct Local {
    /// How to reach it.
    pub inspector: Inspector,
    /// The user's name for its only Worker, where the runtime itself has none.
    pub label: Option<String>,
}

/// Everything that effects need from outside. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// The account; `None`: files and captures on disk only.
    pub account: Option<Account>,
    /// The local runtime, where one is profiled.
    pub local: Option<Local>,
    /// The cache.
    pub store: Store,
    /// This program, to be started again for each capture; `None`: captures are taken here, and lost with the program.
    pub program: Option<PathBuf>,
    client: Arc<OnceCell<Client>>,
    namespaces: Arc<OnceCell<Vec<Namespace>>>,
}

impl Services {
    /// Puts services together. Nothing is opened yet: the first frame must not wait for certificates.
    #[must_use]
    pub fn new(account: Option<Account>, store: Store) -> Self {
        Self { account, local: None, store, program: None, client: Arc::default(), namespaces: Arc::default() }
    }

    /// The same for a local runtime, which is profiled instead of an account.
    #[must_use]
    pub fn with_local(self, local: Option<Local>) -> Self {
        Self { local, ..self }
    }

    /// Takes each capture in a process of its own, if the program's file can be found.
    #[must_use]
    pub fn with_relay(self) -> Self {
        let known = std::env::current_exe().ok().filter(|program| program.exists());
        // A program that was replaced while it runs is still to be had here.
        let itself = || cfg!(target_os = "linux").then(|| PathBuf::from("/proc/self/exe"));
        Self { program: known.or_else(itself), ..self }
    }

    /// The client, built when first asked for; `None` without an account.
    ///
    /// # Errors
    /// If the address or the certificates can't be used.
    pub async fn client(&self) -> Option<Result<&Client, ApiError>> {
        let account = self.account.as_ref()?;
        let build = || async {
            // On the screen a person decides about longer waits.
            let patience = PATIENCE.min(account.settings.patience);
            let settings = Settings { account: Some(account.id.clone()), patience, ..account.settings.clone() };
            Client::new(settings)
        };
        Some(self.client.get_or_try_init(build).await)
    }

    /// All namespaces of the account; asked for once a session, since they change with deployments only.
    ///
    /// # Errors
    /// What the API said.
    pub async fn namespaces(&self, client: &Client) -> Result<&[Namespace], ApiError> {
        self.namespaces.get_or_try_init(|| client.namespaces()).await.map(Vec::as_slice)
    }
}
