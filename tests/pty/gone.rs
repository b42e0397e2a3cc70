//! A terminal that goes, stalls, or is taken by others: the program ends or comes back, and never spins.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::terminal::{PROGRAM, Terminal, fixture};

/// How soon it has to be over.
const SOON: Duration = Duration::from_secs(2);

fn file() -> String {
    fixture("cases/a08-self-and-child.pb")
}

/// Waits for something that nothing tells of; answers how long it took.
fn until<T>(what: &str, patience: Duration, found: impl Fn() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(since.elapsed() < patience, "no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// State and parent of a process; `None` if it is gone.
fn stat(id: i32) -> Option<(char, i32)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
}

/// The program that a shell runs.
fn under(shell: u32) -> i32 {
    let is_program = |id: &i32| {
        stat(*id).is_some_and(|(_, parent)| parent == shell as i32)
            && fs::read_to_string(format!("/proc/{id}/comm"))
                .is_ok_and(|name| name == "flarescope\n")
    };
    until("program", Duration::from_secs(20), || {
        let all = fs::read_dir("/proc").ok()?;
        let mut ids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        ids.find(is_program)
    })
}

fn send(id: i32, signal: Signal) {
    kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
}

#[test]
fn it_ends_without_its_terminal_and_without_a_signal() {
    for (keys, arguments, there) in [
        ("", format!("open '{}'", file()), "child"),
        ("?", format!("open '{}'", file()), "child"),
        ("c\r", "demo".to_owned(), "7c1f2a9e"),
    ] {
        // In a session of its own nobody sends it SIGHUP.
        let script = format!("trap '' HUP; setsid '{PROGRAM}' {arguments}; echo $? > code");
        let mut terminal = Terminal::shell(80, 24, &script);
        terminal.wait_for(there);
        terminal.send(keys);
        std::thread::sleep(Duration::from_millis(500));
        terminal.vanish();
        let code: PathBuf = terminal.home().join("code");
        let code = until("end", SOON, || {
            fs::read_to_string(&code)
                .ok()
                .filter(|text| !text.is_empty())
        });
        assert_eq!(code, "129\n", "{keys:?}");
    }
}

#[test]
fn in_the_background_of_a_shell_that_was_killed_it_ends_too() {
    let script = format!(
        "set -m; '{PROGRAM}' open '{}'; echo STOPPED; read line",
        file()
    );
    let mut terminal = Terminal::shell(80, 24, &script);
    terminal.wait_for("child");
    terminal.settle();
    let program = under(terminal.id());
    send(program, Signal::STOP);
    terminal.wait_for("STOPPED");
    send(program, Signal::CONT);
    std::thread::sleep(Duration::from_millis(300));
    terminal.kill();
    terminal.vanish();
    until("end", SOON, || {
        stat(program)
            .is_none_or(|(state, _)| state == 'Z')
            .then_some(())
    });
}

#[test]
fn a_terminal_that_takes_nothing_more_keeps_no_signal_from_ending_it() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut terminal = Terminal::start(200, 60, &["open", &file()]);
        terminal.wait_for("child");
        terminal.stall();
        let since = Instant::now();
        terminal.signal(signal);
        assert_eq!(terminal.ends_within(SOON), Some(code));
        assert!(since.elapsed() < SOON);
        assert!(!terminal.is_raw(), "the line editor has the keys again");
    }
}

#[test]
fn stopped_from_outside_it_gives_the_terminal_back_and_takes_it_again() {
    for (signal, shell) in [
        (Signal::TSTP, ":"),
        // Nothing can be done about this one; the shell puts its own modes back.
        (Signal::STOP, "stty sane"),
    ] {
        let script = format!(
            "set -m; '{PROGRAM}' open '{}'; {shell}; echo STOPPED; read line; fg; echo ENDED $?",
            file()
        );
        let mut terminal = Terminal::shell(80, 24, &script);
        terminal.wait_for("child");
        terminal.settle();
        let before = terminal.look();
        send(under(terminal.id()), signal);
        terminal.wait_for("STOPPED");
        if signal == Signal::TSTP {
            terminal.assert_restored();
        }
        terminal.send("\n");
        terminal.wait_until("the screen again", |screen| {
            screen.alternate_screen()
                && screen.contents().contains("child")
                && !screen.contents().contains("STOPPED")
        });
        terminal.settle();
        assert!(terminal.is_raw(), "{signal:?}");
        assert_eq!(terminal.look(), before, "{signal:?}");
        terminal.send("q");
        terminal.wait_for("ENDED 0");
        assert_eq!(terminal.exit_code(), 0);
        assert!(!terminal.is_raw());
    }
}
