//! A panic inside drawing gives the terminal back before it is told.

use flarescope::term::Screen;

use crate::terminal::Terminal;

/// Set in the process that draws and panics.
const DRAWS: &str = "FLARESCOPE_TEST_DRAWS_AND_PANICS";

/// The process that the test below watches; by itself there is nothing to do.
#[test]
fn draws_and_panics() {
    if std::env::var_os(DRAWS).is_some() {
        let mut screen = Screen::take().unwrap();
        let _ = screen.draw(|_| panic!("the flame went out"));
    }
}

#[test]
fn a_panic_inside_drawing_gives_the_terminal_back_first_and_once() {
    let program = std::env::current_exe().unwrap();
    let arguments = "--exact panics::draws_and_panics --nocapture --test-threads=1";
    let mut terminal = Terminal::shell(
        80,
        24,
        &format!("{DRAWS}=1 exec '{}' {arguments}", program.display()),
    );
    terminal.wait_for("the flame went out");
    assert_ne!(terminal.exit_code(), 0);
    terminal.assert_restored();
    let bytes = terminal.bytes();
    let text = String::from_utf8_lossy(&bytes);
    for once in ["\x1b[?1049l", "\x1b[?2004l", "\x1b[?25h"] {
        assert_eq!(text.matches(once).count(), 1, "{once:?}");
        assert!(
            text.find(once) < text.find("the flame went out"),
            "{once:?} before the message"
        );
    }
}
