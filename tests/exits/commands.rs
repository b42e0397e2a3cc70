//! Every command with every choice and flag that it has, on hostile profiles and a hostile API.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use clap::{Arg, ArgAction, CommandFactory as _};
use flarescope::cli::Cli;
use flarescope::formats;
use serde_json::Value;

use crate::proxy::{Api, WORKER};
use crate::{Files, MARK, NAMES, PAYLOAD, assert_safe};

/// Where the commands run.
struct Place {
    folder: tempfile::TempDir,
    files: Files,
    api: Api,
    namespace: String,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(folder.path());
        let config = folder.path().join(format!("{PAYLOAD}.toml"));
        // TOML takes no raw DEL.
        let program = Value::from(PAYLOAD)
            .to_string()
            .replace('\u{7f}', "\\u007f");
        let command = format!("token_command = [{program}, \"x\"]\n");
        std::fs::write(config, command).unwrap();
        let mut place = Self {
            folder,
            files,
            api: Api::new(),
            namespace: String::new(),
        };
        for file in [&place.files.cpu, &place.files.heap, &place.files.pprof] {
            let import = ["cache".into(), "import".into(), file.as_os_str().to_owned()];
            assert!(place.run(&import).status.success());
        }
        let list =
            place.run(&["list", "namespaces", "--worker", WORKER, "--json"].map(OsString::from));
        let list: Value = serde_json::from_slice(&list.stdout).unwrap();
        place.namespace = list[0]["id"].as_str().unwrap().to_owned();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.folder.path())
            .env("LANG", "C.UTF-8")
            .env("CLOUDFLARE_API_BASE_URL", &self.api.base_url)
            .env("CLOUDFLARE_API_TOKEN", &self.api.token)
            .env("CLOUDFLARE_ACCOUNT_ID", &self.api.account)
            .env("FLARESCOPE_CACHE_DIR", self.path("cache"))
            .env("FLARESCOPE_CONFIG", self.path(&format!("{PAYLOAD}.toml")))
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[OsString]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

/// What a command is tried with.
struct Tried {
    arguments: Vec<OsString>,
    /// Whether names stand on its standard output.
    names: bool,
}

/// What to call a command with. `is_base`: nothing was chosen that need not be.
fn tried(path: &[String], chosen: &[String], is_base: bool, place: &Place) -> Vec<Tried> {
    let files = &place.files;
    let with = |names: bool, more: &[&Path]| Tried {
        arguments: path
            .iter()
            .map(OsString::from)
            .chain(more.iter().map(|path| path.as_os_str().to_owned()))
            .collect(),
        names,
    };
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let all = [&*files.cpu, &files.heap, &files.pprof];
    match words[..] {
        // The screen needs a terminal; what it shows is drawn by `render`.
        ["open"] => vec![with(false, &[&files.cpu])],
        ["top"] => all.map(|file| with(true, &[file])).into(),
        ["diff"] => vec![
            with(true, &[&files.cpu, &files.other]),
            with(false, &[&files.heap, &files.heap]),
            with(false, &[&files.pprof, &files.pprof]),
        ],
        // Sides of three, so that there are verdicts.
        ["check"] => {
            let side = |name: &str, file: &Path| {
                let mut side = OsString::from(format!("--{name}=files:"));
                for at in 0..3 {
                    side.push(if at == 0 { "" } else { "," });
                    side.push(file);
                }
                side
            };
            let (base, new) = (
                side("baseline", &files.cpu),
                side("candidate", &files.other),
            );
            vec![with(false, &[Path::new(&base), Path::new(&new)])]
        }
        ["peek"] => NAMES
            .iter()
            .filter(|name| !name.contains('\0'))
            .map(|name| {
                let function = format!("--function={name}");
                with(true, &[&files.cpu, text(&function)])
            })
            .take(if is_base { NAMES.len() } else { 1 })
            .collect(),
        ["export"] => all.map(|file| with(true, &[file])).into(),
        ["source"] => NAMES
            .iter()
            .filter(|name| !name.contains('\0'))
            .map(|name| {
                let function = format!("--function={name}");
                with(true, &[&files.cpu, text(&function)])
            })
            .take(if is_base { NAMES.len() } else { 1 })
            .collect(),
        ["render"] => ["", "tab", "D", "H", "e", "B", "v", "f", "?", ":"]
            .iter()
            .filter(|keys| is_base || keys.is_empty())
            .map(|keys| {
                let keys = [text("--size=200x60"), text("--keys"), text(keys)];
                with(keys[2] == text(""), &[&[&*files.cpu][..], &keys].concat())
            })
            .chain([with(true, &[&files.pprof])])
            .collect(),
        ["list"] => match chosen.first().map(String::as_str) {
            Some("accounts" | "workers" | "namespaces") => vec![with(true, &[])],
            Some("captures") => vec![with(true, &[])],
            Some("versions") => vec![with(true, &[text("--worker"), text(WORKER)])],
            Some("objects") => vec![with(false, &[text("--namespace"), text(&place.namespace)])],
            other => panic!("list {other:?} is not tried"),
        },
        ["capture"] => vec![
            with(
                false,
                &[text("--worker"), text(WORKER), text("--duration=1s")],
            ),
            with(false, &[text("--worker"), text(PAYLOAD)]),
            with(
                false,
                &[
                    text("--worker"),
                    text(WORKER),
                    text("--version"),
                    text(PAYLOAD),
                ],
            ),
        ],
        ["cache", "import"] => all.map(|file| with(false, &[file])).into(),
        ["cache", "path" | "list" | "prune"] => vec![with(false, &[])],
        // Comes last and leaves nothing to tell.
        ["cache", "clear"] => vec![with(false, &[])],
        ["config", "path" | "init" | "show"] => vec![with(false, &[])],
        ["doctor"] => vec![with(true, &[])],
        // Texts of our own.
        ["completions" | "man"] => vec![with(false, &[])],
        // Serves until it is ended; what it says is read through the API.
        ["demo"] => Vec::new(),
        _ => panic!(
            "`{}` has no hostile names to tell: add it here",
            words.join(" ")
        ),
    }
}

fn text(text: &str) -> &Path {
    Path::new(text)
}

/// All commands that do something, with the words that call them.
fn leaves(command: &clap::Command, path: &[String]) -> Vec<(Vec<String>, clap::Command)> {
    if command.get_subcommands().next().is_none() {
        return vec![(path.to_vec(), command.clone())];
    }
    let below = command.get_subcommands().map(|below| {
        let path = [path, &[below.get_name().to_owned()]].concat();
        leaves(below, &path)
    });
    below.flatten().collect()
}

/// The ways to give an argument that has few: its values, or itself as a flag.
fn ways(argument: &Arg) -> Vec<Vec<String>> {
    let long = argument.get_long().map(|long| format!("--{long}"));
    let values = argument.get_possible_values();
    match argument.get_action() {
        ArgAction::SetTrue => vec![long.into_iter().collect()],
        ArgAction::Set | ArgAction::Append if values.len() > 1 => values
            .iter()
            .map(|value| {
                long.iter()
                    .cloned()
                    .chain([value.get_name().to_owned()])
                    .collect()
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn no_command_prints_a_name_that_anything_obeys() {
    let place = Place::new();
    let (mut runs, mut told) = (0, 0);
    for (path, command) in leaves(&Cli::command(), &[]) {
        let own = || {
            command
                .get_arguments()
                .filter(|argument| !argument.is_global_set() && !argument.is_hide_set())
        };
        // What has to be chosen is chosen in all ways.
        let mut choices: Vec<Vec<String>> = vec![Vec::new()];
        for required in own().filter(|argument| argument.is_required_set()) {
            let ways = ways(required);
            if !ways.is_empty() {
                choices = choices
                    .iter()
                    .flat_map(|chosen| ways.iter().map(|way| [&chosen[..], way].concat()))
                    .collect();
            }
        }
        let free: Vec<Vec<String>> = own()
            .filter(|argument| !argument.is_required_set())
            .flat_map(ways)
            .collect();
        for chosen in &choices {
            for more in [&Vec::new()].into_iter().chain(&free) {
                for Tried { arguments, names } in tried(&path, chosen, more.is_empty(), &place) {
                    let chosen = chosen.iter().chain(more).map(OsString::from);
                    let arguments: Vec<OsString> = arguments.into_iter().chain(chosen).collect();
                    let output = place.run(&arguments);
                    told +=
                        usize::from(check(&place, &arguments, &output, names && more.is_empty()));
                    runs += 1;
                }
            }
        }
    }
    assert!(runs > 280 && told > 60, "{runs} runs, {told} with names");
}

/// Looks at what a command has said; answers whether it told names.
fn check(place: &Place, arguments: &[OsString], output: &Output, names: bool) -> bool {
    let what = format!("{arguments:?}");
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_safe(&what, &error);
    let argument = |text: &str| arguments.iter().any(|argument| argument == text);
    if argument("pprof") && output.status.success() {
        let profile = formats::read(&output.stdout[..], "it").unwrap();
        assert!(!profile.functions().is_empty(), "binary, and read back");
        return true;
    }
    let mut text = String::from_utf8(output.stdout.clone()).unwrap();
    // A path for another program is told byte for byte where it goes to one.
    let path = place.path(&format!("{PAYLOAD}.toml"));
    text = text.replace(&format!("{}\n", path.display()), "");
    if argument("ansi") {
        text = without_colours(&text);
    }
    if argument("svg") || argument("completions") || argument("man") {
        // Scripts of others are indented so.
        text = text.replace('\t', " ");
    }
    assert_safe(&what, &text);
    if argument("--csv") && output.status.success() {
        for line in text.lines() {
            let first = line.trim_start_matches('"');
            assert!(!first.starts_with(['=', '+', '-', '@']), "{what}: {line}");
        }
    }
    if argument("--json") && output.status.success() && !text.is_empty() {
        serde_json::from_str::<Value>(&text).unwrap();
    }
    let told = text.contains(MARK);
    // The formats of V8 hold one kind of value each, and two equal profiles have no changes in some formats.
    assert!(
        told || !names || !output.status.success(),
        "{what} tells no name: {text}"
    );
    told
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (codes, rest) = part.split_once('m').unwrap();
        assert!(
            codes
                .bytes()
                .all(|b| b.is_ascii_digit() || b == b';' || b == b':'),
            "{part}"
        );
        plain += rest;
    }
    plain
}

#[test]
fn refusals_repeat_no_text_that_anything_obeys() {
    let place = Place::new();
    let commands: [&[&str]; 9] = [
        &["list", "accounts"],
        &["list", "workers"],
        &["list", "versions", "--worker", WORKER],
        &["list", "namespaces"],
        &["list", "objects", "--namespace", PAYLOAD],
        &["capture", "--worker", WORKER],
        &["capture", "--worker", WORKER, "--version", PAYLOAD],
        &[
            "capture",
            "--worker",
            WORKER,
            "--object",
            PAYLOAD,
            "--namespace",
            PAYLOAD,
        ],
        &["doctor"],
    ];
    for command in commands {
        for json in [&[][..], &["--json"]] {
            let arguments: Vec<OsString> = command.iter().chain(json).map(OsString::from).collect();
            let mut refused = place.command(&arguments);
            refused.env("CLOUDFLARE_API_BASE_URL", &place.api.refusing_url);
            let output = refused.output().unwrap();
            assert!(!output.status.success(), "{command:?}");
            for text in [output.stdout, output.stderr] {
                assert_safe(&format!("{command:?}"), &String::from_utf8(text).unwrap());
            }
        }
    }
    // Arguments that are none, and files that are not there.
    for command in [
        &["top", PAYLOAD][..],
        &["top", &format!("--{PAYLOAD}")],
        &[PAYLOAD],
        &["list", PAYLOAD],
        &["export", "x", "--to", PAYLOAD],
        &["diff", PAYLOAD, PAYLOAD],
        &["render", PAYLOAD],
        &["render", "--keys", PAYLOAD],
        &["cache", "import", PAYLOAD],
        &["top", "x", "--focus", &format!("({PAYLOAD}")],
        &[
            "export",
            &place.files.cpu.to_string_lossy(),
            "--to",
            "text",
            "--root",
            PAYLOAD,
        ],
        &[
            "top",
            &place.files.cpu.to_string_lossy(),
            "--sample-type",
            PAYLOAD,
        ],
        &[
            "top",
            &place.files.cpu.to_string_lossy(),
            "--source-map",
            PAYLOAD,
        ],
    ] {
        let arguments: Vec<OsString> = command.iter().map(OsString::from).collect();
        let output = place.run(&arguments);
        assert!(!output.status.success(), "{command:?}");
        for text in [output.stdout, output.stderr] {
            assert_safe(&format!("{command:?}"), &String::from_utf8(text).unwrap());
        }
    }
}

#[test]
fn json_has_the_exact_names_all_the_same() {
    let place = Place::new();
    let output = place.run(&[
        "top".into(),
        place.files.cpu.clone().into(),
        "--json".into(),
    ]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let told: Vec<&str> = rows
        .iter()
        .map(|row| row["function"].as_str().unwrap())
        .collect();
    assert_eq!(told[..NAMES.len()], NAMES);
    assert_eq!(rows[0]["file"], format!("file:///{PAYLOAD}.js"));
}

#[test]
fn a_spreadsheet_takes_no_name_for_a_formula() {
    let place = Place::new();
    let output = place.run(&["top".into(), place.files.cpu.clone().into(), "--csv".into()]);
    let text = String::from_utf8(output.stdout).unwrap();
    for cell in [
        "\"'=HYPERLINK(\"\"Mk\"\")\",",
        "'+Mk,",
        "'-Mk␛,",
        "'@Mk,",
        "␉Mk=1,",
    ] {
        assert!(
            text.lines().any(|line| line.starts_with(cell)),
            "{cell}: {text}"
        );
    }
}
