//! The configuration as the program takes it: what is in force and why, and that nothing starts with a mistake in it.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

#[path = "support/wording.rs"]
mod wording;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use wording::wording;

/// A home of our own, with a configuration.
struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn new(configuration: Option<&str>) -> Self {
        let home = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        if let Some(text) = configuration {
            fs::create_dir_all(home.config().parent().unwrap()).unwrap();
            fs::write(home.config(), text).unwrap();
        }
        home
    }

    fn config(&self) -> PathBuf {
        self.dir.path().join("flarescope/config.toml")
    }

    fn own_theme(&self, name: &str, text: &str) {
        let themes = self.config().parent().unwrap().join("themes");
        fs::create_dir_all(&themes).unwrap();
        fs::write(themes.join(format!("{name}.toml")), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("XDG_CONFIG_HOME", self.dir.path());
        command
            .env("FLARESCOPE_CACHE_DIR", self.dir.path().join("cache"))
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "xterm-256color");
        command
    }

    fn out(&self, arguments: &[&str]) -> String {
        String::from_utf8(
            self.run(arguments)
                .assert()
                .success()
                .get_output()
                .stdout
                .clone(),
        )
        .unwrap()
    }
}

fn recording() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/recordings/checkout-api.cpu.pprof.gz");
    path.display().to_string()
}

#[test]
fn init_writes_a_file_that_changes_nothing_and_never_over_another() {
    let mut wording = wording!();
    let home = Home::new(None);
    let before = home.out(&["config", "show"]);
    let path = home.out(&["config", "path"]);
    assert_eq!(path.trim_end(), home.config().display().to_string());
    assert_eq!(home.out(&["config", "init"]), path);
    assert_eq!(home.out(&["config", "show"]), before);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(home.config()).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    fs::write(home.config(), "theme = \"mono\"\n").unwrap();
    let refused = home.run(&["config", "init"]).assert().code(1);
    wording.add(String::from_utf8_lossy(&refused.get_output().stderr));
    assert_eq!(
        fs::read_to_string(home.config()).unwrap(),
        "theme = \"mono\"\n"
    );
}

#[test]
fn show_says_what_is_in_force_and_where_it_comes_from() {
    let home = Home::new(Some(
        "theme = \"daylight\"\naccount = \"0123456789abcdef0123456789abcdef\"\ntoken_command = \"pass show s3cret\"\n\
         quota = \"3GiB\"\n[keys]\nzoom-in = [\"enter\", \"ctrl-g\"]\n",
    ));
    let spot = |line: usize| format!("{}:{line}", home.config().display());
    let shown = home.out(&["config", "show"]);
    for line in [
        format!("theme = \"daylight\" # {}", spot(1)),
        format!("token_command = \"pass …\" # {}", spot(3)),
        format!("quota = \"3GiB\" # {}", spot(4)),
        format!("zoom-in = [\"enter\",\"ctrl-g\"] # {}", spot(6)),
        "truecolor = false # default".to_owned(),
        "kind = \"cpu\" # default".to_owned(),
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line} in\n{shown}"
        );
    }
    assert!(
        !shown.contains("s3cret"),
        "only the program of a command is told"
    );
    // What is shown is a configuration again.
    fs::write(home.dir.path().join("again.toml"), &shown).unwrap();
    let again = home
        .run(&["config", "show"])
        .env("FLARESCOPE_CONFIG", home.dir.path().join("again.toml"))
        .assert()
        .success();
    assert!(String::from_utf8_lossy(&again.get_output().stdout).contains("theme = \"daylight\""));

    let mut command = home.run(&["config", "show", "--json", "--theme", "mono", "--ascii"]);
    let output = command
        .env("CLOUDFLARE_ACCOUNT_ID", "f".repeat(32))
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let rows: serde_json::Value = serde_json::from_slice(&output).unwrap();
    let find = |key: &str| {
        rows.as_array()
            .unwrap()
            .iter()
            .find(|row| row["key"] == key)
            .unwrap()
            .clone()
    };
    assert_eq!(
        (&find("theme")["value"], &find("theme")["source"]),
        (&"mono".into(), &"--theme".into())
    );
    assert_eq!(
        (&find("ascii")["value"], &find("ascii")["source"]),
        (&true.into(), &"--ascii".into())
    );
    assert_eq!(find("account")["source"], "CLOUDFLARE_ACCOUNT_ID");
}

#[test]
fn nothing_starts_with_a_mistake_in_the_configuration() {
    let mut wording = wording!();
    let home = Home::new(Some(
        "theme = \"ember\"\nquotta = \"1GiB\"\n[keys]\nzoom-im = \"L\"\n",
    ));
    for arguments in [
        vec!["render", "demo"],
        vec!["config", "show"],
        vec!["list", "workers"],
    ] {
        let told = home.run(&arguments).assert().code(2);
        let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
        let at = home.config().display().to_string();
        assert!(
            told.contains(&format!("{at}:2: ")) && told.contains(&format!("{at}:4: ")),
            "{told}"
        );
        wording.add(told);
    }
    let home = Home::new(Some("\ntheme = \"daylite\"\n"));
    let told = home.run(&["render", &recording()]).assert().code(2);
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(
        told.contains(&format!("{}:2: ", home.config().display())),
        "{told}"
    );
    wording.add(told);
}

#[test]
fn a_table_of_a_newer_version_stops_no_command_and_is_named_once() {
    let home = Home::new(Some("[push.prod]\nurl = \"https://example.com\"\n"));
    for arguments in [
        &["list", "captures"][..],
        &["cache", "list"],
        &["config", "show"],
    ] {
        let ended = home.run(arguments).assert().success();
        let said = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
        let place = format!("{}:1: ", home.config().display());
        assert_eq!(said.matches(&place).count(), 1, "{arguments:?}: {said}");
    }
}

#[test]
fn what_the_file_says_is_what_is_drawn() {
    let mut wording = wording!();
    let home = Home::new(Some(
        "ascii = true\n[table]\ncolumns = [\"function\", \"total%\"]\n[keys]\nall-hints = []\nsearch = \"ctrl-f\"\n",
    ));
    let render = |home: &Home, keys: &str| {
        home.out(&["render", &recording(), "--size", "120x40", "--keys", keys])
    };
    let drawn = render(&home, "");
    assert!(drawn.is_ascii());
    wording.lines(&drawn, "function");
    let last = drawn.lines().last().unwrap();
    wording.add(last);
    assert!(!last.contains("H "), "{last}");
    // The key is the user's own, and the old one is nobody's.
    assert!(render(&home, "ctrl-f \"cart\"").contains("/cart"));
    assert!(!render(&home, "/").contains(" /"));
    let help = render(&home, "?");
    wording.lines(&help, "^f ");
}

#[test]
fn a_theme_of_one_s_own_is_drawn_and_a_broken_one_is_reported() {
    let mut wording = wording!();
    let home = Home::new(Some("theme = \"mine\"\n"));
    home.own_theme(
        "mine",
        "inherits = \"ember\"\n[palette]\nflame = [\"#123456\", 46, \"green\"]\n[roles]\ntitel = {}\n",
    );
    let output = home
        .run(&["render", &recording(), "--format", "svg"])
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(String::from_utf8_lossy(&output.stdout).contains("#123456"));
    wording.add(String::from_utf8_lossy(&output.stderr));
    home.own_theme("mine", "[palette\n");
    let output = home
        .run(&["render", &recording(), "--format", "svg"])
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("#ff7f28"),
        "ember stands in"
    );
    wording.add(String::from_utf8_lossy(&output.stderr));
    let shown = home
        .run(&["config", "show"])
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(String::from_utf8_lossy(&shown.stderr).contains("mine.toml:1: "));
}

#[test]
fn each_line_of_the_doctor_is_true_beside_a_mistake_in_the_configuration() {
    let mut wording = wording!();
    let home = Home::new(Some("them = \"ember\"\n[capture]\nduration = \"3s\"\n"));
    let told = home.run(&["doctor"]).assert().code(1);
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    let lines: Vec<&str> = told.lines().collect();
    assert!(!told.contains('\u{fffd}'), "{told}");
    let mistakes: Vec<&&str> = lines
        .iter()
        .filter(|line| line.contains("config.toml:"))
        .collect();
    assert_eq!(mistakes.len(), 2, "each once: {told}");

    assert!(mistakes[1].starts_with("         "), "{told}");
    let has = |status: &str, check: &str| {
        lines
            .iter()
            .any(|line| line.split_whitespace().take(2).eq([status, check]))
    };
    assert!(has("ok", "cache"), "{told}");
    assert!(has("warning", "token"), "{told}");
    wording.add(told);
}

#[test]
fn a_theme_that_there_is_not_is_a_mistake_wherever_the_file_is_read() {
    let mut wording = wording!();
    let home = Home::new(Some("theme = \"embr\"\n"));
    for arguments in [
        &["doctor"][..],
        &["demo", "--serve", "127.0.0.1:0"],
        &["config", "show"],
        &["list", "captures"],
        &["cache", "list"],
    ] {
        let mut command = home.run(arguments);
        let output = command
            .timeout(std::time::Duration::from_secs(30))
            .assert()
            .failure()
            .get_output()
            .clone();
        let told = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        wording.add(told);
    }
}

#[test]
fn a_command_may_be_written_as_the_palette_has_it() {
    let mut wording = wording!();
    let home = Home::new(Some("[keys]\n\"go workers\" = \"L\"\n"));
    assert!(
        home.out(&["config", "show"])
            .contains("go-workers = [\"L\"]")
    );
    let home = Home::new(Some("[keys]\ngo workrs = \"L\"\n"));
    let told = home.run(&["config", "show"]).assert().code(2);
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    wording.add(told);
}

#[test]
fn the_theme_chosen_last_holds_where_nothing_says_which() {
    let mut wording = wording!();
    let theme = |home: &Home, arguments: &[&str]| {
        let shown = home.out(&[&["config", "show", "--json"], arguments].concat());
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let all = shown.as_array().unwrap().clone();
        let row = all.into_iter().find(|row| row["key"] == "theme").unwrap();
        (
            row["value"].as_str().unwrap().to_owned(),
            row["source"].as_str().unwrap().to_owned(),
        )
    };
    let told = |name: &str, from: &str| (name.to_owned(), from.to_owned());
    let remember = |home: &Home, name: &str| {
        let state = home.dir.path().join(".local/state/flarescope");
        fs::create_dir_all(&state).unwrap();
        fs::write(state.join("theme"), format!("{name}\n")).unwrap();
    };
    let home = Home::new(None);
    assert_eq!(theme(&home, &[]), told("ember", "default"));
    remember(&home, "daylight");
    assert_eq!(theme(&home, &[]).0, "daylight");
    wording.add(theme(&home, &[]).1);
    assert_eq!(theme(&home, &["--theme", "mono"]), told("mono", "--theme"));
    // One that is gone is no mistake.
    remember(&home, "gone");
    assert_eq!(theme(&home, &[]), told("ember", "default"));
    let home = Home::new(Some("theme = \"sixteen\"\n"));
    remember(&home, "daylight");
    assert_eq!(theme(&home, &[]).0, "sixteen");
}
