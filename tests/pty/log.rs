//! The log of a screen and of the process that captures for it.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;

use crate::relay::Place;
use crate::terminal::Terminal;

#[test]
fn a_screen_and_the_process_that_captures_for_it_share_a_log() {
    let place = Place::new("0.1");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("log");
    let argument = format!("--log={}", file.display());
    let variables: Vec<(&str, &str)> = place
        .variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut terminal = Terminal::start_with(100, 30, &[&argument], &variables);
    terminal.wait_for("7c1f2a9e");
    terminal.send("c\r");
    terminal.wait_for("validateAddress");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);

    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(&place.token), "{text}");
    let mut processes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in text.lines() {
        let (_time, rest) = line.split_once(' ').unwrap();
        let (pid, rest) = rest.split_once(' ').unwrap();
        processes.entry(pid).or_default().push(rest);
    }
    let find = |first: &str| {
        let lines = processes.values().find(|lines| lines[0].contains(first));
        lines.unwrap_or_else(|| panic!("no {first}: {text}"))
    };
    assert_eq!(processes.len(), 2, "{text}");
    let screen = find("command=screen columns=100 rows=30");
    assert_eq!(screen.last(), Some(&"end code=0"), "{text}");
    let worker = find("command=capture");
    assert_eq!(worker.last(), Some(&"end code=0"), "{text}");
    for (lines, wanted) in [
        (screen, "capture-worker-started"),
        (screen, "capture stage=decoded"),
        (worker, "capture stage=locked worker=checkout-api"),
        (worker, "capture stage=sent kind=cpu"),
        (worker, "capture stage=received"),
        (worker, "cache-kept"),
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(wanted)),
            "no {wanted}: {text}"
        );
    }
}
