//! Every format that is written, opened again: what it keeps is what was exported.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::ValueEnum as _;
use flarescope::export::{Caption, ExportError, Format, Scene, write};
use flarescope::formats::{self, Fault, Foreign};
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::view::{Identity, View};
use flarescope::model::profile::Profile;
use flarescope::model::text::sanitize::printable;

/// Every profile among the fixtures that can be read at all.
fn readable() -> Vec<(String, Profile)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = [
        "recordings",
        "cases",
        "malformed",
        "foreign",
        "go",
        "v8",
        "found",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(fixtures.join(folder)).unwrap());
    let mut found: Vec<(String, Profile)> = files
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&fixtures).unwrap().display().to_string();
            let profile = formats::read(fs::File::open(&path).ok()?, &name).ok()?;
            Some((name, profile))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(found.len() > 80, "{} readable profiles", found.len());
    found
}

fn reading(profile: &Profile, sample_type: usize, by: Identity) -> Option<Reading> {
    let view = View {
        sample_type,
        by,
        ..View::new(profile)
    };
    read(profile, &view).ok()
}

fn exported(
    profile: &Profile,
    sample_type: usize,
    reading: &Reading,
    format: Format,
) -> Result<Vec<u8>, ExportError> {
    let view = View {
        sample_type,
        ..View::new(profile)
    };
    let caption = Caption::new("file", profile, &view, reading);
    let scene = Scene {
        profile,
        reading,
        root: NodeId::ROOT,
        caption: &caption,
    };
    write(format, &view, &scene)
}

/// Own value, total and line of each function, by name and perhaps file.
type Rows = BTreeMap<(String, String), (i128, i128)>;

fn rows(reading: &Reading) -> Rows {
    let mut rows = Rows::new();
    for frame in reading.frames.ids() {
        let (info, stat) = (reading.frames.info(frame), reading.stat(frame));
        let row = rows
            .entry((info.name.to_owned(), info.file.to_owned()))
            .or_default();
        row.0 += i128::from(stat.self_value);
        row.1 += i128::from(stat.total);
    }
    rows.retain(|_, row| *row != (0, 0));
    rows
}

/// The line of each function that has one of its own.
fn lines(reading: &Reading) -> BTreeMap<(String, String), Option<i64>> {
    let mut lines = BTreeMap::new();
    let mut again = Vec::new();
    for frame in reading.frames.ids() {
        let (info, stat) = (reading.frames.info(frame), reading.stat(frame));
        if stat.total == 0 {
            continue;
        }
        let key = (info.name.to_owned(), info.file.to_owned());
        if lines
            .insert(key.clone(), info.start.or(info.line))
            .is_some()
        {
            again.push(key);
        }
    }
    lines.retain(|key, _| !again.contains(key));
    lines
}

/// Own values by what functions are called on their own.
fn own(reading: &Reading) -> BTreeMap<String, i128> {
    let mut own = BTreeMap::new();
    for frame in reading.frames.ids() {
        let label = reading.frames.label(frame).into_owned();
        *own.entry(label).or_default() += i128::from(reading.stat(frame).self_value);
    }
    own.retain(|_, own| *own != 0);
    own
}

/// Whether folded stacks can hold a name.
fn is_plain(name: &str) -> bool {
    let ends_in_number = name.rsplit_once(' ').is_some_and(|(_, end)| {
        end.bytes()
            .all(|byte| byte.is_ascii_digit() || b".-".contains(&byte))
    });
    !ends_in_number
        && !name.contains([';', '#'])
        && printable(name) == name
        && name.trim() == name
        && !name.is_empty()
}

#[test]
fn what_is_exported_is_read_again() {
    let (mut folded, mut speedscope, mut v8) = (0, 0, 0);
    for (file, profile) in readable() {
        for sample_type in 0..profile.sample_types().len() {
            let Some(whole) = reading(&profile, sample_type, Identity::Function) else {
                continue;
            };
            if whole.tree.is_empty() {
                continue;
            }
            let (kind, unit) = profile.type_names(profile.sample_types()[sample_type]);
            let again = |format| {
                let bytes = exported(&profile, sample_type, &whole, format).ok()?;
                let what = format!("{file} {kind}/{unit} {format:?}");
                let read = formats::read(&bytes[..], &what).unwrap();
                Some((read, what))
            };
            let total = whole.total;

            let (read, what) = again(Format::Pprof).unwrap();
            let back = reading(&read, sample_type, Identity::Function).unwrap();
            assert_eq!((back.total, back.samples), (total, whole.samples), "{what}");
            assert_eq!(rows(&back), rows(&whole), "{what}");
            let by_line = |profile| {
                let reading = reading(profile, sample_type, Identity::Line).unwrap();
                let lines = reading.frames.ids().map(|frame| {
                    let info = reading.frames.info(frame);
                    let name = (info.name.to_owned(), info.file.to_owned(), info.line);
                    (name, reading.stat(frame).total)
                });
                lines
                    .filter(|(_, total)| *total != 0)
                    .collect::<BTreeMap<_, _>>()
            };
            assert_eq!(by_line(&read), by_line(&profile), "{what}");

            if let Some((read, what)) = again(Format::Folded) {
                let back = reading(&read, 0, Identity::Name).unwrap();
                assert_eq!(back.total, total, "{what}");
                let type_names = read.type_names(read.sample_types()[0]);
                if is_plain(&kind) && is_plain(&unit) {
                    assert_eq!(type_names, (kind.clone(), unit.clone()), "{what}");
                }
                // The place of a nameless function stands beside its name.
                let expected = own(&whole);
                if expected.keys().all(|label| is_plain(label)) {
                    assert_eq!(own(&back), expected, "{what}");
                    folded += 1;
                }
            }
            if let Some((read, what)) = again(Format::Speedscope) {
                let back = reading(&read, 0, Identity::Function).unwrap();
                let (_, kept) = read.type_names(read.sample_types()[0]);
                if kept == unit {
                    assert_eq!(back.total, total, "{what}");
                    assert_eq!(rows(&back), rows(&whole), "{what}");
                    speedscope += 1;
                }
            }
            for format in [Format::CpuProfile, Format::HeapProfile] {
                let Some((read, what)) = again(format) else {
                    continue;
                };
                let back = reading(&read, read.default_sample_type(), Identity::Function).unwrap();
                let (_, kept) = read.type_names(read.sample_types()[read.default_sample_type()]);
                if kept != unit {
                    continue;
                }
                // Times are whole microseconds.
                let places = i128::try_from(whole.tree.len()).unwrap();
                let rounded = if format == Format::CpuProfile {
                    1_000 * places
                } else {
                    0
                };
                assert!((back.total - total).abs() <= 1_000, "{what}");
                let (found, expected) = (rows(&back), rows(&whole));
                assert!(
                    found.keys().eq(expected.keys()),
                    "{what}: {found:?} {expected:?}"
                );
                for (key, (own, all)) in &expected {
                    let (back_own, back_all) = found[key];
                    assert!((back_own - own).abs() <= rounded, "{what} {key:?}");
                    assert!((back_all - all).abs() <= rounded, "{what} {key:?}");
                }
                v8 += 1;
            }
        }
    }
    assert!(
        folded > 60 && speedscope > 60 && v8 > 40,
        "{folded} folded, {speedscope} speedscope, {v8} of V8"
    );
}

#[test]
fn samples_and_lines_are_kept_where_the_format_has_them() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recordings");
    for (file, formats_of_it) in [
        (
            "checkout-api.cpu.pprof.gz",
            [Format::CpuProfile, Format::Speedscope],
        ),
        (
            "edge-metrics-objects.heap.pprof.gz",
            [Format::HeapProfile, Format::Speedscope],
        ),
    ] {
        let profile = formats::read(fs::File::open(fixtures.join(file)).unwrap(), file).unwrap();
        let at = profile
            .sample_types()
            .iter()
            .position(|sample_type| profile.type_names(*sample_type).1 != "count")
            .unwrap();
        let whole = reading(&profile, at, Identity::Function).unwrap();
        for format in formats_of_it {
            let bytes = exported(&profile, at, &whole, format).unwrap();
            let read = formats::read(&bytes[..], "again").unwrap();
            let back = reading(&read, read.default_sample_type(), Identity::Function).unwrap();
            assert_eq!(lines(&back), lines(&whole), "{file} {format:?}");
            let keeps_samples = format != Format::Speedscope;
            assert_eq!(
                back.samples == whole.samples,
                keeps_samples,
                "{file} {format:?}"
            );
        }
    }
}

#[test]
fn pictures_and_reports_are_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/recordings/checkout-api.cpu.pprof.gz");
    let profile = formats::read(fs::File::open(path).unwrap(), "file").unwrap();
    let at = profile.default_sample_type();
    let whole = reading(&profile, at, Identity::Function).unwrap();
    for format in Format::value_variants() {
        let expected = match format {
            Format::Svg => Foreign::Svg,
            Format::Json => Foreign::OwnJson,
            Format::Markdown | Format::Report | Format::Text => Foreign::Text,
            Format::HeapProfile => continue,
            _ => {
                let bytes = exported(&profile, at, &whole, *format).unwrap();
                assert!(formats::read(&bytes[..], "file").is_ok(), "{format:?}");
                continue;
            }
        };
        let bytes = exported(&profile, at, &whole, *format).unwrap();
        let fault = formats::read(&bytes[..], "file").unwrap_err().fault;
        assert!(
            matches!(fault, Fault::Foreign(foreign) if foreign == expected),
            "{format:?}: {fault:?}"
        );
    }
}
