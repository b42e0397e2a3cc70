//! Other people's clients against the demo server: Cloudflare's own library for JavaScript, and wrangler.
//!
//! They come from npm into the build folder.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::demo_server::{Place, names, text};
use crate::tools;

/// The library's version that the demo server is measured by.
const LIBRARY: &str = "cloudflare@7.3.0";
/// The major version of wrangler that is taken.
const WRANGLER: &str = "wrangler@4";

/// The folder that a package is installed into.
fn folder(package: &str) -> String {
    package.replace('@', "-")
}

/// Returns what is missing of Cloudflare's library.
pub(crate) fn lacks_library() -> Option<String> {
    tools::lacks_program("node").or_else(|| tools::lacks_packages(&folder(LIBRARY), &[LIBRARY]))
}

/// Returns what is missing of wrangler.
pub(crate) fn lacks_wrangler() -> Option<String> {
    tools::lacks_program("node").or_else(|| tools::lacks_packages(&folder(WRANGLER), &[WRANGLER]))
}

pub(crate) fn cloudflares_own_library_finds_everything_and_understands_each_refusal() {
    let dir = tools::install(&folder(LIBRARY), &[LIBRARY]);
    std::fs::write(dir.join("client.mjs"), include_str!("client.mjs")).unwrap();
    let place = Place::new(&["--time-scale", "0.02"]);
    let output = Command::new("node")
        .arg("client.mjs")
        .current_dir(&dir)
        .env("BASE_URL", &place.base_url)
        .env("TOKEN", &place.token)
        .env("ACCOUNT", &place.account)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "not one complaint");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();

    assert_eq!(names(&found["accounts"], "name"), ["acme-prod"]);
    assert_eq!(
        (&found["token"], &found["account_token"]),
        (&Value::from("active"), &Value::from("active"))
    );
    let workers: BTreeSet<&str> = names(&found["workers"], "name").into_iter().collect();
    assert_eq!(workers.len(), 64);
    assert_eq!(
        (&found["scripts"], &found["script_versions"]),
        (&Value::from(64), &Value::from(41))
    );
    assert_eq!(found["versions"].as_array().unwrap().len(), 41);
    assert_eq!(found["latest"]["number"], 129);
    let shares: Vec<&Value> = found["deployments"][0]["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| &v["percentage"])
        .collect();
    assert_eq!(shares, [90, 10]);
    assert_eq!(found["namespaces"].as_array().unwrap().len(), 4);
    let objects = found["objects"].as_array().unwrap();
    assert_eq!(
        (
            objects.len(),
            objects
                .iter()
                .map(Value::to_string)
                .collect::<BTreeSet<_>>()
                .len()
        ),
        (655, 655)
    );
    // What the library's types say is always there.
    let always = [
        "id",
        "created_on",
        "logpush",
        "name",
        "observability",
        "references",
        "subdomain",
        "tags",
        "tail_consumers",
        "updated_on",
    ];
    for worker in found["workers"].as_array().unwrap() {
        for field in always {
            assert!(!worker[field].is_null(), "{field} of {worker}");
        }
    }

    assert_eq!(found["media_type"], "application/vnd.google.protobuf");
    let recording: &[u8] = include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");
    let mut profile = Vec::new();
    flate2::read::GzDecoder::new(recording)
        .read_to_end(&mut profile)
        .unwrap();
    let hex: String = profile.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(found["profile"], hex);

    for (call, status, code) in [
        ("undeployed", 404, 10_393),
        ("too_short", 400, 10_001),
        ("unpaired", 400, 10_001),
        ("no_worker", 404, 10_007),
        ("bad_page", 400, 10_001),
        ("wrong_token", 401, 10_000),
    ] {
        assert_eq!(
            found[call],
            serde_json::json!({ "status": status, "code": code }),
            "{call}"
        );
    }
}

fn wrangler(dir: &Path, place: &Place, arguments: &[&str]) -> Output {
    Command::new(dir.join("node_modules/.bin/wrangler"))
        .args(arguments)
        .current_dir(place.dir.path())
        .env("HOME", place.dir.path())
        .env("CI", "1")
        .env("NO_COLOR", "1")
        .env("WRANGLER_SEND_METRICS", "false")
        .env("CLOUDFLARE_API_BASE_URL", &place.base_url)
        .env("CLOUDFLARE_API_TOKEN", &place.token)
        .output()
        .unwrap()
}

pub(crate) fn wrangler_reads_the_account_its_versions_and_deployments() {
    let dir = tools::install(&folder(WRANGLER), &[WRANGLER]);
    let place = Place::new(&[]);
    for (arguments, words) in [
        (&["whoami"][..], &["dana@acme.example", "acme-prod"][..]),
        (
            &["versions", "list", "--name", "checkout-api"],
            &["7c1f2a9e", "retry payment on 409", "ben@acme.example"],
        ),
        (
            &[
                "versions",
                "view",
                "7c1f2a9e-8d04-4b6a-b1c7-25e93f60a4d8",
                "--name",
                "checkout-api",
            ],
            &["env.CART (Cart)", "fetch"],
        ),
        (
            &["deployments", "list", "--name", "checkout-api"],
            &["(90%) 7c1f2a9e", "(10%) 51d0b7aa", "baseline"],
        ),
        (
            &["deployments", "status", "--name", "checkout-api"],
            &["(90%) 7c1f2a9e", "(10%) 51d0b7aa"],
        ),
    ] {
        let output = wrangler(&dir, &place, arguments);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(
            output.status.success() && !said.contains("ERROR"),
            "{arguments:?}: {said}"
        );
        for word in words {
            assert!(said.contains(word), "{arguments:?} lacks {word}: {said}");
        }
    }
    let output = wrangler(&dir, &place, &["versions", "list", "--name", "nobody"]);
    assert!(!output.status.success());
    assert!((text(&output.stdout) + &text(&output.stderr)).contains("[code: 10007]"));
}
