//! A search in a profile: what is typed, what it matches, and its share of the capture.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::hits::{Hits, Matched, Share};
use crate::model::graph::match_cursor::MatchCursor;
use crate::model::query::search::{Matcher, Mode, Query};

/// A search in a profile.
pub struct Search {
    /// What was typed, and how it is to be understood.
    pub query: Query,
    /// The compiled query; `None` while nothing is typed or it is no regular expression.
    pub matcher: Option<Matcher>,
    /// Why the query can't be used.
    pub error: Option<String>,
    /// How many functions of the reading match.
    pub functions: usize,
    /// Share of the whole reading.
    pub whole: Share,
    /// Share of the zoom.
    pub zoom: Share,
    matched: Option<Matched>,
    hits: Hits,
    walk: Option<MatchCursor>,
    at: Option<usize>,
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search")
            .field("query", &self.query)
            .field("whole", &self.whole)
            .finish_non_exhaustive()
    }
}

impl Search {
    /// Runs a query over a reading.
    #[must_use]
    pub fn new(query: Query, reading: &Reading, zoom: NodeId) -> Self {
        let mut search = Self {
            query,
            matcher: None,
            error: None,
            functions: 0,
            whole: Share::default(),
            zoom: Share::default(),
            matched: None,
            hits: Hits::default(),
            walk: None,
            at: None,
        };
        search.run(reading, zoom);
        search
    }

    /// Runs the query again, over another reading or zoom.
    pub fn run(&mut self, reading: &Reading, zoom: NodeId) {
        (self.matcher, self.matched, self.error, self.walk, self.at) =
            (None, None, None, None, None);
        (self.functions, self.whole, self.zoom) = (0, Share::default(), Share::default());
        self.hits = Hits::default();
        if self.query.text.is_empty() {
            return;
        }
        match Matcher::new(&self.query) {
            Ok(matcher) => {
                let matched = Matched::new(&reading.frames, &matcher);
                // A frame that the filters leave nothing of is no match.
                self.functions = matched
                    .iter()
                    .filter(|frame| reading.stat(*frame).nodes > 0)
                    .count();
                self.hits = Hits::new(&reading.tree, &matched);
                self.whole = self.hits.share(&reading.tree, NodeId::ROOT);
                (self.matcher, self.matched) = (Some(matcher), Some(matched));
                self.set_zoom(reading, zoom);
            }
            // The expression itself is in the line below.
            Err(error) => self.error = Some(error.reason),
        }
    }

    /// Returns what is lit: nothing while the query is empty.
    #[must_use]
    pub const fn lit(&self) -> Option<&Matched> {
        self.matched.as_ref()
    }

    /// Whether a node of a tree or anything below it matches. In the tree that was searched this is known; `whole` is that
    /// tree. Any other is looked through.
    #[must_use]
    pub fn has_hit(&self, whole: &Tree, tree: &Tree, node: NodeId) -> bool {
        if std::ptr::eq(whole, tree) {
            return self.hits.any(tree, node);
        }
        let Some(matched) = &self.matched else {
            return false;
        };
        tree.within(node).any(|below| {
            tree.frame(below)
                .is_some_and(|frame| matched.contains(frame))
        })
    }

    /// Returns the next or previous match within the zoom, heaviest first; goes round.
    pub fn step(&mut self, reading: &Reading, zoom: NodeId, backwards: bool) -> Option<NodeId> {
        let walk = self
            .walk
            .get_or_insert_with(|| MatchCursor::new(&reading.tree, &self.hits, zoom));
        let last = walk.count().checked_sub(1)?;
        let next = match (self.at, backwards) {
            (None, false) => 0,
            (Some(at), false) if at >= last => 0,
            (None | Some(0), true) => last,
            (Some(at), false) => at + 1,
            (Some(at), true) => at - 1,
        };
        self.at = Some(next);
        walk.get(&reading.tree, &self.hits, next)
    }

    /// Takes another zoom's share; the walk through the matches goes on where it was.
    pub fn set_zoom(&mut self, reading: &Reading, zoom: NodeId) {
        self.zoom = if zoom == NodeId::ROOT {
            self.whole
        } else {
            self.hits.share(&reading.tree, zoom)
        };
    }

    /// Returns the current match, from 1, and how many there are.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        Some((self.at? + 1, self.walk.as_ref()?.count()))
    }

    /// Switches to the next way of matching.
    pub fn next_mode(&mut self) {
        if self.query.mode == Mode::Function {
            self.query.text = self.query.typed().to_owned();
        }
        self.query.mode = match self.query.mode {
            Mode::Substring => Mode::Word,
            Mode::Word => Mode::Regex,
            Mode::Regex => Mode::Fuzzy,
            Mode::Fuzzy | Mode::Function => Mode::Substring,
        };
    }
}
