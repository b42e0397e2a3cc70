//! Stand-ins for names: nothing of what was called something is left in what is written.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

#[path = "support/wording.rs"]
mod wording;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flarescope::app::Hint;
use flarescope::export::{Caption, ExportError, Findings, Format, Scene, write, write_anonymous};
use flarescope::formats;
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::frames::is_nameless;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::view::{Identity, View};
use flarescope::model::profile::rename::Named;
use flarescope::model::profile::{LabelValue, Profile};
use flarescope::model::query::filter::{Filter, Pattern};

use wording::wording;

const FORMATS: [Format; 9] = [
    Format::Pprof,
    Format::Svg,
    Format::Folded,
    Format::Speedscope,
    Format::CpuProfile,
    Format::HeapProfile,
    Format::Json,
    Format::Markdown,
    Format::Text,
];

fn files() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = ["recordings", "foreign", "cases", "malformed"]
        .map(|folder| fs::read_dir(fixtures.join(folder)).unwrap());
    let mut files: Vec<PathBuf> = folders
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn open(file: &Path) -> Option<Profile> {
    formats::read(fs::File::open(file).unwrap(), &file.to_string_lossy()).ok()
}

/// What a file holds, unpacked.
fn inflated(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut all = Vec::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_end(&mut all)
        .unwrap();
    all
}

/// Every text of a profile that says something of its user, of four letters and more.
fn told(profile: &Profile) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for function in profile.functions() {
        told.extend(
            [function.name, function.system_name, function.file]
                .map(|id| profile.text(id).into_owned()),
        );
        // A path's parts as well: none of its folders may be left.
        told.extend(profile.text(function.file).split('/').map(str::to_owned));
    }
    told.extend(
        profile
            .mappings()
            .iter()
            .flat_map(|m| [m.file, m.build_id])
            .map(|id| profile.text(id).into_owned()),
    );
    for label in &profile.parts().labels {
        told.insert(profile.text(label.key).into_owned());
        if let LabelValue::Text(text) = label.value {
            told.insert(profile.text(text).into_owned());
        }
    }
    told.extend(profile.comments().map(std::borrow::Cow::into_owned));
    let parts = profile.parts();
    told.extend(
        [parts.drop_frames, parts.keep_frames, parts.doc_url]
            .map(|id| profile.text(id).into_owned()),
    );
    let stays = |text: &str| {
        let runtime = [
            "node:",
            "cloudflare-internal:",
            "workerd:",
            "node-internal:",
        ];
        text.starts_with('(') && text.ends_with(')')
            || is_nameless(text)
            || runtime.iter().any(|scheme| text.starts_with(scheme))
    };
    // The language stays, so a name in front of it needs four letters of its own.
    let bare = |text: &str| {
        text.rsplit_once('.')
            .map_or(text, |(before, _)| before)
            .chars()
            .count()
    };
    told.into_iter()
        .filter(|text| bare(text) >= 4 && !stays(text))
        .collect()
}

/// What a report says, and the second line of each hint besides.
fn findings(profile: &Profile, reading: &Reading) -> Findings {
    let context = Default::default();
    let found = flarescope::model::insights::insights(profile, reading, &context);
    let hints = found
        .into_iter()
        .map(Hint::new)
        .map(|hint| format!("{} {}", hint.text, hint.why));
    Findings {
        hints: hints.collect(),
        ..flarescope::runtime::findings(profile, reading, &context, (None, None))
    }
}

fn written(
    profile: &Profile,
    view: &View,
    format: Format,
    salt: &[u8],
) -> Result<Vec<u8>, ExportError> {
    let reading = read(profile, view).unwrap();
    let caption = Caption::new("checkout-api-of-acme · 7c1f2a9e", profile, view, &reading);
    let scene = Scene {
        profile,
        reading: &reading,
        root: NodeId::ROOT,
        caption: &caption,
    };
    write_anonymous(format, view, &scene, salt, findings).map(inflated)
}

/// Words that a format brings along, whatever the profile: those of an export without any name of a user's.
fn brought(format: Format, profile: &Profile, view: &View) -> Vec<u8> {
    let numbered = profile.renamed(&mut |named| match named {
        // Those that are known stay, and Go labels its heap by `bytes` in `bytes`.
        Named::LabelUnit(unit) => unit.to_owned(),
        _ => "0".to_owned(),
    });
    let reading = read(&numbered, view).unwrap();
    let caption = Caption {
        findings: findings(&numbered, &reading),
        ..Caption::new("0", &numbered, view, &reading)
    };
    let scene = Scene {
        profile: &numbered,
        reading: &reading,
        root: NodeId::ROOT,
        caption: &caption,
    };
    write(format, view, &scene)
        .map(inflated)
        .unwrap_or_default()
}

#[test]
fn nothing_that_was_called_something_is_left() {
    let mut looked_for = 0;
    for file in files() {
        let Some(profile) = open(&file) else { continue };
        let told = told(&profile);
        for (sample_type, format) in
            (0..profile.sample_types().len()).flat_map(|at| FORMATS.map(|format| (at, format)))
        {
            let view = View {
                sample_type,
                ..View::new(&profile)
            };
            if read(&profile, &view).is_err() {
                continue;
            }
            let Ok(bytes) = written(&profile, &view, format, b"salt") else {
                continue;
            };
            // What is no UTF-8 is in no name either.
            let text = String::from_utf8_lossy(&bytes);
            assert!(
                !text.contains("checkout-api-of-acme"),
                "{} as {format:?}: the target",
                file.display()
            );
            let brought = String::from_utf8_lossy(&brought(format, &profile, &view)).into_owned();
            for name in told.iter().filter(|name| !brought.contains(*name)) {
                assert!(
                    !text.contains(name),
                    "{} as {format:?}: {name:?}",
                    file.display()
                );
                looked_for += 1;
            }
        }
    }
    assert!(looked_for > 20_000, "{looked_for}");
}

/// Own and total values without names, largest first.
fn figures(reading: &Reading) -> Vec<(i64, i64, i64)> {
    let mut rows: Vec<_> = rank(reading, Sort::Total, false)
        .iter()
        .map(|row| (row.total, row.self_value, row.samples))
        .collect();
    rows.sort_unstable();
    rows
}

#[test]
fn values_are_the_same_under_pseudonyms() {
    let mut compared = 0;
    for file in files()
        .into_iter()
        .filter(|file| file.to_string_lossy().contains("recordings"))
    {
        let profile = open(&file).unwrap();
        for by in [Identity::Function, Identity::Name, Identity::Line] {
            let view = View {
                by,
                ..View::new(&profile)
            };
            let bytes = written(&profile, &view, Format::Pprof, b"salt").unwrap();
            let again = formats::read(bytes.as_slice(), "written").unwrap();
            let again = read(
                &again,
                &View {
                    by,
                    ..View::new(&again)
                },
            )
            .unwrap();
            assert_eq!(
                figures(&again),
                figures(&read(&profile, &view).unwrap()),
                "{} by {by:?}",
                file.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn filters_and_root_mean_the_names_as_they_are() {
    let mut wording = wording!();
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/recordings/checkout-api.cpu.pprof.gz");
    let profile = open(&file).unwrap();
    let filters = vec![Filter::Focus(Pattern::new("validateAddress").unwrap())];
    let view = View {
        filters,
        ..View::new(&profile)
    };
    let reading = read(&profile, &view).unwrap();
    let root = reading.heaviest_named("validateAddress").unwrap();
    let caption = Caption::new("api", &profile, &view, &reading);
    let scene = Scene {
        profile: &profile,
        reading: &reading,
        root,
        caption: &caption,
    };
    let report = write_anonymous(Format::Markdown, &view, &scene, b"salt", |_, _| {
        Findings::default()
    })
    .unwrap();
    let report = String::from_utf8(report).unwrap();
    // 2,221 samples of its own, as in the table of the names.
    let row: Vec<&str> = report
        .lines()
        .find(|line| line.contains("| `fn_"))
        .unwrap()
        .split(['|', ' ', '%'])
        .filter(|word| !word.is_empty())
        .collect();
    assert_eq!(row[..3], ["2,221", "5.095", "s"], "{report}");
    assert!(!report.contains("flarescope open"), "{report}");
    for line in report.lines().take(6) {
        wording.add(line);
    }
    let bytes = inflated(
        write_anonymous(Format::Pprof, &view, &scene, b"salt", |_, _| {
            Findings::default()
        })
        .unwrap(),
    );
    let again = formats::read(bytes.as_slice(), "written").unwrap();
    assert_eq!(
        read(&again, &View::new(&again)).unwrap().total,
        reading.shown
    );
    assert_eq!(again.functions().len(), 1);
}

#[test]
fn one_salt_gives_two_files_the_same_pseudonyms() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/recordings/checkout-api.cpu.pprof.gz");
    let profile = open(&file).unwrap();
    let view = View::new(&profile);
    let folded = |salt: &[u8]| written(&profile, &view, Format::Folded, salt).unwrap();
    assert_eq!(folded(b"one"), folded(b"one"));
    assert_ne!(folded(b"one"), folded(b"two"));
    // And one file in every format: what the folded stacks call it, the table does as well.
    let text = String::from_utf8(folded(b"one")).unwrap();
    let name = text
        .lines()
        .find_map(|line| line.split([';', ' ']).find(|name| name.starts_with("fn_")))
        .unwrap();
    let table = String::from_utf8(written(&profile, &view, Format::Text, b"one").unwrap()).unwrap();
    assert!(table.contains(name), "{name}");
}
