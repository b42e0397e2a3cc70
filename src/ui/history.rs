//! The captures on disk, by day.

use std::time::{SystemTime, UNIX_EPOCH};

use super::canvas::Canvas;
use super::parts;
use super::theme::Role;
use super::worker_panel::of_version;
use super::workers::{capturing, selected};
use crate::app::history::{top_share, without_top};
use crate::app::profile::seconds;
use crate::app::{Load, Origin, State, clock};
use crate::model::target::Capture;
use crate::model::units::thousands;

/// Draws the history.
pub(super) fn draw(c: &mut Canvas<'_>, state: &State) {
    let history = &state.history;
    let bytes: u64 = history.captures.iter().map(|h| h.bytes).sum();
    let count = history.captures.len();
    let facts = [
        format!("{count} {} on disk", if count == 1 { "capture" } else { "captures" }),
        crate::model::units::value(i128::from(bytes), "bytes"),
        "works offline".to_owned(),
    ];
    let mut right = Vec::new();
    if let Some(chip) = capturing(state, c) {
        right.push((chip, Role::Accent));
    }
    if state.session.origin == Origin::Demo {
        right.push(("demo".to_owned(), Role::Accent));
    }
    parts::title(c, "History", &facts, &[], &right);
    let end = c.rows().saturating_sub(2);
    let mut y = 2;
    let mut day = None;
    for (place, &at) in history.order.iter().enumerate().skip(history.offset) {
        let Some(capture) = history.captures.get(at) else { continue };
        let this_day = day_of(capture.answered_at);
        if day != Some(this_day) && history.sort == crate::app::history::HistorySort::Time {
            // A heading that would stand alone at the end is left out, and the row with it.
            let blank = u16::from(day.is_some());
            if y + blank + 1 >= end {
                break;
            }
            y += blank;
            c.put(1, y, &day_name(this_day, day_of(c.now.wall)), Role::Accent);
            if day.is_none() {
                c.right(figure_end(c), y, "self %", Role::Dim);
            }
            y += 1;
            day = Some(this_day);
        }
        if y >= end {
            break;
        }
        row(c, capture, y, place == history.selected);
        if history.marked.contains(&capture.path) {
            c.put(1, y, "●", Role::Accent);
        }
        y += 1;
    }
    if history.order.is_empty() {
        empty(c, state);
    }
    if let Some(warning) = history.warnings.first().filter(|_| state.notice.is_none() && state.input.is_none()) {
        c.put(1, end, "!", Role::Warn);
        c.put_in(3, end, c.columns().saturating_sub(4), warning, Role::Text);
    }
    parts::message(c, state, &format!("{} of {count}", history.order.len()));
    parts::keys(c, state);
}

fn figure_end(c: &Canvas<'_>) -> u16 {
    c.columns().saturating_sub(1)
}

fn row(c: &mut Canvas<'_>, capture: &Capture, y: u16, chosen: bool) {
    let wide = c.columns() >= 100;
    let clock = clock(capture.answered_at);
    c.put(3, y, clock.get(..5).unwrap_or(""), Role::Dim);
    if chosen {
        selected(c, 9, y, 20, &capture.worker, true);
    } else {
        c.put_in(10, y, 18, &capture.worker, Role::Text);
    }
    let mut at = 30;
    c.put_in(at, y, 8, of_version(capture, "–"), Role::Dim);
    at += 10;
    c.put(at, y, &capture.kind.map_or_else(String::new, |k| k.to_string()), Role::Text);
    c.right(at + 10, y, &capture.window.map_or_else(String::new, seconds), Role::Text);
    at += 12;
    let Some(summary) = &capture.summary else {
        c.put_in(at, y, c.columns().saturating_sub(at + 1), "not read yet", Role::Dim);
        return;
    };
    if wide {
        c.right(at + 7, y, &thousands(i128::from(summary.samples)), Role::Text);
        let word = if summary.sample_type.1 == "bytes" { "object" } else { "sample" };
        let word = format!("{word}{}", if summary.samples == 1 { "" } else { "s" });
        c.put(at + 8, y, &word, Role::Dim);
        at += 19;
    }
    let end = figure_end(c);
    let share = top_share(capture);
    let bar = if wide { 18 } else { 0 };
    let name_room = end.saturating_sub(at + 8 + bar);
    match &summary.top {
        Some((name, _)) => {
            c.put_in(at, y, name_room, name, Role::Text);
            c.right(end, y, &format!("{:.1}", share * 100.0), Role::Text);
            if wide {
                c.bar(end.saturating_sub(15), y, 8, share, if share >= 0.25 { Role::BarHot } else { Role::BarWarm });
            }
        }
        None => {
            c.put_in(at, y, name_room, without_top(summary), Role::Dim);
        }
    }
}

fn empty(c: &mut Canvas<'_>, state: &State) {
    let text = match (&state.history.load, state.history.filter.is_empty()) {
        (Load::Running(_), _) => "reading the folder…".to_owned(),
        (Load::Failed(failure), _) => failure.message.clone(),
        (_, false) => "No capture fits; esc shows all again.".to_owned(),
        (_, true) => "No capture yet: w leads to the Workers, c captures from one.".to_owned(),
    };
    c.put_in(3, 3, c.columns().saturating_sub(4), &text, Role::Text);
}

/// Days since 1970 in UTC.
fn day_of(then: SystemTime) -> u64 {
    then.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400
}

fn day_name(day: u64, today: u64) -> String {
    match today.saturating_sub(day) {
        0 => return "Today (UTC)".to_owned(),
        1 => return "Yesterday".to_owned(),
        _ => {}
    }
    let then = UNIX_EPOCH + std::time::Duration::from_secs(day * 86_400);
    let date = humantime::format_rfc3339_seconds(then).to_string();
    date.get(..10).unwrap_or_default().to_owned()
}
