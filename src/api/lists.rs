//! The reads: accounts, Workers, versions, deployments, Durable Objects, the token itself.

use std::time::SystemTime;

use futures_util::stream::{BoxStream, Stream, StreamExt, TryStreamExt};
use serde::de::DeserializeOwned;

use crate::api::client::Client;
use crate::api::error::{ApiError, ErrorKind, Step};
use crate::api::paging;
use crate::api::paging::Page;
use crate::api::path::Path;
use crate::api::wire;
use crate::model::cloudflare::{Account, Namespace, Object, Version, Worker};

/// Accounts on a page: the most that the resource allows.
const ACCOUNTS_PER_PAGE: u64 = 50;
/// Entries asked for on a page of all other lists. The server may give fewer; its own number then counts.
const PER_PAGE: u64 = 100;
/// Bounds of a page of objects.
const OBJECTS_PER_PAGE: std::ops::RangeInclusive<u64> = 10..=10_000;

/// What serves a Worker's traffic, or served it.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// UUID.
    pub id: Option<String>,
    /// When it was made.
    pub created_on: Option<SystemTime>,
    /// Version ids with their shares of the traffic in per cent.
    pub versions: Vec<(String, f64)>,
}

/// Some objects of a namespace, and where the next ones begin.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectPage {
    /// In the server's order, which says nothing of their activity.
    pub objects: Vec<Object>,
    /// Give it to the next call; `None`: these were the last.
    pub next: Option<String>,
}

/// What is known of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenState {
    /// `active`, `disabled` or `expired`.
    pub status: String,
    /// When it ends, where it does.
    pub expires_on: Option<SystemTime>,
    /// Whether it belongs to an account instead of a user.
    pub account_owned: bool,
}

impl Client {
    /// All accounts that the token can see. A narrow token may see none and still work with an account id.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn accounts(&self) -> Result<Vec<Account>, ApiError> {
        collect(self.accounts_pages()).await
    }

    /// All pages of accounts, each as soon as it is there. Ends after an error.
    pub fn accounts_pages(&self) -> BoxStream<'static, Result<Page<Account>, ApiError>> {
        let client = self.clone();
        let pages = paging::walk(move |number| {
            let client = client.clone();
            async move {
                let query = paged(number, ACCOUNTS_PER_PAGE);
                client
                    .page(
                        Step::Accounts,
                        Path {
                            template: "/accounts",
                            values: &[],
                        },
                        query,
                        wire::Account::into_model,
                    )
                    .await
            }
        });
        pages.boxed()
    }

    /// One page of the account's Workers, by name.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn workers_page(&self, number: u64) -> Result<Page<Worker>, ApiError> {
        let account = self.account(Step::Workers)?;
        let mut query = paged(number, PER_PAGE);
        // An order that a deployment in between can't change: no Worker is met twice or missed.
        query.extend([("order_by", "name".to_owned()), ("order", "asc".to_owned())]);
        let path = Path {
            template: "/accounts/{account}/workers/workers",
            values: &[account],
        };
        self.page(Step::Workers, path, query, wire::Worker::into_model)
            .await
    }

    /// All pages of Workers, each as soon as it is there: the first, then up to four at a time, in any order. A list that
    /// changed under way is walked a second time, so a Worker may come twice. Ends after an error.
    pub fn workers_pages(&self) -> BoxStream<'static, Result<Page<Worker>, ApiError>> {
        let client = self.clone();
        paging::walk_whole(move |number| {
            let client = client.clone();
            async move { client.workers_page(number).await }
        })
        .boxed()
    }

    /// All Workers of the account, by name.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn workers(&self) -> Result<Vec<Worker>, ApiError> {
        let mut workers = collect(self.workers_pages()).await?;
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        workers.dedup_by(|a, b| a.id == b.id);
        Ok(workers)
    }

    /// One Worker by its name or id.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn worker(&self, worker: &str) -> Result<Worker, ApiError> {
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}",
            values: &[self.account(Step::Workers)?, worker],
        };
        let answer = self.get::<wire::Worker>(Step::Workers, path, &[]).await?;
        answer
            .result
            .into_model()
            .ok_or_else(|| self.nameless(Step::Workers))
    }

    /// All versions of a Worker (name or id), the newest first, their shares not yet filled in.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn versions(&self, worker: &str) -> Result<Vec<Version>, ApiError> {
        let (client, worker) = (self.clone(), worker.to_owned());
        let pages = paging::walk(move |number| {
            let (client, worker) = (client.clone(), worker.clone());
            async move {
                let path = Path {
                    template: "/accounts/{account}/workers/workers/{worker}/versions",
                    values: &[client.account(Step::Versions)?, &worker],
                };
                client
                    .page(
                        Step::Versions,
                        path,
                        paged(number, PER_PAGE),
                        wire::Version::into_model,
                    )
                    .await
            }
        });
        let mut versions = collect(pages).await?;
        newest_first(&mut versions);
        Ok(versions)
    }

    /// One version of a Worker (name or id); `latest` gives the one uploaded last, deployed or not.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn version(&self, worker: &str, version: &str) -> Result<Version, ApiError> {
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}/versions/{version}",
            values: &[self.account(Step::Versions)?, worker, version],
        };
        let answer = self.get::<wire::Version>(Step::Versions, path, &[]).await?;
        answer
            .result
            .into_model()
            .ok_or_else(|| self.nameless(Step::Versions))
    }

    /// A Worker's deployments by its script name (not its id); the first one serves now. Empty: never deployed.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn deployments(&self, script: &str) -> Result<Vec<Deployment>, ApiError> {
        let path = Path {
            template: "/accounts/{account}/workers/scripts/{script}/deployments",
            values: &[self.account(Step::Deployments)?, script],
        };
        let answer = self
            .get::<wire::Deployments>(Step::Deployments, path, &[])
            .await?;
        let deployments = answer
            .result
            .deployments
            .into_iter()
            .map(|deployment| Deployment {
                id: deployment.id,
                created_on: wire::when(deployment.created_on.as_deref()),
                versions: deployment
                    .versions
                    .into_iter()
                    .map(|share| (share.version_id, share.percentage))
                    .collect(),
            });
        Ok(deployments.collect())
    }

    /// All versions of a Worker, the newest first, each with its share of the live traffic. A serving version that is too
    /// old to be listed is fetched by itself.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn versions_with_shares(&self, worker: &Worker) -> Result<Vec<Version>, ApiError> {
        let (versions, deployments) =
            tokio::try_join!(self.versions(&worker.id), self.deployments(&worker.name))?;
        let mut versions = versions;
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

    /// All Durable Object namespaces of the account.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
    pub async fn namespaces(&self) -> Result<Vec<Namespace>, ApiError> {
        let client = self.clone();
        let pages = paging::walk(move |number| {
            let client = client.clone();
            async move {
                let path = Path {
                    template: "/accounts/{account}/workers/durable_objects/namespaces",
                    values: &[client.account(Step::Namespaces)?],
                };
                client
                    .page(
                        Step::Namespaces,
                        path,
                        paged(number, PER_PAGE),
                        wire::Namespace::into_model,
                    )
                    .await
            }
        });
        collect(pages).await
    }

    /// Up to `limit` objects of a namespace, from `cursor` on. There may be millions: ask for more only on demand.
    ///
    /// # Errors
    /// [`ApiError`], as for every call.
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
        let answer = self
            .get::<Vec<wire::Object>>(Step::Objects, path, &query)
            .await?;
        let objects: Vec<Object> = answer
            .result
            .into_iter()
            .filter_map(wire::Object::into_model)
            .collect();
        // A server that repeats its cursor would never end.
        let next = answer
            .info
            .next_cursor()
            .filter(|next| Some(next.as_str()) != cursor);
        Ok(ObjectPage { objects, next })
    }

    /// What the token is. Logins of other tools are not API tokens: for them ask [`Client::accounts`] instead.
    ///
    /// # Errors
    /// [`ApiError`]; [`ErrorKind::TokenRefused`] also where it belongs to another account than the chosen one.
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
        let owned = self.in_force().secret().reveal().starts_with("cfat_");
        let first = match account {
            Some(path) if owned => self
                .get::<wire::Token>(Step::Verify, path, &[])
                .await
                .map(|answer| (answer, true)),
            _ => self
                .get::<wire::Token>(Step::Verify, user, &[])
                .await
                .map(|answer| (answer, false)),
        };
        let (answer, account_owned) = match (first, account) {
            // An account's token is unknown on the user's path.
            (Err(error), Some(path)) if !owned && *error.kind() == ErrorKind::TokenRefused => {
                let answer = self
                    .get::<wire::Token>(Step::Verify, path, &[])
                    .await
                    .map_err(|_| error)?;
                (answer, true)
            }
            (first, _) => first?,
        };
        let token = answer.result;
        Ok(TokenState {
            status: token.status(),
            expires_on: wire::when(token.expires_on.as_deref()),
            account_owned,
        })
    }

    /// One page of a list; entries that lack an id are left out.
    async fn page<W: DeserializeOwned, T>(
        &self,
        step: Step,
        path: Path<'_>,
        query: Vec<(&str, String)>,
        into_model: impl Fn(W) -> Option<T>,
    ) -> Result<Page<T>, ApiError> {
        let number = value(&query, "page");
        let asked = value(&query, "per_page");
        let answer = self.get::<Vec<W>>(step, path, &query).await?;
        let received = answer.result.len() as u64;
        let items = answer.result.into_iter().filter_map(into_model).collect();
        let per_page = answer
            .info
            .per_page
            .filter(|per_page| *per_page > 0)
            .unwrap_or(asked);
        Ok(Page {
            items,
            number,
            per_page,
            total: answer.info.total_count,
            received,
        })
    }

    /// The error for a resource that came without what identifies it.
    fn nameless(&self, step: Step) -> ApiError {
        let mut facts = self.facts(None, &reqwest::header::HeaderMap::new());
        facts.message = "it has no id or name".to_owned();
        ApiError {
            kind: ErrorKind::Unreadable,
            step,
            facts,
        }
    }
}

fn paged(number: u64, per_page: u64) -> Vec<(&'static str, String)> {
    vec![
        ("page", number.to_string()),
        ("per_page", per_page.to_string()),
    ]
}

fn value(query: &[(&str, String)], name: &str) -> u64 {
    query
        .iter()
        .find(|(key, _)| *key == name)
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(1)
}

fn newest_first(versions: &mut [Version]) {
    versions.sort_by(|a, b| {
        b.number
            .cmp(&a.number)
            .then_with(|| b.created_on.cmp(&a.created_on))
    });
}

/// All pages in their order.
async fn collect<T: Send>(
    pages: impl Stream<Item = Result<Page<T>, ApiError>> + Send,
) -> Result<Vec<T>, ApiError> {
    let mut pages: Vec<Page<T>> = pages.boxed().try_collect().await?;
    pages.sort_by_key(|page| page.number);
    Ok(pages.into_iter().flat_map(|page| page.items).collect())
}
