//! What is known of the selected frame, in two lines below the icicle.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::app::{Bindings, Pane, PercentBase, ProfileState, Selection};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::FrameId;
use crate::model::graph::icicle::Collected;
use crate::model::graph::spread::Extremes;
use crate::model::graph::view::Identity;
use crate::model::text::sanitize::printable;
use crate::model::text::units::{counted, thousands, value};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room, width};

/// The figures of what is selected.
pub(crate) struct Figures {
    pub(crate) frame: FrameId,
    pub(crate) own: i128,
    pub(crate) total: i128,
    pub(crate) samples: i64,
    /// The total as a percentage of what is zoomed into, where percentages are not of it anyway.
    pub(crate) of_zoom: Option<String>,
}

/// The figures of the selection: of a function in a sandwich and in the table, else of one place. `None`: it is the root, or
/// collected frames.
pub(crate) fn figures(profile: &ProfileState) -> Option<Figures> {
    let tree = &profile.reading.tree;
    if profile.sandwich.is_some() {
        let frame = profile.selected_frame()?;
        let stat = profile.reading.stat(frame);
        return Some(Figures {
            frame,
            own: stat.self_value.into(),
            total: stat.total.into(),
            samples: stat.samples,
            of_zoom: None,
        });
    }
    if profile.pane == Pane::Table {
        let row = profile.table.current()?;
        return Some(Figures {
            frame: row.frame,
            own: row.self_value.into(),
            total: row.total.into(),
            samples: row.samples,
            of_zoom: None,
        });
    }
    let Selection::Node(node) = profile.selection else {
        return None;
    };
    let frame = tree.frame(node)?;
    let stat = profile.reading.at_node(node);
    let names_zoom = profile.zoom != NodeId::ROOT && profile.percent_base != PercentBase::Zoom;
    Some(Figures {
        frame,
        own: stat.self_value.into(),
        total: stat.total.into(),
        samples: stat.samples,
        of_zoom: names_zoom.then(|| profile.reading.of_node(profile.zoom).share(stat.total)),
    })
}

/// Fewer cells than this say nothing of a place.
const PLACE_MIN: u16 = 12;

/// Draws the details' lines.
pub(crate) fn draw(c: &mut Canvas<'_>, profile: &ProfileState) {
    let area = profile.geometry.details;
    if area.height == 0 {
        return;
    }
    let below = match profile.rows_below() {
        0 => String::new(),
        1 => "▾ 1 row".to_owned(),
        n => format!("▾ {}", counted(i128::from(n), "row")),
    };
    let below = if profile.geometry.icicle.height == 0 {
        String::new()
    } else {
        below
    };
    let end = area.x + area.width;
    let last = area.y + area.height - 1;
    let below_at = if below.is_empty() {
        end
    } else {
        c.right(end, last, &below, Role::Dim).saturating_sub(2)
    };
    if let Some(figures) = figures(profile) {
        if area.height >= 2 {
            two_lines(c, profile, &figures, below_at)
        } else {
            one_line(c, profile, &figures, below_at)
        }
    } else if let Selection::Collected(collected) = profile.selection {
        rest(c, profile, collected, below_at);
    } else {
        whole(c, profile, below_at);
    }
}

/// The root: what the whole is.
fn whole(c: &mut Canvas<'_>, profile: &ProfileState, end: u16) {
    let area = profile.geometry.details;
    let reading = &profile.reading;
    let at = c.put(area.x, area.y, "all that is shown", Role::Strong);
    let unit = profile.unit();
    let text = format!(
        "{}  {} of the capture   {}",
        value(reading.shown, &unit),
        reading.of_capture().share(reading.shown),
        rows(profile)
    );
    let (x, y) = if area.height >= 2 {
        (area.x, area.y + 1)
    } else {
        (at + 2, area.y)
    };
    c.put_in(x, y, end.saturating_sub(x), &text, Role::Text);
}

/// How many rows the table of all that is shown has, in words.
fn rows(profile: &ProfileState) -> String {
    let reading = &profile.reading;
    let shown = reading
        .frames
        .ids()
        .filter(|frame| reading.stat(*frame).nodes > 0)
        .count();
    let (one, more) = match profile.view.by {
        Identity::Function | Identity::Name => ("function", "functions"),
        Identity::Line => ("line", "lines"),
        Identity::File => ("file", "files"),
        Identity::Package => ("package", "packages"),
    };
    format!(
        "{} {}",
        thousands(shown as i128),
        if shown == 1 { one } else { more }
    )
}

fn rest(c: &mut Canvas<'_>, profile: &ProfileState, collected: Collected, end: u16) {
    let area = profile.geometry.details;
    let (tree, frames) = (&profile.reading.tree, &profile.reading.frames);
    let at = c.put(
        area.x,
        area.y,
        &format!(
            "{} under one cell",
            counted(i128::from(collected.count), "frame")
        ),
        Role::Strong,
    );
    let total = i128::from(collected.total(tree, frames, profile.order));
    let (base, _) = profile.base();
    let mut text = format!(
        "total {}  {}",
        value(total, &profile.unit()),
        base.share(total)
    );
    if let Some(node) = collected.heaviest(tree, frames, profile.order)
        && let Some(frame) = tree.frame(node)
    {
        let share = base.share(tree.total(node));
        text.push_str(&format!("   heaviest {}  {share}", frames.label(frame)));
    }
    let (x, y) = if area.height >= 2 {
        (area.x, area.y + 1)
    } else {
        (at + 2, area.y)
    };
    c.put_in(x, y, end.saturating_sub(x), &text, Role::Text);
}

fn two_lines(c: &mut Canvas<'_>, profile: &ProfileState, f: &Figures, end: u16) {
    name_line(c, profile, f);
    figures_line(c, profile, f, end);
}

/// Draws the frame's name and its place, and what it is called in the bundle.
fn name_line(c: &mut Canvas<'_>, profile: &ProfileState, f: &Figures) {
    let area = profile.geometry.details;
    let info = profile.reading.frames.info(f.frame);
    let place_at = c.right(area.x + area.width, area.y, &info.short_place(), Role::Dim);
    let name = printable(info.name);
    let x = c.put_in(
        area.x,
        area.y,
        place_at.saturating_sub(area.x + 3),
        &name,
        Role::Strong,
    ) + 3;
    if let Some(was) = info
        .original
        .map(|original| &original.name)
        .filter(|was| *was != info.name)
    {
        c.put_in(
            x,
            area.y,
            place_at.saturating_sub(x + 3),
            &format!("{} in the bundle", printable(was)),
            Role::Dim,
        );
    }
}

/// What the captures say of the function, beside figures that are of all of it.
fn spread(profile: &ProfileState, f: &Figures) -> Option<Extremes> {
    let own = profile.reading.stat(f.frame).self_value;
    profile.spread(f.frame).filter(|_| f.own == own.into())
}

/// Draws what the frame holds, and its function's rank, as far as there is room.
fn figures_line(c: &mut Canvas<'_>, profile: &ProfileState, f: &Figures, end: u16) {
    let area = profile.geometry.details;
    let unit = profile.unit();
    let (base, _) = profile.base();
    let counts = profile.counts(0);
    let interval = base.interval(f.samples);
    let interval = interval.map_or_else(String::new, |interval| format!(" {interval}"));
    let mut fields = vec![
        (
            "self",
            format!("{:>8}{:>8}", value(f.own, &unit), base.share(f.own)),
        ),
        (
            "total",
            format!("{:>8}{:>8}", value(f.total, &unit), base.share(f.total)),
        ),
    ];
    if let Some(of_zoom) = &f.of_zoom {
        fields.push(("of zoom", format!("{of_zoom:>7}")));
    }
    fields.push((
        &counts,
        format!("{:>6}{interval}", thousands(i128::from(f.samples))),
    ));
    if let Some(own) = spread(profile, f) {
        fields.push(("from–to", format!("{:>9}%", own.to_string())));
    }
    let mut x = area.x;
    let mut put = |name: &str, text: &str| {
        let fits = x + width(name) + 1 + width(text) <= end;
        if fits {
            x = c.put(x, area.y + 1, name, Role::Dim) + 1;
            x = c.put(x, area.y + 1, text, Role::Text) + 3;
        }
        fits
    };
    let all_fit = fields.iter().all(|(name, text)| put(name, text));
    if let Some(rank) = profile.table.rank_of(f.frame).filter(|_| all_fit) {
        let row = profile.table.rows.get(rank - 1);
        let rank = format!(
            "{:>3} of {}",
            thousands(rank as i128),
            thousands(profile.table.rows.len() as i128)
        );
        // The figures before are this frame's; the rank is its function's, which may stand in other places too.
        match row.filter(|row| i128::from(row.self_value) != f.own) {
            Some(row) => {
                let all = base.share(row.self_value);
                let _ = put(
                    "its function",
                    &format!("self {all}, rank {}", rank.trim_start()),
                ) || put("its function's rank", rank.trim_start())
                    || put("rank", &rank);
            }
            None => {
                put("rank", &rank);
            }
        }
    }
}

fn one_line(c: &mut Canvas<'_>, profile: &ProfileState, f: &Figures, end: u16) {
    let area = profile.geometry.details;
    let info = profile.reading.frames.info(f.frame);
    let (base, _) = profile.base();
    let text = format!(
        "self {}  total {} {}",
        base.share(f.own),
        base.share(f.total),
        value(f.total, &profile.unit())
    );
    let spread = spread(profile, f);
    let text = spread.map_or(text.clone(), |own| {
        format!(
            "self {}  from–to {own}%  total {}",
            base.share(f.own),
            base.share(f.total)
        )
    });
    // The name keeps at least a third of the line; figures come before the location.
    let room = end.saturating_sub(area.x);
    let name_room = room.saturating_sub(width(&text) + 2).max(room / 3);
    let x = c.put_in(
        area.x,
        area.y,
        name_room,
        &printable(info.name),
        Role::Strong,
    ) + 2;
    let x = c.put_in(x, area.y, end.saturating_sub(x), &text, Role::Text) + 2;
    let room = end.saturating_sub(x);
    if room >= PLACE_MIN {
        c.put_place(x, area.y, room, &info.short_place(), Role::Dim);
    }
}

/// Words for a profile in which nothing is shown.
pub(crate) fn empty(c: &mut Canvas<'_>, profile: &ProfileState, keys: &Bindings) {
    let area = profile.geometry.icicle;
    let reading = &profile.reading;
    let unit = profile.unit();
    let window = profile.window().map_or_else(
        || "the window".to_owned(),
        |w| format!("these {:.0} s", w.as_secs_f64()),
    );
    let (first, lines): (String, Vec<Message>) = if !profile.view.filters.is_empty() {
        (
            "The filters leave nothing.".to_owned(),
            vec![message![
                Command::UndoFilter,
                " undoes the last one, ",
                Command::ClearFilters,
                " all of them.",
            ]],
        )
    } else if reading.idle != 0 {
        (
            format!("No JavaScript ran in {window}."),
            vec![
                format!(
                    "The capture worked: {} of it are (idle).",
                    value(reading.idle, &unit)
                )
                .into(),
                message![
                    "An isolate was loaded, but no request reached it. ",
                    Command::ShowIdle,
                    " shows the idle time.",
                ],
            ],
        )
    } else if profile.source.profile.record_count() == 0 {
        (
            format!("No samples were taken in {window}."),
            vec![
                "The capture worked, and is kept. A quiet Worker gives none: too few".into(),
                message![
                    "requests came in, or nothing was allocated. ",
                    Command::Capture,
                    " captures again, longer.",
                ],
            ],
        )
    } else {
        (
            format!("Every value of {} is zero.", profile.sample_type()),
            vec![message![
                Command::SampleType,
                " shows the next sample type of this profile."
            ]],
        )
    };
    let x = (c.columns().saturating_sub(64) / 2).max(area.x + 1);
    let mut y = (c.rows() / 2).saturating_sub(6).max(area.y + 2);
    let room = c.columns().saturating_sub(x + 1);
    c.put_in(x, y, room, &first, Role::Strong);
    y += 2;
    for line in lines {
        y = c.put_wrapped(
            Room {
                x,
                y,
                width: room,
                end: c.rows().saturating_sub(2),
            },
            &keys.expand_keys(&line),
            Role::Text,
        );
    }
}
