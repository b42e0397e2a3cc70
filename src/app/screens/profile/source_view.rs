//! The code of one function with the cost of its lines: walking about in it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::keys::command::Command;
use crate::model::graph::frames::FunctionName;
use crate::model::graph::view::View;
use crate::model::lines::costs::Costs;
use crate::model::profile::Profile;
use crate::model::source_map::SourceMap;
use crate::model::text::source_text::Code;

/// Columns that a step to the left or right moves the code by.
const STEP: u32 = 8;
/// Rows of the screen that hold no code: title, function, figures, head, message, keys.
pub(crate) const ROWS_AROUND: u16 = 6;

/// A function whose source is requested.
#[derive(Debug, Clone)]
pub struct CodeJob {
    /// The profile.
    pub profile: Arc<Profile>,
    /// The view that the figures are of.
    pub view: View,
    /// The function.
    pub function: FunctionName,
    /// Source maps that may carry the file's text.
    pub maps: Vec<Arc<SourceMap>>,
    /// A folder with the sources.
    pub root: Option<PathBuf>,
}

/// A function's code and what its lines cost.
#[derive(Debug)]
pub struct FunctionCode {
    /// The function's name.
    pub name: String,
    /// Its file, as in the profile.
    pub file: String,
    /// What its lines cost.
    pub costs: Costs,
    /// The file's text; `None` if not found.
    pub code: Option<Code>,
}

/// The code on the screen.
#[derive(Debug)]
pub struct CodeState {
    /// What is shown.
    pub shown: Box<FunctionCode>,
    /// The selected line, from 1.
    pub selected: i64,
    /// The first line on the screen.
    pub first: i64,
    /// Columns hidden at the left.
    pub left: u32,
    /// What is searched for; empty: nothing.
    pub search: String,
    /// Where the search began, to go back to.
    pub(crate) before: i64,
}

impl CodeState {
    /// Opens on the costliest line, with the function's beginning in sight if both fit.
    #[must_use]
    pub fn new(shown: Box<FunctionCode>, size: (u16, u16)) -> Self {
        let costs = &shown.costs;
        let start = costs.start.unwrap_or(1).max(1);
        let selected = costs.ranked().first().copied().unwrap_or(start).max(1);
        // On the one line of a bundle the function is far to the right.
        let width = u32::from(size.0);
        let left = costs
            .column
            .and_then(|column| u32::try_from(column).ok())
            .filter(|column| *column > width);
        let left = left.map_or(0, |column| column.saturating_sub(width / 4));
        let mut state = Self {
            selected,
            first: (start - 1).max(1),
            left,
            search: String::new(),
            before: selected,
            shown,
        };
        state.scroll(size);
        state
    }

    /// Returns how many lines can be shown: those of the code, else those that cost something.
    #[must_use]
    pub fn last(&self) -> i64 {
        let lines = match &self.shown.code {
            Some(code) => code.len(),
            None => usize::try_from(self.shown.costs.lines.last().map_or(0, |line| line.line))
                .unwrap_or(0),
        };
        i64::try_from(lines).unwrap_or(i64::MAX).max(1)
    }

    /// Brings the selected line onto the screen.
    pub(crate) fn scroll(&mut self, size: (u16, u16)) {
        let rows = i64::from(size.1.saturating_sub(ROWS_AROUND)).max(1);
        self.selected = self.selected.clamp(1, self.last());
        let last_first = (self.last() - rows + 1).max(1);
        self.first = self
            .first
            .clamp(1, last_first)
            .max(self.selected - rows + 1)
            .min(self.selected);
    }

    /// Does a move `times` over.
    pub(crate) fn walk(&mut self, command: Command, times: u32, size: (u16, u16)) {
        let page = i64::from(size.1.saturating_sub(ROWS_AROUND)).max(1);
        let times = i64::from(times);
        let step = match command {
            Command::Down => times,
            Command::Up => -times,
            Command::PageDown => page.saturating_mul(times),
            Command::PageUp => -page.saturating_mul(times),
            Command::HalfPageDown => (page / 2).saturating_mul(times),
            Command::HalfPageUp => -(page / 2).saturating_mul(times),
            Command::First => i64::MIN / 2,
            Command::Last => i64::MAX / 2,
            _ => 0,
        };
        let columns = u32::try_from(times)
            .unwrap_or(u32::MAX)
            .saturating_mul(STEP);
        match command {
            Command::Left => self.left = self.left.saturating_sub(columns),
            Command::Right => self.left = self.left.saturating_add(columns).min(self.widest()),
            _ => {}
        }
        self.selected = self.selected.saturating_add(step);
        self.scroll(size);
    }

    /// Returns bytes of the longest line on the screen: it is never wider.
    fn widest(&self) -> u32 {
        let line = |number| {
            self.shown
                .code
                .as_ref()
                .and_then(|code| code.line(number))
                .map_or(0, str::len)
        };
        let lines = (self.first..self.first + i64::from(u16::MAX))
            .take_while(|number| *number <= self.last());
        u32::try_from(lines.map(line).max().unwrap_or(0)).unwrap_or(u32::MAX)
    }

    /// Goes to the next match, or without a search to the next costly line, heaviest first. Returns what to say.
    pub(crate) fn next(&mut self, backwards: bool, size: (u16, u16)) -> String {
        let found = if self.search.is_empty() {
            self.next_costly(backwards)
        } else {
            self.next_match(backwards)
        };
        self.scroll(size);
        found
    }

    fn next_costly(&mut self, backwards: bool) -> String {
        let ranked = self.shown.costs.ranked();
        let count = ranked.len();
        let Some(last) = count.checked_sub(1) else {
            return "No line has a cost of its own.".to_owned();
        };
        let at = match (
            ranked.iter().position(|line| *line == self.selected),
            backwards,
        ) {
            (None, false) => 0,
            (None, true) | (Some(0), true) => last,
            (Some(at), false) => (at + 1) % count,
            (Some(at), true) => at - 1,
        };
        if let Some(line) = ranked.get(at) {
            self.selected = *line;
        }
        format!("costly line {} of {count}, heaviest first", at + 1)
    }

    fn next_match(&mut self, backwards: bool) -> String {
        let found = self
            .shown
            .code
            .as_ref()
            .and_then(|code| code.find(&self.search, self.selected, backwards));
        match found {
            Some(line) => {
                self.selected = line;
                format!("line {line}")
            }
            None => "No line matches.".to_owned(),
        }
    }

    /// Follows what is typed: the first match from where the search began.
    pub(crate) fn type_search(&mut self, text: String, size: (u16, u16)) {
        self.search = text;
        self.selected = self.before;
        if !self.search.is_empty() {
            let code = self.shown.code.as_ref();
            let holds = code.and_then(|code| code.find(&self.search, self.before - 1, false));
            self.selected = holds.unwrap_or(self.before);
        }
        self.scroll(size);
    }

    /// Returns the selected line's text.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        self.shown.code.as_ref()?.line(self.selected)
    }
}
