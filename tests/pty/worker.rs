//! `--worker NAME` from the shell to the form, against the demo server in a process of its own.
#![cfg(target_os = "linux")]

use crate::relay::Place;
use crate::terminal::Terminal;

fn on(place: &Place, worker: &str) -> Terminal {
    let variables: Vec<(&str, &str)> = place
        .variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    Terminal::start_with(100, 30, &["--worker", worker], &variables)
}

#[test]
fn the_screen_selects_the_worker_that_was_named_and_captures_that() {
    let place = Place::new("0.05");
    let mut terminal = on(&place, "storefront");
    terminal.wait_for_row(&["▸storefront"]);
    // The figures bring others to the top.
    terminal.wait_for_row(&["checkout-api", "412"]);
    terminal.settle();
    terminal.wait_for_row(&["▸storefront"]);
    terminal.send("c");
    terminal.wait_for_sheet("storefront");
    terminal.send("\x1b");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    // The next start shows the list from the disk first.
    let mut again = on(&place, "storefront");
    again.wait_for_row(&["▸storefront"]);
    again.settle();
    again.wait_for_row(&["▸storefront"]);
    again.send("q");
    assert_eq!(again.exit_code(), 0);
}

#[test]
fn a_worker_that_is_not_there_is_reported_and_no_other_one_is_captured() {
    let place = Place::new("0.05");
    let mut terminal = on(&place, "storefornt");
    terminal.wait_for_row(&["storefornt", "storefront"]);
    terminal.send("c\r");
    terminal.settle();
    assert!(
        !terminal.contents().contains("── "),
        "{}",
        terminal.contents()
    );
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}
