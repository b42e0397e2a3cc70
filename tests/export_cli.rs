//! The `export` command: where it writes, what it refuses, and what a report tells.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

#[path = "support/wording.rs"]
mod wording;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use wording::wording;

const CPU: &str = "recordings/checkout-api.cpu.pprof.gz";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command
        .arg("export")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"));
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn written(arguments: &[&str]) -> Vec<u8> {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

fn refused(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(code), 0),
        "{arguments:?}"
    );
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn folders_are_made_and_a_file_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/below/a.folded");
    let output = path.to_str().unwrap();
    for _ in 0..2 {
        assert_eq!(written(&[CPU, "--to", "folded", "-o", output]), b"");
        assert_eq!(fs::read(&path).unwrap(), written(&[CPU, "--to", "folded"]));
    }
    assert_eq!(
        fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1,
        "nothing is left beside it"
    );
}

#[test]
fn what_can_not_be_written_is_reported_in_words() {
    let mut wording = wording!();
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    wording.add(refused(&[CPU, "--to", "svg", "-o", name], 1));
    if cfg!(target_os = "linux") {
        let told = refused(&[CPU, "--to", "svg", "-o", "/dev/full"], 1);
        wording.add(&told);
        let told = refused(&[CPU, "--to", "svg", "-o", "/proc/nothing"], 1);
        assert!(
            told.contains("/proc/nothing") && !told.contains(".flarescope-"),
            "{told}"
        );
    }
    wording.add(refused(&[CPU, "--to", "heapprofile"], 1));
    wording.add(refused(&[CPU, "--to", "svg", "--root", "nobody"], 1));
    assert!(refused(&[CPU, "--to", "svg", "--salt", "x"], 2).contains("--anonymize"));
}

#[test]
fn the_whole_is_what_no_filter_and_no_root_touched() {
    let narrowed = [
        "--focus",
        "parseCart",
        "--root",
        "handleCheckout",
        "--no-idle",
    ];
    for format in ["pprof", "folded", "json", "text", "cpuprofile"] {
        let all = written(&[CPU, "--to", format]);
        assert_ne!(
            written(&[&[CPU, "--to", format][..], &narrowed].concat()),
            all,
            "{format}"
        );
        assert_eq!(
            written(&[&[CPU, "--to", format, "--whole"][..], &narrowed].concat()),
            all,
            "{format}"
        );
    }
}

#[test]
fn a_report_shows_target_time_hints_table_picture_and_command() {
    let mut wording = wording!();
    let report = String::from_utf8(written(&[
        CPU,
        "--to",
        "markdown",
        "--focus",
        "validateAddress",
    ]))
    .unwrap();
    for part in [
        "## `checkout-api.cpu.pprof.gz`\n",
        "2026-11-30T08:17:13Z",
        "| `validateAddress` |",
        "```text\n all ",
        "`flarescope open checkout-api.cpu.pprof.gz --focus validateAddress --idle`",
    ] {
        assert!(report.contains(part), "no {part} in {report}");
    }
    wording.add(report);
}

#[test]
fn an_empty_profile_is_written_as_one_that_says_so() {
    let mut wording = wording!();
    let empty = "cases/a05-no-samples.pb";
    let svg = String::from_utf8(written(&[empty, "--to", "svg"])).unwrap();
    let svg = roxmltree::Document::parse(&svg).unwrap();
    for node in svg.descendants().filter(|node| node.has_tag_name("text")) {
        wording.add(node.text().unwrap_or_default());
    }
    wording.add(String::from_utf8(written(&[empty, "--to", "markdown"])).unwrap());
    wording.add(refused(&[empty, "--to", "folded"], 1));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.pprof");
    written(&[empty, "--to", "pprof", "-o", path.to_str().unwrap()]);
    let again = flarescope::formats::read(fs::File::open(path).unwrap(), "again").unwrap();
    assert_eq!((again.record_count(), again.sample_types().len()), (0, 2));
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure_to_speak_of() {
    for format in ["folded", "svg", "pprof"] {
        let arguments = ["recordings/monolith.cpu.pprof.gz", "--to", format];
        let mut child = command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut told = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        child.wait().unwrap();
        assert_eq!(told, "", "{format}");
    }
}

#[test]
fn an_expression_may_begin_with_a_dash_but_is_no_option() {
    let mut wording = wording!();
    for filter in ["-x", "-5:5", "-", "--", "-o|parse"] {
        written(&[
            CPU,
            "--to",
            "folded",
            "--ignore",
            filter,
            "--tag-ignore",
            filter,
        ]);
    }
    let told = refused(&[CPU, "--to", "folded", "--focus", "--no-idle"], 2);
    wording.add(&told);
    wording.add(refused(&[CPU, "--focus", "--to=svg"], 2));
    wording.add(refused(&[CPU, "--to", "folded", "--root", "-x"], 1));
    let render = |keys: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        command
            .args(["render", CPU, "--size", "100x24", "--keys", keys])
            .current_dir(fixtures)
            .output()
            .unwrap()
    };
    assert!(render("- -").status.success());
    let mistake = String::from_utf8(
        render(r#"/ "\p{Greek} \p{No_Such_Script_Anywhere_At_All} and more of it" tab tab"#).stdout,
    );
    let mistake = mistake.unwrap();
    let typed = mistake.lines().find(|line| line.contains("and more of it"));
    assert!(typed.is_some(), "what is typed stays in sight: {mistake}");
    assert!(mistake.contains("No_Such_Script"), "{mistake}");
    let told = String::from_utf8(render("\u{1b}[31m").stderr).unwrap();
    wording.add(told);
}

#[test]
fn what_is_reported_of_an_argument_obeys_nothing() {
    let told = refused(&[CPU, "--to", "folded", "--focus", "(\u{1b}[31m\n"], 2);
    assert!(told.contains("`(␛[31m␊`"), "{told}");
    let mut wording = wording!();
    wording.add(told);
    let told = refused(&[CPU, "--to", "\u{1b}[2J\u{7}\u{9b}2J"], 2);
    assert!(
        told.contains("for '--to <TO>'") && !told.contains(['\u{1b}', '\u{7}', '\u{9b}']),
        "{told:?}"
    );
}

#[test]
fn a_profile_whose_own_expression_is_none_says_that_nothing_was_dropped() {
    let field = |field: u8, body: &[u8]| {
        [&[field << 3 | 2, u8::try_from(body.len()).unwrap()], body].concat()
    };
    // A function `f` with a value of 7; drop_frames is `f`, keep_frames `(`.
    let strings: Vec<u8> = ["", "n", "f", "("]
        .iter()
        .flat_map(|text| field(6, text.as_bytes()))
        .collect();
    let parts = [
        field(1, &[8, 1, 16, 1]),
        field(2, &[10, 1, 1, 18, 1, 7]),
        field(4, &[8, 1, 34, 2, 8, 1]),
        field(5, &[8, 1, 16, 2]),
        strings,
        vec![7 << 3, 2, 8 << 3, 3],
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("asks.pb");
    fs::write(&path, parts.concat()).unwrap();
    let output = run(&[path.to_str().unwrap(), "--to", "folded"]);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "# values: n in n\nf 7\n"
    );
    let mut wording = wording!();
    wording.add(String::from_utf8(output.stderr).unwrap());
}

#[test]
fn the_ending_of_the_file_says_the_format() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begins) in [
        ("a.svg", "<"),
        ("a.folded", "# values"),
        ("a.json", "{"),
        ("a.md", "#"),
    ] {
        let path = folder.path().join(name);
        written(&[CPU, "-o", path.to_str().unwrap()]);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(begins), "{name}: {text:.80}");
    }
    refused(
        &[CPU, "-o", folder.path().join("a.xyz").to_str().unwrap()],
        2,
    );
    refused(&[CPU], 2);
}
