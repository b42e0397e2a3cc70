//! Loads the lists of the account: accounts, Workers, traffic, versions, Durable Objects.

use std::time::SystemTime;

use futures_util::StreamExt as _;
use tokio::sync::mpsc::Sender;

use crate::api::{ApiError, Client, ErrorKind};
use crate::app::capture::targets::NamespaceDetails;
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use crate::app::{
    AccountsPage, Failure, FailureKind, ObjectsResponse, Origin, Refusal, RequestId, Response,
    WorkerDetails, WorkersResponse,
};
use crate::model::cloudflare::Worker;
use crate::runtime::tasks::{Done, EffectResult};
use crate::runtime::{Services, failures};

/// Returns the client for the current account.
pub(super) async fn client(services: &Services, kind: FailureKind) -> Result<Client, Failure> {
    match services.client().await {
        Some(Ok(client)) => Ok(client),
        Some(Err(error)) => Err(failures::api(kind, &error)),
        None => Err(Failure::new(kind, "There is no Cloudflare account to ask.")),
    }
}

fn list(error: &ApiError) -> Failure {
    failures::api(FailureKind::List, error)
}

pub(super) async fn accounts(
    services: &Services,
    id: RequestId,
    answers: &Sender<Done>,
) -> EffectResult {
    let client = client(services, FailureKind::List).await?;
    let mut pages = std::pin::pin!(client.accounts_pages());
    while let Some(page) = pages.next().await {
        let page = page.map_err(|error| list(&error))?;
        let answer = Response::Accounts(AccountsPage {
            rows: page.items,
            total: page.total,
            last: false,
        });
        let _ = answers.send(Done::Answer(id, Ok(answer))).await;
    }
    Ok(Response::Accounts(AccountsPage {
        rows: Vec::new(),
        total: None,
        last: true,
    }))
}

pub(super) fn remember(services: &Services) -> EffectResult {
    services
        .remember()
        .map(|()| Response::Remembered)
        .map_err(|error| {
            Failure::new(
                FailureKind::File,
                format!("The account is in force, but not remembered: {error}."),
            )
        })
}

pub(super) fn remember_theme(services: &Services, theme: &str) -> EffectResult {
    let remembered = services
        .choice
        .as_ref()
        .map_or(Ok(()), |choice| choice.remember_theme(theme));
    remembered.map(|()| Response::Remembered).map_err(|error| {
        Failure::new(
            FailureKind::File,
            format!("The theme is in force, but not remembered: {error}."),
        )
    })
}

/// Returns the account's id if its lists are cached; `None` for the demo server.
fn kept_account(services: &Services) -> Option<&str> {
    services
        .access()
        .filter(|access| access.origin == Origin::Cloudflare)?;
    services.account.as_ref().map(|account| account.id.as_str())
}

/// Caches the list for the next start. A failure only makes that start show its list a moment later.
pub(super) fn keep(services: &Services, rows: &[Worker], as_of: SystemTime) -> Response {
    if let Some(account) = kept_account(services) {
        let _ = services.store.keep_workers(account, rows, as_of);
    }
    Response::Remembered
}

pub(super) async fn workers(
    services: &Services,
    id: RequestId,
    answers: &Sender<Done>,
) -> EffectResult {
    if let Some(account) = kept_account(services).map(str::to_owned) {
        let store = services.store.clone();
        let known = tokio::task::spawn_blocking(move || store.workers(&account)).await;
        if let Ok(Some((rows, as_of))) = known {
            let _ = answers
                .send(Done::Answer(
                    id,
                    Ok(Response::Workers(WorkersResponse::Known(rows, as_of))),
                ))
                .await;
        }
    }
    let client = client(services, FailureKind::List).await?;
    let mut pages = std::pin::pin!(client.workers_pages());
    // Each page is shown as it arrives; a response without rows ends the list.
    while let Some(page) = pages.next().await {
        let page = page.map_err(|error| list(&error))?;
        let answer = Response::Workers(WorkersResponse::Page {
            total: page.total,
            rows: page.items,
            last: false,
        });
        let _ = answers.send(Done::Answer(id, Ok(answer))).await;
    }
    Ok(Response::Workers(WorkersResponse::Page {
        rows: Vec::new(),
        total: None,
        last: true,
    }))
}

pub(super) async fn metrics(services: &Services) -> EffectResult {
    let client = client(services, FailureKind::List).await?;
    client
        .worker_metrics()
        .await
        .map(|metrics| Response::Workers(WorkersResponse::Metrics(metrics)))
        .map_err(|error| {
            let failure = list(&error);
            if *error.kind() != ErrorKind::Forbidden {
                return failure;
            }
            services.give_up_analytics();
            Failure {
                refusal: Some(Refusal::NotAllowed),
                ..failure
            }
        })
}

/// Objects of a page: enough to browse, few enough to load quickly.
const OBJECTS_PAGE: u64 = 1_000;

pub(super) async fn objects(
    services: &Services,
    namespace: &str,
    cursor: Option<&str>,
) -> EffectResult {
    let client = client(services, FailureKind::List).await?;
    let page = client
        .objects(namespace, cursor, OBJECTS_PAGE)
        .await
        .map_err(|error| list(&error))?;
    Ok(Response::Objects(ObjectsResponse::Page(
        page.objects,
        page.next,
    )))
}

/// Loads the objects with the most memory: none, without a failure, if the token may not read analytics.
pub(super) async fn largest(services: &Services, namespace: String) -> EffectResult {
    let client = client(services, FailureKind::List).await?;
    let objects = if services.may_ask_analytics() {
        client.largest_objects(&namespace).await.ok()
    } else {
        None
    };
    Ok(Response::Objects(ObjectsResponse::Largest(
        namespace,
        objects.unwrap_or_default(),
    )))
}

/// Returns what is left of the shared API quota, if a response reported it.
pub(super) fn quota(services: &Services) -> Option<Response> {
    let quota = services.quota()?;
    Some(Response::Workers(WorkersResponse::Quota {
        remaining: quota.remaining,
        limit: quota.limit?,
        resets_in: quota.resets_in,
    }))
}

pub(super) async fn details(services: &Services, worker: &Worker) -> EffectResult {
    let client = client(services, FailureKind::List).await?;
    if worker.deployed_on.is_none() {
        let versions = client
            .versions(&worker.name)
            .await
            .map_err(|error| list(&error))?;
        return Ok(Response::Workers(WorkersResponse::Details(Box::new(
            WorkerDetails::new(versions, Vec::new(), Vec::new()),
        ))));
    }
    let traffic = async {
        // Without access to analytics the versions have no metrics, which is no failure.
        if services.may_ask_analytics() {
            client.version_metrics(&worker.name).await.ok()
        } else {
            None
        }
    };
    let (versions, namespaces, traffic) = tokio::join!(
        client.versions_with_shares(worker),
        owned(services, &client, worker),
        traffic
    );
    let mut versions = versions.map_err(|error| list(&error))?;
    if let Some(traffic) = traffic {
        for version in &mut versions {
            version.metrics = traffic.get(&version.id).copied();
        }
    }
    let (namespaces, mut notes): (_, Vec<Message>) = match namespaces {
        Ok((found, notes)) => (found, notes.into_iter().map(Message::from).collect()),
        // A capture needs only the versions.
        Err(error) => (Vec::new(), vec![missing(&list(&error))]),
    };
    let truncated = services.drain_truncated().into_iter();
    notes.extend(truncated.map(|text| outside(failures::sentence(&text))));
    Ok(Response::Workers(WorkersResponse::Details(Box::new(
        WorkerDetails::new(versions, namespaces, notes),
    ))))
}

/// Returns why the Durable Object classes could not be loaded, and what to do.
fn missing(failure: &Failure) -> Message {
    // The ray comes first: the end may have no room.
    let ray = failure
        .ray()
        .map_or_else(String::new, |ray| format!(" [{ray}]"));
    let missing = message![
        "Could not load its Durable Objects; ",
        Command::Refresh,
        " retries",
        outside(ray),
        ". ",
        failure.message.clone(),
    ];
    match &failure.hint {
        Some(hint) => message![missing, " ", hint.clone()],
        None => missing,
    }
}

/// Returns the Durable Object classes of a Worker with their busiest objects, as far as analytics know them, and a note on
/// classes that carry its name although no Worker owns them.
async fn owned(
    services: &Services,
    client: &Client,
    worker: &Worker,
) -> Result<(Vec<NamespaceDetails>, Vec<String>), ApiError> {
    let all = services.namespaces(client).await?;
    let mine: Vec<_> = all
        .iter()
        .filter(|n| n.script.as_deref() == Some(worker.name.as_str()))
        .collect();
    let ids: Vec<&str> = mine.iter().map(|namespace| namespace.id.as_str()).collect();
    // Without access to analytics there are no names and no order, which is no failure.
    let hot = if services.may_ask_analytics() {
        client.hot_objects_of(&ids).await.ok()
    } else {
        None
    };
    let mut hot = hot.unwrap_or_default().into_iter();
    let owned = mine.into_iter().map(|namespace| NamespaceDetails {
        namespace: namespace.clone(),
        busiest: hot.next().unwrap_or_default(),
        largest: None,
    });
    let left = format!("{}_", worker.name);
    let orphans = all
        .iter()
        .filter(|n| n.script.is_none() && n.name.starts_with(&left));
    let notes = orphans.map(|namespace| {
        let class = namespace.class.as_deref().unwrap_or(&namespace.name);
        format!("{class}: its Worker was deleted; its objects can't be profiled.")
    });
    Ok((owned.collect(), notes.collect()))
}
