//! The commands with `--inspector`: what they print, what they keep, and how they end.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::process::Command;

use super::fake::{Fake, Script, Turn, entries};
use crate::wording::wording;

fn command(fake: &Fake, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    let cache = home.join("cache");
    command
        .args(arguments)
        .arg("--inspector")
        .arg(fake.address.to_string());
    command
        .env_clear()
        .env("HOME", home)
        .env("FLARESCOPE_CACHE_DIR", cache)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

async fn run(fake: &Fake, home: &Path, arguments: &[&str]) -> Output {
    command(fake, home, arguments).output().await.unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn a_capture_is_kept_as_it_came_and_stands_in_the_history_as_a_local_one() {
    let (script, home) = (Script::default(), tempfile::tempdir().unwrap());
    let fake = Fake::start(script.clone()).await;
    for (kind, bytes, ending) in [
        ("cpu", &script.cpu, ".cpuprofile"),
        ("heap", &script.heap, ".heapprofile"),
    ] {
        let copy = home.path().join(kind);
        let arguments = [
            "capture",
            "--type",
            kind,
            "--duration",
            "1s",
            "--json",
            "-o",
            copy.to_str().unwrap(),
        ];
        let capture = json(&run(&fake, home.path(), &arguments).await);
        let path = capture["path"].as_str().unwrap();
        assert!(path.ends_with(ending), "{path}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), *bytes);
        assert_eq!(std::fs::read_to_string(copy).unwrap(), *bytes);
        let known = [
            "worker",
            "kind",
            "origin",
            "version_id",
            "account_id",
            "namespace_id",
        ]
        .map(|key| &capture[key]);
        let null = &Value::Null;
        assert_eq!(
            known,
            [
                &"checkout-api".into(),
                &kind.into(),
                &"inspector".into(),
                null,
                null,
                null
            ]
        );
        assert_eq!(
            (&capture["duration_ms"], &capture["warnings"]),
            (&1_000.into(), &Value::Array(Vec::new()))
        );
        let top = json(&run(&fake, home.path(), &["top", path, "--json"]).await);
        assert_eq!(top["total"], capture["total"]);
    }
    let list = json(&run(&fake, home.path(), &["list", "captures", "--json"]).await);
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert!(
        list.as_array()
            .unwrap()
            .iter()
            .all(|capture| capture["origin"] == "inspector")
    );
}

#[tokio::test]
async fn the_worker_is_named_where_several_could_be_meant() {
    let mut wording = wording!();
    let home = tempfile::tempdir().unwrap();
    let list = (200, entries(&["geo-router", "checkout-api"]));
    let fake = Fake::start(Script {
        list,
        ..Script::default()
    })
    .await;
    let output = run(&fake, home.path(), &["capture", "--duration", "1s"]).await;
    assert_eq!(output.status.code(), Some(2));
    wording.add(said(&output));
    let output = run(
        &fake,
        home.path(),
        &[
            "capture",
            "--worker",
            "nobody",
            "--duration",
            "1s",
            "--json",
        ],
    )
    .await;
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = told["error"]["message"].as_str().unwrap();
    wording.add(message);
    assert!(fake.log().is_empty());
    let capture = run(
        &fake,
        home.path(),
        &[
            "capture",
            "--worker",
            "checkout-api",
            "--duration",
            "1s",
            "--json",
        ],
    )
    .await;
    assert_eq!(json(&capture)["worker"], "checkout-api");
    assert_eq!(fake.log()[0], "attach /checkout-api");
}

#[tokio::test]
async fn a_runtime_without_names_gets_the_users() {
    let home = tempfile::tempdir().unwrap();
    // As `wrangler dev` 4.86 answers.
    let entry = r#"[{"id":"1ea8c366-6b75-47cc-b913-9818e2e83993","type":"node","description":"workers","webSocketDebuggerUrl":"ws://HOST/ws","title":"Cloudflare Worker"}]"#;
    let fake = Fake::start(Script {
        list: (200, entry.to_owned()),
        ..Script::default()
    })
    .await;
    let untold = run(
        &fake,
        home.path(),
        &["capture", "--duration", "1s", "--json"],
    )
    .await;
    assert_eq!(json(&untold)["worker"], "Cloudflare Worker");
    let told = run(
        &fake,
        home.path(),
        &[
            "capture",
            "--worker",
            "checkout-api",
            "--duration",
            "1s",
            "--json",
        ],
    )
    .await;
    assert_eq!(json(&told)["worker"], "checkout-api");
}

#[tokio::test]
async fn workers_are_listed_and_nothing_else() {
    let mut wording = wording!();
    let home = tempfile::tempdir().unwrap();
    let list = (200, entries(&["geo-router", "a/b"]));
    let fake = Fake::start(Script {
        list,
        ..Script::default()
    })
    .await;
    let listed = json(&run(&fake, home.path(), &["list", "workers", "--json"]).await);
    assert_eq!(listed[0]["name"], "geo-router");
    assert_eq!(
        (&listed[0]["runtime"], &listed[0]["obstacle"]),
        (&"workerd".into(), &Value::Null)
    );
    wording.add(listed[1]["obstacle"].as_str().unwrap());
    let table = run(&fake, home.path(), &["list", "workers"]).await;
    let table = String::from_utf8(table.stdout).unwrap();
    wording.add(&table);
    assert!(table.starts_with("worker"), "{table}");
    for what in ["versions", "namespaces", "objects", "accounts"] {
        let output = run(&fake, home.path(), &["list", what]).await;
        assert_eq!(output.status.code(), Some(2), "{what}");
        wording.add(said(&output));
    }
}

#[tokio::test]
async fn what_only_cloudflare_has_is_refused_before_anything_is_asked() {
    let mut wording = wording!();
    let (fake, home) = (
        Fake::start(Script::default()).await,
        tempfile::tempdir().unwrap(),
    );
    for arguments in [
        &["--version", "latest"][..],
        &["--namespace", "n", "--object", "o"],
        &["--duration", "60s"],
    ] {
        let output = run(&fake, home.path(), &[&["capture"], arguments].concat()).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        wording.add(said(&output));
    }
    assert!(fake.log().is_empty());
    for address in ["10.0.0.1:9229", "wss://localhost:1", ""] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        command
            .args(["capture", "--inspector", address])
            .env_clear()
            .env("FLARESCOPE_CACHE_DIR", home.path());
        let output = command.output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}");
        wording.add(said(&output));
    }
}

#[tokio::test]
async fn a_failure_says_what_to_do_next() {
    let mut wording = wording!();
    let home = tempfile::tempdir().unwrap();
    for turn in [Turn::Close(1013, ""), Turn::Reset] {
        let fake = Fake::start(Script {
            turn: Some(("Profiler.start", turn)),
            ..Script::default()
        })
        .await;
        let output = run(&fake, home.path(), &["capture", "--duration", "1s"]).await;
        assert_eq!(output.status.code(), Some(1));
        wording.add(said(&output));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command
        .args(["list", "workers", "--inspector", "127.0.0.1:1"])
        .env_clear();
    let output = command.output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    wording.add(said(&output));
    let kept = std::fs::read_dir(home.path().join("cache/profiles")).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "nothing was kept");
}

#[tokio::test]
async fn doctor_looks_at_the_runtime_in_place_of_the_account() {
    let mut wording = wording!();
    let home = tempfile::tempdir().unwrap();
    for (list, status) in [
        ((200, entries(&["geo-router"])), "ok"),
        ((200, entries(&["geo-router", "a/b"])), "warning"),
        ((404, String::new()), "failed"),
    ] {
        let fake = Fake::start(Script {
            list,
            ..Script::default()
        })
        .await;
        let output = run(&fake, home.path(), &["doctor", "--json"]).await;
        assert_eq!(output.status.code(), Some(i32::from(status == "failed")));
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = told["checks"].as_array().unwrap();
        assert_eq!(
            (&checks[0]["name"], &checks[0]["status"]),
            (&"inspector".into(), &status.into())
        );
        wording.add(checks[0]["message"].as_str().unwrap());
        assert!(
            checks.iter().all(|check| check["name"] != "token"),
            "nobody is asked for a token"
        );
    }
}

/// The words on the screen after these keys, with one blank between them.
async fn drawn(fake: &Fake, home: &Path, keys: &str) -> String {
    let output = run(fake, home, &["render", "--keys", keys, "--size", "80x24"]).await;
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_screen_lists_captures_and_opens_as_in_production() {
    let home = tempfile::tempdir().unwrap();
    let list = (200, entries(&["geo-router", "a/b"]));
    let fake = Fake::start(Script {
        list,
        ..Script::default()
    })
    .await;
    let screen = drawn(&fake, home.path(), "").await;
    for name in ["workerd", "geo-router", "a/b"] {
        assert!(screen.contains(name), "{name}: {screen}");
    }
    // The form's shortest window, then the profile that came.
    let screen = drawn(&fake, home.path(), "j c j h h h enter").await;
    assert!(screen.contains("geo-router"), "{screen}");
    assert_eq!(
        fake.log()
            .iter()
            .filter(|line| line.starts_with("Profiler.start"))
            .count(),
        1
    );
    let screen = drawn(&fake, home.path(), "C").await;
    assert!(screen.contains("geo-router"), "{screen}");
}

#[tokio::test]
async fn the_screen_shows_what_went_wrong_and_what_can_be_done() {
    let mut wording = wording!();
    let home = tempfile::tempdir().unwrap();
    let turn = Some(("Profiler.start", Turn::Close(1013, "")));
    let fake = Fake::start(Script {
        turn,
        ..Script::default()
    })
    .await;
    let screen = drawn(&fake, home.path(), "c enter").await;
    wording.add(&screen);
    let fake = Fake::start(Script {
        list: (500, String::new()),
        ..Script::default()
    })
    .await;
    let screen = drawn(&fake, home.path(), "").await;
    wording.add(screen);
}

#[cfg(unix)]
#[tokio::test]
async fn signal_stops_the_profile_and_leaves_the_runtime_properly() {
    use rustix::process::{Pid, Signal, kill_process};
    let home = tempfile::tempdir().unwrap();
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let fake = Fake::start(Script::default()).await;
        let child = command(&fake, home.path(), &["capture", "--duration", "50s"])
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        fake.until("Profiler.start").await;
        let id = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
        kill_process(id, signal).unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(10), child.wait_with_output())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(ended.status.code(), Some(code), "{}", said(&ended));
        let log = fake.log();
        assert_eq!(log[log.len() - 2..], ["Profiler.stop", "close 1000"]);
        assert!(!fake.is_recording());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn capture_of_a_runtime_outlives_its_terminal() {
    use rustix::process::{Pid, Signal, kill_process};
    let home = tempfile::tempdir().unwrap();
    let fake = Fake::start(Script::default()).await;
    let child = command(&fake, home.path(), &["capture", "--duration", "1s"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    fake.until("Profiler.start").await;
    let id = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
    kill_process(id, Signal::HUP).unwrap();
    let ended = child.wait_with_output().await.unwrap();
    assert_eq!(ended.status.code(), Some(129), "{}", said(&ended));
    fake.until("close 1000").await;
    let profiles = home.path().join("cache/profiles");
    let kept = async {
        while !std::fs::read_dir(&profiles).is_ok_and(|mut files| files.next().is_some()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), kept)
        .await
        .unwrap();
}
