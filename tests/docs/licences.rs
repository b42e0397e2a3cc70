//! Every library's licence is one that we may pass on, and those that ask for more are named in LICENSE.

use crate::{Systems, document, metadata};

/// Licences that ask for no more than to be named.
const FREE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "WTFPL",
    "Zlib",
];

/// Licences that ask for more: LICENSE has to name the library and say what.
const NAMED: &[&str] = &["CDDL-1.0", "MPL-2.0"];

/// A choice of licences: any of the outer, all of the inner ones.
fn choices(expression: &str) -> Vec<Vec<String>> {
    // Within brackets there is never more than a choice, which stands beside others with AND.
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    if expression.contains('(') {
        return plain
            .split(" OR ")
            .flat_map(|part| part.split(" AND "))
            .map(|one| vec![one.trim().to_owned()])
            .collect();
    }
    let all = |part: &str| {
        part.split(" AND ")
            .map(|one| one.trim().to_owned())
            .collect()
    };
    plain.split(" OR ").map(all).collect()
}

#[test]
fn expressions_are_understood() {
    let words = |expression| choices(expression);
    assert_eq!(words("MIT/Apache-2.0"), [["MIT"], ["Apache-2.0"]]);
    assert_eq!(
        words("MIT AND ISC OR Zlib"),
        [vec!["MIT", "ISC"], vec!["Zlib"]]
    );
    assert_eq!(words("(MIT OR Apache-2.0) AND Unicode-3.0").len(), 3);
}

#[test]
fn every_library_s_licence_is_known_and_those_that_ask_for_more_are_named() {
    let metadata = metadata(Systems::All);
    let licence = document("LICENSE");
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let expression = package["license"].as_str().unwrap_or_default();
        let choices = choices(expression);
        // With brackets all parts have to be free; without, one choice is enough.
        let free = |choice: &Vec<String>| choice.iter().all(|one| FREE.contains(&one.as_str()));
        let is_free = if expression.contains('(') {
            choices.iter().all(free)
        } else {
            choices.iter().any(free)
        };
        let is_named = choices
            .iter()
            .flatten()
            .any(|one| NAMED.contains(&one.as_str()))
            && licence.contains(&format!("* {name} "));
        assert!(
            is_free || is_named,
            "{name} is under `{expression}`: is that a licence we may pass on?"
        );
    }
}
