//! What people note of captures: names, notes and pins, deleting and bringing back, and descriptions of other versions.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flarescope::model::cloudflare::{Amendment, Capture, Kind, Summary};
use flarescope::store::{Store, StoreError, TRASH_RETENTION};
use serde_json::{Value, json};

use crate::wording::wording;
use crate::{PROFILE, about, files, store};

fn description(capture: &Capture) -> PathBuf {
    capture.path.with_extension("").with_extension("json")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn title(text: &str) -> Amendment {
    Amendment::Title(Some(text.to_owned()))
}

fn note(text: &str) -> Amendment {
    Amendment::Note(Some(text.to_owned()))
}

#[test]
fn names_notes_and_pins_are_kept() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    for amendment in [
        title("  before\u{1b}[31m\n the fix "),
        note("slow since noon"),
        Amendment::Pinned(true),
    ] {
        store.amend(&capture, &amendment).unwrap();
    }
    let listed = &store.list().unwrap().captures[0];
    assert_eq!(
        listed.keeping.title.as_deref(),
        Some("before[31m the fix"),
        "one line, nothing a terminal obeys"
    );
    assert_eq!(
        (listed.keeping.note.as_deref(), listed.keeping.pinned),
        (Some("slow since noon"), true)
    );
    assert_eq!(
        (
            &listed.provenance.target.worker,
            &listed.provenance.target.version_id
        ),
        (
            &capture.provenance.target.worker,
            &capture.provenance.target.version_id
        ),
        "the rest is as it was"
    );
    for amendment in [
        Amendment::Title(None),
        note("   "),
        Amendment::Pinned(false),
    ] {
        store.amend(&capture, &amendment).unwrap();
    }
    let plain = read(&description(&capture));
    assert_eq!(
        ["title", "note", "pinned"].map(|key| plain.get(key)),
        [None; 3]
    );
    let long = store.amend(&capture, &title(&"é".repeat(5_000))).unwrap();
    assert_eq!(long.keeping.title.unwrap().chars().count(), 200);
}

#[test]
fn two_programs_that_note_different_things_lose_neither() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    std::thread::scope(|scope| {
        for amendment in [title("kept"), note("kept"), Amendment::Pinned(true)] {
            let (store, capture) = (store.clone(), &capture);
            scope.spawn(move || {
                for _ in 0..40 {
                    store.amend(capture, &amendment).unwrap();
                }
            });
        }
        // Nobody ever sees half of a description.
        for _ in 0..200 {
            let listing = store.list().unwrap();
            assert_eq!((listing.captures.len(), listing.warnings), (1, Vec::new()));
        }
    });
    let keeping = &store.list().unwrap().captures[0].keeping;
    let (title, note) = (keeping.title.as_deref(), keeping.note.as_deref());
    assert_eq!(
        (title, note, keeping.pinned),
        (Some("kept"), Some("kept"), true)
    );
}

#[test]
fn a_program_that_was_stopped_while_it_wrote_does_not_stop_others() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    store.amend(&capture, &note("first")).unwrap();
    let held = File::open(store.dir().join("profiles/.lock")).unwrap();
    held.lock().unwrap();
    let amended = store.amend(&capture, &title("kept")).unwrap();
    assert_eq!(
        (
            amended.keeping.title.as_deref(),
            amended.keeping.note.as_deref()
        ),
        (Some("kept"), Some("first"))
    );
}

#[test]
fn what_a_newer_program_noted_stays_and_its_formats_are_left_alone() {
    let mut wording = wording!();
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let path = description(&capture);
    let mut later = read(&path);
    later["ticket"] = json!({ "number": 7 });
    fs::write(&path, later.to_string()).unwrap();
    store.amend(&capture, &title("mine")).unwrap();
    assert_eq!(
        (&read(&path)["ticket"], &read(&path)["title"]),
        (&json!({ "number": 7 }), &json!("mine"))
    );

    let newer = json!({ "format": 99, "all": "different" }).to_string();
    fs::write(&path, &newer).unwrap();
    let error = store.amend(&capture, &title("lost?")).unwrap_err();
    assert!(
        matches!(error, StoreError::Newer { format: 99, .. }),
        "{error}"
    );
    wording.add(error.to_string());
    let summary = Summary {
        sample_type: ("cpu".to_owned(), "ns".to_owned()),
        total: 1,
        samples: 1,
        top: None,
    };
    let listed = store.list().unwrap().captures.remove(0);
    assert!(
        listed.keeping.damage.as_deref().unwrap().contains("99"),
        "{listed:?}"
    );
    store.set_summary(&listed, summary).unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        newer,
        "nothing of it is lost"
    );
}

#[test]
fn a_broken_description_is_set_apart_before_a_new_one_is_written() {
    let mut wording = wording!();
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("checkout-api", 1)).unwrap();
    let path = description(&capture);
    fs::write(&path, "{\"format\":1,\"worker\":\"checkout").unwrap();
    let listed = store.list().unwrap().captures.remove(0);
    let amended = store.amend(&listed, &title("rescued")).unwrap();
    assert_eq!(
        (amended.keeping.title.as_deref(), amended.keeping.damage),
        (Some("rescued"), None)
    );
    let apart = path.with_extension("json.broken");
    assert_eq!(
        fs::read_to_string(apart).unwrap(),
        "{\"format\":1,\"worker\":\"checkout"
    );
    let warnings = store.list().unwrap().warnings;
    wording.add(&warnings[0]);
    assert!(warnings.len() == 1, "{warnings:?}");
    fs::remove_file(&capture.path).unwrap();
    assert!(matches!(
        store.amend(&listed, &title("x")),
        Err(StoreError::Gone(_))
    ));
}

#[test]
fn a_deleted_capture_comes_back_with_all_that_was_noted_also_in_another_session() {
    let (_dir, store) = store();
    let one = store.keep(PROFILE, about("one", 1)).unwrap();
    let two = store.keep(PROFILE, about("two", 2)).unwrap();
    let one = store.amend(&one, &note("look at this")).unwrap();
    store.move_to_trash(&two).unwrap();
    std::thread::sleep(Duration::from_millis(2));
    store.move_to_trash(&one).unwrap();
    assert_eq!(store.list().unwrap(), flarescope::store::Listing::default());
    store.move_to_trash(&one).unwrap();
    let later = Store::open(store.dir());
    assert_eq!(
        later.restore().unwrap(),
        Some(one.clone()),
        "the last one first"
    );
    assert_eq!(later.restore().unwrap(), Some(two.clone()));
    assert_eq!(later.restore().unwrap(), None);
    assert_eq!(later.list().unwrap().captures, [two, one]);
}

#[test]
fn a_deletion_that_was_cut_short_is_finished_or_undone() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("one", 1)).unwrap();
    let whole = fs::read(description(&capture)).unwrap();
    store.move_to_trash(&capture).unwrap();
    // As if the program had been killed after the first of the two files.
    fs::write(description(&capture), &whole).unwrap();
    for entry in fs::read_dir(store.dir().join("deleted")).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(store.list().unwrap().captures, []);
    store.clean_up();
    assert!(files(&store).is_empty(), "{:?}", files(&store));
    let back = store.restore().unwrap().unwrap();
    assert_eq!(
        (back.provenance.target.version_id, back.keeping.damage),
        (capture.provenance.target.version_id, None)
    );
}

#[test]
fn what_was_deleted_long_ago_goes_and_foreign_files_beside_it_stay() {
    let (_dir, store) = store();
    let capture = store.keep(PROFILE, about("one", 1)).unwrap();
    store.move_to_trash(&capture).unwrap();
    let aside = store.dir().join("deleted");
    fs::write(aside.join("notes.txt"), "mine").unwrap();
    fs::write(aside.join("12~notes.txt"), "mine").unwrap();
    store.clean_up();
    assert_eq!(fs::read_dir(&aside).unwrap().count(), 4);
    let old = SystemTime::now() - TRASH_RETENTION - Duration::from_secs(60);
    let millis = old
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_millis();
    for entry in fs::read_dir(&aside).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some((_, name)) = name
            .split_once('~')
            .filter(|(_, name)| name.starts_with("one"))
        {
            fs::rename(&path, aside.join(format!("{millis}~{name}"))).unwrap();
        }
    }
    store.clean_up();
    assert_eq!(fs::read_dir(&aside).unwrap().count(), 2);
    assert_eq!(store.restore().unwrap(), None);
}

#[test]
fn only_temporary_files_that_nobody_writes_any_more_are_cleared_away() {
    let (_dir, store) = store();
    store.keep(PROFILE, about("one", 1)).unwrap();
    let profiles = store.dir().join("profiles");
    let ages = [("fresh", 0), ("hours", 23 * 3_600), ("days", 25 * 3_600)];
    for (name, age) in ages {
        let file = File::create(profiles.join(format!(".tmp-{name}"))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age))
            .unwrap();
    }
    store.clean_up();
    let left = ages.map(|(name, _)| profiles.join(format!(".tmp-{name}")).exists());
    assert_eq!(left, [true, true, false]);
}

#[test]
fn a_cache_of_the_first_format_is_read_and_can_be_changed() {
    let (_dir, store) = store();
    let profiles = store.dir().join("profiles");
    fs::create_dir_all(&profiles).unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cache-v1/profiles");
    for entry in fs::read_dir(fixture).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, profiles.join(path.file_name().unwrap())).unwrap();
    }
    let listing = store.list().unwrap();
    assert!(listing.warnings.is_empty(), "{:?}", listing.warnings);
    let told = |capture: &Capture| {
        let summary = capture.summary.clone().unwrap();
        (
            capture.provenance.target.worker.clone(),
            capture.provenance.kind,
            summary.samples,
            summary.top.unwrap().0,
        )
    };
    assert_eq!(
        listing.captures.iter().map(told).collect::<Vec<_>>(),
        [
            (
                "checkout-api".to_owned(),
                Some(Kind::Heap),
                735,
                "priceCart".to_owned()
            ),
            (
                "checkout-api".to_owned(),
                Some(Kind::Cpu),
                3_324,
                "validateAddress".to_owned()
            ),
            (
                "status-page.cpu.pprof.gz".to_owned(),
                Some(Kind::Cpu),
                67,
                "hashRound".to_owned()
            ),
        ]
    );
    let heap = &listing.captures[0];
    assert_eq!(
        heap.provenance
            .target
            .object
            .as_ref()
            .unwrap()
            .name
            .as_deref(),
        Some("cart:8812")
    );
    assert_eq!(
        (
            heap.provenance.target.version_number,
            heap.provenance.target.percentage
        ),
        (Some(128), Some(90.0))
    );
    for capture in &listing.captures {
        store.read(capture).unwrap();
        let changed = store.amend(capture, &title("of the first format")).unwrap();
        let same = Capture {
            keeping: capture.keeping.clone(),
            ..changed.clone()
        };
        assert_eq!(&same, capture, "nothing but the name has changed");
    }
    assert!(
        store
            .list()
            .unwrap()
            .captures
            .iter()
            .all(|c| c.keeping.title.as_deref() == Some("of the first format"))
    );
}
