//! Completions and manual pages: what shells and man make of them.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::program::{run, subcommands};

/// Runs a program with a text on its standard input: whether it ended well, and what it has told.
fn fed(program: &str, arguments: &[&str], text: &str) -> (bool, String) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), told)
}

pub(crate) fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = run(&["completions", shell]);
        for command in subcommands() {
            assert!(
                text.contains(&command),
                "{shell} knows nothing of {command}"
            );
        }
    }
}

fn takes_its_completions(shell: &str, check: &str) {
    let text = run(&["completions", shell]);
    let (taken, told) = fed(shell, &[check, "/dev/stdin"], &text);
    assert!(taken, "{shell}: {told}");
}

pub(crate) fn bash_takes_its_completions() {
    takes_its_completions("bash", "-n");
}

pub(crate) fn zsh_takes_its_completions() {
    takes_its_completions("zsh", "-n");
}

pub(crate) fn fish_takes_its_completions() {
    takes_its_completions("fish", "--no-execute");
}

pub(crate) fn bash_offers_what_begins_so() {
    let script = run(&["completions", "bash"]);
    let ask = "\nCOMP_WORDS=(flarescope co); COMP_CWORD=1; _flarescope flarescope co flarescope; echo \"${COMPREPLY[@]}\"\n";
    let (ended, offered) = fed("bash", &["--norc"], &(script + ask));
    assert!(ended, "{offered}");
    assert_eq!(
        offered.split_whitespace().collect::<Vec<_>>(),
        ["config", "completions"]
    );
}

pub(crate) fn the_manual_has_a_page_for_each_command() {
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
}

pub(crate) fn man_shows_its_page() {
    let (shown, told) = fed("man", &["-l", "--warnings", "/dev/stdin"], &run(&["man"]));
    assert!(shown && told.contains("NAME"), "{told}");
}
