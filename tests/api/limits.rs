//! When calls are held back, how many one list takes, and what is said about it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use flarescope::api::{Client, ErrorKind, Notice, OnNotice};
use flarescope::app::{
    self, Action, Effect, Failure, FailureKind, Moment, Response, WorkersEffect, WorkersResponse,
};
use flarescope::model::cloudflare::Worker;
use serde_json::{Value, json};
use wiremock::matchers::{any, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::{always, at, capture_request, client, list_state, page, query, requests, settings};

const NAMESPACE: &str = "e96f6022469a4499bdda090041bd0346";

/// A client that waits this long at most, and its notices.
fn noting(server: &MockServer, patience: Duration) -> (Client, Arc<Mutex<Vec<String>>>) {
    let notices: Arc<Mutex<Vec<String>>> = Arc::default();
    let taken = Arc::clone(&notices);
    let take = move |notice: &Notice| {
        let kind = match notice {
            Notice::Waiting { .. } => "waiting".to_owned(),
            Notice::Truncated(error) => match error.kind() {
                ErrorKind::Truncated { total, .. } => format!("truncated of {total:?}"),
                other => format!("{other:?}"),
            },
            _ => "other".to_owned(),
        };
        taken.lock().unwrap().push(kind);
    };
    let mut settings = settings(&format!("{}/client/v4", server.uri()));
    settings.patience = patience;
    settings.on_notice = Some(OnNotice::new(take));
    (Client::new(settings).unwrap(), notices)
}

#[tokio::test]
async fn no_call_of_a_kind_is_sent_before_its_retry_after_is_over() {
    for status in [429, 503] {
        let busy = ResponseTemplate::new(status)
            .insert_header("retry-after", "240")
            .insert_header("cf-ray", "8c1f-AMS");
        let server = always(busy).await;
        let client = client(&server);
        for expected in [1, 1] {
            let error = client.workers().await.unwrap_err();
            assert_eq!(
                (error.ray(), error.status()),
                (Some("8c1f-AMS"), Some(status))
            );
            assert!(
                error.retry_after() > Some(Duration::from_secs(200)),
                "{error}"
            );
            assert_eq!(requests(&server).await, expected, "{status}");
        }
        client.namespaces().await.unwrap_err();
        client.versions("checkout").await.unwrap_err();
        assert_eq!(requests(&server).await, 1, "all reads share a limit");

        client.worker_metrics().await.unwrap_err();
        let since = SystemTime::now();
        client
            .version_requests_since("checkout", "v1", since)
            .await
            .unwrap_err();
        let error = client.hot_objects(NAMESPACE).await.unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::RateLimited { .. }),
            "{error}"
        );
        assert_eq!(requests(&server).await, 2, "analytics have their own");

        for _ in 0..2 {
            let error = client.capture(&capture_request()).await.unwrap_err();
            assert!(error.retry_after().is_some(), "{error}");
        }
        assert_eq!(requests(&server).await, 3, "and captures");
    }
}

#[tokio::test]
async fn analytics_that_name_their_pause_in_words_are_left_alone() {
    let error = json!({ "message": "rate limiter budget depleted, try again after 5 minutes" });
    for status in [200, 429] {
        let body = json!({ "data": null, "errors": [error] });
        let server = always(ResponseTemplate::new(status).set_body_json(body)).await;
        let client = client(&server);
        for _ in 0..2 {
            let error = client.worker_metrics().await.unwrap_err();
            assert!(
                error.retry_after() > Some(Duration::from_secs(290)),
                "{error}"
            );
        }
        assert_eq!(requests(&server).await, 1, "{status}");
    }
}

#[tokio::test]
async fn a_503_with_a_short_retry_after_is_waited_out_and_announced_once() {
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(503).insert_header("retry-after", "1"))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(page(&[], 1, 100, Some(0))))
        .mount(&server)
        .await;
    let (client, notices) = noting(&server, Duration::from_secs(60));
    let start = Instant::now();
    client.workers().await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(900));
    assert_eq!(*notices.lock().unwrap(), ["waiting"]);
}

#[tokio::test]
async fn a_used_up_quota_holds_back_the_pages_of_a_list() {
    let server = MockServer::start().await;
    let answer = |request: &Request| {
        let number: u64 = query(request, "page").unwrap().parse().unwrap();
        let items: Vec<Value> = (0..100)
            .map(|at| json!({ "id": format!("{number}-{at}"), "name": format!("{number}-{at}") }))
            .collect();
        ResponseTemplate::new(200)
            .insert_header("Ratelimit", "\"default\";r=0;t=30")
            .set_body_json(page(&items, number, 100, Some(200_000)))
    };
    Mock::given(any()).respond_with(answer).mount(&server).await;
    let (client, _) = noting(&server, Duration::from_secs(3));
    let error = client.workers().await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::RateLimited { .. }),
        "{error}"
    );
    assert!(
        error.retry_after() > Some(Duration::from_secs(20)),
        "{error}"
    );
    client.worker_metrics().await.unwrap_err();
    client.capture(&capture_request()).await.unwrap_err();
    assert_eq!(requests(&server).await, 1);
}

/// A server that returns the same full page for every list and every page.
async fn repeating(total: Option<u64>) -> MockServer {
    let items: Vec<Value> = (0..100)
        .map(|at| json!({ "id": format!("{at:032x}"), "name": format!("w{at}"), "number": at }))
        .collect();
    always(ResponseTemplate::new(200).set_body_json(page(&items, 1, 100, total))).await
}

#[tokio::test]
async fn a_server_that_ignores_the_page_is_not_asked_for_ever() {
    // The first page, and those under way when the second one repeats it.
    const MOST: usize = 1 + 4 + 1;
    for total in [Some(200_000), None] {
        for list in ["accounts", "workers", "versions", "namespaces"] {
            let server = repeating(total).await;
            let (client, notices) = noting(&server, Duration::ZERO);
            let count = match list {
                "accounts" => client.accounts().await.unwrap().len(),
                "workers" => client.workers().await.unwrap().len(),
                "versions" => client.versions("checkout").await.unwrap().len(),
                _ => client.namespaces().await.unwrap().len(),
            };
            assert_eq!(count, 100, "{list}");
            let sent = requests(&server).await;
            assert!((2..=MOST).contains(&sent), "{list}: {sent}");
            let expected: &[String] = &[format!("truncated of {total:?}")];
            let expected = if total.is_some() { expected } else { &[] };
            assert_eq!(*notices.lock().unwrap(), expected, "{list}");
        }
    }
}

#[tokio::test]
async fn cursors_without_new_objects_end_the_list() {
    let list = at(&format!(
        "workers/durable_objects/namespaces/{NAMESPACE}/objects"
    ));
    for (objects, sent, notices) in [
        (json!([]), 1, 0),
        (json!([{ "hasStoredData": true }]), 1, 0),
        (json!([{ "id": "ab".repeat(32) }]), 2, 1),
    ] {
        let server = MockServer::start().await;
        let objects = objects.clone();
        let answer = move |request: &Request| {
            let cursor = query(request, "cursor").unwrap_or_default() + "x";
            let info = json!({ "cursor": cursor });
            let body = json!({ "success": true, "result": objects, "result_info": info });
            ResponseTemplate::new(200).set_body_json(body)
        };
        Mock::given(path(list.clone()))
            .respond_with(answer)
            .mount(&server)
            .await;
        let (client, said) = noting(&server, Duration::ZERO);
        client.first_objects(NAMESPACE, 1_000).await.unwrap();
        assert_eq!(requests(&server).await, sent);
        assert_eq!(said.lock().unwrap().len(), notices);
    }
}

#[tokio::test]
async fn an_endless_list_of_objects_ends_after_its_calls() {
    let server = MockServer::start().await;
    let answer = |request: &Request| {
        let at: u64 = query(request, "cursor").map_or(0, |cursor| cursor.parse().unwrap());
        let object = json!({ "id": format!("{at:064x}") });
        let info = json!({ "cursor": (at + 1).to_string() });
        let body = json!({ "success": true, "result": [object], "result_info": info });
        ResponseTemplate::new(200).set_body_json(body)
    };
    Mock::given(any()).respond_with(answer).mount(&server).await;
    let (client, notices) = noting(&server, Duration::ZERO);
    let objects = client.first_objects(NAMESPACE, 10_000).await.unwrap();
    assert_eq!((objects.len(), requests(&server).await), (300, 300));
    assert_eq!(*notices.lock().unwrap(), ["truncated of None"]);
}

#[tokio::test]
async fn an_object_is_found_by_its_id_or_name_with_the_version_it_runs() {
    let server = MockServer::start().await;
    let id = "ab".repeat(32);
    let group = json!({ "dimensions": { "objectId": id, "name": "cart:42", "scriptVersion": "v7" }, "sum": { "requests": 3 } });
    let account = json!({ "durableObjectsInvocationsAdaptiveGroups": [group] });
    let body = json!({ "data": { "viewer": { "accounts": [account] } }, "errors": null });
    Mock::given(path("/client/v4/graphql"))
        .respond_with(ResponseTemplate::new(200).set_body_json(body))
        .mount(&server)
        .await;
    let upper = id.to_uppercase();
    for (text, filter, sent) in [
        (upper.as_str(), "objectId: $o", id.as_str()),
        ("cart:42", "name: $o", "cart:42"),
    ] {
        let found = client(&server)
            .find_object(NAMESPACE, text)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (
                found.id.as_str(),
                found.name.as_deref(),
                found.version_id.as_deref()
            ),
            (id.as_str(), Some("cart:42"), Some("v7"))
        );
        let last = server.received_requests().await.unwrap().pop().unwrap();
        let body: Value = serde_json::from_slice(&last.body).unwrap();
        assert!(body["query"].as_str().unwrap().contains(filter), "{body}");
        assert_eq!(body["variables"]["o"], sent);
    }
}

#[test]
fn the_first_worker_is_looked_up_also_when_analytics_are_refused_after_the_list() {
    let (mut state, effects) = list_state();
    let ids = effects.iter().filter_map(|effect| match effect {
        Effect::Workers(id, WorkersEffect::List) => Some((true, *id)),
        Effect::Workers(id, WorkersEffect::Metrics) => Some((false, *id)),
        _ => None,
    });
    let ids: Vec<_> = ids.collect();
    let id = |list| ids.iter().find(|(is_list, _)| *is_list == list).unwrap().1;
    let now = Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    };
    let worker = Worker {
        id: "0a".repeat(16),
        name: "checkout".to_owned(),
        deployed_on: Some(SystemTime::UNIX_EPOCH),
        metrics: None,
    };
    let list = Response::Workers(WorkersResponse::Page {
        rows: vec![worker],
        total: Some(1),
        last: true,
    });
    let after_list = app::update(&mut state, Action::Done(id(true), Ok(list)), now);
    let rests = |effects: &[Effect]| {
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Workers(_, WorkersEffect::Rest(_))))
    };
    assert!(!rests(&after_list), "{after_list:?}");
    let refused = Failure::new(FailureKind::List, "Analytics are refused.");
    let after_refusal = app::update(&mut state, Action::Done(id(false), Err(refused)), now);
    assert!(rests(&after_refusal), "{after_refusal:?}");
}
