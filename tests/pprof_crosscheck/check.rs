//! Holds everything that can be read of a profile against what the reference reads of it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use flarescope::formats;
use flarescope::formats::{folded, pprof, speedscope};
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::frames::FrameId;
use flarescope::model::graph::ranking::{Row, Sort, rank};
use flarescope::model::graph::sample_values::SamplesFrom;
use flarescope::model::graph::subset::Subset;
use flarescope::model::graph::view::{Identity, View};
use flarescope::model::profile::Profile;
use flarescope::model::query::filter::{Filter, Pattern, TagPattern};
use flarescope::model::text::units;

use super::labels::{Dialect, Edges, Granularity, Rows, UNNAMED};
use super::reference::{Ask, Pprof, Reports, Table};

/// The reference's options of one report, by name.
pub(crate) type Options = Vec<(&'static str, String)>;

/// How many reports were compared.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Compared {
    pub(crate) tables: usize,
    pub(crate) edges: usize,
    pub(crate) stacks: usize,
    /// Tables that a filter changed.
    pub(crate) filtered: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.tables += other.tables;
        self.edges += other.edges;
        self.stacks += other.stacks;
        self.filtered += other.filtered;
    }
}

/// The sample types that the reference can be asked for: by name, so the first of each.
pub(crate) fn askable(profile: &Profile) -> Vec<usize> {
    let mut seen = HashSet::new();
    let kind = |at: &usize| profile.type_names(profile.sample_types()[*at]).0;
    (0..profile.sample_types().len())
        .filter(|at| !kind(at).is_empty() && seen.insert(kind(at)))
        .collect()
}

/// What asks for plain numbers of a sample type.
pub(crate) fn ask(
    profile: &Profile,
    sample_type: usize,
    granularity: &'static str,
    report: &'static str,
) -> Ask {
    let (kind, unit) = profile.type_names(profile.sample_types()[sample_type]);
    let unit = match unit.as_str() {
        "nanoseconds" => "ns",
        "microseconds" => "us",
        "milliseconds" => "ms",
        "seconds" => "s",
        "bytes" => "B",
        _ => "minimum",
    };
    Ask {
        report,
        sample_index: kind,
        granularity,
        options: vec![("unit", unit.to_owned())],
    }
}

/// Our filters of the same meaning; `None` where an expression is none.
pub(crate) fn filters(options: &Options) -> Option<Vec<Filter>> {
    let filter = |(name, text): &(&str, String)| {
        Some(match *name {
            "focus" => Filter::Focus(Pattern::new(text).ok()?),
            "ignore" => Filter::Ignore(Pattern::new(text).ok()?),
            "hide" => Filter::Hide(Pattern::new(text).ok()?),
            "show_from" => Filter::ShowFrom(Pattern::new(text).ok()?),
            "tagfocus" => Filter::TagFocus(TagPattern::new(text).ok()?),
            _ => Filter::TagIgnore(TagPattern::new(text).ok()?),
        })
    };
    options.iter().map(filter).collect()
}

/// Of so many views the command is asked for one: a process each takes its time.
const ONE_COMMAND_IN: usize = 11;

/// One view, and the numbers of the reports about it.
struct Question {
    view: View,
    /// What its filters were given as.
    given: Options,
    dialect: Dialect,
    /// By own value, and by total.
    tables: [usize; 2],
    /// The number of samples behind each row.
    samples: Option<usize>,
    edges: usize,
    stacks: usize,
}

/// Compares all tables, calls and stacks of a file, with each set of filters, in these granularities and all sample types.
pub(crate) fn check(
    reference: &Pprof,
    file: &Path,
    profile: &Profile,
    sets: &[Options],
    granularities: &[Granularity],
    what: &str,
) -> Compared {
    let mut session = reference.session([file]);
    let mut questions = Vec::new();
    for set in sets {
        let Some(filters) = filters(set) else {
            continue;
        };
        for sample_type in askable(profile) {
            for &(granularity, by) in granularities {
                let view = View {
                    sample_type,
                    by,
                    filters: filters.clone(),
                    ..View::new(profile)
                };
                // Sums beyond 64 bits: the reference wraps, we refuse.
                let Ok(reading) = read(profile, &view) else {
                    continue;
                };
                let mut number = |sample_type: usize, report: &'static str, sort: &str| {
                    let mut ask = ask(profile, sample_type, granularity, report);
                    ask.options.extend(set.iter().cloned());
                    ask.options.push(("sort", sort.to_owned()));
                    session.ask(&ask)
                };
                let tables = [
                    number(sample_type, "top", "flat"),
                    number(sample_type, "top", "cum"),
                ];
                let samples = match reading.samples_from {
                    SamplesFrom::Type(of) if askable(profile).contains(&of) => {
                        Some(number(of, "top", "flat"))
                    }
                    _ => None,
                };
                let (edges, stacks) = (
                    number(sample_type, "peek .", "flat"),
                    number(sample_type, "traces", "flat"),
                );
                let dialect = Dialect::new(profile, by);
                questions.push(Question {
                    view,
                    given: set.clone(),
                    dialect,
                    tables,
                    samples,
                    edges,
                    stacks,
                });
            }
        }
    }
    let reports = session.run();
    let mut compared = Compared::default();
    for (number, question) in questions.iter().enumerate() {
        let what = format!("{what}: {:?}", question.view);
        let reading = read(profile, &question.view).unwrap();
        if number % ONE_COMMAND_IN == 3 {
            question.ask_the_command(file, profile, &reading, &what);
        }
        compared += question.answer(&reports, &reading, &what);
        exports_agree(profile, &question.view, &reading, &what);
    }
    compared
}

impl Question {
    fn answer(&self, reports: &Reports<'_>, reading: &Reading, what: &str) -> Compared {
        let mut compared = Compared::default();
        let Some(by_own) = reports.table(self.tables[0]) else {
            return compared;
        };
        let dialect = &self.dialect;
        let without_stack = reading
            .frames
            .ids()
            .find(|frame| reading.frames.name(*frame) == "(no stack)");
        // The reference leaves out the records without a stack, but counts them for its per cents.
        let without_stack =
            without_stack.map_or(0, |frame| i128::from(reading.stat(frame).self_value));
        assert_eq!(i128::from(by_own.base), reading.base, "base of {what}");
        assert_eq!(
            i128::from(by_own.shown),
            reading.shown - without_stack,
            "shown of {what}"
        );
        compared.tables += 1;
        compared.filtered += usize::from(reading.shown != reading.total);

        let stacks = reports.stacks(self.stacks, dialect);
        if let Some(stacks) = &stacks {
            assert_eq!(&dialect.stacks(reading), stacks, "stacks of {what}");
            compared.stacks += 1;
        }
        if self.view.by == Identity::File {
            // The reference splits a file's row by where its functions start, so rows are added up from the stacks.
            if let Some(stacks) = &stacks {
                assert_eq!(
                    dialect.rows(reading),
                    rows_of(dialect, stacks),
                    "rows of {what}"
                );
            }
            return compared;
        }
        assert_eq!(
            dialect.rows(reading),
            dialect.counted(by_own.ranked.iter().cloned()),
            "rows of {what}"
        );
        self.same_order(reading, &by_own, Sort::SelfValue, what);
        if let Some(by_total) = reports.table(self.tables[1]) {
            self.same_order(reading, &by_total, Sort::Total, what);
        }
        if let Some(samples) = self.samples.and_then(|number| reports.table(number)) {
            let rows = rank(reading, Sort::Samples, false).into_iter();
            let rows = rows.map(|row| {
                (
                    row.samples,
                    row.total_samples,
                    dialect.label(&reading.frames.info(row.frame)),
                )
            });
            assert_eq!(
                dialect.counted(rows),
                dialect.counted(samples.ranked),
                "samples of {what}"
            );
        }
        if let Some(theirs) = reports.edges(self.edges, dialect) {
            let mut ours = dialect.edges(reading);
            sandwiches_agree(dialect, reading, &ours, what);
            // Calls between two functions that both add up to nothing are told nowhere.
            let told: HashSet<&String> = by_own.ranked.iter().map(|(_, _, label)| label).collect();
            ours.retain(|(caller, callee), _| told.contains(caller) || told.contains(callee));
            assert_eq!(ours, theirs, "calls of {what}");
            compared.edges += 1;
        }
        compared
    }

    /// `top --json` says what the reading says.
    fn ask_the_command(&self, file: &Path, profile: &Profile, reading: &Reading, what: &str) {
        let by = match self.view.by {
            Identity::Function => "function",
            Identity::Name => "name",
            Identity::Line => "line",
            Identity::File => "file",
            Identity::Package => "package",
        };
        let kind = profile
            .type_names(profile.sample_types()[self.view.sample_type])
            .0;
        let mut command = Command::cargo_bin("flarescope").unwrap();
        command
            .args([
                "top",
                "--json",
                "--sort",
                "total",
                "--by",
                by,
                "--sample-type",
                &kind,
            ])
            .arg(file);
        for (option, text) in &self.given {
            let flag = match *option {
                "show_from" => "show-from",
                "tagfocus" => "tag-focus",
                "tagignore" => "tag-ignore",
                same => same,
            };
            command.arg(format!("--{flag}={text}"));
        }
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{}: {what}",
            String::from_utf8_lossy(&output.stderr)
        );
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let number = |value: &serde_json::Value| i128::from(value.as_i64().unwrap());
        assert_eq!(number(&said["total"]), reading.total, "total of {what}");
        assert_eq!(number(&said["base"]), reading.base, "base of {what}");
        assert_eq!(number(&said["shown"]), reading.shown, "shown of {what}");
        let rows = said["rows"].as_array().unwrap().iter();
        let rows: Vec<[i128; 3]> = rows
            .map(|row| ["samples", "self", "total"].map(|key| number(&row[key])))
            .collect();
        let expected = rank(reading, Sort::Total, false).into_iter();
        let expected: Vec<[i128; 3]> = expected
            .map(|row| [row.samples, row.self_value, row.total].map(i128::from))
            .collect();
        assert_eq!(rows, expected, "rows that the command prints of {what}");
    }

    /// Both rank by the size of a value, whatever its sign.
    fn same_order(&self, reading: &Reading, table: &Table, sort: Sort, what: &str) {
        let size =
            |own: i64, total: i64| if sort == Sort::Total { total } else { own }.unsigned_abs();
        let sizes = |rows: &mut dyn Iterator<Item = (i64, i64, String)>| -> Vec<u64> {
            rows.filter(|row| self.dialect.tells(row))
                .map(|(own, total, _)| size(own, total))
                .collect()
        };
        let row = |row: Row| {
            (
                row.self_value,
                row.total,
                self.dialect.label(&reading.frames.info(row.frame)),
            )
        };
        let ours = sizes(&mut rank(reading, sort, false).into_iter().map(row));
        let theirs = sizes(&mut table.ranked.iter().cloned());
        assert_eq!(ours, theirs, "order by {sort:?} of {what}");
    }
}

/// Rows added up from stacks: own value at the leaf, total once a stack.
fn rows_of(dialect: &Dialect, stacks: &BTreeMap<Vec<String>, i64>) -> Rows {
    let mut rows: BTreeMap<&String, (i64, i64)> = BTreeMap::new();
    for (stack, value) in stacks {
        if let Some(leaf) = stack.first() {
            rows.entry(leaf).or_default().0 += value;
        }
        for label in stack.iter().collect::<HashSet<_>>() {
            rows.entry(label).or_default().1 += value;
        }
    }
    dialect.counted(
        rows.into_iter()
            .map(|(label, (own, total))| (own, total, label.clone())),
    )
}

/// Where a function is nowhere below itself, the first frames around it in a sandwich are its calls.
fn sandwiches_agree(dialect: &Dialect, reading: &Reading, edges: &Edges, what: &str) {
    let tree = &reading.tree;
    let label = |frame: FrameId| dialect.label(&reading.frames.info(frame));
    let labels: Vec<String> = reading.frames.ids().map(label).collect();
    let unique = |wanted: &String| labels.iter().filter(|label| *label == wanted).count() == 1;
    for frame in reading.frames.ids().take(12) {
        let own = &labels[frame.0 as usize];
        let nodes: Vec<NodeId> = tree
            .nodes()
            .filter(|node| tree.frame(*node) == Some(frame))
            .collect();
        let nests = nodes
            .windows(2)
            .any(|pair| tree.is_within(pair[1], pair[0]));
        if own == UNNAMED || !unique(own) || nests {
            continue;
        }
        let sandwich = reading.sandwich(frame);
        let mut found = Edges::new();
        for (side, is_caller) in [(&sandwich.callers, true), (&sandwich.callees, false)] {
            assert_eq!(
                side.total(NodeId::ROOT),
                reading.stat(frame).total,
                "sandwich of {own} in {what}"
            );
            for node in side.unordered(NodeId::ROOT) {
                let other = label(side.frame(node).unwrap());
                let edge = if is_caller {
                    (other, own.clone())
                } else {
                    (own.clone(), other)
                };
                *found.entry(edge).or_default() += side.total(node);
            }
        }
        found.retain(|(caller, callee), weight| {
            *weight != 0 && caller != UNNAMED && callee != UNNAMED
        });
        let mut expected = edges.clone();
        expected.retain(|(caller, callee), _| caller == own || callee == own);
        assert_eq!(found, expected, "sandwich of {own} in {what}");
    }
}

/// What is written of a view adds up to what the view shows.
fn exports_agree(profile: &Profile, view: &View, reading: &Reading, what: &str) {
    let (kind, unit) = profile.type_names(reading.sample_type);
    let folded = folded::write(reading, NodeId::ROOT, (&kind, &unit));
    let sum: i128 = folded
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').unwrap().1.parse::<i128>().unwrap())
        .sum();
    assert_eq!(sum, reading.shown, "folded stacks of {what}");
    if let Ok(written) = speedscope::write(reading, NodeId::ROOT, "title", (&kind, &unit)) {
        let value: serde_json::Value = serde_json::from_str(&written).unwrap();
        let weights = value["profiles"][0]["weights"].as_array().unwrap();
        let sum: i128 = weights
            .iter()
            .map(|weight| i128::from(weight.as_i64().unwrap()))
            .sum();
        let shown =
            units::nanoseconds(reading.shown, &unit).or_else(|| units::bytes(reading.shown, &unit));
        assert_eq!(sum, shown.unwrap_or(reading.shown), "speedscope of {what}");
    }
    let written = pprof::encode(&Subset::new(profile, view, None).unwrap());
    let again = formats::read(written.as_slice(), "written").unwrap();
    let plain = View {
        filters: Vec::new(),
        ..view.clone()
    };
    let read_again = read(&again, &plain).unwrap();
    let dialect = Dialect::new(profile, view.by);
    assert_eq!(
        dialect.rows(&read_again),
        dialect.rows(reading),
        "{what}, written and read again"
    );
    assert_eq!(read_again.total, reading.shown, "{what}, written and read");
    // Records that became equal are one when they are read again, where values are below zero: then their number means less.
    if reading.samples_from != SamplesFrom::Records || !reading.tree.has_negative() {
        assert_eq!(
            read_again.samples, reading.samples,
            "{what}, written and read"
        );
    }
}

/// Puts a profile into a file of its own.
pub(crate) fn in_file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".pb").tempfile().unwrap();
    fs::write(file.path(), bytes).unwrap();
    file
}
