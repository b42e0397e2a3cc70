//! Names that try to speak to the terminal, and names that terminals disagree about.

use crate::terminal::{Terminal, fixture};

/// Opens a profile, walks all over it with everything that shows names, and leaves.
fn walked(file: &str) -> Vec<u8> {
    let mut terminal = Terminal::start(100, 30, &["open", &fixture(file)]);
    terminal.wait_for("? ");
    for keys in [
        "gjjjjll", "\t", "jjjj", "D", "\x1b", "\t", "*n", "\x1b", "/e", "\r", "nN", "\x1b", "f",
        "u", "x", "U", "p", "p", "p", "p", "p", "\r", "e", "\x1b", ":", "\x1b", "Y", "y", "\t",
        "jjj", "C", "o", "\x1b", "q",
    ] {
        terminal.send(keys);
    }
    assert_eq!(terminal.exit_code(), 0, "{file}");
    terminal.assert_restored();
    terminal.bytes()
}

/// The sequences of a program's output that are not ours: everything but CSI of the kinds that drawing needs, and the
/// clipboard where a name was copied.
fn foreign(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bytes.to_vec()).expect("all that is drawn is UTF-8");
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(|c: char| c.is_control() && !matches!(c, '\r' | '\n')) {
        rest = &rest[at..];
        let known = clipboard(rest).or_else(|| csi(rest));
        let length = known.unwrap_or_else(|| {
            found.push(rest.chars().take(12).collect());
            rest.chars().next().map_or(1, char::len_utf8)
        });
        rest = &rest[length..];
    }
    found
}

/// The length of a clipboard sequence, whose text is base64 and nothing else.
fn clipboard(text: &str) -> Option<usize> {
    let head = "\x1b]52;c;";
    let payload = text.strip_prefix(head)?;
    let end =
        payload.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '/' | '='))?;
    let tail = payload[end..]
        .strip_prefix("\x1b\\")
        .map(|_| 2)
        .or(payload[end..].strip_prefix('\x07').map(|_| 1))?;
    Some(head.len() + end + tail)
}

/// The length of a sequence that moves, colours, clears or changes one of our modes.
fn csi(text: &str) -> Option<usize> {
    let body = text.strip_prefix("\x1b[")?;
    let end = body.find(|c: char| c.is_ascii_alphabetic())?;
    let (parameters, kind) = (&body[..end], body[end..].chars().next()?);
    let numbers = parameters
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ';' | ':'));
    let ours = match kind {
        'm' | 'H' | 'C' | 'G' | 'd' => numbers,
        'J' => parameters == "2",
        'X' | 'K' => numbers,
        'h' | 'l' => ["?25", "?1049", "?2004", "?2026"].contains(&parameters),
        _ => false,
    };
    ours.then_some(2 + end + 1)
}

#[test]
fn no_name_reaches_the_terminal_as_a_control() {
    for file in [
        "malformed/n01-terminal-escapes.pb",
        "malformed/n02-newline-tab-nul.pb",
        "malformed/m28-comments-with-escapes.pb",
        "malformed/n08-not-utf8.pb",
        "malformed/m24-v8-special-names.pb",
        "cases/a23-escapes.pb",
        "cases/a19-svg-esc-byte.pb",
    ] {
        let found = foreign(&walked(file));
        assert!(found.is_empty(), "{file}: {found:?}");
    }
}

#[test]
fn the_sieve_lets_nothing_through_that_a_name_could_do() {
    for evil in [
        "\x1b]52;c;!\x07",
        "\x1b[3J",
        "\x1b]0;title\x07",
        "\x1bc",
        "\x07",
        "\u{9b}2J",
        "\x1b[?1000h",
        "\x1b[6n",
        "\x1bP",
    ] {
        assert!(!foreign(evil.as_bytes()).is_empty(), "{evil:?}");
    }
    assert_eq!(
        foreign(b"\x1b[?2026h\x1b[1;2Ha\x1b[38;5;16mb\x1b]52;c;YQ==\x1b\\\x1b[?2026l"),
        [""; 0]
    );
}

#[test]
fn emoji_leave_nothing_behind_when_the_selection_moves_over_them() {
    for file in ["cases/a22-emoji.pb", "malformed/n04-wide-and-emoji.pb"] {
        let mut terminal = Terminal::start(80, 24, &["open", &fixture(file)]);
        terminal.wait_for("? ");
        for keys in ["gjjlljjhh", "\r", "\x7f", "\tjjjkk\t", "D\x1b", "aa", "g"] {
            terminal.send(keys);
            terminal.settle();
            let walked = terminal.look();
            terminal.send("\x0c");
            terminal.settle();
            assert_eq!(
                terminal.look(),
                walked,
                "{file} after {keys:?}: drawn step by step and drawn whole differ"
            );
        }
        terminal.send("q");
        assert_eq!(terminal.exit_code(), 0);
    }
}
