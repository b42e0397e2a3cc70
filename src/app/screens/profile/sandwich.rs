//! Sandwich: one function between its callers and its callees, and navigation in it.

use std::sync::Arc;

use crate::app::core::layout::Area;
use crate::app::keys::command::Command;
use crate::app::screens::profile::display::Selection;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::frames::{FrameId, Frames};
use crate::model::graph::hits::Matched;
use crate::model::graph::icicle::{Content, Layout, Order, Window, layout};
use crate::model::graph::sandwich::Sandwich;

/// Which part of the sandwich is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A caller.
    Callers,
    /// The function itself.
    Middle,
    /// A callee.
    Callees,
}

/// A function between its callers and its callees.
#[derive(Debug)]
pub struct SandwichState {
    /// The two trees.
    pub sandwich: Arc<Sandwich>,
    /// Which part is selected.
    pub side: Side,
    /// What is selected of callers or callees.
    pub selection: Selection,
    /// The callers on the screen; their rows grow upwards.
    pub callers: Layout,
    /// The callees on the screen.
    pub callees: Layout,
    /// Rows of callers, and how many of them are hidden next to the function.
    pub callers_area: Area,
    /// Rows of callees.
    pub callees_area: Area,
    /// The functions that were shown before, to go back to.
    pub(crate) before: Vec<FrameId>,
    /// Rows of callers out of sight below the drawn ones, and of callees above.
    pub hidden: (u32, u32),
}

impl SandwichState {
    /// Opens on the function itself.
    #[must_use]
    pub fn new(sandwich: Arc<Sandwich>) -> Self {
        Self {
            sandwich,
            side: Side::Middle,
            selection: Selection::Node(NodeId::ROOT),
            callers: Layout::default(),
            callees: Layout::default(),
            callers_area: Area::default(),
            callees_area: Area::default(),
            before: Vec::new(),
            hidden: (0, 0),
        }
    }

    /// Returns the row of the function itself.
    #[must_use]
    pub const fn middle(&self) -> u16 {
        self.callers_area.y + self.callers_area.height
    }

    /// Returns the selected function.
    #[must_use]
    pub fn selected_frame(&self) -> Option<FrameId> {
        let tree = match self.side {
            Side::Middle => return Some(self.sandwich.frame),
            Side::Callers => &self.sandwich.callers,
            Side::Callees => &self.sandwich.callees,
        };
        match self.selection {
            Selection::Node(node) => tree.frame(node),
            Selection::Collected(c) => tree.frame(c.parent),
        }
    }

    /// Lays both halves out. Callees get half of the rows at most, callers what is left.
    pub fn arrange(&mut self, frames: &Frames, size: (u16, u16), tall: bool, order: Order) {
        let (columns, rows) = size;
        let body = rows.saturating_sub(4 + if tall { 4 } else { 1 });
        let depth = |tree: &Tree| u16::try_from(tree.height(NodeId::ROOT)).unwrap_or(u16::MAX);
        let below = depth(&self.sandwich.callees).min(body / 2);
        let above = depth(&self.sandwich.callers).min(body.saturating_sub(below + 1));
        let width = columns.saturating_sub(2);
        self.callers_area = Area {
            x: 1,
            y: 2,
            width,
            height: above,
        };
        self.callees_area = Area {
            x: 1,
            y: 2 + above + 1,
            width,
            height: below,
        };
        self.show_selection();
        let window = |first_row, rows| Window {
            root: NodeId::ROOT,
            columns: width,
            first_row,
            rows,
            order,
            only: None,
        };
        self.callers = layout(
            &self.sandwich.callers,
            frames,
            &window(self.hidden.0, above),
        );
        self.callees = layout(
            &self.sandwich.callees,
            frames,
            &window(self.hidden.1, below),
        );
    }

    /// Scrolls the half that has the selection.
    fn show_selection(&mut self) {
        let (tree, rows, hidden) = match self.side {
            Side::Middle => {
                self.hidden = (0, 0);
                return;
            }
            Side::Callers => (
                &self.sandwich.callers,
                self.callers_area.height,
                &mut self.hidden.0,
            ),
            Side::Callees => (
                &self.sandwich.callees,
                self.callees_area.height,
                &mut self.hidden.1,
            ),
        };
        let row = match self.selection {
            Selection::Node(node) => tree.depth(node).saturating_sub(1),
            Selection::Collected(c) => tree.depth(c.parent),
        };
        *hidden = (*hidden)
            .min(row)
            .max((row + 1).saturating_sub(u32::from(rows)));
    }

    /// Moves by one step; the layout has to be updated after it.
    pub(crate) fn walk(&mut self, frames: &Frames, order: Order, command: Command) {
        let outwards = match (command, self.side) {
            (Command::Up | Command::PageUp | Command::HalfPageUp, Side::Callers | Side::Middle) => {
                Some(Side::Callers)
            }
            (
                Command::Down | Command::PageDown | Command::HalfPageDown,
                Side::Callees | Side::Middle,
            ) => Some(Side::Callees),
            (Command::Up | Command::Down, _) => None,
            (Command::Left | Command::Right, _) => return self.beside(command == Command::Left),
            (Command::First | Command::Last, _) => {
                (self.side, self.selection) = (Side::Middle, Selection::Node(NodeId::ROOT));
                if command == Command::Last {
                    self.select_deepest(frames, order);
                }
                return;
            }
            _ => return,
        };
        match outwards {
            Some(side) => self.outwards(frames, order, side),
            None => self.inwards(),
        }
    }

    /// Follows the heaviest callees as far as they are drawn.
    fn select_deepest(&mut self, frames: &Frames, order: Order) {
        let mut last = None;
        while last != Some(self.selection) {
            last = Some(self.selection);
            self.outwards(frames, order, Side::Callees);
        }
    }

    /// Selects the next caller or callee that matches, heaviest first. Returns whether there is one.
    pub(crate) fn next_match(&mut self, lit: &Matched, backwards: bool) -> bool {
        let Sandwich {
            callers, callees, ..
        } = &*self.sandwich;
        let columns = u128::from(self.callees_area.width.max(1));
        let mut found: Vec<(u64, Side, NodeId)> = Vec::new();
        for (side, tree) in [(Side::Callers, callers), (Side::Callees, callees)] {
            let whole = u128::from(tree.weight(NodeId::ROOT));
            // One without a cell of its own can't be shown as selected.
            let is_match = |node: &NodeId| {
                tree.frame(*node).is_some_and(|frame| lit.contains(frame))
                    && u128::from(tree.weight(*node)) * columns >= whole
            };
            let nodes = tree.nodes().filter(is_match);
            found.extend(nodes.map(|node| (tree.weight(node), side, node)));
        }
        found.sort_by_key(|&(weight, ..)| std::cmp::Reverse(weight));
        let here = found.iter().position(|&(_, side, node)| {
            side == self.side && self.selection == Selection::Node(node)
        });
        let count = found.len();
        let at = match here {
            _ if count == 0 => return false,
            None if backwards => count - 1,
            None => 0,
            Some(at) if backwards => (at + count - 1) % count,
            Some(at) => (at + 1) % count,
        };
        (self.side, self.selection) = (found[at].1, Selection::Node(found[at].2));
        true
    }

    /// To the heaviest caller of a caller, or callee of a callee.
    fn outwards(&mut self, frames: &Frames, order: Order, side: Side) {
        let (tree, drawn) = match side {
            Side::Callers => (&self.sandwich.callers, &self.callers),
            _ => (&self.sandwich.callees, &self.callees),
        };
        let Selection::Node(node) = self.selection else {
            return;
        };
        let children = tree.children(node, order, frames);
        let Some(&first) = children.nodes.first() else {
            return;
        };
        // If the heaviest is too narrow for a cell of its own, the box that collects it.
        let stands_for = drawn.blocks.iter().find_map(|block| match block.content {
            Content::Collected(c) if c.parent == node && c.first == 0 => {
                Some(Selection::Collected(c))
            }
            _ => None,
        });
        self.side = side;
        self.selection = stands_for.unwrap_or(Selection::Node(first));
    }

    /// Back towards the function.
    fn inwards(&mut self) {
        let tree = match self.side {
            Side::Callers => &self.sandwich.callers,
            _ => &self.sandwich.callees,
        };
        let nearer = match self.selection {
            Selection::Node(node) => tree.parent(node),
            Selection::Collected(c) => c.parent,
        };
        self.selection = Selection::Node(nearer);
        if nearer == NodeId::ROOT {
            self.side = Side::Middle;
        }
    }

    fn beside(&mut self, left: bool) {
        let drawn = match self.side {
            Side::Middle => return,
            Side::Callers => &self.callers,
            Side::Callees => &self.callees,
        };
        let is_selected = |content: &Content| match (content, self.selection) {
            (Content::Frame(node), Selection::Node(selected)) => *node == selected,
            (Content::Collected(c), Selection::Collected(selected)) => *c == selected,
            _ => false,
        };
        let Some(here) = drawn.blocks.iter().find(|b| is_selected(&b.content)) else {
            return;
        };
        let row = drawn.row(here.row);
        let place = row.iter().position(|b| b.content == here.content);
        let next = place.and_then(|at| {
            if left {
                at.checked_sub(1)
            } else {
                Some(at + 1)
            }
        });
        if let Some(block) = next.and_then(|at| row.get(at)) {
            self.selection = match block.content {
                Content::Frame(node) => Selection::Node(node),
                Content::Collected(c) => Selection::Collected(c),
            };
        }
    }
}
