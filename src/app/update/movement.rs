//! Moving: rows, fields, panes, in whatever is in front.

use crate::app::core::clock::Moment;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::overlays::Overlay;
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::PickerItem;
use crate::app::screens::workers::{DetailRow, Section};
use crate::app::state::State;
use crate::app::update::requests;

/// Moves in what is in front: rows, fields, frames.
pub(crate) fn walk(state: &mut State, command: Command, times: u32, now: Moment) -> Option<Effect> {
    let page = isize::try_from(state.size.1.saturating_sub(6).max(1)).unwrap_or(1);
    let count = isize::try_from(times).unwrap_or(isize::MAX);
    let step = match command {
        Command::Down => 1,
        Command::Up => -1,
        Command::PageDown => page,
        Command::PageUp => -page,
        Command::HalfPageDown => page / 2,
        Command::HalfPageUp => -(page / 2),
        Command::First => isize::MIN / 2,
        Command::Last => isize::MAX / 2,
        _ => 0,
    }
    .saturating_mul(count);
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form)) => {
            match command {
                Command::Left => form.change(-1),
                Command::Right => form.change(1),
                _ => form.move_focus(step),
            }
            return requests::largest_objects(state);
        }
        Some(Overlay::Export(dialog)) => match command {
            Command::Left => dialog.change(-1),
            Command::Right => dialog.change(1),
            Command::Down => dialog.tab(false),
            Command::Up => dialog.tab(true),
            _ => {}
        },
        Some(Overlay::Help(HelpSheet { row, .. }) | Overlay::Details(row)) => {
            *row = row.saturating_add_signed(step)
        }
        Some(Overlay::Hints(at)) => {
            let last = state
                .profile
                .as_ref()
                .map_or(0, |profile| profile.hints.list.len().saturating_sub(1));
            *at = at.saturating_add_signed(step).min(last);
        }
        Some(Overlay::Picker(picker)) => {
            picker.step(step);
            if let Some(PickerItem::Theme(name)) = picker.items.get(picker.selected) {
                state.theme.name.clone_from(name);
            }
        }
        Some(_) => {}
        None => return walk_screen(state, command, step, times, now),
    }
    None
}

fn walk_screen(
    state: &mut State,
    command: Command,
    step: isize,
    times: u32,
    now: Moment,
) -> Option<Effect> {
    match state.screen {
        Screen::Workers => {
            let rows = state.detail_rows().len();
            let workers = &mut state.workers;
            match (workers.section, command) {
                (Section::List, Command::Right) if rows > 0 => {
                    workers.section = Section::Details(0)
                }
                (_, Command::Left) => workers.section = Section::List,
                (_, Command::Right) => {}
                (Section::List, _) => {
                    workers.select(workers.selected.saturating_add_signed(step));
                    return requests::rest_on_worker(state, now.instant);
                }
                (Section::Details(at), _) => {
                    workers.wanted = None;
                    workers.section = Section::Details(
                        at.saturating_add_signed(step).min(rows.saturating_sub(1)),
                    );
                }
            }
        }
        Screen::History => {
            state.history.step(step);
        }
        Screen::Profile => {
            if let Some(profile) = &mut state.profile {
                match &mut profile.code {
                    Some(code) => code.walk(command, times, state.size),
                    None => profile.walk(command, times),
                }
            }
        }
        Screen::Welcome => {}
    }
    None
}

/// Moves the focus to the next pane of a screen, or field of a form.
pub(crate) fn next_pane(state: &mut State, backwards: bool) {
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form)) => form.tab(backwards),
        Some(Overlay::Export(dialog)) => dialog.tab(backwards),
        Some(_) => {}
        None => match state.screen {
            Screen::Workers => state.workers.section = next_section(state, backwards),
            Screen::Profile => {
                if let Some(profile) = state
                    .profile
                    .as_mut()
                    .filter(|p| p.sandwich.is_none() && p.code.is_none())
                {
                    profile.next_pane();
                }
            }
            Screen::History | Screen::Welcome => {}
        },
    }
}

/// Returns the first row of the next section: list, versions, objects, captures, list.
fn next_section(state: &State, backwards: bool) -> Section {
    let rows = state.detail_rows();
    let class = |row: &DetailRow<'_>| match row {
        DetailRow::Version(_) => 0,
        DetailRow::Namespace(_) => 1,
        DetailRow::Capture(_) => 2,
    };
    let mut starts = vec![Section::List];
    for (at, row) in rows.iter().enumerate() {
        if at == 0 || class(row) != class(&rows[at - 1]) {
            starts.push(Section::Details(at));
        }
    }
    let here = match state.workers.section {
        Section::List => 0,
        Section::Details(at) => starts
            .iter()
            .rposition(|start| matches!(start, Section::Details(first) if *first <= at))
            .unwrap_or(0),
    };
    let step = if backwards { starts.len() - 1 } else { 1 };
    starts[(here + step) % starts.len()]
}
