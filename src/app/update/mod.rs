//! The one function that changes the state.

pub(crate) mod accounts;
pub(crate) mod capture;
mod capture_errors;
mod commands;
pub(crate) mod compare;
mod failure;
pub(crate) mod hints;
mod history;
pub(crate) mod local_runtime;
pub(crate) mod metrics;
pub(crate) mod mouse;
mod movement;
pub(crate) mod objects;
mod opening;
pub(crate) mod other_instances;
mod overlays;
pub(crate) mod path_completion;
pub(crate) mod preselect;
mod profile;
mod prompt;
mod responses;
mod start;
pub(crate) mod traffic_wait;
pub(crate) mod workers;

use crate::app::action::Action;
use crate::app::core::clock::Moment;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::state::State;

/// Applies one action. No clock, no input or output: time comes in, wishes go out.
pub fn update(state: &mut State, action: Action, now: Moment) -> Vec<Effect> {
    if matches!(
        action,
        Action::Run(_) | Action::Digit(_) | Action::Type(_) | Action::Click(..)
    ) {
        state.first_steps = false;
    }
    let by_hand = !matches!(action, Action::Done(..) | Action::Tick | Action::Resize(..));
    let works_unseen = matches!(action, Action::Run(command) if command.works_unseen());
    if by_hand && !works_unseen && crate::app::core::layout::is_too_small(state.size) {
        return Vec::new();
    }
    if by_hand {
        state.touched = Some(now.instant);
    }
    let mut wishes = match action {
        Action::Run(command) => {
            state.notice = None;
            let times = state.count.take().unwrap_or(1);
            commands::run(state, command, times, now)
        }
        Action::Digit(digit) if matches!(state.overlays.top(), Some(Overlay::Hints(_))) => {
            crate::app::update::hints::go_to(state, usize::from(digit).saturating_sub(1))
        }
        Action::Digit(digit) => {
            let count = state
                .count
                .unwrap_or(0)
                .saturating_mul(10)
                .saturating_add(u32::from(digit));
            state.count = Some(count.min(COUNT_MAX));
            Vec::new()
        }
        Action::Type(c) => {
            state.notice = None;
            prompt::insert(state, c.encode_utf8(&mut [0; 4]))
        }
        Action::Paste(pasted) => paste(state, &pasted, now),
        Action::Resize(columns, rows) => {
            state.size = (columns, rows);
            if let Some(profile) = &mut state.profile {
                profile.arrange(state.size);
                profile.show_selection();
            }
            Vec::new()
        }
        Action::Click(x, y) => {
            state.notice = None;
            crate::app::update::mouse::click(state, x, y, now)
        }
        Action::Wheel { down, x, y } => crate::app::update::mouse::wheel(state, down, x, y, now),
        Action::Tick => tick(state, now),
        Action::Done(id, result) => responses::answer(state, id, result, now),
    };
    settle(state);
    if by_hand {
        wishes.extend(crate::app::update::metrics::freshen(state, now));
    }
    wishes.extend(crate::app::update::hints::ask(state, now));
    wishes
}

/// What comes about by time alone: a pause that a server asked for is over, and what waited for that goes on.
fn tick(state: &mut State, now: Moment) -> Vec<Effect> {
    if let Some(Overlay::Failure(failure)) = state.overlays.top_mut()
        && failure.pause(now.instant).is_none()
    {
        failure.until = None;
    }
    capture::next_waiting(state, now.instant)
}

/// Puts pasted text into the line that is typed; without one, an object's id goes where it belongs.
fn paste(state: &mut State, pasted: &str, now: Moment) -> Vec<Effect> {
    use crate::app::core::session::Screen;
    use crate::app::overlays::capture_form::FormField;
    use crate::app::overlays::object_picker;
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form))
            if state.input.is_none() && form.field != FormField::Object =>
        {
            if let Ok(id) = crate::model::cloudflare::object_id64(pasted) {
                object_picker::take_object(form, None, &id);
            }
            Vec::new()
        }
        None if state.input.is_none() && state.screen == Screen::Workers => {
            objects::pasted(state, pasted, now)
        }
        _ => prompt::insert(state, pasted),
    }
}

/// Nobody repeats a command more often than this; a key held on a digit must not freeze the screen.
const COUNT_MAX: u32 = 99_999;

/// Brings what depends on the whole state in line after an action: scrolling, layout.
fn settle(state: &mut State) {
    let size = state.size;
    match state.screen {
        Screen::Workers => {
            let (list, _) = crate::app::core::layout::workers_geometry(size);
            // The head and the line that counts what is below.
            let rows = usize::from(list.height.saturating_sub(2));
            let workers = &mut state.workers;
            workers.selected = workers.selected.min(workers.order.len().saturating_sub(1));
            workers.offset = crate::app::screens::profile::table::scrolled(
                workers.offset,
                workers.selected,
                workers.order.len(),
                rows,
            );
        }
        Screen::History => {
            state.history.lay_out(usize::from(
                crate::app::core::layout::history_geometry(size).list.height,
            ));
        }
        Screen::Profile => {
            if let Some(profile) = &mut state.profile {
                profile.arrange(size);
            }
        }
        Screen::Welcome => {}
    }
    if let Some(Overlay::Picker(picker)) = state.overlays.top_mut() {
        picker.selected = picker.selected.min(picker.items.len().saturating_sub(1));
    }
}
