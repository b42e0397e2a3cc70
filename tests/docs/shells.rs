//! Completions and manual pages: what shells and man make of them, where they are there.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::{run, subcommands};

/// Runs a program with a text on its standard input; `None`: there is no such program here.
fn fed(program: &str, arguments: &[&str], text: &str) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    Some((output.status.success(), told))
}

#[test]
fn completions_know_every_command_and_shells_take_them() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = run(&["completions", shell]);
        for command in subcommands() {
            assert!(
                text.contains(&command),
                "{shell} knows nothing of {command}"
            );
        }
        let checks = match shell {
            "bash" | "zsh" => vec!["-n", "/dev/stdin"],
            "fish" => vec!["--no-execute", "/dev/stdin"],
            _ => continue,
        };
        match fed(shell, &checks, &text) {
            Some((taken, told)) => assert!(taken, "{shell}: {told}"),
            None => eprintln!("skipped: there is no {shell} here"),
        }
    }
}

#[test]
fn bash_offers_what_begins_so() {
    let script = run(&["completions", "bash"]);
    let ask = "\nCOMP_WORDS=(flarescope co); COMP_CWORD=1; _flarescope flarescope co flarescope; echo \"${COMPREPLY[@]}\"\n";
    match fed("bash", &["--norc"], &(script + ask)) {
        Some((true, offered)) => assert_eq!(
            offered.split_whitespace().collect::<Vec<_>>(),
            ["config", "completions"]
        ),
        Some((false, told)) => panic!("{told}"),
        None => eprintln!("skipped: there is no bash here"),
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = run(&["man"]);
    assert!(
        page.starts_with(".ie") && page.contains(".TH flarescope 1"),
        "{page}"
    );
    for command in subcommands() {
        assert!(
            page.contains(&format!("flarescope\\-{command}(1)")),
            "{command}"
        );
        let own = run(&["man", &command]);
        assert!(
            own.contains(&format!(".TH flarescope-{command} 1")),
            "{}",
            own.lines().take(5).collect::<String>()
        );
        assert!(own.contains("SYNOPSIS") && own.contains("OPTIONS"));
    }
    match fed("man", &["-l", "--warnings", "/dev/stdin"], &page) {
        Some((true, told)) => assert!(told.contains("NAME"), "{told}"),
        Some((false, told)) => eprintln!("skipped: man says {told}"),
        None => eprintln!("skipped: there is no man here"),
    }
}
