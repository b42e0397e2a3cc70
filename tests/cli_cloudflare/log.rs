//! The log: what is in it, what is not, and who may read it.
#![cfg(unix)]

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flarescope::store::Store;

use super::{Place, fast, text};

/// A line's parts.
struct Line {
    pid: u32,
    /// Everything behind the process id.
    rest: String,
}

/// Reads a log, and asserts that each of its lines begins as all do.
fn lines(file: &Path) -> Vec<Line> {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.ends_with('\n') && text.chars().all(|c| c == '\n' || !c.is_control()));
    text.lines()
        .map(|line| {
            let [time, pid, rest] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                unreachable!("{line}")
            };
            let at = humantime::parse_rfc3339(time).unwrap();
            assert!(time.len() == "2026-12-01T09:14:02.118Z".len(), "{line}");
            assert!(at.elapsed().unwrap() < Duration::from_secs(600), "{line}");
            Line {
                pid: pid.parse().unwrap(),
                rest: rest.to_owned(),
            }
        })
        .collect()
}

fn starting<'a>(lines: &'a [Line], with: &str) -> Vec<&'a str> {
    let rests = lines.iter().map(|line| line.rest.as_str());
    rests.filter(|rest| rest.starts_with(with)).collect()
}

/// The value of a key that is one plain word.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split(' ')
        .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

impl Place {
    fn log(&self) -> PathBuf {
        self.dir.path().join("log")
    }

    fn logged(&self, arguments: &[&str]) -> Vec<Line> {
        let mut command = self.command(arguments);
        let output = command.arg("--log").arg(self.log()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        lines(&self.log())
    }
}

#[test]
fn a_list_and_a_capture_leave_their_requests_and_stages_and_no_secrets() {
    let place = fast();
    place.logged(&["list", "workers"]);
    let lines = place.logged(&[
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--account",
        &place.account,
    ]);

    // The capture worker logs to the same file.
    let starts = starting(&lines, "start ");
    assert_eq!(starts.len(), 3);
    for (start, command) in starts.iter().zip(["list", "capture", "capture"]) {
        assert_eq!(value(start, "command"), Some(command));
        assert_eq!(value(start, "version"), Some(env!("CARGO_PKG_VERSION")));
    }
    assert_eq!(starting(&lines, "end "), ["end code=0"; 3]);

    let requests = starting(&lines, "request ");
    let paths: Vec<_> = requests
        .iter()
        .map(|line| (value(line, "method").unwrap(), value(line, "path").unwrap()))
        .collect();
    for wanted in [
        ("GET", "/accounts"),
        ("GET", "/accounts/{account}/workers/workers"),
        ("GET", "/accounts/{account}/workers/workers/{worker}"),
        (
            "GET",
            "/accounts/{account}/workers/scripts/{script}/deployments",
        ),
        (
            "POST",
            "/accounts/{account}/workers/workers/{worker}/versions/{version}/profile",
        ),
        ("POST", "/graphql"),
    ] {
        assert!(paths.contains(&wanted), "{wanted:?} in {paths:?}");
    }
    // What was under way when the command was done is dropped; everything else has come.
    for line in requests
        .iter()
        .filter(|line| value(line, "error").is_none())
    {
        assert_eq!(value(line, "status"), Some("200"), "{line}");
        assert_eq!(value(line, "attempt"), Some("1"), "{line}");
        assert!(value(line, "ray").unwrap().ends_with("-DEM"), "{line}");
        assert!(value(line, "bytes").unwrap().parse::<u64>().unwrap() > 0);
        assert!(value(line, "ms").unwrap().parse::<u64>().is_ok());
    }

    let stages: Vec<_> = starting(&lines, "capture ")
        .into_iter()
        .filter_map(|line| value(line, "stage"))
        .collect();
    // By the worker for its summary, by the command for what it prints.
    assert_eq!(stages, ["locked", "sent", "received", "decoded", "decoded"]);
    let kept = starting(&lines, "cache-kept ");
    let [kept] = kept[..] else { panic!("{kept:?}") };
    let capture = Store::open(place.cache())
        .list()
        .unwrap()
        .captures
        .remove(0);
    assert_eq!(
        value(kept, "file"),
        capture.path.file_name().and_then(|name| name.to_str())
    );
    assert_eq!(value(kept, "bytes"), Some(&*capture.bytes.to_string()));

    let all = fs::read_to_string(place.log()).unwrap();
    for secret in [&place.token, &place.account, "Bearer", "per_page"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    let mode = fs::metadata(place.log()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_is_tried_again_is_there_with_its_reason_and_pause() {
    for (status, reason) in [("429", "RateLimited"), ("500", "Server")] {
        let place = Place::new(&["--faults", &format!("{status}@workers")]);
        let output = place
            .command(&["list", "workers"])
            .env("FLARESCOPE_LOG", "log")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let lines = lines(&place.log());
        let path = Some("/accounts/{account}/workers/workers");
        let attempts: Vec<_> = starting(&lines, "request ")
            .into_iter()
            .filter(|line| value(line, "path") == path)
            .map(|line| (value(line, "attempt").unwrap(), value(line, "status")))
            .collect();
        let status = Some(status);
        assert_eq!(attempts, [("1", status), ("2", status), ("3", status)]);
        let retries = starting(&lines, "retry ");
        assert_eq!(retries.len(), 2);
        for retry in retries {
            assert_eq!(
                (value(retry, "path"), value(retry, "reason")),
                (path, Some(reason))
            );
            let pause: u64 = value(retry, "wait_ms").unwrap().parse().unwrap();
            // What `Retry-After` says; else half a second that doubles, each less up to a half.
            let expected = if reason == "RateLimited" {
                5000..=5000
            } else {
                250..=1000
            };
            assert!(expected.contains(&pause), "{retry}");
        }
        let failed = starting(&lines, "failed ");
        assert_eq!(failed.len(), 1);
        assert_eq!(value(failed[0], "reason"), Some(reason));
        assert_eq!(starting(&lines, "end "), ["end code=1"]);
    }
}

#[test]
fn names_from_outside_are_escaped_and_cut() {
    let place = Place::new(&[]);
    let name = format!(
        "\u{1b}]0;x\u{7}\n2026 1 end code=0 \u{202e}{}",
        "y".repeat(500)
    );
    let host = place.base_url.split('/').nth(2).unwrap();
    let lock = Store::open(place.cache())
        .try_capture_lock(&format!("{}-{host}", place.account), &name, Duration::ZERO)
        .unwrap();
    let mut child = place
        .command(&["capture", "--worker", "checkout-api", "--duration=1s"])
        .arg("--log")
        .arg(place.log())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&place.log(), "stage=waiting");
    drop(lock);
    assert!(child.wait().unwrap().success());
    let lines = lines(&place.log());
    let others: HashSet<u32> = lines.iter().map(|line| line.pid).collect();
    assert!(others.contains(&child.id()) && others.len() == 2);
    let all = fs::read_to_string(place.log()).unwrap();
    assert!(
        all.contains(r"behind=") && all.contains(r"\u{1b}]0;x\u{7}\n2026 1 end code=0 \u{202e}y")
    );
    assert!(!all.contains('\u{202e}') && !all.contains(&"y".repeat(200)));
    let stages: Vec<_> = starting(&lines, "capture ")
        .into_iter()
        .filter_map(|line| value(line, "stage"))
        .collect();
    let expected = [
        "waiting",
        "locked",
        "sent",
        "window-over",
        "received",
        "decoded",
        "decoded",
    ];
    assert_eq!(stages, expected);
}

fn wait_for(file: &Path, wanted: &str) {
    let until = Instant::now() + Duration::from_secs(30);
    while !fs::read_to_string(file).is_ok_and(|text| text.contains(wanted)) {
        assert!(Instant::now() < until, "no {wanted}");
        // A file of another process: nothing tells when it changes.
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_full_log_is_rotated_and_others_can_not_read_it() {
    let place = fast();
    let old = "2026-12-01T00:00:00.000Z 1 end code=0\n".repeat((4 << 20) / 38);
    fs::write(place.log(), &old).unwrap();
    fs::set_permissions(place.log(), fs::Permissions::from_mode(0o644)).unwrap();
    place.logged(&["list", "accounts"]);
    let rotated = place.dir.path().join("log.1");
    assert!(fs::read_to_string(&rotated).unwrap().starts_with(&old));
    assert!(fs::metadata(place.log()).unwrap().len() < 10_000);
    for file in [place.log(), rotated] {
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn several_processes_at_once_keep_their_lines_whole() {
    let place = fast();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let mut command = place.command(&["list", "accounts"]);
                    let output = command.arg("--log").arg(place.log()).output().unwrap();
                    assert!(output.status.success());
                }
            });
        }
    });
    let lines = lines(&place.log());
    assert_eq!(starting(&lines, "start ").len(), 18);
    assert_eq!(starting(&lines, "request ").len(), 18);
    assert_eq!(starting(&lines, "end code=0").len(), 18);
    assert_eq!(lines.len(), 3 * 18);
}

#[test]
fn a_file_that_can_not_be_a_log_is_refused_before_anything_else() {
    let place = fast();
    let folder = place.dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let fifo = place.dir.path().join("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let missing = place.dir.path().join("nowhere").join("log");
    for (file, why) in [
        (&folder, "not a regular file"),
        (&fifo, "not a regular file"),
        (&PathBuf::from("/dev/null"), "not a regular file"),
        (&missing, "No such file or directory"),
    ] {
        for arguments in [&["list", "accounts"][..], &[]] {
            let mut command = place.command(arguments);
            let output = command.arg("--log").arg(file).output().unwrap();
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{told}");
            assert!(
                told.contains(why) && told.contains(&*file.display().to_string()),
                "{told}"
            );
        }
    }
}

#[test]
fn a_log_that_fails_later_disturbs_nothing() {
    let place = Place::new(&[]);
    let folder = place.dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let log = folder.join("log");
    let mut child = place
        .command(&["capture", "--worker", "checkout-api", "--duration=1s"])
        .arg("--log")
        .arg(&log)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&log, "stage=sent");
    fs::remove_dir_all(&folder).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(Store::open(place.cache()).list().unwrap().captures.len(), 1);
    assert!(!folder.exists());
}

#[test]
fn the_doctor_says_where_the_log_is() {
    let place = fast();
    let message = |value: serde_json::Value| {
        let checks = value["checks"].as_array().unwrap();
        let log = checks.iter().find(|check| check["name"] == "log").unwrap();
        log["message"].as_str().unwrap().to_owned()
    };
    assert!(message(place.json(&["doctor", "--json"])).contains("--log"));
    let file = place.log();
    let arguments = ["doctor", "--json", "--log", file.to_str().unwrap()];
    assert!(message(place.json(&arguments)).starts_with(file.to_str().unwrap()));
    let told = place.run(&["doctor", "--log", file.to_str().unwrap()]);
    let told = text(&told.stdout);
    let line = told.lines().find(|line| line.contains(" log ")).unwrap();
    assert!(line.contains(file.to_str().unwrap()), "{told}");
}
