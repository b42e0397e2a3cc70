//! A whole session, as on call: from the list to an exported flame graph.

use std::time::Duration;

use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::view::View;

use flarescope::store::Store;

use crate::terminal::{PROGRAM, Terminal, seconds_left};

#[test]
fn from_the_list_to_an_exported_view_and_back_to_the_shell() {
    let mut terminal = Terminal::start(120, 40, &["demo", "--time-scale", "0.05"]);
    terminal.wait_for_row(&["checkout-api", "req/s"]);
    assert!(terminal.is_raw());
    terminal.send("/che");
    terminal.wait_for("checkout-webhooks");
    terminal.wait_until("filtered list", |screen| {
        !screen.contents().contains("geo-router")
    });
    terminal.send("\r");
    terminal.wait_for_row(&["7c1f2a9e", "v128"]);
    terminal.send("c");
    terminal.wait_for_sheet("checkout-api");
    terminal.send("\r");
    terminal.wait_for_countdown();

    // Not the row of the capture in the Worker's panel, which is there before the profile is.
    terminal.wait_for_row(&["validateAddress", "63.7", "worker.js:25"]);
    terminal.send("/parseC\r");
    terminal.send("n");
    terminal.wait_for_row(&["▸parseCart"]);
    terminal.send("\r");
    terminal.wait_until("ceiling with the path", |screen| {
        screen
            .rows(0, 120)
            .nth(1)
            .is_some_and(|row| row.contains("› parseCart"))
    });
    terminal.send("\x1b");
    terminal.send("e");
    terminal.wait_for_row(&["[pprof]"]);
    let path = terminal.home().join("view.pb.gz");
    terminal.send("\t\t\t\x15");
    terminal.send(path.to_str().unwrap());
    terminal.send("\r");
    terminal.wait_until("written file", |_| path.exists());
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.assert_restored();

    let written = formats::read(std::fs::File::open(&path).unwrap(), "view").unwrap();
    let reading = read(&written, &View::new(&written)).unwrap();
    assert!(reading.heaviest_named("parseCart").is_some());
    let kept = std::fs::read_dir(terminal.home().join("cache"))
        .unwrap()
        .count();
    assert!(kept > 0, "the capture is on disk");
}

#[test]
fn at_rest_nothing_is_sent() {
    let mut terminal = Terminal::start(80, 24, &["demo"]);
    terminal.wait_for("7c1f2a9e");
    terminal.settle();
    assert!(!terminal.speaks_within(Duration::from_secs(1)));
    terminal.send("Q");
    assert!(
        !terminal.speaks_within(Duration::from_millis(500)),
        "a key without a meaning costs nothing"
    );
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_countdown_moves_four_times_a_second_at_most() {
    let mut terminal = Terminal::start(80, 24, &["demo"]);
    terminal.wait_for("7c1f2a9e");
    terminal.settle();
    terminal.send("c\r");

    terminal.wait_until("eight seconds", |screen| {
        seconds_left(screen).is_some_and(|left| left <= 8.0)
    });
    let before = terminal.bytes().len();
    terminal.wait_until("six seconds", |screen| {
        seconds_left(screen).is_some_and(|left| left <= 6.0)
    });
    let frames = String::from_utf8_lossy(&terminal.bytes()[before..])
        .matches("\x1b[?2026h")
        .count();
    assert!(
        (4..=12).contains(&frames),
        "{frames} frames in some two seconds"
    );
    terminal.send("\x1b");
    terminal.wait_for_no_countdown();
    terminal.settle();
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn how_to_begin_is_reported_at_the_first_start_alone() {
    // Without the mark that the other tests put there.
    let script = format!("rm .local/state/flarescope/started; {PROGRAM} demo; {PROGRAM} demo");
    let mut terminal = Terminal::shell(80, 24, &script);
    let sheet = "── ";
    terminal.wait_for(sheet);
    terminal.send("j");
    terminal.wait_until("a list without it", |screen| {
        !screen.contents().contains(sheet)
    });
    terminal.send("q");
    terminal.wait_until("the shell", |screen| !screen.alternate_screen());
    terminal.wait_for("7c1f2a9e");
    terminal.settle();
    assert!(
        !terminal.contents().contains(sheet),
        "{}",
        terminal.contents()
    );
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn what_was_deleted_and_left_at_once_is_restored_in_the_next_session() {
    let cache = tempfile::tempdir().unwrap();
    let variables = [("FLARESCOPE_CACHE_DIR", cache.path().to_str().unwrap())];
    let mut terminal = Terminal::start_with(100, 30, &["demo", "--time-scale", "0.05"], &variables);
    terminal.wait_for("7c1f2a9e");
    terminal.send("c\r");
    terminal.wait_for_row(&["validateAddress", "63.7"]);
    terminal.send("C");
    terminal.wait_for_row(&["validateAddress", "63.7"]);
    terminal.send("rslow checkout\r");
    let store = Store::open(cache.path());
    let is_named = || {
        let captures = store.list().unwrap().captures;
        captures
            .iter()
            .any(|capture| capture.keeping.title.as_deref() == Some("slow checkout"))
    };
    terminal.wait_until("name", |_| is_named());
    // Nothing is waited for between the two keys: leaving must not lose what the first one asked for.
    terminal.send("Xq");
    assert_eq!(terminal.exit_code(), 0);
    let files =
        |folder: &str| std::fs::read_dir(cache.path().join(folder)).map_or(0, Iterator::count);
    // The lock stays.
    assert_eq!((files("profiles"), files("deleted")), (1, 2));
    let mut again = Terminal::start_with(100, 30, &["demo"], &variables);
    again.wait_for("7c1f2a9e");
    again.send("C");
    again.settle();
    again.send("u");
    again.wait_for_row(&["validateAddress", "63.7"]);
    assert!(is_named());
    again.send("q");
    assert_eq!(again.exit_code(), 0);
}
