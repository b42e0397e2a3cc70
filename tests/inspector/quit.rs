//! Leaving the screen while a local capture runs, cancelling it, and losing the screen: no profile is left running.
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flarescope::model::cloudflare::{Capture, Origin};
use flarescope::store::Store;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use super::fake::{Fake, Script, Turn, entries};
use crate::wording::wording;

const PATIENCE: Duration = Duration::from_secs(30);

/// A screen on a local runtime.
struct Screen {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn std::io::Write + Send>,
    shown: Arc<Mutex<Vec<u8>>>,
    _master: Box<dyn MasterPty + Send>,
}

impl Screen {
    /// Opens on the list of Workers.
    async fn open(fake: &Fake, home: &Path) -> Self {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_flarescope"));
        command.args(["--inspector", &fake.address.to_string()]);
        command.env_clear();
        command.env("HOME", home);
        command.env("FLARESCOPE_CACHE_DIR", home.join("cache"));
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let (mut reader, writer) = (
            pair.master.try_clone_reader().unwrap(),
            pair.master.take_writer().unwrap(),
        );
        let shown = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                seen.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        let screen = Self {
            child,
            writer,
            shown,
            _master: pair.master,
        };
        screen.shows("checkout-api").await;
        screen
    }

    async fn shows(&self, text: &str) {
        let has = || String::from_utf8_lossy(&self.shown.lock().unwrap()).contains(text);
        until(text, || has().then_some(())).await;
    }

    /// Waits until nothing has been drawn for a while.
    async fn settle(&self) {
        let mut before = 0;
        loop {
            let now = self.shown.lock().unwrap().len();
            if now == before {
                return;
            }
            before = now;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// What the eye sees.
    fn text(&self) -> String {
        let mut parser = vt100::Parser::default();
        parser.process(&self.shown.lock().unwrap());
        parser.screen().contents()
    }

    fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
    }

    async fn ends(&mut self) {
        until("end of the screen", || self.child.try_wait().unwrap()).await;
    }
}

async fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "no {what}");
        // Files and processes of others: nothing tells when they change.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn captures(home: &Path) -> Vec<Capture> {
    Store::open(home.join("cache")).list().unwrap().captures
}

async fn capture(home: &Path) -> Capture {
    until("capture", || {
        captures(home)
            .pop()
            .filter(|capture| capture.provenance.window.is_some())
    })
    .await
}

/// The processes that capture into a home's cache.
fn relays(home: &Path) -> Vec<Pid> {
    let wanted = format!("FLARESCOPE_CACHE_DIR={}", home.join("cache").display());
    let has = |path: String, text: &str| {
        std::fs::read(path).is_ok_and(|bytes| {
            bytes
                .split(|byte| *byte == 0)
                .any(|word| word == text.as_bytes())
        })
    };
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|id: &i32| {
            has(format!("/proc/{id}/cmdline"), "--capture-worker")
                && has(format!("/proc/{id}/environ"), &wanted)
        })
        .filter_map(Pid::from_raw)
        .collect()
}

/// A screen whose capture is being sampled; short windows are chosen in the form.
async fn capturing(fake: &Fake, home: &Path) -> Screen {
    std::fs::create_dir_all(home.join(".config/flarescope")).unwrap();
    std::fs::write(
        home.join(".config/flarescope/config.toml"),
        "[capture]\nduration = \"5s\"\n",
    )
    .unwrap();
    let mut screen = Screen::open(fake, home).await;
    screen.press("c\r");
    fake.until("Profiler.start").await;
    assert!(fake.is_recording());
    screen
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_screen_costs_nothing_and_leaves_no_profile_running() {
    let mut wording = wording!();
    let (fake, home) = (
        Fake::start(Script::default()).await,
        tempfile::tempdir().unwrap(),
    );
    let mut screen = capturing(&fake, home.path()).await;
    screen.child.kill().unwrap();
    screen.ends().await;
    assert_eq!(captures(home.path()), []);
    let capture = capture(home.path()).await;
    assert_eq!(
        (
            capture.provenance.target.worker.as_str(),
            capture.provenance.origin
        ),
        ("checkout-api", Origin::Inspector)
    );
    assert_eq!(
        (
            capture.provenance.target.version_id,
            capture.provenance.account_id
        ),
        (None, None)
    );
    let log = fake.log();
    assert_eq!(log[log.len() - 2..], ["Profiler.stop", "close 1000"]);
    assert!(!fake.is_recording());
    let screen = Screen::open(&fake, home.path()).await;
    screen.settle().await;
    wording.lines(&screen.text(), "checkout-api");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_the_screen_lets_it_go_on() {
    let (fake, home) = (
        Fake::start(Script::default()).await,
        tempfile::tempdir().unwrap(),
    );
    let mut screen = capturing(&fake, home.path()).await;
    screen.press("q");
    screen.settle().await;
    screen.press("q");
    screen.ends().await;
    capture(home.path()).await;
    assert!(!fake.is_recording());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_capture_is_stopped_in_the_runtime_before_its_process_ends() {
    let (fake, home) = (
        Fake::start(Script::default()).await,
        tempfile::tempdir().unwrap(),
    );
    let mut screen = capturing(&fake, home.path()).await;
    assert_eq!(relays(home.path()).len(), 1);
    screen.press("\x1b");
    fake.until("close 1000").await;
    let log = fake.log();
    assert_eq!(log[log.len() - 2..], ["Profiler.stop", "close 1000"]);
    assert!(!fake.is_recording());
    until("end of the process", || {
        relays(home.path()).is_empty().then_some(())
    })
    .await;
    assert_eq!(captures(home.path()), []);
    // Nothing is left to be told, and the next capture has its turn at once.
    screen.press("c\r");
    capture(home.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_system_that_ends_the_process_leaves_no_profile_running() {
    let mut wording = wording!();
    let (fake, home) = (
        Fake::start(Script::default()).await,
        tempfile::tempdir().unwrap(),
    );
    let screen = capturing(&fake, home.path()).await;
    let before = screen.text();
    let [relay] = relays(home.path())[..] else {
        panic!("one process captures")
    };
    kill_process(relay, Signal::TERM).unwrap();
    fake.until("close 1000").await;
    assert!(!fake.is_recording());
    screen.settle().await;
    wording.news(&before, &screen.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_runtime_refuses_is_reported_on_the_screen() {
    let mut wording = wording!();
    let refused = Turn::Refuse("no profiler here");
    let script = Script {
        turn: Some(("Profiler.start", refused)),
        ..Script::default()
    };
    let (fake, home) = (Fake::start(script).await, tempfile::tempdir().unwrap());
    let mut screen = Screen::open(&fake, home.path()).await;
    let before = screen.text();
    screen.press("c\r");
    screen.shows("no profiler here").await;
    screen.settle().await;
    wording.news(&before, &screen.text());
}

/// A second client would end both, so it waits; another Worker of the same runtime need not.
#[tokio::test(flavor = "multi_thread")]
async fn two_captures_of_one_worker_are_taken_one_after_the_other() {
    let mut wording = wording!();
    let list = (200, entries(&["checkout-api", "geo-router"]));
    let script = Script {
        exclusive: true,
        list,
        ..Script::default()
    };
    let (fake, home) = (Fake::start(script).await, tempfile::tempdir().unwrap());
    let mut screen = capturing(&fake, home.path()).await;
    screen.press("b");
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command.args([
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--inspector",
    ]);
    command
        .arg(fake.address.to_string())
        .env_clear()
        .env("HOME", home.path());
    command.env("FLARESCOPE_CACHE_DIR", home.path().join("cache"));
    let output = command.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    wording.add(&said);
    assert!(output.status.success(), "{said}");
    until("two captures", || {
        (captures(home.path()).len() == 2).then_some(())
    })
    .await;
    let log = fake.log();
    assert_eq!(
        log.iter().filter(|line| *line == "close 1000").count(),
        2,
        "{log:?}"
    );
}
