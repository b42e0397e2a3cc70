//! A login that ends while the screen is open, and is renewed beside it.

use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::terminal::Terminal;
use crate::wording::wording;

fn success(result: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "success": true, "result": result }))
}

#[test]
fn a_capture_that_met_an_old_login_is_offered_again_with_the_newer_one() {
    let mut wording = wording!();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "old-token\n").unwrap();
    let renewed = file.clone();
    let answer = move |request: &Request| {
        let path = request.url.path();
        let old = request.headers["authorization"] == "Bearer old-token";
        match path {
            _ if path.ends_with("/profile") && old => {
                // As if the other tool had renewed it while the window was open.
                std::fs::write(&renewed, "new-token\n").unwrap();
                let error = json!({ "code": 10_000, "message": "Authentication error" });
                let body =
                    json!({ "success": false, "errors": [error], "messages": [], "result": null });
                ResponseTemplate::new(401).set_body_json(body)
            }
            _ if path.ends_with("/profile") => {
                let profile = include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");
                ResponseTemplate::new(200).set_body_raw(profile, "application/vnd.google.protobuf")
            }
            _ if path.ends_with("/versions") => success(
                json!([{ "id": "7c1f2a9e", "number": 1, "created_on": "2026-10-09T11:57:58Z" }]),
            ),
            _ if path.ends_with("/deployments") => success(
                json!({ "deployments": [{ "versions": [{ "version_id": "7c1f2a9e", "percentage": 100 }] }] }),
            ),
            _ if path.ends_with("/workers/workers") => success(
                json!([{ "id": "b".repeat(32), "name": "checkout", "deployed_on": "2026-10-09T11:57:58Z" }]),
            ),
            _ if path.ends_with("/graphql") => ResponseTemplate::new(200)
                .set_body_json(json!({ "data": { "viewer": { "accounts": [] } }, "errors": null })),
            _ => success(json!([])),
        }
    };
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(answer).mount(&server).await;
        server
    });
    let (address, account) = (server.uri(), "a".repeat(32));
    let variables = [
        ("CLOUDFLARE_API_BASE_URL", address.as_str()),
        ("CLOUDFLARE_ACCOUNT_ID", account.as_str()),
    ];
    let mut terminal = Terminal::start_with(
        100,
        30,
        &["--token-file", file.to_str().unwrap()],
        &variables,
    );
    terminal.wait_for("7c1f2a9e");
    terminal.settle();
    let before = terminal.contents();
    terminal.send("c\r");
    let posts = || {
        let all = runtime.block_on(server.received_requests()).unwrap();
        all.iter()
            .filter(|request| request.url.path().ends_with("/profile"))
            .count()
    };
    terminal.wait_until("capture that was sent", |_| posts() > 0);
    terminal.settle();
    assert_eq!(posts(), 1, "it was not sent again by itself");
    wording.news(&before, &terminal.contents());
    terminal.send("\r");
    terminal.wait_for_row(&["validateAddress", "63.7"]);
    assert_eq!(posts(), 2);
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    let drawn = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    assert!(
        !drawn.contains("old-token") && !drawn.contains("new-token"),
        "no token is ever drawn"
    );
}
