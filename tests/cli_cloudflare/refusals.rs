//! How the commands end when something goes wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{BIN, Place, fast, text};
use crate::wording::wording;

#[test]
fn refusals_are_reported_in_words_and_in_json() {
    let mut wording = wording!();
    let place = fast();
    for (arguments, exit, code) in [
        (
            &[
                "capture",
                "--worker",
                "cron-reports",
                "--duration",
                "1s",
                "--json",
            ][..],
            1,
            Value::from(10_393),
        ),
        (
            &["capture", "--worker", "preview-docs", "--json"],
            1,
            Value::Null,
        ),
        (
            &["capture", "--worker", "nope", "--json"],
            1,
            Value::from(10_007),
        ),
        (
            &[
                "capture",
                "--worker",
                "checkout-api",
                "--version",
                "00000000",
                "--json",
            ],
            1,
            Value::Null,
        ),
        (
            &[
                "capture",
                "--worker",
                "checkout-api",
                "--version",
                "v128",
                "--json",
            ],
            2,
            Value::Null,
        ),
        (
            &[
                "capture",
                "--worker",
                "checkout-api",
                "--duration",
                "51s",
                "--json",
            ],
            2,
            Value::Null,
        ),
        (
            &["capture", "--worker", "checkout-api", "-o", "-", "--json"],
            2,
            Value::Null,
        ),
        (
            &["capture", "--worker", "chekout-api", "--json"],
            1,
            Value::from(10_007),
        ),
        (
            &[
                "capture",
                "--worker",
                "checkout-api",
                "--duration",
                "60s",
                "--json",
            ],
            2,
            Value::Null,
        ),
        (&["list", "versions", "--json"], 2, Value::Null),
        (
            &["list", "workers", "--worker", "x", "--json"],
            2,
            Value::Null,
        ),
        (
            &[
                "list",
                "versions",
                "--worker",
                "x",
                "--namespace",
                "y",
                "--json",
            ],
            2,
            Value::Null,
        ),
        (
            &["list", "objects", "--namespace", "Nope", "--json"],
            1,
            Value::Null,
        ),
    ] {
        let output = place.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(exit),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        let error = serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"].clone();
        assert_eq!(error["code"], code, "{error}");
        let told = text(&output.stderr);
        assert!(
            told.contains(error["message"].as_str().unwrap()),
            "{error}\n{told}"
        );
        wording.case(arguments.join(" "), told);
        assert_eq!(error.as_object().unwrap().len(), 4);
    }
}

#[test]
fn an_undeployed_version_is_warned_of_before_it_is_tried() {
    let mut wording = wording!();
    let place = fast();
    let output = place.run(&[
        "capture",
        "--worker",
        "checkout-api",
        "--version",
        "latest",
        "--duration",
        "1s",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    wording.add(stderr);
}

#[test]
fn a_missing_or_wrong_token_is_reported_and_never_shown() {
    let mut wording = wording!();
    let place = fast();
    let output = place
        .command(&["list", "workers"])
        .env_remove("CLOUDFLARE_API_TOKEN")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("CLOUDFLARE_API_TOKEN"));
    let secret = "cfut_wrong-but-secret";
    for token in [secret.to_owned(), format!(" {secret}\r\n")] {
        let output = place
            .command(&["list", "workers", "--json"])
            .env("CLOUDFLARE_API_TOKEN", &token)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let all = text(&output.stdout) + &text(&output.stderr);
        wording.add(&all);
        assert!(!all.contains(secret), "{all}");
    }
    let broken = format!("{secret}\u{201d}");
    let output = place
        .command(&["list", "workers"])
        .env("CLOUDFLARE_API_TOKEN", broken)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        !text(&output.stderr).contains(secret),
        "{}",
        text(&output.stderr)
    );

    let file = place.dir.path().join("token");
    std::fs::write(&file, format!("{}\n", place.token)).unwrap();
    let arguments = [
        "list",
        "accounts",
        "--json",
        "--token-file",
        file.to_str().unwrap(),
    ];
    let output = place
        .command(&arguments)
        .env("CLOUDFLARE_API_TOKEN", secret)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "a file goes before the variable: {}",
        text(&output.stderr)
    );
}

#[test]
fn another_account_is_refused_by_name() {
    let mut wording = wording!();
    let place = fast();
    let other = "0".repeat(32);
    let output = place.run(&["list", "workers", "--account", &other]);
    assert_eq!(output.status.code(), Some(1));
    wording.add(text(&output.stderr));
    assert_eq!(
        place
            .run(&["list", "workers", "--account", "acme"])
            .status
            .code(),
        Some(2)
    );
    assert!(
        place
            .run(&["list", "workers", "--account", &place.account])
            .status
            .success()
    );
}

#[test]
fn without_a_cache_a_capture_warns_once_and_still_arrives() {
    let mut wording = wording!();
    let place = fast();
    std::fs::write(place.cache(), "in the way").unwrap();
    let capture = place.json(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ]);
    let warnings = capture["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{capture}");
    wording.add(warnings[0].as_str().unwrap());
    let path = PathBuf::from(capture["path"].as_str().unwrap());
    assert_eq!(
        std::fs::read(&path).unwrap().len() as u64,
        capture["bytes"].as_u64().unwrap()
    );
    let rescued = |place: &crate::Place| {
        let output = place.run(&["doctor", "--json"]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = told["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["name"] == "rescued")
    };
    let check = rescued(&place).unwrap();
    assert_eq!(check["status"], "warning");
    let folder = path.parent().unwrap().to_str().unwrap();
    assert!(
        check["message"].as_str().unwrap().contains(folder),
        "{check}"
    );
    wording.add(
        check["hint"]
            .as_str()
            .unwrap()
            .replace(place.dir.path().to_str().unwrap(), "~"),
    );
    std::fs::remove_file(place.cache()).unwrap();
    place.run(&["cache", "import", path.to_str().unwrap()]);
    assert_eq!(rescued(&place), None);
}

fn capture_to(place: &crate::Place, path: &str) -> std::process::Output {
    let words = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "-o",
    ];
    place.run(&[&words[..], &[path]].concat())
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_fails_after_the_call_loses_nothing() {
    let place = fast();
    let output = capture_to(&place, "/dev/full");
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    let kept = stderr
        .lines()
        .find_map(|line| Some(&line[line.find(place.cache().to_str().unwrap())?..]))
        .unwrap();
    assert!(Path::new(kept).is_file(), "{stderr}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_cannot_be_written_is_refused_before_the_call() {
    let place = fast();
    std::fs::write(place.dir.path().join("file"), "").unwrap();
    std::os::unix::fs::symlink("nowhere/at/all", place.dir.path().join("link")).unwrap();
    for (path, why) in [
        (".", "is a folder"),
        ("new/", "is a folder"),
        ("/dev/null/x.pprof", "one of its folders is a file"),
        ("file/deeper/x.pprof", "one of its folders is a file"),
        ("/proc/x.pprof", "/proc/x.pprof"),
        ("/proc/new/x.pprof", "/proc/new/x.pprof"),
    ] {
        let output = capture_to(&place, path);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{path}: {stderr}");
        assert!(stderr.contains(why), "{path}: {stderr}");
        assert!(!place.cache().exists(), "{path}: something was captured");
    }
    // Folders that are missing are made, but not before there is something to write.
    let output = capture_to(&place, "new/folder/x.pprof");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(place.dir.path().join("new/folder/x.pprof").is_file());
}

/// A server that knows one Worker and answers its captures so.
#[cfg(unix)]
async fn capturing(answer: wiremock::ResponseTemplate) -> wiremock::MockServer {
    use wiremock::matchers::{method, path_regex};
    let server = wiremock::MockServer::start().await;
    let versions =
        serde_json::json!([{ "id": "v1", "number": 1, "created_on": "2026-10-09T11:57:58Z" }]);
    let deployments = serde_json::json!({ "deployments": [{ "versions": [{ "version_id": "v1", "percentage": 100 }] }] });
    for (at, result) in [
        (
            "/workers/workers/slow$",
            serde_json::json!({ "id": "id", "name": "slow" }),
        ),
        ("/workers/id/versions$", versions),
        ("/scripts/slow/deployments$", deployments),
    ] {
        let mock = wiremock::Mock::given(method("GET"))
            .and(path_regex(at))
            .respond_with(success(result));
        mock.mount(&server).await;
    }
    wiremock::Mock::given(method("POST"))
        .respond_with(answer)
        .mount(&server)
        .await;
    server
}

#[cfg(unix)]
fn success(result: Value) -> wiremock::ResponseTemplate {
    let body = serde_json::json!({ "success": true, "result": result });
    wiremock::ResponseTemplate::new(200).set_body_json(body)
}

/// A server that knows one Worker and takes its time for a capture.
#[cfg(unix)]
async fn slow_capture() -> wiremock::MockServer {
    capturing(success(Value::Null).set_delay(Duration::from_secs(60))).await
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(unix)]
async fn a_profile_that_can_not_be_read_is_kept_reported_and_a_failure() {
    let mut wording = wording!();
    let whole = include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");
    let cut = whole.get(..whole.len() / 2).unwrap().to_vec();
    let answer =
        wiremock::ResponseTemplate::new(200).set_body_raw(cut.clone(), "application/octet-stream");
    let server = capturing(answer).await;
    for (more, captures) in [(&[][..], 1), (&["--json"], 1), (&["--count", "2"], 2)] {
        let dir = tempfile::tempdir().unwrap();
        let output = Command::new(BIN)
            .args(["capture", "--worker", "slow", "--duration", "1s"])
            .args(more)
            .env("CLOUDFLARE_API_BASE_URL", server.uri())
            .env("CLOUDFLARE_API_TOKEN", "x")
            .env("CLOUDFLARE_ACCOUNT_ID", "0".repeat(32))
            .env("FLARESCOPE_CACHE_DIR", dir.path())
            .output()
            .unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{more:?}: {stdout}{stderr}");
        wording.case(format!("{more:?}"), &stderr);
        let paths: Vec<String> = if more == ["--json"] {
            let told: Value = serde_json::from_str(&stdout).unwrap();
            vec![told["path"].as_str().unwrap().to_owned()]
        } else {
            stdout.lines().map(str::to_owned).collect()
        };
        assert_eq!(paths.len(), captures, "{stdout}");
        for path in paths {
            assert_eq!(std::fs::read(path).unwrap(), cut);
        }
    }
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
        while !server
            .received_requests()
            .await
            .unwrap()
            .iter()
            .any(|request| request.method == "POST")
        {
            assert!(Instant::now() < deadline, "it never captures");
            tokio::task::yield_now().await;
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let kept = std::fs::read_dir(dir.path().join("profiles")).unwrap();
        assert_eq!(kept.count(), 0, "nothing was kept");
    }
}

#[tokio::test]
async fn too_many_captures_are_refused_with_a_time_to_wait() {
    use flarescope::api::{Client, Settings};
    use flarescope::model::cloudflare::{CaptureRequest, Kind, Target};
    let place = Place::new(&["--time-scale", "0.2"]);
    let mut settings = Settings::new(
        &place.base_url,
        flarescope::model::text::secret::Secret::new(&place.token).unwrap(),
    );
    settings.account = Some(place.account.clone());
    let client = Client::new(settings).unwrap();
    let request = CaptureRequest {
        target: Target {
            worker: "storefront".to_owned(),
            version_id: Some(
                client.deployments("storefront").await.unwrap()[0].versions[0]
                    .0
                    .clone(),
            ),
            ..Target::default()
        },
        kind: Kind::Cpu,
        window: Duration::from_secs(1),
        find_object: None,
    };
    let all = futures_util::future::join_all((0..25).map(|_| client.capture(&request))).await;
    let refused: Vec<_> = all.into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.len(), 5);
    for error in refused {
        assert_eq!((error.status(), error.code()), (Some(429), Some(971)));
        assert!(
            error
                .retry_after()
                .is_some_and(|wait| wait > Duration::ZERO && wait <= Duration::from_secs(13))
        );
    }
}

#[test]
fn every_fault_of_a_capture_is_reported_with_a_next_step() {
    let mut wording = wording!();
    for fault in [
        "401",
        "403",
        "429",
        "500",
        "html",
        "json-200",
        "svg-200",
        "empty",
        "cut",
        "reset",
        "redirect",
        "no-traffic",
        "no-isolate",
        "unavailable",
        "unsupported",
        "not-started",
    ] {
        let place = Place::new(&[
            "--time-scale",
            "0.02",
            "--faults",
            &format!("{fault}@capture"),
        ]);
        let output = place.run(&["capture", "--worker", "checkout-api", "--duration", "1s"]);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{fault}: {}",
            text(&output.stderr)
        );
        wording.case(fault, text(&output.stderr));
        let kept = std::fs::read_dir(place.cache().join("profiles")).unwrap();
        assert_eq!(kept.count(), 0, "{fault}: something was kept");
    }
}

#[test]
fn without_analytics_the_columns_are_empty_and_the_reason_is_reported() {
    let mut wording = wording!();
    let place = Place::new(&["--faults", "403-analytics"]);
    let output = place.run(&["list", "workers", "--json"]);
    let workers: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(workers.as_array().unwrap().len(), 64);
    assert!(
        workers
            .as_array()
            .unwrap()
            .iter()
            .all(|worker| worker["cpu_p99_us"].is_null())
    );
    wording.add(text(&output.stderr));
}

#[test]
fn an_unknown_fault_is_wrong_use() {
    let output = Command::new(BIN)
        .args(["demo", "--serve", "127.0.0.1:0", "--faults", "teapot"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("no-isolate"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn the_doctor_names_what_is_missing_and_what_to_do() {
    let mut wording = wording!();
    let place = Place::new(&["--faults", "403-analytics"]);
    let check = |output: &[u8], name: &str| {
        let found: Value = serde_json::from_slice(output).unwrap();
        found["checks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|check| check["name"] == name)
            .cloned()
            .unwrap()
    };
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "a missing column is no failure"
    );
    let analytics = check(&output.stdout, "analytics");
    assert_eq!(analytics["status"], "warning");
    wording.add(analytics["hint"].as_str().unwrap());

    let secret = "cfut_wrong-but-secret";
    let output = place
        .command(&["doctor", "--json"])
        .env("CLOUDFLARE_API_TOKEN", secret)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(check(&output.stdout, "validity")["status"], "failed");
    assert!(!text(&output.stdout).contains(secret) && text(&output.stderr).is_empty());

    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let output = place
        .command(&["doctor", "--json"])
        .env("CLOUDFLARE_API_BASE_URL", format!("http://{closed}"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    wording.add(
        check(&output.stdout, "network")["message"]
            .as_str()
            .unwrap(),
    );

    std::fs::remove_dir_all(place.cache()).unwrap();
    std::fs::write(place.cache(), "in the way").unwrap();
    let output = place.run(&["doctor", "--json"]);
    assert_eq!(check(&output.stdout, "cache")["status"], "warning");
}

#[tokio::test]
async fn several_accounts_are_listed_and_one_must_be_chosen() {
    let server = wiremock::MockServer::start().await;
    let accounts: Vec<Value> = (1..=45)
        .map(|number| serde_json::json!({ "id": format!("{number:032x}"), "name": format!("Acme \u{1b}[31m{number}") }))
        .collect();
    let answer = move |request: &wiremock::Request| {
        let page: usize = request
            .url
            .query_pairs()
            .find(|(key, _)| key == "page")
            .unwrap()
            .1
            .parse()
            .unwrap();
        let items: Vec<&Value> = accounts.iter().skip((page - 1) * 20).take(20).collect();
        let info = serde_json::json!({ "page": page, "per_page": 20, "total_count": 45 });
        let body = serde_json::json!({ "success": true, "result": items, "result_info": info });
        wiremock::ResponseTemplate::new(200).set_body_json(body)
    };
    wiremock::Mock::given(wiremock::matchers::path("/accounts"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let output = Command::new(BIN)
        .args(["list", "workers"])
        .env_clear()
        .env("HOME", "/nonexistent")
        .env("CLOUDFLARE_API_BASE_URL", server.uri())
        .env("CLOUDFLARE_API_TOKEN", "x")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains(&format!("{:032x}", 45)) && stderr.contains("CLOUDFLARE_ACCOUNT_ID"),
        "{stderr}"
    );
    assert!(!stderr.contains('\u{1b}'), "{stderr}");
}

#[test]
fn a_dead_proxy_is_reported_as_such() {
    let mut wording = wording!();
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let output = Command::new(BIN)
        .args(["list", "accounts"])
        .env_clear()
        .env("HOME", "/nonexistent")
        .env("HTTPS_PROXY", format!("http://{closed}"))
        .env(
            "CLOUDFLARE_API_BASE_URL",
            "https://api.example.com/client/v4",
        )
        .env("CLOUDFLARE_API_TOKEN", "x")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    wording.add(&stderr);
    assert!(stderr.contains("NO_PROXY"), "{stderr}");
}

/// The screen after a capture that meets this fault.
fn screen_after(fault: &str) -> String {
    screen(&["--faults", fault], "c enter")
}

/// The screen after these keys, with the demo server's options.
fn screen(options: &[&str], keys: &str) -> String {
    let place = Place::new(&[&["--time-scale", "0.02"], options].concat());
    let output = place.run(&["render", "--size", "80x24", "--keys", keys]);
    assert!(
        output.status.success(),
        "{options:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[test]
fn each_refusal_of_a_capture_has_its_words_and_a_next_step_on_the_screen() {
    let mut wording = wording!();
    let before = screen(&[], "");
    for fault in [
        "no-traffic",
        "no-isolate",
        "unavailable",
        "unsupported",
        "not-started",
        "json-200",
        "svg-200",
    ] {
        let screen = screen_after(fault);
        wording.add(format_args!("[{fault}]"));
        wording.news(&before, &screen);
        // What support asks for.
        assert!(screen.contains("-DEM"), "{fault}:\n{screen}");
    }
}

#[test]
fn a_capture_that_waits_for_traffic_is_sent_once_it_is_there() {
    let mut wording = wording!();
    // The demo server's analytics count requests, so the first look finds some; the fault is the capture's alone.
    let place = Place::new(&["--time-scale", "0.02", "--faults", "no-traffic,not-started"]);
    let output = place.run(&["render", "--size", "80x24", "--keys", "c enter enter"]);
    wording.news(&screen(&[], ""), &text(&output.stdout));
    let output = place.run(&["render", "--size", "80x24", "--keys", "c enter"]);
    assert!(
        text(&output.stdout).contains("validateAddress"),
        "and no third was sent:\n{}",
        text(&output.stdout)
    );
}

#[test]
#[cfg(unix)]
fn the_doctor_looks_at_what_is_left_and_who_can_read_the_captures() {
    let mut wording = wording!();
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new(&["--time-scale", "0.02", "--calls", "100"]);
    let check = |name: &str| {
        let found: Value =
            serde_json::from_slice(&place.run(&["doctor", "--json"]).stdout).unwrap();
        found["checks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|check| check["name"] == name)
            .cloned()
            .unwrap()
    };
    let calls = check("calls");
    assert_eq!(calls["status"], "warning", "{calls}");
    wording.add(calls["message"].as_str().unwrap());

    let kept = place.json(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ]);
    let (path, bytes) = (
        PathBuf::from(kept["path"].as_str().unwrap()),
        kept["bytes"].as_u64().unwrap(),
    );
    assert!(bytes < 1000, "else it is told in a larger unit: {bytes}");
    let cache = check("cache");
    assert_eq!(cache["status"], "ok", "{cache}");
    wording.add(cache["message"].as_str().unwrap());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let cache = check("cache");
    assert_eq!(cache["status"], "warning", "{cache}");
    assert!(
        cache["hint"]
            .as_str()
            .unwrap()
            .contains(path.to_str().unwrap()),
        "{cache}"
    );
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::set_permissions(place.cache(), std::fs::Permissions::from_mode(0o755)).unwrap();
    wording.add(check("cache")["hint"].as_str().unwrap());
}

#[tokio::test]
async fn the_doctor_shows_a_token_that_has_ended_or_ends_soon() {
    let mut wording = wording!();
    for (status, ends) in [
        ("expired", "2026-01-01T00:00:00Z"),
        ("disabled", "2999-01-01T00:00:00Z"),
        ("active", "2001-01-01T00:00:00Z"),
    ] {
        let server = wiremock::MockServer::start().await;
        let result = serde_json::json!({ "id": "x", "status": status, "expires_on": ends });
        let body = serde_json::json!({ "success": true, "result": result });
        let answer = wiremock::ResponseTemplate::new(200).set_body_json(body);
        let verify = wiremock::matchers::path("/user/tokens/verify");
        wiremock::Mock::given(verify)
            .respond_with(answer)
            .mount(&server)
            .await;
        let output = Command::new(BIN)
            .args(["doctor", "--json"])
            .env_clear()
            .env("HOME", "/nonexistent")
            .env("CLOUDFLARE_API_BASE_URL", server.uri())
            .env("CLOUDFLARE_API_TOKEN", "x")
            .env("CLOUDFLARE_ACCOUNT_ID", "0".repeat(32))
            .output()
            .unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = found["checks"].as_array().unwrap();
        let check = checks
            .iter()
            .find(|check| check["name"] == "validity")
            .unwrap();
        wording.case(status, check["message"].as_str().unwrap());
        wording.add(check["hint"].as_str().unwrap());
    }
}

#[test]
fn a_slip_of_the_user_is_reported_as_one() {
    let mut wording = wording!();
    let place = fast();
    let told = |arguments: &[&str]| {
        let output = place.run(arguments);
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        text(&output.stderr)
    };
    for arguments in [
        &["capture", "--worker", "chekout-api"][..],
        &["list", "versions", "--worker", "chekout-api"],
        &["list", "namespaces", "--worker", "chekout-api"],
    ] {
        let told = told(arguments);
        wording.add(&told);
        assert!(
            !told.contains("cf-ray"),
            "nobody's support can help: {told}"
        );
    }
    let told = told(&["capture", "--worker", "checkout-api", "--duration", "12"]);
    wording.add(&told);
    assert!(!told.contains("ms"), "{told}");
}
