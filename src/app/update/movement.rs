//! Moving about: rows, fields, panes, in whatever is in front.

use crate::app::core::clock::Moment;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::overlays::Overlay;
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::PickerItem;
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::workers::detail_rows;
use crate::app::update::{objects, workers};

pub(crate) fn walk(state: &mut State, command: Command, times: u32, now: Moment) -> Vec<Effect> {
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
            return Vec::from_iter(objects::want_largest(state));
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
    Vec::new()
}

fn walk_screen(
    state: &mut State,
    command: Command,
    step: isize,
    times: u32,
    now: Moment,
) -> Vec<Effect> {
    match state.screen {
        Screen::Workers => {
            let rows = detail_rows(state).len();
            let workers = &mut state.workers;
            match (workers.section, command) {
                (Section::List, Command::Right) if rows > 0 => {
                    workers.section = Section::Details(0)
                }
                (_, Command::Left) => workers.section = Section::List,
                (_, Command::Right) => {}
                (Section::List, _) => {
                    workers.select(workers.selected.saturating_add_signed(step));
                    return workers::rest(state, now.instant);
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
    Vec::new()
}

pub(crate) fn next_pane(state: &mut State, backwards: bool) -> Vec<Effect> {
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form)) => form.tab(backwards),
        Some(Overlay::Export(dialog)) => dialog.tab(backwards),
        Some(_) => {}
        None => match state.screen {
            Screen::Workers => state.workers.section = workers::next_section(state, backwards),
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
    Vec::new()
}
