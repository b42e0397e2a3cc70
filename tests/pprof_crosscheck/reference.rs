//! `go tool pprof`, asked for many reports of one profile at once, and its reports read back.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;

use super::labels::{Dialect, Edges, Stacks, UNNAMED};

use crate::tools;

/// Runs from one separator to the next in reports about edges.
const EDGES_RULE: &str = "----------------------------------------------------------+-------------";
/// The same in reports about stacks.
const STACKS_RULE: &str = "-----------+-------------------------------------------------------";
/// What a report is asked for with; set anew for each, as the reference remembers them.
const OPTIONS: [&str; 8] = [
    "unit",
    "focus",
    "ignore",
    "hide",
    "show_from",
    "tagfocus",
    "tagignore",
    "sort",
];

/// The reference implementation.
pub(crate) struct Pprof {
    command: Vec<PathBuf>,
    row: Regex,
    shown: Regex,
    node: Regex,
    edge: Regex,
    value: Regex,
}

/// A report about one sample type, in one granularity, with further options by name.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) report: &'static str,
    pub(crate) sample_index: String,
    pub(crate) granularity: &'static str,
    pub(crate) options: Vec<(&'static str, String)>,
}

/// What a table says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// What its rows' own values add up to, and what per cents are of.
    pub(crate) shown: i64,
    pub(crate) base: i64,
    /// The rows in order.
    pub(crate) ranked: Vec<(i64, i64, String)>,
}

/// A profile opened in the reference, with reports to come.
pub(crate) struct Session<'a> {
    pprof: &'a Pprof,
    /// The profile, or several to be merged, and what it is a difference from.
    files: Vec<OsString>,
    folder: tempfile::TempDir,
    script: String,
    asked: usize,
}

/// The reports that a session ended with.
pub(crate) struct Reports<'a> {
    pprof: &'a Pprof,
    folder: tempfile::TempDir,
}

impl Pprof {
    /// Returns what is missing, if there is no Go.
    pub(crate) fn lacks() -> Option<String> {
        tools::lacks_program("go")
    }

    /// Finds it.
    pub(crate) fn find() -> Self {
        let output = Command::new("go")
            .args(["env", "GOTOOLDIR"])
            .output()
            .unwrap();
        // Called without `go tool` in between it starts twenty times as fast; newer releases build it when first asked.
        let tool = Path::new(String::from_utf8(output.stdout).unwrap().trim()).join("pprof");
        let command = if tool.exists() {
            vec![tool]
        } else {
            vec!["go".into(), "tool".into(), "pprof".into()]
        };
        let regex = |text: &str| Regex::new(text).unwrap();
        Self {
            command,
            row: regex(r"^\s*(-?\d+)[A-Za-z]*\s+\S+%\s+\S+%\s+(-?\d+)[A-Za-z]*\s+\S+%  (.*)$"),
            shown: regex(
                r"^Showing nodes accounting for (-?\d+)[A-Za-z]*, .*% of (-?\d+)[A-Za-z]* total$",
            ),
            node: regex(r"^\s*-?\d+[A-Za-z]*\s+\S+%\s+\S+%\s+-?\d+[A-Za-z]*\s+\S+%\s{16}\| (.*)$"),
            edge: regex(r"^\s*(-?\d+)[A-Za-z]*\s+\S+% \|   (.*)$"),
            value: regex(r"^ *(-?\d+)[A-Za-z]*   (.*)$"),
        }
    }

    /// Opens a profile, or several as one.
    pub(crate) fn session<'f>(&self, files: impl IntoIterator<Item = &'f Path>) -> Session<'_> {
        Session {
            pprof: self,
            files: files.into_iter().map(Into::into).collect(),
            folder: tempfile::tempdir().unwrap(),
            script: "trim=false\nnodecount=10000000\nnodefraction=0\nedgefraction=0\n".to_owned(),
            asked: 0,
        }
    }
}

impl<'a> Session<'a> {
    /// Makes it a difference from a base.
    pub(crate) fn less(mut self, base: &Path) -> Self {
        let mut option = OsString::from("-diff_base=");
        option.push(base);
        self.files.insert(0, option);
        self
    }

    /// Asks for a report, and answers its number.
    pub(crate) fn ask(&mut self, ask: &Ask) -> usize {
        let _ = writeln!(
            self.script,
            "sample_index={}\ngranularity={}",
            ask.sample_index, ask.granularity
        );
        for option in OPTIONS {
            let unset = if option == "sort" { "flat" } else { "" };
            let given = ask.options.iter().find(|(name, _)| *name == option);
            let _ = writeln!(
                self.script,
                "{option}={}",
                given.map_or(unset, |(_, value)| value)
            );
        }
        let _ = writeln!(
            self.script,
            "{} >{}",
            ask.report,
            self.folder.path().join(self.asked.to_string()).display()
        );
        self.asked += 1;
        self.asked - 1
    }

    /// Has all reports made.
    pub(crate) fn run(self) -> Reports<'a> {
        let (program, first) = self.pprof.command.split_first().unwrap();
        let mut child = Command::new(program)
            .args(first)
            .arg("-symbolize=none")
            .args(&self.files)
            .env("PPROF_TMPDIR", self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A profile that it refuses ends it before it has read all.
        let _ = child
            .stdin
            .take()
            .unwrap()
            .write_all(self.script.as_bytes());
        child.wait().unwrap();
        Reports {
            pprof: self.pprof,
            folder: self.folder,
        }
    }
}

impl Reports<'_> {
    /// A report's text; `None` if it was refused.
    fn text(&self, number: usize) -> Option<String> {
        let bytes = fs::read(self.folder.path().join(number.to_string())).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A `top` report.
    pub(crate) fn table(&self, number: usize) -> Option<Table> {
        let text = self.text(number)?;
        let mut table = Table::default();
        let mut lines = text.split('\n');
        for line in lines.by_ref().take_while(|line| !line.contains("flat%")) {
            if let Some(shown) = self.pprof.shown.captures(line) {
                (table.shown, table.base) = (shown[1].parse().unwrap(), shown[2].parse().unwrap());
            }
        }
        for line in lines {
            match (self.pprof.row.captures(line), table.ranked.last_mut()) {
                (Some(row), _) => {
                    table.ranked.push((
                        row[1].parse().unwrap(),
                        row[2].parse().unwrap(),
                        row[3].to_owned(),
                    ));
                }
                // A name with line feeds goes on here.
                (None, Some(last)) if !line.is_empty() => last.2 += &format!("\n{line}"),
                _ => {}
            }
        }
        for (_, _, label) in &mut table.ranked {
            *label = without_inline(label).to_owned();
        }
        Some(table)
    }

    /// A `peek .` report: what flows over each call. Each is told twice, where it leaves and where it arrives.
    pub(crate) fn edges(&self, number: usize, dialect: &Dialect) -> Option<Edges> {
        let text = self.text(number)?;
        let (mut leaving, mut arriving) = (Edges::new(), Edges::new());
        for block in text.split(EDGES_RULE).skip(2) {
            let mut callers: Vec<(i64, String)> = Vec::new();
            let mut node: Option<String> = None;
            let mut callees: Vec<(i64, String)> = Vec::new();
            for line in block.trim_start_matches('\n').split('\n') {
                if let Some(found) = self.pprof.node.captures(line) {
                    node = Some(found[1].to_owned());
                } else if let Some(found) = self.pprof.edge.captures(line) {
                    let side = if node.is_none() {
                        &mut callers
                    } else {
                        &mut callees
                    };
                    side.push((found[1].parse().unwrap(), found[2].to_owned()));
                } else if !line.is_empty() {
                    let (last_edge, node) =
                        (callees.last_mut().map(|(_, label)| label), node.as_mut());
                    if let Some(label) = last_edge
                        .or(node)
                        .or(callers.last_mut().map(|(_, label)| label))
                    {
                        *label += &format!("\n{line}");
                    }
                }
            }
            let Some(node) = node.filter(|node| !dialect.is_unnamed(node)) else {
                continue;
            };
            let named = |list: Vec<(i64, String)>| {
                list.into_iter()
                    .map(|(weight, label)| (weight, without_inline(&label).to_owned()))
                    .filter(|(weight, label)| *weight != 0 && !dialect.is_unnamed(label))
            };
            for (weight, caller) in named(callers) {
                *arriving.entry((caller, node.clone())).or_default() += weight;
            }
            for (weight, callee) in named(callees) {
                *leaving.entry((node.clone(), callee)).or_default() += weight;
            }
        }
        // A function that adds up to nothing has no place of its own here, so its calls are told at the other end alone.
        for (edge, weight) in &leaving {
            assert_eq!(
                *arriving.entry(edge.clone()).or_insert(*weight),
                *weight,
                "the reference contradicts itself"
            );
        }
        Some(arriving)
    }

    /// A `traces` report: stacks, leaf first, with what they add up to.
    pub(crate) fn stacks(&self, number: usize, dialect: &Dialect) -> Option<Stacks> {
        let text = self.text(number)?;
        let mut stacks = Stacks::new();
        for block in text.split(STACKS_RULE).skip(1) {
            let mut value = None;
            let mut stack: Vec<String> = Vec::new();
            for line in block.trim_start_matches('\n').split('\n') {
                if value.is_none() {
                    // Tags come before the value.
                    if let Some(found) = self.pprof.value.captures(line) {
                        value = Some(found[1].parse::<i64>().unwrap());
                        stack.push(found[2].to_owned());
                    }
                } else if let Some(frame) = line.strip_prefix("             ") {
                    stack.push(frame.to_owned());
                } else if let Some(last) = stack.last_mut().filter(|_| !line.is_empty()) {
                    *last += &format!("\n{line}");
                }
            }
            let label = |label: &String| match without_inline(label) {
                label if dialect.is_unnamed(label) => UNNAMED.to_owned(),
                label => label.to_owned(),
            };
            if let Some(value) = value {
                *stacks.entry(stack.iter().map(label).collect()).or_default() += value;
            }
        }
        stacks.retain(|_, value| *value != 0);
        Some(stacks)
    }
}

fn without_inline(label: &str) -> &str {
    label
        .strip_suffix(" (inline)")
        .or_else(|| label.strip_suffix(" (partial-inline)"))
        .unwrap_or(label)
}
