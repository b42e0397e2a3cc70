//! The captures on disk: list, filter, order, selection, marks.

pub(crate) mod baseline;
pub(crate) mod effect;

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::app::core::dates::day_of;
use crate::app::load::Load;
use crate::model::cloudflare::{Capture, Summary};
use crate::model::text::fuzzy;

/// What the captures are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HistorySort {
    /// By Worker, the one that was captured last first; inside the newest first.
    #[default]
    Worker,
    /// Newest first.
    Time,
    /// Share of the top function.
    Share,
    /// How many samples there are.
    Samples,
}

impl HistorySort {
    /// Returns the word for it in the title.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Worker => "by Worker",
            Self::Time => "by time",
            Self::Share => "by self %",
            Self::Samples => "by samples",
        }
    }
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryLine {
    /// Nothing, between two groups.
    Blank,
    /// The Worker of the rows that follow, as a place in `order`, and how many they are.
    Worker(usize, usize),
    /// The day of the rows that follow, in days since 1970 in UTC.
    Day(u64),
    /// A capture, as a place in `order`.
    Row(usize),
}

/// The captures on disk.
#[derive(Debug, Default)]
pub struct History {
    /// How far they are loaded.
    pub load: Load<()>,
    /// All of them, newest first.
    pub captures: Vec<Capture>,
    /// Problems with the folder.
    pub warnings: Vec<String>,
    /// Rows that are shown, as places in `captures`.
    pub order: Vec<usize>,
    /// The lines of the list.
    pub lines: Vec<HistoryLine>,
    /// Place in `order`.
    pub selected: usize,
    /// First line on the screen.
    pub offset: usize,
    /// The paths of the marked captures.
    pub marked: Vec<PathBuf>,
    /// The filter, fuzzy over names, substring over everything else.
    pub filter: String,
    /// What the rows are sorted by.
    pub sort: HistorySort,
    /// In reverse.
    pub reverse: bool,
    /// The capture to select as soon as it is listed.
    wanted: Option<PathBuf>,
    /// The capture that was made last, until the list has been opened on it.
    made: Option<PathBuf>,
    /// The last change was that a capture was deleted: it can be restored.
    pub deleted: bool,
}

impl History {
    /// Returns the selected capture.
    #[must_use]
    pub fn current(&self) -> Option<&Capture> {
        self.at(self.selected)
    }

    /// Returns the capture at a place of the list.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<&Capture> {
        self.order.get(place).and_then(|&at| self.captures.get(at))
    }

    /// Returns the captures of one Worker, newest first.
    pub fn of_worker<'a>(&'a self, worker: &'a str) -> impl Iterator<Item = &'a Capture> {
        self.captures
            .iter()
            .filter(move |c| c.target().worker == worker)
    }

    /// Returns the marked captures, the oldest first.
    #[must_use]
    pub fn marked(&self) -> Vec<&Capture> {
        let mut marked: Vec<&Capture> = self
            .captures
            .iter()
            .filter(|c| self.marked.contains(&c.path))
            .collect();
        marked.sort_by_key(|capture| capture.provenance.answered_at);
        marked
    }

    pub(crate) fn put(&mut self, captures: Vec<Capture>, warnings: Vec<String>) {
        self.marked
            .retain(|marked| captures.iter().any(|c| c.path == *marked));
        self.warnings = warnings;
        self.load = Load::Ready(());
        self.change(|all| *all = captures);
    }

    /// Adds a capture, or replaces the one of its path.
    pub(crate) fn put_one(&mut self, capture: Capture) {
        self.change(
            |all| match all.iter_mut().find(|c| c.path == capture.path) {
                Some(old) => *old = capture,
                None => {
                    let place = all
                        .partition_point(|c| c.provenance.asked_at > capture.provenance.asked_at);
                    all.insert(place, capture);
                }
            },
        );
    }

    /// Removes one; the selection goes to the next.
    pub(crate) fn take_out(&mut self, path: &PathBuf) {
        self.marked.retain(|marked| marked != path);
        self.change(|all| all.retain(|c| c.path != *path));
    }

    /// Selects the capture of a path, if it is shown.
    pub(crate) fn select(&mut self, path: &PathBuf) {
        if let Some(place) = self.place_of(path) {
            self.selected = place;
        }
    }

    /// A capture was made: the list opens on it the next time.
    pub(crate) fn note_made(&mut self, path: PathBuf) {
        self.made = Some(path);
    }

    /// Selects the capture that was just made, else the one that is open, else the newest.
    pub(crate) fn open_on(&mut self, open: Option<PathBuf>) {
        let newest = || self.captures.first().map(|capture| capture.path.clone());
        let made = self.made.take();
        self.wanted = made.or(open).or_else(newest);
        self.find_wanted();
    }

    fn find_wanted(&mut self) {
        if let Some(place) = self.wanted.as_ref().and_then(|path| self.place_of(path)) {
            (self.selected, self.wanted) = (place, None);
        }
    }

    fn place_of(&self, path: &PathBuf) -> Option<usize> {
        self.order
            .iter()
            .position(|&at| self.captures[at].path == *path)
    }

    /// Moves the selection by hand, without going round.
    pub(crate) fn step(&mut self, by: isize) {
        self.wanted = None;
        self.selected = self
            .selected
            .saturating_add_signed(by)
            .min(self.order.len().saturating_sub(1));
    }

    /// Changes the list and keeps the selection where it was.
    fn change(&mut self, change: impl FnOnce(&mut Vec<Capture>)) {
        let keep = self.current().map(|c| c.path.clone());
        change(&mut self.captures);
        self.arrange();
        if let Some(path) = keep {
            self.select(&path);
        }
        self.find_wanted();
    }

    /// Marks or unmarks the selected capture.
    pub(crate) fn mark(&mut self) {
        let Some(path) = self.current().map(|capture| capture.path.clone()) else {
            return;
        };
        match self.marked.iter().position(|marked| *marked == path) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(path),
        }
    }

    /// Sorts by the next column, or reverses the order, and goes to the first row.
    pub(crate) fn sort(&mut self, reverse: bool) {
        if reverse {
            self.reverse = !self.reverse;
            self.arrange();
        } else {
            self.next_sort();
        }
        (self.selected, self.offset, self.wanted) = (0, 0, None);
    }

    /// Filters by another text.
    pub(crate) fn filter_by(&mut self, text: String) {
        self.filter = text;
        self.arrange();
    }

    fn next_sort(&mut self) {
        self.sort = match self.sort {
            HistorySort::Worker => HistorySort::Time,
            HistorySort::Time => HistorySort::Share,
            HistorySort::Share => HistorySort::Samples,
            HistorySort::Samples => HistorySort::Worker,
        };
        self.reverse = false;
        self.arrange();
    }

    pub(crate) fn arrange(&mut self) {
        let filter = self.filter.to_lowercase();
        let mut order: Vec<usize> = (0..self.captures.len())
            .filter(|&at| fits(&self.captures[at], &self.filter, &filter))
            .collect();
        let captures = &self.captures;
        order.sort_by_key(|&at| std::cmp::Reverse(captures[at].provenance.answered_at));
        match self.sort {
            HistorySort::Time => {}
            HistorySort::Worker => {
                let mut last: HashMap<&str, SystemTime> = HashMap::new();
                for capture in captures {
                    let last = last
                        .entry(&capture.target().worker)
                        .or_insert(capture.provenance.answered_at);
                    *last = capture.provenance.answered_at.max(*last);
                }
                order.sort_by(|&a, &b| {
                    let key = |at: usize| {
                        (
                            last.get(captures[at].target().worker.as_str()),
                            &captures[at].target().worker,
                        )
                    };
                    let ((a_last, a_name), (b_last, b_name)) = (key(a), key(b));
                    b_last.cmp(&a_last).then_with(|| a_name.cmp(b_name))
                });
            }
            HistorySort::Share => {
                order.sort_by(|&a, &b| top_share(&captures[b]).total_cmp(&top_share(&captures[a])));
            }
            HistorySort::Samples => {
                order.sort_by_key(|&at| std::cmp::Reverse(samples(&captures[at])))
            }
        }
        if self.reverse {
            order.reverse();
        }
        self.order = order;
        self.selected = self.selected.min(self.order.len().saturating_sub(1));
    }

    /// Puts the rows into lines, with a heading for each group, and scrolls so that the selection is in sight. Groups are
    /// kept apart by a blank line where all of it fits.
    pub(crate) fn lay_out(&mut self, room: usize) {
        self.lines = self.headed(true);
        if self.lines.len() > room {
            self.lines = self.headed(false);
        }
        let line = self
            .lines
            .iter()
            .position(|line| *line == HistoryLine::Row(self.selected))
            .unwrap_or(0);
        // The heading of the selected row comes along.
        let is_first = line > 0 && !matches!(self.lines.get(line - 1), Some(HistoryLine::Row(_)));
        let top = if is_first { line - 1 } else { line };
        let offset = crate::app::core::layout::scrolled(self.offset, line, self.lines.len(), room);
        self.offset = offset.min(top);
    }

    fn headed(&self, blanks: bool) -> Vec<HistoryLine> {
        let mut lines = Vec::with_capacity(self.order.len());
        let group = |place: usize| match (self.sort, self.at(place)) {
            (HistorySort::Worker, Some(capture)) => Some((capture.target().worker.as_str(), 0)),
            (HistorySort::Time, Some(capture)) => {
                Some(("", day_of(capture.provenance.answered_at)))
            }
            _ => None,
        };
        let mut last = None;
        for place in 0..self.order.len() {
            let this = group(place);
            if this != last {
                if blanks && place > 0 {
                    lines.push(HistoryLine::Blank);
                }
                lines.extend(this.map(|(_, day)| {
                    match self.sort {
                        HistorySort::Time => HistoryLine::Day(day),
                        _ => HistoryLine::Worker(
                            place,
                            (place..self.order.len())
                                .take_while(|at| group(*at) == this)
                                .count(),
                        ),
                    }
                }));
                last = this;
            }
            lines.push(HistoryLine::Row(place));
        }
        lines
    }
}

/// Whether a capture passes the filter: `typed`, and the same in small letters. A kind, or `pinned`, means just that;
/// as letters of a name they would be in half of them.
fn fits(capture: &Capture, typed: &str, small: &str) -> bool {
    let keeping = &capture.keeping;
    let object = capture.target().object.as_ref();
    let names = [
        Some(&capture.target().worker),
        keeping.title.as_ref(),
        object.and_then(|object| object.name.as_ref()),
    ];
    let named = |fits: &dyn Fn(&str) -> bool| names.into_iter().flatten().any(|name| fits(name));
    match small {
        "cpu" | "heap" => {
            return capture
                .provenance
                .kind
                .is_some_and(|kind| kind.to_string() == small)
                || named(&|n| n.contains(small));
        }
        "pinned" => return keeping.pinned || named(&|name| name.contains(small)),
        _ => {}
    }
    let texts = [
        keeping.note.as_ref(),
        capture
            .summary
            .as_ref()
            .and_then(|s| s.top.as_ref())
            .map(|(name, _)| name),
    ];
    let ids = [
        Some(&capture.sha256),
        capture.target().version_id.as_ref(),
        object.map(|object| &object.object_id),
    ];
    named(&|name| fuzzy::fuzzy(name, typed).is_some())
        || texts
            .into_iter()
            .flatten()
            .any(|text| text.to_lowercase().contains(small))
        || ids.into_iter().flatten().any(|id| id.contains(small))
}

/// Returns what is said of a capture without a top function.
#[must_use]
pub(crate) const fn without_top(summary: &Summary) -> &'static str {
    if summary.samples > 0 {
        "idle time only"
    } else {
        "no samples"
    }
}

fn samples(capture: &Capture) -> i64 {
    capture
        .summary
        .as_ref()
        .map_or(-1, |summary| summary.samples)
}

/// Returns the top function's self value as a share of the capture, 0…1; 0 where it is not known.
#[must_use]
pub(crate) fn top_share(capture: &Capture) -> f64 {
    capture
        .summary
        .as_ref()
        .and_then(|s| Some((s.top.as_ref()?.1, s.total)))
        .filter(|(_, total)| *total != 0)
        .map_or(0.0, |(value, total)| value as f64 / total as f64)
}
