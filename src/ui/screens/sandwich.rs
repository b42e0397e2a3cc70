//! One function with its callers growing up from it and its callees hanging down.

use crate::app::{PercentBase, ProfileState, SandwichState, Side, is_tall};
use crate::model::graph::base::Base;
use crate::model::graph::call_tree::NodeId;
use crate::model::text::units::{counted, value};
use crate::ui::screens::icicle::Drawing;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width};
use crate::ui::widgets::frame_style::{bar_role, frame_role};

/// Cells of a name, of a location and of a bar in the lists below.
const NAME: u16 = 22;
const LOCATION: u16 = 14;
const BAR: u16 = 8;

/// Draws both halves, the function between them and, where there is room, its callers and callees as lists.
pub(crate) fn draw(c: &mut Canvas<'_>, profile: &ProfileState, slices: &SandwichState) {
    let sandwich = &slices.sandwich;
    let end = c.columns().saturating_sub(1);
    let (above, below) = (slices.callers_area, slices.callees_area);

    c.put(1, 1, "callers", Role::Accent);
    let more = sandwich
        .callers
        .height(NodeId::ROOT)
        .saturating_sub(slices.hidden.0 + u32::from(above.height));
    if more > 0 {
        c.right(
            end,
            1,
            &format!("▴ {}", counted(i128::from(more), "row")),
            Role::Dim,
        );
    }
    for block in &slices.callers.blocks {
        let y = slices.middle().saturating_sub(1 + block.row);
        half(profile, slices, Side::Callers).block(c, block, above.x + block.start, y);
    }
    middle(c, profile, slices);
    for block in &slices.callees.blocks {
        half(profile, slices, Side::Callees).block(
            c,
            block,
            below.x + block.start,
            below.y + block.row,
        );
    }
    let y = below.y + below.height;
    c.put(1, y, "callees", Role::Accent);
    let more = sandwich
        .callees
        .height(NodeId::ROOT)
        .saturating_sub(slices.hidden.1 + u32::from(below.height));
    if more > 0 {
        c.right(
            end,
            y,
            &format!("▾ {}", counted(i128::from(more), "row")),
            Role::Dim,
        );
    }
    if is_tall(c.rows()) {
        let half = (c.columns().saturating_sub(5)) / 2;
        list(c, profile, Side::Callers, 1, y + 2, half);
        list(c, profile, Side::Callees, 1 + half + 3, y + 2, half);
    }
}

fn half<'a>(profile: &'a ProfileState, slices: &'a SandwichState, side: Side) -> Drawing<'a> {
    let tree = if side == Side::Callers {
        &slices.sandwich.callers
    } else {
        &slices.sandwich.callees
    };
    Drawing {
        profile,
        tree,
        selection: (slices.side == side).then_some(slices.selection),
        focused: true,
        unit: profile.unit(),
    }
}

/// The function's own row over the whole width, in the colour of the selection.
fn middle(c: &mut Canvas<'_>, profile: &ProfileState, slices: &SandwichState) {
    let y = slices.middle();
    let cells = c.columns().saturating_sub(2);
    let chosen = slices.side == Side::Middle;
    let role = if chosen {
        Role::Selected
    } else {
        Role::CeilingStrong
    };
    let style = c.theme.style(role);
    c.fill(1, y, cells, " ", style);
    let unit = profile.unit();
    let (base, of) = profile.base();
    let stat = profile.reading.stat(slices.sandwich.frame);
    let of = match profile.percent_base {
        PercentBase::Capture => String::new(),
        PercentBase::Zoom | PercentBase::Shown => format!(" {of}"),
    };
    let share = |v: i64| format!("{}  {}{of}", value(v.into(), &unit), base.share(v));
    let text = format!(
        "total {}   self {}",
        share(stat.total),
        share(stat.self_value)
    );
    let at = c.right(1 + cells - 1, y, &text, role);
    let name = profile.reading.frames.label(slices.sandwich.frame);
    let x = c.put(1, y, if chosen { "▸" } else { " " }, role);
    c.put_in(x, y, at.saturating_sub(x + 2), &name, role);
}

/// The nearest functions of one half with their shares of the function's total.
fn list(c: &mut Canvas<'_>, profile: &ProfileState, side: Side, x: u16, y: u16, cells: u16) {
    let slices = profile.sandwich.as_ref();
    let Some(sandwich) = slices.map(|slices| &slices.sandwich) else {
        return;
    };
    let (tree, title, empty) = match side {
        Side::Callees => (
            &sandwich.callees,
            "calls",
            "nothing: all its time is its own",
        ),
        Side::Callers | Side::Middle => (
            &sandwich.callers,
            "called by",
            "nobody: stacks begin with it",
        ),
    };
    let frames = &profile.reading.frames;
    let rows = usize::from(c.rows().saturating_sub(3 + y));
    c.put(x, y, title, Role::Dim);
    c.right(x + cells, y, "of its total", Role::Dim);
    let whole = Base::of_tree(tree);
    let children = tree.children(
        NodeId::ROOT,
        crate::model::graph::icicle::Order::Weight,
        frames,
    );
    if children.nodes.is_empty() {
        c.put_in(x, y + 1, cells, empty, Role::Dim);
    }
    for (row, &node) in children.nodes.iter().take(rows).enumerate() {
        let Some(frame) = tree.frame(node) else {
            continue;
        };
        let y = y + 1 + u16::try_from(row).unwrap_or(0);
        let info = frames.info(frame);
        c.put_in(x, y, NAME, info.name, Role::Text);
        let place = info.short_place();
        c.put_place(x + NAME + 2, y, LOCATION, &place, Role::Dim);
        let weight = tree.weight(node);
        let share_at = c.right(x + cells, y, &whole.share(weight), Role::Text);
        let bar_at = (x + cells).saturating_sub(BAR + 9);
        if bar_at + BAR < share_at && bar_at > x + NAME + 2 + width(&place) {
            let role = bar_role(frame_role(profile, frame, 0, 0, 0));
            c.bar(bar_at, y, BAR, whole.part(weight), role);
        }
    }
}
