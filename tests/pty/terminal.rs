//! A terminal for one program: what it shows, what was sent to it, and its modes.
#![allow(
    dead_code,
    reason = "three test programs share this, and each uses a part"
)]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::termios::{LocalModes, tcgetattr};

/// How long a text is waited for: builds of other people's machines are slow.
const PATIENCE: Duration = Duration::from_secs(40);
/// More rows or columns than any program draws on.
const LARGEST: u16 = 2_000;
/// Turned on by the program; turned off by whoever ends it.
const PASTE_ON: &str = "\x1b[?2004h";
const PASTE_OFF: &str = "\x1b[?2004l";
const SCREEN_ON: &str = "\x1b[?1049h";
const SCREEN_OFF: &str = "\x1b[?1049l";
const CURSOR_OFF: &str = "\x1b[?25l";
const CURSOR_ON: &str = "\x1b[?25h";

/// What the terminal has been told.
struct Seen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    /// Nobody looks at the terminal any more.
    leaves: bool,
    /// Nothing is taken from the terminal, as by a link that is dead and not yet known to be.
    stalls: bool,
}

/// A program in a terminal.
pub(crate) struct Terminal {
    seen: Arc<(Mutex<Seen>, Condvar)>,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn std::io::Write + Send>>,
    /// Held open, so that the terminal's modes can still be looked at when the program has ended.
    slave: Option<Box<dyn SlavePty + Send>>,
    tty: PathBuf,
    reader: Option<JoinHandle<()>>,
    child: Box<dyn Child + Send + Sync>,
    home: tempfile::TempDir,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// The seconds behind the bar of a capture, which is longer than any bar in a list.
pub(crate) fn seconds_left(screen: &vt100::Screen) -> Option<f64> {
    let contents = screen.contents();
    contents.lines().find_map(|row| {
        let (bar, behind) = row.rsplit_once(['━', '─', '╸'])?;
        let bar = bar.chars().rev().take_while(|c| "━─╸".contains(*c));
        let number = behind.split_whitespace().next()?;
        (bar.count() > 12 && number.contains('.')).then(|| number.parse().ok())?
    })
}

fn at_least_one(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN)
}

/// The program as it was built for the tests.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_flarescope");

pub(crate) fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
        .display()
        .to_string()
}

impl Terminal {
    /// Starts the program with these arguments in a terminal of that many columns and rows.
    pub(crate) fn start(columns: u16, rows: u16, arguments: &[&str]) -> Self {
        let mut argv = vec![PROGRAM];
        argv.extend(arguments);
        Self::run(columns, rows, &argv, &[])
    }

    /// Starts the program with these variables besides the usual ones.
    pub(crate) fn start_with(
        columns: u16,
        rows: u16,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let mut argv = vec![PROGRAM];
        argv.extend(arguments);
        Self::run(columns, rows, &argv, variables)
    }

    /// Starts the program under a shell with job control.
    pub(crate) fn shell(columns: u16, rows: u16, script: &str) -> Self {
        Self::run(columns, rows, &["sh", "-c", script], &[])
    }

    fn run(columns: u16, rows: u16, argv: &[&str], variables: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::from_argv(argv.iter().map(Into::into).collect());
        command.env_clear();
        for name in ["PATH", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", home.path());
        command.env("FLARESCOPE_CACHE_DIR", home.path().join("cache"));
        // Not the first start, of which a test of its own tells.
        let state = home.path().join(".local/state/flarescope");
        std::fs::create_dir_all(&state).unwrap();
        std::fs::write(state.join("started"), "").unwrap();
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for (name, value) in variables {
            command.env(name, value);
        }
        command.cwd(home.path());
        let child = pair.slave.spawn_command(command).unwrap();

        // A terminal that says it has no size is still drawn on.
        let (rows, columns) = if rows == 0 { (24, 80) } else { (rows, columns) };
        let parser = vt100::Parser::new(at_least_one(rows), at_least_one(columns), 0);
        let seen = Arc::new((
            Mutex::new(Seen {
                parser,
                bytes: Vec::new(),
                leaves: false,
                stalls: false,
            }),
            Condvar::new(),
        ));
        let mut from = pair.master.try_clone_reader().unwrap();
        let shared = Arc::clone(&seen);
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = from.read(&mut buffer) {
                let mut seen = shared.0.lock().unwrap();
                while seen.stalls {
                    seen = shared.1.wait(seen).unwrap();
                }
                if count == 0 || seen.leaves {
                    break;
                }
                seen.bytes.extend_from_slice(&buffer[..count]);
                seen.parser.process(&buffer[..count]);
                shared.1.notify_all();
            }
        });
        Self {
            seen,
            writer: Some(pair.master.take_writer().unwrap()),
            tty: pair.master.tty_name().unwrap(),
            master: Some(pair.master),
            slave: Some(pair.slave),
            reader: Some(reader),
            child,
            home,
        }
    }

    /// The program's home folder, with its cache; gone with the terminal.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn send(&mut self, keys: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Gives the terminal another size; what is on it until the program draws anew is anyone's guess.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        // Of a terminal that claims to be larger than any, a corner is enough.
        self.seen.0.lock().unwrap().parser.set_size(
            at_least_one(rows.min(LARGEST)),
            at_least_one(columns.min(LARGEST)),
        );
        self.master
            .as_ref()
            .unwrap()
            .resize(size(columns, rows))
            .unwrap();
    }

    /// Waits until `is_there` holds; answers whether it did before the time was up.
    fn wait(&self, patience: Duration, is_there: impl Fn(&Seen) -> bool) -> bool {
        let until = Instant::now() + patience;
        let mut seen = self.seen.0.lock().unwrap();
        while !is_there(&seen) {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                return false;
            };
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
        true
    }

    /// Waits for a text on the screen.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(&format!("`{text}`"), |screen| {
            screen.contents().contains(text)
        });
    }

    /// Waits for a state of the screen; `what` names it.
    pub(crate) fn wait_until(&self, what: &str, is_there: impl Fn(&vt100::Screen) -> bool) {
        self.wait_within(PATIENCE, what, is_there);
    }

    /// Waits for a state of the screen no longer than this.
    pub(crate) fn wait_within(
        &self,
        patience: Duration,
        what: &str,
        is_there: impl Fn(&vt100::Screen) -> bool,
    ) {
        let came = self.wait(patience, |seen| is_there(seen.parser.screen()));
        assert!(came, "no {what} on this screen:\n{}", self.contents());
    }

    /// Looks at the screen.
    pub(crate) fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.seen.0.lock().unwrap().parser.screen())
    }

    /// Waits for a row that holds all these texts.
    pub(crate) fn wait_for_row(&self, texts: &[&str]) {
        let has = |row: &str| texts.iter().all(|text| row.contains(text));
        self.wait_until(&format!("row with {texts:?}"), |screen| {
            let columns = screen.size().1.get();
            screen.rows(0, columns).any(|row| has(&row))
        });
    }

    /// Waits for a sheet: its title is drawn into a line that holds this name too.
    pub(crate) fn wait_for_sheet(&self, name: &str) {
        self.wait_for_row(&["── ", name]);
    }

    /// Waits until a capture counts down the seconds that are left.
    pub(crate) fn wait_for_countdown(&self) {
        self.wait_until("countdown", |screen| seconds_left(screen).is_some());
    }

    /// Waits until no capture counts down.
    pub(crate) fn wait_for_no_countdown(&self) {
        self.wait_until("end of the countdown", |screen| {
            seconds_left(screen).is_none()
        });
    }

    /// Whether any byte comes within that time.
    pub(crate) fn speaks_within(&self, time: Duration) -> bool {
        let before = self.bytes().len();
        self.wait(time, |seen| seen.bytes.len() > before)
    }

    /// Waits until nothing has come for a while.
    pub(crate) fn settle(&self) {
        let until = Instant::now() + PATIENCE;
        while self.speaks_within(Duration::from_millis(700)) {
            assert!(
                Instant::now() < until,
                "it never comes to rest:\n{}",
                self.contents()
            );
        }
    }

    pub(crate) fn contents(&self) -> String {
        self.seen.0.lock().unwrap().parser.screen().contents()
    }

    /// What the eye sees, row by row, to compare: a blank has a ground but no ink.
    pub(crate) fn look(&self) -> Vec<String> {
        let seen = self.seen.0.lock().unwrap();
        let screen = seen.parser.screen();
        let (rows, columns) = screen.size();
        let cell = |row, column| {
            let Some(cell) = screen.cell(row, column) else {
                return String::new();
            };
            let ground = format!("{:?}{}{}", cell.bgcolor(), cell.inverse(), cell.underline());
            match cell.contents() {
                "" | " " => format!(" {ground}"),
                text => format!("{text}{:?}{}{ground}", cell.fgcolor(), cell.bold()),
            }
        };
        (0..rows.get())
            .map(|row| (0..columns.get()).map(|column| cell(row, column)).collect())
            .collect()
    }

    /// All bytes that came.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.0.lock().unwrap().bytes.clone()
    }

    /// Whether the keys go to the program unread by the terminal's line editor.
    pub(crate) fn is_raw(&self) -> bool {
        let modes = tcgetattr(File::open(&self.tty).unwrap())
            .unwrap()
            .local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// The program's process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Ends the program as the system does when it needs the memory: it can do nothing about it.
    pub(crate) fn kill(&mut self) {
        self.signal(rustix::process::Signal::KILL);
        self.child.wait().unwrap();
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = self
            .child
            .process_id()
            .and_then(|id| rustix::process::Pid::from_raw(id as i32))
            .unwrap();
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// Waits for the program's end and answers its exit code.
    pub(crate) fn exit_code(&mut self) -> u32 {
        self.ends_within(PATIENCE)
            .unwrap_or_else(|| panic!("it does not end:\n{}", self.contents()))
    }

    /// The exit code, if the program ends in that time.
    pub(crate) fn ends_within(&mut self, time: Duration) -> Option<u32> {
        let until = Instant::now() + time;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert_eq!(status.signal(), None, "it was killed");
                return Some(status.exit_code());
            }
            if Instant::now() > until {
                return None;
            }
            // The system offers nothing to wait for a child with a time limit.
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asserts that the terminal is as it was before the program: each mode left that was entered, keys edited in lines.
    pub(crate) fn assert_restored(&self) {
        let text = || String::from_utf8_lossy(&self.bytes()).into_owned();
        self.wait(Duration::from_secs(5), |seen| {
            String::from_utf8_lossy(&seen.bytes).contains(CURSOR_ON)
        });
        for (on, off) in [
            (PASTE_ON, PASTE_OFF),
            (SCREEN_ON, SCREEN_OFF),
            (CURSOR_OFF, CURSOR_ON),
        ] {
            assert_eq!(
                text().matches(on).count(),
                text().matches(off).count(),
                "{on:?} and {off:?}"
            );
            assert!(text().rfind(off) > text().rfind(on), "{off:?} comes last");
        }
        // Modes that are never entered need no leaving: mouse reports, focus reports, other keyboards.
        for never in [
            "\x1b[?1000h",
            "\x1b[?1002h",
            "\x1b[?1003h",
            "\x1b[?1006h",
            "\x1b[?1004h",
            "\x1b[>1u",
        ] {
            assert!(!text().contains(never), "{never:?}");
        }
        let seen = self.seen.0.lock().unwrap();
        let screen = seen.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        drop(seen);
        assert!(!self.is_raw(), "the shell's line editor has the keys again");
    }

    /// Takes nothing more from the terminal, and lets the program write until its main thread waits for that.
    #[cfg(target_os = "linux")]
    pub(crate) fn stall(&mut self) {
        self.seen.0.lock().unwrap().stalls = true;
        let id = self.id();
        let waits = || {
            std::fs::read_to_string(format!("/proc/{id}/task/{id}/wchan"))
                .is_ok_and(|place| place.contains("write") || place.contains("wait_woken"))
        };
        let until = Instant::now() + PATIENCE;
        while !(waits() && waits()) {
            assert!(Instant::now() < until, "it never waits for the terminal");
            self.send("\x0c");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Takes the terminal away while the program draws nothing.
    pub(crate) fn vanish(&mut self) {
        self.seen.0.lock().unwrap().leaves = true;
        // Wakes who reads here; the program knows nothing of it.
        let mut tty = File::options().write(true).open(&self.tty).unwrap();
        tty.write_all(b" ").unwrap();
        drop(tty);
        self.reader.take().unwrap().join().unwrap();
        (self.writer, self.master, self.slave) = (None, None, None);
    }

    /// Takes the terminal away, as a closed window or a dead link does. The program has to be drawing something soon.
    pub(crate) fn hang_up(&mut self) {
        self.seen.0.lock().unwrap().leaves = true;
        self.send("?");
        self.reader.take().unwrap().join().unwrap();
        (self.writer, self.master, self.slave) = (None, None, None);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.seen.0.lock().unwrap().stalls = false;
        self.seen.1.notify_all();
        // A test that failed leaves a program behind; it is ours, and has not been waited for.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
