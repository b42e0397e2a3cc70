//! Input in masses, out of turn, and from others than the user.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::terminal::{Terminal, fixture};

const SOON: Duration = Duration::from_secs(3);

fn open() -> Terminal {
    let terminal = Terminal::start(80, 24, &["open", &fixture("cases/a04-inlined.pb")]);
    terminal.wait_for_row(&["▸inner"]);
    terminal.settle();
    terminal
}

fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_restored();
}

#[test]
fn all_keys_that_wait_are_taken_without_another_one() {
    for keys in [
        // What a held arrow sends while the link stalls.
        "\x1b[B\x1b[A".repeat(1_000),
        // A paste of 100 kB where no paste is marked.
        "jk".repeat(50_000),
    ] {
        let mut terminal = open();
        terminal.send(&keys);
        terminal.send("/inn");
        terminal.wait_for("/inn▏");
        terminal.send("\x1b");
        quit(terminal);
    }
}

#[test]
fn text_that_waits_is_typed_to_its_end() {
    let mut terminal = open();
    // Nothing is searched for meanwhile.
    terminal.send("o");
    terminal.settle();
    terminal.send(&format!("{}the end", "x".repeat(3_000)));
    terminal.wait_for("the end▏");
    terminal.send("\x1b");
    quit(terminal);
}

#[test]
fn a_paste_that_is_too_long_says_so() {
    for length in [4_200, 100_000] {
        let mut terminal = open();
        terminal.send("/");
        terminal.wait_for("/▏");
        terminal.send(&format!("\x1b[200~{}\x1b[201~", "x".repeat(length)));
        let number = if length == 4_200 { "4,200" } else { "100,000" };
        terminal.wait_for(number);
        terminal.send("\x1b[200~inn\x1b[201~");
        terminal.wait_for("/inn▏");
        terminal.send("\x1b");
        quit(terminal);
    }
}

#[test]
fn late_answers_of_the_terminal_are_no_keys() {
    let mut terminal = Terminal::start(80, 24, &["demo"]);
    terminal.wait_for("7c1f2a9e");
    terminal.settle();
    let before = terminal.look();
    for answer in [
        "\x1b[?64;1;2;6;9;15c",
        "\x1b[>0;276;0c",
        "\x1b[12;40R",
        "\x1b[?2026;2$y",
        "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        "\x1b]10;rgb:cccc/cccc/cccc\x07",
        "\x1bP>|XTerm(388)\x1b\\",
        "\x1b[I",
        "\x1b[O",
    ] {
        terminal.send(answer);
        assert!(
            !terminal.speaks_within(Duration::from_millis(300)),
            "{answer:?}"
        );
    }
    // In pieces, as a slow link has them.
    for piece in [
        "\x1b]11;rgb:cc",
        "cc/cccc",
        "/cccc\x1b",
        "\\",
        "\x1b[>0;2",
        "76;0c",
    ] {
        terminal.send(piece);
        std::thread::sleep(Duration::from_millis(100));
    }
    terminal.settle();
    assert_eq!(terminal.look(), before);
    quit(terminal);
}

#[test]
fn keys_typed_ahead_of_the_list_are_for_its_rows() {
    let mut terminal = Terminal::start(100, 30, &["demo"]);
    terminal.send("jc");
    terminal.wait_for_row(&["[cpu]"]);
    terminal.send("\x1b");
    quit(terminal);

    let mut terminal = Terminal::start(100, 30, &["demo"]);
    terminal.send("/storefr\rc");
    terminal.wait_for_sheet("storefront");
    terminal.send("\x1b");
    quit(terminal);

    let mut terminal = Terminal::start(100, 30, &["demo"]);
    terminal.send("jcq");
    assert_eq!(terminal.exit_code(), 0, "leaving waits for nothing");

    let mut terminal = Terminal::start(100, 30, &["demo"]);
    terminal.send("jC");
    terminal.wait_until("history", |screen| screen.contents().contains("captures"));
    terminal.settle();
    assert!(!terminal.contents().contains("[cpu]"));
    quit(terminal);
}

#[test]
fn a_path_is_found_as_it_was_dragged() {
    let mut terminal = open();
    let folder = terminal.home().display().to_string();
    std::fs::copy(
        fixture("cases/a08-self-and-child.pb"),
        terminal.home().join("a b.pb"),
    )
    .unwrap();
    let back = fixture("cases/a04-inlined.pb");
    for path in [
        format!("'{folder}/a b.pb'"),
        format!("\"{folder}/a b.pb\" "),
        format!("{folder}/a\\ b.pb"),
        format!("file://{folder}/a%20b.pb"),
        format!("{folder}/a b.pb"),
    ] {
        for (path, shows) in [(&path, "child"), (&back, "inner")] {
            terminal.send("o");
            terminal.settle();
            terminal.send("\x15");
            terminal.send(&format!("\x1b[200~{path}\x1b[201~\r"));
            terminal.wait_for_row(&[shows, "worker.js"]);
        }
    }
    quit(terminal);
}

#[test]
fn a_tmux_that_hangs_stops_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let tmux = dir.path().join("tmux");
    std::fs::write(&tmux, "#!/bin/sh\nexec sleep 20\n").unwrap();
    std::fs::set_permissions(&tmux, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!(
        "{}:{}",
        dir.path().display(),
        std::env::var("PATH").unwrap()
    );
    let mut terminal = Terminal::start_with(
        80,
        24,
        &["open", &fixture("cases/a04-inlined.pb")],
        &[("PATH", &path), ("TMUX", "/tmp/none,1,0")],
    );
    terminal.wait_for_row(&["▸inner"]);
    terminal.settle();
    let before = terminal.bytes().len();
    terminal.send("y/inn");
    terminal.wait_within(SOON, "typed text", |screen| {
        screen.contents().contains("/inn▏")
    });
    let sent = |terminal: &Terminal| {
        String::from_utf8_lossy(&terminal.bytes()[before..]).contains("\x1b]52;c;")
    };
    terminal.settle();
    assert!(sent(&terminal), "the terminal gets it instead");
    terminal.send("\x1b");
    quit(terminal);
}
