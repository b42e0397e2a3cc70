//! Reads of user, token, accounts, Workers, versions and Durable Objects.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde_json::{Value, json};

use crate::demo::account_data;
use crate::demo::account_data::{ACCOUNT_ID, ACCOUNT_NAME, Namespace, USER_EMAIL, Version, Worker};
use crate::demo::envelope::{Bounds, Parameters, listed, page, paged, refusal, success, time};
use crate::demo::fixtures;
use crate::demo::state::Server;

const VERSIONS: Bounds = Bounds {
    usual: 10,
    most: 50,
};
const NAMESPACES: Bounds = Bounds {
    usual: 20,
    most: 50,
};
const ACCOUNTS: Bounds = Bounds {
    usual: 20,
    most: 50,
};

/// Bounds and default size of a page of objects.
const OBJECTS_MIN: u64 = 10;
const OBJECTS_MAX: u64 = 10_000;
const OBJECTS_USUAL: u64 = 1_000;

/// `GET /user/tokens/verify` and `GET /accounts/{account}/tokens/verify`.
pub(super) async fn verify() -> Response {
    let message =
        json!({ "code": 10_000, "message": "This API Token is valid and active", "type": null });
    let result = json!({ "id": account_data::hex("token", "demo", 32), "status": "active" });
    let body = json!({ "success": true, "errors": [], "messages": [message], "result": result });
    crate::demo::envelope::json_response(axum::http::StatusCode::OK, &body)
}

/// `GET /user`.
pub(super) async fn user() -> Response {
    success(&json!({
        "id": account_data::hex("user", USER_EMAIL, 32), "email": USER_EMAIL, "first_name": "Dana", "last_name": null,
        "username": "dana", "telephone": null, "country": null, "zipcode": null, "two_factor_authentication_enabled": true,
        "created_on": "2023-04-02T09:11:12.123456Z", "modified_on": "2026-01-14T10:00:00.000000Z", "suspended": false,
    }))
}

fn account_json() -> Value {
    json!({
        "id": ACCOUNT_ID, "name": ACCOUNT_NAME, "type": "standard", "created_on": "2023-04-02T09:11:12.123456Z",
        "settings": { "enforce_twofactor": true, "abuse_contact_email": null },
    })
}

/// `GET /accounts`. The token can see all and use only the first.
pub(super) async fn accounts(
    State(server): State<Server>,
    Query(parameters): Query<Parameters>,
) -> Response {
    let others = (2..=server.accounts).map(|number| {
        let name = format!("acme-unit-{number:02}");
        let mut account = account_json();
        if let Some(account) = account.as_object_mut() {
            account.insert(
                "id".to_owned(),
                json!(account_data::hex("account", &name, 32)),
            );
            account.insert("name".to_owned(), json!(name));
        }
        account
    });
    let mut accounts: Vec<Value> = std::iter::once(account_json()).chain(others).collect();
    if let Some(wanted) = parameters.get("name") {
        accounts.retain(|account| {
            account["name"]
                .as_str()
                .is_some_and(|name| name.contains(wanted.as_str()))
        });
    }
    paged(&accounts, &parameters, ACCOUNTS)
}

/// `GET /accounts/{account}`.
pub(super) async fn account() -> Response {
    success(&account_json())
}

/// `GET /memberships`.
pub(super) async fn memberships(Query(parameters): Query<Parameters>) -> Response {
    let membership = json!({
        "id": account_data::hex("membership", USER_EMAIL, 32), "status": "accepted", "account": account_json(),
        "roles": ["Administrator"], "permissions": {}, "api_access_enabled": null,
    });
    paged(&[membership], &parameters, ACCOUNTS)
}

/// `GET …/workers/workers`.
pub(super) async fn workers(
    State(server): State<Server>,
    Query(parameters): Query<Parameters>,
) -> Response {
    let mut workers: Vec<&Worker> = server.data.workers.iter().collect();
    let order = parameters
        .get("order_by")
        .map_or("deployed_on", String::as_str);
    match order {
        "name" => workers.sort_by(|a, b| a.name.cmp(&b.name)),
        "created_on" => workers.sort_by_key(|worker| worker.created),
        "deployed_on" | "updated_on" => workers.sort_by_key(|worker| worker.deployed),
        _ => return refusal(400, 10_001, "order_by: Invalid enum value"),
    }
    match parameters.get("order").map_or("desc", String::as_str) {
        "asc" => {}
        "desc" => workers.reverse(),
        _ => {
            return refusal(
                400,
                10_001,
                "order: Invalid enum value. Expected 'asc' | 'desc'",
            );
        }
    }
    match page(&workers, &parameters, server.worker_pages()) {
        Ok((shown, info)) => {
            let shown: Vec<Value> = shown
                .iter()
                .map(|worker| worker_json(&server, worker))
                .collect();
            listed(&shown, &info)
        }
        Err(refusal) => *refusal,
    }
}

/// `GET …/workers/workers/{worker}`.
pub(super) async fn worker(
    State(server): State<Server>,
    Path((_, worker)): Path<(String, String)>,
) -> Response {
    match server.data.worker(&worker) {
        Some(worker) => success(&worker_json(&server, worker)),
        None => no_worker(),
    }
}

/// `GET …/workers/workers/{worker}/versions`.
pub(super) async fn versions(
    State(server): State<Server>,
    Path((_, worker)): Path<(String, String)>,
    Query(parameters): Query<Parameters>,
) -> Response {
    let Some(worker) = server.data.worker(&worker) else {
        return no_worker();
    };
    let versions: Vec<Value> = worker
        .versions
        .iter()
        .map(|version| version_json(worker, version))
        .collect();
    paged(&versions, &parameters, VERSIONS)
}

/// `GET …/workers/workers/{worker}/versions/{version}`: a whole id, or `latest`.
pub(super) async fn version(
    State(server): State<Server>,
    Path((_, worker, asked)): Path<(String, String, String)>,
) -> Response {
    let Some(worker) = server.data.worker(&worker) else {
        return no_worker();
    };
    let Some(version) = worker
        .version(&asked)
        .filter(|version| asked == "latest" || version.id == asked)
    else {
        return no_version();
    };
    let mut json = version_json(worker, version);
    if let Some(json) = json.as_object_mut() {
        json.insert("bindings".to_owned(), bindings(&server, worker));
        json.insert("limits".to_owned(), json!({ "cpu_ms": 30_000 }));
    }
    success(&json)
}

/// Returns the bindings of a version, as both of its resources have them.
pub(super) fn bindings(server: &Server, worker: &Worker) -> Value {
    let owned = server
        .data
        .namespaces
        .iter()
        .filter(|namespace| namespace.script == worker.name);
    let bindings = owned.map(|namespace| {
        json!({
            "type": "durable_object_namespace", "name": namespace.class.to_uppercase(), "class_name": namespace.class,
            "namespace_id": namespace.id,
        })
    });
    bindings.collect()
}

/// `GET …/workers/durable_objects/namespaces`.
pub(super) async fn namespaces(
    State(server): State<Server>,
    Query(parameters): Query<Parameters>,
) -> Response {
    let namespaces: Vec<Value> = server.data.namespaces.iter().map(namespace_json).collect();
    paged(&namespaces, &parameters, NAMESPACES)
}

/// `GET …/workers/durable_objects/namespaces/{namespace}/objects`.
pub(super) async fn objects(
    State(server): State<Server>,
    Path((_, namespace)): Path<(String, String)>,
    Query(parameters): Query<Parameters>,
) -> Response {
    let Some(namespace) = server.data.namespace(&namespace) else {
        return refusal(
            404,
            10_066,
            &format!("Durable Object namespace ID '{namespace}' not found."),
        );
    };
    let limit = match parameters.get("limit").map(|limit| limit.parse::<u64>()) {
        None => OBJECTS_USUAL,
        Some(Ok(limit)) if limit < OBJECTS_MIN => {
            return refusal(
                400,
                10_001,
                &format!("limit: Number must be greater than or equal to {OBJECTS_MIN}"),
            );
        }
        Some(Ok(limit)) if limit > OBJECTS_MAX => {
            return refusal(
                400,
                10_001,
                &format!("limit: Number must be less than or equal to {OBJECTS_MAX}"),
            );
        }
        Some(Ok(limit)) => limit,
        Some(Err(_)) => return refusal(400, 10_001, "limit: Expected number, received string"),
    };
    let start = match parameters
        .get("cursor")
        .filter(|cursor| !cursor.is_empty())
        .map(|cursor| from_cursor(cursor))
    {
        None => 0,
        Some(Some(start)) if start < namespace.objects => start,
        Some(_) => return refusal(400, 10_001, "cursor: Invalid cursor"),
    };
    let end = (start + limit).min(namespace.objects);
    let objects: Vec<Value> = (start..end)
        .map(|index| json!({ "id": namespace.object_id(index), "hasStoredData": index % 7 != 3 }))
        .collect();
    let cursor = if end < namespace.objects {
        to_cursor(end)
    } else {
        String::new()
    };
    // One is documented, the other is what Cloudflare's own client library reads.
    let cursors = json!({ "after": cursor });
    listed(
        &objects,
        &json!({ "count": objects.len(), "cursor": cursor, "cursors": cursors }),
    )
}

/// Returns a position in a list as an opaque cursor.
fn to_cursor(index: u64) -> String {
    format!("AAAA{:016x}", index ^ 0x5bd1_e995_9d1b_54a3)
}

fn from_cursor(cursor: &str) -> Option<u64> {
    Some(u64::from_str_radix(cursor.strip_prefix("AAAA")?, 16).ok()? ^ 0x5bd1_e995_9d1b_54a3)
}

/// Returns the error for an unknown Worker.
pub(super) fn no_worker() -> Response {
    refusal(404, 10_007, "This Worker does not exist on your account.")
}

/// Returns the error for an unknown version.
pub(super) fn no_version() -> Response {
    refusal(
        404,
        10_222,
        "The requested Worker version could not be found.",
    )
}

fn worker_json(server: &Server, worker: &Worker) -> Value {
    let deployed = worker.deployed.map(time);
    let url = format!("https://{}.acme.workers.dev", worker.name);
    let in_other: Vec<Value> = match worker.name.as_str() {
        // Bound by another Worker; captures still go to the owner.
        "checkout-api" => server
            .data
            .worker("storefront")
            .into_iter()
            .flat_map(|other| used_by(server, other))
            .collect(),
        _ => vec![],
    };
    json!({
        "id": worker.id, "name": worker.name, "created_on": time(worker.created),
        "updated_on": time(worker.deployed.or(worker.versions.first().map(|version| version.created)).unwrap_or(worker.created)),
        "deployed_on": deployed, "logpush": false, "tags": [], "tail_consumers": [],
        "observability": {
            "enabled": true, "head_sampling_rate": 1,
            "logs": { "enabled": true, "head_sampling_rate": 1, "invocation_logs": true, "destinations": [], "persist": true },
            "traces": { "enabled": false, "propagation_policy": null }, "issues": null, "redact_query_string": false,
        },
        "subdomain": { "enabled": true, "previews_enabled": false, "url": url },
        "references": {
            "dispatch_namespace_outbounds": [], "domains": [], "durable_objects": in_other, "queues": [], "workers": [],
        },
    })
}

fn used_by(server: &Server, other: &Worker) -> Vec<Value> {
    let namespaces = server
        .data
        .namespaces
        .iter()
        .filter(|namespace| namespace.class == "Cart");
    namespaces
        .map(|namespace| {
            json!({
                "namespace_id": namespace.id, "namespace_name": namespace.name,
                "worker_id": other.id, "worker_name": other.name,
            })
        })
        .collect()
}

fn version_json(worker: &Worker, version: &Version) -> Value {
    let short = version.id.get(..8).unwrap_or_default();
    let mut annotations = json!({
        "workers/message": version.message, "workers/triggered_by": version.triggered_by,
    });
    if version.number.is_multiple_of(4)
        && let Some(annotations) = annotations.as_object_mut()
    {
        annotations.insert(
            "workers/tag".to_owned(),
            json!(format!("v4.{}.0", version.number / 4)),
        );
    }
    json!({
        "id": version.id, "number": version.number, "created_on": time(version.created),
        "urls": [format!("https://{short}-{}.acme.workers.dev", worker.name)],
        "author_email": email(version.author), "author_id": account_data::hex("user", &email(version.author), 32),
        "source": version.source, "annotations": annotations, "compatibility_date": "2026-09-01",
        "compatibility_flags": ["nodejs_compat"], "usage_model": "standard", "startup_time_ms": 21, "main_module": "worker.js",
    })
}

/// Returns a user's email address. The token belongs to the first of [`fixtures::AUTHORS`].
pub(super) fn email(author: &str) -> String {
    if fixtures::AUTHORS.first() == Some(&author) {
        USER_EMAIL.to_owned()
    } else {
        format!("{author}@acme.example")
    }
}

fn namespace_json(namespace: &Namespace) -> Value {
    let mut json = json!({
        "id": namespace.id, "name": namespace.name, "script": namespace.script, "class": namespace.class, "use_sqlite": true,
    });
    if namespace.script.is_empty()
        && let Some(json) = json.as_object_mut()
    {
        json.remove("script");
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_read_back() {
        for index in [0, 1, 12_904, u64::MAX] {
            assert_eq!(from_cursor(&to_cursor(index)), Some(index));
        }
        assert_eq!(from_cursor("12"), None);
    }
}
