//! The older resources below `workers/scripts`, which name a Worker by its script: deployments, and those for wrangler.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde_json::{Value, json};

use crate::demo::account_data;
use crate::demo::account_data::{Deployment, Version, Worker};
use crate::demo::envelope::{Bounds, Parameters, listed, listed_in, page, refusal, success, time};
use crate::demo::reads::{bindings, email, no_version};
use crate::demo::state::Server;

const VERSIONS: Bounds = Bounds {
    usual: 10,
    most: 100,
};

/// `GET …/workers/scripts`: one page.
pub(super) async fn scripts(State(server): State<Server>) -> Response {
    let scripts: Vec<Value> = server.data
        .workers
        .iter()
        .map(|worker| {
            json!({
                "id": worker.name, "tag": worker.id, "etag": account_data::hex("etag", &worker.name, 64), "handlers": ["fetch"],
                "modified_on": time(worker.deployed.unwrap_or(worker.created)), "created_on": time(worker.created),
                "usage_model": "standard", "logpush": false, "has_assets": false, "has_modules": true,
                "compatibility_date": "2026-09-01", "last_deployed_from": "wrangler",
            })
        })
        .collect();
    let count = scripts.len();
    listed(
        &scripts,
        &json!({ "page": 1, "per_page": count, "count": count, "total_count": count, "total_pages": 1 }),
    )
}

/// `GET …/workers/scripts/{script}/deployments`.
pub(super) async fn deployments(
    State(server): State<Server>,
    Path((_, script)): Path<(String, String)>,
) -> Response {
    let Some(worker) = script_of(&server, &script) else {
        return no_script();
    };
    let deployments: Vec<Value> = worker.deployments.iter().map(deployment_json).collect();
    success(&json!({ "deployments": deployments }))
}

/// `GET …/workers/scripts/{script}/deployments/{deployment}`.
pub(super) async fn deployment(
    State(server): State<Server>,
    Path((_, script, id)): Path<(String, String, String)>,
) -> Response {
    let Some(worker) = script_of(&server, &script) else {
        return no_script();
    };
    match worker
        .deployments
        .iter()
        .find(|deployment| deployment.id == id)
    {
        Some(deployment) => success(&deployment_json(deployment)),
        None => refusal(404, 10_223, "The requested deployment could not be found."),
    }
}

/// `GET …/workers/scripts/{script}/versions`.
pub(super) async fn versions(
    State(server): State<Server>,
    Path((_, script)): Path<(String, String)>,
    Query(parameters): Query<Parameters>,
) -> Response {
    let Some(worker) = script_of(&server, &script) else {
        return no_script();
    };
    let versions: Vec<Value> = worker.versions.iter().map(version_json).collect();
    // Deployable versions are not paged.
    let whole = Parameters::from([("per_page".to_owned(), "100".to_owned())]);
    let deployable = parameters
        .get("deployable")
        .is_some_and(|value| value == "true");
    match page(
        &versions,
        if deployable { &whole } else { &parameters },
        VERSIONS,
    ) {
        Ok((items, info)) => listed_in(&json!({ "items": items }), &info),
        Err(refusal) => *refusal,
    }
}

/// `GET …/workers/scripts/{script}/versions/{version}`.
pub(super) async fn version(
    State(server): State<Server>,
    Path((_, script, id)): Path<(String, String, String)>,
) -> Response {
    let Some(worker) = script_of(&server, &script) else {
        return no_script();
    };
    let Some(version) = worker.versions.iter().find(|version| version.id == id) else {
        return no_version();
    };
    let mut json = version_json(version);
    let resources = json!({
        "bindings": bindings(&server, worker),
        "script": {
            "etag": account_data::hex("etag", &version.id, 64), "handlers": ["fetch"], "named_handlers": [],
            "last_deployed_from": version.source,
        },
        "script_runtime": {
            "compatibility_date": "2026-09-01", "compatibility_flags": ["nodejs_compat"], "usage_model": "standard",
            "limits": { "cpu_ms": 30_000 },
        },
    });
    if let Some(json) = json.as_object_mut() {
        json.insert("resources".to_owned(), resources);
        json.insert("startup_time_ms".to_owned(), json!(21));
    }
    success(&json)
}

/// `GET …/workers/services/{script}`: wrangler's check whether a Worker exists.
pub(super) async fn service(
    State(server): State<Server>,
    Path((_, script)): Path<(String, String)>,
) -> Response {
    let Some(worker) = script_of(&server, &script) else {
        return no_script();
    };
    let (created, modified) = (
        time(worker.created),
        time(worker.deployed.unwrap_or(worker.created)),
    );
    let script = json!({
        "id": worker.name, "tag": worker.id, "created_on": created, "modified_on": modified, "last_deployed_from": "wrangler",
        "usage_model": "standard", "handlers": ["fetch"], "compatibility_date": "2026-09-01",
    });
    let environment = json!({ "environment": "production", "created_on": created, "modified_on": modified, "script": script });
    success(&json!({
        "id": worker.name, "default_environment": environment, "environments": [environment],
        "created_on": created, "modified_on": modified,
    }))
}

fn script_of<'a>(server: &'a Server, script: &str) -> Option<&'a Worker> {
    server
        .data
        .workers
        .iter()
        .find(|worker| worker.name == script)
}

fn no_script() -> Response {
    refusal(404, 10_007, "This Worker does not exist on your account.")
}

fn deployment_json(deployment: &Deployment) -> Value {
    let versions: Vec<Value> = deployment
        .shares
        .iter()
        .map(|(id, share)| json!({ "version_id": id, "percentage": share }))
        .collect();
    json!({
        "id": deployment.id, "created_on": time(deployment.created), "source": "wrangler", "strategy": "percentage",
        "author_email": email(deployment.author),
        "annotations": { "workers/message": deployment.message, "workers/triggered_by": "deployment" },
        "versions": versions,
    })
}

fn version_json(version: &Version) -> Value {
    json!({
        "id": version.id, "number": version.number,
        "metadata": {
            "created_on": time(version.created), "modified_on": time(version.created), "source": version.source,
            "author_email": email(version.author), "author_id": account_data::hex("user", &email(version.author), 32),
            "hasPreview": false,
        },
        "annotations": { "workers/message": version.message, "workers/triggered_by": version.triggered_by },
    })
}
