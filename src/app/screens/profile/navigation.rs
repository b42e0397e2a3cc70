//! Moving about in a profile: frames, zooms, table rows.

use crate::app::core::layout::Shape;
use crate::app::keys::command::Command;
use crate::app::screens::profile::display::{Pane, PercentBase, Selection, Zoom};
use crate::app::screens::profile::effect::OpenedDisplay;
use crate::app::screens::profile::sandwich::SandwichState;
use crate::app::screens::profile::state::ProfileState;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::graph::icicle::{Block, Collected, Content};

/// Steps of one move at most in a sandwich: deeper than any stack on a screen.
const WALK_MAX: u32 = 10_000;

impl ProfileState {
    /// Does a move `times` over.
    pub(crate) fn walk(&mut self, command: Command, times: u32) {
        if let Some(sandwich) = &mut self.sandwich {
            for _ in 0..times.min(WALK_MAX) {
                sandwich.walk(&self.reading.frames, self.order, command);
            }
            return;
        }
        if self.pane == Pane::Table {
            return self.walk_table(command, times);
        }
        let rows = u32::from(self.geometry.frame_rows()).max(1);
        let (command, times) = match command {
            Command::PageDown => (Command::Down, rows.saturating_mul(times)),
            Command::PageUp => (Command::Up, rows.saturating_mul(times)),
            Command::HalfPageDown => (Command::Down, rows.div_ceil(2).saturating_mul(times)),
            Command::HalfPageUp => (Command::Up, rows.div_ceil(2).saturating_mul(times)),
            other => (other, times),
        };
        match command {
            Command::Down if times > 1 => self.select_below(times),
            Command::Up if times > 1 => self.select_above(times),
            Command::Last => self.select_below(u32::MAX),
            Command::Down => self.select_callee(),
            Command::Up => self.select_caller(),
            Command::First => self.select(Selection::Node(self.zoom)),
            Command::Left | Command::Right => {
                for _ in 0..times {
                    let before = self.selection;
                    self.select_beside(command == Command::Left);
                    if self.selection == before {
                        break;
                    }
                }
            }
            _ => {}
        }
        self.follow_with_table();
    }

    fn walk_table(&mut self, command: Command, times: u32) {
        let rows = self.geometry.table_rows().max(1);
        let step = match command {
            Command::Down => 1,
            Command::Up => -1,
            Command::PageDown => isize::from(rows as i16),
            Command::PageUp => -isize::from(rows as i16),
            Command::HalfPageDown => isize::from(rows.div_ceil(2) as i16),
            Command::HalfPageUp => -isize::from(rows.div_ceil(2) as i16),
            Command::First => isize::MIN,
            Command::Last => isize::MAX,
            _ => 0,
        };
        self.table
            .step(step.saturating_mul(isize::try_from(times).unwrap_or(isize::MAX)));
        self.table.scroll(usize::from(rows));
        self.follow_with_icicle();
    }

    /// Goes to the first row of the table, which was just sorted to see what is first; the other pane follows where the table
    /// has the focus.
    pub(crate) fn show_first_rows(&mut self) {
        (self.table.selected, self.table.offset) = (0, 0);
        if self.pane == Pane::Table {
            self.follow_with_icicle();
        }
    }

    /// Selects the widest drawn frame of the table's function, so that both panes speak of one thing; where none is drawn, the
    /// heaviest, without scrolling there.
    pub(crate) fn follow_with_icicle(&mut self) {
        let Some(frame) = self.table.current().map(|row| row.frame) else {
            return;
        };
        if let Selection::Node(node) = self.selection
            && self.reading.tree.frame(node) == Some(frame)
        {
            return;
        }
        let widest = self
            .layout
            .blocks
            .iter()
            .filter_map(|b| match b.content {
                Content::Frame(node) if self.reading.tree.frame(node) == Some(frame) => Some(node),
                _ => None,
            })
            .max_by_key(|&node| self.reading.tree.weight(node));
        if let Some(node) = widest.or_else(|| self.heaviest_place(frame)) {
            self.selection = Selection::Node(node);
        }
    }

    pub(crate) fn select(&mut self, selection: Selection) {
        self.selection = selection;
        self.show_selection();
    }

    fn select_callee(&mut self) {
        let Selection::Node(node) = self.selection else {
            return;
        };
        let below = match self.only.filter(|only| only.parent == node) {
            Some(only) => self.child_at(node, only.first),
            None => self.child_at(node, 0),
        };
        let Some(child) = below else { return };
        self.select(Selection::Node(child));
        // Too narrow to be drawn: the cell that collects it is visible.
        if self.layout.find(child).is_none()
            && let Some(collected) = self.collected_below(node)
        {
            self.selection = Selection::Collected(collected);
        }
    }

    fn child_at(&self, node: NodeId, place: u32) -> Option<NodeId> {
        self.reading
            .tree
            .children(node, self.order, &self.reading.frames)
            .nodes
            .get(place as usize)
            .copied()
    }

    fn collected_below(&self, node: NodeId) -> Option<Collected> {
        self.layout.blocks.iter().find_map(|b| match b.content {
            Content::Collected(c) if c.parent == node => Some(c),
            _ => None,
        })
    }

    fn select_caller(&mut self) {
        let caller = match self.selection {
            Selection::Collected(c) => Some(c.parent),
            Selection::Node(node) if node == self.zoom => None,
            Selection::Node(node) => Some(self.reading.tree.parent(node)),
        };
        if let Some(caller) = caller {
            self.select(Selection::Node(caller));
        }
    }

    fn select_beside(&mut self, left: bool) {
        let Some(here) = self.selected_block() else {
            return;
        };
        let row = self.layout.row(here.row);
        let place = row
            .iter()
            .position(|b| b.start == here.start && b.content == here.content);
        let beside = place.and_then(|at| {
            if left {
                at.checked_sub(1)
            } else {
                Some(at + 1)
            }
        });
        if let Some(block) = beside.and_then(|at| row.get(at)) {
            self.selection = of_block(block);
        }
    }

    /// Follows the heaviest callees that are as wide as a cell, laid out once: stacks may be ten thousand deep.
    fn select_below(&mut self, steps: u32) {
        let Selection::Node(start) = self.selection else {
            return;
        };
        let tree = &self.reading.tree;
        let (whole, columns) = (
            u128::from(tree.weight(self.zoom)),
            u128::from(self.geometry.icicle.width),
        );
        let mut node = start;
        let mut left = steps;
        while left > 0 {
            let first = self
                .only
                .filter(|only| only.parent == node)
                .map_or(0, |only| only.first);
            let Some(child) = self.child_at(node, first) else {
                break;
            };
            if self.only.is_none() && u128::from(tree.weight(child)) * columns < whole {
                break;
            }
            node = child;
            left -= 1;
        }
        self.select(Selection::Node(node));
        // Rounding may have collected the last of them: the nearest that is drawn is meant then.
        while node != start && self.layout.find(node).is_none() {
            node = self.reading.tree.parent(node);
            self.select(Selection::Node(node));
        }
        if left > 0 {
            self.select_callee();
        }
    }

    /// Follows the callers, up to the frame that is zoomed into.
    fn select_above(&mut self, steps: u32) {
        let mut node = self.selected_node();
        let mut left = steps - u32::from(matches!(self.selection, Selection::Collected(_)));
        while left > 0 && node != self.zoom {
            node = self.reading.tree.parent(node);
            left -= 1;
        }
        self.select(Selection::Node(node));
    }

    /// Zooms into what is selected; collected frames are shown alone below their caller.
    pub(crate) fn zoom_in(&mut self) {
        let (root, only) = match self.selection {
            Selection::Node(node) => (node, None),
            Selection::Collected(c) => (c.parent, Some(c)),
        };
        if (root, only) == (self.zoom, self.only) {
            return;
        }
        self.remember_zoom();
        self.enter(root, only);
        let first = match only {
            Some(c) => self.child_at(root, c.first),
            None => self.child_at(root, 0),
        };
        self.select(Selection::Node(first.unwrap_or(root)));
        self.follow_with_table();
    }

    fn remember_zoom(&mut self) {
        self.zooms.push(Zoom {
            root: self.zoom,
            only: self.only,
            selection: self.selection,
            first_row: self.first_row,
        });
    }

    pub(super) fn enter(&mut self, root: NodeId, only: Option<Collected>) {
        self.set_zoom(root);
        (self.only, self.first_row) = (only, 0);
        self.lay_out();
        if let Some(search) = &mut self.search {
            search.run(&self.reading, root);
        }
        if self.percent_base == PercentBase::Zoom {
            self.rank_rows(self.selected_frame());
        }
    }

    /// Displays it as it was asked for; a zoom has a way back.
    pub(crate) fn open_as(&mut self, display: OpenedDisplay, size: (u16, u16)) {
        let OpenedDisplay {
            root,
            sandwich,
            percent_base,
            order,
            sort,
            reverse,
        } = display;
        (self.percent_base, self.order) = (percent_base, order);
        (self.table.sort, self.table.reverse) = (sort, reverse);
        if let Some(root) = root {
            self.selection = Selection::Node(root);
            self.zoom_in();
        }
        self.sandwich = sandwich.map(SandwichState::new);
        self.rank_rows(self.selected_frame());
        self.arrange(size);
    }

    /// Undoes the last zoom; the selection is where it was.
    pub(crate) fn zoom_out(&mut self) -> bool {
        let Some(last) = self.zooms.pop() else {
            return false;
        };
        self.enter(last.root, last.only);
        self.first_row = last.first_row;
        self.select(last.selection);
        if self.pane == Pane::Icicle && !self.has_selection() {
            // It was a row of the table, from outside of this zoom.
            self.select(Selection::Node(self.zoom));
        }
        self.follow_with_table();
        true
    }

    /// Shows the whole capture again; one Backspace leads back.
    pub(crate) fn show_whole(&mut self) {
        if self.zoom != NodeId::ROOT || self.only.is_some() {
            self.remember_zoom();
            self.enter(NodeId::ROOT, None);
            self.select(self.selection);
            self.follow_with_table();
        }
    }

    /// Selects a frame wherever it is, zooming as far as it takes to draw it.
    pub(crate) fn go_to(&mut self, node: NodeId) {
        let tree = &self.reading.tree;
        let outside = !tree.is_within(node, self.zoom);
        let only_hides = self.only.is_some();
        if outside || only_hides {
            self.remember_zoom();
            self.enter(NodeId::ROOT, None);
        }
        self.select(Selection::Node(node));
        if self.layout.find(node).is_none() && node != self.zoom {
            if !(outside || only_hides) {
                self.remember_zoom();
            }
            // Its caller's whole width is the most that one zoom can give it.
            let caller = self.reading.tree.parent(node);
            self.enter(caller, None);
            self.select(Selection::Node(node));
            if self.layout.find(node).is_none() {
                self.enter(node, None);
            }
        }
        self.follow_with_table();
    }

    /// Goes to a frame's heaviest place in the icicle, which takes the focus.
    pub(crate) fn show_in_icicle(&mut self, frame: FrameId, size: (u16, u16)) {
        let Some(node) = self.heaviest_place(frame) else {
            return;
        };
        self.sandwich = None;
        self.pane = Pane::Icicle;
        if self.shape == Shape::Table {
            self.shape = Shape::Auto;
            self.arrange(size);
        }
        self.go_to(node);
    }

    /// Scrolls the icicle; the selection stays where it is, even out of sight.
    pub(crate) fn scroll(&mut self, rows: isize) {
        let step = i32::try_from(rows).unwrap_or(0);
        self.first_row = self.first_row.saturating_add_signed(step);
        self.lay_out();
    }

    /// Returns the frame's heaviest place in the zoom, else in the whole tree.
    pub(crate) fn heaviest_place(&self, frame: FrameId) -> Option<NodeId> {
        let tree = &self.reading.tree;
        let heaviest = |root| {
            tree.within(root)
                .filter(|&node| tree.frame(node) == Some(frame))
                .max_by_key(|&node| (tree.weight(node), std::cmp::Reverse(node)))
        };
        heaviest(self.zoom).or_else(|| heaviest(NodeId::ROOT))
    }
}

impl ProfileState {
    /// Gives the focus to the other pane; where only one is shown, that one gives way to the other.
    pub(crate) fn next_pane(&mut self) {
        self.pane = match self.pane {
            Pane::Icicle => Pane::Table,
            Pane::Table => Pane::Icicle,
        };
        match (self.shape, self.pane) {
            (Shape::Icicle, Pane::Table) => self.shape = Shape::Table,
            (Shape::Table, Pane::Icicle) => self.shape = Shape::Icicle,
            _ => {}
        }
        if self.pane == Pane::Table {
            self.follow_with_table();
            // The root is no row: then the table's selection is the one.
            self.follow_with_icicle();
        } else {
            self.find_selection();
        }
    }

    /// Shows the selected frame, zoomed out where that takes it.
    fn find_selection(&mut self) {
        if self.has_selection() {
            self.show_selection();
        } else {
            self.go_to(self.selected_node());
        }
    }

    /// Switches to the next layout and returns its name.
    pub(crate) fn next_shape(&mut self, size: (u16, u16)) -> String {
        let (shape, said) = match self.shape {
            Shape::Auto | Shape::Stacked if !self.geometry.beside && size.0 >= 160 => {
                (Shape::Beside, "side by side")
            }
            Shape::Auto | Shape::Beside | Shape::Stacked => (Shape::Icicle, "icicle alone"),
            Shape::Icicle => (Shape::Table, "table alone"),
            Shape::Table => (Shape::Stacked, "stacked"),
        };
        self.shape = shape;
        match shape {
            Shape::Icicle => self.pane = Pane::Icicle,
            Shape::Table => self.pane = Pane::Table,
            _ => {}
        }
        self.arrange(size);
        if self.pane == Pane::Icicle {
            self.find_selection();
        }
        said.to_owned()
    }

    /// Gives the table more rows, or fewer.
    pub(crate) fn make_larger(&mut self, by: i16) {
        let rows = i16::try_from(self.geometry.icicle.height + self.geometry.table.height)
            .unwrap_or(i16::MAX);
        self.larger = self.larger.saturating_add(by).clamp(-rows, rows);
    }
}

const fn of_block(block: &Block) -> Selection {
    match block.content {
        Content::Frame(node) => Selection::Node(node),
        Content::Collected(c) => Selection::Collected(c),
    }
}
