//! The rows of the Worker's pane: a version, a Durable Object class, a capture on disk.

use crate::app::capture::targets::NamespaceDetails;
use crate::app::screens::history::{top_share, without_top};
use crate::app::screens::profile::facts::seconds;
use crate::app::{Load, State, age};
use crate::model::cloudflare::{Capture, Origin, Version, short};
use crate::model::text::share::{percentage, round_percentage};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width};
use crate::ui::widgets::list_rows::selected;

/// From this many columns on a version has its author's whole name.
const WIDE: u16 = 100;

/// Where a row of the pane stands.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    /// First column.
    pub(crate) x: u16,
    /// Row.
    pub(crate) y: u16,
    /// The column after the last.
    pub(crate) end: u16,
    /// Whether it has the focus.
    pub(crate) focused: bool,
}

/// Puts a row's name into `room` cells: cream with the focus, marked where a capture would take it.
fn name(c: &mut Canvas<'_>, at: Spot, room: u16, text: &str, marked: bool, role: Role) {
    if at.focused {
        selected(c, at.x, at.y, room + 1, text, true);
        return;
    }
    if marked {
        c.put(at.x, at.y, "▸", Role::Accent);
    }
    c.put_in(
        at.x + 1,
        at.y,
        room,
        text,
        if marked { Role::Strong } else { role },
    );
}

/// Draws a version: its share of the traffic, age, author and message.
pub(crate) fn version(c: &mut Canvas<'_>, state: &State, v: &Version, at: Spot, first: bool) {
    let Spot { x, y, end, .. } = at;
    let role = if v.percentage > 0.0 {
        Role::Text
    } else {
        Role::Dim
    };
    name(c, at, 9, v.short_id(), first && v.percentage > 0.0, role);
    c.put_in(x + 11, y, 5, &format!("v{}", v.number), role);
    c.right(x + 21, y, &round_percentage(v.percentage), role);
    c.bar(x + 22, y, 6, v.percentage / 100.0, Role::BarWarm);
    c.right(x + 34, y, &age(v.created_on, c.now.wall), Role::Dim);
    let author = v
        .author
        .as_deref()
        .map_or("", |a| a.split('@').next().unwrap_or(a));
    let (room, message_at) = if end.saturating_sub(x) >= WIDE {
        (12, x + 49)
    } else {
        (5, x + 42)
    };
    c.put_in(x + 36, y, room, author, Role::Dim);
    let details = state.workers.current_details().and_then(Load::ready);
    let latest = details
        .and_then(|d| d.latest())
        .is_some_and(|l| l.id == v.id);
    let message = if latest && v.percentage <= 0.0 {
        "latest, not deployed"
    } else {
        v.message
            .as_deref()
            .or(v.tag.as_deref())
            .or(v.source.as_deref())
            .unwrap_or("")
    };
    c.put_in(message_at, y, end.saturating_sub(message_at), message, role);
}

/// Draws a Durable Object class: how many objects are active, and the busiest one.
pub(crate) fn namespace(c: &mut Canvas<'_>, n: &NamespaceDetails, at: Spot) {
    let Spot { x, y, end, .. } = at;
    name(c, at, 10, n.class(), false, Role::Text);
    let (active, more) = n.active();
    if active > 0 {
        c.right(
            x + 18,
            y,
            &format!("{active}{}", if more { "+" } else { "" }),
            Role::Text,
        );
        c.put(x + 19, y, "active", Role::Dim);
    }
    let Some((hot, share)) = n.hottest() else {
        return;
    };
    let share = format!("{} of its CPU", round_percentage((share * 100.0).round()));
    let share_at = end.saturating_sub(width(&share));
    if x + 40 < share_at {
        c.put(x + 30, y, "busiest", Role::Dim);
        let shown = hot.name.as_deref().unwrap_or_else(|| short(&hot.id));
        c.put_in(
            x + 38,
            y,
            share_at.saturating_sub(x + 40),
            shown,
            Role::Text,
        );
        c.put(share_at, y, &share, Role::Dim);
    }
}

/// The beginning of a capture's version, `local` for a local runtime's, else `none`.
pub(crate) fn of_version<'a>(capture: &'a Capture, none: &'a str) -> &'a str {
    match &capture.target().version_id {
        Some(id) => short(id),
        None if capture.provenance.origin == Origin::Inspector => "local",
        None => none,
    }
}

/// Draws a capture on disk: its age, kind, window, version and hottest function.
pub(crate) fn capture(c: &mut Canvas<'_>, capture: &Capture, at: Spot) {
    let Spot { x, y, end, .. } = at;
    let old = age(capture.provenance.answered_at, c.now.wall);
    let kind = capture
        .provenance
        .kind
        .map_or_else(String::new, |k| k.to_string());
    let what = format!(
        "{kind} {}",
        capture.provenance.window.map_or_else(String::new, seconds)
    );
    c.right(x + 9, y, &old, Role::Dim);
    name(c, Spot { x: x + 10, ..at }, 11, &what, false, Role::Text);
    c.put_in(x + 22, y, 8, of_version(capture, ""), Role::Dim);
    let Some(summary) = &capture.summary else {
        return;
    };
    let share_at = match &summary.top {
        Some(_) => c.right(end, y, &percentage(top_share(capture)), Role::Text),
        None => end,
    };
    let top = summary
        .top
        .as_ref()
        .map_or(without_top(summary), |(name, _)| name.as_str());
    c.put_in(x + 32, y, share_at.saturating_sub(x + 34), top, Role::Text);
}
