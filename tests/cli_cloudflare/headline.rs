//! The headline after a capture and above `top`: what dominates, and since when.

use serde_json::Value;

use crate::wording::wording;
use crate::{Place, fast, text};

const V127: &str = "51d0b7aa";
const V128: &str = "7c1f2a9e";

fn captured(place: &Place, more: &[&str]) -> Value {
    let arguments = [&["capture", "--duration", "10s", "--json"], more].concat();
    place.json(&arguments)
}

fn of(version: &str) -> [&str; 4] {
    ["--worker", "checkout-api", "--version", version]
}

/// A function's share of a capture, from the rows that `top` counts.
fn share(place: &Place, capture: &Value, function: &str) -> f64 {
    let path = capture["path"].as_str().unwrap();
    let top = place.json(&["top", path, "--json"]);
    let rows = top["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["function"] == function).unwrap();
    row["self"].as_f64().unwrap() / top["base"].as_f64().unwrap()
}

#[test]
fn it_says_what_dominates_and_what_that_was_in_the_version_before() {
    let mut wording = wording!();
    let place = fast();
    let before = captured(&place, &of(V127));
    assert_eq!(before["headline"]["since"], Value::Null);
    let now = captured(&place, &of(V128));
    let headline = &now["headline"];
    assert_eq!(headline["function"], "validateAddress");
    let (theirs, ours) = (
        share(&place, &before, "validateAddress"),
        share(&place, &now, "validateAddress"),
    );
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&headline["share"]) - ours).abs() < 1e-9);
    let since = &headline["since"];
    assert_eq!(since["version_number"], 127);
    assert!((number(&since["share"]) - theirs).abs() < 1e-9);
    assert!((number(&since["factor"]) - ours / theirs).abs() < 1e-6);
    assert_eq!(since["within_noise"], false);
    // Again, of the capture on disk: the same, but for the clock in its sentence.
    let path = now["path"].as_str().unwrap();
    let again = place.json(&["top", path, "--json"]);
    assert_eq!(again["headline"]["since"], *since);
    let top = text(&place.run(&["top", path, "-n", "1"]).stdout);
    let first = top.lines().next().unwrap();
    assert!(
        first.starts_with("validateAddress: 63.7%") && first.contains("in v127"),
        "{first}"
    );
    // A third capture of the same version is compared with that version's before, not with its own.
    let third = captured(&place, &of(V128));
    assert_eq!(third["headline"]["since"]["version_number"], 127);
    // The other way round: the version before has no earlier version, and its own capture before is the base.
    let back = captured(&place, &of(V127));
    let since = &back["headline"]["since"];
    assert!(since.is_null() || since["version_number"] == 127, "{since}");
    let output = place.run(&["capture", "--worker", "edge-metrics", "--type", "heap"]);
    wording.add(text(&output.stderr));
}

#[test]
fn a_report_for_a_chat_holds_the_culprit_its_share_interval_and_since_when() {
    let place = fast();
    captured(&place, &of(V127));
    let now = captured(&place, &of(V128));
    let path = now["path"].as_str().unwrap();
    let hash = &now["sha256"].as_str().unwrap()[..12];
    for file in [path, hash] {
        let report = text(&place.run(&["export", file, "--to", "report"]).stdout);
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!((lines[0], *lines.last().unwrap()), ("```", "```"));
        let inside = &lines[1..lines.len() - 1];
        assert!(inside.len() <= 12, "{report}");
        for line in &inside[..inside.len() - 1] {
            assert!(line.chars().count() <= 66, "{line}");
        }
        for part in [
            "checkout-api v128 7c1f2a9e",
            "validateAddress: 63.7% self CPU (was 2.9% in v127 at ",
            "×22)",
            "±1.6",
            "90% of traffic",
            "stack: handleCheckout › validateAddress",
        ] {
            assert!(report.contains(part), "no {part} in {report}");
        }
        // The command names no folder and no hash of this machine.
        let command = inside.last().unwrap();
        assert!(command.starts_with("flarescope open "), "{command}");
        assert!(!command.contains(hash) || file == path, "{command}");
        assert!(!command.contains('/'), "{command}");
    }
    let markdown = text(&place.run(&["export", path, "--to", "markdown"]).stdout);
    for part in [
        "- version: `v128 7c1f2a9e-",
        "- uploaded by: `dana: retry payment on 409`",
        "- traffic: `90% of requests`",
    ] {
        assert!(markdown.contains(part), "no {part} in {markdown}");
    }
    // Of pseudonyms nobody learns who uploaded what, or since when.
    let hidden = text(
        &place
            .run(&["export", path, "--to", "report", "--anonymize"])
            .stdout,
    );
    for name in [
        "dana",
        "validateAddress",
        "checkout-api",
        "v127",
        "7c1f2a9e",
    ] {
        assert!(!hidden.contains(name), "{name} in {hidden}");
    }
}

#[test]
fn versions_of_a_worker_are_judged_by_the_captures_on_this_machine() {
    let place = fast();
    for version in [V127, V128] {
        for _ in 0..3 {
            captured(&place, &of(version));
        }
    }
    // The demo server hands out one recording a version: the captures of a side are alike, and the sides are not.
    let output = place.run(&["check", "--worker", "checkout-api", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{value}");
    assert_eq!(value["sides"][0]["what"], "v127 51d0b7aa");
    assert_eq!(value["sides"][1]["what"], "v128 7c1f2a9e");
    let first = &value["functions"][0];
    assert_eq!(first["function"], "validateAddress");
    assert_eq!(value["notes"].as_array().unwrap().len(), 0);
    // Without a login the version that was captured last stands for the deployed one, which is said.
    let mut offline = place.command(&["check", "--worker", "checkout-api", "--json"]);
    let output = offline.env_remove("CLOUDFLARE_API_TOKEN").output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(value["notes"].as_array().unwrap().len(), 1);
}
