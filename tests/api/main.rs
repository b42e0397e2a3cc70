//! The client against a server that answers anything: every status, both paging styles, broken bodies, redirects.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod limits;
mod login;
mod refusals;
mod silence;
#[path = "../support/wording.rs"]
mod wording;

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use crate::wording::wording;
use flarescope::api::{ApiError, Client, ErrorKind, Missing, Settings, Step, Trouble};
use flarescope::app;
use flarescope::app::{
    Action, Effect, Moment, Origin, Response, Session, State, ThemeChoice, WorkersEffect,
    WorkersResponse,
};
use flarescope::model::cloudflare::{CaptureRequest, Kind, ObjectRef, Target, Worker};
use flarescope::model::text::secret::Secret;
use flarescope::ui;
use flarescope::ui::glyphs::Glyphs;
use flarescope::ui::theme::{Depth, Theme};
use futures_util::StreamExt as _;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use wiremock::matchers::{any, body_json, header, method, path, query_param};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

const TOKEN: &str = "cfut_example-token";
const ACCOUNT: &str = "4c1de0a55f0f4ef6a3c9d1b2e3f40516";
const PROFILE: &[u8] = include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");

fn settings(base: &str) -> Settings {
    let mut settings = Settings::new(base, Secret::new(TOKEN).unwrap());
    settings.account = Some(ACCOUNT.to_owned());
    settings.backoff = Duration::from_millis(1);
    settings
}

fn client(server: &MockServer) -> Client {
    Client::new(settings(&format!("{}/client/v4", server.uri()))).unwrap()
}

fn capture_request() -> CaptureRequest {
    CaptureRequest {
        target: Target {
            worker: "checkout".to_owned(),
            version_id: Some("latest".to_owned()),
            ..Target::default()
        },
        kind: Kind::Cpu,
        window: Duration::from_secs(1),
        find_object: None,
    }
}

fn at(place: &str) -> String {
    format!("/client/v4/accounts/{ACCOUNT}/{place}")
}

fn refusal(code: i64, message: &str) -> Value {
    json!({ "success": false, "errors": [{ "code": code, "message": message }], "messages": ["a plain text"], "result": null })
}

fn page(items: &[Value], page: u64, per_page: u64, total: Option<u64>) -> Value {
    let mut info = json!({ "page": page, "per_page": per_page, "count": items.len() });
    if let Some(total) = total {
        info["total_count"] = json!(total);
    }
    json!({ "success": true, "errors": [], "messages": [], "result": items, "result_info": info })
}

/// A server that answers everything in the same way.
async fn always(template: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(template)
        .mount(&server)
        .await;
    server
}

/// A server that writes these bytes to each connection and closes it.
async fn raw_server(answer: Vec<u8>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(&answer).await;
            });
        }
    });
    format!("http://{address}/client/v4")
}

fn query(request: &Request, name: &str) -> Option<String> {
    let mut pairs = request.url.query_pairs();
    pairs
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

#[tokio::test]
async fn the_token_and_the_programs_name_are_sent_with_every_call() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/client/v4/accounts"))
        .and(header("authorization", format!("Bearer {TOKEN}")))
        .and(header("accept", "application/json"))
        .and(query_param("per_page", "50"))
        .respond_with(ResponseTemplate::new(200).set_body_json(page(
            &[json!({ "id": ACCOUNT, "name": "Acme" })],
            1,
            50,
            Some(1),
        )))
        .expect(1)
        .mount(&server)
        .await;
    let accounts = client(&server).accounts().await.unwrap();
    assert_eq!((accounts.len(), accounts[0].name.as_str()), (1, "Acme"));
    let agent = server.received_requests().await.unwrap()[0].headers["user-agent"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(agent.starts_with("flarescope/"), "{agent}");
}

#[tokio::test]
async fn each_refusal_is_distinguished_and_has_a_next_step() {
    for (status, body, kind) in [
        (
            401,
            refusal(10_000, "Authentication error"),
            ErrorKind::TokenRefused,
        ),
        (
            403,
            refusal(10_000, "Authentication error"),
            ErrorKind::Forbidden,
        ),
        (
            403,
            refusal(9109, "Unauthorized to access requested resource"),
            ErrorKind::Forbidden,
        ),
        (
            400,
            refusal(6003, "Invalid request headers"),
            ErrorKind::TokenMalformed,
        ),
        (
            404,
            refusal(7003, "Could not route to /x"),
            ErrorKind::NotFound(Missing::Account),
        ),
        (
            404,
            refusal(10_007, "This Worker does not exist on your account."),
            ErrorKind::NotFound(Missing::Worker),
        ),
        (
            400,
            refusal(10_001, "page: Number must be positive"),
            ErrorKind::BadRequest,
        ),
        (
            429,
            refusal(971, "Please wait"),
            ErrorKind::RateLimited { retry_after: None },
        ),
        (500, json!(null), ErrorKind::Server),
        (503, json!({}), ErrorKind::Server),
        (
            200,
            refusal(10_007, "gone"),
            ErrorKind::NotFound(Missing::Worker),
        ),
    ] {
        let template = ResponseTemplate::new(status)
            .insert_header("cf-ray", "8c1f-AMS")
            .set_body_json(&body);
        let server = always(template).await;
        let error = client(&server).worker("checkout").await.unwrap_err();
        assert_eq!(*error.kind(), kind, "{status} {body}");
        assert_eq!(
            (error.ray(), error.status()),
            (Some("8c1f-AMS"), Some(status))
        );
        assert!(error.hint().is_some(), "{error}");
    }
}

#[tokio::test]
async fn a_refused_step_names_the_account_and_the_permission() {
    let mut wording = wording!();
    let server =
        always(ResponseTemplate::new(403).set_body_json(refusal(10_000, "Authentication error")))
            .await;
    let error = client(&server).workers().await.unwrap_err();
    assert_eq!(error.step(), Step::Workers);
    wording.add(error.to_string());
    let error = client(&server)
        .capture(&capture_request())
        .await
        .unwrap_err();
    wording.add(error.to_string());
    wording.add(error.hint().unwrap());
    let error = client(&server).worker_metrics().await.unwrap_err();
    wording.add(error.hint().unwrap());
}

#[tokio::test]
async fn web_pages_and_challenges_are_named() {
    let mut wording = wording!();
    let page = "<!DOCTYPE html>\n<html><title>Just a moment...</title>";
    let html = |status| ResponseTemplate::new(status).set_body_raw(page, "text/html");
    let server = always(html(403).insert_header("cf-mitigated", "challenge")).await;
    assert_eq!(
        *client(&server).workers().await.unwrap_err().kind(),
        ErrorKind::Challenge
    );
    let server = always(html(200)).await;
    let error = client(&server).workers().await.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Unreadable);
    wording.add(error.to_string());
    let server = always(ResponseTemplate::new(403)).await;
    assert_eq!(
        *client(&server).workers().await.unwrap_err().kind(),
        ErrorKind::Forbidden
    );
}

#[tokio::test]
async fn no_error_repeats_the_token() {
    for status in [200, 400, 401, 403, 404, 500] {
        let body = refusal(10_000, &format!("token {TOKEN} is bad"));
        let server = always(ResponseTemplate::new(status).set_body_json(body)).await;
        for error in [
            client(&server).workers().await.unwrap_err(),
            client(&server)
                .capture(&capture_request())
                .await
                .unwrap_err(),
            client(&server).worker_metrics().await.unwrap_err(),
        ] {
            let all = format!("{error} {error:?} {:?}", error.hint());
            assert!(
                !all.contains(TOKEN) && error.to_string().contains("[token]"),
                "{all}"
            );
        }
    }
    let server =
        always(ResponseTemplate::new(200).set_body_string(format!("what is {TOKEN}?"))).await;
    let error = client(&server)
        .capture(&capture_request())
        .await
        .unwrap_err();
    assert!(!format!("{error} {error:?}").contains(TOKEN), "{error}");
    assert!(!format!("{:?}", client(&server)).contains(TOKEN));
}

#[tokio::test]
async fn all_pages_of_workers_are_read_by_the_servers_own_page_size() {
    let server = MockServer::start().await;
    let answer = |request: &Request| {
        let number: u64 = query(request, "page").unwrap().parse().unwrap();
        let items: Vec<Value> = (0..130)
            .skip((number as usize - 1) * 20)
            .take(20)
            .map(|n| json!({ "id": format!("{n:032x}"), "name": format!("worker-{n:03}"), "deployed_on": null, "new_field": {} }))
            .collect();
        ResponseTemplate::new(200).set_body_json(page(&items, number, 20, Some(130)))
    };
    Mock::given(path(at("workers/workers")))
        .respond_with(answer)
        .mount(&server)
        .await;
    let client = client(&server);
    let workers = client.workers().await.unwrap();
    assert_eq!(workers.len(), 130);
    assert_eq!(
        (workers[0].name.as_str(), workers[129].name.as_str()),
        ("worker-000", "worker-129")
    );
    assert_eq!(requests(&server).await, 7);
    let first = client.workers_pages().next().await.unwrap().unwrap();
    assert_eq!(
        (first.number, first.items.len(), first.total),
        (1, 20, Some(130))
    );
}

#[tokio::test]
async fn a_worker_that_slips_onto_a_page_that_was_there_already_is_not_missed() {
    let server = MockServer::start().await;
    let asked = AtomicU64::new(0);
    let answer = move |request: &Request| {
        let number: usize = query(request, "page").unwrap().parse().unwrap();
        // Once the first page has been read, the first Worker of all is deleted: what follows moves up by one.
        let gone = usize::from(asked.fetch_add(1, Ordering::Relaxed) > 0);
        let items: Vec<Value> = (gone..100)
            .skip((number - 1) * 20)
            .take(20)
            .map(|n| json!({ "id": format!("{n:032x}"), "name": format!("worker-{n:03}"), "deployed_on": null }))
            .collect();
        ResponseTemplate::new(200).set_body_json(page(
            &items,
            number as u64,
            20,
            Some(100 - gone as u64),
        ))
    };
    Mock::given(path(at("workers/workers")))
        .respond_with(answer)
        .mount(&server)
        .await;
    let names: Vec<String> = client(&server)
        .workers()
        .await
        .unwrap()
        .into_iter()
        .map(|worker| worker.name)
        .collect();
    let all: Vec<String> = (0..100).map(|n| format!("worker-{n:03}")).collect();
    assert_eq!(
        names, all,
        "020 stood on the second page, and then on the first"
    );
    assert_eq!(requests(&server).await, 10, "twice, and not for ever");
}

/// A server with 5,000 Workers on 50 pages, each of which takes a while; notes when it was asked for which page.
async fn fifty_pages(each: Duration) -> (MockServer, Arc<Mutex<Vec<(u64, Instant)>>>) {
    let server = MockServer::start().await;
    let asked: Arc<Mutex<Vec<(u64, Instant)>>> = Arc::default();
    let noted = Arc::clone(&asked);
    let answer = move |request: &Request| {
        let number: u64 = query(request, "page").unwrap().parse().unwrap();
        noted.lock().unwrap().push((number, Instant::now()));
        let first = (number - 1) * 100;
        let items: Vec<Value> = (first..first + 100)
            .map(|n| json!({ "id": format!("{n:032x}"), "name": format!("worker-{n:04}"), "deployed_on": "2026-11-30T03:12:40Z" }))
            .collect();
        ResponseTemplate::new(200)
            .set_body_json(page(&items, number, 100, Some(5_000)))
            .set_delay(each)
    };
    Mock::given(path(at("workers/workers")))
        .respond_with(answer)
        .mount(&server)
        .await;
    (server, asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_fifty_pages_the_first_is_there_at_once_and_four_come_at_a_time() {
    const EACH: Duration = Duration::from_millis(60);
    let (server, asked) = fifty_pages(EACH).await;
    let client = client(&server);
    let (mut state, first) = list_state();
    let list = first
        .iter()
        .find_map(|e| {
            if let Effect::Workers(id, WorkersEffect::List) = e {
                Some(*id)
            } else {
                None
            }
        })
        .unwrap();
    let began = Instant::now();
    let moment = || Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    };
    let mut pages = client.workers_pages();
    let mut came = Vec::new();
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        came.push(page.number);
        let answer = Response::Workers(WorkersResponse::Page {
            rows: page.items,
            total: page.total,
            last: false,
        });
        app::update(&mut state, Action::Done(list, Ok(answer)), moment());
        if came.len() == 1 {
            assert_eq!(
                (page.number, state.workers.rows.len(), state.workers.total),
                (1, 100, Some(5_000))
            );
            assert!(shows(&state, "100 of 5,000 ") && shows(&state, "worker-0000"));
            assert_eq!(
                asked.lock().unwrap().len(),
                1,
                "shown before anything else was asked for"
            );
        }
    }
    let took = began.elapsed();
    app::update(
        &mut state,
        Action::Done(
            list,
            Ok(Response::Workers(WorkersResponse::Page {
                rows: vec![],
                total: None,
                last: true,
            })),
        ),
        moment(),
    );
    let workers = &state.workers;
    assert_eq!((workers.rows.len(), workers.order.len()), (5_000, 5_000));
    let names: Vec<&str> = workers
        .order
        .iter()
        .map(|&at| workers.rows[at].name.as_str())
        .collect();
    assert!(
        names.is_sorted() && names.windows(2).all(|two| two[0] != two[1]),
        "sorted, and none twice"
    );
    assert!(shows(&state, "5,000 ") && !shows(&state, "of 5,000 "));

    // An answer takes at least so long: who was asked for within that time before was still under way.
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 50, "each page once");
    let most = asked.iter().map(|(_, at)| {
        asked
            .iter()
            .filter(|(_, other)| other <= at && at.duration_since(*other) < EACH)
            .count()
    });
    assert_eq!(most.max(), Some(4));
    // One, then 49 four at a time: thirteen rounds. How much longer it takes is for a bench to say.
    assert!(took >= EACH * 14, "{took:?}");
}

/// A session whose list was asked for.
fn list_state() -> (State, Vec<Effect>) {
    let session = Session {
        origin: Origin::Cloudflare,
        account_name: "acme-prod".to_owned(),
        account_id: ACCOUNT.to_owned(),
        ..Session::default()
    };
    let mut state = State::new(
        session,
        (120, 40),
        ThemeChoice {
            name: "ember".to_owned(),
            known: vec![],
            ..ThemeChoice::default()
        },
    );
    let first = state.first_effects();
    (state, first)
}

/// Whether the screen has these words.
fn shows(state: &State, words: &str) -> bool {
    let theme = Theme::load("ember", Depth::None).unwrap().theme;
    let mut buffer = Buffer::empty(Rect::new(0, 0, state.size.0, state.size.1));
    let now = Moment {
        instant: Instant::now(),
        wall: SystemTime::now(),
    };
    ui::draw(&mut buffer, state, &theme, Glyphs::Unicode, now);
    ui::screenshot::text(&buffer).contains(words)
}

#[tokio::test]
async fn pages_without_a_total_end_at_a_short_one() {
    let server = MockServer::start().await;
    let answer = |request: &Request| {
        let number: usize = query(request, "page").unwrap().parse().unwrap();
        let count = if number < 3 { 50 } else { 7 };
        let items: Vec<Value> = (0..count)
            .map(|n| json!({ "id": format!("{:032x}", number * 100 + n) }))
            .collect();
        ResponseTemplate::new(200).set_body_json(page(&items, number as u64, 50, None))
    };
    Mock::given(path("/client/v4/accounts"))
        .respond_with(answer)
        .mount(&server)
        .await;
    assert_eq!(client(&server).accounts().await.unwrap().len(), 107);
    assert_eq!(requests(&server).await, 3);
}

#[tokio::test]
async fn objects_are_walked_by_cursor_to_the_end() {
    let server = MockServer::start().await;
    let list = at("workers/durable_objects/namespaces/e96f6022469a4499bdda090041bd0346/objects");
    let answer = |request: &Request| {
        let cursor = query(request, "cursor");
        let (stored, info) = match cursor.as_deref() {
            None => (json!(true), json!({ "count": 1, "cursor": "a/b+c=" })),
            Some("a/b+c=") => (
                json!(false),
                json!({ "count": 1, "cursors": { "after": "last" } }),
            ),
            Some(_) => (json!(null), json!({ "count": 1, "cursor": "" })),
        };
        let object = json!({ "id": "ab".repeat(32), "hasStoredData": stored });
        ResponseTemplate::new(200)
            .set_body_json(json!({ "success": true, "result": [object], "result_info": info }))
    };
    Mock::given(path(list))
        .and(query_param("limit", "10"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let (client, mut cursor, mut stored) = (client(&server), None, Vec::new());
    loop {
        let page = client
            .objects("e96f6022469a4499bdda090041bd0346", cursor.as_deref(), 1)
            .await
            .unwrap();
        stored.extend(
            page.objects
                .into_iter()
                .map(|object| object.has_stored_data),
        );
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(stored, [Some(true), Some(false), None]);
}

#[tokio::test]
async fn versions_are_sorted_and_carry_their_share() {
    let server = MockServer::start().await;
    let version = |id: &str, number: u64| json!({ "id": id, "number": number, "created_on": "2026-10-09T11:57:58Z", "urls": [] });
    let list = json!([version("v1", 1), version("v3", 3), version("v2", 2)]);
    let mount = async |place: &str, body: Value| {
        Mock::given(path(at(place)))
            .respond_with(ResponseTemplate::new(200).set_body_json(body))
            .mount(&server)
            .await;
    };
    mount(
        "workers/workers/idid/versions",
        page(list.as_array().unwrap(), 1, 100, Some(3)),
    )
    .await;
    mount(
        "workers/workers/idid/versions/v0",
        json!({ "success": true, "result": version("v0", 0) }),
    )
    .await;
    let shares = json!([{ "version_id": "v2", "percentage": 90.5 }, { "version_id": "v0", "percentage": 9.5 }]);
    let deployments =
        json!({ "deployments": [{ "id": "d", "versions": shares }, { "versions": [] }] });
    mount(
        "workers/scripts/checkout/deployments",
        json!({ "success": true, "result": deployments }),
    )
    .await;
    let worker = Worker {
        id: "idid".to_owned(),
        name: "checkout".to_owned(),
        deployed_on: None,
        metrics: None,
    };
    let versions = client(&server).versions_with_shares(&worker).await.unwrap();
    let shown: Vec<(&str, f64)> = versions
        .iter()
        .map(|version| (version.id.as_str(), version.percentage))
        .collect();
    assert_eq!(shown, [("v3", 0.0), ("v2", 90.5), ("v1", 0.0), ("v0", 9.5)]);
}

#[tokio::test]
async fn names_from_outside_cannot_leave_their_place_in_the_address() {
    let server = always(ResponseTemplate::new(404).set_body_json(refusal(10_007, "no"))).await;
    let client = client(&server);
    for name in ["../../user", "a/b?c=d#e", "%2e%2e", "日本"] {
        assert_eq!(
            *client.worker(name).await.unwrap_err().kind(),
            ErrorKind::NotFound(Missing::Worker)
        );
    }
    let base = at("workers/workers/");
    for request in server.received_requests().await.unwrap() {
        let rest = request
            .url
            .path()
            .strip_prefix(&base)
            .expect("below the account's Workers");
        assert!(
            !rest.contains('/') && request.url.query().is_none(),
            "{}",
            request.url
        );
    }
    for name in ["", ".", ".."] {
        assert_eq!(
            *client.worker(name).await.unwrap_err().kind(),
            ErrorKind::Settings,
            "{name:?}"
        );
    }
}

#[tokio::test]
async fn reads_are_tried_three_times_and_only_where_that_can_help() {
    for (status, tries) in [
        (500, 3),
        (503, 3),
        (408, 3),
        (429, 3),
        (400, 1),
        (401, 1),
        (403, 1),
        (404, 1),
    ] {
        let server = always(ResponseTemplate::new(status)).await;
        client(&server).workers().await.unwrap_err();
        assert_eq!(requests(&server).await, tries, "{status}");
    }
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(502))
        .up_to_n_times(2)
        .mount(&server)
        .await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(page(&[], 1, 100, Some(0))))
        .mount(&server)
        .await;
    assert_eq!(client(&server).workers().await.unwrap(), []);
}

#[tokio::test]
async fn a_short_retry_after_is_waited_out_and_a_long_one_reported() {
    let server = MockServer::start().await;
    let busy = |wait: &str| ResponseTemplate::new(429).insert_header("retry-after", wait);
    Mock::given(any())
        .respond_with(busy("1"))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_json(page(&[], 1, 100, Some(0))))
        .mount(&server)
        .await;
    let start = Instant::now();
    client(&server).workers().await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));

    let server = always(busy("240")).await;
    let error = client(&server).workers().await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(240)));
    assert_eq!(requests(&server).await, 1);
}

#[tokio::test]
async fn the_shared_quota_is_kept() {
    let template = ResponseTemplate::new(200)
        .insert_header("Ratelimit", "\"default\";r=50;t=30")
        .insert_header("Ratelimit-Policy", "\"default\";q=1200;w=300")
        .set_body_json(page(&[], 1, 100, Some(0)));
    let server = always(template).await;
    let client = client(&server);
    assert_eq!(client.quota(), None);
    client.workers().await.unwrap();
    let quota = client.with_account("other").quota().unwrap();
    assert_eq!(
        (quota.remaining, quota.limit, quota.is_low()),
        (50, Some(1200), true)
    );
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = always(ResponseTemplate::new(200)).await;
    let elsewhere = format!("{}/client/v4/accounts", other.uri());
    for status in [301, 302, 307, 308] {
        let server =
            always(ResponseTemplate::new(status).insert_header("location", elsewhere.as_str()))
                .await;
        for error in [
            client(&server).workers().await.unwrap_err(),
            client(&server)
                .capture(&capture_request())
                .await
                .unwrap_err(),
        ] {
            assert!(
                matches!(error.kind(), ErrorKind::Redirected { host } if other.uri().contains(host)),
                "{error}"
            );
        }
    }
    assert_eq!(requests(&other).await, 0);
}

#[tokio::test]
async fn a_capture_sends_what_is_documented_and_gives_the_bytes_as_they_came() {
    let server = MockServer::start().await;
    let (namespace, object) = ("e96f6022469a4499bdda090041bd0346", "ab".repeat(32));
    let body = json!({ "duration_ms": 1500, "profile_type": "heap", "namespace_id": namespace, "actor_id": object });
    Mock::given(method("POST"))
        .and(path(at("workers/workers/checkout/versions/latest/profile")))
        .and(header("accept", "*/*"))
        .and(header("content-type", "application/json"))
        .and(body_json(body))
        .respond_with(
            ResponseTemplate::new(200)
                .insert_header("cf-ray", "8c1f-AMS")
                .set_body_raw(PROFILE, "application/vnd.google.protobuf"),
        )
        .expect(1)
        .mount(&server)
        .await;
    let mut request = CaptureRequest {
        kind: Kind::Heap,
        window: Duration::from_millis(1500),
        ..capture_request()
    };
    request.target.object = Some(ObjectRef::new(namespace, &object, None).unwrap());
    let captured = client(&server).capture(&request).await.unwrap();
    assert_eq!(captured.bytes, PROFILE);
    assert_eq!(
        captured.content_type.as_deref(),
        Some("application/vnd.google.protobuf")
    );
    assert_eq!(captured.ray.as_deref(), Some("8c1f-AMS"));
}

#[tokio::test]
async fn a_content_encoding_is_undone_and_the_profiles_own_gzip_kept() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(PROFILE).unwrap();
    let twice = encoder.finish().unwrap();
    let template = ResponseTemplate::new(200)
        .insert_header("content-encoding", "gzip")
        .set_body_raw(twice, "application/vnd.google.protobuf");
    let server = always(template).await;
    assert_eq!(
        client(&server)
            .capture(&capture_request())
            .await
            .unwrap()
            .bytes,
        PROFILE
    );
}

#[tokio::test]
async fn an_answer_that_is_no_profile_is_named_by_its_type_and_first_line() {
    let svg = "<?xml version=\"1.0\"?>\n<svg/>";
    for (body, content_type, first_line) in [
        (svg, "image/svg+xml", "<?xml version=\"1.0\"?>"),
        (
            svg,
            "application/vnd.google.protobuf",
            "<?xml version=\"1.0\"?>",
        ),
        ("<html>\n", "text/html", "<html>"),
        ("{\"profile\":1}", "application/json", "{\"profile\":1}"),
        ("\u{feff}\n  {\"a\":1}", "text/plain", "{\"a\":1}"),
        ("no such page", "text/plain", "no such page"),
    ] {
        let server = always(ResponseTemplate::new(200).set_body_raw(body, content_type)).await;
        let error = client(&server)
            .capture(&capture_request())
            .await
            .unwrap_err();
        let kind = ErrorKind::NotAProfile {
            content_type: content_type.to_owned(),
            first_line: first_line.to_owned(),
        };
        assert_eq!(*error.kind(), kind, "{body}");
    }
    let server = always(ResponseTemplate::new(200)).await;
    assert_eq!(
        *client(&server)
            .capture(&capture_request())
            .await
            .unwrap_err()
            .kind(),
        ErrorKind::Empty
    );
}

#[tokio::test]
async fn a_refusal_with_status_200_is_a_refusal() {
    for (code, message, kind) in [
        (
            10_393,
            "No recent executions were found for this Worker.",
            ErrorKind::NoTraffic,
        ),
        (
            1,
            "The Worker runtime could not start profiling. Please try again.",
            ErrorKind::NotStarted,
        ),
        (12_345, "Something new.", ErrorKind::Refused),
    ] {
        let server = always(ResponseTemplate::new(200).set_body_json(refusal(code, message))).await;
        let error = client(&server)
            .capture(&capture_request())
            .await
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (&kind, Some(code)));
    }
}

#[tokio::test]
async fn a_capture_is_never_sent_twice() {
    for status in [408, 429, 500, 502, 503] {
        let server = always(ResponseTemplate::new(status)).await;
        client(&server)
            .capture(&capture_request())
            .await
            .unwrap_err();
        assert_eq!(requests(&server).await, 1, "{status}");
    }
    // A connection that breaks before the answer is the case that HTTP libraries like to repeat by themselves.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/client/v4", listener.local_addr().unwrap());
    let counted = tokio::spawn(async move {
        let mut connections = 0;
        while let Ok(Ok((mut stream, _))) =
            tokio::time::timeout(Duration::from_secs(1), listener.accept()).await
        {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            connections += 1;
        }
        connections
    });
    let error = Client::new(settings(&base))
        .unwrap()
        .capture(&capture_request())
        .await
        .unwrap_err();
    assert_eq!(
        *error.kind(),
        ErrorKind::Transport(Trouble::Reset),
        "{error}"
    );
    assert_eq!(counted.await.unwrap(), 1);
}

#[tokio::test]
async fn cut_bodies_are_reported_and_not_taken_for_whole() {
    let mut answer =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/vnd.google.protobuf\r\ncontent-length: 5000\r\n\r\n".to_vec();
    answer.extend_from_slice(&PROFILE[..100]);
    let error = Client::new(settings(&raw_server(answer).await))
        .unwrap()
        .capture(&capture_request())
        .await
        .unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Cut { received: 100 }, "{error}");

    let answer =
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{\"success\":true".to_vec();
    let error = Client::new(settings(&raw_server(answer).await))
        .unwrap()
        .workers()
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Cut { .. }), "{error}");
}

#[tokio::test]
async fn oversized_bodies_are_refused_before_they_are_read() {
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n{".to_vec();
    let base = raw_server(answer).await;
    let client = Client::new(settings(&base)).unwrap();
    for error in [
        client.capture(&capture_request()).await.unwrap_err(),
        client.workers().await.unwrap_err(),
    ] {
        assert!(
            matches!(error.kind(), ErrorKind::TooLarge { .. }),
            "{error}"
        );
        assert!(error.to_string().contains("MiB"), "{error}");
    }
    // A bomb behind a content encoding, where the length tells nothing.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..33 {
        encoder.write_all(&zeros).unwrap();
    }
    let template = ResponseTemplate::new(200)
        .insert_header("content-encoding", "gzip")
        .set_body_bytes(encoder.finish().unwrap());
    let server = always(template).await;
    let error = self::client(&server).workers().await.unwrap_err();
    assert_eq!(
        *error.kind(),
        ErrorKind::TooLarge { limit: 32 << 20 },
        "{error}"
    );
}

#[tokio::test]
async fn slow_answers_end_at_the_limit_that_belongs_to_the_call() {
    let server = always(ResponseTemplate::new(200).set_delay(Duration::from_secs(20))).await;
    let mut settings = settings(&format!("{}/client/v4", server.uri()));
    settings.read_timeout = Duration::from_millis(50);
    settings.capture_slack = Duration::from_millis(50);
    let client = Client::new(settings).unwrap();
    let start = Instant::now();
    let error = client.workers().await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::TimedOut { .. }),
        "{error}"
    );
    let error = client.capture(&capture_request()).await.unwrap_err();
    assert_eq!(
        *error.kind(),
        ErrorKind::TimedOut {
            after: Duration::from_millis(1050)
        },
        "{error}"
    );
    assert!((Duration::from_millis(1100)..Duration::from_secs(10)).contains(&start.elapsed()));
}

#[tokio::test]
async fn dropping_a_capture_drops_its_connection() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/client/v4", listener.local_addr().unwrap());
    let client = Client::new(settings(&base)).unwrap();
    let capture = tokio::spawn(async move { client.capture(&capture_request()).await });
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut request = vec![0; 4096];
    assert!(stream.read(&mut request).await.unwrap() > 0);
    capture.abort();
    let end = tokio::time::timeout(Duration::from_secs(5), async {
        while stream.read(&mut request).await.is_ok_and(|read| read > 0) {}
    });
    assert!(end.await.is_ok(), "the connection stays open");
}

#[tokio::test]
async fn a_host_that_does_not_answer_is_reported_in_words() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = Client::new(settings(&format!("http://{address}")))
        .unwrap()
        .workers()
        .await
        .unwrap_err();
    assert_eq!(
        *error.kind(),
        ErrorKind::Transport(Trouble::Refused),
        "{error}"
    );
    assert!(error.to_string().contains(&address.to_string()), "{error}");

    // Speaks no TLS, whatever is asked of it.
    let plain = raw_server(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec())
        .await
        .replace("http:", "https:");
    let error = Client::new(settings(&plain))
        .unwrap()
        .workers()
        .await
        .unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Transport(Trouble::Tls), "{error}");
}

#[tokio::test]
async fn at_most_four_reads_are_under_way() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(settings(&format!(
        "http://{}",
        listener.local_addr().unwrap()
    )))
    .unwrap();
    let reads: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.worker("x").await.map(drop) })
        })
        .collect();
    let mut open = Vec::new();
    for _ in 0..4 {
        open.push(listener.accept().await.unwrap());
    }
    let fifth = tokio::time::timeout(Duration::from_millis(200), listener.accept()).await;
    assert!(fifth.is_err(), "a fifth connection was opened");
    reads.iter().for_each(|read| read.abort());
}

#[tokio::test]
async fn verify_asks_the_place_that_belongs_to_the_token() {
    let server = MockServer::start().await;
    let ok = json!({ "success": true, "messages": [{ "code": 10_000, "message": "This API Token is valid and active" }],
        "result": { "id": "x", "status": "active", "expires_on": "2027-01-01T00:00:00Z" } });
    Mock::given(path("/client/v4/user/tokens/verify"))
        .respond_with(ResponseTemplate::new(401).set_body_json(refusal(1000, "Invalid API Token")))
        .mount(&server)
        .await;
    Mock::given(path(at("tokens/verify")))
        .respond_with(ResponseTemplate::new(200).set_body_json(ok))
        .mount(&server)
        .await;
    let state = client(&server).verify().await.unwrap();
    assert_eq!(
        (
            state.status.as_str(),
            state.account_owned,
            state.expires_on.is_some()
        ),
        ("active", true, true)
    );
    assert_eq!(requests(&server).await, 2);

    let mut account = settings(&format!("{}/client/v4", server.uri()));
    account.token = Secret::new("cfat_example").unwrap();
    assert!(
        Client::new(account)
            .unwrap()
            .verify()
            .await
            .unwrap()
            .account_owned
    );
    assert_eq!(requests(&server).await, 3);
}

#[tokio::test]
async fn figures_are_read_per_second_and_missing_ones_stay_missing() {
    let groups = json!([
        { "dimensions": { "scriptName": "checkout" }, "sum": { "requests": 9000, "errors": 90 },
          "quantiles": { "cpuTimeP50": 2143, "cpuTimeP99": 18877.4, "memoryUsageBytesP99": null } },
        { "dimensions": { "scriptName": null }, "sum": null, "quantiles": {} },
    ]);
    let exceeded =
        json!([{ "dimensions": { "scriptName": "checkout" }, "sum": { "requests": 12 } }]);
    let account = json!({ "workersInvocationsAdaptive": groups, "exceeded": exceeded });
    let body = json!({ "data": { "viewer": { "accounts": [account] } }, "errors": null });
    let server = always(ResponseTemplate::new(200).set_body_json(body)).await;
    let result = client(&server).worker_metrics().await;
    // A null where an object is documented is not documented: told, not guessed.
    assert_eq!(*result.unwrap_err().kind(), ErrorKind::Unreadable);

    let mut groups = groups;
    groups.as_array_mut().unwrap().pop();
    let account = json!({ "workersInvocationsAdaptive": groups, "exceeded": exceeded });
    let body = json!({ "data": { "viewer": { "accounts": [account] } }, "errors": null });
    let server = always(ResponseTemplate::new(200).set_body_json(body)).await;
    let metrics = client(&server).worker_metrics().await.unwrap();
    let metrics = metrics["checkout"];
    assert!(
        (metrics.requests_per_second - 10.0).abs() < 1e-9
            && (metrics.errors_per_second - 0.1).abs() < 1e-9
    );
    assert_eq!(
        (metrics.cpu_p50_us, metrics.memory_p99, metrics.exceeded),
        (2143.0, None, 12)
    );
}

#[tokio::test]
async fn analytics_fall_back_to_documented_fields_and_tell_a_missing_right() {
    let server = MockServer::start().await;
    let answer = |request: &Request| {
        if String::from_utf8_lossy(&request.body).contains("memoryUsageBytesP99") {
            let error =
                json!({ "message": "unknown field \"memoryUsageBytesP99\"", "extensions": {} });
            return ResponseTemplate::new(400)
                .set_body_json(json!({ "data": null, "errors": [error] }));
        }
        let groups = json!([{ "dimensions": { "scriptName": "a" }, "sum": { "requests": 900 }, "quantiles": {} }]);
        let account = json!({ "workersInvocationsAdaptive": groups });
        ResponseTemplate::new(200).set_body_json(
            json!({ "data": { "viewer": { "accounts": [account] } }, "errors": null }),
        )
    };
    Mock::given(path("/client/v4/graphql"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let client = client(&server);
    for total in [2, 3] {
        assert!(client.worker_metrics().await.unwrap().contains_key("a"));
        assert_eq!(
            requests(&server).await,
            total,
            "the refused question is not asked again"
        );
    }
    for status in [200, 403] {
        let error = json!({ "message": "not authorized for that account", "extensions": { "code": "authz" } });
        let body = json!({ "data": null, "errors": [error] });
        let server = always(ResponseTemplate::new(status).set_body_json(body)).await;
        let error = self::client(&server).worker_metrics().await.unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Forbidden, "{error}");
    }
}

#[tokio::test]
async fn the_largest_objects_are_asked_for_by_memory_and_ordered_here_where_that_is_not_understood()
{
    let server = MockServer::start().await;
    let answer = |request: &Request| {
        let question = String::from_utf8_lossy(&request.body).into_owned();
        if question.contains("quantiles_memoryUsageBytesP99_DESC") {
            let error = json!({ "message": "error parsing args: unknown order", "extensions": {} });
            return ResponseTemplate::new(400)
                .set_body_json(json!({ "data": null, "errors": [error] }));
        }
        let group = |id: &str, cpu: u64, memory: f64| {
            json!({ "dimensions": { "objectId": id, "name": "" }, "sum": { "cpuTime": cpu },
                    "quantiles": { "memoryUsageBytesP99": memory } })
        };
        let periods = json!([
            group("aa", 9_000_000, 20e6),
            group("bb", 1_000_000, 121e6),
            group("cc", 2_000_000, 60e6)
        ]);
        let versions = json!([{ "dimensions": { "objectId": "bb", "scriptVersion": "v7" }, "sum": { "requests": 3 } }]);
        let account = json!({ "periods0": periods, "versions0": versions });
        let body = json!({ "data": { "viewer": { "accounts": [account] } }, "errors": null });
        ResponseTemplate::new(200).set_body_json(body)
    };
    Mock::given(path("/client/v4/graphql"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let objects = client(&server)
        .largest_objects("e96f6022469a4499bdda090041bd0346")
        .await
        .unwrap();
    let ids: Vec<&str> = objects.iter().map(|object| object.id.as_str()).collect();
    assert_eq!(ids, ["bb", "cc", "aa"]);
    assert_eq!(
        (objects[0].memory_p99, objects[0].cpu_seconds),
        (Some(121e6), Some(1.0)),
        "bytes, and seconds"
    );
    assert_eq!(
        (&objects[0].name, objects[0].version_id.as_deref()),
        (&None, Some("v7"))
    );
    let busiest = client(&server)
        .hot_objects("e96f6022469a4499bdda090041bd0346")
        .await
        .unwrap();
    assert_eq!(busiest[0].id, "aa", "for CPU the other way");
}

#[tokio::test]
async fn text_from_outside_loses_its_control_characters() {
    let body = refusal(1, "bad \u{1b}]52;c;aGk=\u{7} news\r\n\u{202e}");
    let server = always(
        ResponseTemplate::new(400)
            .insert_header("cf-ray", "8c1f-AMS")
            .set_body_json(body),
    )
    .await;
    let error: ApiError = client(&server).worker("x").await.unwrap_err();
    assert!(
        !error
            .to_string()
            .chars()
            .any(|c| c.is_control() || c == '\u{202e}'),
        "{error}"
    );
}
