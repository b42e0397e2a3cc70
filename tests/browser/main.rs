//! Exports opened in what they are for: flame graphs in Chromium, all that speedscope reads in speedscope.
//!
//! Chromium is the system's; speedscope and what drives the browser come from npm into the build folder. Without them the
//! tests say that they were skipped, unless `FLARESCOPE_TEST_ALL` is set: then a skip is a failure.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of a test fail the test, and say what they skip"
)]

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const PACKAGES: [&str; 2] = ["speedscope@1.25.0", "puppeteer-core@24"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Says that a test is skipped, where that is allowed.
fn skipped(why: &str) -> Option<(PathBuf, PathBuf)> {
    assert!(
        std::env::var_os("FLARESCOPE_TEST_ALL").is_none(),
        "{why}, and no test may be skipped"
    );
    eprintln!("skipped: {why}");
    None
}

/// The browser, and the folder with the packages that drive it; `None`, with a word, where they can't be had.
fn browser() -> Option<(PathBuf, PathBuf)> {
    let names = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let Some(chromium) = names.iter().map(PathBuf::from).find(|path| path.exists()) else {
        return skipped("there is no Chromium");
    };
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm-browser");
    fs::create_dir_all(&dir).unwrap();
    // Several tests want the packages, each in a process or a thread of its own.
    let lock = fs::File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    fs::write(dir.join("check.mjs"), include_str!("check.mjs")).unwrap();
    if dir.join("installed").exists() {
        return Some((chromium, dir));
    }
    fs::write(
        dir.join("package.json"),
        "{\"private\":true,\"type\":\"module\"}",
    )
    .unwrap();
    let npm = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund"])
        .args(PACKAGES)
        .current_dir(&dir)
        .output();
    match npm {
        Ok(output) if output.status.success() => {
            fs::write(dir.join("installed"), "").unwrap();
            Some((chromium, dir))
        }
        Ok(output) => skipped(&format!(
            "npm gives no {PACKAGES:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => skipped(&format!("npm can't be run: {error}")),
    }
}

/// What the browser finds in files of a folder.
fn look(
    (chromium, dir): &(PathBuf, PathBuf),
    folder: &Path,
    pictures: &[String],
    profiles: &[String],
) -> Value {
    let wanted = json!({ "chromium": chromium, "folder": folder, "pictures": pictures, "profiles": profiles });
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

#[test]
fn flame_graphs_zoom_and_search_in_a_browser_and_run_nothing_of_a_name() {
    let Some(browser) = browser() else { return };
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
    fs::write(folder.path().join("hostile.folded"), hostile).unwrap();
    export(
        &folder.path().join("hostile.folded"),
        "svg",
        &folder.path().join("hostile.svg"),
    )
    .unwrap();
    pictures.push("hostile.svg".to_owned());
    let found = look(&browser, folder.path(), &pictures, &[]);
    let (mut clicked, mut frames) = (0, 0);
    for picture in found["pictures"].as_array().unwrap() {
        assert_eq!(picture["complaints"], json!([]), "{picture}");
        assert_eq!(picture["ran"], json!([]), "{picture}");
        frames += picture["frames"].as_u64().unwrap();
        if let Some(click) = picture.get("clicked") {
            assert_eq!(click["unzoom"], true, "{picture}");
            assert!(
                click["share"].as_f64().unwrap() > 0.99,
                "the frame fills the width: {picture}"
            );
            let matched = picture["searched"]["matched"].as_str().unwrap();
            let share = matched
                .strip_prefix("Matched of what is drawn: ")
                .and_then(|text| text.strip_suffix('%'));
            let share: f64 = share
                .unwrap_or_else(|| panic!("{picture}"))
                .parse()
                .unwrap();
            assert!(share > 0.0, "{picture}");
            clicked += 1;
        }
    }
    assert!(
        clicked > 40 && frames > 2_000,
        "{clicked} pictures clicked, {frames} frames"
    );
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

#[test]
fn speedscope_finds_each_recordings_figures_in_each_format_it_reads() {
    let Some(browser) = browser() else { return };
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
    let found = look(&browser, folder.path(), &[], &names);
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
