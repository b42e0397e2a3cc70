//! What the program prints, and which commands it has.
#![allow(
    dead_code,
    reason = "two test programs share this, and each uses a part"
)]

use std::process::Command;

/// What the program prints, in an environment of our own.
pub(crate) fn run(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("NO_COLOR")
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm");
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The subcommands that `--help` lists.
pub(crate) fn subcommands() -> Vec<String> {
    let found = listed(&run(&["--help"]));
    assert!(found.len() > 4, "{found:?}");
    found
}

/// The subcommands that a help text lists.
pub(crate) fn listed(help: &str) -> Vec<String> {
    let part = help
        .split("Commands:\n")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next())
        .unwrap_or_default();
    let words = part.lines().map(|line| {
        line.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    });
    words.filter(|word| word != "help").collect()
}
