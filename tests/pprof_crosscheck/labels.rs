//! Our readings, told in the reference's words.

use std::collections::{BTreeMap, HashMap, HashSet};

use flarescope::model::graph::aggregate::Reading;
use flarescope::model::graph::frames::{FrameId, FrameInfo, is_nameless};
use flarescope::model::graph::ranking::{Row, Sort, rank};
use flarescope::model::graph::view::Identity;
use flarescope::model::profile::Profile;

/// Rows as own value, total and label, with how often each occurs.
pub(crate) type Rows = BTreeMap<(i64, i64, String), usize>;
/// What flows over each call, from caller to callee; each stack counted once.
pub(crate) type Edges = BTreeMap<(String, String), i64>;
/// Stacks of labels, leaf first, with what they add up to.
pub(crate) type Stacks = BTreeMap<Vec<String>, i64>;

/// Stands for every place without a function's name: the two sides tell those apart by different things.
pub(crate) const UNNAMED: &str = "?";

/// One of the reference's granularities and ours.
pub(crate) type Granularity = (&'static str, Identity);
/// All of them.
pub(crate) const GRANULARITIES: [Granularity; 4] = [
    ("functions", Identity::Name),
    ("filefunctions", Identity::Function),
    ("lines", Identity::Line),
    ("files", Identity::File),
];

/// How the functions of one profile are called in one granularity.
pub(crate) struct Dialect {
    by: Identity,
    names: HashSet<String>,
    files: HashSet<String>,
    /// What the reference calls places without a function.
    substitutes: HashSet<String>,
}

impl Dialect {
    pub(crate) fn new(profile: &Profile, by: Identity) -> Self {
        let text = |id| profile.text(id).into_owned();
        let base = |path: String| format!("[{}]", path.rsplit('/').next().unwrap_or_default());
        let names: HashSet<String> = profile
            .functions()
            .iter()
            .map(|function| text(function.name))
            .collect();
        let mut substitutes: HashSet<String> = profile
            .mappings()
            .iter()
            .map(|mapping| base(text(mapping.file)))
            .collect();
        substitutes.insert("<unknown>".to_owned());
        let files = profile
            .functions()
            .iter()
            .map(|function| clean(&text(function.file)))
            .collect();
        Self {
            by,
            names,
            files,
            substitutes,
        }
    }

    /// Tells whether a label of the reference's, or one of ours, stands for a place without a function's name, or may.
    pub(crate) fn is_unnamed(&self, label: &str) -> bool {
        if self.by == Identity::File {
            return label.is_empty() || !self.files.contains(label);
        }
        // `a.js:12` is a line of a function without a name.
        let of_line = label
            .rsplit_once(':')
            .filter(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit()));
        let place = of_line.map_or(label, |(file, _)| file);
        // Where a function lacks a name, a name that reads like our substitute can't be distinguished from it.
        let substitute = self.names.contains("") && label.starts_with("(anonymous)");
        // Nameless functions of a file are one to the reference.
        let name = label.split(' ').next().unwrap_or_default();
        substitute
            || self.by == Identity::Function && is_nameless(name)
            || self.substitutes.contains(label)
            || self.files.contains(label)
            || self.files.contains(place)
    }

    /// A frame's label as the reference writes it; [`UNNAMED`] for a place without a function's name.
    pub(crate) fn label(&self, info: &FrameInfo<'_>) -> String {
        let file = clean(info.file);
        let label = match self.by {
            Identity::Name => info.name.to_owned(),
            Identity::Line => match info.line {
                Some(line) => format!("{} {file}:{line}", info.name),
                None => format!("{} {file}", info.name)
                    .trim_end_matches(' ')
                    .to_owned(),
            },
            Identity::File => clean(info.name),
            _ if file.is_empty() => info.name.to_owned(),
            _ => format!("{} {file}", info.name),
        };
        let unnamed =
            self.is_unnamed(&label) || self.by != Identity::File && !self.names.contains(info.name);
        if unnamed { UNNAMED.to_owned() } else { label }
    }

    /// Whether a row has a name and adds up to something: the reference leaves out those that do not.
    pub(crate) fn tells(&self, (own, total, label): &(i64, i64, String)) -> bool {
        (*own, *total) != (0, 0) && label != UNNAMED && !self.is_unnamed(label)
    }

    /// Counts the rows that are told.
    pub(crate) fn counted(&self, rows: impl IntoIterator<Item = (i64, i64, String)>) -> Rows {
        let mut counted = Rows::new();
        for row in rows.into_iter().filter(|row| self.tells(row)) {
            *counted.entry(row).or_default() += 1;
        }
        counted
    }

    /// The rows of a reading.
    pub(crate) fn rows(&self, reading: &Reading) -> Rows {
        let row = |row: Row| {
            (
                row.self_value,
                row.total,
                self.label(&reading.frames.info(row.frame)),
            )
        };
        self.counted(rank(reading, Sort::Total, false).into_iter().map(row))
    }

    /// What flows over each call of a reading from the root.
    pub(crate) fn edges(&self, reading: &Reading) -> Edges {
        let tree = &reading.tree;
        let labels: Vec<String> = reading
            .frames
            .ids()
            .map(|frame| self.label(&reading.frames.info(frame)))
            .collect();
        let mut edges = Edges::new();
        let mut path: Vec<FrameId> = Vec::new();
        let mut on_path: HashMap<(FrameId, FrameId), u32> = HashMap::new();
        for node in tree.nodes() {
            let Some(frame) = tree.frame(node) else {
                continue;
            };
            while path.len() >= tree.depth(node) as usize {
                let below = path.pop().unwrap();
                if let Some(above) = path.last() {
                    *on_path.get_mut(&(*above, below)).unwrap() -= 1;
                }
            }
            if let Some(&caller) = path.last() {
                let times = on_path.entry((caller, frame)).or_default();
                *times += 1;
                let (from, to) = (&labels[caller.0 as usize], &labels[frame.0 as usize]);
                if *times == 1 && caller != frame && from != UNNAMED && to != UNNAMED {
                    *edges.entry((from.clone(), to.clone())).or_default() += tree.total(node);
                }
            }
            path.push(frame);
        }
        edges.retain(|_, weight| *weight != 0);
        edges
    }

    /// The stacks of a reading from the root.
    pub(crate) fn stacks(&self, reading: &Reading) -> Stacks {
        let tree = &reading.tree;
        let labels: Vec<String> = reading
            .frames
            .ids()
            .map(|frame| self.label(&reading.frames.info(frame)))
            .collect();
        let mut stacks = Stacks::new();
        for node in tree.nodes().filter(|node| tree.self_value(*node) != 0) {
            let mut stack = Vec::new();
            let mut at = node;
            while let Some(frame) = tree.frame(at) {
                stack.push(labels[frame.0 as usize].clone());
                at = tree.parent(at);
            }
            if reading.frames.name(tree.frame(node).unwrap()) != "(no stack)" {
                *stacks.entry(stack).or_default() += tree.self_value(node);
            }
        }
        stacks.retain(|_, value| *value != 0);
        stacks
    }
}

/// A path as Go cleans it.
pub(crate) fn clean(path: &str) -> String {
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
