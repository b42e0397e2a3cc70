//! Every command in the documents is run, in its order, against the demo server: blocks of `sh` as they stand, and what
//! `cargo run` would start in those of `console`.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::terminal::{PROGRAM, Terminal};
use crate::{document, root};

/// The fenced blocks of a document in this language, without the indentation of the list they may stand in.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(indent) = line.strip_suffix(&format!("```{language}")) else {
            continue;
        };
        let inside = lines.by_ref().take_while(|line| line.trim_start() != "```");
        blocks.push(
            inside
                .map(|line| line.strip_prefix(indent).unwrap_or(line))
                .collect::<Vec<_>>()
                .join("\n"),
        );
    }
    blocks
}

/// The demo server, and a home with a folder to work in.
struct World {
    demo_server: Child,
    home: tempfile::TempDir,
    variables: BTreeMap<String, String>,
}

impl World {
    fn new() -> Self {
        let mut demo_server = Command::new(PROGRAM)
            .args(["demo", "--serve", "127.0.0.1:0", "--time-scale", "0.01"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(demo_server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, _, url, _, token, _, account] = words[..] else {
            panic!("{line}")
        };
        let home = tempfile::tempdir().unwrap();
        // Not the first start, and a folder for what is written.
        let state = home.path().join(".local/state/flarescope");
        std::fs::create_dir_all(&state).unwrap();
        std::fs::write(state.join("started"), "").unwrap();
        std::fs::create_dir(home.path().join("work")).unwrap();
        let program = Path::new(PROGRAM).parent().unwrap().display();
        let path = format!("{program}:{}", std::env::var("PATH").unwrap());
        let variables = [
            ("PATH", path.as_str()),
            ("HOME", home.path().to_str().unwrap()),
            ("CLOUDFLARE_API_BASE_URL", url),
            ("CLOUDFLARE_API_TOKEN", token),
            ("CLOUDFLARE_ACCOUNT_ID", account),
            ("LC_ALL", "C.UTF-8"),
            ("TERM", "xterm-256color"),
        ];
        let variables = variables
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        Self {
            demo_server,
            home,
            variables,
        }
    }

    /// Runs one line as a shell would.
    fn run(&mut self, place: &str, line: &str) {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        };
        if let Some((name, value)) = line
            .split_once('=')
            .filter(|(name, value)| is_name(name) && !value.contains(' '))
        {
            // What only the reader can know is written as an ellipsis; the demo server's own is in force already.
            if !value.contains('…') {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
            return;
        }
        if opens_the_screen(line) {
            return self.look(place, line);
        }
        let mut command = Command::new("sh");
        command
            .args(["-ec", line])
            .env_clear()
            .envs(&self.variables)
            .current_dir(self.home.path().join("work"));
        let output = command.stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place}: `{line}`: {told}");
    }

    /// Runs a line that opens the screen, in a terminal, and leaves it again.
    fn look(&self, place: &str, line: &str) {
        let mut script = format!("cd {};", self.home.path().join("work").display());
        for (name, value) in &self.variables {
            script.push_str(&format!("export {name}='{value}';"));
        }
        let mut terminal = Terminal::shell(120, 40, &format!("{script} exec {line}"));
        terminal.wait_for("? help");
        terminal.send("q");
        assert_eq!(terminal.exit_code(), 0, "{place}: `{line}`");
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.demo_server.kill();
        let _ = self.demo_server.wait();
    }
}

/// Whether a line opens the full screen: no command, `open`, or the demo.
fn opens_the_screen(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("flarescope")
        && words
            .next()
            .is_none_or(|word| ["open", "demo"].contains(&word) || word.starts_with("--"))
}

/// Runs all lines of a document's blocks, one after the other.
fn follow(name: &str) {
    let text = document(name);
    let mut world = World::new();
    let mut lines = 0;
    for block in blocks(&text, "sh") {
        for line in block
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        {
            world.run(name, line);
            lines += 1;
        }
    }
    assert!(lines > 2, "{name} has {lines} lines to run");
}

#[test]
fn the_readme_can_be_followed() {
    follow("README.md");
}

#[test]
fn the_runbook_can_be_followed() {
    follow("docs/RUNBOOK.md");
}

#[test]
fn what_the_configuration_s_page_says_can_be_done() {
    follow("docs/CONFIG.md");
}

#[test]
fn what_the_list_of_commands_says_can_be_done() {
    follow("docs/CLI.md");
    follow("docs/INSTALL.md");
}

#[test]
fn cargo_has_what_it_is_asked_for() {
    let manifest = document("Cargo.toml");
    let world = World::new();
    let mut seen = 0;
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "docs/INSTALL.md",
        "docs/RELEASING.md",
    ] {
        for line in blocks(&document(name), "console")
            .iter()
            .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>())
        {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first() != Some(&"cargo") {
                continue;
            }
            let known = ["build", "run", "test", "fmt", "clippy", "install"];
            assert!(known.contains(&words[1]), "{name}: `{line}`");
            for pair in words.windows(2) {
                match pair {
                    ["--test", test] => {
                        let there = root().join(format!("tests/{test}.rs")).exists()
                            || root().join(format!("tests/{test}/main.rs")).exists();
                        assert!(there, "{name}: there is no test `{test}`");
                    }
                    ["--profile", profile] => {
                        assert!(
                            manifest.contains(&format!("[profile.{profile}]")),
                            "{name}: `{line}`"
                        )
                    }
                    _ => {}
                }
            }
            if let Some((_, arguments)) = line
                .split_once("cargo run")
                .and_then(|(_, rest)| rest.split_once("-- "))
            {
                // Files are named from the repository's root, where cargo is run.
                world.look(
                    name,
                    &format!(
                        "flarescope {}",
                        arguments.replace("tests/", &format!("{}/tests/", root().display()))
                    ),
                );
            }
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen} lines");
}
