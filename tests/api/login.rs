//! A token that is refused while its place holds a newer one: another tool renewed its login meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flarescope::api::{Client, ErrorKind, TokenRefresh};
use flarescope::model::text::secret::Secret;
use serde_json::json;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::{PROFILE, capture_request, page, refusal, requests, settings};
use crate::wording::wording;

const OLD: &str = "cfut_old-login";
const NEW: &str = "cfut_new-login";

/// A place that holds a token, and how often it was looked into.
#[derive(Clone)]
struct Place {
    holds: Arc<Mutex<Option<&'static str>>>,
    looks: Arc<AtomicUsize>,
}

impl Place {
    fn of(token: Option<&'static str>) -> Self {
        Self {
            holds: Arc::new(Mutex::new(token)),
            looks: Arc::default(),
        }
    }

    fn looks(&self) -> usize {
        self.looks.load(Ordering::Relaxed)
    }

    /// A client that was started with the old token.
    fn client(&self, server: &MockServer) -> Client {
        let mut settings = settings(&format!("{}/client/v4", server.uri()));
        let place = self.clone();
        settings.token = Secret::new(OLD).unwrap();
        settings.token_refresh = Some(TokenRefresh::from_source(
            "`wrangler login` makes a new one.",
            move || {
                place.looks.fetch_add(1, Ordering::Relaxed);
                place
                    .holds
                    .lock()
                    .unwrap()
                    .map(|token| Secret::new(token).unwrap())
            },
        ));
        Client::new(settings).unwrap()
    }
}

/// A server that takes one token, and answers lists, analytics and captures with what is nearest.
async fn takes(token: &'static str) -> MockServer {
    let server = MockServer::start().await;
    let answer = move |request: &Request| {
        if request.headers["authorization"] != format!("Bearer {token}") {
            let body = refusal(10_000, &format!("Authentication error for {OLD} {NEW}"));
            return ResponseTemplate::new(401)
                .insert_header("cf-ray", "8c1f-AMS")
                .set_body_json(body);
        }
        match request.url.path() {
            path if path.ends_with("/profile") => {
                ResponseTemplate::new(200).set_body_raw(PROFILE, "application/vnd.google.protobuf")
            }
            path if path.ends_with("/graphql") => ResponseTemplate::new(200)
                .set_body_json(json!({ "data": { "viewer": { "accounts": [] } }, "errors": null })),
            _ => ResponseTemplate::new(200).set_body_json(page(&[], 1, 100, Some(0))),
        }
    };
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

async fn sent_with(server: &MockServer) -> Vec<String> {
    let token = |request: &Request| {
        request.headers["authorization"]
            .to_str()
            .unwrap()
            .to_owned()
    };
    server
        .received_requests()
        .await
        .unwrap()
        .iter()
        .map(token)
        .collect()
}

#[tokio::test]
async fn a_read_goes_on_with_the_newer_login() {
    let (server, place) = (takes(NEW).await, Place::of(Some(NEW)));
    let client = place.client(&server);
    assert_eq!(client.workers().await.unwrap(), []);
    assert_eq!(
        sent_with(&server).await,
        [format!("Bearer {OLD}"), format!("Bearer {NEW}")]
    );
    client.workers().await.unwrap();
    assert_eq!(
        (requests(&server).await, place.looks()),
        (3, 1),
        "it stays in force"
    );
}

#[tokio::test]
async fn analytics_go_on_with_the_newer_login_too() {
    let (server, place) = (takes(NEW).await, Place::of(Some(NEW)));
    assert!(
        place
            .client(&server)
            .worker_metrics()
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!((requests(&server).await, place.looks()), (2, 1));
}

#[tokio::test]
async fn the_same_login_is_not_tried_again_and_the_way_to_a_new_one_is_reported() {
    let mut wording = wording!();
    for holds in [Some(OLD), None] {
        let (server, place) = (takes(NEW).await, Place::of(holds));
        let client = place.client(&server);
        for sent in 1..=2 {
            let error = client.workers().await.unwrap_err();
            assert_eq!(
                (error.kind(), error.is_renewed()),
                (&ErrorKind::TokenRefused, false)
            );
            wording.add(error.hint().unwrap());
            assert_eq!(error.ray(), Some("8c1f-AMS"));
            assert_eq!(
                (requests(&server).await, place.looks()),
                (sent, sent),
                "each refusal looks once"
            );
        }
        let error = client.worker_metrics().await.unwrap_err();
        wording.add(error.hint().unwrap());
        assert_eq!(requests(&server).await, 3);
    }
}

#[tokio::test]
async fn a_newer_login_that_is_refused_as_well_ends_it() {
    let (server, place) = (takes("another").await, Place::of(Some(NEW)));
    let error = place.client(&server).workers().await.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TokenRefused);
    assert_eq!(requests(&server).await, 2);
    let told = format!("{error} {error:?} {:?}", error.hint());
    assert!(!told.contains(OLD) && !told.contains(NEW), "{told}");
}

#[tokio::test]
async fn a_capture_is_not_sent_twice_but_the_next_one_has_the_newer_login() {
    let mut wording = wording!();
    let (server, place) = (takes(NEW).await, Place::of(Some(NEW)));
    let client = place.client(&server);
    let error = client.capture(&capture_request()).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.is_renewed()),
        (&ErrorKind::TokenRefused, true)
    );
    wording.add(error.hint().unwrap());
    assert_eq!(requests(&server).await, 1);
    assert_eq!(
        client.capture(&capture_request()).await.unwrap().bytes,
        PROFILE
    );
    assert_eq!(
        sent_with(&server).await,
        [format!("Bearer {OLD}"), format!("Bearer {NEW}")]
    );

    let (server, place) = (takes(NEW).await, Place::of(Some(OLD)));
    let error = place
        .client(&server)
        .capture(&capture_request())
        .await
        .unwrap_err();
    assert_eq!((error.is_renewed(), requests(&server).await), (false, 1));
    wording.add(error.hint().unwrap());
}

#[tokio::test]
async fn calls_that_are_refused_together_share_one_look() {
    let (server, place) = (takes(NEW).await, Place::of(Some(NEW)));
    let client = place.client(&server);
    let all = futures_util::future::join_all((0..4).map(|_| client.workers())).await;
    assert!(all.into_iter().all(|answer| answer.is_ok()));
    assert_eq!(place.looks(), 1);
}

#[tokio::test]
async fn other_refusals_do_not_look() {
    let server = super::always(
        ResponseTemplate::new(403).set_body_json(refusal(10_000, "Authentication error")),
    )
    .await;
    let place = Place::of(Some(NEW));
    place.client(&server).workers().await.unwrap_err();
    assert_eq!((place.looks(), requests(&server).await), (0, 1));
}
