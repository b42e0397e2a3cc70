//! However it ends, the terminal is as it was.

use std::time::Duration;

use rustix::process::Signal;

use crate::terminal::{PROGRAM, Terminal, fixture};
use crate::wording::wording;

fn open(columns: u16, rows: u16) -> Terminal {
    let terminal = Terminal::start(
        columns,
        rows,
        &["open", &fixture("cases/a08-self-and-child.pb")],
    );
    terminal.wait_for("child");
    terminal
}

#[test]
fn q_and_ctrl_c_leave_with_0() {
    for keys in ["q", "\x03", ":quit\r"] {
        let mut terminal = open(80, 24);
        assert!(terminal.is_raw());
        terminal.send(keys);
        assert_eq!(terminal.exit_code(), 0, "{keys:?}");
        terminal.assert_restored();
    }
}

#[test]
fn signals_end_it_with_their_own_codes() {
    for (signal, code) in [
        (Signal::TERM, 143),
        (Signal::HUP, 129),
        (Signal::INT, 130),
        (Signal::QUIT, 131),
        (Signal::USR1, 128 + Signal::USR1.as_raw()),
        (Signal::USR2, 128 + Signal::USR2.as_raw()),
        (Signal::ALARM, 142),
        (Signal::PROF, 128 + Signal::PROF.as_raw()),
    ] {
        let code = u32::try_from(code).unwrap();
        let mut terminal = open(80, 24);
        terminal.signal(signal);
        assert_eq!(terminal.exit_code(), code);
        terminal.assert_restored();
    }
}

#[test]
fn a_signal_during_a_capture_ends_it_at_once() {
    let mut terminal = Terminal::start(80, 24, &["demo"]);
    terminal.wait_for("7c1f2a9e");
    terminal.send("c\r");
    terminal.wait_for_countdown();
    terminal.signal(Signal::TERM);
    assert_eq!(
        terminal.ends_within(Duration::from_secs(5)),
        Some(143),
        "nothing is waited for"
    );
    terminal.assert_restored();
}

#[test]
fn a_file_that_does_not_come_keeps_nobody_from_leaving() {
    let mut terminal = open(80, 24);
    let pipe = terminal.home().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    terminal.send("o");
    terminal.settle();
    terminal.send(&format!("{}\r", pipe.display()));
    terminal.settle();
    terminal.send("q");
    assert_eq!(terminal.ends_within(Duration::from_secs(2)), Some(0));
    terminal.assert_restored();
}

#[test]
fn what_is_wrong_before_the_start_is_said_on_a_terminal_left_alone() {
    let broken = fixture("malformed/c03-gzip-truncated.pb.gz");
    for (arguments, code, word) in [
        (&["open", broken.as_str()][..], 1, "c03-gzip-truncated"),
        (&["open", "no-such-file.pb"], 1, "no-such-file.pb"),
        (&["--theme", "plaid", "demo"], 2, "plaid"),
        (&["--no-such-option"], 2, "no-such-option"),
    ] {
        let mut terminal = Terminal::start(80, 24, arguments);
        assert_eq!(terminal.exit_code(), code, "{arguments:?}");
        terminal.wait_for(word);
        let text = String::from_utf8_lossy(&terminal.bytes()).into_owned();
        assert!(
            !text.contains("\x1b[?1049h"),
            "the screen was not taken: {text:?}"
        );
        assert!(!terminal.is_raw());
    }
}

#[test]
fn a_terminal_that_can_show_no_screen_is_left_alone() {
    let file = fixture("cases/a08-self-and-child.pb");
    for term in ["", "dumb"] {
        for arguments in [
            &["open", &file][..],
            &["demo"],
            &["capture", "--worker=x", "--open"],
        ] {
            let mut terminal = Terminal::start_with(80, 24, arguments, &[("TERM", term)]);
            assert_eq!(terminal.exit_code(), 2, "TERM={term:?} {arguments:?}");
            terminal.wait_for("TERM");
            let text = String::from_utf8_lossy(&terminal.bytes()).into_owned();
            assert!(!text.contains("\x1b["), "{text:?}");
        }
    }
}

#[test]
fn without_a_terminal_it_says_so_and_ends_with_2() {
    let mut wording = wording!();
    for arguments in [
        &["demo"][..],
        &[],
        &["open", &fixture("cases/a08-self-and-child.pb")],
    ] {
        let home = tempfile::tempdir().unwrap();
        let output = std::process::Command::new(PROGRAM)
            .args(arguments)
            .env("FLARESCOPE_CACHE_DIR", home.path())
            .env("HOME", home.path())
            .env_remove("CLOUDFLARE_API_TOKEN")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        wording.add(said);
        assert_eq!(output.stdout, b"", "nothing but the message");
    }
}

#[test]
fn keys_come_from_the_terminal_where_standard_input_is_a_profile() {
    let file = fixture("cases/a08-self-and-child.pb");
    let mut terminal = Terminal::shell(
        80,
        24,
        &format!("'{PROGRAM}' open - < '{file}'; echo ended $?"),
    );
    terminal.wait_for("child");
    terminal.send("q");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_restored();
}

#[test]
fn a_terminal_that_goes_away_takes_the_program_with_it() {
    let file = fixture("cases/a08-self-and-child.pb");
    let patient = format!("trap '' HUP; exec '{PROGRAM}' open '{file}'");
    for mut terminal in [open(80, 24), Terminal::shell(80, 24, &patient)] {
        terminal.wait_for("child");
        terminal.settle();
        terminal.hang_up();
        assert_eq!(terminal.ends_within(Duration::from_secs(2)), Some(129));
    }
}

#[test]
fn suspended_and_resumed_it_draws_everything_again() {
    let file = fixture("cases/a08-self-and-child.pb");
    let script =
        format!("set -m; '{PROGRAM}' open '{file}'; echo STOPPED; read line; fg; echo ENDED $?");
    let mut terminal = Terminal::shell(80, 24, &script);
    terminal.wait_for("child");
    terminal.settle();
    let before = terminal.look();
    terminal.send("\x1a");
    terminal.wait_for("STOPPED");
    terminal.assert_restored();
    terminal.send("\n");
    terminal.wait_until("the screen again", |screen| {
        screen.alternate_screen() && screen.contents().contains("child")
    });
    terminal.settle();
    assert!(terminal.is_raw());
    assert_eq!(terminal.look(), before);
    terminal.send("q");
    terminal.wait_for("ENDED 0");
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_restored();
}

#[test]
fn a_capture_goes_on_while_the_program_is_stopped() {
    let script = format!(
        "set -m; '{PROGRAM}' demo --time-scale 0.1; echo STOPPED; read line; fg; echo ENDED $?"
    );
    let mut terminal = Terminal::shell(80, 24, &script);
    terminal.wait_for("7c1f2a9e");
    terminal.send("c\r");
    terminal.wait_for_countdown();
    terminal.send("\x1a");
    terminal.wait_for("STOPPED");
    terminal.send("\n");
    terminal.wait_for("validateAddress");
    terminal.send("q");
    terminal.wait_for("ENDED 0");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_storm_of_sizes_ends_with_the_same_view() {
    let mut terminal = open(80, 24);
    terminal.settle();
    let before = terminal.look();
    for (columns, rows) in [
        (80, 6),
        (20, 3),
        (1, 1),
        (0, 0),
        (200, 60),
        (60, 15),
        (59, 14),
        (2, 40),
        (80, 24),
    ] {
        terminal.resize(columns, rows);
    }
    terminal.settle();
    assert_eq!(terminal.look(), before);
    for (columns, rows) in [(59, 20), (80, 14), (20, 3), (1, 1)] {
        terminal.resize(columns, rows);
        terminal.settle();
        let text = terminal.contents();
        let size = format!("{columns}×{rows}");
        // In as many rows as it takes; in a single cell it has no room at all.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            (words.contains("60×15") && words.ends_with(&size))
                || (words.is_empty() && columns == 1),
            "{columns}×{rows}: {text}"
        );
        terminal.send("jk");
    }
    terminal.resize(80, 24);
    terminal.settle();
    assert_eq!(terminal.look(), before);
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_restored();
}

#[test]
fn a_terminal_without_a_size_is_drawn_on_as_80_by_24() {
    let mut terminal = open(0, 0);
    terminal.wait_for("? ");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_restored();
}
