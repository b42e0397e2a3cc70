//! Changing the filters and the search of a profile, and finding the selection again in the new tree.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use std::sync::Arc;

use crate::app::core::ids::RequestId;
use crate::app::load::Load;
use crate::app::screens::profile::display::{Pane, Selection, Zoom};
use crate::app::screens::profile::effect::ProfileEffect;
use crate::app::screens::profile::frame_path::{find, name_of, name_of_frame, path, turned_place};
use crate::app::screens::profile::search::Search;
use crate::app::screens::profile::state::ProfileState;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::graph::function_filter::pattern_of;
use crate::model::graph::view::{Direction, Identity, View};
use crate::model::query::filter::{Filter, Pattern};
use crate::model::query::search::{Mode, Query};

impl ProfileState {
    /// Adds a filter on the selected function; where a search is in force that does not match it, on the search.
    pub(crate) fn add_filter(&mut self, make: fn(Pattern) -> Filter) -> bool {
        let frame = self.selected_frame();
        // One without a match would leave nothing at all.
        let meant = |search: &&Search| {
            let lit = search.lit().filter(|_| search.whole.frames > 0);
            lit.is_some_and(|lit| !frame.is_some_and(|frame| lit.contains(frame)))
        };
        let search = self.search.as_ref().filter(meant);
        let pattern = match (search, frame) {
            (Some(search), _) => search.query.pattern(),
            (None, Some(frame)) => {
                let info = self.reading.frames.info(frame);
                pattern_of(&self.source.profile, self.read_view.by, &info)
            }
            (None, None) => None,
        };
        let Some(pattern) = pattern else { return false };
        self.view.filters.push(make(pattern));
        true
    }

    /// Returns why no filter could be set.
    pub(crate) fn why_no_filter(&self) -> Message {
        match &self.selection {
            Selection::Collected(_) if self.pane == Pane::Icicle => {
                message![
                    "These are several functions: ",
                    Command::ZoomIn,
                    " shows them, then one can be chosen.",
                ]
            }
            _ if self
                .search
                .as_ref()
                .is_some_and(|search| search.query.mode == Mode::Fuzzy) =>
            {
                message![
                    "A fuzzy search can't be a filter: ",
                    Command::Search,
                    ", then ",
                    Command::MatchMode,
                    " changes the way of searching.",
                ]
            }
            _ if self
                .search
                .as_ref()
                .is_some_and(|search| search.query.is_location()) =>
            {
                "A location can't be a filter: select a function at it first.".into()
            }
            _ => message![
                "The root is no function: ",
                Command::Down,
                " goes to one, ",
                Command::Search,
                " finds one.",
            ],
        }
    }

    /// Shows the user's own code only, or everything again.
    pub(crate) fn toggle_own_code(&mut self) -> bool {
        let filters = &mut self.view.filters;
        let before = filters.len();
        filters.retain(|filter| !matches!(filter, Filter::OwnCode));
        if filters.len() == before {
            filters.push(Filter::OwnCode);
        }
        true
    }

    /// Removes the last filter.
    pub(crate) fn undo_filter(&mut self) -> bool {
        self.view.filters.pop().is_some()
    }

    /// Clears all filters.
    pub(crate) fn clear_filters(&mut self) -> bool {
        let any = !self.view.filters.is_empty();
        self.view.filters.clear();
        any
    }

    /// Shows the next sample type.
    pub(crate) fn next_sample_type(&mut self) -> bool {
        let count = self.source.profile.sample_types().len();
        self.view.sample_type = (self.view.sample_type + 1) % count.max(1);
        count > 1
    }

    /// Switches to the next identity of rows and frames.
    pub(crate) fn next_identity(&mut self) {
        self.view.by = match self.view.by {
            Identity::Function => Identity::Name,
            Identity::Name => Identity::Line,
            Identity::Line => Identity::File,
            Identity::File => Identity::Package,
            Identity::Package => Identity::Function,
        };
    }

    /// Inverts the tree.
    pub(crate) fn turn(&mut self) {
        self.view.direction = match self.view.direction {
            Direction::TopDown => Direction::BottomUp,
            Direction::BottomUp => Direction::TopDown,
        };
    }

    /// Requests the current view.
    pub(crate) fn request_view(&mut self, id: RequestId) -> ProfileEffect {
        self.pending = Some(id);
        if let Some(job) = self.compare_job() {
            return ProfileEffect::Compare(Box::new(job));
        }
        let profile = self.next_profile.as_ref().unwrap_or(&self.source.profile);
        ProfileEffect::Read(Arc::clone(profile), Box::new(self.view.clone()))
    }

    /// Requests callers and callees of a function.
    pub(crate) fn request_sandwich(&mut self, id: RequestId, frame: FrameId) -> ProfileEffect {
        self.slicing = Some(id);
        let view = View {
            direction: Direction::TopDown,
            ..self.view.clone()
        };
        ProfileEffect::Sandwich(Arc::clone(&self.source.profile), Box::new(view), frame)
    }

    /// Requests the lines of the selected function.
    pub(crate) fn request_lines(&mut self, id: RequestId) -> Option<ProfileEffect> {
        let function = self.reading.frames.info(self.selected_frame()?).function();
        self.lines = Load::Running(id);
        Some(ProfileEffect::Lines(
            Arc::clone(&self.source.profile),
            Box::new(self.read_view.clone()),
            function,
        ))
    }

    /// Shows a new view; zoom and selection go to the same functions, as far as they are still there.
    pub(crate) fn take(&mut self, view: View, reading: Arc<Reading>) {
        self.code = None;
        if let Some(profile) = self.next_profile.take() {
            self.source.profile = profile;
        }
        let old = Arc::clone(&self.reading);
        let turned = self.read_view.direction != view.direction;
        let direction = view.direction;
        self.read_view = view;
        let translate = |node: NodeId| find(&reading, &path(&old, node));
        // Where nobody moved since, the function that was selected first: filters and rows that lose it give it back.
        let meant = match self.meant.take() {
            Some((path, selection)) if selection == self.selection => path,
            _ => path(&old, self.selected_node()),
        };
        let selected = if turned {
            turned_place(&old, self.selected_node(), &reading, direction)
        } else {
            let same = find(&reading, &meant);
            let is_found = name_of(&reading, same).as_ref() == meant.last();
            let elsewhere = || {
                let name = meant.last()?;
                let mut frames = reading.frames.ids();
                let frame = frames.find(|id| name_of_frame(&reading, *id).is_shown_as(name))?;
                reading.heaviest(frame)
            };
            let found = if is_found { Some(same) } else { elsewhere() };
            found.unwrap_or_else(|| translate(self.selected_node()))
        };
        let zooms: Vec<Zoom> = if turned {
            Vec::new()
        } else {
            self.zooms
                .iter()
                .map(|z| Zoom {
                    root: translate(z.root),
                    only: None,
                    selection: Selection::Node(match z.selection {
                        Selection::Node(node) => translate(node),
                        Selection::Collected(c) => translate(c.parent),
                    }),
                    first_row: z.first_row,
                })
                .collect()
        };
        let zoom = if turned {
            NodeId::ROOT
        } else {
            translate(self.zoom)
        };
        let selected = if reading.tree.is_within(selected, zoom) {
            selected
        } else {
            translate(self.selected_node())
        };
        self.zooms = zooms;
        self.only = None;
        self.reading = reading;
        self.set_zoom(zoom);
        self.want_hints();
        self.pending = None;
        self.selection = Selection::Node(selected);
        self.meant = (!turned).then_some((meant, self.selection));
        if let Some(search) = &mut self.search {
            search.run(&self.reading, self.zoom);
        }
        if let Some(zoom) = self.take_wanted_zoom() {
            self.show_zoom(zoom);
        }
        self.rank_rows(self.reading.tree.frame(self.selected_node()));
        self.lay_out();
        self.show_selection();
        if self.pane == Pane::Table {
            self.follow_with_icicle();
        }
    }

    /// Returns the names of the selected frame's stack, from the root, each safe to print on a line of its own.
    #[must_use]
    pub fn stack(&self) -> Vec<String> {
        let Reading { tree, frames, .. } = &*self.reading;
        let mut names = Vec::new();
        let mut here = self.selected_node();
        while let Some(frame) = tree.frame(here) {
            names.push(frames.label(frame).into_owned());
            here = tree.parent(here);
        }
        names.reverse();
        names
    }
}

impl ProfileState {
    /// Searches for a text in the mode of the last search; the table shows the matches.
    pub(crate) fn search_for(&mut self, text: String) {
        let mode = self
            .search
            .as_ref()
            .map(|search| search.query.mode)
            .filter(|mode| *mode != Mode::Function)
            .unwrap_or_default();
        self.search = Some(Search::new(Query { text, mode }, &self.reading, self.zoom));
        self.filter_table();
    }

    /// Searches in the next mode.
    pub(crate) fn next_search_mode(&mut self) {
        let search = self
            .search
            .get_or_insert_with(|| Search::new(Query::default(), &self.reading, self.zoom));
        search.next_mode();
        search.run(&self.reading, self.zoom);
        self.filter_table();
    }

    /// Ends the search.
    pub(crate) fn clear_search(&mut self) {
        self.search = None;
        self.filter_table();
    }

    /// Ends a search for nothing.
    pub(crate) fn clear_empty_search(&mut self) {
        if self
            .search
            .as_ref()
            .is_some_and(|search| search.query.text.is_empty())
        {
            self.clear_search();
        }
    }

    fn filter_table(&mut self) {
        let frame = self.reading.tree.frame(self.selected_node());
        self.table.filter(self.search.as_ref(), frame);
    }
}
