//! Accounts, Workers, versions, deployments, Durable Objects, and the token itself.

use std::time::SystemTime;

use futures_util::stream::{BoxStream, StreamExt};
use serde::de::DeserializeOwned;

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind, Step};
use crate::api::notice::Notice;
use crate::api::paging;
use crate::api::paging::{Page, Received};
use crate::api::path::Path;
use crate::api::wire;
use crate::model::cloudflare::{Account, Namespace, Object, Version, Worker};

/// A list that comes in numbered pages.
struct List<W, T> {
    step: Step,
    template: &'static str,
    /// Entries requested on a page. The server may return fewer; its own number then counts.
    per_page: u64,
    order: &'static [(&'static str, &'static str)],
    /// Returns `None` for an entry without an id.
    into_model: fn(W) -> Option<T>,
}

const ACCOUNTS: List<wire::Account, Account> = List {
    step: Step::Accounts,
    template: "/accounts",
    // The most that the resource allows.
    per_page: 50,
    order: &[],
    into_model: wire::Account::into_model,
};
const WORKERS: List<wire::Worker, Worker> = List {
    step: Step::Workers,
    template: "/accounts/{account}/workers/workers",
    per_page: 100,
    // A deployment during the walk can't change this order: no Worker comes twice or is missed.
    order: &[("order_by", "name"), ("order", "asc")],
    into_model: wire::Worker::into_model,
};
const VERSIONS: List<wire::Version, Version> = List {
    step: Step::Versions,
    template: "/accounts/{account}/workers/workers/{worker}/versions",
    per_page: 100,
    order: &[],
    into_model: wire::Version::into_model,
};
const NAMESPACES: List<wire::Namespace, Namespace> = List {
    step: Step::Namespaces,
    template: "/accounts/{account}/workers/durable_objects/namespaces",
    per_page: 100,
    order: &[],
    into_model: wire::Namespace::into_model,
};

/// Bounds of a page of objects.
const OBJECTS_PER_PAGE: std::ops::RangeInclusive<u64> = 10..=10_000;

/// The versions that serve a Worker's traffic, or served it.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// UUID.
    pub id: Option<String>,
    /// When it was created.
    pub created_on: Option<SystemTime>,
    /// Version ids with their shares of the traffic, as percentages.
    pub versions: Vec<(String, f64)>,
}

/// A page of a namespace's objects.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectPage {
    /// In the server's order, which says nothing about their activity.
    pub objects: Vec<Object>,
    /// The cursor of the next page; `None` if this is the last one.
    pub next: Option<String>,
}

/// The state of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenState {
    /// `active`, `disabled` or `expired`.
    pub status: String,
    /// When it expires, if ever.
    pub expires_on: Option<SystemTime>,
    /// Whether it belongs to an account instead of a user.
    pub account_owned: bool,
}

impl Client {
    /// Returns all accounts that the token can see. A narrow token may see none and still work with an account id.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn accounts(&self) -> Result<Vec<Account>, ApiError> {
        self.all(&ACCOUNTS, None).await
    }

    /// Returns the pages of accounts as they arrive. Ends after an error.
    pub fn accounts_pages(&self) -> BoxStream<'static, Result<Page<Account>, ApiError>> {
        self.pages(&ACCOUNTS, None)
    }

    /// Returns one page of the account's Workers, by name.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn workers_page(&self, number: u64) -> Result<Page<Worker>, ApiError> {
        self.page(&WORKERS, None, number).await
    }

    /// Returns the pages of Workers as they arrive: the first, then four at a time, in any order. A list that changes
    /// meanwhile is walked a second time, so a Worker may come twice. Ends after an error.
    pub fn workers_pages(&self) -> BoxStream<'static, Result<Page<Worker>, ApiError>> {
        let client = self.clone();
        paging::walk_whole(Step::Workers, move |number| {
            let client = client.clone();
            async move { client.workers_page(number).await }
        })
        .boxed()
    }

    /// Returns all Workers of the account, by name.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn workers(&self) -> Result<Vec<Worker>, ApiError> {
        let mut workers = self.collect(self.workers_pages()).await?;
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        workers.dedup_by(|a, b| a.id == b.id);
        Ok(workers)
    }

    /// Returns a Worker by its name or id.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn worker(&self, worker: &str) -> Result<Worker, ApiError> {
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}",
            values: &[self.account(Step::Workers)?, worker],
        };
        let response = self.get::<wire::Worker>(Step::Workers, path, &[]).await?;
        response
            .result
            .into_model()
            .ok_or_else(|| self.nameless(Step::Workers))
    }

    /// Returns all versions of a Worker (name or id), newest first, without their shares of the traffic.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn versions(&self, worker: &str) -> Result<Vec<Version>, ApiError> {
        let mut versions = self.all(&VERSIONS, Some(worker)).await?;
        newest_first(&mut versions);
        Ok(versions)
    }

    /// Returns a version of a Worker (name or id); `latest` is the newest upload, deployed or not.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn version(&self, worker: &str, version: &str) -> Result<Version, ApiError> {
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}/versions/{version}",
            values: &[self.account(Step::Versions)?, worker, version],
        };
        let response = self.get::<wire::Version>(Step::Versions, path, &[]).await?;
        response
            .result
            .into_model()
            .ok_or_else(|| self.nameless(Step::Versions))
    }

    /// Returns a Worker's deployments by its script name (not its id); the first one serves now. Empty if it was never
    /// deployed.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn deployments(&self, script: &str) -> Result<Vec<Deployment>, ApiError> {
        let path = Path {
            template: "/accounts/{account}/workers/scripts/{script}/deployments",
            values: &[self.account(Step::Deployments)?, script],
        };
        let response = self
            .get::<wire::Deployments>(Step::Deployments, path, &[])
            .await?;
        let deployments = response
            .result
            .deployments
            .into_iter()
            .map(|deployment| Deployment {
                id: deployment.id,
                created_on: wire::time_of(deployment.created_on.as_deref()),
                versions: deployment
                    .versions
                    .into_iter()
                    .map(|share| (share.version_id, share.percentage))
                    .collect(),
            });
        Ok(deployments.collect())
    }

    /// Returns all versions of a Worker, newest first, with their shares of the traffic. A serving version that is too old
    /// for the list is fetched by itself.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn versions_with_shares(&self, worker: &Worker) -> Result<Vec<Version>, ApiError> {
        let (mut versions, deployments) =
            tokio::try_join!(self.versions(&worker.id), self.deployments(&worker.name))?;
        let serving = deployments
            .into_iter()
            .next()
            .map(|deployment| deployment.versions)
            .unwrap_or_default();
        for (id, percentage) in serving {
            if let Some(version) = versions.iter_mut().find(|version| version.id == id) {
                version.percentage = percentage;
            } else {
                let mut version = self.version(&worker.id, &id).await?;
                version.percentage = percentage;
                versions.push(version);
            }
        }
        newest_first(&mut versions);
        Ok(versions)
    }

    /// Returns all Durable Object namespaces of the account.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn namespaces(&self) -> Result<Vec<Namespace>, ApiError> {
        self.all(&NAMESPACES, None).await
    }

    /// Returns a page of about `limit` objects of a namespace. There may be millions: fetch more only on demand. A page
    /// without objects is the last one, whatever its cursor says.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn objects(
        &self,
        namespace: &str,
        cursor: Option<&str>,
        limit: u64,
    ) -> Result<ObjectPage, ApiError> {
        let account = self.account(Step::Objects)?;
        let path = Path {
            template: "/accounts/{account}/workers/durable_objects/namespaces/{namespace}/objects",
            values: &[account, namespace],
        };
        let limit = limit.clamp(*OBJECTS_PER_PAGE.start(), *OBJECTS_PER_PAGE.end());
        let mut query = vec![("limit", limit.to_string())];
        query.extend(cursor.map(|cursor| ("cursor", cursor.to_owned())));
        let response = self
            .get::<Vec<wire::Object>>(Step::Objects, path, &query)
            .await?;
        let objects: Vec<Object> = response
            .result
            .into_iter()
            .filter_map(wire::Object::into_model)
            .collect();
        // A server that repeats its cursor would never end.
        let next = response
            .info
            .next_cursor()
            .filter(|next| Some(next.as_str()) != cursor && !objects.is_empty());
        Ok(ObjectPage { objects, next })
    }

    /// Returns the first `count` objects of a namespace in the server's order.
    ///
    /// # Errors
    /// Any [`ApiError`].
    pub async fn first_objects(
        &self,
        namespace: &str,
        count: usize,
    ) -> Result<Vec<Object>, ApiError> {
        let mut objects: Vec<Object> = Vec::new();
        let (mut received, mut cursor) = (Received::default(), None);
        while objects.len() < count {
            let missing = (count - objects.len()) as u64;
            let page = self.objects(namespace, cursor.as_deref(), missing).await?;
            let has_new = received.add(&page.objects, page.objects.len() as u64);
            objects.extend(page.objects);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
            if !has_new || !received.may_go_on() {
                self.notify(&Notice::Truncated(received.truncated(Step::Objects)));
                break;
            }
        }
        objects.truncate(count);
        Ok(objects)
    }

    /// Returns the state of the token. Logins of other tools are not API tokens: for them use [`Client::accounts`].
    ///
    /// # Errors
    /// Any [`ApiError`]; [`ErrorKind::TokenRefused`] also if it belongs to another account than the chosen one.
    pub async fn verify(&self) -> Result<TokenState, ApiError> {
        let user = Path {
            template: "/user/tokens/verify",
            values: &[],
        };
        let id = self.account_id().map(|account| [account]);
        let account = id.as_ref().map(|values| Path {
            template: "/accounts/{account}/tokens/verify",
            values,
        });
        let owned = self.active_login().secret().reveal().starts_with("cfat_");
        let first = match account {
            Some(path) if owned => self
                .get::<wire::Token>(Step::Verify, path, &[])
                .await
                .map(|response| (response, true)),
            _ => self
                .get::<wire::Token>(Step::Verify, user, &[])
                .await
                .map(|response| (response, false)),
        };
        let (response, account_owned) = match (first, account) {
            // The user's path does not know an account's token.
            (Err(error), Some(path)) if !owned && *error.kind() == ErrorKind::TokenRefused => {
                let response = self
                    .get::<wire::Token>(Step::Verify, path, &[])
                    .await
                    .map_err(|_| error)?;
                (response, true)
            }
            (first, _) => first?,
        };
        let token = response.result;
        Ok(TokenState {
            status: token.status(),
            expires_on: wire::time_of(token.expires_on.as_deref()),
            account_owned,
        })
    }

    /// Returns the pages of a list as they arrive; `worker` fills the template if it has one. Ends after an error.
    fn pages<W, T>(
        &self,
        list: &'static List<W, T>,
        worker: Option<&str>,
    ) -> BoxStream<'static, Result<Page<T>, ApiError>>
    where
        W: DeserializeOwned + Send + 'static,
        T: paging::Entry + Send + 'static,
    {
        let (client, worker) = (self.clone(), worker.map(str::to_owned));
        paging::walk(list.step, move |number| {
            let (client, worker) = (client.clone(), worker.clone());
            async move { client.page(list, worker.as_deref(), number).await }
        })
        .boxed()
    }

    async fn all<W, T>(
        &self,
        list: &'static List<W, T>,
        worker: Option<&str>,
    ) -> Result<Vec<T>, ApiError>
    where
        W: DeserializeOwned + Send + 'static,
        T: paging::Entry + Send + 'static,
    {
        self.collect(self.pages(list, worker)).await
    }

    /// Collects the pages in their order. Sends a notice if entries are missing.
    async fn collect<T: Send>(
        &self,
        pages: BoxStream<'static, Result<Page<T>, ApiError>>,
    ) -> Result<Vec<T>, ApiError> {
        let (items, truncated) = paging::collect(pages).await?;
        if let Some(error) = truncated {
            self.notify(&Notice::Truncated(error));
        }
        Ok(items)
    }

    async fn page<W: DeserializeOwned, T>(
        &self,
        list: &List<W, T>,
        worker: Option<&str>,
        number: u64,
    ) -> Result<Page<T>, ApiError> {
        let account = (list.step != Step::Accounts)
            .then(|| self.account(list.step))
            .transpose()?;
        let values: Vec<&str> = account.into_iter().chain(worker).collect();
        let path = Path {
            template: list.template,
            values: &values,
        };
        let mut query = vec![
            ("page", number.to_string()),
            ("per_page", list.per_page.to_string()),
        ];
        let order = list.order.iter();
        query.extend(order.map(|(name, value)| (*name, (*value).to_owned())));
        let response = self.get::<Vec<W>>(list.step, path, &query).await?;
        Ok(Page {
            number,
            per_page: response
                .info
                .per_page
                .filter(|per_page| *per_page > 0)
                .unwrap_or(list.per_page),
            total: response.info.total_count,
            received: response.result.len() as u64,
            items: response
                .result
                .into_iter()
                .filter_map(list.into_model)
                .collect(),
        })
    }

    /// Returns the error for a resource without an id or a name.
    fn nameless(&self, step: Step) -> ApiError {
        let mut facts = self.facts(None, &reqwest::header::HeaderMap::new());
        facts.message = "it has no id or name".to_owned();
        ApiError::new(ErrorKind::Unreadable, step, facts)
    }
}

fn newest_first(versions: &mut [Version]) {
    versions.sort_by(|a, b| {
        b.number
            .cmp(&a.number)
            .then_with(|| b.created_on.cmp(&a.created_on))
    });
}
