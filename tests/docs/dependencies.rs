//! Libraries: each one is used, comes from the registry, and is in the program once, unless there is a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Systems, metadata, root};

/// Libraries that the program holds in several versions, until those that use the older one move on.
const DUPLICATES: &[&str] = &[
    // crossterm's clipboard; reqwest has the newer one.
    "base64",
    // ring; tempfile has the newer one.
    "getrandom",
];

/// Returns the code of all Rust files below `folder`, without comments.
fn code(folder: &Path) -> String {
    let mut out = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.push_str(&code(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let lines = text
                .lines()
                .map(|line| line.split("//").next().unwrap_or_default());
            lines.for_each(|line| out.extend([line, "\n"]));
        }
    }
    out
}

/// Whether a piece of code names a library: `name::…`, `use name;` or `use name as …`.
fn is_named(library: &str, code: &str) -> bool {
    let name = library.replace('-', "_");
    code.match_indices(&name).any(|(at, _)| {
        let before = &code[..at];
        let after = &code[at + name.len()..];
        let is_path = after.starts_with("::")
            && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let is_use = before.ends_with("use ") && after.starts_with([';', ' ']);
        is_path || is_use
    })
}

#[test]
fn libraries_are_found_in_code() {
    let code = "use tokio::net; use serde_json as json; let x = a::regex::new(); my_url::b();";
    let found: Vec<&str> = ["tokio", "serde-json", "regex", "url", "axum"]
        .into_iter()
        .filter(|library| is_named(library, code))
        .collect();
    assert_eq!(found, ["tokio", "serde-json"]);
}

#[test]
fn every_library_is_used() {
    let metadata = metadata(Systems::This);
    let packages = metadata["packages"].as_array().unwrap();
    let own = packages.iter().find(|package| is_own(package)).unwrap();
    let dependencies = own["dependencies"].as_array().unwrap();
    assert!(dependencies.len() > 30, "{} found", dependencies.len());
    let program = code(&root().join("src"));
    let tests = ["tests", "benches"].map(|folder| code(&root().join(folder)));
    let tests = program.clone() + &tests.concat();
    let unused: Vec<&str> = dependencies
        .iter()
        .filter(|dependency| {
            let is_dev = dependency["kind"] == "dev";
            let code = if is_dev { &tests } else { &program };
            !is_named(dependency["name"].as_str().unwrap(), code)
        })
        .map(|dependency| dependency["name"].as_str().unwrap())
        .collect();
    assert!(unused.is_empty(), "no code names {unused:?}");
}

/// Whether a package is this crate.
fn is_own(package: &Value) -> bool {
    package["name"] == "flarescope" && package["source"].is_null()
}

/// Returns the packages that are linked into the program, as ids: no tests, no build scripts, no macros.
fn linked(metadata: &Value) -> BTreeSet<&str> {
    let resolve = &metadata["resolve"];
    let nodes: BTreeMap<&str, &Value> = resolve["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (node["id"].as_str().unwrap(), node))
        .collect();
    let is_macro = |package: &&Value| package["targets"][0]["kind"][0] == "proc-macro";
    let macros: BTreeSet<&str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(is_macro)
        .map(|package| package["id"].as_str().unwrap())
        .collect();
    let mut open = vec![resolve["root"].as_str().unwrap()];
    let mut linked = BTreeSet::new();
    while let Some(id) = open.pop() {
        if macros.contains(id) || !linked.insert(id) {
            continue;
        }
        let is_normal = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            kinds.iter().any(|kind| kind["kind"].is_null())
        };
        let dependencies = nodes[id]["deps"].as_array().unwrap();
        open.extend(
            dependencies
                .iter()
                .filter(is_normal)
                .map(|dependency| dependency["pkg"].as_str().unwrap()),
        );
    }
    linked
}

#[test]
#[cfg(target_os = "linux")]
fn no_library_is_linked_twice_without_a_reason() {
    let metadata = metadata(Systems::This);
    let linked = linked(&metadata);
    assert!(linked.len() > 100, "{} packages", linked.len());
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        if linked.contains(package["id"].as_str().unwrap()) {
            let name = package["name"].as_str().unwrap();
            let version = package["version"].as_str().unwrap();
            versions.entry(name).or_default().push(version);
        }
    }
    versions.retain(|_, found| found.len() > 1);
    let names: Vec<&str> = versions.keys().copied().collect();
    assert_eq!(names, DUPLICATES, "{versions:?}");
}

#[test]
fn every_library_comes_from_the_registry() {
    let metadata = metadata(Systems::All);
    for package in metadata["packages"].as_array().unwrap() {
        let source = package["source"].as_str().unwrap_or_default();
        assert!(
            is_own(package) || source.starts_with("registry+"),
            "{} comes from {source:?}",
            package["name"]
        );
    }
}
