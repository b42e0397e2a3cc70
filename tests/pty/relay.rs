//! A capture outlives its screen: a dead link, a closed window, a killed program. And it ends when the user wants it.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use flarescope::model::cloudflare::Capture;
use flarescope::store::Store;
use rustix::process::Signal;

use crate::terminal::{PROGRAM, Terminal};
use crate::wording::wording;

const PATIENCE: Duration = Duration::from_secs(40);

/// The demo server in a process of its own, and a cache that outlives the terminals.
pub(crate) struct Place {
    server: Child,
    pub(crate) variables: Vec<(&'static str, String)>,
    pub(crate) token: String,
    cache: tempfile::TempDir,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Place {
    /// Captures take `scale` of their windows.
    pub(crate) fn new(scale: &str) -> Self {
        let mut server = Command::new(PROGRAM)
            .args(["demo", "--serve", "127.0.0.1:0", "--time-scale", scale])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [
            "listening",
            "on",
            base_url,
            "token",
            token,
            "account",
            account,
        ] = words[..]
        else {
            unreachable!("{line}")
        };
        let cache = tempfile::tempdir().unwrap();
        let variables = vec![
            ("CLOUDFLARE_API_BASE_URL", base_url.to_owned()),
            ("CLOUDFLARE_API_TOKEN", token.to_owned()),
            ("CLOUDFLARE_ACCOUNT_ID", account.to_owned()),
            ("FLARESCOPE_CACHE_DIR", cache.path().display().to_string()),
        ];
        Self {
            server,
            variables,
            token: token.to_owned(),
            cache,
        }
    }

    pub(crate) fn screen(&self) -> Terminal {
        let variables: Vec<(&str, &str)> = self
            .variables
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let terminal = Terminal::start_with(100, 30, &[], &variables);
        terminal.wait_for("7c1f2a9e");
        terminal
    }

    /// A screen that captures.
    fn capturing(&self) -> Terminal {
        let mut terminal = self.screen();
        terminal.send("c\r");
        terminal.wait_for_countdown();
        terminal
    }

    /// Whether somebody has written down that they capture.
    fn has_a_turn_taken(&self) -> bool {
        let Ok(turns) = std::fs::read_dir(self.cache.path().join("turns")) else {
            return false;
        };
        turns
            .filter_map(Result::ok)
            .any(|turn| turn.metadata().is_ok_and(|found| found.len() > 0))
    }

    fn captures(&self) -> Vec<Capture> {
        Store::open(self.cache.path()).list().unwrap().captures
    }

    /// Waits for a capture in the cache.
    fn wait_for_capture(&self) -> Capture {
        // Its description is written after it.
        wait_for("capture in the cache", || {
            self.captures()
                .pop()
                .filter(|capture| capture.provenance.window.is_some())
        })
    }

    /// The processes that capture into this cache.
    fn relays(&self) -> Vec<u32> {
        let processes = fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let wanted = format!("FLARESCOPE_CACHE_DIR={}", self.cache.path().display());
        let has = |path: String, text: &str| {
            fs::read(path).is_ok_and(|bytes| {
                bytes
                    .split(|byte| *byte == 0)
                    .any(|word| word == text.as_bytes())
            })
        };
        processes
            .filter(|id: &u32| {
                has(format!("/proc/{id}/cmdline"), "--capture-worker")
                    && has(format!("/proc/{id}/environ"), &wanted)
            })
            .collect()
    }

    /// The only process that captures into this cache; the countdown may begin a moment before it runs.
    fn relay(&self) -> u32 {
        wait_for("one process that captures", || match self.relays()[..] {
            [relay] => Some(relay),
            _ => None,
        })
    }

    fn wait_until_no_relay_runs(&self) {
        wait_for("end of the process that captures", || {
            self.relays().is_empty().then_some(())
        });
    }
}

fn wait_for<T>(what: &str, found: impl Fn() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < until, "no {what}");
        // Files and processes of others: nothing tells when they change.
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The row for messages, above the keys.
fn terminal_message(terminal: &Terminal) -> String {
    let contents = terminal.contents();
    contents
        .lines()
        .nth(28)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// The session a process belongs to.
fn session_of(id: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // After the name, which may hold anything: state, parent, group, session.
    stat.rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .nth(3)
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn a_killed_screen_and_a_lost_terminal_cost_nothing_and_the_next_start_says_so() {
    let mut wording = wording!();
    let place = Place::new("0.3");
    let mut terminal = place.capturing();
    terminal.kill();
    drop(terminal);
    assert_eq!(place.captures(), []);
    let capture = place.wait_for_capture();
    assert_eq!(
        (
            capture.provenance.target.worker.as_str(),
            capture.provenance.target.percentage
        ),
        ("checkout-api", Some(90.0))
    );
    let traffic = capture.provenance.target.metrics.unwrap();
    assert!(
        (traffic.cpu_p99_us - 48_100.0).abs() < 0.1,
        "the figures of the screen came with it: {traffic:?}"
    );
    place.wait_until_no_relay_runs();
    let summary = place.captures().pop().unwrap().summary.unwrap();
    assert_eq!(
        (summary.samples, summary.top.unwrap().0.as_str()),
        (3_324, "validateAddress")
    );

    let mut terminal = place.screen();
    let message = || terminal_message(&terminal);

    terminal.settle();
    assert!(message().contains("checkout-api"), "{}", message());
    wording.add(message());
    terminal.send("C");
    terminal.wait_for_row(&["checkout-api", "7c1f2a9e"]);
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    let terminal = place.screen();
    terminal.settle();
    assert_eq!(terminal_message(&terminal), "", "told once");
}

#[test]
fn a_closed_window_ends_the_screen_and_not_the_capture() {
    let place = Place::new("0.3");
    let mut terminal = place.capturing();
    terminal.hang_up();
    assert!(terminal.ends_within(Duration::from_secs(5)).is_some());
    assert_eq!(place.relays().len(), 1, "it goes on");
    place.wait_for_capture();
    place.wait_until_no_relay_runs();
}

#[test]
fn leaving_lets_it_go_on_and_a_hangup_of_its_own_does_not_end_it() {
    let place = Place::new("0.3");
    let mut terminal = place.capturing();
    terminal.send("q");
    terminal.wait_for_row(&["  q    "]);
    let relay = place.relay();
    terminal.send("q");
    assert_eq!(
        terminal.ends_within(Duration::from_secs(2)),
        Some(0),
        "nothing is waited for"
    );
    terminal.assert_restored();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(relay as i32).unwrap(),
        Signal::HUP,
    )
    .unwrap();
    place.wait_for_capture();
    place.wait_until_no_relay_runs();
}

#[test]
fn it_has_a_session_of_its_own_and_its_arguments_hold_no_token() {
    let place = Place::new("1");
    let mut terminal = place.capturing();
    let relay = place.relay();
    assert_eq!(session_of(relay), relay);
    assert_ne!(session_of(terminal.id()), relay);
    let read = |name: &str| {
        String::from_utf8_lossy(&fs::read(format!("/proc/{relay}/{name}")).unwrap()).into_owned()
    };
    let arguments = read("cmdline").replace('\0', " ");
    assert!(
        arguments.contains(" capture --worker=checkout-api --capture-worker"),
        "{arguments}"
    );
    assert!(!arguments.contains(&place.token) && !read("environ").contains(&place.token));

    // Cancelled, it is gone: neither running nor dead and not waited for.
    terminal.send("\x1b");
    terminal.wait_for_no_countdown();
    wait_for("end of the cancelled process", || {
        (!Path::new(&format!("/proc/{relay}")).exists()).then_some(())
    });
    assert_eq!(place.captures(), []);
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0, "nothing is asked");
}

#[test]
fn a_process_that_is_ended_from_outside_is_a_failure_with_a_next_step() {
    let mut wording = wording!();
    let place = Place::new("1");
    let mut terminal = place.screen();
    terminal.settle();
    let before = terminal.contents();
    terminal.send("c\r");
    terminal.wait_for_countdown();
    let relay = place.relay();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(relay as i32).unwrap(),
        Signal::KILL,
    )
    .unwrap();
    terminal.wait_for_no_countdown();
    terminal.settle();
    wording.news(&before, &terminal.contents());
    wait_for("end of the dead process", || {
        (!Path::new(&format!("/proc/{relay}")).exists()).then_some(())
    });
}

#[test]
fn two_copies_of_the_program_capture_one_after_the_other() {
    let place = Place::new("1.2");
    let mut second = place.screen();
    let mut first = place.capturing();
    // The countdown begins before the process that captures has taken its turn.
    wait_for("the turn", || place.has_a_turn_taken().then_some(()));
    second.send("jc");
    second.wait_for_row(&["! ", "checkout-api"]);
    second.send("\r");
    second.wait_until("sheet of the wait", |screen| {
        !screen.contents().contains("[cpu]")
    });
    first.send("b");
    first.wait_for_row(&["[", "checkout-api", "]"]);
    second.wait_for_countdown();
    wait_for("two captures", || {
        (place.captures().len() == 2).then_some(())
    });
    let captures = place.captures();
    let [late, early] = &captures[..] else {
        unreachable!()
    };
    assert!(
        late.provenance.asked_at >= early.provenance.answered_at,
        "{:?} {:?}",
        late.provenance.asked_at,
        early.provenance.answered_at
    );
    second.wait_for("dispatchRequest");
}

/// Runs a capture by the command, which waits for the lock that this process holds since a capture that ended at `until`.
fn capture_behind(place: &Place, until: std::time::SystemTime) -> Child {
    let command = |name: &str| {
        let mut command = Command::new(PROGRAM);
        command
            .args(["capture", "--worker=checkout-api", "--duration=1s"])
            .envs(place.variables.iter().map(|(name, value)| (name, value)))
            .env("HOME", place.cache.path().join(name))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    };
    // Its lock file stays.
    let first = command("first").output().unwrap();
    assert!(first.status.success(), "{first:?}");
    let turns = fs::read_dir(place.cache.path().join("turns")).unwrap();
    let path = turns
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "lock"))
        .unwrap();
    let since_1970 = until.duration_since(std::time::UNIX_EPOCH).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.lock().unwrap();
    fs::write(
        &path,
        format!(
            r#"{{"worker":"geo-router","until":{}}}"#,
            since_1970.as_millis()
        ),
    )
    .unwrap();
    let child = command("second").spawn().unwrap();
    // Held until the test ends.
    std::mem::forget(file);
    child
}

#[test]
fn a_capture_that_was_stopped_is_waited_for_no_longer_than_it_can_last() {
    let place = Place::new("0.05");
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(300);
    let mut second = capture_behind(&place, long_ago);
    wait_for("capture past the stopped one", || {
        (place.captures().len() == 2).then_some(())
    });
    assert!(second.wait().unwrap().success());
    // The third finds the lock free.
    assert!(capture_behind(&place, long_ago).wait().unwrap().success());
}

#[test]
fn who_waits_for_a_capture_knows_for_how_long() {
    let place = Place::new("0.05");
    let soon = std::time::SystemTime::now() + Duration::from_secs(20);
    let mut second = capture_behind(&place, soon);
    let mut line = String::new();
    let mut errors = BufReader::new(second.stderr.take().unwrap());
    while !line.contains("geo-router") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "it ended");
    }
    assert!(line.contains("2m ") || line.contains("1m 5"), "{line}");
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(second.try_wait().unwrap(), None, "it waits");
    second.kill().unwrap();
    second.wait().unwrap();
}
