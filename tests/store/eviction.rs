//! What goes when there is too much, and what never does.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use flarescope::model::cloudflare::{Amendment, Capture};
use flarescope::store::{Prune, Store};

use crate::{PROFILE, about, files, store};

const SIZE: u64 = PROFILE.len() as u64;

/// Captures of the same size, used one after another in that order.
fn captures<const N: usize>(store: &Store) -> [Capture; N] {
    std::array::from_fn(|number| {
        let capture = store
            .keep(PROFILE, about("a", 100 * number as u64))
            .unwrap();
        used(&capture, 1_000 - number as u64);
        capture
    })
}

/// Makes a capture's last use so many seconds ago.
fn used(capture: &Capture, ago: u64) {
    let description = capture.path.with_extension("").with_extension("json");
    File::open(description)
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(ago))
        .unwrap();
}

fn paths<'a>(captures: impl IntoIterator<Item = &'a Capture>) -> Vec<&'a std::path::Path> {
    captures
        .into_iter()
        .map(|capture| capture.path.as_path())
        .collect()
}

fn pin(store: &Store, capture: &Capture) {
    store.amend(capture, &Amendment::Pinned(true)).unwrap();
}

fn most(bytes: u64) -> Prune {
    Prune {
        max_bytes: Some(bytes),
        ..Prune::default()
    }
}

#[test]
fn prune_takes_the_old_ones_and_those_used_longest_ago() {
    let (_dir, store) = store();
    let all: [_; 5] = captures(&store);
    assert!(store.prune(most(u64::MAX)).unwrap().is_empty());
    let removed = store
        .prune(Prune {
            before: Some(all[1].provenance.asked_at),
            ..Prune::default()
        })
        .unwrap();
    assert_eq!(paths(&removed), paths([&all[0]]));
    // The second one is the oldest, and was used last.
    store.touch(&all[1]);
    let removed = store.prune(most(SIZE * 2 + 1)).unwrap();
    assert_eq!(paths(&removed), paths([&all[2], &all[3]]));
    assert_eq!(store.prune(most(0)).unwrap().len(), 2);
    assert!(files(&store).is_empty());
}

#[test]
fn pinned_and_damaged_captures_stay_unless_the_damaged_ones_are_asked_for() {
    let (_dir, store) = store();
    let [pinned, broken, newer, short, plain] = captures(&store);
    pin(&store, &pinned);
    let description = |capture: &Capture| capture.path.with_extension("").with_extension("json");
    fs::write(description(&broken), "{").unwrap();
    fs::write(description(&newer), "{\"format\":7,\"pinned\":\"always\"}").unwrap();
    fs::write(&short.path, &PROFILE[..50]).unwrap();
    let everything = Prune {
        before: Some(SystemTime::now()),
        max_bytes: Some(0),
        damaged: false,
    };
    assert_eq!(paths(&store.prune(everything).unwrap()), paths([&plain]));
    assert_eq!(store.list().unwrap().captures.len(), 4);
    let removed = store
        .prune(Prune {
            damaged: true,
            ..everything
        })
        .unwrap();
    assert_eq!(removed.len(), 3);
    assert_eq!(paths(&store.list().unwrap().captures), paths([&pinned]));
}

#[test]
fn the_quota_spares_what_is_new_pinned_or_in_use() {
    let (_dir, store) = store();
    let all: [_; 4] = captures(&store);
    pin(&store, &all[0]);
    store.touch(&all[1]);
    let small = store.clone().with_quota(Some(SIZE * 4));
    let new = small.keep(PROFILE, about("a", 900)).unwrap();
    let room = small.enforce_quota(&new).unwrap();
    assert_eq!(
        (paths(&room.removed), room.over, room.quota),
        (paths([&all[2]]), None, SIZE * 4)
    );
    let tiny = store.clone().with_quota(Some(SIZE));
    let room = tiny.enforce_quota(&new).unwrap();
    assert_eq!(
        (paths(&room.removed), room.over),
        (paths([&all[3], &all[1]]), Some(SIZE * 2))
    );
    assert_eq!(
        paths(&store.list().unwrap().captures),
        paths([&new, &all[0]])
    );
    assert!(tiny.enforce_quota(&new).unwrap().removed.is_empty());
    assert!(
        store
            .clone()
            .with_quota(None)
            .enforce_quota(&new)
            .unwrap()
            .removed
            .is_empty()
    );
}

#[test]
fn deleted_captures_give_way_first() {
    let (_dir, store) = store();
    let all: [_; 3] = captures(&store);
    store.move_to_trash(&all[2]).unwrap();
    let small = store.clone().with_quota(Some(SIZE * 2));
    let room = small.enforce_quota(&all[1]).unwrap();
    assert!(room.removed.is_empty() && room.over.is_none(), "{room:?}");
    assert_eq!(small.restore().unwrap(), None);
    assert_eq!(small.list().unwrap().captures.len(), 2);
}

#[test]
fn clear_takes_pinned_and_deleted_ones_too() {
    let (_dir, store) = store();
    let all: [_; 3] = captures(&store);
    pin(&store, &all[0]);
    store.move_to_trash(&all[1]).unwrap();
    assert_eq!(store.clear().unwrap(), 2);
    assert_eq!(store.restore().unwrap(), None);
    assert!(files(&store).is_empty());
}

#[test]
#[cfg(unix)]
fn hostile_files_cost_a_warning_each_and_no_time() {
    let (_dir, store) = store();
    let profiles = store.dir().join("profiles");
    let [device, pipe, huge, good] = captures(&store);
    let description = |capture: &Capture| capture.path.with_extension("").with_extension("json");
    for capture in [&device, &pipe] {
        fs::remove_file(description(capture)).unwrap();
    }
    std::os::unix::fs::symlink("/dev/zero", description(&device)).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(description(&pipe))
        .status()
        .unwrap();
    assert!(made.success());
    File::create(description(&huge))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let hash = "ab".repeat(32);
    // A time that no calendar has, and a name that would lead elsewhere.
    fs::write(
        profiles.join(format!("x-cpu-99999999999999999-{hash}.pprof")),
        PROFILE,
    )
    .unwrap();
    std::os::unix::fs::symlink(
        "/etc/passwd",
        profiles.join(format!("x-cpu-1-{hash}.pprof")),
    )
    .unwrap();
    let listing = store.list().unwrap();
    assert_eq!(
        paths(
            listing
                .captures
                .iter()
                .filter(|c| c.keeping.damage.is_none())
        ),
        paths([&good])
    );
    assert_eq!(
        (listing.captures.len(), listing.warnings.len()),
        (4, 5),
        "{:#?}",
        listing.warnings
    );
    // Nothing of it is taken away, nor anything it points to.
    store.prune(most(0)).unwrap();
    assert_eq!(store.list().unwrap().captures.len(), 3);
    assert!(fs::metadata("/etc/passwd").unwrap().len() > 0);
}
