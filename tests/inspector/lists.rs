//! Lists: what is offered, and what is no inspector.

use std::time::Duration;

use flarescope::inspector::{Address, Inspector, InspectorError, Settings};
use flarescope::model::cloudflare::Kind;
use flarescope::model::cloudflare::local_runtime::Obstacle;

use super::fake::{Fake, Script, entries};
use super::{WINDOW, inspector};
use crate::wording::wording;

async fn refused(status: u16, body: &str) -> InspectorError {
    let fake = Fake::start(Script {
        list: (status, body.to_owned()),
        ..Script::default()
    })
    .await;
    inspector(&fake).targets().await.unwrap_err()
}

#[tokio::test]
async fn isolates_are_listed_in_the_runtimes_order_with_those_that_can_not_be_had() {
    let mut wording = wording!();
    let list = (
        200,
        entries(&["geo-router", "with blank", "checkout-api", "a/b"]),
    );
    let fake = Fake::start(Script {
        list,
        ..Script::default()
    })
    .await;
    let inspector = inspector(&fake);
    let targets = inspector.targets().await.unwrap();
    assert_eq!(targets.runtime, "workerd");
    let found: Vec<_> = targets
        .list
        .iter()
        .map(|t| (t.isolate.name.as_str(), t.isolate.obstacle))
        .collect();
    assert_eq!(
        found,
        [
            ("geo-router", None),
            ("with blank", Some(Obstacle::Name)),
            ("checkout-api", None),
            ("a/b", Some(Obstacle::Name)),
        ]
    );
    let error = inspector
        .capture(&targets.list[1], Kind::Cpu, WINDOW, std::future::pending())
        .await
        .unwrap_err();
    wording.add(error.to_string());
    assert!(fake.log().is_empty(), "nothing was tried");
}

#[tokio::test]
async fn the_lists_own_host_is_not_followed() {
    // A list may name a host that only its runtime knows, or one that means harm.
    let list = (
        200,
        entries(&["checkout-api"]).replace("HOST", "203.0.113.7:1"),
    );
    let fake = Fake::start(Script {
        list,
        ..Script::default()
    })
    .await;
    super::capture(&fake, Kind::Cpu).await.unwrap();
    assert_eq!(fake.log()[0], "attach /checkout-api");
}

#[tokio::test]
async fn what_is_no_inspector_is_reported() {
    for (status, body) in [
        (200, "<html>"),
        (200, r#"{"id":1}"#),
        (404, ""),
        (500, "x"),
        (307, ""),
    ] {
        let error = refused(status, body).await;
        assert!(
            matches!(error, InspectorError::NotAnInspector { .. }),
            "{status} {body}: {error:?}"
        );
        if status != 200 {
            assert!(error.to_string().contains(&status.to_string()), "{error}");
        }
    }
    let large = format!("[{}]", " ".repeat(5 << 20));
    assert!(matches!(
        refused(200, &large).await,
        InspectorError::TooLarge { .. }
    ));
    let fake = Fake::start(Script {
        list: (200, "[]".to_owned()),
        ..Script::default()
    })
    .await;
    assert!(inspector(&fake).targets().await.unwrap().list.is_empty());
}

#[tokio::test]
async fn silence_and_closed_ports_are_distinguished() {
    let mut wording = wording!();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::parse(&listener.local_addr().unwrap().to_string(), false).unwrap();
    let settings = Settings {
        connect_timeout: Duration::from_millis(200),
        ..Settings::default()
    };
    let silent = Inspector::new(address.clone(), settings.clone())
        .targets()
        .await
        .unwrap_err();
    assert!(
        matches!(silent, InspectorError::TimedOut { .. }),
        "{silent:?}"
    );
    drop(listener);
    let closed = Inspector::new(address, settings)
        .targets()
        .await
        .unwrap_err();
    assert!(
        matches!(closed, InspectorError::NoAnswer { .. }),
        "{closed:?}"
    );
    wording.add(closed.hint().unwrap());
}
