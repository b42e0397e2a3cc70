//! Every row of every profile in the fixtures, against the reference implementation: `go tool pprof -top`.
//!
//! Skipped, with a word, where Go is not installed; with FLARESCOPE_TEST_ALL=1 that fails.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of a test fail the test, and say what they skip"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use flarescope::formats;
use flarescope::model::compare::{Normalise, Width, compare};
use flarescope::model::filter::{Filter, Pattern, TagPattern};
use flarescope::model::frames::FrameInfo;
use flarescope::model::merge::{Member, merge};
use flarescope::model::profile::Profile;
use flarescope::model::ranking::{Sort, rank};
use flarescope::model::view::{Identity, Subset, View, read};
use regex::Regex;

/// Rows as flat value, cumulative value and label, with how often each occurs.
type Rows = BTreeMap<(i64, i64, String), usize>;

/// The reference implementation.
struct Pprof {
    command: Vec<PathBuf>,
    row: Regex,
}

impl Pprof {
    /// Finds it; `None`, with a word, if there is no Go and that is allowed.
    fn find() -> Option<Self> {
        let found =
            Command::new("go").args(["env", "GOTOOLDIR"]).output().ok().filter(|output| output.status.success());
        let Some(output) = found else {
            assert!(
                std::env::var_os("FLARESCOPE_TEST_ALL").is_none(),
                "Go is not installed, and no test may be skipped"
            );
            eprintln!("skipped: Go is not installed, so there is no `go tool pprof` to compare with");
            return None;
        };
        // Called without `go tool` in between it starts twenty times as fast; newer releases build it when first asked.
        let tool = Path::new(String::from_utf8(output.stdout).unwrap().trim()).join("pprof");
        let command = if tool.exists() { vec![tool] } else { vec!["go".into(), "tool".into(), "pprof".into()] };
        let row = Regex::new(r"^\s*(-?\d+)[A-Za-z]*\s+\S+%\s+\S+%\s+(-?\d+)[A-Za-z]*\s+\S+%  (.*)$").unwrap();
        Some(Self { command, row })
    }

    /// The rows of a profile; `None` if it refuses the file.
    fn top(&self, file: &Path, options: &[String]) -> Option<Rows> {
        let (program, first) = self.command.split_first().unwrap();
        let output = Command::new(program)
            .args(first)
            .args(["-symbolize=none", "-top", "-nodecount=10000000", "-nodefraction=0", "-edgefraction=0"])
            .args(options)
            .arg(file)
            .env("PPROF_TMPDIR", std::env::temp_dir())
            .output()
            .unwrap();
        if !output.status.success() {
            return None;
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let mut rows: Vec<(i64, i64, String)> = Vec::new();
        for line in text.split('\n').skip_while(|line| !line.contains("flat%")).skip(1) {
            match (self.row.captures(line), rows.last_mut()) {
                (Some(row), _) => rows.push((row[1].parse().unwrap(), row[2].parse().unwrap(), row[3].to_owned())),
                // A name with line feeds goes on here.
                (None, Some(last)) if !line.is_empty() => last.2 += &format!("\n{line}"),
                _ => {}
            }
        }
        Some(counted(rows.into_iter().map(|(flat, cum, label)| {
            let label =
                label.strip_suffix(" (inline)").or_else(|| label.strip_suffix(" (partial-inline)")).unwrap_or(&label);
            (flat, cum, label.to_owned())
        })))
    }
}

/// Counts the rows that both sides name in the same way: not those without a function's name, which we keep apart by
/// address or line and pprof does not, and not those that add up to nothing, which pprof leaves out.
fn counted(rows: impl Iterator<Item = (i64, i64, String)>) -> Rows {
    let mut counted = Rows::new();
    let nameless = |label: &str| {
        label.starts_with(' ')
            || label.starts_with('[') && label.ends_with(']') && !label.contains(' ')
            || matches!(label, "<unknown>" | "(no stack)" | "(anonymous)" | "")
            || label.starts_with("(anonymous) worker.js")
            || label.starts_with("worker.js")
            || label.contains(" 0x")
    };
    for row in rows.filter(|(flat, cum, label)| (*flat, *cum) != (0, 0) && !nameless(label)) {
        *counted.entry(row).or_default() += 1;
    }
    counted
}

/// Our rows, labelled as pprof does.
fn ours(profile: &Profile, view: &View) -> Rows {
    let reading = read(profile, view).unwrap();
    counted(
        rank(&reading, Sort::Total, false)
            .into_iter()
            .map(|row| (row.self_value, row.total, label(view.by, &reading.frames.info(row.frame)))),
    )
}

/// A frame's label as pprof writes it.
fn label(by: Identity, info: &FrameInfo<'_>) -> String {
    let file = clean(info.file);
    match by {
        Identity::Name => info.name.to_owned(),
        Identity::Line => match info.line {
            Some(line) => format!("{} {file}:{line}", info.name),
            None => format!("{} {file}", info.name).trim_end().to_owned(),
        },
        Identity::File => clean(info.name),
        _ if file.is_empty() => info.name.to_owned(),
        _ => format!("{} {file}", info.name),
    }
}

/// The own values of each label, added up.
fn own_values(rows: &Rows) -> Rows {
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for ((flat, _, label), count) in
        rows.iter().filter(|((_, _, label), _)| !matches!(label.as_str(), "(runtime)" | "libworker.so"))
    {
        *sums.entry(label).or_default() += flat * i64::try_from(*count).unwrap();
    }
    sums.into_iter().filter(|(_, sum)| *sum != 0).map(|(label, sum)| ((sum, 0, label.to_owned()), 1)).collect()
}

/// A path as Go cleans it.
fn clean(path: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(&last)) if last != ".." => {
                parts.pop();
            }
            ("..", None) if rooted => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn open(file: &Path) -> Option<Profile> {
    formats::read(fs::File::open(file).unwrap(), &file.to_string_lossy()).ok()
}

/// The options that show a type's plain numbers.
fn options(profile: &Profile, sample_type: usize, granularity: &str) -> Vec<String> {
    let (kind, unit) = profile.type_names(profile.sample_types()[sample_type]);
    let unit = match unit.as_str() {
        "nanoseconds" => "ns",
        "bytes" => "B",
        _ => "minimum",
    };
    vec![format!("-sample_index={kind}"), format!("-unit={unit}"), format!("-{granularity}")]
}

const GRANULARITIES: [(&str, Identity); 4] = [
    ("functions", Identity::Name),
    ("filefunctions", Identity::Function),
    ("lines", Identity::Line),
    ("files", Identity::File),
];

#[test]
fn every_row_is_the_same() {
    let Some(pprof) = Pprof::find() else { return };
    let mut compared = 0;
    for file in ["recordings", "cases", "malformed", "foreign"].into_iter().flat_map(fixtures) {
        let Some(profile) = open(&file) else { continue };
        for sample_type in 0..profile.sample_types().len() {
            for (granularity, by) in GRANULARITIES {
                let view = View { sample_type, by, ..View::new(&profile) };
                if read(&profile, &view).is_err() {
                    // Sums beyond 64 bits: pprof wraps, we refuse.
                    continue;
                }
                let Some(mut theirs) = pprof.top(&file, &options(&profile, sample_type, granularity)) else { continue };
                let mut ours = ours(&profile, &view);
                if by == Identity::File {
                    // pprof splits a file's row by where the functions start; we do not, so own values are added up.
                    (ours, theirs) = (own_values(&ours), own_values(&theirs));
                }
                assert_eq!(ours, theirs, "{} type {sample_type} by {granularity}", file.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "only {compared} tables were compared");
}

#[test]
fn changes_are_those_of_a_difference() {
    let Some(pprof) = Pprof::find() else { return };
    let files = || ["recordings", "cases"].into_iter().flat_map(fixtures).filter_map(|file| Some((open(&file)?, file)));
    let all: Vec<(Profile, PathBuf)> = files().collect();
    let mut compared = 0;
    for ((base, base_file), (new, new_file)) in all.iter().zip(all.iter().skip(1)) {
        for (granularity, by) in &GRANULARITIES[..3] {
            let view = View { by: *by, ..View::new(new) };
            let Ok(comparison) = compare(base, new, &view, Normalise::Never, Width::Larger) else { continue };
            let mut given = options(new, view.sample_type, granularity);
            given.push(format!("-diff_base={}", base_file.display()));
            // It refuses profiles that differ in other types than the one in view.
            let Some(theirs) = pprof.top(new_file, &given) else { continue };
            let rows = counted(comparison.changes().into_iter().map(|row| {
                let label = label(*by, &comparison.reading.frames.info(row.frame));
                (row.own.change(), row.total.change(), label)
            }));
            assert_eq!(rows, theirs, "{} from {} by {granularity}", new_file.display(), base_file.display());
            compared += 1;
        }
    }
    assert!(compared > 60, "only {compared} tables were compared");
}

type MakeFilter = fn(&str) -> Filter;

fn filters() -> BTreeMap<&'static str, MakeFilter> {
    let mut filters: BTreeMap<&'static str, MakeFilter> = BTreeMap::new();
    filters.insert("focus", |text| Filter::Focus(Pattern::new(text).unwrap()));
    filters.insert("ignore", |text| Filter::Ignore(Pattern::new(text).unwrap()));
    filters.insert("hide", |text| Filter::Hide(Pattern::new(text).unwrap()));
    filters.insert("show_from", |text| Filter::ShowFrom(Pattern::new(text).unwrap()));
    filters.insert("tagfocus", |text| Filter::TagFocus(TagPattern::new(text).unwrap()));
    filters.insert("tagignore", |text| Filter::TagIgnore(TagPattern::new(text).unwrap()));
    filters
}

#[test]
fn filters_leave_the_same_rows() {
    let Some(pprof) = Pprof::find() else { return };
    let sets: &[&[(&str, &str)]] = &[
        &[("focus", "parse")],
        &[("ignore", "^parse|idle")],
        &[("hide", "^(parse|fetch|handle)")],
        &[("show_from", "dispatch|parseTerm|handle|read")],
        &[("focus", "worker.js"), ("ignore", "json")],
        &[("focus", "a"), ("hide", "worker"), ("show_from", "e")],
        &[("hide", "worker.js")],
        &[("hide", ".*")],
        &[("show_from", "outer|middle"), ("hide", "inner")],
        &[("focus", "[[:upper:]]"), ("hide", r"^\w+$")],
        &[("focus", "libworker")],
        &[("hide", "libworker")],
        &[("tagfocus", "offset=1000us:2000ms")],
        &[("tagignore", ":3s")],
        &[("tagfocus", "kind:slow")],
        &[("tagfocus", "kind=slow,fast")],
        &[("tagignore", "4kb:")],
    ];
    let make = filters();
    let mut different = 0;
    for file in ["recordings", "cases", "foreign"].into_iter().flat_map(fixtures) {
        let Some(profile) = open(&file) else { continue };
        let plain = View { by: Identity::Name, ..View::new(&profile) };
        let unfiltered = ours(&profile, &plain);
        for set in sets {
            let mut view = plain.clone();
            let mut given = options(&profile, view.sample_type, "functions");
            for (option, text) in *set {
                view.filters.push(make[option](text));
                given.push(format!("-{option}={text}"));
            }
            let Some(theirs) = pprof.top(&file, &given) else { continue };
            let rows = ours(&profile, &view);
            assert_eq!(rows, theirs, "{} with {set:?}", file.display());
            different += usize::from(rows != unfiltered);

            // What is written of the view and read again gives the same table, here and there.
            let written = tempfile::Builder::new().suffix(".pb.gz").tempfile().unwrap();
            fs::write(written.path(), formats::pprof::encode(&Subset::new(&profile, &view, None).unwrap())).unwrap();
            let again = open(written.path()).unwrap();
            let unfiltered_again = View { filters: Vec::new(), ..view.clone() };
            assert_eq!(ours(&again, &unfiltered_again), rows, "{} with {set:?}, written and read", file.display());
            let options = options(&profile, view.sample_type, "functions");
            assert_eq!(pprof.top(written.path(), &options), Some(rows), "{} with {set:?}, written", file.display());
        }
    }
    assert!(different > 200, "the filters changed only {different} tables");
}

#[test]
fn several_captures_add_up_to_what_a_merge_says() {
    let Some(pprof) = Pprof::find() else { return };
    let files: Vec<PathBuf> = ["recordings", "foreign", "cases"].into_iter().flat_map(fixtures).collect();
    let all: Vec<(Profile, PathBuf)> = files.into_iter().filter_map(|file| Some((open(&file)?, file))).collect();
    let mut compared = 0;
    // Neighbours by name, and three at once: recordings of one Worker stand beside each other, and of another kind as well.
    for group in all.windows(2).chain(all.windows(3).step_by(2)) {
        let members: Vec<Member<'_>> = group.iter().map(|(profile, _)| Member { profile, name: "one" }).collect();
        let Ok(merged) = merge(&members) else { continue };
        let written = tempfile::Builder::new().suffix(".pb.gz").tempfile().unwrap();
        for sample_type in 0..merged.profile.sample_types().len() {
            for (granularity, by) in &GRANULARITIES[..3] {
                let view = View { sample_type, by: *by, ..View::new(&merged.profile) };
                let mut given = options(&merged.profile, sample_type, granularity);
                let (last, before) = group.split_last().unwrap();
                given.extend(before.iter().map(|(_, file)| file.display().to_string()));
                let names: Vec<_> = group.iter().map(|(_, file)| file.display().to_string()).collect();
                // It refuses profiles that differ in their period's type, and wraps where we refuse.
                let (Some(theirs), Ok(_)) = (pprof.top(&last.1, &given), read(&merged.profile, &view)) else {
                    continue;
                };
                assert_eq!(ours(&merged.profile, &view), theirs, "{names:?} type {sample_type} by {granularity}");
                compared += 1;
                // What is written of it says the same.
                let bytes = formats::pprof::encode(&Subset::new(&merged.profile, &view, None).unwrap());
                fs::write(written.path(), bytes).unwrap();
                let options = options(&merged.profile, sample_type, granularity);
                assert_eq!(pprof.top(written.path(), &options), Some(theirs), "{names:?} written");
            }
        }
    }
    assert!(compared > 100, "only {compared} tables were compared");
}
