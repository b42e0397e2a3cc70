//! The program itself is killed at any point of a capture, runs out of disk, or finds its folder closed: what had been
//! told as kept is whole, and nothing half is ever shown.
#![cfg(all(feature = "demo", unix))]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

#[path = "support/wording.rs"]
mod wording;

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use flarescope::model::cloudflare::Amendment;
use flarescope::store::{Prune, Store};

use wording::wording;

const BIN: &str = env!("CARGO_BIN_EXE_flarescope");
/// How many captures are killed in all.
const KILLS: u32 = 200;
/// So many at a time, each against a demo server and into a folder of its own: an account captures once at a time.
const LANES: u32 = 4;

/// A demo server on which captures take a hundredth of their time, and a folder for what is kept.
struct Place {
    server: Child,
    base_url: String,
    token: String,
    dir: tempfile::TempDir,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Place {
    fn new() -> Self {
        let mut server = Command::new(BIN)
            .args(["demo", "--serve", "127.0.0.1:0", "--time-scale", "0.01"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let (base_url, token) = (words[2].to_owned(), words[4].to_owned());
        Self {
            server,
            base_url,
            token,
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    /// What is remembered from one start to the next.
    fn state(&self) -> PathBuf {
        self.dir.path().join(".local/state/flarescope")
    }

    /// Another command with the same folders.
    fn run(&self, arguments: &[&str], cache: &Path) -> Output {
        Command::new(BIN)
            .args(arguments)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("TMPDIR", self.dir.path())
            .env("FLARESCOPE_CACHE_DIR", cache)
            .output()
            .unwrap()
    }

    /// A capture into a folder; through `program` where that is not the program itself.
    fn capture(&self, program: &[&str], cache: &Path) -> Command {
        let mut words = program.iter().copied().chain([BIN]);
        let mut command = Command::new(words.next().unwrap());
        command
            .args(words)
            .args(["capture", "--worker", "checkout-api", "--duration", "1s"])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.dir.path())
            .env("TMPDIR", self.dir.path())
            .env("FLARESCOPE_CACHE_DIR", cache)
            .env("CLOUDFLARE_API_BASE_URL", &self.base_url)
            .env("CLOUDFLARE_API_TOKEN", &self.token)
            .stdin(Stdio::null());
        command
    }
}

/// Numbers that are spread over 0…1 without a pattern that could follow the program's own steps.
fn spread(number: u32) -> f64 {
    let mut bits = number.wrapping_add(1).wrapping_mul(0x9e37_79b9);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    f64::from(bits ^ (bits >> 13)) / f64::from(u32::MAX)
}

/// Starts a capture, kills it after a while, and answers the path that it had told as kept by then.
fn killed_after(place: &Place, time: Duration) -> Option<PathBuf> {
    let mut child = place
        .capture(&[], &place.cache())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(time);
    // SIGKILL: nothing of the program runs any more after it.
    child.kill().unwrap();
    child.wait().unwrap();
    let mut told = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut told)
        .unwrap();
    told.strip_suffix('\n').map(PathBuf::from)
}

/// Kills captures at points spread over a little more than the time one takes. Answers how many had been told as kept,
/// how many lie there, and how many of those without their description.
fn lane(first: u32, kills: u32) -> (usize, usize, usize) {
    let place = Place::new();
    let store = Store::open(place.cache());
    let since = Instant::now();
    assert!(
        place
            .capture(&[], &place.cache())
            .output()
            .unwrap()
            .status
            .success()
    );
    let whole = since.elapsed();
    let mut kept = Vec::new();
    for number in first..first + kills {
        kept.extend(killed_after(&place, whole.mul_f64(1.6 * spread(number))));
    }
    let listing = store.list().unwrap();
    for capture in &listing.captures {
        store
            .read(capture)
            .unwrap_or_else(|error| panic!("half a capture is listed: {error}"));
    }
    for path in &kept {
        let found = listing
            .captures
            .iter()
            .find(|capture| capture.path == *path);
        let found = found.unwrap_or_else(|| panic!("{} was told and is not there", path.display()));
        assert_eq!(
            (&*found.provenance.target.worker, &found.keeping.damage),
            ("checkout-api", &None),
            "{}",
            path.display()
        );
        assert!(
            found.provenance.target.version_id.is_some() && found.summary.is_some(),
            "{}",
            path.display()
        );
    }
    let bare = listing
        .captures
        .iter()
        .filter(|capture| capture.keeping.damage.is_some())
        .count();
    assert_eq!(listing.warnings.len(), bare, "{:#?}", listing.warnings);

    // What the killed ones had not finished goes, once nobody can be writing it any more.
    let half = || {
        let names = fs::read_dir(place.cache().join("profiles"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        names
            .filter(|path| {
                path.file_name()
                    .unwrap()
                    .to_string_lossy()
                    .starts_with(".tmp-")
            })
            .collect::<Vec<_>>()
    };
    let left = half();
    File::create(place.cache().join("profiles/.tmp-of-today")).unwrap();
    for path in &left {
        File::open(path)
            .unwrap()
            .set_modified(SystemTime::now() - Duration::from_secs(25 * 3_600))
            .unwrap();
    }
    assert!(
        place
            .capture(&[], &place.cache())
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(half(), [place.cache().join("profiles/.tmp-of-today")]);
    (kept.len(), listing.captures.len(), bare)
}

#[test]
fn two_hundred_captures_killed_at_any_point_leave_only_whole_ones() {
    let lanes = std::thread::scope(|scope| {
        let each = KILLS / LANES;
        let lanes: Vec<_> = (0..LANES)
            .map(|lane| scope.spawn(move || self::lane(lane * each, each)))
            .collect();
        lanes
            .into_iter()
            .map(|lane| lane.join().unwrap())
            .collect::<Vec<_>>()
    });
    let sum = |of: fn(&(usize, usize, usize)) -> usize| lanes.iter().map(of).sum::<usize>();
    let (kept, listed) = (sum(|lane| lane.0), sum(|lane| lane.1));
    // Both sides of the point where a capture is kept were hit, or the test would say nothing.
    assert!(kept >= 20 && kept + 20 <= KILLS as usize, "{lanes:?}");
    assert!(listed >= kept, "{lanes:?}");
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// What has to hold where the cache can't take a capture: it is written elsewhere, whole, and that is said.
fn rescued(output: &Output, place: &Place) {
    let (code, path, notes) = told(output);
    assert_eq!(code, Some(0), "{notes}");
    assert_eq!(
        notes
            .lines()
            .filter(|line| line.contains("/rescued"))
            .count(),
        2,
        "before the call and after it: {notes}"
    );
    let path = Path::new(path.trim_end());
    assert!(
        path.starts_with(place.state().join("rescued")),
        "{}",
        path.display()
    );
    assert_eq!(
        fs::read(path).unwrap().len(),
        864,
        "the recording of checkout-api"
    );
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn a_capture_that_the_cache_can_not_take_is_saved_elsewhere_and_says_so() {
    let mut wording = wording!();
    let place = Place::new();
    // A file in the place of the folder: closed to everybody, root too.
    let file = place.dir.path().join("a-file");
    fs::write(&file, "in the way").unwrap();
    let output = place.capture(&[], &file).output().unwrap();
    rescued(&output, &place);
    wording.add(told(&output).2);
    assert_eq!(fs::read(&file).unwrap(), b"in the way");
}

#[test]
#[cfg(target_os = "linux")]
fn a_rescued_capture_is_named_until_it_is_taken_in_with_all_that_is_known_of_it() {
    let place = Place::new();
    let file = place.dir.path().join("a-file");
    fs::write(&file, "in the way").unwrap();
    let (_, path, _) = told(&place.capture(&[], &file).output().unwrap());
    let path = path.trim_end();
    let cache = place.cache();
    let command = format!("flarescope cache import {path}");
    for arguments in [&["list", "captures"][..], &["cache", "list"]] {
        let (code, _, notes) = told(&place.run(arguments, &cache));
        assert_eq!(code, Some(0), "{notes}");
        assert!(notes.contains(&command), "{arguments:?}: {notes}");
    }
    let again = told(&place.capture(&[], &cache).output().unwrap());
    assert!(again.2.contains(&command), "{}", again.2);

    let (code, kept, notes) = told(&place.run(&["cache", "import", path], &cache));
    assert_eq!(code, Some(0), "{notes}");
    assert!(kept.starts_with(cache.to_str().unwrap()), "{kept}");
    let listing = Store::open(&cache).list().unwrap();
    let taken = listing
        .captures
        .iter()
        .find(|c| c.path == Path::new(kept.trim_end()));
    let taken = taken.unwrap();
    assert_eq!(
        (&*taken.provenance.target.worker, &taken.keeping.damage),
        ("checkout-api", &None)
    );
    assert!(taken.provenance.target.version_id.is_some() && taken.summary.is_some());
    assert!(!Path::new(path).exists());
    let (_, _, notes) = told(&place.run(&["list", "captures"], &cache));
    assert_eq!(notes, "", "it is named no more");
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_state_folder_it_goes_to_a_temporary_one_and_without_any_nothing_is_captured() {
    let place = Place::new();
    let file = place.dir.path().join("a-file");
    fs::write(&file, "in the way").unwrap();
    fs::create_dir_all(place.state()).unwrap();
    fs::write(place.state().join("rescued"), "in the way").unwrap();
    let (code, path, notes) = told(&place.capture(&[], &file).output().unwrap());
    assert_eq!(code, Some(0), "{notes}");
    let own = format!("flarescope-{}", rustix::process::geteuid().as_raw());
    let own = place.dir.path().join(own);
    assert!(Path::new(path.trim_end()).starts_with(&own), "{path}");
    let (_, _, notes) = told(&place.run(&["list", "captures"], &place.cache()));
    assert!(notes.contains(path.trim_end()), "{notes}");

    // Somebody else's folder, led to by a link of that name.
    fs::remove_dir_all(&own).unwrap();
    let theirs = place.dir.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    std::os::unix::fs::symlink(&theirs, &own).unwrap();
    let (code, path, notes) = told(&place.capture(&[], &file).output().unwrap());
    assert_eq!((code, &*path), (Some(1), ""), "{notes}");
    assert!(notes.contains("nothing was captured"), "{notes}");
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 0);

    // With a place of the user's own it goes there.
    let own = place.dir.path().join("own.pprof");
    let output = place
        .capture(&[], &file)
        .arg("-o")
        .arg(&own)
        .output()
        .unwrap();
    let (code, path, notes) = told(&output);
    assert_eq!(code, Some(0), "{notes}");
    assert_eq!(Path::new(path.trim_end()), own);
    assert_eq!(fs::read(&own).unwrap().len(), 864);
}

/// A disk of a few pages, where this process may mount one; `None` without that right.
struct Disk(PathBuf);

impl Disk {
    fn new(at: &Path) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"])
            .arg(at)
            .output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then(|| Self(at.to_owned()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_costs_nothing_that_was_kept_and_nothing_that_came() {
    let place = Place::new();
    let Some(disk) = Disk::new(&place.dir.path().join("disk")) else {
        println!("left out: this process may not mount a file system");
        return;
    };
    let cache = disk.0.join("cache");
    let mut kept = 0;
    let full = loop {
        let output = place.capture(&[], &cache).output().unwrap();
        if !told(&output)
            .1
            .trim_end()
            .starts_with(cache.to_str().unwrap())
        {
            break output;
        }
        kept += 1;
        assert!(kept < 100, "the disk never fills");
    };
    rescued(&full, &place);
    let store = Store::open(&cache);
    let listing = store.list().unwrap();
    assert_eq!(
        (listing.captures.len(), listing.warnings),
        (kept, Vec::new())
    );
    assert!(
        listing
            .captures
            .iter()
            .all(|capture| store.read(capture).is_ok())
    );
    // Deleting needs no room, and makes some.
    store.remove(&listing.captures[0]).unwrap();
    assert_eq!(store.list().unwrap().captures.len(), kept - 1);
}

#[test]
fn a_folder_that_can_only_be_read_is_listed_and_opened_and_says_why_nothing_is_changed() {
    let place = Place::new();
    let Some(disk) = Disk::new(&place.dir.path().join("disk")) else {
        println!("left out: this process may not mount a file system");
        return;
    };
    let mut wording = wording!();
    let cache = disk.0.join("cache");
    assert!(
        place
            .capture(&[], &cache)
            .output()
            .unwrap()
            .status
            .success()
    );
    let closed = Command::new("mount")
        .args(["-o", "remount,ro"])
        .arg(&disk.0)
        .output()
        .unwrap();
    assert!(
        closed.status.success(),
        "{}",
        String::from_utf8_lossy(&closed.stderr)
    );
    let store = Store::open(&cache);
    let listing = store.list().unwrap();
    let [capture] = &listing.captures[..] else {
        panic!("{listing:?}")
    };
    assert_eq!(
        (store.read(capture).unwrap().len(), listing.warnings.len()),
        (864, 0)
    );
    store.clean_up();
    store.touch(capture);
    let mut refused = |error: flarescope::store::StoreError| {
        let told = error.to_string();
        wording.add(&told);
        assert!(told.contains("Read-only"), "{told}");
    };
    refused(store.amend(capture, &Amendment::Pinned(true)).unwrap_err());
    refused(store.move_to_trash(capture).unwrap_err());
    refused(
        store
            .prune(Prune {
                max_bytes: Some(0),
                ..Prune::default()
            })
            .unwrap_err(),
    );
    let top = Command::new(BIN)
        .args(["top", &capture.sha256[..12], "-n", "1"])
        .env("FLARESCOPE_CACHE_DIR", &cache)
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&top.stdout).contains("validateAddress"),
        "{}",
        told(&top).2
    );
    rescued(&place.capture(&[], &cache).output().unwrap(), &place);
    assert_eq!(store.list().unwrap().captures.len(), 1);
}

#[test]
fn a_write_that_the_system_refuses_half_way_leaves_nothing() {
    let mut wording = wording!();
    let place = Place::new();
    // No file may be larger than 512 bytes: the profile is, its description is not.
    let shell = ["sh", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"];
    let (code, _, notes) = told(&place.capture(&shell, &place.cache()).output().unwrap());
    assert_eq!(code, Some(1), "{notes}");
    assert!(notes.contains("nothing was captured"), "{notes}");
    let mut command = place.capture(&shell, &place.cache());
    let output = command.arg("-o").arg(place.dir.path().join("x.pprof"));
    let (code, _, notes) = told(&output.output().unwrap());
    // The other place takes no more than the cache does.
    assert_eq!(code, Some(1), "{notes}");
    wording.add(notes);
    let names: Vec<_> = fs::read_dir(place.cache().join("profiles"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert!(names.iter().all(|name| name == ".lock"), "{names:?}");
}
