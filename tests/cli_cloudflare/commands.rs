//! What the commands print when all goes well.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use flarescope::model::cloudflare::{Kind, Metrics, Origin, Provenance, Target};
use flarescope::store::Store;
use serde_json::Value;

use super::{Place, fast, names, text};
use crate::wording::wording;

#[test]
fn workers_come_from_all_pages_with_the_costly_ones_first() {
    let place = fast();
    let workers = place.json(&["list", "workers", "--json"]);
    let names = names(&workers, "name");
    assert_eq!((names.len(), names[0]), (64, "checkout-api"));
    for sample in [
        "r2-binding",
        "edge-metrics",
        "chat-rooms",
        "geo-router",
        "deep-parser",
        "status-page",
        "monolith",
    ] {
        assert!(names.contains(&sample), "{sample}");
    }
    let first = &workers[0];
    assert!(
        (first["requests_per_second"].as_f64().unwrap() - 412.0).abs() < 1.0,
        "{first}"
    );
    assert!(
        (first["cpu_p99_us"].as_f64().unwrap() - 48_100.0).abs() < 1.0,
        "{first}"
    );
    assert!(first["id"].as_str().unwrap().len() == 32 && first["deployed_on"].is_string());
    let never: Vec<&Value> = workers
        .as_array()
        .unwrap()
        .iter()
        .filter(|worker| worker["deployed_on"].is_null())
        .collect();
    assert_eq!(
        (never.len(), never[0]["name"].as_str()),
        (1, Some("preview-docs"))
    );
    assert!(never[0]["cpu_p99_us"].is_null());
    assert_eq!(
        place
            .json(&["list", "workers", "--json", "--limit", "3"])
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let table = text(&place.run(&["list", "workers"]).stdout);
    assert!(
        table.lines().nth(1).unwrap().starts_with("checkout-api"),
        "{table}"
    );
}

#[test]
fn versions_tell_which_one_serves() {
    let place = fast();
    let versions = place.json(&["list", "versions", "--worker", "checkout-api", "--json"]);
    let shown: Vec<(u64, f64, &str)> = versions.as_array().unwrap()[..3]
        .iter()
        .map(|version| {
            let message = version["annotations"]["workers/message"].as_str().unwrap();
            (
                version["number"].as_u64().unwrap(),
                version["percentage"].as_f64().unwrap(),
                message,
            )
        })
        .collect();
    let expected = [
        (129, 0.0, "uploaded, not deployed"),
        (128, 90.0, "retry payment on 409"),
        (127, 10.0, "baseline"),
    ];
    assert_eq!(shown, expected);
    assert_eq!(versions.as_array().unwrap().len(), 41);
}

#[test]
fn durable_objects_are_listed_with_the_busy_ones_first() {
    let place = fast();
    let namespaces = place.json(&["list", "namespaces", "--json"]);
    assert_eq!(
        names(&namespaces, "name"),
        [
            "checkout-api_Cart",
            "checkout-api_Session",
            "chat-rooms_ChatRoom",
            "checkout-api_Basket"
        ]
    );
    assert_eq!(
        place
            .json(&["list", "namespaces", "--worker", "chat-rooms", "--json"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let id = namespaces[0]["id"].as_str().unwrap();
    for namespace in ["Cart", "checkout-api_Cart", id] {
        let objects = place.json(&[
            "list",
            "objects",
            "--namespace",
            namespace,
            "--limit",
            "30",
            "--json",
        ]);
        assert_eq!(
            (
                objects.as_array().unwrap().len(),
                objects[0]["name"].as_str()
            ),
            (30, Some("cart:8812"))
        );
        assert!(
            objects[0]["version_id"]
                .as_str()
                .unwrap()
                .starts_with("7c1f2a9e"),
            "{}",
            objects[0]
        );
    }
    let all = place.json(&[
        "list",
        "objects",
        "--namespace",
        "ChatRoom",
        "--limit",
        "5000",
        "--json",
    ]);
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
    let capture = place.json(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "-o",
        copy_text,
        "--json",
    ]);
    for (field, value) in [
        ("kind", Value::from("cpu")),
        ("duration_ms", Value::from(1000)),
        ("worker", Value::from("checkout-api")),
        ("origin", Value::from("demo")),
        ("percentage", Value::from(90.0)),
        ("namespace_id", Value::Null),
        ("object_id", Value::Null),
        ("samples", Value::from(3324)),
        ("warnings", Value::Array(vec![])),
    ] {
        assert_eq!(capture[field], value, "{field}");
    }
    assert_eq!(
        capture["sample_type"],
        serde_json::json!({ "type": "cpu", "unit": "nanoseconds" })
    );
    assert_eq!(capture["top"]["function"], "validateAddress");
    let kept = std::fs::read(capture["path"].as_str().unwrap()).unwrap();
    assert_eq!(
        (kept.len() as u64, &kept),
        (
            capture["bytes"].as_u64().unwrap(),
            &std::fs::read(&copy).unwrap()
        )
    );
    assert!(Path::new(capture["path"].as_str().unwrap()).starts_with(place.cache()));
    let listed = place.json(&["list", "captures", "--json"]);
    assert_eq!(
        (&listed[0]["sha256"], &listed[0]["samples"]),
        (&capture["sha256"], &capture["samples"])
    );
}

#[test]
fn the_traffic_of_a_capture_s_minutes_is_kept_with_it_and_reported_afterwards() {
    let mut wording = wording!();
    // Half a second: its traffic is asked for while it is captured.
    let place = Place::new(&["--time-scale", "0.5"]);
    let capture = place.json(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ]);
    let listed = place.json(&["list", "captures", "--json"]);
    for (field, figure) in [
        // 412 requests a second, of which this version serves 90 %.
        ("requests_per_second", 370.8),
        ("cpu_p50_us", 12_400.0),
        ("cpu_p99_us", 48_100.0),
    ] {
        let told = capture[field].as_f64().unwrap();
        assert!((told - figure).abs() < 0.1, "{field}: {told}");
        assert_eq!(capture[field], listed[0][field]);
    }
    let object = ["--namespace", "Cart", "--object", "cart:8812"];
    let of_object = place.json(
        &[
            &[
                "capture",
                "--worker",
                "checkout-api",
                "--duration",
                "1s",
                "--json",
            ][..],
            &object,
        ]
        .concat(),
    );
    assert_eq!(
        of_object["cpu_p99_us"],
        Value::Null,
        "an object's requests are not its Worker's"
    );

    let quiet = Metrics {
        requests_per_second: 0.2,
        cpu_p99_us: 2_400.0,
        ..Metrics::default()
    };
    let store = Store::open(place.cache());
    let found = store.find(capture["sha256"].as_str().unwrap()).unwrap();
    let bytes = store.read(&found).unwrap();
    let kept = store.keep(&bytes, quiet_capture(quiet)).unwrap();
    let report = place.run(&[
        "export",
        kept.path.to_str().unwrap(),
        "--to",
        "markdown",
        "--no-idle",
        "-o",
        "-",
    ]);
    let report = text(&report.stdout);
    // Two requests in 10 s, at 2.4 ms each.
    wording.lines(&report, "4.80");
    let screen = text(
        &place
            .run(&[
                "render",
                kept.path.to_str().unwrap(),
                "--size",
                "120x40",
                "--keys",
                "H",
            ])
            .stdout,
    );
    wording.lines(&screen, "2.40");
}

/// What is known of a capture that was taken under so much traffic.
fn quiet_capture(metrics: Metrics) -> Provenance {
    let at = SystemTime::now() - Duration::from_secs(90 * 60);
    let window = Duration::from_secs(10);
    let file = Provenance::of_file("quiet", Some(Kind::Cpu), Some(window), at);
    Provenance {
        target: Target {
            metrics: Some(metrics),
            ..file.target
        },
        answered_at: at + window,
        origin: Origin::Cloudflare,
        ..file
    }
}

#[test]
fn a_capture_prints_its_path_or_streams_its_bytes() {
    let place = fast();
    let base = [
        "capture",
        "--worker",
        "geo-router",
        "--duration",
        "1s",
        "--type",
        "heap",
    ];
    let printed = text(&place.run(&base).stdout);
    let kept = std::fs::read(printed.trim_end()).unwrap();
    let streamed = place.run(&[&base[..], &["-o", "-"]].concat());
    assert_eq!((streamed.status.code(), streamed.stdout), (Some(0), kept));
    let paths = text(&place.run(&["cache", "list"]).stdout);
    assert_eq!(paths.lines().count(), 2);
    assert_eq!(
        text(&place.run(&["cache", "path"]).stdout).trim_end(),
        place.cache().to_str().unwrap()
    );
    assert!(place.run(&["cache", "clear"]).status.success());
    assert_eq!(
        place.json(&["list", "captures", "--json"]),
        serde_json::json!([])
    );
}

#[test]
fn an_object_is_captured_by_name_and_by_id_on_the_version_it_runs() {
    let mut wording = wording!();
    let place = fast();
    let base = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--namespace",
        "Cart",
        "--json",
        "--object",
    ];
    let by_name = place.json(&[&base[..], &["cart:10313"]].concat());
    assert!(
        by_name["version_id"]
            .as_str()
            .unwrap()
            .starts_with("51d0b7aa"),
        "the pinned one: {by_name}"
    );
    let id = by_name["object_id"].as_str().unwrap();
    let by_id = place.json(&[&base[..], &[id]].concat());
    assert_eq!(
        (&by_id["object_id"], &by_id["version_id"]),
        (&by_name["object_id"], &by_name["version_id"])
    );

    let short = place.run(&[&base[..], &[&id[1..]]].concat());
    assert_eq!(short.status.code(), Some(2));
    wording.add(text(&short.stderr));
    let unknown = place.run(&[&base[..], &["cart:nobody"]].concat());
    assert_eq!(unknown.status.code(), Some(1));
    let foreign = [
        "capture",
        "--worker",
        "geo-router",
        "--namespace",
        "checkout-api_Cart",
        "--object",
        id,
    ];
    let foreign = place.run(&foreign);
    assert_eq!(foreign.status.code(), Some(2));
    wording.add(text(&foreign.stderr));
}

#[test]
fn the_token_comes_from_a_pipe_a_command_or_another_tools_login() {
    let mut wording = wording!();
    let place = fast();
    let accounts = ["list", "accounts", "--json"];
    let mut piped = place.command(&[&accounts[..], &["--token-file", "-"]].concat());
    let mut child = piped
        .env_remove("CLOUDFLARE_API_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{}\n", place.token).as_bytes())
        .unwrap();
    assert!(child.wait_with_output().unwrap().status.success());

    let config = place.dir.path().join("config.toml");
    std::fs::write(
        &config,
        format!("token_command = [\"echo\", \"{}\"]\n", place.token),
    )
    .unwrap();
    let mut commanded = place.command(&accounts);
    commanded
        .env_remove("CLOUDFLARE_API_TOKEN")
        .env("FLARESCOPE_CONFIG", &config)
        .env("PATH", "/usr/bin:/bin");
    assert!(commanded.output().unwrap().status.success());

    let home = place.dir.path().join(".config/.wrangler/config");
    std::fs::create_dir_all(&home).unwrap();
    let login = |time: &str| {
        format!(
            "oauth_token = \"{}\"\nexpiration_time = \"{time}\"\n",
            place.token
        )
    };
    std::fs::write(home.join("default.toml"), login("2999-01-01T00:00:00.000Z")).unwrap();
    let mut logged_in = place.command(&["doctor", "--json"]);
    let output = logged_in
        .env_remove("CLOUDFLARE_API_TOKEN")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stdout));
    wording.add(text(&output.stdout));
    std::fs::write(home.join("default.toml"), login("2001-01-01T00:00:00.000Z")).unwrap();
    let output = place
        .command(&accounts)
        .env_remove("CLOUDFLARE_API_TOKEN")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    wording.add(text(&output.stderr));
}

#[test]
fn a_proxy_from_the_environment_is_not_used_for_this_machine() {
    let place = fast();
    let mut command = place.command(&["list", "accounts", "--json"]);
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "all_proxy",
    ] {
        command.env(name, "http://127.0.0.1:9");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn the_doctor_finds_everything_in_order() {
    let mut wording = wording!();
    let place = fast();
    let found = place.json(&["doctor", "--json"]);
    assert_eq!(found["ok"], true, "{found}");
    let checks = found["checks"].as_array().unwrap();
    let names: Vec<&str> = checks
        .iter()
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    let expected = [
        "token",
        "network",
        "validity",
        "clock",
        "account",
        "workers",
        "versions",
        "deployments",
        "objects",
        "analytics",
        "calls",
        "config",
        "cache",
        "log",
        "terminal",
    ];
    assert_eq!(names, expected);
    assert!(
        checks.iter().all(|check| check["status"] == "ok"),
        "{found}"
    );
    let table = text(&place.run(&["doctor"]).stdout);
    wording.add(&table);
    assert!(table.contains("acme-prod"), "{table}");
}

#[test]
fn profiles_are_imported_and_pruned() {
    let place = fast();
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/demo/recordings/monolith.heap.pprof.gz");
    let printed = place.run(&["cache", "import", file.to_str().unwrap()]);
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    assert_eq!(
        std::fs::read(text(&printed.stdout).trim_end()).unwrap(),
        std::fs::read(&file).unwrap()
    );
    let listed = place.json(&["list", "captures", "--json"]);
    assert_eq!(
        (&listed[0]["origin"], &listed[0]["kind"]),
        (&Value::from("file"), &Value::from("heap"))
    );
    assert_eq!(listed[0]["top"]["function"], "toString");

    let text_file = place.dir.path().join("notes.txt");
    std::fs::write(&text_file, "no profile").unwrap();
    assert_eq!(
        place
            .run(&["cache", "import", text_file.to_str().unwrap()])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(place.run(&["cache", "prune"]).status.code(), Some(2));
    assert!(
        place
            .run(&["cache", "prune", "--keep-days", "1", "--max-size", "1G"])
            .status
            .success()
    );
    assert!(
        place
            .run(&["cache", "prune", "--max-size", "1K"])
            .status
            .success()
    );
    assert_eq!(
        place.json(&["list", "captures", "--json"]),
        serde_json::json!([])
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_cache_is_where_the_system_keeps_caches_and_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = fast();
    let caches = place.dir.path().join("caches");
    let mut command = place.command(&["capture", "--worker", "checkout-api", "--duration", "1s"]);
    let output = command
        .env_remove("FLARESCOPE_CACHE_DIR")
        .env("XDG_CACHE_HOME", &caches)
        .output()
        .unwrap();
    let kept = text(&output.stdout);
    assert!(
        Path::new(kept.trim_end()).starts_with(caches.join("flarescope")),
        "{kept}"
    );
    let mut open = vec![caches.join("flarescope")];
    while let Some(path) = open.pop() {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}", path.display());
        if path.is_dir() {
            open.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
    let elsewhere: Vec<_> = std::fs::read_dir(place.dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(elsewhere, [caches], "nothing lies anywhere else");
}

#[tokio::test]
async fn a_capture_costs_few_calls() {
    use flarescope::api::{Client, Settings};
    let place = fast();
    place.json(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ]);
    let token = flarescope::model::text::secret::Secret::new(&place.token).unwrap();
    let client = Client::new(Settings::new(&place.base_url, token)).unwrap();
    client.accounts().await.unwrap();
    let quota = client.quota().unwrap();
    // Account, Worker, versions, deployments, the capture; and the call that asked here. Its traffic is asked for meanwhile,
    // which so short a capture may not leave the time for.
    let calls = quota.limit.unwrap() - quota.remaining;
    assert!((6..=7).contains(&calls), "{calls}");
}

#[test]
fn captures_in_a_row_are_each_kept_and_reported() {
    let place = fast();
    let base = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--count",
        "3",
    ];
    let output = place.run(&base);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let paths: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    let mut apart = paths.clone();
    apart.sort_unstable();
    apart.dedup();
    assert_eq!(
        (paths.len(), apart.len()),
        (3, 3),
        "each has a place of its own"
    );
    assert!(paths.iter().all(|path| Path::new(path).is_file()));
    let value = place.json(&[&base[..], &["--json"]].concat());
    let captures = value["captures"].as_array().unwrap();
    assert_eq!(captures.len(), 3);
    assert!(
        captures.iter().all(
            |capture| capture["samples"] == 3324 && capture["warnings"] == Value::Array(vec![])
        )
    );
    assert!(value.get("error").is_none());
    assert_eq!(
        place
            .json(&["list", "captures", "--json"])
            .as_array()
            .unwrap()
            .len(),
        6
    );
    for bad in [
        &["--count", "0"][..],
        &["--count", "10"],
        &["--count", "2", "-o", "x.pprof"],
    ] {
        let output = place.run(&[&["capture", "--worker", "checkout-api"], bad].concat());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{bad:?}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn both_sides_of_a_canary_are_captured_the_larger_first() {
    let mut wording = wording!();
    let place = fast();
    let base = ["capture", "--duration", "1s", "--canary", "--worker"];
    let value = place.json(&[&base[..], &["checkout-api", "--json"]].concat());
    let told: Vec<(&str, f64)> = value["captures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|capture| {
            (
                &capture["version_id"].as_str().unwrap()[..8],
                capture["percentage"].as_f64().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("7c1f2a9e", 90.0), ("51d0b7aa", 10.0)]);
    // By `go tool pprof -top`: 5,094,511,000 ns in validateAddress of one version, 231,545,000 ns in that of the other.
    let path = |at: usize| value["captures"][at]["path"].as_str().unwrap();
    let diff = place.json(&["diff", path(0), path(1), "--json"]);
    let rows = diff["rows"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["function"] == "validateAddress")
        .unwrap();
    assert_eq!(
        (&row["base_self"], &row["new_self"]),
        (&Value::from(5_094_511_000_u64), &Value::from(231_545_000)),
        "{row}"
    );
    let output = place.run(&[&base[..], &["geo-router"]].concat());
    assert_eq!(output.status.code(), Some(1));
    wording.add(text(&output.stderr));
    let output = place.run(&[&base[..], &["checkout-api", "--version", "latest"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn a_failure_in_the_middle_of_a_row_keeps_what_is_there_and_shows_both() {
    let mut wording = wording!();
    use super::Place;
    // One good answer, then the fault, in turn.
    let place = Place::new(&[
        "--time-scale",
        "0.02",
        "--faults",
        "not-started,unsupported",
    ]);
    let base = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ];
    // Two faults come first, then one capture is let through.
    assert_eq!(place.run(&base).status.code(), Some(1));
    assert_eq!(place.run(&base).status.code(), Some(1));
    let output = place.run(&[&base[..], &["--count", "3"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["captures"].as_array().unwrap().len(), 1, "{value}");
    wording.add(value["error"]["message"].as_str().unwrap());
    let stderr = text(&output.stderr);
    wording.add(stderr);
    assert_eq!(
        place
            .json(&["list", "captures", "--json"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn the_first_side_of_a_canary_is_kept_where_the_second_one_fails() {
    let mut wording = wording!();
    let place = super::Place::new(&[
        "--time-scale",
        "0.02",
        "--faults",
        "not-started,unsupported",
    ]);
    let base = ["capture", "--worker", "checkout-api", "--duration", "1s"];
    assert_eq!(place.run(&base).status.code(), Some(1));
    assert_eq!(place.run(&base).status.code(), Some(1));
    let output = place.run(&[&base[..], &["--canary"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let (path, told) = (text(&output.stdout), text(&output.stderr));
    assert!(Path::new(path.trim_end()).is_file(), "{path}");
    wording.add(told);
    let kept = place.json(&["list", "captures", "--json"]);
    assert_eq!(
        (
            kept.as_array().unwrap().len(),
            kept[0]["percentage"].as_f64()
        ),
        (1, Some(90.0))
    );
}

#[test]
fn captures_of_one_account_wait_for_each_other() {
    let mut wording = wording!();
    let place = super::Place::new(&["--time-scale", "0.1"]);
    let base = [
        "capture",
        "--worker",
        "checkout-api",
        "--json",
        "--duration",
    ];
    let long = place
        .command(&[&base[..], &["20s"]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // It has the turn as soon as its name stands there.
    let holder = place.cache().join("turns");
    while !std::fs::read_dir(&holder).is_ok_and(|mut files| files.next().is_some()) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let short = place.run(&[&base[..], &["1s"]].concat());
    wording.add(text(&short.stderr));
    let long: Value = serde_json::from_slice(&long.wait_with_output().unwrap().stdout).unwrap();
    let short: Value = serde_json::from_slice(&short.stdout).unwrap();
    assert!(
        short["asked_at"].as_str() >= long["answered_at"].as_str(),
        "{short} {long}"
    );
}

#[cfg(unix)]
#[test]
fn a_capture_that_waits_for_the_lock_ends_at_once_when_cancelled() {
    let mut wording = wording!();
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::{BufRead as _, BufReader};
    let place = super::Place::new(&["--time-scale", "1"]);
    let base = ["capture", "--worker", "checkout-api", "--duration"];
    let mut long = place
        .command(&[&base[..], &["50s"]].concat())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let turns = place.cache().join("turns");
    while !std::fs::read_dir(&turns).is_ok_and(|mut files| files.next().is_some()) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let mut waiting = place
        .command(&[&base[..], &["1s"]].concat())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(waiting.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    wording.add(told.next().unwrap());
    kill_process(Pid::from_child(&waiting), Signal::INT).unwrap();
    assert_eq!(waiting.wait().unwrap().code(), Some(130));
    assert!(
        long.try_wait().unwrap().is_none(),
        "it did not wait for the other to end"
    );
    long.kill().unwrap();
    long.wait().unwrap();
}

#[tokio::test]
async fn a_start_and_a_capture_on_the_screen_cost_eight_calls_beside_the_list() {
    use flarescope::api::{Client, Settings};
    let place = fast();
    let output = place.run(&["render", "--size", "80x24", "--keys", "c enter"]);
    assert!(
        text(&output.stdout).contains("validateAddress"),
        "{}",
        text(&output.stdout)
    );
    let token = flarescope::model::text::secret::Secret::new(&place.token).unwrap();
    let client = Client::new(Settings::new(&place.base_url, token)).unwrap();
    client.accounts().await.unwrap();
    let quota = client.quota().unwrap();
    // 64 Workers come on three pages; the last call is the one that asked here.
    let calls = quota.limit.unwrap() - quota.remaining - 3 - 1;
    assert!(calls <= 8, "{calls}");
}

#[test]
fn a_list_has_one_way_to_write_a_figure_and_has_memory_and_errors() {
    let mut wording = wording!();
    let place = fast();
    let table = text(&place.run(&["list", "workers"]).stdout);
    let mut lines = table.lines();
    let head: Vec<&str> = lines
        .next()
        .unwrap()
        .split("  ")
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    wording.add(head.join("\n"));
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().collect();
        // A Worker without requests has no figures of them.
        if cells[1] == "0" {
            assert_eq!(&cells[2..5], ["–", "–", "–"], "{line}");
        } else if !matches!(cells[1], "–" | "<0.1") {
            assert!(
                cells[1]
                    .rsplit_once('.')
                    .is_some_and(|(_, decimals)| decimals.len() == 1),
                "{line}"
            );
        }
    }
    let objects = place.run(&[
        "list",
        "objects",
        "--worker",
        "checkout-api",
        "--namespace",
        "ChatRoom",
    ]);
    assert_eq!(
        objects.status.code(),
        Some(1),
        "that class is another Worker's: {}",
        text(&objects.stdout)
    );
}

#[test]
fn a_copy_of_a_capture_says_what_it_is_of() {
    let mut wording = wording!();
    let place = fast();
    let capture = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "-o",
        "new/folder/cpu.pprof",
    ];
    let output = place.run(&capture);
    assert!(output.status.success(), "{}", text(&output.stderr));
    wording.add(text(&output.stderr));
    let again = place.run(&capture);
    wording.case("it is there", text(&again.stderr));
    let report = text(
        &place
            .run(&["export", "new/folder/cpu.pprof", "--to", "markdown"])
            .stdout,
    );
    let known = place.json(&["list", "captures", "--json"]);
    let version = known[0]["version_id"].as_str().unwrap().get(..8).unwrap();
    assert!(
        report
            .lines()
            .any(|line| line.contains("checkout-api") && line.contains(version)),
        "{report}"
    );
    // The demo server hands out a recording; what counts is when it was asked for.
    let asked: Vec<&str> = known
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["asked_at"].as_str().unwrap())
        .collect();
    assert!(
        asked.iter().any(|asked| report.contains(asked)),
        "{asked:?}: {report}"
    );
}

/// Everything below a folder: names, and what is in the files.
fn everything(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                let changed = std::fs::metadata(&entry).unwrap().modified().unwrap();
                found.push((entry.clone(), std::fs::read(&entry).unwrap(), changed));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn drawing_a_frame_changes_nothing_that_is_kept() {
    let mut wording = wording!();
    let place = fast();
    place.json(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--json",
    ]);
    place.json(&[
        "capture",
        "--worker",
        "geo-router",
        "--duration",
        "1s",
        "--json",
    ]);
    let before = everything(place.dir.path());
    for keys in [
        "C p",
        "C r \"name\" enter a \"note\" enter",
        "C X",
        "C u",
        "C enter e \"x\" enter",
        "C enter y",
        "C enter tab j s / \"fetch\" enter",
    ] {
        let output = place.run(&["render", "--keys", keys]);
        assert!(output.status.success(), "{keys}: {}", text(&output.stderr));
        wording.case(keys, text(&output.stderr));
        assert!(everything(place.dir.path()) == before, "{keys}");
    }
}
