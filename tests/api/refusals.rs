//! Every refusal that Cloudflare documents, or is known to give: which permission, which account, what to do.

use std::time::{Duration, SystemTime};

use flarescope::api::{ApiError, Client, ErrorKind};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::{ACCOUNT, always, capture_request, client, refusal, requests};

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
        "figures" => client.worker_figures().await.map(drop),
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

/// The account, as a message names it.
fn on_account(text: &str) -> String {
    text.replace("ACCOUNT", &format!("account {ACCOUNT}"))
}

#[tokio::test]
async fn each_is_told_in_words_with_what_to_do() {
    let auth = || refusal(10_000, "Authentication error");
    let said = |message: &str| refusal(1, message);
    let old = |code: i64, message: &str| json!({ "code": code, "error": message });
    for (name, status, body, words, hint) in [
        (
            "worker",
            400,
            nested(6111),
            "what was sent is not an API token (HTTP 400, code 6003",
            "Tokens are made at https://dash",
        ),
        (
            "worker",
            400,
            nested(6103),
            "what was sent is not an API token",
            "not a global key",
        ),
        (
            "verify",
            401,
            refusal(1000, "Invalid API Token"),
            "refused the API token (HTTP 401, code 1000",
            "Make one with Workers Scripts Read at https://dash.cloudflare.com/profile/api-tokens",
        ),
        (
            "worker",
            401,
            auth(),
            "refused the API token (HTTP 401, code 10000: Authentication error)",
            "expired or been revoked",
        ),
        (
            "figures",
            401,
            auth(),
            "refused the API token",
            "expired or been revoked",
        ),
        (
            "accounts",
            403,
            auth(),
            "may not list the accounts on ACCOUNT",
            "Grant the token Account Settings Read",
        ),
        (
            "workers",
            403,
            auth(),
            "may not list the Workers on ACCOUNT",
            "Grant the token Workers Scripts Read on this account, or choose another account.",
        ),
        (
            "versions",
            403,
            auth(),
            "may not list the Worker's versions on ACCOUNT",
            "Workers Scripts Read",
        ),
        (
            "deployments",
            403,
            auth(),
            "may not see which version serves the traffic on ACCOUNT",
            "Workers Scripts Read",
        ),
        (
            "namespaces",
            403,
            auth(),
            "may not list the Durable Object namespaces on ACCOUNT",
            "Workers Scripts Read",
        ),
        (
            "objects",
            403,
            auth(),
            "may not list the Durable Objects on ACCOUNT",
            "Workers Scripts Read",
        ),
        (
            "capture",
            403,
            auth(),
            "may not capture a profile on ACCOUNT",
            "the profiling feature may not be enabled for the account",
        ),
        (
            "worker",
            403,
            refusal(9109, "Unauthorized to access requested resource"),
            "may not list the Workers on ACCOUNT",
            "Workers Scripts Read",
        ),
        (
            "worker",
            403,
            refusal(9109, "Invalid access token"),
            "refused the API token",
            "expired or been revoked",
        ),
        (
            "accounts",
            400,
            refusal(9106, "Authentication failed"),
            "only a user's token may list the accounts; this one belongs to an account",
            "--account ID",
        ),
        (
            "worker",
            404,
            refusal(
                7003,
                "Could not route to /x, perhaps your object identifier is invalid?",
            ),
            "does not know ACCOUNT",
            "32 hexadecimal digits",
        ),
        (
            "capture",
            404,
            refusal(7000, "No route for the URI"),
            "does not know ACCOUNT",
            "flarescope list accounts",
        ),
        (
            "worker",
            404,
            refusal(10_007, "This Worker does not exist on your account."),
            "there is no such Worker on ACCOUNT",
            "flarescope list workers",
        ),
        (
            "versions",
            404,
            refusal(10_090, "workers.api.error.service_not_found"),
            "there is no such Worker on ACCOUNT",
            "flarescope list workers",
        ),
        (
            "versions",
            404,
            json!(null),
            "there is no such Worker on ACCOUNT",
            "flarescope list workers",
        ),
        (
            "objects",
            404,
            refusal(10_066, "Durable Object namespace ID 'x' not found."),
            "no such Durable Object namespace on ACCOUNT",
            "flarescope list namespaces",
        ),
        (
            "objects",
            400,
            refusal(10_001, "limit: Number must be greater than or equal to 10"),
            "the API refused a value (HTTP 400, code 10001: limit",
            "Check the values",
        ),
        (
            "worker",
            404,
            old(10_007, "workers.api.error.not_found"),
            "there is no such Worker",
            "flarescope list workers",
        ),
        (
            "worker",
            200,
            old(10_007, "workers.api.error.not_found"),
            "there is no such Worker",
            "flarescope list workers",
        ),
        (
            "worker",
            200,
            auth(),
            "refused the API token (HTTP 200, code 10000",
            "expired or been revoked",
        ),
        (
            "worker",
            418,
            json!({ "success": false, "errors": ["plain words"], "messages": [] }),
            "plain words",
            "Check the values",
        ),
        (
            "capture",
            404,
            refusal(10_393, "No recent executions were found for this Worker."),
            "no traffic on this version or object",
            "--version deployed",
        ),
        (
            "capture",
            400,
            said("No recent executions were found for this Worker."),
            "no traffic on this version or object",
            "--version deployed",
        ),
        (
            "capture",
            200,
            refusal(10_393, "x"),
            "no traffic on this version or object",
            "--version deployed",
        ),
        (
            "capture",
            404,
            said("The Worker has no loaded isolate in its recent execution locations."),
            "no isolate of it is loaded",
            "Wait for the next requests",
        ),
        (
            "capture",
            403,
            said("Worker profiling is unavailable in this environment."),
            "profiling is not available",
            "Ask Cloudflare",
        ),
        (
            "capture",
            400,
            said("This Worker does not support runtime profiling."),
            "can't be profiled",
            "another Worker",
        ),
        (
            "capture",
            500,
            said("The Worker runtime could not start profiling. Please try again."),
            "could not start the profiler",
            "Try again",
        ),
        (
            "capture",
            404,
            refusal(10_222, "The requested Worker version could not be found."),
            "nothing is there (HTTP 404, code 10222",
            "the Worker or version is gone",
        ),
        (
            "capture",
            404,
            said("version not found"),
            "this Worker has no such version",
            "flarescope list versions",
        ),
        (
            "capture",
            404,
            refusal(10_066, "Durable Object namespace ID 'x' not found."),
            "no such Durable Object namespace",
            "flarescope list namespaces",
        ),
        (
            "figures",
            200,
            graphql("not authorized for that account"),
            "may not read the traffic figures on ACCOUNT",
            "Grant the token Account Analytics Read",
        ),
        (
            "figures",
            403,
            graphql("user does not have access to the path"),
            "may not read the traffic figures",
            "Account Analytics Read",
        ),
        (
            "figures",
            400,
            graphql("unknown field \"x\""),
            "the analytics refused the question (HTTP 400: unknown field",
            "Everything works without",
        ),
        (
            "figures",
            400,
            graphql("number of fields can't be more than 30"),
            "the analytics refused the question",
            "Everything works without",
        ),
        (
            "figures",
            200,
            graphql("query time range is too large"),
            "the analytics refused the question",
            "Everything works without",
        ),
        (
            "figures",
            503,
            graphql("too many queries in progress"),
            "has a fault of its own (HTTP 503: too many queries",
            "Try again in a moment",
        ),
        (
            "worker",
            502,
            json!(null),
            "has a fault of its own (HTTP 502",
            "cloudflarestatus.com",
        ),
        (
            "capture",
            520,
            json!({}),
            "has a fault of its own (HTTP 520",
            "cloudflarestatus.com",
        ),
    ] {
        let template = ResponseTemplate::new(status)
            .insert_header("cf-ray", "8c1f0d2e-AMS")
            .set_body_json(&body);
        let error = call(&client(&always(template).await), name).await;
        let why = format!("{name} {status} {body}: {error} / {:?}", error.hint());
        assert!(error.to_string().contains(&on_account(words)), "{why}");
        assert!(
            error.hint().is_some_and(|told| told.contains(hint)),
            "{why}"
        );
        assert_eq!(error.ray(), Some("8c1f0d2e-AMS"), "{why}");
    }
}

#[tokio::test]
async fn too_many_calls_are_told_wherever_they_are_refused_with_the_time_in_either_form() {
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
            assert!(
                error.to_string().contains("wants no more calls for"),
                "{error}"
            );
            assert!(
                error.hint().unwrap().starts_with("Try again in "),
                "{error}"
            );
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
    assert_eq!(
        (error.kind(), error.hint().as_deref()),
        (
            &ErrorKind::RateLimited { retry_after: None },
            Some("Try again in 60 s.")
        )
    );
}

#[tokio::test]
async fn answers_without_words_are_told_by_their_status() {
    for (status, words) in [
        (401, "refused the API token (HTTP 401)"),
        (403, "may not"),
        (404, "nothing is there"),
        (500, "fault of its own"),
    ] {
        let error = call(
            &client(&always(ResponseTemplate::new(status)).await),
            "worker",
        )
        .await;
        assert!(error.to_string().contains(words), "{status}: {error}");
        assert!(error.hint().is_some(), "{error}");
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
