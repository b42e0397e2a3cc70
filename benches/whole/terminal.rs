//! Programs in a terminal: until the first picture is there, and from a key to the end of its repaint.

use std::fs;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{Inputs, PROGRAM, commands, found, median, text};

const COLUMNS: u16 = 200;
const ROWS: u16 = 50;
/// Silence that ends a repaint.
const SILENCE: Duration = Duration::from_millis(80);
/// The longest that anything is waited for; a million stacks take another program half a minute.
const PATIENCE: Duration = Duration::from_secs(180);
const STARTS: usize = 3;
const PRESSES: usize = 9;
/// Presses that lead to the root from anywhere, and those from there to where keys are measured.
const STACK: usize = 250;
const DEPTH: usize = 8;
/// A held key repeats so often a second.
const REPEATS: u32 = 30;

/// A program with the keys that do the same in each.
struct Program {
    argv: Vec<String>,
    /// On the screen once it is painted.
    ready: &'static str,
    up: &'static str,
    down: &'static str,
    zoom_in: &'static str,
    zoom_out: &'static str,
    page_down: &'static str,
    page_up: &'static str,
    /// The line of the search, one letter after the other; `None`: it shows nothing before the line is sent.
    search: Option<&'static str>,
}

/// What one program cost.
#[derive(Default)]
struct Costs {
    start_ms: Vec<f64>,
    start_cpu_ms: Vec<f64>,
    start_bytes: Vec<f64>,
    memory_mib: Vec<f64>,
    /// By action: name, milliseconds and bytes.
    actions: Vec<(&'static str, f64, f64)>,
}

/// Runs ours and the other in turn and prints their table.
pub(crate) fn measure(inputs: &Inputs) {
    let ours = Program {
        argv: vec![
            PROGRAM.to_owned(),
            "open".to_owned(),
            text(&inputs.pprof).to_owned(),
        ],
        ready: "self %",
        up: "k",
        down: "j",
        zoom_in: "\r",
        zoom_out: "\x7f",
        page_down: "\x1b[6~",
        page_up: "\x1b[5~",
        search: Some("met"),
    };
    let peer = found("flamelens").map(|file| Program {
        argv: vec![text(&file).to_owned(), text(&inputs.folded).to_owned()],
        ready: "Selected",
        up: "k",
        down: "j",
        zoom_in: "\r",
        zoom_out: "\x1b",
        page_down: "f",
        page_up: "b",
        search: None,
    });
    let (mut costs, mut peers) = (Costs::default(), Costs::default());
    for start in 0..STARTS {
        let keys = start + 1 == STARTS;
        once(&ours, &mut costs, keys);
        if let Some(peer) = &peer {
            once(peer, &mut peers, keys);
        }
    }
    println!("| in a terminal | ours | other | other / ours |");
    println!("|---|---|---|---|");
    let row = |what: &str, ours: f64, peer: Option<f64>, unit: &str| {
        let (other, ratio) = match peer.filter(|figure| figure.is_finite()) {
            Some(peer) if ours > 0.0 => {
                (format!("{peer:.1} {unit}"), format!("{:.1}", peer / ours))
            }
            Some(peer) => (format!("{peer:.1} {unit}"), "–".to_owned()),
            None => ("–".to_owned(), "–".to_owned()),
        };
        println!("| {what} | {ours:.1} {unit} | {other} | {ratio} |");
    };
    let of = |figures: fn(&Costs) -> &Vec<f64>| {
        (
            median(figures(&costs).clone()),
            Some(median(figures(&peers).clone())),
        )
    };
    for (what, unit, (ours, peer)) in [
        ("first picture", "ms", of(|costs| &costs.start_ms)),
        (
            "processor time for it",
            "ms",
            of(|costs| &costs.start_cpu_ms),
        ),
        ("its bytes", "B", of(|costs| &costs.start_bytes)),
        ("memory at its most", "MiB", of(|costs| &costs.memory_mib)),
    ] {
        row(what, ours, peer, unit);
    }
    for &(name, ms, bytes) in &costs.actions {
        let peer = peers.actions.iter().find(|(other, ..)| *other == name);
        row(name, ms, peer.map(|(_, ms, _)| *ms), "ms");
        row(
            &format!("{name}: bytes a press"),
            bytes,
            peer.map(|(.., bytes)| *bytes),
            "B",
        );
    }
}

/// One start, and the keys if they are asked for.
fn once(program: &Program, costs: &mut Costs, keys: bool) {
    let mut session = Session::start(program);
    costs.start_ms.push(session.until_ready(program.ready));
    costs.start_cpu_ms.push(session.processor_ms());
    costs.start_bytes.push(session.repaint(session.began).1);
    if keys {
        session.press_all(program, costs);
    }
    costs.memory_mib.push(session.peak_memory());
    // Whatever it would still do is of no interest.
    let _ = session.child.kill();
    let _ = session.child.wait();
}

/// A program in its terminal.
struct Session {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    writer: Box<dyn std::io::Write + Send>,
    /// What it wrote, with the moment it was read.
    chunks: Receiver<(Instant, Vec<u8>)>,
    began: Instant,
    /// The end and the bytes of what was read before anybody asked.
    read: (Option<Instant>, usize),
}

impl Session {
    fn start(program: &Program) -> Self {
        let size = PtySize {
            rows: ROWS,
            cols: COLUMNS,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::from_argv(program.argv.iter().map(Into::into).collect());
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        let mut from = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let began = Instant::now();
        let child = pair.slave.spawn_command(command).expect("a program");
        let (to, chunks) = channel();
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                if to.send((Instant::now(), buffer[..count].to_vec())).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            _master: pair.master,
            writer,
            chunks,
            began,
            read: (None, 0),
        }
    }

    /// Milliseconds from the start until a text stands on the screen.
    fn until_ready(&mut self, text: &str) -> f64 {
        let at_least_one = |number| NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN);
        let mut screen = vt100::Parser::new(at_least_one(ROWS), at_least_one(COLUMNS), 0);
        loop {
            let (at, bytes) = self.chunks.recv_timeout(PATIENCE).expect("a picture");
            self.read = (Some(at), self.read.1 + bytes.len());
            screen.process(&bytes);
            if screen.screen().contents().contains(text) {
                return ms(at - self.began);
            }
        }
    }

    /// Milliseconds from a moment to the last byte before a silence, and the bytes. Zero bytes if there was no output.
    fn repaint(&mut self, since: Instant) -> (f64, f64) {
        let (mut last, mut bytes) = std::mem::take(&mut self.read);
        // What takes long to begin is waited for; what has begun ends with a silence.
        let first = if last.is_some() {
            SILENCE
        } else {
            PATIENCE.min(Duration::from_secs(5))
        };
        let mut wait = first;
        while let Ok((at, chunk)) = self.chunks.recv_timeout(wait) {
            (last, bytes, wait) = (Some(at), bytes + chunk.len(), SILENCE);
        }
        (
            last.map_or(0.0, |at| ms(at.saturating_duration_since(since))),
            bytes as f64,
        )
    }

    /// Sends a key; answers as [`Self::repaint`].
    fn press(&mut self, key: &str) -> (f64, f64) {
        while self.chunks.try_recv().is_ok() {}
        self.read = (None, 0);
        let since = Instant::now();
        self.writer
            .write_all(key.as_bytes())
            .and_then(|()| self.writer.flush())
            .expect("a program that runs");
        self.repaint(since)
    }

    fn press_all(&mut self, program: &Program, costs: &mut Costs) {
        let mut note = |name, figures: Vec<(f64, f64)>| {
            let of = |figure: fn(&(f64, f64)) -> f64| median(figures.iter().map(figure).collect());
            costs
                .actions
                .push((name, of(|figures| figures.0), of(|figures| figures.1)));
        };
        // All begin at the same place, some callers below the root.
        self.press(&program.up.repeat(STACK));
        for _ in 0..DEPTH {
            self.press(program.down);
        }
        let mut pairs = |one, other| -> (Vec<_>, Vec<_>) {
            (0..PRESSES)
                .map(|_| (self.press(one), self.press(other)))
                .unzip()
        };
        note("up", pairs(program.up, program.down).0);
        let (zooms_in, zooms_out) = pairs(program.zoom_in, program.zoom_out);
        note("zoom in", zooms_in);
        note("zoom out", zooms_out);
        note("page down", pairs(program.page_down, program.page_up).0);
        self.press(&program.up.repeat(STACK));
        note(
            "down, held 30 times a second: behind at the end",
            vec![self.hold(program.down)],
        );
        if let Some(letters) = program.search {
            self.press("/");
            let letters = letters.split("").filter(|letter| !letter.is_empty());
            note(
                "a letter of a search",
                letters.map(|letter| self.press(letter)).collect(),
            );
        }
    }

    /// Presses a key as one that is held down: how far behind the last press the last repaint is, and bytes a press.
    fn hold(&mut self, key: &str) -> (f64, f64) {
        let mut last = Instant::now();
        for _ in 0..REPEATS {
            last = Instant::now();
            self.writer
                .write_all(key.as_bytes())
                .and_then(|()| self.writer.flush())
                .expect("a program that runs");
            thread::sleep(Duration::from_secs(1) / REPEATS);
        }
        let (behind, bytes) = self.repaint(last);
        (behind, bytes / f64::from(REPEATS))
    }

    /// What all its threads have used so far, to a hundredth of a second.
    fn processor_ms(&self) -> f64 {
        let stat = self
            .child
            .process_id()
            .and_then(|id| fs::read_to_string(format!("/proc/{id}/stat")).ok());
        commands::ticks(&stat.unwrap_or_default(), 11) * 1e3 / commands::TICKS
    }

    /// MiB of memory at its most.
    fn peak_memory(&self) -> f64 {
        let status = self
            .child
            .process_id()
            .and_then(|id| fs::read_to_string(format!("/proc/{id}/status")).ok());
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: Option<f64> =
            line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        kib.map_or(f64::NAN, |kib| kib / 1024.0)
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
