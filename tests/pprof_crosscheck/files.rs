//! The profiles in the fixtures.

use std::fs;
use std::path::{Path, PathBuf};

use flarescope::export::{Changes, Format, write_changes};
use flarescope::formats;
use flarescope::formats::pprof::encode;
use flarescope::model::diff::{Normalise, Width, compare};
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::subset::Subset;
use flarescope::model::graph::view::View;
use flarescope::model::profile::Profile;
use flarescope::model::profile::merge::{Member, merge};

use super::check::{Compared, Options, ask, askable, check, in_file};
use super::labels::{Dialect, GRANULARITIES};
use super::reference::Pprof;

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn open(file: &Path) -> Option<Profile> {
    formats::read(fs::File::open(file).unwrap(), &file.to_string_lossy()).ok()
}

pub(crate) fn every_row_call_and_stack_is_the_same() {
    let pprof = Pprof::find();
    let mut compared = Compared::default();
    for file in ["recordings", "cases", "malformed", "foreign", "go", "node"]
        .into_iter()
        .flat_map(fixtures)
    {
        let Some(profile) = file.is_file().then(|| open(&file)).flatten() else {
            continue;
        };
        compared += check(
            &pprof,
            &file,
            &profile,
            &[Options::new()],
            &GRANULARITIES,
            &file.display().to_string(),
        );
    }
    assert!(
        compared.tables > 400 && compared.edges > 300 && compared.stacks > 400,
        "only {compared:?}"
    );
}

pub(crate) fn filters_leave_the_same() {
    let pprof = Pprof::find();
    let sets: &[&[(&'static str, &str)]] = &[
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
    let sets: Vec<Options> = sets
        .iter()
        .map(|set| {
            set.iter()
                .map(|(name, text)| (*name, (*text).to_owned()))
                .collect()
        })
        .collect();
    let mut compared = Compared::default();
    for file in ["recordings", "cases", "foreign"]
        .into_iter()
        .flat_map(fixtures)
    {
        let Some(profile) = open(&file) else { continue };
        // Filters work on stacks, before functions are told apart.
        let granularity = &GRANULARITIES[compared.tables % 3..][..1];
        compared += check(
            &pprof,
            &file,
            &profile,
            &sets,
            granularity,
            &file.display().to_string(),
        );
    }
    assert!(
        compared.filtered > 1_000,
        "the filters changed only {compared:?}"
    );
}

pub(crate) fn changes_are_those_of_a_difference() {
    let pprof = Pprof::find();
    let files = || {
        ["recordings", "cases", "pair"]
            .into_iter()
            .flat_map(fixtures)
            .filter_map(|file| Some((open(&file)?, file)))
    };
    let all: Vec<(Profile, PathBuf)> = files().collect();
    let mut compared = 0;
    for ((base, base_file), (new, new_file)) in all.iter().zip(all.iter().skip(1)) {
        let mut session = pprof.session([new_file.as_path()]).less(base_file);
        let mut asked = Vec::new();
        for (granularity, by) in &GRANULARITIES[..3] {
            let view = View {
                by: *by,
                ..View::new(new)
            };
            let Ok(comparison) = compare(base, new, &view, Normalise::Never, Width::Larger) else {
                continue;
            };
            asked.push((
                *by,
                comparison,
                session.ask(&ask(new, view.sample_type, granularity, "top")),
            ));
        }
        let reports = session.run();
        for (by, comparison, number) in asked {
            // It refuses profiles that differ in other types than the one in view.
            let Some(theirs) = reports.table(number) else {
                continue;
            };
            let (dialect, of_base) = (Dialect::new(new, by), Dialect::new(base, by));
            let rows = comparison.changes().into_iter().map(|row| {
                let info = comparison.reading.frames.info(row.frame);
                // A function that only one of the two has is called as that one calls it.
                let label = dialect.label(&info);
                let label = if label == super::labels::UNNAMED {
                    of_base.label(&info)
                } else {
                    label
                };
                (row.own.change(), row.total.change(), label)
            });
            let ours = dialect.counted(rows.filter(|row| of_base.tells(row)));
            let theirs =
                dialect.counted(theirs.ranked.into_iter().filter(|row| of_base.tells(row)));
            assert_eq!(
                ours,
                theirs,
                "{} from {} by {by:?}",
                new_file.display(),
                base_file.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 60, "only {compared} tables were compared");
}

/// A written difference, opened again there and here, against the reference's own difference of the two files.
pub(crate) fn a_written_difference_is_the_one_it_makes_itself() {
    let pprof = Pprof::find();
    let files = ["recordings", "cases", "pair", "foreign"]
        .into_iter()
        .flat_map(fixtures);
    let all: Vec<(Profile, PathBuf)> = files
        .filter_map(|file| Some((open(&file)?, file)))
        .collect();
    let mut compared = 0;
    for ((base, base_file), (new, new_file)) in all.iter().zip(all.iter().skip(1)) {
        let what = format!("{} from {}", new_file.display(), base_file.display());
        let view = View::new(new);
        let Ok(comparison) = compare(base, new, &view, Normalise::Never, Width::Larger) else {
            continue;
        };
        let changes = Changes {
            base,
            new,
            names: ("base", "new"),
            view: &view,
            comparison: &comparison,
            root: NodeId::ROOT,
            rows: None,
            columns: None,
            command: None,
            judged: None,
            title: None,
        };
        let written = in_file(&write_changes(Format::Pprof, &changes).unwrap());
        let again = open(written.path()).unwrap();
        let mut theirs = pprof.session([new_file.as_path()]).less(base_file);
        let mut ours = pprof.session([written.path()]);
        let mut views = Vec::new();
        for sample_type in askable(&again) {
            for (granularity, by) in &GRANULARITIES[..3] {
                let question = ask(&again, sample_type, granularity, "top");
                theirs.ask(&question);
                ours.ask(&question);
                views.push(View {
                    sample_type,
                    by: *by,
                    ..View::new(&again)
                });
            }
        }
        let (theirs, ours) = (theirs.run(), ours.run());
        for (number, view) in views.iter().enumerate() {
            let dialect = Dialect::new(&again, view.by);
            // It refuses profiles that differ in their other types.
            let Some(theirs) = theirs.table(number) else {
                continue;
            };
            let ours = ours.table(number).unwrap();
            assert_eq!(
                (theirs.shown, theirs.base),
                (ours.shown, ours.base),
                "{what} {view:?}"
            );
            let theirs = dialect.counted(theirs.ranked);
            assert_eq!(theirs, dialect.counted(ours.ranked), "{what} {view:?}");
            let reading = read(&again, view).unwrap();
            assert_eq!(dialect.rows(&reading), theirs, "{what} {view:?}, read here");
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} tables were compared");
}

pub(crate) fn several_captures_add_up_to_what_a_merge_says() {
    let pprof = Pprof::find();
    let files = ["recordings", "foreign", "cases"]
        .into_iter()
        .flat_map(fixtures);
    let all: Vec<(Profile, PathBuf)> = files
        .filter_map(|file| Some((open(&file)?, file)))
        .collect();
    let mut compared = 0;
    // Neighbours by name, and three at once: recordings of one Worker stand beside each other, and of another kind as well.
    for group in all.windows(2).chain(all.windows(3).step_by(2)) {
        let members: Vec<Member<'_>> = group
            .iter()
            .map(|(profile, _)| Member {
                profile,
                name: "one",
            })
            .collect();
        let Ok(merged) = merge(&members) else {
            continue;
        };
        let merged = merged.profile;
        let written = in_file(&encode(
            &Subset::new(&merged, &View::new(&merged), None).unwrap(),
        ));
        let mut theirs = pprof.session(group.iter().map(|(_, file)| file.as_path()));
        let mut again = pprof.session([written.path()]);
        let mut views = Vec::new();
        for sample_type in askable(&merged) {
            for (granularity, by) in &GRANULARITIES[..3] {
                let question = ask(&merged, sample_type, granularity, "top");
                theirs.ask(&question);
                again.ask(&question);
                views.push(View {
                    sample_type,
                    by: *by,
                    ..View::new(&merged)
                });
            }
        }
        let (theirs, again) = (theirs.run(), again.run());
        for (number, view) in views.iter().enumerate() {
            let names: Vec<_> = group
                .iter()
                .map(|(_, file)| file.display().to_string())
                .collect();
            // It refuses profiles that differ in their period's type, and wraps where we refuse.
            let (Some(theirs), Ok(reading)) = (theirs.table(number), read(&merged, view)) else {
                continue;
            };
            let dialect = Dialect::new(&merged, view.by);
            let ours = dialect.rows(&reading);
            assert_eq!(ours, dialect.counted(theirs.ranked), "{names:?} {view:?}");
            // What is written of it says the same.
            let again = again.table(number).unwrap();
            assert_eq!(
                dialect.counted(again.ranked),
                ours,
                "{names:?} {view:?}, written"
            );
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} tables were compared");
}
