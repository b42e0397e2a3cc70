//! Commands against a server that limits them, and captures of objects that are not among the busiest.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::logins::command;
use super::text;

const NAMESPACE: &str = "e96f6022469a4499bdda090041bd0346";

fn run(home: &Path, server: &MockServer, arguments: &[&str]) -> Output {
    command(home, server, arguments)
        .env("CLOUDFLARE_API_TOKEN", "cfut_example")
        .output()
        .unwrap()
}

fn success(result: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "success": true, "result": result }))
}

/// An account whose Worker has an object that analytics name only if asked for it.
async fn account() -> MockServer {
    let server = MockServer::start().await;
    let respond = |request: &Request| {
        let path = request.url.path();
        let body = String::from_utf8_lossy(&request.body);
        let end = |end: &str| path.ends_with(end);
        if end("/profile") {
            let profile = include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");
            return ResponseTemplate::new(200)
                .set_body_raw(profile, "application/vnd.google.protobuf");
        }
        if end("/graphql") {
            let groups = if body.contains(": $o") {
                let dimensions = json!({ "objectId": "ab".repeat(32), "name": "cart:42", "scriptVersion": "v2" });
                json!([{ "dimensions": dimensions, "sum": { "requests": 3 } }])
            } else {
                json!([])
            };
            let account = json!({ "durableObjectsInvocationsAdaptiveGroups": groups });
            let body = json!({ "data": { "viewer": { "accounts": [account] } }, "errors": null });
            return ResponseTemplate::new(200).set_body_json(body);
        }
        success(if end("/versions") {
            let version = |id: &str, number: u64| json!({ "id": id, "number": number, "created_on": "2026-10-09T11:57:58Z" });
            json!([version("v2", 2), version("v1", 1)])
        } else if end("/deployments") {
            let share =
                |id: &str, percentage: u64| json!({ "version_id": id, "percentage": percentage });
            json!({ "deployments": [{ "versions": [share("v1", 90), share("v2", 10)] }] })
        } else if end("/namespaces") {
            json!([{ "id": NAMESPACE, "name": "checkout_Cart", "script": "checkout", "class": "Cart" }])
        } else if end("/accounts") {
            json!([{ "id": "a".repeat(32), "name": "Acme" }])
        } else {
            json!({ "id": "b".repeat(32), "name": "checkout" })
        })
    };
    Mock::given(any())
        .respond_with(respond)
        .mount(&server)
        .await;
    server
}

#[tokio::test]
async fn an_object_is_captured_on_the_version_that_it_runs() {
    let server = account().await;
    let home = tempfile::tempdir().unwrap();
    for object in ["ab".repeat(32).as_str(), "cart:42"] {
        let capture = [
            "capture",
            "--worker",
            "checkout",
            "--namespace",
            "Cart",
            "--object",
            object,
            "--duration",
            "1s",
        ];
        let output = run(home.path(), &server, &capture);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let sent = server.received_requests().await.unwrap();
        let profile = sent
            .iter()
            .rfind(|request| request.url.path().ends_with("/profile"))
            .unwrap();
        assert!(
            profile.url.path().ends_with("/versions/v2/profile"),
            "{object}: {}",
            profile.url
        );
        let body: Value = serde_json::from_slice(&profile.body).unwrap();
        assert_eq!(body["actor_id"], "ab".repeat(32));
    }
}

#[tokio::test]
async fn a_list_says_that_it_waits() {
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(429).insert_header("retry-after", "1"))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(any())
        .respond_with(success(json!([{ "id": "a".repeat(32), "name": "Acme" }])))
        .mount(&server)
        .await;
    let home = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let output = run(home.path(), &server, &["list", "accounts"]);
    assert!(output.status.success() && began.elapsed() >= Duration::from_millis(900));
    let said = text(&output.stderr);
    let host = server.address().to_string();
    assert_eq!(
        said.lines().filter(|line| line.contains(&host)).count(),
        1,
        "{said}"
    );
    assert!(text(&output.stdout).contains("Acme"));
}

#[tokio::test]
async fn a_list_that_the_server_never_ends_is_cut_and_says_so() {
    let server = MockServer::start().await;
    let respond = |request: &Request| {
        if request.url.path().ends_with("/graphql") {
            return ResponseTemplate::new(403);
        }
        let items: Vec<Value> = (0..100)
            .map(|at| json!({ "id": format!("{at:032x}"), "name": format!("w{at}") }))
            .collect();
        let info = json!({ "page": 1, "per_page": 100, "total_count": 200_000 });
        ResponseTemplate::new(200)
            .set_body_json(json!({ "success": true, "result": items, "result_info": info }))
    };
    Mock::given(any())
        .respond_with(respond)
        .mount(&server)
        .await;
    let home = tempfile::tempdir().unwrap();
    let output = run(home.path(), &server, &["list", "accounts", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 100);
    assert!(
        text(&output.stderr).contains("200,000"),
        "{}",
        text(&output.stderr)
    );
    assert!(server.received_requests().await.unwrap().len() <= 6);
}
