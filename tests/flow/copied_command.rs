//! The command that `E` copies shows the view from which it was copied.
#![cfg(unix)]

use std::process::Command;

use crate::session::Session;

const SIZE: (u16, u16) = (120, 40);

/// Draws with the program, in a shell; the rows without the selection's mark, the title and the last two.
fn drawn(arguments: &str) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_flarescope");
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{program} render {arguments} --size 120x40"))
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments}: {errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut rows: Vec<String> = text
        .lines()
        .map(|row| row.replace(['▸', '▏'], " ").trim_end().to_owned())
        .collect();
    rows.truncate(rows.len() - 2);
    rows
}

#[test]
fn copied_command_shows_the_same_view() {
    for file in [
        "recordings/checkout-api.cpu.pprof.gz",
        "recordings/deep-parser.cpu.pprof.gz",
    ] {
        let path = format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"));
        for keys in [
            "enter %",
            "% %",
            "B",
            "j B",
            "A",
            "s",
            "s s S",
            "enter % A",
            "b B",
            "p j B %",
            "x B",
            "z",
        ] {
            let mut session = Session::of_file(file, SIZE);
            session.press(keys);
            session.state.profile.as_mut().unwrap().source.path = Some(path.clone().into());
            let command = session.profile().command().unwrap();
            let options = command.strip_prefix("flarescope open ").unwrap();
            let expected = drawn(&format!("{path} --keys '{keys}'"));
            assert_eq!(drawn(options), expected, "{keys}: {command}");
        }
    }
}
