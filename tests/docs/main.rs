//! The documents say what the program does: commands, options, keys, links, and the picture of the screen.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

mod commands;
mod config;
mod dependencies;
mod licences;
mod package;
#[path = "../support/program.rs"]
mod program;
#[path = "../pty/terminal.rs"]
mod terminal;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use flarescope::app::COMMANDS;
use program::{listed, run, subcommands};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Which systems a question about libraries is for.
#[derive(Clone, Copy, PartialEq)]
enum Systems {
    /// The one that the tests run on.
    This,
    /// All of them, if libraries may be downloaded for it.
    All,
}

/// Returns what `cargo metadata` says of the crate and its libraries.
fn metadata(systems: Systems) -> serde_json::Value {
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(root())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    };
    let mut arguments = vec!["metadata", "--format-version", "1", "--locked"];
    let version = output("rustc", &["-vV"]);
    if systems == Systems::This || std::env::var_os("FLARESCOPE_TEST_ALL").is_none() {
        let host = version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .unwrap();
        arguments.extend(["--offline", "--filter-platform", host]);
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    serde_json::from_str(&output(&cargo, &arguments)).unwrap()
}

/// The options a help text lists, as `--name`.
fn options(help: &str) -> BTreeSet<String> {
    let words = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'))
        .flat_map(str::split_whitespace);
    let options = words.filter(|word| word.starts_with("--") && word.len() > 2);
    options
        .map(|word| word.trim_end_matches(',').to_owned())
        .filter(|word| word != "--help" && word != "--version")
        .collect()
}

#[test]
fn every_command_and_option_is_documented_and_none_that_is_not() {
    let document = document("docs/CLI.md");
    let documented: BTreeSet<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    let mut expected: BTreeSet<String> = subcommands().into_iter().collect();
    expected.insert("Everywhere".to_owned());
    assert_eq!(documented, expected.iter().map(String::as_str).collect());
    let mut all = BTreeSet::new();
    for command in subcommands() {
        let help = run(&[&command, "-h"]);
        let below = listed(&help)
            .into_iter()
            .map(|act| run(&[&command, &act, "-h"]))
            .collect::<String>();
        for option in options(&(help + &below)) {
            assert!(
                document.contains(&format!("`{option}")),
                "docs/CLI.md says nothing of {command} {option}"
            );
            all.insert(option);
        }
    }
    all.extend(options(&run(&["-h"])));
    // Capture's --version is an option with a value, not the program's.
    all.insert("--version".to_owned());
    let named = document
        .split('`')
        .skip(1)
        .step_by(2)
        .flat_map(|code| code.split(|c: char| c.is_whitespace() || c == '|'));
    for option in named.filter(|word| word.starts_with("--") && word.len() > 2) {
        assert!(
            all.contains(option),
            "docs/CLI.md tells of {option}, which there is not"
        );
    }
}

#[test]
fn commands_in_the_readme_exist() {
    let text = document("README.md");
    let known = subcommands();
    let commands: Vec<Vec<&str>> = text
        .split('`')
        .filter(|code| code.starts_with("flarescope ") && !code.contains('\n'))
        .map(|code| code.split_whitespace().skip(1).collect())
        .collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let name = command.first().copied().unwrap_or_default();
        // An option of the screen, as any other is checked against docs/CLI.md.
        if name.starts_with("--") {
            continue;
        }
        assert!(
            known.iter().any(|one| one == name),
            "README tells of `flarescope {name}`"
        );
        let help = run(&[name, "--help"]);
        for option in command.iter().filter(|word| word.starts_with("--")) {
            assert!(
                options(&help).contains(*option),
                "`flarescope {name}` has no {option}"
            );
        }
    }
}

#[test]
fn faults_and_calls_in_the_documents_are_those_of_the_demo_server() {
    let text = document("docs/CLI.md");
    let row = text
        .lines()
        .find(|line| line.starts_with("| `--faults LIST`"))
        .unwrap();
    let quoted: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
    let list = |first: &str| {
        let words = quoted
            .iter()
            .find(|words| words.starts_with(first))
            .unwrap()
            .split(' ');
        words.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    // What an unknown one is answered with names them all.
    let known = |list: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_flarescope"))
            .args(["demo", "--serve", "127.0.0.1:0", "--faults", list])
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let line = told
            .lines()
            .find(|line| line.contains("there are") || line.contains("there is"))
            .unwrap()
            .to_owned();
        line.rsplit(" there are ")
            .next()
            .unwrap()
            .split(", ")
            .map(|name| name.trim().to_owned())
            .collect::<BTreeSet<_>>()
    };
    let faults: BTreeSet<String> = known("nope")
        .into_iter()
        .filter(|name| name != "all")
        .collect();
    assert_eq!(list("401 "), faults);
    assert_eq!(list("token "), known("500@nope"));
}

#[test]
fn keys_in_the_readme_exist() {
    let text = document("README.md");
    let section = text
        .split("## Keys")
        .nth(1)
        .unwrap()
        .split("\n## ")
        .next()
        .unwrap();
    let keys: BTreeSet<&str> = COMMANDS
        .iter()
        .flat_map(|row| row.keys.iter().copied())
        .collect();
    let named: Vec<&str> = section
        .split('`')
        .skip(1)
        .step_by(2)
        .flat_map(str::split_whitespace)
        .collect();
    assert!(named.len() > 20, "{named:?}");
    for key in named {
        assert!(
            keys.contains(key),
            "README tells of `{key}`, which is no key"
        );
    }
}

#[test]
fn links_lead_somewhere() {
    for path in [
        "README.md",
        "CHANGELOG.md",
        "docs/ARCHITECTURE.md",
        "docs/CLI.md",
        "docs/CONFIG.md",
        "docs/RUNBOOK.md",
        "docs/INSTALL.md",
        "docs/GLOSSARY.md",
        "docs/KEYS.md",
        "docs/PERFORMANCE.md",
        "docs/RELEASING.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ] {
        let text = document(path);
        let folder = root().join(path).parent().unwrap().to_owned();
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let inside = !target.contains("://") && !target.starts_with('#');
            let target = target.split('#').next().unwrap_or_default();
            assert!(
                !inside || folder.join(target).exists(),
                "{path}: {target} is not there"
            );
        }
    }
}

#[test]
fn the_picture_in_the_readme_is_what_the_screen_shows() {
    let arguments = [
        "render",
        "tests/fixtures/recordings/checkout-api.cpu.pprof.gz",
        "--size",
        "120x30",
        "--format",
        "svg",
    ];
    let drawn = run(&arguments);
    assert!(
        drawn == document("docs/screen.svg"),
        "docs/screen.svg is behind the screen; look at the new one and keep it: cargo run -- {} > docs/screen.svg",
        arguments.join(" ")
    );
}

#[test]
fn licences_that_ask_for_more_are_named() {
    let licence = document("LICENSE");
    for name in ["option-ext", "LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(licence.contains(name), "{name}");
    }
    assert!(root().join("LICENSE-MIT").exists() && root().join("LICENSE-APACHE").exists());
}

/// The document that lists the keys, as it follows from the table of commands.
fn keys_document() -> String {
    let mut text = String::from(
        "# Keys\n\n\
         Written from the table of commands in `src/app/keys/command.rs`: `UPDATE_DOCS=1 cargo test --test docs` does that.\n\n\
         Where keys work: `any` is wherever no text is typed; `list` is the Workers and the captures on disk; `profile` is\n\
         an open profile, whichever of its panes has the focus; `text` is a line that is being typed. `?` shows the keys\n\
         that work where you are, and `:` finds every command by its name. A number before a command repeats it. Escape\n\
         closes what is in front and never leaves the program; Ctrl-h is Backspace.\n\n\
         | keys | where | command | what it does |\n|---|---|---|---|\n",
    );
    for row in COMMANDS {
        let keys = row
            .keys
            .iter()
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(" ");
        let scopes = row
            .scopes
            .iter()
            .map(|scope| scope.word())
            .collect::<Vec<_>>()
            .join(" ");
        text.push_str(&format!(
            "| {keys} | {scopes} | {} | {} |\n",
            row.name, row.help
        ));
    }
    text
}

#[test]
fn the_list_of_keys_is_that_of_the_program() {
    let path = root().join("docs/KEYS.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, keys_document()).unwrap();
    }
    assert_eq!(
        document("docs/KEYS.md"),
        keys_document(),
        "UPDATE_DOCS=1 cargo test --test docs writes it anew"
    );
    assert!(keys_document().lines().count() > COMMANDS.len());
}
