//! The captures on disk: list, filter, selection.

use std::path::PathBuf;

use super::{Effect, Load, RequestId};
use crate::model::names;
use crate::model::target::{Capture, Summary};

/// What the captures are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HistorySort {
    /// Newest first.
    #[default]
    Time,
    /// The Worker's name.
    Worker,
    /// Share of the top function.
    Share,
}

/// The captures on disk.
#[derive(Debug, Default)]
pub struct History {
    /// Whether they are asked for, there, or failed.
    pub load: Load<()>,
    /// All of them, newest first.
    pub captures: Vec<Capture>,
    /// What was wrong with the folder.
    pub warnings: Vec<String>,
    /// Rows that are shown, as places in `captures`.
    pub order: Vec<usize>,
    /// Place in `order`.
    pub selected: usize,
    /// First row on the screen, as a place in `order`.
    pub offset: usize,
    /// The captures that are marked, by where they lie.
    pub marked: Vec<PathBuf>,
    /// The filter, fuzzy over Workers' names, substring over ids.
    pub filter: String,
    /// What the rows are sorted by.
    pub sort: HistorySort,
    /// The other way round.
    pub reverse: bool,
}

impl History {
    /// Asks for the list again.
    pub(super) fn ask(&mut self, id: RequestId) -> Effect {
        self.load = Load::Running(id);
        Effect::ListCaptures(id)
    }

    /// The selected capture.
    #[must_use]
    pub fn current(&self) -> Option<&Capture> {
        self.order.get(self.selected).and_then(|&at| self.captures.get(at))
    }

    /// The captures of one Worker, newest first.
    pub fn of_worker<'a>(&'a self, worker: &'a str) -> impl Iterator<Item = &'a Capture> {
        self.captures.iter().filter(move |c| c.worker == worker)
    }

    pub(super) fn put(&mut self, captures: Vec<Capture>, warnings: Vec<String>) {
        let keep = self.current().map(|c| c.path.clone());
        self.marked.retain(|marked| captures.iter().any(|c| c.path == *marked));
        self.captures = captures;
        self.warnings = warnings;
        self.load = Load::Ready(());
        self.arrange();
        if let Some(place) = keep.and_then(|path| self.order.iter().position(|&at| self.captures[at].path == path)) {
            self.selected = place;
        }
    }

    /// Marks the selected capture, or takes its mark away.
    pub(super) fn mark(&mut self) {
        let Some(path) = self.current().map(|capture| capture.path.clone()) else { return };
        match self.marked.iter().position(|marked| *marked == path) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(path),
        }
    }

    /// The capture before another one of the same Worker or object, and of the same kind.
    #[must_use]
    pub fn before(&self, capture: &Capture) -> Option<&Capture> {
        let alike = |c: &&Capture| {
            c.worker == capture.worker && c.kind == capture.kind && c.object == capture.object && c.path != capture.path
        };
        let earlier = self.captures.iter().filter(alike).filter(|c| c.answered_at < capture.answered_at);
        earlier.max_by_key(|c| c.answered_at)
    }

    pub(super) fn next_sort(&mut self) {
        self.sort = match self.sort {
            HistorySort::Time => HistorySort::Worker,
            HistorySort::Worker => HistorySort::Share,
            HistorySort::Share => HistorySort::Time,
        };
        self.reverse = false;
        self.arrange();
    }

    pub(super) fn arrange(&mut self) {
        let fits = |c: &Capture| {
            names::fuzzy(&c.worker, &self.filter).is_some()
                || c.sha256.starts_with(&self.filter)
                || c.version_id.as_deref().is_some_and(|id| id.contains(&self.filter))
        };
        let mut order: Vec<usize> = (0..self.captures.len()).filter(|&at| fits(&self.captures[at])).collect();
        match self.sort {
            HistorySort::Time => {}
            HistorySort::Worker => order.sort_by(|&a, &b| self.captures[a].worker.cmp(&self.captures[b].worker)),
            HistorySort::Share => {
                order.sort_by(|&a, &b| top_share(&self.captures[b]).total_cmp(&top_share(&self.captures[a])));
            }
        }
        if self.reverse {
            order.reverse();
        }
        self.order = order;
        self.selected = self.selected.min(self.order.len().saturating_sub(1));
    }
}

/// What is said of a capture without a top function.
#[must_use]
pub(crate) const fn without_top(summary: &Summary) -> &'static str {
    if summary.samples > 0 { "idle time only" } else { "no samples" }
}

/// The top function's self value as a share of the capture, 0…1; 0 where it is not known.
#[must_use]
pub(crate) fn top_share(capture: &Capture) -> f64 {
    capture
        .summary
        .as_ref()
        .and_then(|s| Some((s.top.as_ref()?.1, s.total)))
        .filter(|(_, total)| *total != 0)
        .map_or(0.0, |(value, total)| value as f64 / total as f64)
}
