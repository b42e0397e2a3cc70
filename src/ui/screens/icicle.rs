//! The icicle: its ceiling and its frames.

use ratatui::style::{Modifier, Style};

use crate::app::screens::profile::facts::seconds;
use crate::app::{CompareState, Pane, PercentBase, ProfileState, Selection};
use crate::model::cloudflare::Kind;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::graph::icicle::{Block, Collected, Content};
use crate::model::text::sanitize::printable;
use crate::model::text::units::{thousands, value};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Mark, cut, width};
use crate::ui::widgets::columns::change;
use crate::ui::widgets::frame_style::{change_edge, label, role};

/// Draws the ceiling and the frames below it.
pub(crate) fn draw(c: &mut Canvas<'_>, profile: &ProfileState) {
    let area = profile.geometry.icicle;
    if area.height == 0 {
        return;
    }
    ceiling(c, profile);
    let drawing = Drawing {
        profile,
        tree: &profile.reading.tree,
        selection: Some(profile.selection),
        focused: profile.pane == Pane::Icicle,
        unit: profile.unit(),
    };
    for block in &profile.layout.blocks {
        drawing.block(c, block, area.x + block.start, area.y + 1 + block.row);
    }
}

/// A tree of frames being drawn: the profile's own, or one half of a sandwich.
pub(crate) struct Drawing<'a> {
    /// Names, search, colours, the base of per cents.
    pub(crate) profile: &'a ProfileState,
    /// The tree whose blocks are drawn.
    pub(crate) tree: &'a Tree,
    /// What of it is selected.
    pub(crate) selection: Option<Selection>,
    /// Whether the selection has the focus.
    pub(crate) focused: bool,
    /// The unit of the values.
    pub(crate) unit: String,
}

impl Drawing<'_> {
    /// Draws one block at its place on the screen.
    pub(crate) fn block(&self, c: &mut Canvas<'_>, block: &Block, x: u16, y: u16) {
        match block.content {
            Content::Frame(node) => self.frame(c, block, node, x, y),
            Content::Collected(collected) => self.rest(c, block, collected, x, y),
        }
    }

    fn frame(&self, c: &mut Canvas<'_>, block: &Block, node: NodeId, x: u16, y: u16) {
        let Drawing {
            profile,
            tree,
            unit,
            ..
        } = self;
        let cells = block.whole_cells();
        let usual = role(profile, tree, node, cells);
        let search = profile.search.as_ref();
        let lit = search.and_then(|s| s.lit());
        let matched = lit.map(|m| tree.frame(node).is_some_and(|f| m.contains(f)));
        let (style, ink) = match matched {
            None => (c.theme.style(usual), c.theme.style(usual)),
            Some(true) => (c.theme.match_style(usual), c.theme.match_style(usual)),
            Some(false) => (
                c.theme.style(Role::FrameDim),
                c.theme.style(Role::FrameDimLabel),
            ),
        };
        let plain = style.remove_modifier(Modifier::BOLD);
        c.fill(x, y, cells, " ", plain);
        let room = cells.saturating_sub(1);
        let text = label(profile, tree, node, room, unit);
        // Without room for a sign, the edge tells what became of the frame.
        let edge = if profile.compare.is_some() && text.is_empty() {
            change_edge(usual)
        } else {
            "▏"
        };
        c.put_styled(x, y, edge, plain, 1);
        if block.end_eighths.is_multiple_of(8) {
            c.mark(x + cells, y, Mark::End);
        }
        if matched == Some(true) {
            c.mark(x, y, Mark::Match);
        }
        let eighths = (block.end_eighths % 8) as u8;
        if eighths > 0
            && let Some((sign, end)) = c.theme.end(style, eighths, c.glyphs)
        {
            c.put_styled(x + cells, y, sign, end, 1);
        }
        if self.selection == Some(Selection::Node(node)) {
            let focused = self.focused;
            let chosen = if focused {
                c.theme.selected_on(style)
            } else {
                style.add_modifier(Modifier::BOLD)
            };
            let mark = c.put_styled(x, y, "▸", chosen, 1);
            let mut end = c.put_styled(mark, y, &text, chosen, room);
            if focused {
                // One blank after the label; a frame without room for one is cream whole.
                let whole = if text.is_empty() {
                    x + cells
                } else {
                    (end + 1).min(x + cells)
                };
                while end < whole {
                    end = c.put_styled(end, y, " ", chosen, 1);
                }
            }
        } else {
            c.put_styled(x + 1, y, &text, ink, room);
        }
        if matched == Some(true) {
            self.underline(c, node, x + 1, y, &text);
        }
    }

    /// Underlines the letters that the search found in a label.
    fn underline(&self, c: &mut Canvas<'_>, node: NodeId, x: u16, y: u16, label: &str) {
        let profile = self.profile;
        let (Some(matcher), Some(frame)) = (
            profile.search.as_ref().and_then(|s| s.matcher.as_ref()),
            self.tree.frame(node),
        ) else {
            return;
        };
        let name = printable(profile.reading.frames.name(frame));
        for span in matcher.spans(&name) {
            let (Some(before), Some(found)) = (name.get(..span.start), name.get(span.clone()))
            else {
                continue;
            };
            // A cut label shows the name's beginning; what lies behind the cut can't be underlined.
            if !label.starts_with(before) {
                break;
            }
            let shown = label.get(before.len()..).unwrap_or_default();
            let common: String = shown
                .chars()
                .zip(found.chars())
                .take_while(|(a, b)| a == b)
                .map(|(a, _)| a)
                .collect();
            for column in 0..width(&common) {
                if let Some(cell) = c.buffer.cell_mut((x + width(before) + column, y)) {
                    cell.set_style(Style::new().add_modifier(Modifier::UNDERLINED));
                }
            }
        }
    }

    /// Frames under one cell, together.
    fn rest(&self, c: &mut Canvas<'_>, block: &Block, collected: Collected, x: u16, y: u16) {
        let Drawing { profile, tree, .. } = self;
        let cells = block.cells();
        let hidden_match = profile
            .search
            .as_ref()
            .filter(|s| s.lit().is_some())
            .is_some_and(|search| {
                let nodes = collected.nodes(tree, &profile.reading.frames, profile.order);
                nodes
                    .iter()
                    .any(|&node| search.has_hit(&profile.reading.tree, tree, node))
            });
        let ground = c.theme.style(if hidden_match {
            Role::FrameRestMatch
        } else {
            Role::FrameRest
        });
        c.fill(x, y, cells, "░", ground);
        let count = format!("+{}", collected.count);
        let fits = cells > width(&count);
        if fits {
            c.put(x + 1, y, &count, Role::FrameRestLabel);
        }
        if self.selection == Some(Selection::Collected(collected)) {
            let role = if self.focused {
                Role::SelectedHollow
            } else {
                Role::Strong
            };
            let mut end = c.put(x, y, "▸", role);
            if fits {
                end = c.put(end, y, &count, role);
                if end < x + cells {
                    c.put(end, y, " ", role);
                }
            }
        }
    }
}

/// The root as a bar that carries the path, the base of per cents, the value and the rows hidden above.
fn ceiling(c: &mut Canvas<'_>, profile: &ProfileState) {
    let area = profile.geometry.icicle;
    let tree = &profile.reading.tree;
    let style = c.theme.style(Role::Ceiling);
    c.fill(area.x, area.y, area.width, " ", style);
    let (base, of) = profile.base();
    let total = i128::from(tree.total(profile.zoom));
    let amount = tree.amount(profile.zoom, &profile.unit());
    let at_root = profile.zoom == NodeId::ROOT && profile.view.filters.is_empty();
    let mut right = match (profile.kind(), profile.window()) {
        _ if let Some(compared) = &profile.compare => both_sides(profile, compared),
        // The total says what a heap profile leaves out.
        (Kind::Heap, Some(window)) if at_root && profile.percent_base == PercentBase::Capture => {
            format!(
                "allocated in these {}, not retained  {amount}",
                seconds(window)
            )
        }
        _ => format!("{} {of}  {amount}", base.share(total)),
    };
    if profile.first_row > 0 {
        right.push_str(&format!("  ▴ {}", thousands(i128::from(profile.first_row))));
    }
    let end = area.x + area.width;
    let right_at = c.right(end - 1, area.y, &right, Role::Ceiling);

    let names = path(profile);
    let (last, above) = names
        .split_last()
        .map_or(("", &[][..]), |(last, above)| (last.as_str(), above));
    let room = right_at.saturating_sub(area.x + 3);
    let lead = lead(above, room.saturating_sub(width(last)));
    let selected = profile.selection == Selection::Node(profile.zoom);
    let mut x = c.put(area.x + 1, area.y, &lead, Role::Ceiling);
    let last_room = right_at.saturating_sub(x + 2);
    if selected && profile.pane == Pane::Icicle {
        x = c.put(x.saturating_sub(1), area.y, "▸", Role::Selected);
        x = c.put_in(x, area.y, last_room, last, Role::Selected);
        c.put(x, area.y, " ", Role::Selected);
    } else {
        c.put_in(x, area.y, last_room, last, Role::CeilingStrong);
    }
}

/// Both values of the frame that is zoomed into, for the ceiling.
fn both_sides(profile: &ProfileState, compare: &CompareState) -> String {
    let pair = compare.comparison.total(profile.zoom);
    let unit = profile.unit();
    format!(
        "{} → {}   {}",
        value(pair.base.into(), &unit),
        value(pair.new.into(), &unit),
        change(pair, &unit)
    )
}

/// The names from the root to the frame that is zoomed into.
fn path(profile: &ProfileState) -> Vec<String> {
    let tree = &profile.reading.tree;
    let mut names = Vec::new();
    let mut here = profile.zoom;
    while let Some(frame) = tree.frame(here) {
        names.push(profile.reading.frames.label(frame).into_owned());
        here = tree.parent(here);
    }
    names.push("all".to_owned());
    names.reverse();
    if let Some(only) = profile.only {
        names.push(format!("{} narrow ones", thousands(i128::from(only.count))));
    }
    names
}

/// The names above the last, joined; those in the middle give way to `…` where there is no room.
fn lead(above: &[String], room: u16) -> String {
    const ARROW: &str = " › ";
    if above.is_empty() {
        return String::new();
    }
    let whole = above.join(ARROW) + ARROW;
    if width(&whole) <= room {
        return whole;
    }
    let first = above.first().map_or("", String::as_str);
    let mut tail = String::new();
    for name in above.iter().skip(1).rev() {
        let longer = format!("{name}{ARROW}{tail}");
        if width(first) + width(ARROW) * 2 + 1 + width(&longer) > room {
            break;
        }
        tail = longer;
    }
    let cut_path = format!("{first}{ARROW}…{ARROW}{tail}");
    if width(&cut_path) <= room {
        cut_path
    } else {
        cut(&format!("…{ARROW}"), room).into_owned()
    }
}
