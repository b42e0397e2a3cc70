//! Exports opened in what they are for: flame graphs in Chromium, all that speedscope reads in speedscope.
//!
//! Chromium is the system's; speedscope and what drives the browser come from npm into the build folder. Without them the
//! tests are ignored, unless `FLARESCOPE_TEST_ALL` is set: then they fetch the packages, or fail.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of a test fail the test"
)]

#[path = "../support/tools.rs"]
mod tools;

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::{Value, json};
use tools::tool_test;

const FOLDER: &str = "browser";
const PACKAGES: [&str; 2] = ["speedscope@1.25.0", "puppeteer-core@24"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Where Chromium is on this system.
fn chromium() -> Option<PathBuf> {
    let names = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    names.iter().map(PathBuf::from).find(|path| path.exists())
}

/// The browser, and the folder with the packages that drive it.
fn browser() -> (PathBuf, PathBuf) {
    let dir = tools::install(FOLDER, &PACKAGES);
    fs::write(dir.join("check.mjs"), include_str!("check.mjs")).unwrap();
    (chromium().unwrap(), dir)
}

/// What the browser finds in files of a folder.
fn look(
    (chromium, dir): &(PathBuf, PathBuf),
    folder: &Path,
    (pictures, queries): (&[String], &Value),
    profiles: &[String],
) -> Value {
    let wanted = json!({
        "chromium": chromium, "folder": folder, "pictures": pictures, "queries": queries, "profiles": profiles
    });
    let mut node = Command::new("node")
        .arg("check.mjs")
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin
        .take()
        .unwrap()
        .write_all(wanted.to_string().as_bytes())
        .unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Exports a file; `None` where the format can't hold it.
fn export(file: &Path, to: &str, output: &Path) -> Option<()> {
    let status = Command::new(env!("CARGO_BIN_EXE_flarescope"))
        .arg("export")
        .arg(file)
        .args(["--to", to, "-o"])
        .arg(output)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    status.success().then_some(())
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(fixtures().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn stem(file: &Path) -> String {
    file.file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .trim_end_matches(".gz")
        .trim_end_matches(".pprof")
        .to_owned()
}

fn flame_graphs_zoom_and_search_in_a_browser_and_run_nothing_of_a_name() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = Vec::new();
    for file in ["recordings", "cases", "malformed"]
        .into_iter()
        .flat_map(files)
    {
        let name = format!("{}.svg", stem(&file));
        if export(&file, "svg", &folder.path().join(&name)).is_some() {
            pictures.push(name);
        }
    }
    assert!(pictures.len() > 60, "{}", pictures.len());
    let names = [
        "</title><script>window.ran=1</script>",
        "\" onload=\"window.ran=1",
        "]]><script>alert(1)</script>",
        "${alert(1)}",
    ];
    let hostile = names
        .map(|name| format!("main;{name} 60\nmain;other 40\n"))
        .concat();
    let plain = "main;walk;walk;get[0] 30\nmain;walk;Walk 30\nmain;other 40\n";
    for (name, text) in [("hostile", &*hostile), ("plain", plain)] {
        let file = folder.path().join(format!("{name}.folded"));
        fs::write(&file, text).unwrap();
        let picture = format!("{name}.svg");
        export(&file, "svg", &folder.path().join(&picture)).unwrap();
        pictures.push(picture);
    }
    let queries = json!({
        "plain.svg": ["walk", "Walk", "get[0]", "^o|get", "(", "^all"],
    });
    let found = look(&browser, folder.path(), (&pictures, &queries), &[]);
    let (mut clicked, mut frames) = (0, 0);
    for picture in found["pictures"].as_array().unwrap() {
        assert_eq!(picture["complaints"], json!([]), "{picture}");
        assert_eq!(picture["ran"], json!([]), "{picture}");
        frames += picture["frames"].as_u64().unwrap();
        if let Some(click) = picture.get("clicked") {
            let name = &picture["name"];
            let fills = |state: &Value| state["full"].as_array().unwrap().contains(&picture["at"]);
            assert!(fills(click) && click["reset"] == true, "{picture}");
            for state in ["left", "searched"] {
                assert!(!fills(&picture[state]), "{state}: {picture}");
                assert_eq!(picture[state]["reset"], false, "{state}: {picture}");
            }
            assert!(fills(&picture["entered"]), "{picture}");
            assert_eq!(picture["entered"]["focus"], *name, "{picture}");
            assert!(!fills(&picture["back"]), "{picture}");
            clicked += 1;
            if *name == "" {
                continue;
            }
            let share = picture["searched"]["found"].as_str().unwrap();
            let share: f64 = share.split([' ', '%']).next().unwrap().parse().unwrap();
            assert!(share > 0.0 && share <= 100.0, "{picture}");
            assert!(picture["searched"]["hits"].as_u64() >= Some(1), "{picture}");
        }
    }
    assert!(
        clicked > 40 && frames > 2_000,
        "{clicked} pictures clicked, {frames} frames"
    );
    // One match inside another is counted once; upper case is minded where it is typed; what is no expression is a text.
    let plain = found["pictures"].as_array().unwrap().last().unwrap();
    let shares = plain["answers"].as_array().unwrap().iter();
    let shares: Vec<(f64, usize)> = shares
        .map(|answer| share_and_count(answer.as_str().unwrap()))
        .collect();
    assert_eq!(
        shares,
        [
            (60.0, 3),
            (30.0, 1),
            (30.0, 1),
            (70.0, 2),
            (0.0, 0),
            // Not the box of the whole.
            (0.0, 0),
        ]
    );
    keys_and_strict(&found);
}

/// The two numbers in what the search says: the share that it found in percent, and the count of frames.
fn share_and_count(answer: &str) -> (f64, usize) {
    let mut numbers = answer
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter(|part| !part.is_empty());
    let share = numbers.next().unwrap().parse().unwrap();
    (share, numbers.next().unwrap().parse().unwrap())
}

/// The last picture by keys alone, and where neither scripts nor style sheets are allowed.
fn keys_and_strict(found: &Value) {
    assert_eq!(found["keys"]["complaints"], json!([]));
    let steps = found["keys"]["steps"].as_array().unwrap();
    let focus: Vec<(&str, &str)> = steps
        .iter()
        .map(|step| {
            (
                step["key"].as_str().unwrap(),
                step["focus"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        focus,
        [
            ("Tab", "all"),
            ("ArrowDown", "main"),
            ("ArrowDown", "walk"),
            ("ArrowRight", "other"),
            ("ArrowUp", "main"),
            ("Enter", "main"),
            ("Backspace", "all"),
            ("Escape", "all"),
            ("/", "input"),
        ]
    );
    let (last, boxes) = steps.split_last().unwrap();
    assert!(boxes.iter().all(|step| step["ring"] == true), "{boxes:?}");
    assert_eq!(last["ring"], false, "the focus is in the field");
    let details = steps[3]["details"].as_str().unwrap();
    assert!(details.starts_with("other · total 40"), "{details}");

    let strict = &found["strict"];
    let labels = strict["labels"].as_array().unwrap();
    assert!(
        labels
            .iter()
            .any(|label| label.as_str().unwrap().starts_with("other  40.0")),
        "{strict}"
    );
    assert_eq!(
        strict["controls"], 0,
        "nothing that needs a script: {strict}"
    );
    assert!(strict["fills"].as_array().unwrap().len() > 2, "{strict}");
    assert!(
        !strict["fills"]
            .as_array()
            .unwrap()
            .contains(&json!("rgb(0, 0, 0)")),
        "{strict}"
    );
    assert!(strict["width"].as_f64() > Some(1_000.0), "{strict}");
}

/// A value as speedscope writes it: `5.09s (64%)`, `107.72 MB (29%)`, `5,094,511,000 (64%)`, in the smallest unit.
fn value(cell: &str) -> f64 {
    let text = cell.split(" (").next().unwrap().replace(',', "");
    let number: String = text
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let factor = match text.get(number.len()..).unwrap().trim() {
        "s" => 1e9,
        "ms" => 1e6,
        "µs" => 1e3,
        "GB" => 1024.0 * 1024.0 * 1024.0,
        "MB" => 1024.0 * 1024.0,
        "KB" => 1024.0,
        "" | "B" | "ns" => 1.0,
        other => panic!("`{cell}` is in {other}"),
    };
    number.parse::<f64>().unwrap_or_else(|_| panic!("{cell}")) * factor
}

fn speedscope_finds_each_recordings_figures_in_each_format_it_reads() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    for file in files("recordings") {
        let formats = ["speedscope", "pprof", "folded", "cpuprofile", "heapprofile"];
        let endings = [
            ".speedscope.json",
            ".pb.gz",
            ".folded.txt",
            ".cpuprofile",
            ".heapprofile",
        ];
        for (format, ending) in formats.into_iter().zip(endings) {
            let name = format!("{}{ending}", stem(&file));
            if export(&file, format, &folder.path().join(&name)).is_some() {
                written.push((stem(&file), format, name));
            }
        }
    }
    let names: Vec<String> = written.iter().map(|(.., name)| name.clone()).collect();
    let found = look(&browser, folder.path(), (&[], &json!({})), &names);
    let mut compared = 0;
    for ((stem, _, name), table) in written.iter().zip(found["tables"].as_array().unwrap()) {
        assert_eq!(table["file"], name.as_str());
        assert_eq!(table["complaints"], json!([]), "{table}");
        let expected = fs::read(fixtures().join("expected").join(format!("{stem}.json"))).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let types = expected["sample_types"].as_array().unwrap();
        let first = expected["default_sample_type"]
            .as_str()
            .map(|kind| format!("{kind}/"));
        let is_first = |own: &Value| {
            first
                .as_ref()
                .is_some_and(|first| own.as_str().unwrap().starts_with(first))
        };
        let at = types.iter().position(is_first).unwrap_or(types.len() - 1);
        let total = expected["total"][at].as_f64().unwrap();
        let mut rows: HashMap<String, f64> = HashMap::new();
        for row in table["rows"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row[2].is_string())
        {
            // A line of folded stacks must not begin with a number sign.
            let name = row[2].as_str().unwrap().replace('＃', "#");
            *rows.entry(name).or_default() += value(row[1].as_str().unwrap());
        }
        // It writes three figures.
        let tolerance = 0.006;
        let mut by_name: HashMap<&str, f64> = HashMap::new();
        for function in expected["functions_by_cum"].as_array().unwrap() {
            *by_name
                .entry(function["name"].as_str().unwrap())
                .or_default() += function["flat"][at].as_f64().unwrap();
        }
        // Those without a name it calls by their place, and it leaves idle time out.
        for (function, own) in by_name
            .into_iter()
            .filter(|(name, own)| !name.starts_with('(') && *own > total / 50.0)
        {
            let found = rows.get(function).copied().unwrap_or_default();
            assert!(
                (found - own).abs() <= own * tolerance,
                "{name}: {function} has {own}, speedscope says {found}: {table}"
            );
            compared += 1;
        }
    }
    assert!(
        written.len() >= 90 && compared > 300,
        "{compared} functions of {} files",
        written.len()
    );
}

fn main() -> ExitCode {
    let lacks = chromium()
        .is_none()
        .then(|| "chromium".to_owned())
        .or_else(|| tools::lacks_packages(FOLDER, &PACKAGES));
    tools::run(vec![
        tool_test!(
            flame_graphs_zoom_and_search_in_a_browser_and_run_nothing_of_a_name,
            lacks.clone()
        ),
        tool_test!(
            speedscope_finds_each_recordings_figures_in_each_format_it_reads,
            lacks.clone()
        ),
    ])
}
