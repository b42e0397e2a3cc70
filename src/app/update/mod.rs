//! The one function that changes the state.

mod accounts;
mod capture;
mod clipboard;
mod commands;
mod export;
mod failure;
mod history;
mod mouse;
mod movement;
mod objects;
mod outcome;
mod overlays;
mod path_completion;
mod preselect;
mod profile;
mod prompt;
mod requests;
mod responses;
mod start;
mod workers;

use crate::app::action::Action;
use crate::app::core::clock::Moment;
use crate::app::core::layout::{history_geometry, is_too_small, scrolled, workers_geometry};
use crate::app::core::session::Screen;
use crate::app::core::text_input::Purpose;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::FormField;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::model::cloudflare::object_id64;

/// A command is repeated at most this often; a key held on a digit must not freeze the screen.
const COUNT_MAX: u32 = 99_999;
/// An action leads to at most this many others: none leads back to itself.
const STEPS_MAX: usize = 8;

/// Applies one action and all that it leads to. No clock, no I/O: time comes in, effects go out.
pub fn update(state: &mut State, action: Action, now: Moment) -> Vec<Effect> {
    if matches!(
        action,
        Action::Run(_) | Action::Digit(_) | Action::Type(_) | Action::Click(..)
    ) {
        state.first_steps = false;
    }
    let by_hand = !matches!(action, Action::Done(..) | Action::Tick | Action::Resize(..));
    let works_unseen = matches!(action, Action::Run(command) if command.works_unseen());
    if by_hand && !works_unseen && is_too_small(state.size) {
        return Vec::new();
    }
    if by_hand {
        state.keys.last_input_at = Some(now.instant);
    }
    let mut effects = Vec::new();
    let mut next = Some(action);
    for _ in 0..STEPS_MAX {
        let Some(action) = next.take() else { break };
        let outcome = step(state, action, now);
        effects.extend(outcome.effects);
        next = outcome.then;
    }
    settle(state);
    if by_hand {
        effects.extend(workers::metrics::refresh_if_old(state, now));
    }
    effects.extend(requests::hints(state, now));
    effects.extend(requests::since(state));
    effects
}

/// Hands an action to its feature.
fn step(state: &mut State, action: Action, now: Moment) -> Outcome {
    match action {
        Action::Run(command) => {
            state.notice = None;
            let times = state.keys.count.take().unwrap_or(1);
            commands::run(state, command, times, now)
        }
        Action::Unbound(key) => {
            commands::explain_key(state, key);
            Outcome::default()
        }
        Action::Digit(digit) if matches!(state.overlays.top(), Some(Overlay::Hints(_))) => {
            profile::hints::go_to(state, usize::from(digit).saturating_sub(1)).into()
        }
        Action::Digit(digit) => {
            let count = state
                .keys
                .count
                .unwrap_or(0)
                .saturating_mul(10)
                .saturating_add(u32::from(digit));
            state.keys.count = Some(count.min(COUNT_MAX));
            Outcome::default()
        }
        Action::Type(c) => {
            state.notice = None;
            insert(state, c.encode_utf8(&mut [0; 4]))
        }
        Action::Paste(pasted) => paste(state, &pasted),
        Action::Resize(columns, rows) => {
            state.size = (columns, rows);
            if let Some(profile) = &mut state.profile {
                profile.arrange(state.size);
                profile.show_selection();
            }
            Outcome::default()
        }
        Action::Click(x, y) => {
            state.notice = None;
            mouse::click(state, x, y, now)
        }
        Action::Wheel { down, x, y } => mouse::turn_wheel(state, down, x, y, now).into(),
        Action::Tick => tick(state, now),
        Action::Done(id, Ok(response)) => responses::on_response(state, id, response, now),
        Action::Done(id, Err(failure)) => responses::on_failure(state, id, failure, now),
        Action::StartBatch(batch) => capture::resume(state, *batch, now.instant).into(),
        Action::AwaitTraffic(batch) => capture::traffic_wait::begin(state, *batch, now).into(),
        Action::CaptureObject {
            namespace,
            object,
            kind,
        } => capture::form::open_on_object(state, namespace.as_deref(), &object, kind, now).into(),
        Action::ListObjects(class) => objects::open(state, &class).into(),
        Action::LeaveAccount => capture::leave_account(state).into(),
    }
}

/// What happens with time alone: a pause that a server asked for ends, and what waited for it goes on.
fn tick(state: &mut State, now: Moment) -> Outcome {
    if let Some(Overlay::Failure(failure)) = state.overlays.top_mut()
        && failure.pause(now.instant).is_none()
    {
        failure.until = None;
    }
    capture::start_waiting(state, now.instant).into()
}

/// Puts text into the line that is typed.
fn insert(state: &mut State, text: &str) -> Outcome {
    if prompt::insert(state, text) {
        follow(state);
    }
    Outcome::default()
}

/// Follows the typed text at once: the search lights up, the list narrows.
fn follow(state: &mut State) {
    match state.input.as_ref().map(|input| input.purpose) {
        Some(Purpose::Account) => accounts::narrow(state, true),
        Some(Purpose::Object) => objects::narrow(state, true),
        _ => prompt::follow(state),
    }
}

/// Puts pasted text into the line that is typed; without one, an object's id goes where it belongs.
fn paste(state: &mut State, pasted: &str) -> Outcome {
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form))
            if state.input.is_none() && form.field != FormField::Object =>
        {
            if let Ok(id) = object_id64(pasted) {
                form.choose_object(None, &id);
            }
            Outcome::default()
        }
        None if state.input.is_none() && state.screen == Screen::Workers => {
            objects::on_paste(state, pasted)
        }
        _ => insert(state, pasted),
    }
}

/// Adjusts what depends on the whole state after an action: scrolling, layout.
fn settle(state: &mut State) {
    let size = state.size;
    match state.screen {
        Screen::Workers => {
            let (list, _) = workers_geometry(size);
            // The head and the line that counts what is below.
            let rows = usize::from(list.height.saturating_sub(2));
            let workers = &mut state.workers;
            let count = workers.order.len();
            workers.selected = workers.selected.min(count.saturating_sub(1));
            workers.offset = scrolled(workers.offset, workers.selected, count, rows);
        }
        Screen::History => {
            let rows = usize::from(history_geometry(size).list.height);
            state.history.lay_out(rows);
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
