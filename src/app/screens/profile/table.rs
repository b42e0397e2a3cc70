//! The ranked table of a profile: order, selection, scrolling.

use crate::app::core::layout::scrolled;
use crate::app::screens::profile::search::Search;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::graph::ranking::{Row, Sort, rank, rank_within};

/// The ranked table.
#[derive(Debug)]
pub struct TableState {
    /// Every row of all that is shown, or of the zoom, in order.
    pub rows: Vec<Row>,
    /// The rows that are shown: all, or those that the search matches; places in `rows`.
    pub shown: Vec<usize>,
    /// What the rows are sorted by.
    pub sort: Sort,
    /// In reverse.
    pub reverse: bool,
    /// Place in `shown`.
    pub selected: usize,
    /// First row on the screen, as a place in `shown`.
    pub offset: usize,
}

impl TableState {
    /// Ranks a reading by samples.
    #[must_use]
    pub fn new(reading: &Reading) -> Self {
        let rows = rank(reading, Sort::Samples, false);
        let shown = (0..rows.len()).collect();
        Self {
            rows,
            shown,
            sort: Sort::Samples,
            reverse: false,
            selected: 0,
            offset: 0,
        }
    }

    /// Returns the selected row.
    #[must_use]
    pub fn current(&self) -> Option<&Row> {
        self.shown
            .get(self.selected)
            .and_then(|&at| self.rows.get(at))
    }

    /// Returns a function's place in the ranking, from 1.
    #[must_use]
    pub fn rank_of(&self, frame: FrameId) -> Option<usize> {
        self.rows
            .iter()
            .position(|row| row.frame == frame)
            .map(|at| at + 1)
    }

    /// Ranks what is at and below a node again, after the reading, the node, the order or the search changed; the selected
    /// function stays if it can.
    pub fn arrange(
        &mut self,
        reading: &Reading,
        root: NodeId,
        search: Option<&Search>,
        select: Option<FrameId>,
    ) {
        self.rows = rank_within(reading, root, self.sort, self.reverse);
        self.filter(search, select);
    }

    /// Shows the rows that a search matches, or all.
    pub fn filter(&mut self, search: Option<&Search>, select: Option<FrameId>) {
        let matched = search.and_then(Search::lit);
        self.shown = (0..self.rows.len())
            .filter(|&at| matched.is_none_or(|m| m.contains(self.rows[at].frame)))
            .collect();
        let place = select.and_then(|frame| {
            self.shown
                .iter()
                .position(|&at| self.rows[at].frame == frame)
        });
        self.selected = place
            .unwrap_or(self.selected)
            .min(self.shown.len().saturating_sub(1));
    }

    /// Sorts by the next column.
    pub const fn next_sort(&mut self) {
        self.sort = match self.sort {
            Sort::Samples => Sort::SelfValue,
            Sort::SelfValue => Sort::Total,
            Sort::Total => Sort::Name,
            Sort::Name => Sort::Samples,
        };
        self.reverse = false;
    }

    /// Moves the selection, without going round.
    pub fn step(&mut self, by: isize) {
        self.selected = self
            .selected
            .saturating_add_signed(by)
            .min(self.shown.len().saturating_sub(1));
    }

    /// Scrolls just far enough for the selection to be among `rows` rows.
    pub fn scroll(&mut self, rows: usize) {
        self.offset = scrolled(self.offset, self.selected, self.shown.len(), rows);
    }
}
