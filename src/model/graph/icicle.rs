//! The icicle's geometry: which cells of a window each frame takes. Costs what is visible, not what was recorded.
//!
//! Edges are rounded, never widths, so siblings meet at whole cells. An end with nothing to its right is exact to an
//! eighth of a cell. What is too thin for a cell is collected into one box of at least one cell, so drawn and collected
//! together are all there is.

pub use crate::model::graph::call_tree::Order;
use crate::model::graph::call_tree::{Children, NodeId, Tree};
use crate::model::graph::frames::Frames;

/// What part of a tree to lay out.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Window {
    /// The node that takes the whole width and is not drawn itself.
    pub root: NodeId,
    /// Width in cells.
    pub columns: u16,
    /// How many levels below the root are scrolled out of sight.
    pub first_row: u32,
    /// How many levels are in sight.
    pub rows: u16,
    /// How siblings are ordered.
    pub order: Order,
    /// An opened collection: the first level shows only those children, over the whole width. Its parent is the root.
    pub only: Option<Collected>,
}

/// Siblings that are drawn as one box, as each is thinner than a cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Collected {
    /// Their caller.
    pub parent: NodeId,
    /// The first of them in the window's order.
    pub first: u32,
    /// How many they are.
    pub count: u32,
}

/// What a block stands for.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Content {
    /// One frame.
    Frame(NodeId),
    /// Several, each too thin.
    Collected(Collected),
}

/// A box of the icicle.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Block {
    /// Row in the window.
    pub row: u16,
    /// First cell.
    pub start: u16,
    /// Where it ends, in eighths of a cell from the window's left edge. Whole unless nothing is to its right.
    pub end_eighths: u32,
    /// What it stands for.
    pub content: Content,
}

impl Block {
    /// How many cells it touches.
    #[must_use]
    pub fn cells(&self) -> u16 {
        let end = u16::try_from(self.end_eighths.div_ceil(8)).unwrap_or(u16::MAX);
        end.saturating_sub(self.start)
    }

    /// How many cells it fills whole: its label's room.
    #[must_use]
    pub fn whole_cells(&self) -> u16 {
        let end = u16::try_from(self.end_eighths / 8).unwrap_or(u16::MAX);
        end.saturating_sub(self.start)
    }
}

/// The blocks of a window, row by row, each row from left to right.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// All blocks.
    pub blocks: Vec<Block>,
    /// Where each row ends in `blocks`.
    row_ends: Vec<usize>,
}

impl Layout {
    /// The blocks of one row, left to right.
    #[must_use]
    pub fn row(&self, row: u16) -> &[Block] {
        let row = usize::from(row);
        let start = row
            .checked_sub(1)
            .and_then(|above| self.row_ends.get(above))
            .copied()
            .unwrap_or(0);
        self.row_ends
            .get(row)
            .map_or(&[], |end| &self.blocks[start..*end])
    }

    /// How many rows have blocks.
    #[must_use]
    pub fn rows(&self) -> u16 {
        u16::try_from(self.row_ends.len()).unwrap_or(u16::MAX)
    }

    /// The block drawn for a frame, if it has one of its own.
    #[must_use]
    pub fn find(&self, node: NodeId) -> Option<&Block> {
        self.blocks
            .iter()
            .find(|block| block.content == Content::Frame(node))
    }
}

impl Collected {
    /// The frames it stands for.
    #[must_use]
    pub fn nodes(&self, tree: &Tree, frames: &Frames, order: Order) -> Vec<NodeId> {
        let children = tree.children(self.parent, order, frames);
        children
            .nodes
            .get(self.range())
            .map(<[NodeId]>::to_vec)
            .unwrap_or_default()
    }

    /// The sum of their weights.
    #[must_use]
    pub fn weight(&self, tree: &Tree, frames: &Frames, order: Order) -> u64 {
        let children = tree.children(self.parent, order, frames);
        let before = |at: usize| children.before.get(at).copied().unwrap_or_default();
        before(self.range().end) - before(self.range().start)
    }

    /// The net sum of their totals.
    #[must_use]
    pub fn total(&self, tree: &Tree, frames: &Frames, order: Order) -> i64 {
        self.nodes(tree, frames, order)
            .into_iter()
            .map(|node| tree.total(node))
            .sum()
    }

    /// The heaviest of them.
    #[must_use]
    pub fn heaviest(&self, tree: &Tree, frames: &Frames, order: Order) -> Option<NodeId> {
        // `max_by_key` answers the last of equals, and the first by order is meant.
        self.nodes(tree, frames, order)
            .into_iter()
            .rev()
            .max_by_key(|node| tree.weight(*node))
    }

    /// Tells whether it stands for a child of its caller.
    #[must_use]
    pub fn contains(&self, node: NodeId, tree: &Tree, frames: &Frames, order: Order) -> bool {
        tree.parent(node) == self.parent && self.nodes(tree, frames, order).contains(&node)
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A caller whose children are about to be placed.
struct Caller {
    node: NodeId,
    start: u32,
    end_eighths: u32,
    /// Where it begins exactly, in units of weight from the window's left edge.
    at: u64,
}

/// Something placed in a row: children `first..last` of a caller.
struct Placed {
    first: usize,
    last: usize,
    start: u32,
    end_eighths: u32,
}

impl Placed {
    fn end(&self) -> u32 {
        self.end_eighths / 8
    }

    /// One child alone is drawn as itself.
    fn is_frame(&self) -> bool {
        self.last - self.first == 1
    }
}

/// The width of the window in weight and in cells.
#[derive(Clone, Copy)]
struct Scale {
    weight: u64,
    columns: u16,
}

impl Scale {
    /// A position, rounded to parts of a cell.
    fn position(self, at: u64, parts: u32) -> u32 {
        let exact = u128::from(at) * u128::from(self.columns) * u128::from(parts);
        let whole = u128::from(self.weight.max(1));
        u32::try_from((2 * exact + whole) / (2 * whole)).unwrap_or(u32::MAX)
    }

    /// Whether so much weight fills a cell.
    fn fills_a_cell(self, weight: u64) -> bool {
        u128::from(weight) * u128::from(self.columns) >= u128::from(self.weight)
    }
}

/// Lays out a window.
#[must_use]
pub fn layout(tree: &Tree, frames: &Frames, window: &Window) -> Layout {
    let mut layout = Layout::default();
    let only = window.only.filter(|only| only.parent == window.root);
    let weight = only.map_or_else(
        || tree.weight(window.root),
        |only| only.weight(tree, frames, window.order),
    );
    if weight == 0 || window.columns == 0 {
        return layout;
    }
    let scale = Scale {
        weight,
        columns: window.columns,
    };
    let end_eighths = u32::from(window.columns) * 8;
    let mut callers = vec![Caller {
        node: window.root,
        start: 0,
        end_eighths,
        at: 0,
    }];
    let mut below = Vec::new();
    for level in 0..window.first_row.saturating_add(u32::from(window.rows)) {
        let row = level
            .checked_sub(window.first_row)
            .and_then(|row| u16::try_from(row).ok());
        let blocks_before = layout.blocks.len();
        for caller in &callers {
            let children = tree.children(caller.node, window.order, frames);
            let range = only
                .filter(|_| level == 0)
                .map_or(0..children.nodes.len(), |only| only.range());
            let range = range.start.min(children.nodes.len())..range.end.min(children.nodes.len());
            let row_of = Siblings {
                tree,
                children: &children,
                range,
                caller,
                scale,
            };
            for placed in row_of.place(window.order) {
                let node = children.nodes[placed.first];
                let start = u16::try_from(placed.start).unwrap_or(u16::MAX);
                let content = if placed.is_frame() {
                    let at = row_of.exact(placed.first);
                    below.push(Caller {
                        node,
                        start: placed.start,
                        end_eighths: placed.end_eighths,
                        at,
                    });
                    Content::Frame(node)
                } else {
                    let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
                    let (first, count) = (small(placed.first), small(placed.last - placed.first));
                    Content::Collected(Collected {
                        parent: caller.node,
                        first,
                        count,
                    })
                };
                if let Some(row) = row {
                    layout.blocks.push(Block {
                        row,
                        start,
                        end_eighths: placed.end_eighths,
                        content,
                    });
                }
            }
        }
        if row.is_some() && layout.blocks.len() > blocks_before {
            layout.row_ends.push(layout.blocks.len());
        }
        callers.clear();
        std::mem::swap(&mut callers, &mut below);
        if callers.is_empty() {
            break;
        }
    }
    layout
}

/// A caller's children, to be placed side by side.
struct Siblings<'a> {
    tree: &'a Tree,
    children: &'a Children,
    range: std::ops::Range<usize>,
    caller: &'a Caller,
    scale: Scale,
}

impl Siblings<'_> {
    /// Where a child begins exactly, in units of weight from the window's left edge.
    fn exact(&self, child: usize) -> u64 {
        self.caller.at + (self.children.before[child] - self.children.before[self.range.start])
    }

    fn cell(&self, child: usize) -> u32 {
        self.scale.position(self.exact(child), 1)
    }

    fn is_thin(&self, child: usize) -> bool {
        !self
            .scale
            .fills_a_cell(self.children.before[child + 1] - self.children.before[child])
    }

    /// One past the caller's last whole cell; a caller is never narrower than one.
    fn end(&self) -> u32 {
        self.caller.end_eighths / 8
    }

    fn place(&self, order: Order) -> Vec<Placed> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut child = self.range.start;
        // Nothing has a width from here on.
        let stop = match order {
            Order::Weight => {
                let weightless = |child: &NodeId| self.tree.weight(*child) > 0;
                self.range.start
                    + self.children.nodes[self.range.clone()].partition_point(weightless)
            }
            Order::Name => self.range.end,
        };
        while child < stop {
            let left = placed.last().map_or(self.caller.start, Placed::end);
            let start = self.cell(child).max(left);
            let end = self.cell(child + 1).min(self.end());
            if !self.is_thin(child) && end > start {
                placed.push(Placed {
                    first: child,
                    last: child + 1,
                    start,
                    end_eighths: end * 8,
                });
                child += 1;
                continue;
            }
            // A run of thin siblings. Heaviest first, all that follow are thin too.
            let last = match order {
                Order::Weight => stop,
                Order::Name => (child + 1..stop)
                    .find(|next| {
                        let begin = self.cell(*next).max(start + 1);
                        !self.is_thin(*next) && self.cell(*next + 1).min(self.end()) > begin
                    })
                    .unwrap_or(stop),
            };
            if self.exact(last) > self.exact(child) {
                self.collect(&mut placed, child, last, start);
            }
            child = last;
        }
        if let Some(last) = placed.last_mut().filter(|last| last.is_frame()) {
            let tip = self
                .scale
                .position(self.exact(last.last), 8)
                .min(self.caller.end_eighths);
            last.end_eighths = tip.max((last.start + 1) * 8);
        }
        placed
    }

    /// Places a run of thin siblings in at least one cell: a free one, else the last one of the sibling before; if that
    /// has only one, it is collected too.
    fn collect(&self, placed: &mut Vec<Placed>, mut first: usize, last: usize, mut start: u32) {
        let mut end = self.cell(last).max(start + 1).min(self.end());
        if start >= self.end() {
            (start, end) = (self.end() - 1, self.end());
            match placed.last_mut() {
                Some(before) if before.is_frame() && before.end() - before.start >= 2 => {
                    before.end_eighths -= 8
                }
                _ => {
                    if let Some(before) = placed.pop() {
                        (first, start) = (before.first, before.start);
                    }
                }
            }
        }
        placed.push(Placed {
            first,
            last,
            start,
            end_eighths: end * 8,
        });
    }
}

#[cfg(test)]
mod tests;
