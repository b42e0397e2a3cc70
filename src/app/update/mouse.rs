//! What clicks and the wheel do. Keys do all of it too; the mouse is off until it is turned on.

use std::time::Duration;

use crate::app::action::Action;
use crate::app::core::clock::Moment;
use crate::app::core::layout::{history_geometry, workers_geometry};
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::screens::history::HistoryLine;
use crate::app::screens::profile::display::{Pane, Selection};
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;
use crate::model::graph::icicle::Content;

/// Two clicks on one cell within this time are a double click.
const DOUBLE: Duration = Duration::from_millis(400);
/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// Selects what is clicked; a double click opens it.
pub(crate) fn click(state: &mut State, x: u16, y: u16, now: Moment) -> Outcome {
    if !state.overlays.is_empty() || state.input.is_some() {
        return Outcome::default();
    }
    let is_double = state.mouse.last_click.is_some_and(|(at, column, row)| {
        (column, row) == (x, y) && now.instant.duration_since(at) <= DOUBLE
    });
    state.mouse.last_click = (!is_double).then_some((now.instant, x, y));
    match state.screen {
        Screen::Workers => click_worker(state, (x, y), is_double, now).into(),
        Screen::Profile => {
            click_profile(state, x, y, is_double);
            Outcome::default()
        }
        Screen::History => {
            let list = history_geometry(state.size).list;
            let line = list
                .holds(x, y)
                .then(|| state.history.offset + usize::from(y - list.y));
            let Some(&HistoryLine::Row(row)) = line.and_then(|line| state.history.lines.get(line))
            else {
                return Outcome::default();
            };
            state.history.selected = row;
            if is_double {
                Action::Run(Command::Open).into()
            } else {
                Outcome::default()
            }
        }
        Screen::Welcome => Outcome::default(),
    }
}

fn click_worker(
    state: &mut State,
    (x, y): (u16, u16),
    is_double: bool,
    now: Moment,
) -> Option<Effect> {
    if state.is_list_hidden() {
        return None;
    }
    let (list, _) = workers_geometry(state.size);
    if !(list.x..list.x + list.width).contains(&x) {
        return None;
    }
    let line = y
        .checked_sub(list.y + 1)
        .filter(|line| *line + 2 < list.height)?;
    let workers = &mut state.workers;
    let row = workers.offset + usize::from(line);
    if row >= workers.order.len() {
        return None;
    }
    workers.section = if is_double {
        Section::Details(0)
    } else {
        Section::List
    };
    workers.select(row);
    requests::rest_on_worker(state, now.instant)
}

fn click_profile(state: &mut State, x: u16, y: u16, double: bool) {
    let Some(profile) = state.profile.as_mut().filter(|p| p.sandwich.is_none()) else {
        return;
    };
    let (icicle, table) = (profile.geometry.icicle, profile.geometry.table);
    if icicle.holds(x, y) {
        profile.pane = Pane::Icicle;
        let column = x - icicle.x;
        let selection = match (y - icicle.y).checked_sub(1) {
            None => Some(Selection::Node(profile.zoom)),
            Some(row) => profile.layout.row(row).iter().find_map(|block| {
                (block.start..block.start + block.cells())
                    .contains(&column)
                    .then_some(match block.content {
                        Content::Frame(node) => Selection::Node(node),
                        Content::Collected(c) => Selection::Collected(c),
                    })
            }),
        };
        if let Some(selection) = selection {
            profile.select(selection);
            profile.follow_with_table();
            if double {
                profile.zoom_in();
            }
        }
    } else if table.holds(x, y) && y > table.y {
        let place = profile.table.offset + usize::from(y - table.y - 1);
        if place < profile.table.shown.len() {
            profile.pane = Pane::Table;
            profile.table.selected = place;
            profile.follow_with_icicle();
            if double && let Some(frame) = profile.table.current().map(|row| row.frame) {
                profile.show_in_icicle(frame, state.size);
            }
        }
    }
}

/// Scrolls by a notch of the wheel over a cell.
pub(crate) fn turn_wheel(
    state: &mut State,
    down: bool,
    x: u16,
    y: u16,
    now: Moment,
) -> Option<Effect> {
    if !state.overlays.is_empty() || state.input.is_some() {
        return None;
    }
    let step = if down { NOTCH } else { -NOTCH };
    match state.screen {
        Screen::Workers => {
            let workers = &mut state.workers;
            let last = workers.order.len().saturating_sub(1);
            workers.select(workers.selected.saturating_add_signed(step).min(last));
            return requests::rest_on_worker(state, now.instant);
        }
        Screen::History => {
            state.history.step(step);
        }
        Screen::Profile => {
            let Some(profile) = &mut state.profile else {
                return None;
            };
            if profile.geometry.table.holds(x, y) {
                profile.pane = Pane::Table;
                profile.table.step(step);
                profile.follow_with_icicle();
            } else {
                profile.scroll(step);
            }
        }
        Screen::Welcome => {}
    }
    None
}
