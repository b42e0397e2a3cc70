//! Every refusal that Cloudflare documents, or is known to give: which permission, which account, what to do.

use std::time::{Duration, SystemTime};

use flarescope::api::{ApiError, Client, ErrorKind};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::{always, capture_request, client, refusal, requests};
use crate::wording::wording;

const NAMESPACE: &str = "e96f6022469a4499bdda090041bd0346";

/// A call by name.
async fn call(client: &Client, name: &str) -> ApiError {
    match name {
        "verify" => client.verify().await.map(drop),
        "accounts" => client.accounts().await.map(drop),
        "workers" => client.workers().await.map(drop),
        "worker" => client.worker("checkout").await.map(drop),
        "versions" => client.versions("checkout").await.map(drop),
        "deployments" => client.deployments("checkout").await.map(drop),
        "namespaces" => client.namespaces().await.map(drop),
        "objects" => client.objects(NAMESPACE, None, 10).await.map(drop),
        "figures" => client.worker_metrics().await.map(drop),
        "capture" => client.capture(&capture_request()).await.map(drop),
        other => unreachable!("{other}"),
    }
    .unwrap_err()
}

fn nested(code: i64) -> Value {
    let chain = json!([{ "code": code, "message": "Invalid format" }]);
    let error = json!({ "code": 6003, "message": "Invalid request headers", "error_chain": chain });
    json!({ "success": false, "errors": [error], "messages": ["a plain text", { "message": "or an object" }], "result": null })
}

fn graphql(message: &str) -> Value {
    let error = json!({ "message": message, "path": null, "extensions": { "code": "x", "timestamp": "2026-11-30T00:00:00Z" } });
    json!({ "data": null, "errors": [error] })
}

#[tokio::test]
async fn each_is_reported_in_words_with_what_to_do() {
    let mut wording = wording!();
    let auth = || refusal(10_000, "Authentication error");
    let said = |message: &str| refusal(1, message);
    let old = |code: i64, message: &str| json!({ "code": code, "error": message });
    for (name, status, body) in [
        ("worker", 400, nested(6111)),
        ("worker", 400, nested(6103)),
        ("verify", 401, refusal(1000, "Invalid API Token")),
        ("worker", 401, auth()),
        ("figures", 401, auth()),
        ("accounts", 403, auth()),
        ("workers", 403, auth()),
        ("versions", 403, auth()),
        ("deployments", 403, auth()),
        ("namespaces", 403, auth()),
        ("objects", 403, auth()),
        ("capture", 403, auth()),
        (
            "worker",
            403,
            refusal(9109, "Unauthorized to access requested resource"),
        ),
        ("worker", 403, refusal(9109, "Invalid access token")),
        ("accounts", 400, refusal(9106, "Authentication failed")),
        (
            "worker",
            404,
            refusal(
                7003,
                "Could not route to /x, perhaps your object identifier is invalid?",
            ),
        ),
        ("capture", 404, refusal(7000, "No route for the URI")),
        (
            "worker",
            404,
            refusal(10_007, "This Worker does not exist on your account."),
        ),
        (
            "versions",
            404,
            refusal(10_090, "workers.api.error.service_not_found"),
        ),
        ("versions", 404, json!(null)),
        (
            "objects",
            404,
            refusal(10_066, "Durable Object namespace ID 'x' not found."),
        ),
        (
            "objects",
            400,
            refusal(10_001, "limit: Number must be greater than or equal to 10"),
        ),
        ("worker", 404, old(10_007, "workers.api.error.not_found")),
        ("worker", 200, old(10_007, "workers.api.error.not_found")),
        ("worker", 200, auth()),
        (
            "worker",
            418,
            json!({ "success": false, "errors": ["plain words"], "messages": [] }),
        ),
        (
            "capture",
            404,
            refusal(10_393, "No recent executions were found for this Worker."),
        ),
        (
            "capture",
            400,
            said("No recent executions were found for this Worker."),
        ),
        ("capture", 200, refusal(10_393, "x")),
        (
            "capture",
            404,
            said("The Worker has no loaded isolate in its recent execution locations."),
        ),
        (
            "capture",
            403,
            said("Worker profiling is unavailable in this environment."),
        ),
        (
            "capture",
            400,
            said("This Worker does not support runtime profiling."),
        ),
        (
            "capture",
            500,
            said("The Worker runtime could not start profiling. Please try again."),
        ),
        (
            "capture",
            404,
            refusal(10_222, "The requested Worker version could not be found."),
        ),
        ("capture", 404, said("version not found")),
        (
            "capture",
            404,
            refusal(10_066, "Durable Object namespace ID 'x' not found."),
        ),
        ("figures", 200, graphql("not authorized for that account")),
        (
            "figures",
            403,
            graphql("user does not have access to the path"),
        ),
        ("figures", 400, graphql("unknown field \"x\"")),
        (
            "figures",
            400,
            graphql("number of fields can't be more than 30"),
        ),
        ("figures", 200, graphql("query time range is too large")),
        ("figures", 503, graphql("too many queries in progress")),
        ("worker", 502, json!(null)),
        ("capture", 520, json!({})),
    ] {
        let template = ResponseTemplate::new(status)
            .insert_header("cf-ray", "8c1f0d2e-AMS")
            .set_body_json(&body);
        let error = call(&client(&always(template).await), name).await;
        wording.case(format_args!("{name} {status} {body}"), &error);
        wording.add(error.hint().unwrap());
        assert_eq!(error.ray(), Some("8c1f0d2e-AMS"), "{error}");
    }
}

#[tokio::test]
async fn too_many_calls_are_reported_wherever_they_are_refused_with_the_time_in_either_form() {
    let mut wording = wording!();
    let in_five_minutes = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(300));
    for wait in ["300", &in_five_minutes] {
        for name in [
            "verify",
            "accounts",
            "workers",
            "versions",
            "deployments",
            "namespaces",
            "objects",
            "figures",
            "capture",
        ] {
            let template = ResponseTemplate::new(429)
                .insert_header("retry-after", wait)
                .set_body_json(refusal(
                    971,
                    "Please wait and consider throttling your request speed",
                ));
            let server = always(template).await;
            let error = call(&client(&server), name).await;
            let told = error.retry_after().unwrap();
            assert!(
                (Duration::from_secs(290)..=Duration::from_secs(300)).contains(&told),
                "{name} {wait}: {told:?}"
            );
            assert_eq!(
                requests(&server).await,
                1,
                "{name}: longer than a minute is not waited out"
            );
            wording.add(format_args!("{error}\n{}", error.hint().unwrap()));
        }
    }
    // The analytics say it in words, without a header.
    let body = graphql("rate limiter budget depleted, try again after 5 minutes");
    let server = always(ResponseTemplate::new(200).set_body_json(body)).await;
    assert_eq!(
        call(&client(&server), "figures").await.retry_after(),
        Some(Duration::from_secs(300))
    );
    // Without any time a minute is what helps.
    let server = always(ResponseTemplate::new(429)).await;
    let error = call(&client(&server), "capture").await;
    assert_eq!(error.kind(), &ErrorKind::RateLimited { retry_after: None });
    wording.add(error.hint().unwrap());
}

#[tokio::test]
async fn answers_without_words_are_reported_by_their_status() {
    let mut wording = wording!();
    for status in [401, 403, 404, 500] {
        let error = call(
            &client(&always(ResponseTemplate::new(status)).await),
            "worker",
        )
        .await;
        wording.case(status, &error);
        wording.add(error.hint().unwrap());
    }
    for status in [200, 204] {
        let error = call(
            &client(&always(ResponseTemplate::new(status)).await),
            "worker",
        )
        .await;
        assert_eq!(*error.kind(), ErrorKind::Empty, "{error}");
    }
}
