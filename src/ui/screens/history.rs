//! The captures on disk, by Worker or by day, and what is known of the selected one.

use crate::app::keys::command::Command;
use crate::app::keys::message::message;
use std::time::Duration;

use crate::app::core::dates::{day_name, day_of, when};
use crate::app::core::layout::Area;
use crate::app::screens::history::{top_share, without_top};
use crate::app::screens::profile::facts::seconds;
use crate::app::{
    History, HistoryLine, HistorySort, Load, Origin, Purpose, State, age, clock, history_geometry,
};
use crate::model::cloudflare::{Capture, Origin as Recorded, short};
use crate::model::text::share::points;
use crate::model::text::units;
use crate::ui::screens::history_details::{self, counts};
use crate::ui::screens::worker_rows::of_version;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room, width};
use crate::ui::widgets::chrome;
use crate::ui::widgets::list_rows::selected;

/// From this many columns on a row counts its samples.
const WIDE: u16 = 100;
/// From this many columns on a row tells its age, and has a bar and remarks.
const REMARKS: u16 = 112;
/// From this many columns on a row says what its samples are.
const WORDS: u16 = 140;
/// The column after the number of samples.
const SAMPLES: u16 = 59;
/// Fewer cells than this are left to no function's name.
const NAME_MIN: u16 = 6;
/// Fewer samples than this are few.
const FEW: i64 = 100;

/// Draws the history.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    let history = &state.history;
    title(c, state);
    let geometry = history_geometry(state.size);
    let columns = Columns {
        marks_demo: state.session.origin != Origin::Demo,
        ..Columns::new(c.columns(), history.sort)
    };
    rows(c, history, geometry.list, &columns);
    let above = history.lines.iter().take(history.offset);
    let above = above
        .filter(|line| matches!(line, HistoryLine::Row(_)))
        .count();
    chrome::above(c, 3, geometry.list.y - 1, c.columns() / 2, above);
    let below = history
        .lines
        .iter()
        .skip(history.offset + usize::from(geometry.list.height));
    let below = below
        .filter(|line| matches!(line, HistoryLine::Row(_)))
        .count();
    if below > 0 {
        c.right(
            c.columns().saturating_sub(1),
            geometry.list.y + geometry.list.height,
            &format!("▾ {} more", thousands(below)),
            Role::Dim,
        );
    }
    if history.order.is_empty() {
        empty(c, state);
    } else if let Some(capture) = history.current() {
        history_details::draw(c, capture, geometry.details.y, geometry.details.height);
    }
    let end = c.rows().saturating_sub(2);
    if let Some(warning) =
        warning(history).filter(|_| state.notice.is_none() && state.input.is_none())
    {
        c.put(1, end, "!", Role::Warn);
        c.put_in(3, end, c.columns().saturating_sub(4), &warning, Role::Text);
    }
    let is_filter = state
        .input
        .as_ref()
        .is_some_and(|input| input.purpose == Purpose::HistoryFilter);
    let count = if is_filter {
        format!(
            "{} of {}",
            thousands(history.order.len()),
            thousands(history.captures.len())
        )
    } else {
        String::new()
    };
    chrome::message(c, state, &count);
    chrome::keys(c, state);
}

/// Draws the lines that are in sight, and the unit of their figures once.
fn rows(c: &mut Canvas<'_>, history: &History, list: Area, columns: &Columns) {
    let pair = pair(history);
    let mut headed = false;
    for (line, y) in history
        .lines
        .iter()
        .skip(history.offset)
        .zip(list.y..list.y + list.height)
    {
        match *line {
            HistoryLine::Blank => {}
            HistoryLine::Worker(place, count) => {
                let Some(capture) = history.at(place) else {
                    continue;
                };
                let end = c.put_in(
                    1,
                    y,
                    c.columns() / 2,
                    &capture.target().worker,
                    Role::Accent,
                );
                c.put(
                    end + 2,
                    y,
                    &units::counted(count as i128, "capture"),
                    Role::Dim,
                );
            }
            HistoryLine::Day(day) => {
                c.put(1, y, &day_name(day, day_of(c.now.wall)), Role::Accent);
            }
            HistoryLine::Row(place) => {
                let Some(capture) = history.at(place) else {
                    continue;
                };
                row(
                    c,
                    capture,
                    y,
                    columns,
                    place == history.selected,
                    pair.and_then(|pair| side(capture, pair)),
                );
                if history.marked.contains(&capture.path) {
                    c.put(1, y, "●", Role::Accent);
                }
            }
        }
        if !headed && !matches!(line, HistoryLine::Blank) {
            // The one unit of the column stands beside the first heading, or in the row above the rows.
            let head = if matches!(line, HistoryLine::Row(_)) {
                y - 1
            } else {
                y
            };
            c.right(columns.figure, head, "self %", Role::Dim);
            if columns.wide && !columns.words {
                c.right(SAMPLES, head, "samples", Role::Dim);
            }
            headed = true;
        }
    }
}

fn title(c: &mut Canvas<'_>, state: &State) {
    let history = &state.history;
    let bytes: u64 = history.captures.iter().map(|h| h.bytes).sum();
    let all = units::counted(history.captures.len() as i128, "capture");
    let mut facts = vec![
        if history.filter.is_empty() {
            format!("{all} on disk")
        } else {
            format!(
                "{} of {all} match {}",
                thousands(history.order.len()),
                history.filter
            )
        },
        units::value(i128::from(bytes), "bytes"),
        "works offline".to_owned(),
        "times in UTC".to_owned(),
    ];
    if history.captures.is_empty() {
        facts.remove(1);
    }
    let mut chips = Vec::new();
    if !history.marked.is_empty() {
        chips.push(format!("[{} marked]", history.marked.len()));
    }
    let mut right = Vec::new();
    if let Some(chip) = chrome::captures_chip(state, c) {
        right.push((chip, Role::Accent));
    }
    if history.sort != HistorySort::default() || history.reverse {
        let turned = if history.reverse { ", reversed" } else { "" };
        right.push((format!("{}{turned}", history.sort.word()), Role::Dim));
    }
    if state.session.origin == Origin::Demo {
        right.push(("demo".to_owned(), Role::Accent));
    }
    chrome::title(c, "History", &facts, &chips, &right);
}

fn thousands(number: usize) -> String {
    units::thousands(number as i128)
}

/// Where a row's parts stand.
struct Columns {
    sort: HistorySort,
    wide: bool,
    words: bool,
    /// The column after the share of the top function.
    figure: u16,
    /// The columns for remarks after it.
    remarks: u16,
    /// Whether captures of the demo server are marked: in the demo all are.
    marks_demo: bool,
}

impl Columns {
    const fn new(columns: u16, sort: HistorySort) -> Self {
        let end = columns.saturating_sub(1);
        let remarks = if columns < REMARKS {
            0
        } else {
            (columns / 2).saturating_sub(39)
        };
        let figure = if remarks == 0 {
            end
        } else {
            end.saturating_sub(remarks + 3)
        };
        Self {
            sort,
            wide: columns >= WIDE,
            words: columns >= WORDS,
            figure,
            remarks,
            marks_demo: false,
        }
    }
}

fn row(
    c: &mut Canvas<'_>,
    capture: &Capture,
    y: u16,
    columns: &Columns,
    chosen: bool,
    side: Option<&'static str>,
) {
    head(c, capture, y, columns, chosen);
    let mut at = 30;
    c.put_in(at, y, 8, of_version(capture, "–"), Role::Dim);
    at += 10;
    c.put(
        at,
        y,
        &capture
            .provenance
            .kind
            .map_or_else(String::new, |k| k.to_string()),
        Role::Text,
    );
    c.right(
        at + 10,
        y,
        &capture.provenance.window.map_or_else(String::new, window),
        Role::Text,
    );
    at += 12;
    if columns.remarks > 0 {
        remarks(c, capture, y, columns, side);
    }
    if columns.wide {
        if let Some(summary) = &capture.summary {
            c.right(
                SAMPLES,
                y,
                &units::thousands(i128::from(summary.samples)),
                Role::Text,
            );
        }
        at = SAMPLES + 3;
    }
    if columns.words {
        if capture.summary.is_some() {
            c.put(SAMPLES + 1, y, counts(capture), Role::Dim);
        }
        at += 9;
    }
    let Some(summary) = &capture.summary else {
        c.put_in(
            at,
            y,
            columns.figure.saturating_sub(at),
            "not read yet",
            Role::Dim,
        );
        return;
    };
    let bar = if columns.remarks > 0 { 8 } else { 0 };
    // A name that is cut to nothing says less than none.
    let room = Some(columns.figure.saturating_sub(at + 7 + bar))
        .filter(|room| *room >= NAME_MIN)
        .unwrap_or(0);
    match &summary.top {
        Some((name, _)) => {
            let share = top_share(capture);
            c.put_in(at, y, room, name, Role::Text);
            c.right(columns.figure, y, &points(share), Role::Text);
            if bar > 0 {
                let role = if share >= 0.25 {
                    Role::BarHot
                } else {
                    Role::BarWarm
                };
                c.bar(columns.figure.saturating_sub(13), y, 8, share, role);
            }
        }
        None => {
            c.put_in(at, y, room, without_top(summary), Role::Dim);
        }
    }
}

/// A window in at most five columns.
fn window(window: Duration) -> String {
    if window.as_secs() >= 10 {
        format!("{:.0} s", window.as_secs_f64())
    } else {
        seconds(window)
    }
}

/// When it was, and what it is of as far as the heading doesn't say so. The selection is drawn on the one of the two that
/// tells a row from its neighbours.
fn head(c: &mut Canvas<'_>, capture: &Capture, y: u16, columns: &Columns, chosen: bool) {
    let clock = clock(capture.provenance.answered_at);
    let clock = clock.get(..5).unwrap_or_default();
    let label = |c: &mut Canvas<'_>, x: u16, room: u16, text: &str| {
        if chosen {
            selected(c, x, y, room, text, true);
        } else {
            c.put_in(x + 1, y, room - 2, text, Role::Text);
        }
    };
    let ago = age(capture.provenance.answered_at, c.now.wall) + " ago";
    match columns.sort {
        HistorySort::Worker => {
            let when = when(
                day_of(capture.provenance.answered_at),
                day_of(c.now.wall),
                clock,
            );
            label(c, 2, 14, &when);
            if columns.remarks > 0 {
                c.put_in(17, y, 11, &ago, Role::Dim);
            } else if let Some((text, role)) = marks(capture, columns, None).into_iter().next() {
                c.put_in(17, y, 12, &text, role);
            }
        }
        HistorySort::Time => {
            c.put(3, y, clock, Role::Dim);
            label(
                c,
                9,
                20,
                capture
                    .keeping
                    .title
                    .as_ref()
                    .unwrap_or(&capture.target().worker),
            );
        }
        HistorySort::Share | HistorySort::Samples => {
            c.put_in(3, y, 11, &ago, Role::Dim);
            label(
                c,
                13,
                16,
                capture
                    .keeping
                    .title
                    .as_ref()
                    .unwrap_or(&capture.target().worker),
            );
        }
    }
}

/// What is to be said of a capture beside its figures, the most important first.
fn marks(capture: &Capture, columns: &Columns, side: Option<&str>) -> Vec<(String, Role)> {
    let keeping = &capture.keeping;
    let object = capture.target().object.as_ref();
    let few = capture
        .summary
        .as_ref()
        .is_some_and(|summary| summary.samples < FEW);
    let all = [
        side.map(|side| (side.to_owned(), Role::Accent)),
        keeping
            .damage
            .as_ref()
            .map(|_| ("damaged".to_owned(), Role::Warn)),
        (columns.marks_demo && capture.provenance.origin == Recorded::Demo)
            .then(|| ("demo".to_owned(), Role::Dim)),
        keeping.title.clone().map(|title| (title, Role::Text)),
        object.map(|object| {
            (
                object
                    .name
                    .as_deref()
                    .unwrap_or_else(|| short(&object.object_id))
                    .to_owned(),
                Role::Dim,
            )
        }),
        keeping.pinned.then(|| ("pinned".to_owned(), Role::Dim)),
        few.then(|| ("few samples".to_owned(), Role::Dim)),
        keeping.note.clone().map(|note| (note, Role::Dim)),
    ];
    all.into_iter().flatten().collect()
}

fn remarks(c: &mut Canvas<'_>, capture: &Capture, y: u16, columns: &Columns, side: Option<&str>) {
    let mut x = columns.figure + 3;
    let end = x + columns.remarks;
    let marks = marks(capture, columns, side);
    for (at, (text, role)) in marks.into_iter().enumerate() {
        let gap = if at == 0 { 0 } else { 2 };
        // A remark that would be cut to nothing says less than none.
        if end.saturating_sub(x + gap) < width(&text).min(4) {
            break;
        }
        x = c.put_in(x + gap, y, end.saturating_sub(x + gap), &text, role);
    }
}

/// The two that are marked, the older one first, where it is two.
fn pair(history: &History) -> Option<[&Capture; 2]> {
    history.marked().try_into().ok()
}

fn side(capture: &Capture, [base, new]: [&Capture; 2]) -> Option<&'static str> {
    let is = |other: &Capture| other.path == capture.path;
    if is(base) {
        Some("base")
    } else {
        is(new).then_some("new")
    }
}

/// What is wrong with the folder, without the names: they are longer than any screen is wide.
fn warning(history: &History) -> Option<String> {
    let files = match history.warnings.len() {
        0 => return None,
        1 => "1 file of the captures is".to_owned(),
        all => format!("{} files of the captures are", thousands(all)),
    };
    Some(format!(
        "{files} not as {} should be; `flarescope list captures` says which",
        if history.warnings.len() == 1 {
            "it"
        } else {
            "they"
        }
    ))
}

fn empty(c: &mut Canvas<'_>, state: &State) {
    let text = match (&state.history.load, state.history.filter.is_empty()) {
        (Load::Running(_), _) => "reading the folder…".into(),
        (Load::Failed(failure), _) => {
            message![
                failure.message.clone(),
                " ",
                Command::Refresh,
                " reads it again; `flarescope doctor` says what is wrong with it.",
            ]
        }
        (_, false) => message![
            "No capture matches; ",
            Command::Dismiss,
            " shows all again."
        ],
        (_, true) if state.history.deleted => {
            message![
                "No capture is left; ",
                Command::UndoDelete,
                " restores the one that was deleted last.",
            ]
        }
        (_, true) => {
            message![
                "No capture yet: ",
                Command::GoWorkers,
                " goes to the Workers, ",
                Command::Capture,
                " captures one.",
            ]
        }
    };
    let text = state.settings.keys.expand_keys(&text);
    c.put_wrapped(
        Room {
            x: 3,
            y: 3,
            width: c.columns().saturating_sub(4),
            end: c.rows().saturating_sub(2),
        },
        &text,
        Role::Text,
    );
}
