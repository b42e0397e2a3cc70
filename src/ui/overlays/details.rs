//! The selected frame's whole name, place and figures, over the whole screen.

use crate::app::{Pane, ProfileState, State};
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{Family, FrameId};
use crate::model::text::sanitize::printable;
use crate::model::text::share::per_cent;
use crate::model::text::units::{thousands, value};
use crate::ui::screens::details::figures;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width};
use crate::ui::widgets::chrome;

/// Draws the overlay with the whole name, place and figures, over the whole screen.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, profile: &ProfileState, scroll: usize) {
    let Some(f) = figures(profile) else {
        chrome::title(
            c,
            "Details",
            &["no single frame is selected".to_owned()],
            &[],
            &[],
        );
        chrome::keys(c, state);
        return;
    };
    chrome::title(
        c,
        "Details",
        std::slice::from_ref(&profile.source.name),
        &[],
        &[],
    );
    let unit = profile.unit();
    let (base, of) = profile.base();
    let end = c.rows().saturating_sub(2);
    let mut lines = of_function(profile, f.frame, c.columns().saturating_sub(4));
    lines.push((String::new(), Role::Text));
    let share = |v: i128| format!("{}  {} {of}", value(v, &unit), base.share(v));
    lines.push((format!("self    {}", share(f.own)), Role::Text));
    lines.push((format!("total   {}", share(f.total)), Role::Text));
    if let Some(of_zoom) = &f.of_zoom {
        lines.push((format!("of zoom {of_zoom}"), Role::Text));
    }
    lines.push((
        format!(
            "{} {} in its own lines",
            profile.counts(0),
            thousands(i128::from(f.samples))
        ),
        Role::Text,
    ));
    if profile.pane == Pane::Icicle && profile.sandwich.is_none() {
        let (depth, again) = depth(profile);
        lines.push((format!("depth   {depth}{again}"), Role::Text));
    }
    if let Some(rank) = profile.table.rank_of(f.frame) {
        lines.push((
            format!(
                "rank    {} of {}",
                thousands(rank as i128),
                profile.table.rows.len()
            ),
            Role::Text,
        ));
    }
    lines.extend(of_captures(profile, f.frame, &unit));
    lines.extend(of_lines(profile, &unit));
    let room_rows = usize::from(end.saturating_sub(2));
    let scroll = scroll.min(lines.len().saturating_sub(room_rows));
    for (row, (text, role)) in lines.iter().skip(scroll).take(room_rows).enumerate() {
        c.put(2, 2 + u16::try_from(row).unwrap_or(0), text, *role);
    }
    chrome::message(c, state, "");
    chrome::keys(c, state);
}

/// Returns the function's whole name and its place, in lines of at most `room` cells.
fn of_function(profile: &ProfileState, frame: FrameId, room: u16) -> Vec<(String, Role)> {
    let info = profile.reading.frames.info(frame);
    let mut lines: Vec<(String, Role)> = Vec::new();
    for part in pieces(&printable(info.name), room) {
        lines.push((part, Role::Strong));
    }
    lines.push((String::new(), Role::Text));
    let file = match (info.file, info.family) {
        ("", Family::Own | Family::Dependency) => "",
        ("", Family::Unknown) => "no file is given: native code, or a format without files",
        ("", Family::Runtime | Family::Grey | Family::Gc) => "no source file: the runtime's own",
        (file, _) => file,
    };
    for part in pieces(&printable(file), room) {
        lines.push((part, Role::Dim));
    }
    if let Some(line) = info.line {
        let column = info.column.map(|column| format!(", column {column}"));
        let column = column.unwrap_or_default();
        lines.push((format!("line {line}{column}"), Role::Dim));
    }
    if let Some(original) = info.original {
        let place = [original.line, original.column]
            .into_iter()
            .flatten()
            .map(|place| format!(":{place}"));
        let place: String = place.collect();
        let text = format!(
            "restored by a source map; in the bundle {} at {}{place}",
            original.name, original.file
        );
        lines.extend(
            pieces(&printable(&text), room)
                .into_iter()
                .map(|part| (part, Role::Dim)),
        );
    }
    if info.places > 1 {
        lines.push((format!("stands for {} places", info.places), Role::Dim));
    }
    lines
}

/// Returns the function in each of the captures that were opened as one, each share being of that capture.
fn of_captures(profile: &ProfileState, frame: FrameId, unit: &str) -> Vec<(String, Role)> {
    let Some(spread) = &profile.reading.spread else {
        return Vec::new();
    };
    let mut rows = vec![
        (String::new(), Role::Text),
        (
            format!(
                "{:>9} {:>8}  {:>9} {:>8}   {}",
                "self", "", "total", "", "capture"
            ),
            Role::Dim,
        ),
    ];
    rows.extend(
        spread
            .captures
            .iter()
            .zip(spread.held(frame))
            .map(|(capture, held)| {
                let figures = |v: i64| (value(v.into(), unit), per_cent(v.into(), capture.base));
                let ((own, own_share), (total, total_share)) =
                    (figures(held.own), figures(held.total));
                let name = printable(&capture.name);
                (
                    format!("{own:>9} {own_share:>8}  {total:>9} {total_share:>8}   {name}"),
                    Role::Text,
                )
            }),
    );
    rows
}

/// Returns the function's lines with their shares, where there is more than the one that it starts on. They are of all places of the
/// function, zoomed or not.
fn of_lines(profile: &ProfileState, unit: &str) -> Vec<(String, Role)> {
    let Some(lines) = profile.lines.ready().filter(|lines| lines.len() > 1) else {
        return Vec::new();
    };
    let (base, of) = profile.whole_base();
    let mut rows = vec![
        (String::new(), Role::Text),
        (
            format!(
                "{:>8}  {:>9} {:>8}  {:>9} {:>8}  {of}",
                "line", "self", "", "total", ""
            ),
            Role::Dim,
        ),
    ];
    rows.extend(lines.iter().map(|at| {
        let figures = |v: i64| (value(v.into(), unit), base.share(v));
        let ((own, own_share), (total, total_share)) = (figures(at.own), figures(at.total));
        (
            format!(
                "{:>8}  {own:>9} {own_share:>8}  {total:>9} {total_share:>8}",
                at.line
            ),
            Role::Text,
        )
    }));
    rows
}

/// Returns the depth of the selected frame, and how often its function is above it.
fn depth(profile: &ProfileState) -> (u32, String) {
    let tree = &profile.reading.tree;
    let node = profile.selected_node();
    let frame = tree.frame(node);
    let mut again = 0_u32;
    let mut here = tree.parent(node);
    while here != NodeId::ROOT {
        again += u32::from(tree.frame(here) == frame);
        here = tree.parent(here);
    }
    let words = match again {
        0 => String::new(),
        1 => ", once below itself".to_owned(),
        again => format!(", {} times below itself", thousands(again.into())),
    };
    (tree.depth(node), words)
}

/// Returns a text cut into pieces of at most `room` cells, between characters.
fn pieces(text: &str, room: u16) -> Vec<String> {
    use unicode_segmentation::UnicodeSegmentation as _;
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        if used + width(grapheme) > room {
            pieces.push(String::new());
            used = 0;
        }
        used += width(grapheme);
        if let Some(last) = pieces.last_mut() {
            last.push_str(grapheme);
        }
    }
    pieces
}
