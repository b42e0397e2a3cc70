//! One open profile: what is looked at, where the selection is, and how it is laid out.

use crate::app::core::layout::Shape;
use crate::app::screens::profile::display::ColourBy;
use crate::app::screens::profile::display::Pane;
use crate::app::screens::profile::display::PercentBase;
use crate::app::screens::profile::display::Selection;
use crate::app::screens::profile::display::Views;
use crate::app::screens::profile::display::Zoom;
use crate::app::screens::profile::source::Source;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::core::ids::RequestId;
use crate::app::core::layout::{ProfileGeometry, is_tall, profile_geometry};
use crate::app::core::session::Screen;
use crate::app::load::Load;
use crate::app::screens::profile::compare::CompareState;
use crate::app::screens::profile::frame_path::Name;
use crate::app::screens::profile::headline::HeadlineState;
use crate::app::screens::profile::hints::Hints;
use crate::app::screens::profile::sandwich::SandwichState;
use crate::app::screens::profile::search::Search;
use crate::app::screens::profile::source_view::CodeState;
use crate::app::screens::profile::table::TableState;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::base::Base;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{FrameId, is_nameless};
use crate::model::graph::icicle::{Block, Collected, Content, Layout, Order, Window, layout};
use crate::model::graph::spread::Extremes;
use crate::model::graph::view::View;
use crate::model::lines::LineShare;
use crate::model::profile::Profile;

/// One open profile.
#[derive(Debug)]
pub struct ProfileState {
    /// Where it comes from.
    pub source: Source,
    /// The view that is wanted; what is shown may be a moment older.
    pub view: View,
    /// What is shown.
    pub reading: Arc<Reading>,
    /// The view that is being read.
    pub pending: Option<RequestId>,
    /// The code of one function, while that is what is shown.
    pub code: Option<CodeState>,
    /// The code that is being found.
    pub coding: Option<RequestId>,
    /// A folder with the source files.
    pub source_root: Option<PathBuf>,
    /// The source map that is being read.
    pub mapping: Option<RequestId>,
    /// The profile that the view is read of, where it is one with other names.
    pub(crate) next_profile: Option<Arc<Profile>>,
    /// The frame that is zoomed into.
    pub zoom: NodeId,
    /// The opened collection, if one is.
    pub only: Option<Collected>,
    /// What is selected.
    pub selection: Selection,
    /// Rows of frames hidden above.
    pub first_row: u32,
    /// Which part has the focus.
    pub pane: Pane,
    /// How the parts share the screen.
    pub shape: Shape,
    /// Rows moved from the icicle to the table.
    pub larger: i16,
    /// Heaviest first, or by name.
    pub order: Order,
    /// The base of percentages.
    pub percent_base: PercentBase,
    /// What colours show.
    pub colours: ColourBy,
    /// The ranked table.
    pub table: TableState,
    /// One function between its callers and its callees, while that is what is shown.
    pub sandwich: Option<SandwichState>,
    /// What this profile is compared with, while that is what is shown; the reading then is one of changes.
    pub compare: Option<CompareState>,
    /// The sandwich that is being made.
    pub slicing: Option<RequestId>,
    /// The lines of the function whose details are shown.
    pub lines: Load<Vec<LineShare>>,
    /// The search, while one is in force.
    pub search: Option<Search>,
    /// The path of functions that was selected before views changed, and the selection that the last one led to.
    pub(crate) meant: Option<(Vec<Name>, Selection)>,
    /// The screen that it was opened from.
    pub(crate) back: Screen,
    /// What was last searched for.
    pub(crate) last_search: String,
    /// What an expert would say of it.
    pub hints: Hints,
    /// The same in one line.
    pub headline: HeadlineState,
    /// The frames on the screen.
    pub layout: Layout,
    /// The layout of the parts.
    pub geometry: ProfileGeometry,
    pub(crate) zooms: Vec<Zoom>,
    /// The views before and after this one.
    pub(crate) views: Views,
    /// The view that is shown.
    pub(crate) read_view: View,
    /// Levels below the frame that is zoomed into; counting them looks at every descendant, so it is done once a zoom.
    below: u32,
    /// Levels of the first reading: the icicle's height is fixed by it, so that zooming moves nothing below.
    depth: u32,
}

impl ProfileState {
    /// Opens a profile on its heaviest function.
    #[must_use]
    pub fn new(source: Source, view: View, reading: Arc<Reading>, size: (u16, u16)) -> Self {
        let root = NodeId::ROOT;
        let depth = reading.tree.height(root);
        let mut state = Self {
            source,
            pending: None,
            code: None,
            coding: None,
            source_root: None,
            mapping: None,
            next_profile: None,
            zoom: root,
            only: None,
            selection: Selection::Node(heaviest(&reading).unwrap_or(root)),
            first_row: 0,
            pane: Pane::Icicle,
            shape: Shape::Auto,
            larger: 0,
            order: Order::Weight,
            percent_base: PercentBase::Capture,
            colours: ColourBy::Name,
            table: TableState::new(&reading),
            sandwich: None,
            compare: None,
            slicing: None,
            lines: Load::Idle,
            search: None,
            meant: None,
            back: Screen::Workers,
            last_search: String::new(),
            hints: Hints::new(),
            headline: HeadlineState::default(),
            layout: Layout::default(),
            geometry: ProfileGeometry::default(),
            zooms: Vec::new(),
            views: Views::default(),
            read_view: view.clone(),
            below: depth,
            depth,
            view,
            reading,
        };
        state.arrange(size);
        if state.selected_block().is_none() {
            // Out of sight: a profile opens on its first rows, with their widest frame selected.
            let widest = state
                .layout
                .row(0)
                .iter()
                .find_map(|block| match block.content {
                    Content::Frame(node) => Some(node),
                    Content::Collected(_) => None,
                });
            state.selection = Selection::Node(widest.unwrap_or(root));
        }
        state.follow_with_table();
        state
    }

    /// Adopts how another capture was shown: sorting, layout, colours, and the selected function if it is there.
    pub(crate) fn inherit(&mut self, old: &Self, size: (u16, u16)) {
        if old.source.name != self.source.name || old.kind() != self.kind() {
            return;
        }
        (self.pane, self.shape, self.larger) = (old.pane, old.shape, old.larger);
        (self.order, self.colours, self.percent_base) = (old.order, old.colours, old.percent_base);
        (self.table.sort, self.table.reverse) = (old.table.sort, old.table.reverse);
        let selected = old
            .selected_frame()
            .map(|frame| old.reading.frames.info(frame));
        let same = selected.and_then(|info| {
            self.table.rows.iter().map(|row| row.frame).find(|&frame| {
                let other = self.reading.frames.info(frame);
                (other.name, other.file) == (info.name, info.file)
                    && (other.line == info.line || !is_nameless(info.name))
            })
        });
        self.rank_rows(same);
        self.arrange(size);
        if let Some(node) = same.and_then(|frame| self.heaviest_place(frame)) {
            self.select(Selection::Node(node));
        }
    }

    /// Returns to the shown view, as the requested one failed.
    pub(crate) fn give_up_pending(&mut self) {
        (self.pending, self.slicing, self.next_profile) = (None, None, None);
        self.view = self.read_view.clone();
        if let Some(compare) = &mut self.compare {
            compare.give_up();
        }
    }

    /// Updates the layout for a screen of that size.
    pub fn arrange(&mut self, size: (u16, u16)) {
        self.geometry = profile_geometry(size, self.depth, self.shape, self.larger);
        self.lay_out();
        if let Some(code) = &mut self.code {
            code.scroll(size);
        }
        if let Some(sandwich) = &mut self.sandwich {
            sandwich.arrange(&self.reading.frames, size, is_tall(size.1), self.order);
        }
        if self.pane == Pane::Table {
            self.table.scroll(usize::from(self.geometry.table_rows()));
        }
    }

    pub(crate) fn lay_out(&mut self) {
        let rows = u32::from(self.geometry.frame_rows());
        self.first_row = self.first_row.min(self.below.saturating_sub(rows));
        self.layout = layout(
            &self.reading.tree,
            &self.reading.frames,
            &Window {
                root: self.zoom,
                columns: self.geometry.icicle.width,
                first_row: self.first_row,
                rows: self.geometry.frame_rows(),
                order: self.order,
                only: self.only,
            },
        );
    }

    /// Scrolls so that the selected frame is on the screen. One that the table selected outside the zoom is not there.
    pub(crate) fn show_selection(&mut self) {
        if !self.has_selection() {
            return;
        }
        let Some(row) = self.row_of_selection() else {
            return;
        };
        let rows = u32::from(self.geometry.frame_rows()).max(1);
        if row < self.first_row {
            self.first_row = row;
        } else if row >= self.first_row + rows {
            self.first_row = row + 1 - rows;
        }
        self.lay_out();
    }

    /// Ranks the rows again: of all that is shown, or of the zoom where percentages are of that. The selected function stays
    /// if it can.
    pub(crate) fn rank_rows(&mut self, select: Option<FrameId>) {
        let scope = match self.percent_base {
            PercentBase::Zoom => self.zoom,
            PercentBase::Capture | PercentBase::Shown => NodeId::ROOT,
        };
        let search = self.search.as_ref();
        self.table.arrange(&self.reading, scope, search, select);
    }

    /// Whether the selected frame is at or below the one that is zoomed into.
    pub(crate) fn has_selection(&self) -> bool {
        let node = self.selected_node();
        self.reading.tree.is_within(node, self.zoom)
    }

    /// Zooms into another frame.
    pub(crate) fn set_zoom(&mut self, zoom: NodeId) {
        self.zoom = zoom;
        self.below = self.reading.tree.height(zoom);
    }

    /// Returns the number of rows of frames below the visible ones.
    #[must_use]
    pub fn rows_below(&self) -> u32 {
        self.below
            .saturating_sub(self.first_row + u32::from(self.geometry.frame_rows()))
    }

    /// Returns the selected frame's row below the ceiling, hidden ones counted; `None` if it is the ceiling.
    fn row_of_selection(&self) -> Option<u32> {
        let tree = &self.reading.tree;
        let zoom = tree.depth(self.zoom);
        match self.selection {
            Selection::Node(node) => (tree.depth(node).saturating_sub(zoom)).checked_sub(1),
            Selection::Collected(c) => Some(tree.depth(c.parent).saturating_sub(zoom)),
        }
    }

    /// Returns the block that is selected, if it is drawn.
    #[must_use]
    pub fn selected_block(&self) -> Option<&Block> {
        match self.selection {
            Selection::Node(node) => self.layout.find(node),
            Selection::Collected(c) => self
                .layout
                .blocks
                .iter()
                .find(|b| matches!(b.content, Content::Collected(d) if d == c)),
        }
    }

    /// Returns the selected node, or the caller of collected frames.
    #[must_use]
    pub const fn selected_node(&self) -> NodeId {
        match self.selection {
            Selection::Node(node) => node,
            Selection::Collected(c) => c.parent,
        }
    }

    /// Returns the function that commands on "the selected function" mean.
    #[must_use]
    pub fn selected_frame(&self) -> Option<FrameId> {
        if let Some(sandwich) = &self.sandwich {
            return sandwich.selected_frame();
        }
        match self.pane {
            Pane::Table => self.table.current().map(|row| row.frame),
            Pane::Icicle => self.reading.tree.frame(self.selected_node()),
        }
    }

    /// Selects the icicle's function in the table; a table with the focus shows it.
    pub(crate) fn follow_with_table(&mut self) {
        if let Some(frame) = self.reading.tree.frame(self.selected_node())
            && let Some(place) = self
                .table
                .shown
                .iter()
                .position(|&at| self.table.rows[at].frame == frame)
        {
            self.table.selected = place;
            if self.pane == Pane::Table {
                self.table.scroll(usize::from(self.geometry.table_rows()));
            }
        }
    }

    /// Returns the base of percentages, and the words for it. What is no part of the zoom has no share of it: a sandwich is of
    /// all that is shown.
    #[must_use]
    pub fn base(&self) -> (Base, &'static str) {
        if self.percent_base == PercentBase::Zoom && self.sandwich.is_none() {
            return (self.reading.of_node(self.zoom), "of zoom");
        }
        self.whole_base()
    }

    /// The same for what is said of a function wherever it is, zoomed or not.
    #[must_use]
    pub fn whole_base(&self) -> (Base, &'static str) {
        match self.percent_base {
            PercentBase::Shown => (self.reading.of_node(NodeId::ROOT), "of what is shown"),
            PercentBase::Capture | PercentBase::Zoom => (self.reading.of_capture(), "of capture"),
        }
    }

    /// The captures' own shares of a function, beside shares of the whole capture only.
    #[must_use]
    pub fn spread(&self, frame: FrameId) -> Option<Extremes> {
        let is_whole = self.percent_base == PercentBase::Capture;
        let spread = self.reading.spread.as_ref().filter(|_| is_whole)?;
        spread.own(frame)
    }

    /// Whether nothing at all is drawn, and there is a word to be said about it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reading.tree.weight(NodeId::ROOT) == 0
    }

    /// Whether it is a capture, or was made of one, that is in no file.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.source.is_unsaved()
    }

    /// Takes note of the file that it was exported to: one that was in no file is there now.
    pub(crate) fn saved(&mut self, path: &Path) {
        if self.is_unsaved() && self.compare.is_none() {
            self.source.path = Some(path.to_owned());
        }
    }
}

/// Returns the heaviest place of the function with the largest self value, wherever that was spent. Where nothing holds a
/// tenth, the user's own code comes first; the runtime's own functions only if there is nothing else.
fn heaviest(reading: &Reading) -> Option<NodeId> {
    use crate::model::graph::frames::Family;
    let own = |frame: FrameId| reading.stat(frame).self_value.unsigned_abs();
    let is_large = |frame| u128::from(own(frame)) * 10 >= reading.base.unsigned_abs();
    let rank = |frame: FrameId| match reading.frames.family(frame) {
        Family::Grey | Family::Gc => 0,
        Family::Own | Family::Dependency => 2,
        Family::Unknown | Family::Runtime if is_large(frame) => 2,
        Family::Unknown | Family::Runtime => 1,
    };
    let shown = reading
        .frames
        .ids()
        .filter(|frame| reading.stat(*frame).nodes > 0 && own(*frame) > 0);
    shown
        .max_by_key(|&frame| (rank(frame), own(frame), Reverse(frame)))
        .and_then(|frame| reading.heaviest(frame))
}
