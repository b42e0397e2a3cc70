//! The cache of captures under damage, several writers, full and closed folders, and sudden death.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod eviction;
mod keeping;
#[path = "../support/wording.rs"]
mod wording;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::wording::wording;
use flarescope::model::cloudflare::{
    Kind, Metrics, ObjectRef, Origin, Provenance, Summary, Target,
};
use flarescope::store::{DetachedResult, Prune, Store, StoreError, unsaved};

pub(crate) const PROFILE: &[u8] =
    include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");

/// What a child process of the kill test is told its folder by.
const CHILD: &str = "FLARESCOPE_TEST_STORE_CHILD";

pub(crate) fn about(worker: &str, seconds: u64) -> Provenance {
    let asked_at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000 + seconds);
    Provenance {
        target: Target {
            worker: worker.to_owned(),
            version_id: Some("7c1f2a9e-8d04-4b6a-b1c7-25e93f60a4d8".to_owned()),
            version_number: Some(128),
            author: Some("dana@example.com".to_owned()),
            message: Some("retry payments".to_owned()),
            percentage: Some(90.5),
            metrics: Some(Metrics {
                requests_per_second: 370.8,
                errors_per_second: 0.25,
                cpu_p50_us: 12_400.0,
                cpu_p99_us: 48_100.5,
                memory_p99: Some(42e6),
                exceeded: 3,
            }),
            object: Some(
                ObjectRef::new(&"a".repeat(32), &"b".repeat(64), Some("cart:1".to_owned()))
                    .unwrap(),
            ),
        },
        kind: Some(Kind::Cpu),
        window: Some(Duration::from_secs(10)),
        account_id: Some("c".repeat(32)),
        account_name: Some("Acme".to_owned()),
        asked_at,
        answered_at: asked_at + Duration::from_millis(10_250),
        origin: Origin::Cloudflare,
    }
}

pub(crate) fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("cache"));
    (dir, store)
}

pub(crate) fn files(store: &Store) -> Vec<PathBuf> {
    let entries = fs::read_dir(store.dir().join("profiles")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    // Empty, and never in the way.
    files.retain(|file| !file.ends_with(".lock"));
    files.sort();
    files
}

#[test]
fn what_is_kept_comes_back_with_all_that_is_known_of_it() {
    let (_dir, store) = store();
    assert_eq!(store.list().unwrap().captures, []);
    let old = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let new = store
        .keep(b"\x0a\x04\x08\x01\x10\x02", about("a/../b\u{1b}", 2))
        .unwrap();
    let listing = store.list().unwrap();
    assert_eq!(
        (listing.captures, listing.warnings.len()),
        (vec![new.clone(), old.clone()], 0)
    );
    assert_eq!(store.read(&old).unwrap(), PROFILE);
    assert!(
        old.path
            .to_string_lossy()
            .ends_with(&format!("{}.pprof.gz", old.sha256)),
        "{}",
        old.path.display()
    );
    assert_eq!(
        new.path.parent(),
        Some(store.dir().join("profiles").as_path()),
        "no name leaves the folder"
    );
}

#[test]
fn traffic_that_can_not_be_read_is_none_and_costs_nothing_else() {
    let (_dir, store) = store();
    let kept = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let description = files(&store)
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "json"))
        .unwrap();
    let written: serde_json::Value =
        serde_json::from_slice(&fs::read(&description).unwrap()).unwrap();
    assert_eq!(
        written["traffic"]["cpu_p99_us"], 48_100.5,
        "microseconds, as they came"
    );
    for traffic in [
        serde_json::json!(null),
        serde_json::json!("many"),
        serde_json::json!({ "requests_per_second": 3 }),
        serde_json::json!({ "requests_per_second": -3, "errors_per_second": 0, "cpu_p50_us": 1, "cpu_p99_us": 1 }),
    ] {
        let mut changed = written.clone();
        changed["traffic"] = traffic.clone();
        fs::write(&description, serde_json::to_vec(&changed).unwrap()).unwrap();
        let listing = store.list().unwrap();
        assert_eq!(listing.warnings, [] as [&str; 0], "{traffic}");
        let [found] = &listing.captures[..] else {
            panic!("{listing:?}")
        };
        assert_eq!(
            (
                found.provenance.target.metrics,
                found.provenance.target.version_number,
                &found.provenance.target.object
            ),
            (
                None,
                kept.provenance.target.version_number,
                &kept.provenance.target.object
            )
        );
    }
    let mut older = written;
    older.as_object_mut().unwrap().remove("traffic");
    fs::write(&description, serde_json::to_vec(&older).unwrap()).unwrap();
    assert_eq!(
        store.list().unwrap().captures[0].provenance.target.metrics,
        None,
        "as an older program wrote it"
    );
}

#[test]
fn a_listing_that_meets_a_capture_before_its_description_has_no_complaint() {
    let mut wording = wording!();
    let (_dir, store) = store();
    let kept = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let [profile, description] = ["gz", "json"].map(|end| {
        files(&store)
            .into_iter()
            .find(|path| path.extension().is_some_and(|e| e == end))
            .unwrap()
    });
    let written = fs::read(&description).unwrap();
    fs::remove_file(&description).unwrap();
    // The other program is at it: the description comes while the list is read.
    let late = std::thread::spawn({
        let description = description.clone();
        move || {
            std::thread::sleep(Duration::from_millis(60));
            fs::write(description, written).unwrap();
        }
    });
    let listing = store.list().unwrap();
    late.join().unwrap();
    assert_eq!((listing.warnings.len(), listing.captures.len()), (0, 1));
    assert_eq!(
        (
            listing.captures[0].provenance.window,
            &listing.captures[0].keeping.damage
        ),
        (kept.provenance.window, &None)
    );

    // It died in between, or its disk is very slow: no word of it while the profile is young.
    fs::remove_file(&description).unwrap();
    let listing = store.list().unwrap();
    assert_eq!(
        (listing.warnings.len(), &listing.captures[0].keeping.damage),
        (0, &None),
        "{listing:?}"
    );
    assert_eq!(listing.captures[0].sha256, kept.sha256, "and it is listed");

    let old = SystemTime::now() - Duration::from_secs(60);
    fs::File::options()
        .write(true)
        .open(&profile)
        .unwrap()
        .set_modified(old)
        .unwrap();
    let listing = store.list().unwrap();
    wording.add(&listing.warnings[0]);
    assert!(listing.captures[0].keeping.damage.is_some());
}

#[test]
fn the_same_bytes_captured_twice_are_two_captures() {
    let (_dir, store) = store();
    store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let new = store.keep(PROFILE, about("checkout-api", 2)).unwrap();
    assert_eq!(store.list().unwrap().captures.len(), 2);
    assert_eq!(store.find(&new.sha256[..8]).unwrap(), new);
}

#[test]
fn a_summary_stays_beside_what_other_programs_noted() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let description = capture.path.with_extension("").with_extension("json");
    let mut json: serde_json::Value =
        serde_json::from_slice(&fs::read(&description).unwrap()).unwrap();
    assert_eq!(json["format"], 1);
    json["pinned"] = serde_json::json!(true);
    fs::write(&description, json.to_string()).unwrap();
    let summary = Summary {
        sample_type: ("cpu".to_owned(), "nanoseconds".to_owned()),
        total: 8_001_000_000,
        samples: 3324,
        top: Some(("validateAddress".to_owned(), 5_093_000_000)),
    };
    store.set_summary(&capture, summary.clone()).unwrap();
    assert_eq!(store.list().unwrap().captures[0].summary, Some(summary));
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&description).unwrap()).unwrap();
    assert_eq!(json["pinned"], true);
}

#[test]
fn broken_and_foreign_files_cost_a_warning_and_nothing_else() {
    let (_dir, store) = store();
    let good = store.keep(PROFILE, about("good", 9)).unwrap();
    let profiles = store.dir().join("profiles");
    let broken = store.keep(PROFILE, about("broken", 8)).unwrap();
    fs::write(
        broken.path.with_extension("").with_extension("json"),
        b"{\"format\":1",
    )
    .unwrap();
    let newer = store.keep(PROFILE, about("newer", 7)).unwrap();
    let description = newer.path.with_extension("").with_extension("json");
    let text = fs::read_to_string(&description)
        .unwrap()
        .replace("\"format\": 1", "\"format\": 99");
    fs::write(&description, text).unwrap();
    let bare = store.keep(PROFILE, about("bare", 6)).unwrap();
    fs::remove_file(bare.path.with_extension("").with_extension("json")).unwrap();
    // Not one whose description is on its way.
    let old = SystemTime::now() - Duration::from_secs(60);
    fs::File::options()
        .write(true)
        .open(&bare.path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    let short = store.keep(PROFILE, about("short", 5)).unwrap();
    fs::write(&short.path, &PROFILE[..50]).unwrap();
    let gone = store.keep(PROFILE, about("gone", 4)).unwrap();
    fs::remove_file(&gone.path).unwrap();
    fs::write(profiles.join("notes.txt"), "mine").unwrap();
    fs::write(profiles.join(".tmp-half"), "half").unwrap();
    fs::create_dir(profiles.join("folder.pprof")).unwrap();

    let listing = store.list().unwrap();
    let names: Vec<&str> = listing
        .captures
        .iter()
        .map(|capture| capture.provenance.target.worker.as_str())
        .collect();
    assert_eq!(names, ["good", "broken", "newer", "bare", "short"]);
    assert_eq!(listing.warnings.len(), 7, "{:#?}", listing.warnings);
    assert_eq!(listing.captures[0], good);
    let rescued = &listing.captures[3];
    assert_eq!(
        (
            rescued.provenance.kind,
            &rescued.sha256,
            rescued.provenance.asked_at
        ),
        (Some(Kind::Cpu), &bare.sha256, bare.provenance.asked_at)
    );
    assert_eq!(store.read(rescued).unwrap(), PROFILE);
    assert!(matches!(store.read(&short), Err(StoreError::Damaged(_))));
    assert_eq!(fs::read(profiles.join("notes.txt")).unwrap(), b"mine");
}

#[test]
fn a_capture_is_found_by_hash_or_path_and_ambiguity_is_reported() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    for text in [
        &capture.sha256[..4],
        &capture.sha256.to_uppercase(),
        capture.path.to_str().unwrap(),
    ] {
        assert_eq!(store.find(text).unwrap(), capture, "{text}");
    }
    for text in [
        "",
        "abc",
        "zzzz",
        "../../etc/passwd",
        "00000000000000000000",
    ] {
        assert!(
            matches!(store.find(text), Err(StoreError::Unknown(_))),
            "{text}"
        );
    }
    // Two hashes that begin alike, found by trying.
    let prefix = &capture.sha256[..4];
    let other = (0_u32..)
        .map(|number| unsaved(&number.to_le_bytes(), about("other", 2)))
        .position(|other| other.sha256.starts_with(prefix))
        .unwrap();
    store
        .keep(
            &u32::try_from(other).unwrap().to_le_bytes(),
            about("other", 2),
        )
        .unwrap();
    assert!(matches!(store.find(prefix), Err(StoreError::Ambiguous(_))));
}

#[test]
fn remove_and_clear_take_what_is_ours_and_nothing_else() {
    let (_dir, store) = store();
    let one = store.keep(PROFILE, about("one", 1)).unwrap();
    store.keep(PROFILE, about("two", 2)).unwrap();
    store.remove(&one).unwrap();
    store.remove(&one).unwrap();
    assert_eq!(files(&store).len(), 2);
    fs::write(store.dir().join("profiles/notes.txt"), "mine").unwrap();
    let folder = store.dir().join("profiles/x-cpu-1-aaaaaaaaaaaaaaaa.pprof");
    fs::create_dir(&folder).unwrap();
    fs::write(store.dir().join("profiles/.tmp-half"), "half").unwrap();
    store.prune(Prune::default()).unwrap();
    assert_eq!(
        files(&store).len(),
        5,
        "a fresh temporary file may have a writer"
    );
    assert_eq!(store.clear().unwrap(), 1);
    assert_eq!(
        files(&store),
        [store.dir().join("profiles/notes.txt"), folder],
        "and a folder is not ours"
    );
}

#[test]
#[cfg(unix)]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (_dir, store) = store();
    fs::create_dir_all(store.dir().join("profiles")).unwrap();
    fs::set_permissions(
        store.dir().join("profiles"),
        fs::Permissions::from_mode(0o755),
    )
    .unwrap();
    store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    assert_eq!(mode(&store.dir().join("profiles")), 0o700);
    for file in files(&store) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_and_leaves_nothing_half() {
    let dir = tempfile::tempdir().unwrap();
    // A file where the folder should be: nobody can write below it, not even root.
    fs::write(dir.path().join("cache"), "in the way").unwrap();
    let store = Store::open(dir.path().join("cache"));
    let error = store.keep(PROFILE, about("checkout-api", 1)).unwrap_err();
    assert!(matches!(error, StoreError::Write { .. }), "{error}");
    assert!(error.to_string().contains("cache"), "{error}");
    let unkept = unsaved(PROFILE, about("checkout-api", 1));
    assert_eq!(
        (unkept.bytes, unkept.path),
        (PROFILE.len() as u64, PathBuf::new())
    );
    assert_eq!(fs::read(dir.path().join("cache")).unwrap(), b"in the way");
}

#[test]
#[cfg(target_os = "linux")]
fn a_place_that_takes_no_files_is_reported() {
    let store = Store::open("/proc/flarescope");
    assert!(matches!(
        store.keep(PROFILE, about("x", 1)),
        Err(StoreError::Write { .. })
    ));
    assert_eq!(store.list().unwrap().captures, []);
}

#[test]
fn two_writers_lose_nothing() {
    let (_dir, store) = store();
    std::thread::scope(|scope| {
        for writer in 0..4_u64 {
            let store = store.clone();
            scope.spawn(move || {
                for number in 0..25 {
                    let bytes = [
                        b"\x0a\x04\x08\x01",
                        &writer.to_le_bytes()[..],
                        &number_bytes(number),
                    ]
                    .concat();
                    let capture = store
                        .keep(&bytes, about(&format!("w{writer}"), number))
                        .unwrap();
                    store.list().unwrap();
                    assert_eq!(store.read(&capture).unwrap(), bytes);
                }
            });
        }
    });
    let listing = store.list().unwrap();
    assert_eq!(
        (listing.captures.len(), listing.warnings.len()),
        (100, 0),
        "{:?}",
        listing.warnings
    );
}

fn number_bytes(number: u64) -> [u8; 8] {
    number.to_le_bytes()
}

/// Not a test of its own: what the next test kills.
#[test]
fn child_that_keeps_captures_until_it_is_killed() {
    let Some(dir) = std::env::var_os(CHILD) else {
        return;
    };
    let store = Store::open(dir);
    let first = u64::from(std::process::id()) * 100_000;
    for number in first.. {
        let bytes = [PROFILE, &number_bytes(number)].concat();
        store.keep(&bytes, about("victim", number)).unwrap();
    }
}

#[test]
fn a_killed_program_leaves_whole_captures_only() {
    let (_dir, store) = store();
    for round in 0..12_u64 {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "child_that_keeps_captures_until_it_is_killed",
                "--nocapture",
            ])
            .env(CHILD, store.dir())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Waits for its first file, then kills it at some point of the writing that follows.
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while store.list().unwrap().captures.is_empty() && std::time::Instant::now() < deadline {
            std::thread::yield_now();
        }
        for _ in 0..round * 3 {
            store.list().unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let listing = store.list().unwrap();
        assert!(!listing.captures.is_empty());
        for capture in &listing.captures {
            assert!(
                store.read(capture).unwrap().starts_with(PROFILE),
                "round {round}: {}",
                capture.path.display()
            );
        }
        // At most the one that was under way may lack its description.
        assert!(listing.warnings.len() <= 1, "{:?}", listing.warnings);
        store.clear().unwrap();
    }
}

#[test]
fn one_captures_at_a_time_and_the_lock_falls_with_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (Store::open(folder.path()), Store::open(folder.path()));
    let window = Duration::from_secs(10);
    let turn = one
        .try_capture_lock("account-a", "checkout-api", window)
        .unwrap()
        .unwrap();
    assert!(
        other
            .try_capture_lock("account-a", "geo-router", window)
            .unwrap()
            .is_none()
    );
    let holder = other.capture_lock_owner("account-a").unwrap();
    assert_eq!(holder.worker, "checkout-api");
    let left = holder
        .until
        .unwrap()
        .duration_since(SystemTime::now())
        .unwrap();
    assert!(left <= window && left > Duration::from_secs(8), "{left:?}");
    assert!(
        other
            .try_capture_lock("account-b", "geo-router", window)
            .unwrap()
            .is_some(),
        "another account has its own"
    );

    let waits = std::thread::spawn(move || {
        other
            .wait_for_capture_lock("account-a", "geo-router", window)
            .unwrap()
    });
    drop(turn);
    let turn = waits.join().unwrap();
    assert_eq!(
        one.capture_lock_owner("account-a").unwrap().worker,
        "geo-router"
    );
    drop(turn);
    assert_eq!(one.capture_lock_owner("account-a"), None);
    // What stands in the file of an old holder gives nobody the turn.
    assert!(
        one.try_capture_lock("account-a", "x", window)
            .unwrap()
            .is_some()
    );
}

#[test]
fn a_lock_file_that_holds_nonsense_has_an_owner_without_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path());
    let turn = store
        .try_capture_lock("a/../b", "w", Duration::from_secs(1))
        .unwrap()
        .unwrap();
    let files: Vec<_> = fs::read_dir(folder.path().join("turns"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .collect();
    assert_eq!(files.len(), 1, "a key can't leave the folder");
    fs::write(files[0].path(), b"\xff{").unwrap();
    let holder = store.capture_lock_owner("a/../b").unwrap();
    assert_eq!((holder.worker.as_str(), holder.until), ("", None));
    drop(turn);
    // Without a folder there is no turn, and that is told.
    let blocked = tempfile::NamedTempFile::new().unwrap();
    assert!(
        Store::open(blocked.path())
            .try_capture_lock("a", "w", Duration::from_secs(1))
            .is_err()
    );
}

#[test]
fn one_of_many_that_break_a_stale_lock_gets_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path());
    for round in 0..300 {
        let key = format!("account-{round}");
        let stale = store.try_capture_lock(&key, "w", Duration::ZERO).unwrap();
        assert!(stale.is_some());
        let start = std::sync::Barrier::new(4);
        let take = || {
            start.wait();
            let _ = store.break_capture_lock(&key, Duration::ZERO);
            store
                .try_capture_lock(&key, "w", Duration::from_secs(60))
                .unwrap()
        };
        let taken = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
            threads
                .into_iter()
                .filter_map(|thread| thread.join().unwrap())
                .collect::<Vec<_>>()
        });
        assert_eq!(taken.len(), 1, "round {round}");
    }
}

#[test]
fn locks_of_accounts_that_nobody_captures_from_any_more_are_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path());
    let window = Duration::from_secs(1);
    for key in ["old", "new", "mine"] {
        drop(store.try_capture_lock(key, "w", window).unwrap());
    }
    let turns = folder.path().join("turns");
    let long_ago = SystemTime::now() - Duration::from_secs(25 * 60 * 60);
    for name in ["old.lock", "mine.lock"] {
        fs::File::options()
            .write(true)
            .open(turns.join(name))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }
    assert!(
        store
            .try_capture_lock("mine", "w", window)
            .unwrap()
            .is_some()
    );
    let mut left: Vec<_> = fs::read_dir(&turns)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["mine.lock", "new.lock"]);
}

#[test]
fn detached_results_are_reported_once_in_order_and_broken_ones_never() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path());
    assert_eq!(store.drain_detached_results(), []);
    let word = |seconds: u64, outcome: Result<PathBuf, String>| DetachedResult {
        worker: format!("w{seconds}"),
        at: SystemTime::UNIX_EPOCH + Duration::from_millis(now_ms() - seconds * 1_000),
        outcome,
    };
    let (late, early) = (
        word(5, Ok("/x/late.pprof".into())),
        word(60, Err("It was refused.".to_owned())),
    );
    let old = word(8 * 24 * 60 * 60, Ok("/x/old.pprof".into()));
    for word in [&late, &early, &old] {
        store.record_detached_result(word).unwrap();
    }
    fs::write(folder.path().join("unwatched/1-2.json"), b"{\"worker\":1}").unwrap();
    assert_eq!(store.drain_detached_results(), [early, late]);
    assert_eq!(store.drain_detached_results(), []);
}

fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_millis() as u64
}
