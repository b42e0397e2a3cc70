//! The commands about captures on this machine, with good and hostile input: `list captures`, `cache`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

#[path = "support/wording.rs"]
mod wording;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use flarescope::model::cloudflare::Amendment;
use flarescope::store::Store;
use serde_json::{Value, json};

use wording::wording;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn cache(&self) -> PathBuf {
        self.0.path().join("xdg/flarescope")
    }

    fn store(&self) -> Store {
        Store::open(self.cache())
    }

    /// Runs a command in an environment that knows nothing but where caches go.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_flarescope"))
            .args(arguments)
            .env_clear()
            .env("HOME", self.0.path().join("home"))
            .env("XDG_CACHE_HOME", self.0.path().join("xdg"))
            .env("XDG_CONFIG_HOME", self.0.path().join("config"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn told(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    fn captures(&self) -> Vec<Value> {
        serde_json::from_str(&self.told(&["list", "captures", "--json"])).unwrap()
    }
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
        .to_str()
        .unwrap()
        .to_owned()
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn files_lie_below_the_folder_that_is_named_and_nobody_else_may_read_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let cpu = fixture("recordings/checkout-api.cpu.pprof.gz");
    let path = PathBuf::from(place.told(&["cache", "import", &cpu]).trim_end());
    assert_eq!(
        place.told(&["cache", "path"]).trim_end(),
        place.cache().to_str().unwrap()
    );
    assert!(path.starts_with(place.cache()), "{}", path.display());
    assert_eq!(fs::read(&path).unwrap(), fs::read(&cpu).unwrap());
    assert!(
        !place.0.path().join("home").exists(),
        "nothing lies elsewhere"
    );
    let mut open = vec![place.0.path().join("xdg")];
    while let Some(at) = open.pop() {
        let found = fs::metadata(&at).unwrap();
        let wanted = if found.is_dir() { 0o700 } else { 0o600 };
        let mode = found.permissions().mode() & 0o777;
        assert_eq!(mode, wanted, "{}", at.display());
        if found.is_dir() {
            open.extend(fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[test]
fn the_list_shows_what_was_noted_and_what_is_wrong() {
    let mut wording = wording!();
    let place = Place::new();
    place.told(&[
        "cache",
        "import",
        &fixture("recordings/checkout-api.heap.pprof.gz"),
    ]);
    let store = place.store();
    let capture = store.list().unwrap().captures.remove(0);
    store
        .amend(&capture, &Amendment::Title(Some("a\u{202e}b".to_owned())))
        .unwrap();
    store
        .amend(
            &capture,
            &Amendment::Note(Some("slow since noon".to_owned())),
        )
        .unwrap();
    store.amend(&capture, &Amendment::Pinned(true)).unwrap();
    let listed = &place.captures()[0];
    for (key, expected) in [
        ("name", json!("a\u{202e}b")),
        ("note", json!("slow since noon")),
        ("pinned", json!(true)),
        ("damage", json!(null)),
        ("object_name", json!(null)),
        ("kind", json!("heap")),
        ("samples", json!(735)),
        (
            "top",
            json!({ "function": "priceCart", "self": 97_739_752 }),
        ),
        ("origin", json!("file")),
    ] {
        assert_eq!(listed[key], expected, "{key}");
    }
    assert!(
        listed["used_at"]
            .as_str()
            .is_some_and(|time| time.starts_with("20") && time.ends_with('Z')),
        "{listed}"
    );
    let table = place.told(&["list", "captures"]);
    wording.add(table);

    fs::write(&capture.path, b"short").unwrap();
    let output = place.run(&["list", "captures", "--json"]);
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    wording.add(listed[0]["damage"].as_str().unwrap());
    wording.add(String::from_utf8(output.stderr).unwrap());
    assert_eq!(
        listed[0]["name"],
        json!("a\u{202e}b"),
        "what was noted is still known"
    );
}

#[test]
fn prune_spares_what_is_pinned_or_damaged_and_takes_sizes_and_days() {
    let mut wording = wording!();
    let place = Place::new();
    for recording in ["checkout-api.cpu", "geo-router.cpu", "monolith.cpu"] {
        place.told(&[
            "cache",
            "import",
            &fixture(&format!("recordings/{recording}.pprof.gz")),
        ]);
    }
    let store = place.store();
    let worker = |name: &str| {
        store
            .list()
            .unwrap()
            .captures
            .into_iter()
            .find(|c| c.provenance.target.worker.starts_with(name))
            .unwrap()
    };
    store
        .amend(&worker("checkout-api"), &Amendment::Pinned(true))
        .unwrap();
    fs::write(
        worker("geo-router")
            .path
            .with_extension("")
            .with_extension("json"),
        "{",
    )
    .unwrap();
    let left = || store.list().unwrap().captures.len();
    place.told(&["cache", "prune", "--max-size", "1G"]);
    place.told(&["cache", "prune", "--keep-days", "4294967295"]);
    assert_eq!(left(), 3);
    let output = place.run(&["cache", "prune", "--max-size", "0"]);
    wording.add(String::from_utf8(output.stderr).unwrap());
    assert_eq!(left(), 2);
    place.told(&["cache", "prune", "--keep-days", "0", "--damaged"]);
    assert_eq!((left(), worker("checkout-api").keeping.pinned), (1, true));
    for bad in [
        &["--max-size", "lots"][..],
        &["--max-size", "-1"],
        &["--keep-days", "1.5"],
        &[],
        &["--damaged"],
    ] {
        assert_eq!(
            place
                .run(&[&["cache", "prune"], bad].concat())
                .status
                .code(),
            Some(2),
            "{bad:?}"
        );
    }
    place.told(&["cache", "clear"]);
    assert_eq!(left(), 0);
}

#[test]
fn what_is_no_profile_is_refused_at_once_and_leaves_nothing() {
    let mut wording = wording!();
    let place = Place::new();
    let since = SystemTime::now();
    let dir = place.0.path().to_str().unwrap();
    for bad in [
        dir,
        "/dev/zero",
        "/nonexistent/x.pprof",
        "Cargo.toml",
        "/dev/null",
    ] {
        let told = error(&place.run(&["cache", "import", bad]));
        assert!(told.contains(bad), "{bad}: {told}");
        wording.add(told);
    }
    assert!(since.elapsed().unwrap() < Duration::from_secs(20));
    assert_eq!(place.captures(), [json!(null); 0]);
    // A name from outside leads nowhere and obeys nobody; a pipe is read once.
    let odd = place.0.path().join("a\u{1b}[2J\u{202e}.pprof");
    fs::copy(fixture("recordings/checkout-api.cpu.pprof.gz"), &odd).unwrap();
    let path = place.told(&["cache", "import", odd.to_str().unwrap()]);
    assert!(
        !path.contains('\u{1b}') && !path.contains('\u{202e}'),
        "{path:?}"
    );
    let output = Command::new("sh")
        .args(["-c", "cat \"$1\" | \"$2\" cache import /dev/stdin", "sh"])
        .arg(&odd)
        .arg(env!("CARGO_BIN_EXE_flarescope"))
        .env("XDG_CACHE_HOME", place.0.path().join("xdg"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let piped = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
    assert_eq!(fs::read(piped).unwrap(), fs::read(&odd).unwrap());
}

#[test]
fn the_configured_quota_is_kept_and_reported() {
    let mut wording = wording!();
    let place = Place::new();
    fs::create_dir_all(place.0.path().join("config/flarescope")).unwrap();
    fs::write(
        place.0.path().join("config/flarescope/config.toml"),
        "quota = \"20K\"\n",
    )
    .unwrap();
    let import = |recording: &str| {
        place.run(&[
            "cache",
            "import",
            &fixture(&format!("recordings/{recording}.pprof.gz")),
        ])
    };
    // 13,784 bytes and 16,767: the two are too much.
    assert!(import("monolith.cpu").status.success());
    let description = place.store().list().unwrap().captures[0]
        .path
        .with_extension("")
        .with_extension("json");
    File::open(description)
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(60))
        .unwrap();
    let told = String::from_utf8(import("monolith.heap").stderr).unwrap();
    wording.add(told);
    assert_eq!(place.captures().len(), 1);
    fs::write(
        place.0.path().join("config/flarescope/config.toml"),
        "quota = \"many\"\n",
    )
    .unwrap();
    assert_eq!(place.run(&["list", "captures"]).status.code(), Some(2));
}

#[test]
fn reading_a_capture_in_any_way_counts_as_use() {
    let place = Place::new();
    for name in [
        "recordings/checkout-api.cpu.pprof.gz",
        "recordings/checkout-api.heap.pprof.gz",
    ] {
        place.told(&["cache", "import", &fixture(name)]);
    }
    let old = SystemTime::now() - Duration::from_secs(86_400);
    let age = |path: &str| {
        let stem = path.strip_suffix(".pprof.gz").unwrap();
        File::open(format!("{stem}.json"))
            .unwrap()
            .set_modified(old)
            .unwrap();
    };
    let copy = place.0.path().join("copy.pprof.gz");
    let captures = place.captures();
    let (path, other) = (
        captures[0]["path"].as_str().unwrap().to_owned(),
        captures[1]["path"].as_str().unwrap().to_owned(),
    );
    fs::copy(&path, &copy).unwrap();
    let hash = &captures[0]["sha256"].as_str().unwrap()[..10];
    for arguments in [
        vec!["top", hash],
        vec!["top", &path],
        vec!["top", copy.to_str().unwrap()],
        vec!["export", hash, "--to", "folded", "-o", "-"],
        vec!["diff", hash, hash],
    ] {
        age(&path);
        age(&other);
        place.told(&arguments);
        let used: Vec<SystemTime> = place
            .captures()
            .iter()
            .map(|capture| humantime::parse_rfc3339(capture["used_at"].as_str().unwrap()).unwrap())
            .collect();
        assert!(
            used[0].elapsed().unwrap() < Duration::from_secs(60),
            "{arguments:?}"
        );
        assert!(
            used[1].elapsed().unwrap() > Duration::from_secs(80_000),
            "{arguments:?}"
        );
    }
}
