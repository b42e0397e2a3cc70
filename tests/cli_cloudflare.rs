//! The commands that talk to Cloudflare, against the stand-in: what they print, and how they end.
#![cfg(feature = "demo")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const BIN: &str = env!("CARGO_BIN_EXE_flarescope");

/// A stand-in in a process of its own, and a folder for what the commands keep.
struct Place {
    server: Child,
    base_url: String,
    token: String,
    account: String,
    dir: tempfile::TempDir,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Place {
    fn new(options: &[&str]) -> Self {
        let mut server = Command::new(BIN)
            .args(["demo", "--serve", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["listening", "on", base_url, "token", token, "account", account] = words[..] else {
            unreachable!("the first line is {line:?}")
        };
        let (base_url, token, account) = (base_url.to_owned(), token.to_owned(), account.to_owned());
        Self { server, base_url, token, account, dir: tempfile::tempdir().unwrap() }
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BIN);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("CLOUDFLARE_API_BASE_URL", &self.base_url)
            .env("CLOUDFLARE_API_TOKEN", &self.token)
            .env("FLARESCOPE_CACHE_DIR", self.cache())
            .current_dir(self.dir.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn fast() -> Place {
    Place::new(&["--time-scale", "0.02"])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn names<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

#[test]
fn workers_come_from_all_pages_with_the_costly_ones_first() {
    let place = fast();
    let workers = place.json(&["list", "workers", "--json"]);
    let names = names(&workers, "name");
    assert_eq!((names.len(), names[0]), (64, "checkout-api"));
    for sample in ["r2-binding", "edge-metrics", "chat-rooms", "geo-router", "deep-parser", "status-page", "monolith"] {
        assert!(names.contains(&sample), "{sample}");
    }
    let first = &workers[0];
    assert!((first["requests_per_second"].as_f64().unwrap() - 412.0).abs() < 1.0, "{first}");
    assert!((first["cpu_p99_us"].as_f64().unwrap() - 48_100.0).abs() < 1.0, "{first}");
    assert!(first["id"].as_str().unwrap().len() == 32 && first["deployed_on"].is_string());
    let never: Vec<&Value> =
        workers.as_array().unwrap().iter().filter(|worker| worker["deployed_on"].is_null()).collect();
    assert_eq!((never.len(), never[0]["name"].as_str()), (1, Some("preview-docs")));
    assert!(never[0]["cpu_p99_us"].is_null());
    assert_eq!(place.json(&["list", "workers", "--json", "--limit", "3"]).as_array().unwrap().len(), 3);
    let table = text(&place.run(&["list", "workers"]).stdout);
    assert!(table.lines().nth(1).unwrap().starts_with("checkout-api"), "{table}");
}

#[test]
fn versions_tell_which_one_serves() {
    let place = fast();
    let versions = place.json(&["list", "versions", "--worker", "checkout-api", "--json"]);
    let shown: Vec<(u64, f64, &str)> = versions.as_array().unwrap()[..3]
        .iter()
        .map(|version| {
            let message = version["annotations"]["workers/message"].as_str().unwrap();
            (version["number"].as_u64().unwrap(), version["percentage"].as_f64().unwrap(), message)
        })
        .collect();
    let expected = [(129, 0.0, "uploaded, not deployed"), (128, 90.0, "retry payment on 409"), (127, 10.0, "baseline")];
    assert_eq!(shown, expected);
    assert_eq!(versions.as_array().unwrap().len(), 41);
}

#[test]
fn durable_objects_are_listed_with_the_busy_ones_first() {
    let place = fast();
    let namespaces = place.json(&["list", "namespaces", "--json"]);
    assert_eq!(names(&namespaces, "name"), ["checkout-api_Cart", "checkout-api_Session", "chat-rooms_ChatRoom"]);
    assert_eq!(place.json(&["list", "namespaces", "--worker", "chat-rooms", "--json"]).as_array().unwrap().len(), 1);
    let id = namespaces[0]["id"].as_str().unwrap();
    for namespace in ["Cart", "checkout-api_Cart", id] {
        let objects = place.json(&["list", "objects", "--namespace", namespace, "--limit", "30", "--json"]);
        assert_eq!((objects.as_array().unwrap().len(), objects[0]["name"].as_str()), (30, Some("cart:8812")));
        assert!(objects[0]["version_id"].as_str().unwrap().starts_with("7c1f2a9e"), "{}", objects[0]);
    }
    let all = place.json(&["list", "objects", "--namespace", "ChatRoom", "--limit", "5000", "--json"]);
    let mut ids = names(&all, "id");
    assert_eq!(ids.len(), 655);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 655, "no object twice");
}

#[test]
fn a_capture_lands_in_the_cache_and_is_described() {
    let place = fast();
    let copy = place.dir.path().join("x.pprof");
    let copy_text = copy.to_str().unwrap();
    let capture = place.json(&["capture", "--worker", "checkout-api", "--duration", "1s", "-o", copy_text, "--json"]);
    for (field, value) in [
        ("kind", Value::from("cpu")),
        ("duration_ms", Value::from(1000)),
        ("worker", Value::from("checkout-api")),
        ("percentage", Value::from(90.0)),
        ("namespace_id", Value::Null),
        ("object_id", Value::Null),
        ("samples", Value::from(3324)),
        ("warnings", Value::Array(vec![])),
    ] {
        assert_eq!(capture[field], value, "{field}");
    }
    assert_eq!(capture["sample_type"], serde_json::json!({ "type": "cpu", "unit": "nanoseconds" }));
    assert_eq!(capture["top"]["function"], "validateAddress");
    let kept = std::fs::read(capture["path"].as_str().unwrap()).unwrap();
    assert_eq!((kept.len() as u64, &kept), (capture["bytes"].as_u64().unwrap(), &std::fs::read(&copy).unwrap()));
    assert!(Path::new(capture["path"].as_str().unwrap()).starts_with(place.cache()));
    let listed = place.json(&["list", "captures", "--json"]);
    assert_eq!((&listed[0]["sha256"], &listed[0]["samples"]), (&capture["sha256"], &capture["samples"]));
}

#[test]
fn a_capture_prints_its_path_or_streams_its_bytes() {
    let place = fast();
    let base = ["capture", "--worker", "geo-router", "--duration", "1s", "--type", "heap"];
    let printed = text(&place.run(&base).stdout);
    let kept = std::fs::read(printed.trim_end()).unwrap();
    let streamed = place.run(&[&base[..], &["-o", "-"]].concat());
    assert_eq!((streamed.status.code(), streamed.stdout), (Some(0), kept));
    let paths = text(&place.run(&["cache", "list"]).stdout);
    assert_eq!(paths.lines().count(), 2);
    assert_eq!(text(&place.run(&["cache", "path"]).stdout).trim_end(), place.cache().to_str().unwrap());
    assert!(place.run(&["cache", "clear"]).status.success());
    assert_eq!(place.json(&["list", "captures", "--json"]), serde_json::json!([]));
}

#[test]
fn an_object_is_captured_by_name_and_by_id_on_the_version_it_runs() {
    let place = fast();
    let base = ["capture", "--worker", "checkout-api", "--duration", "1s", "--namespace", "Cart", "--json", "--object"];
    let by_name = place.json(&[&base[..], &["cart:10313"]].concat());
    assert!(by_name["version_id"].as_str().unwrap().starts_with("51d0b7aa"), "the pinned one: {by_name}");
    let id = by_name["object_id"].as_str().unwrap();
    let by_id = place.json(&[&base[..], &[id]].concat());
    assert_eq!((&by_id["object_id"], &by_id["version_id"]), (&by_name["object_id"], &by_name["version_id"]));

    let short = place.run(&[&base[..], &[&id[1..]]].concat());
    assert_eq!(short.status.code(), Some(2));
    assert!(text(&short.stderr).contains("64 hexadecimal digits"), "{}", text(&short.stderr));
    let unknown = place.run(&[&base[..], &["cart:nobody"]].concat());
    assert_eq!(unknown.status.code(), Some(1));
    let foreign = ["capture", "--worker", "geo-router", "--namespace", "checkout-api_Cart", "--object", id];
    let foreign = place.run(&foreign);
    assert_eq!(foreign.status.code(), Some(2));
    assert!(text(&foreign.stderr).contains("belongs to the Worker checkout-api"), "{}", text(&foreign.stderr));
}

#[test]
fn refusals_are_told_in_words_and_in_json() {
    let place = fast();
    for (arguments, exit, code, words) in [
        (
            &["capture", "--worker", "cron-reports", "--duration", "1s", "--json"][..],
            1,
            Value::from(10_393),
            "no traffic",
        ),
        (&["capture", "--worker", "preview-docs", "--json"], 1, Value::Null, "never deployed"),
        (&["capture", "--worker", "nope", "--json"], 1, Value::from(10_007), "no such Worker"),
        (
            &["capture", "--worker", "checkout-api", "--version", "00000000", "--json"],
            1,
            Value::Null,
            "no version 00000000",
        ),
        (&["capture", "--worker", "checkout-api", "--version", "v128", "--json"], 2, Value::Null, "first 8 digits"),
        (&["capture", "--worker", "checkout-api", "--duration", "51s", "--json"], 2, Value::Null, "1 s to 50 s"),
        (&["capture", "--worker", "checkout-api", "-o", "-", "--json"], 2, Value::Null, "standard output"),
        (&["list", "versions", "--json"], 2, Value::Null, "--worker NAME"),
        (&["list", "objects", "--namespace", "Nope", "--json"], 1, Value::Null, "no Durable Object namespace"),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {}", text(&output.stderr));
        let error = serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"].clone();
        assert_eq!(error["code"], code, "{error}");
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        assert!(text(&output.stderr).contains(words));
        assert_eq!(error.as_object().unwrap().len(), 4);
    }
}

#[test]
fn an_undeployed_version_is_warned_of_before_it_is_tried() {
    let place = fast();
    let output = place.run(&["capture", "--worker", "checkout-api", "--version", "latest", "--duration", "1s"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("9e77c0d1 serves 0 %") && stderr.contains("--version deployed"), "{stderr}");
}

#[test]
fn a_missing_or_wrong_token_is_told_and_never_shown() {
    let place = fast();
    let output = place.command(&["list", "workers"]).env_remove("CLOUDFLARE_API_TOKEN").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("CLOUDFLARE_API_TOKEN"));
    let secret = "cfut_wrong-but-secret";
    for token in [secret.to_owned(), format!(" {secret}\r\n")] {
        let output =
            place.command(&["list", "workers", "--json"]).env("CLOUDFLARE_API_TOKEN", &token).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains("refused the API token") && !all.contains(secret), "{all}");
    }
    let broken = format!("{secret}\u{201d}");
    let output = place.command(&["list", "workers"]).env("CLOUDFLARE_API_TOKEN", broken).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains(secret), "{}", text(&output.stderr));

    let file = place.dir.path().join("token");
    std::fs::write(&file, format!("{}\n", place.token)).unwrap();
    let arguments = ["list", "accounts", "--json", "--token-file", file.to_str().unwrap()];
    let output = place.command(&arguments).env("CLOUDFLARE_API_TOKEN", secret).output().unwrap();
    assert!(output.status.success(), "a file goes before the variable: {}", text(&output.stderr));
}

#[test]
fn another_account_is_refused_by_name() {
    let place = fast();
    let other = "0".repeat(32);
    let output = place.run(&["list", "workers", "--account", &other]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains(&format!("on account {other}")), "{}", text(&output.stderr));
    assert_eq!(place.run(&["list", "workers", "--account", "acme"]).status.code(), Some(2));
    assert!(place.run(&["list", "workers", "--account", &place.account]).status.success());
}

#[test]
fn without_a_cache_a_capture_warns_once_and_still_arrives() {
    let place = fast();
    std::fs::write(place.cache(), "in the way").unwrap();
    let capture = place.json(&["capture", "--worker", "checkout-api", "--duration", "1s", "--json"]);
    let warnings = capture["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{capture}");
    assert!(warnings[0].as_str().unwrap().contains("not in the cache"));
    let path = PathBuf::from(capture["path"].as_str().unwrap());
    assert_eq!(std::fs::read(&path).unwrap().len() as u64, capture["bytes"].as_u64().unwrap());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn an_output_that_cannot_be_written_loses_nothing() {
    let place = fast();
    let output =
        place.run(&["capture", "--worker", "checkout-api", "--duration", "1s", "-o", "missing/folder/x.pprof"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    let kept = stderr.lines().find_map(|line| line.split("the capture is at ").nth(1)).unwrap();
    assert!(Path::new(kept).is_file(), "{stderr}");
}

/// A server that knows one Worker and takes its time for a capture.
#[cfg(unix)]
async fn slow_capture() -> wiremock::MockServer {
    use wiremock::matchers::{method, path_regex};
    let server = wiremock::MockServer::start().await;
    let success = |result: Value| {
        let body = serde_json::json!({ "success": true, "result": result });
        wiremock::ResponseTemplate::new(200).set_body_json(body)
    };
    let versions = serde_json::json!([{ "id": "v1", "number": 1, "created_on": "2026-10-09T11:57:58Z" }]);
    let deployments =
        serde_json::json!({ "deployments": [{ "versions": [{ "version_id": "v1", "percentage": 100 }] }] });
    for (at, result) in [
        ("/workers/workers/slow$", serde_json::json!({ "id": "id", "name": "slow" })),
        ("/workers/id/versions$", versions),
        ("/scripts/slow/deployments$", deployments),
    ] {
        let mock = wiremock::Mock::given(method("GET")).and(path_regex(at)).respond_with(success(result));
        mock.mount(&server).await;
    }
    let never = success(Value::Null).set_delay(Duration::from_secs(60));
    wiremock::Mock::given(method("POST")).respond_with(never).mount(&server).await;
    server
}

#[tokio::test]
#[cfg(unix)]
async fn signals_end_a_capture_with_their_own_code() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let server = slow_capture().await;
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(BIN)
            .args(["capture", "--worker", "slow", "--duration", "30s"])
            .env("CLOUDFLARE_API_BASE_URL", server.uri())
            .env("CLOUDFLARE_API_TOKEN", "x")
            .env("CLOUDFLARE_ACCOUNT_ID", "0".repeat(32))
            .env("FLARESCOPE_CACHE_DIR", dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while !server.received_requests().await.unwrap().iter().any(|request| request.method == "POST") {
            assert!(Instant::now() < deadline, "it never captures");
            tokio::task::yield_now().await;
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(!dir.path().join("profiles").exists(), "nothing was kept");
    }
}

#[tokio::test]
async fn too_many_captures_are_refused_with_a_time_to_wait() {
    use flarescope::api::{Client, Settings};
    use flarescope::model::target::{CaptureRequest, Kind};
    let place = Place::new(&["--time-scale", "0.2"]);
    let mut settings = Settings::new(&place.base_url, flarescope::model::secret::Secret::new(&place.token).unwrap());
    settings.account = Some(place.account.clone());
    let client = Client::new(settings).unwrap();
    let request = CaptureRequest {
        worker: "storefront".to_owned(),
        version: client.deployments("storefront").await.unwrap()[0].versions[0].0.clone(),
        kind: Kind::Cpu,
        window: Duration::from_secs(1),
        object: None,
    };
    let all = futures_util::future::join_all((0..25).map(|_| client.capture(&request))).await;
    let refused: Vec<_> = all.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.len(), 5);
    for error in refused {
        assert_eq!((error.status(), error.code()), (Some(429), Some(971)));
        assert!(error.retry_after().is_some_and(|wait| wait > Duration::ZERO && wait <= Duration::from_secs(13)));
    }
}
