//! Keys as terminals send them, whole and in pieces.

use std::time::{Duration, Instant};

use crate::terminal::{Terminal, fixture};

fn deep() -> Terminal {
    let terminal = Terminal::start(80, 24, &["open", &fixture("cases/a04-inlined.pb")]);
    terminal.wait_for_row(&["inner", "100"]);
    terminal.settle();
    terminal
}

#[test]
fn an_arrow_that_a_slow_link_cuts_in_two_is_still_an_arrow() {
    let mut terminal = deep();
    let mut moved = false;
    // On a busy machine a gap may become longer than meant; one clean try is enough, and without rejoining none works.
    for _ in 0..10 {
        terminal.send("g");
        terminal.wait_for("▸all");
        let sent = Instant::now();
        terminal.send("\x1b");
        std::thread::sleep(Duration::from_millis(10));
        terminal.send("[B");
        let in_time = sent.elapsed() < Duration::from_millis(25);
        terminal.settle();
        moved = terminal.contents().contains("▸(root)");
        if moved || in_time {
            break;
        }
    }
    assert!(moved, "{}", terminal.contents());
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_lone_escape_is_one_and_backspace_has_two_bytes() {
    let mut terminal = deep();
    for backspace in ["\x7f", "\x08"] {
        terminal.send("/innx");
        terminal.wait_for("/innx▏");
        terminal.send(backspace);
        terminal.wait_for("/inn▏");
        terminal.send("\x1b");
        terminal.wait_until("a line that is gone", |screen| {
            !screen.contents().contains("/inn")
        });
    }
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn escape_and_a_key_that_arrive_together_are_both_there() {
    let mut terminal = deep();
    terminal.send("/inn\r");
    terminal.settle();
    terminal.send("\x1bq");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_paste_is_text_and_never_a_command() {
    let mut terminal = deep();
    terminal.send("\x1b[200~q\rq\x1b[201~");
    terminal.send("/");
    terminal.wait_for("/▏");
    terminal.send("\x1b[200~in\rner\x1b[201~");
    terminal.wait_for("/inner▏");
    terminal.send("\rq");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn the_whole_screen_can_be_asked_for_again() {
    let mut terminal = deep();
    let before = terminal.look();
    let sent = terminal.bytes().len();
    terminal.send("\x0c");
    terminal.settle();
    assert_eq!(terminal.look(), before);
    assert!(terminal.bytes().len() - sent > 800, "it was drawn whole");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}
