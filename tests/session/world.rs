//! The account of the tests: 64 Workers, the versions, objects and captures of those that are looked at.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use flarescope::app::{NamespaceDetails, Nearby, Opened, WorkerDetails};
use flarescope::model::cloudflare::local_runtime::{Isolate, Obstacle, Runtime};
use flarescope::model::cloudflare::{
    Account, Capture, Keeping, Kind, Metrics, Namespace, Object, Origin, Provenance, Target,
    Version, Worker,
};
use flarescope::model::insights::summary::summarise;

use super::ago;

/// How many Workers there are.
pub(crate) const COUNT: u64 = 64;
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Name, requests a second, median and 99th percentile of CPU in milliseconds.
const BUSY: [(&str, f64, f64, f64); 8] = [
    ("checkout-api", 412.0, 7.1, 48.1),
    ("chat-rooms", 96.0, 9.4, 61.0),
    ("monolith", 38.0, 21.0, 140.2),
    ("geo-router", 1_240.0, 0.4, 2.9),
    ("edge-metrics", 210.0, 1.2, 8.8),
    ("checkout-webhooks", 37.0, 0.8, 2.2),
    ("deep-parser", 4.2, 6.0, 31.5),
    ("status-page", 0.3, 0.5, 0.9),
];

/// How many accounts the token can see.
pub(crate) const ACCOUNTS: u64 = 45;

/// The accounts, the one in force among them.
pub(crate) fn accounts() -> Vec<Account> {
    let others = (2..=ACCOUNTS).map(|n| Account {
        id: format!("{:032x}", n * 0x9e37),
        name: format!("acme-unit-{n:02}"),
    });
    let here = Account {
        id: "4c1de0a55f0f4ef6a3c9d1b2e3f40516".to_owned(),
        name: "acme-prod".to_owned(),
    };
    std::iter::once(here).chain(others).collect()
}

/// The id of a version of `checkout-api`: the one that serves 90%, the one that serves 10%, the undeployed one.
pub(crate) const SERVING: &str = "7c1f2a9e-3b07-4d55-9a51-0c8f6a1e2b3c";
pub(crate) const OLD: &str = "51d0b7aa-9c1e-4f02-8a63-5d7e9b0c1f24";
pub(crate) const LATEST: &str = "9e77c0d1-62aa-4c3b-b0f5-81d2e3a4c5b6";

/// The rows of the list, in the order of the API: as created.
pub(crate) fn workers() -> Vec<Worker> {
    let quiet = (BUSY.len() as u64..COUNT).map(|n| {
        format!(
            "{}-{n:02}",
            ["cron", "hooks", "mail", "img"][n as usize % 4]
        )
    });
    let names = BUSY
        .iter()
        .map(|(name, ..)| (*name).to_owned())
        .chain(quiet);
    names
        .enumerate()
        .map(|(at, name)| Worker {
            id: format!("{:032x}", at + 1),
            // The last one was uploaded and never deployed.
            deployed_on: (at as u64 + 1 < COUNT).then(|| ago(2 * HOUR + at as u64 * DAY)),
            name,
            metrics: None,
        })
        .collect()
}

/// A local runtime with three Workers, one of which can't be profiled.
pub(crate) fn runtime() -> Runtime {
    let isolate = |name: &str, obstacle| Isolate {
        id: name.to_owned(),
        name: name.to_owned(),
        is_titled: false,
        kind: "workerd worker".to_owned(),
        obstacle,
    };
    let isolates = vec![
        isolate("checkout-api", None),
        isolate("chat-rooms", None),
        isolate("with blank", Some(Obstacle::Name)),
    ];
    Runtime {
        name: "workerd".to_owned(),
        isolates,
    }
}

/// The same runtime, found by chance.
pub(crate) fn nearby() -> Nearby {
    Nearby {
        address: "127.0.0.1:9229".to_owned(),
        runtime: runtime(),
    }
}

/// Traffic by name.
pub(crate) fn metrics() -> HashMap<String, Metrics> {
    let of = |(name, rate, p50, p99): &(&str, f64, f64, f64)| {
        let metrics = Metrics {
            requests_per_second: *rate,
            cpu_p50_us: p50 * 1_000.0,
            cpu_p99_us: p99 * 1_000.0,
            errors_per_second: if *name == "geo-router" {
                31.0
            } else {
                rate * 0.002
            },
            memory_p99: Some(if *name == "chat-rooms" {
                117e6
            } else {
                24e6 + p99 * 1e5
            }),
            exceeded: if *name == "chat-rooms" { 1_204 } else { 0 },
        };
        ((*name).to_owned(), metrics)
    };
    BUSY.iter().map(of).collect()
}

/// Versions and objects of a Worker.
pub(crate) fn details(worker: &str) -> WorkerDetails {
    if worker != "checkout-api" {
        let id = format!(
            "{:08x}-0000-4000-8000-000000000001",
            worker.len() * 0x0101_0101
        );
        return WorkerDetails::new(
            vec![version(&id, 7, 100.0, DAY, "weekly release")],
            Vec::new(),
            Vec::new(),
        );
    }
    let versions = vec![
        version(LATEST, 129, 0.0, 4 * MINUTE, "try the new parser"),
        version(SERVING, 128, 90.0, 2 * HOUR, "retry payment on 409"),
        version(OLD, 127, 10.0, 3 * DAY, "baseline"),
        version(
            "0b5e11f2-aaaa-4bbb-8ccc-000000000126",
            126,
            0.0,
            9 * DAY,
            "coupons",
        ),
    ];
    WorkerDetails::new(versions, vec![carts()], Vec::new())
}

fn version(id: &str, number: u64, percentage: f64, age: u64, message: &str) -> Version {
    Version {
        id: id.to_owned(),
        number,
        created_on: ago(age),
        author: Some("dana@acme.example".to_owned()),
        message: Some(message.to_owned()),
        tag: None,
        source: Some("wrangler".to_owned()),
        triggered_by: None,
        percentage,
        metrics: None,
    }
}

fn carts() -> NamespaceDetails {
    let object = |number: u64, cpu: f64, pinned: &str| Object {
        id: format!("{number:064x}"),
        name: Some(format!("cart:{number}")),
        has_stored_data: Some(true),
        cpu_seconds: Some(cpu),
        memory_p99: None,
        version_id: Some(pinned.to_owned()),
    };
    NamespaceDetails {
        namespace: Namespace {
            id: format!("{:032x}", 0xca27),
            name: "checkout-api_Cart".to_owned(),
            script: Some("checkout-api".to_owned()),
            class: Some("Cart".to_owned()),
        },
        busiest: vec![
            object(8812, 41.0, OLD),
            object(17, 33.0, SERVING),
            object(4_001, 26.0, SERVING),
        ],
        largest: None,
    }
}

/// The captures on disk: three of today, one of yesterday, one that was never read.
pub(crate) fn captures() -> Vec<Capture> {
    let mut all = vec![
        capture(
            "checkout-api.cpu",
            "checkout-api",
            Kind::Cpu,
            SERVING,
            12 * MINUTE,
        ),
        capture(
            "checkout-api.heap",
            "checkout-api",
            Kind::Heap,
            SERVING,
            25 * MINUTE,
        ),
        capture("geo-router.cpu", "geo-router", Kind::Cpu, OLD, HOUR),
        capture("no-traffic.cpu", "hooks-09", Kind::Cpu, OLD, 26 * HOUR),
        capture("monolith.cpu", "monolith", Kind::Cpu, LATEST, 27 * HOUR),
    ];
    for capture in &mut all[..4] {
        let file = capture
            .path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .replace(".pprof.gz", "");
        capture.summary = Some(summary(&file));
    }
    all
}

fn summary(recording: &str) -> flarescope::model::cloudflare::Summary {
    let opened = super::opened(&format!("recordings/{recording}.pprof.gz"), "any", None);
    summarise(&opened.source.profile, &opened.reading)
}

fn capture(recording: &str, worker: &str, kind: Kind, version: &str, age: u64) -> Capture {
    let window = Duration::from_secs(10);
    Capture {
        sha256: format!("{:0<64x}", recording.len() * 0x1234_5678),
        path: PathBuf::from(format!("/cache/captures/{recording}.pprof.gz")),
        bytes: 4_096,
        provenance: Provenance {
            target: Target {
                worker: worker.to_owned(),
                version_id: Some(version.to_owned()),
                version_number: Some(match version {
                    OLD => 127,
                    LATEST => 129,
                    _ => 128,
                }),
                author: Some("dana@example.com".to_owned()),
                message: Some("retry payments".to_owned()),
                percentage: Some(90.0),
                metrics: None,
                object: None,
            },
            kind: Some(kind),
            window: Some(window),
            account_id: Some("4c1de0a55f0f4ef6a3c9d1b2e3f40516".to_owned()),
            account_name: Some("acme-prod".to_owned()),
            asked_at: ago(age) - window,
            answered_at: ago(age),
            origin: Origin::Demo,
        },
        summary: None,
        keeping: Keeping::default(),
    }
}

/// The capture that a recording stands for.
pub(crate) fn capture_of(recording: &str) -> Capture {
    let kind = if recording.ends_with("heap") {
        Kind::Heap
    } else {
        Kind::Cpu
    };
    let worker = recording.split('.').next().unwrap();
    capture(recording, worker, kind, SERVING, 5)
}

/// A recording of a Worker as the screen opens its capture.
pub(crate) fn opened_capture(recording: &str) -> Opened {
    let capture = capture_of(recording);
    let name = capture.target().worker.clone();
    super::opened(
        &format!("recordings/{recording}.pprof.gz"),
        &name,
        Some(capture),
    )
}

/// Objects of the class in three pages of thirty, every seventh without data. The busy ones are among them.
pub(crate) fn objects(cursor: Option<&str>) -> (Vec<Object>, Option<String>) {
    let page: u64 = cursor.map_or(0, |text| text.parse().unwrap());
    let rows = (page * 30..page * 30 + 30).map(|number| Object {
        id: format!("{number:064x}"),
        name: None,
        has_stored_data: Some(number % 7 != 3),
        cpu_seconds: None,
        memory_p99: None,
        version_id: None,
    });
    (rows.collect(), (page < 2).then(|| (page + 1).to_string()))
}
