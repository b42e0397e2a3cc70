//! Less than the program needs, and more than there can be.

use std::time::Duration;

use crate::terminal::{PROGRAM, Terminal, fixture};

#[test]
fn with_too_few_open_files_it_says_so_before_it_begins() {
    let file = fixture("cases/a08-self-and-child.pb");
    for (files, command, code) in [
        (6, format!("open '{file}'"), 1),
        (6, "list workers".to_owned(), 1),
        (8, "demo".to_owned(), 1),
        (14, "demo".to_owned(), 1),
        (8, format!("top '{file}'"), 0),
    ] {
        let script = format!("ulimit -n {files}; '{PROGRAM}' {command}; echo ended $?");
        let mut terminal = Terminal::shell(100, 30, &script);
        terminal.wait_for(&format!("ended {code}"));
        assert!(!terminal.contents().contains("panicked"));
        assert_eq!(terminal.exit_code(), 0);
    }
}

#[test]
fn with_as_many_open_files_as_it_asks_for_it_captures() {
    let script = format!("ulimit -n 64; '{PROGRAM}' demo --time-scale 0.05; echo ended $?");
    let mut terminal = Terminal::shell(100, 30, &script);
    terminal.wait_for("7c1f2a9e");
    terminal.send("c\r");
    terminal.wait_for("validateAddress");
    terminal.send("q");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_terminal_of_65535_columns_and_rows_is_drawn_on_in_part() {
    let mut terminal = Terminal::start(80, 24, &["demo", "--time-scale", "0.05"]);
    terminal.wait_for("7c1f2a9e");
    for (columns, rows) in [(u16::MAX, u16::MAX), (u16::MAX, 24), (80, u16::MAX)] {
        terminal.resize(columns, rows);
        terminal.settle();
    }
    terminal.resize(80, 24);
    terminal.wait_for("7c1f2a9e");
    terminal.send("q");
    assert_eq!(terminal.ends_within(Duration::from_secs(5)), Some(0));
    terminal.assert_restored();
}
