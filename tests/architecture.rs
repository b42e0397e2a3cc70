//! Which room may name which: rustc guards crates, not modules, so this test guards ours.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

#[path = "support/sentences.rs"]
mod sentences;
#[path = "support/structure.rs"]
mod structure;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flarescope::app::COMMANDS;

/// A room of `src/` with what its code may name besides std and itself.
struct Room {
    name: &'static str,
    /// Other rooms, or modules of them, as they stand behind `crate::`.
    rooms: &'static [&'static str],
    /// Libraries, as they are written in code. `*` allows all.
    libraries: &'static [&'static str],
}

const ROOMS: &[Room] = &[
    // What things are: no I/O, no clock, no terminal, no wire.
    Room {
        name: "model",
        rooms: &[],
        // Of clap only what makes an enumeration an option's values.
        libraries: &[
            "clap",
            "foldhash",
            "fuzzy_matcher",
            // The incomplete beta function, for the probabilities of verdicts.
            "puruspe",
            "regex",
            // Of serde only the derives: what is kept of a capture.
            "serde",
            "sourcemap",
            "strsim",
            "thiserror",
            "unicode_segmentation",
            "unicode_width",
        ],
    },
    Room {
        name: "formats",
        rooms: &["model"],
        libraries: &[
            "data_encoding",
            "flate2",
            "json_event_parser",
            "prost",
            "ruzstd",
            "serde",
            "serde_json",
            "thiserror",
        ],
    },
    Room {
        name: "export",
        rooms: &["model", "formats"],
        // Of clap only what makes an enumeration an option's values.
        libraries: &[
            "clap",
            "humantime",
            "serde",
            "serde_json",
            "sha2",
            "thiserror",
            "unicode_segmentation",
            "unicode_width",
        ],
    },
    Room {
        name: "api",
        rooms: &["model::text", "model::cloudflare"],
        libraries: &[
            "futures_util",
            "httpdate",
            "humantime",
            "reqwest",
            "rustls",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "toml",
            "tracing",
            "url",
        ],
    },
    Room {
        name: "store",
        rooms: &["model::cloudflare"],
        libraries: &[
            "data_encoding",
            "directories",
            "humantime",
            "rustix",
            "serde",
            "serde_json",
            "sha2",
            "tempfile",
            "thiserror",
            "tracing",
        ],
    },
    Room {
        name: "inspector",
        rooms: &["model"],
        libraries: &[
            "futures_util",
            "reqwest",
            "rustls",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio_tungstenite",
            "tracing",
            "url",
        ],
    },
    Room {
        name: "demo",
        rooms: &["model"],
        libraries: &[
            "axum",
            "data_encoding",
            "flate2",
            "futures_util",
            "humantime",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
        ],
    },
    // State, actions and effects: time comes in, wishes go out.
    Room {
        name: "app",
        rooms: &["model"],
        libraries: &[
            "fuzzy_matcher",
            "serde",
            "thiserror",
            "unicode_segmentation",
            "unicode_width",
        ],
    },
    Room {
        name: "ui",
        rooms: &["app", "model"],
        libraries: &[
            "humantime",
            "ratatui",
            "thiserror",
            "toml",
            "unicode_segmentation",
            "unicode_width",
        ],
    },
    Room {
        name: "term",
        rooms: &["app", "ui::glyphs", "ui::sgr", "ui::theme"],
        libraries: &[
            "crossterm",
            "futures_util",
            "ratatui",
            "rustix",
            "thiserror",
            "tokio",
            "unicode_width",
        ],
    },
    Room {
        name: "runtime",
        rooms: &[
            "api",
            "app",
            "config",
            "demo",
            "export",
            "formats",
            "inspector",
            "model",
            "store",
            "term",
            "ui",
        ],
        libraries: &["*"],
    },
    Room {
        name: "config",
        rooms: &["app", "model"],
        libraries: &[
            "directories",
            "humantime",
            "serde",
            "serde_json",
            "thiserror",
            "toml",
        ],
    },
    Room {
        name: "cli",
        rooms: &[
            "api",
            "app",
            "config",
            "demo",
            "export",
            "formats",
            "inspector",
            "model",
            "runtime",
            "store",
            "term",
            "ui",
        ],
        libraries: &["*"],
    },
];

/// Files of the crate itself, which may name every room.
const LOOSE: &[&str] = &["lib.rs", "main.rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Lists the sources under a path, tests of a room left out.
fn sources(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        fs::read_dir(path)
            .unwrap()
            .for_each(|entry| sources(&entry.unwrap().path(), out));
        return;
    }
    let name = path.file_stem().unwrap().to_string_lossy();
    let is_test = name == "tests" || name.ends_with("_tests");
    if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
        out.push(path.to_owned());
    }
}

/// Cuts comments, the contents of strings on one line, and the tests at the end of a file.
fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let own = own.split("#[cfg(test)]\n#[path").next().unwrap();
    let mut out = String::new();
    for line in own.lines() {
        let mut quoted = false;
        let mut before = ' ';
        for (at, character) in line.char_indices() {
            if character == '"' && before != '\\' && before != '\'' {
                quoted = !quoted;
            } else if !quoted && line.get(at..).is_some_and(|rest| rest.starts_with("//")) {
                break;
            } else if !quoted {
                out.push(character);
            }
            before = character;
        }
        out.push('\n');
    }
    out
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Lists what stands behind `crate::`, as `room` or `room::module`, braces resolved.
fn named_rooms(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, marker) in code.match_indices("crate::") {
        if code[..at]
            .chars()
            .next_back()
            .is_some_and(|c| is_word(c) || c == '$')
        {
            continue;
        }
        let rest = &code[at + marker.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.extend(path_of(rest));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (at, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    found.extend(path_of(group[start..at].trim()));
                    start = at + 1;
                    if character == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    found
}

fn path_of(text: &str) -> Option<String> {
    let room: String = text.chars().take_while(|c| is_word(*c)).collect();
    let module = text
        .get(room.len()..)?
        .strip_prefix("::")
        .unwrap_or_default();
    let module: String = module.chars().take_while(|c| is_word(*c)).collect();
    let path = if module.is_empty() {
        room
    } else {
        format!("{room}::{module}")
    };
    (!path.is_empty()).then_some(path)
}

/// Lists the libraries of `Cargo.toml` that a piece of code names.
fn named_libraries<'a>(code: &str, libraries: &'a [String]) -> BTreeSet<&'a str> {
    let names = |library: &str| {
        code.match_indices(library).any(|(at, _)| {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            let after = &code[at + library.len()..];
            !is_word(before)
                && before != ':'
                && (after.starts_with("::") || after.starts_with(" as "))
        })
    };
    libraries
        .iter()
        .map(String::as_str)
        .filter(|library| names(library))
        .collect()
}

fn libraries() -> Vec<String> {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let mut names = Vec::new();
    let mut take = |table: Option<&toml::Value>| {
        names.extend(
            table
                .and_then(toml::Value::as_table)
                .into_iter()
                .flatten()
                .map(|(name, _)| name.replace('-', "_")),
        );
    };
    take(manifest.get("dependencies"));
    take(manifest.get("dev-dependencies"));
    for target in manifest
        .get("target")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flatten()
    {
        take(target.1.get("dependencies"));
    }
    names
}

/// Lists what a piece of code names and its room may not.
fn breaches(room: &Room, code: &str, libraries: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    for path in named_rooms(code) {
        let own = path.split("::").next() == Some(room.name);
        let allowed = room
            .rooms
            .iter()
            .any(|rule| path == *rule || path.starts_with(&format!("{rule}::")));
        // A macro or an item of the crate's root is no room.
        let is_room = ROOMS
            .iter()
            .any(|other| Some(other.name) == path.split("::").next());
        if is_room && !own && !allowed {
            out.push(format!("crate::{path}"));
        }
    }
    for library in named_libraries(code, libraries) {
        if !room.libraries.contains(&"*") && !room.libraries.contains(&library) {
            out.push(library.to_owned());
        }
    }
    out
}

#[test]
fn rooms_name_only_what_they_may() {
    let libraries = libraries();
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if LOOSE.contains(&name.as_str()) {
            continue;
        }
        let Some(room) = ROOMS
            .iter()
            .find(|room| room.name == name.trim_end_matches(".rs"))
        else {
            panic!("src/{name} is a room without a rule: add it to ROOMS");
        };
        let mut files = Vec::new();
        sources(&path, &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let place = file.strip_prefix(root()).unwrap().display().to_string();
            found.extend(
                breaches(room, &code(&text), &libraries)
                    .iter()
                    .map(|breach| format!("{place} names {breach}")),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_room_opens_with_what_it_owns_and_no_file_is_a_drawer() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    assert!(files.len() > 10, "no sources found");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let place = file.strip_prefix(root()).unwrap().display().to_string();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(text.starts_with("//!"), "{place} has no head");
        assert!(
            !["utils", "util", "common", "helpers", "misc"].contains(&name.as_str()),
            "{place} says nothing"
        );
        assert!(
            text.lines().count() <= 800,
            "{place} is over 800 lines: split it"
        );
    }
}

/// Lists placeholders for the keys of commands, such as `{zoom-in}`, in the string literals of a file.
fn placeholders(text: &str) -> Vec<&str> {
    let own = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let named = |name: &str| COMMANDS.iter().any(|row| row.name == name);
    let lines = own
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    // Inside one pair of braces a name without a hyphen is a variable of `format!`.
    let in_line = |line| -> Vec<&str> {
        let parts = str::split(line, '{').skip(1);
        let names = parts.filter_map(|part| part.split_once('}'));
        names
            .filter(|(name, rest)| named(name) && (name.contains('-') || rest.starts_with('}')))
            .map(|(name, _)| name)
            .collect()
    };
    lines.flat_map(in_line).collect()
}

#[test]
fn texts_name_commands_as_parts_of_messages_and_not_in_strings() {
    let mut files = Vec::new();
    for room in ["app", "ui", "runtime", "model"] {
        sources(&root().join("src").join(room), &mut files);
    }
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for name in placeholders(&text) {
            found.push(format!("{}: {{{name}}}", file.display()));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(
        placeholders("say(\"{zoom-in} zooms\");\nformat!(\"{{quit}} {search} {no-command}\")"),
        ["zoom-in", "quit"]
    );
}

#[test]
fn the_guard_sees_what_it_must() {
    let room = &Room {
        name: "model",
        rooms: &["app::key"],
        libraries: &["regex"],
    };
    let libraries = [
        "regex".to_owned(),
        "tokio".to_owned(),
        "serde_json".to_owned(),
    ];
    let found = |text: &str| breaches(room, &code(text), &libraries);
    assert_eq!(found("use crate::ui::theme;"), ["crate::ui::theme"]);
    assert_eq!(
        found("use crate::{model::tree, store, app::{state, key}};"),
        ["crate::app", "crate::store"]
    );
    assert_eq!(
        found("use crate::app::key::Key; use crate::model::x;"),
        [""; 0]
    );
    assert_eq!(
        found("let x = serde_json::json!({}); use tokio as t;"),
        ["serde_json", "tokio"]
    );
    assert_eq!(
        found("// crate::ui\nlet x = \"tokio::spawn\"; a::tokio::b();"),
        [""; 0]
    );
    assert_eq!(
        found("fn f() {}\n#[cfg(test)]\nmod tests { use tokio::test; }"),
        [""; 0]
    );
}
