//! Changing captures on disk: names, notes, pins, deleting and restoring.

use crate::app::core::clock::Moment;
use crate::app::core::ids::RequestId;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::load::Load;
use crate::app::load::failure::Failure;
use crate::app::screens::history::effect::{HistoryEffect, HistoryResponse};
use crate::app::screens::profile::effect::ProfileEffect;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;
use crate::model::cloudflare::{Amendment, Capture};

/// Runs a command on the selected capture.
pub(crate) fn run(state: &mut State, command: Command) -> Option<Effect> {
    if command == Command::UndoDelete {
        return Some(request(state, HistoryEffect::Restore));
    }
    let Some(capture) = state.history.current().cloned() else {
        state.say("There is no capture here.");
        return None;
    };
    match command {
        Command::Rename => {
            let name = capture.keeping.title.unwrap_or_default();
            state.input = Some(Input::new(Purpose::Rename, name));
            None
        }
        Command::Note => {
            let note = capture.keeping.note.unwrap_or_default();
            state.input = Some(Input::new(Purpose::Note, note));
            None
        }
        Command::Pin => {
            let pin = Amendment::Pinned(!capture.keeping.pinned);
            Some(request(state, HistoryEffect::Amend(Box::new(capture), pin)))
        }
        Command::Delete => Some(request(state, HistoryEffect::Delete(Box::new(capture)))),
        // The export dialog opens over the history once the capture is read.
        Command::Export => {
            let id = state.fresh_id();
            state.profiles.exporting = Some(id);
            let effect = ProfileEffect::OpenCapture(Box::new(capture));
            Some(Effect::Profile(id, effect))
        }
        _ => None,
    }
}

fn request(state: &mut State, effect: HistoryEffect) -> Effect {
    Effect::History(state.fresh_id(), effect)
}

/// Opens the marked captures as one, else the selected one.
pub(crate) fn open(state: &mut State) -> Option<Effect> {
    let marked: Vec<Capture> = state.history.marked().into_iter().cloned().collect();
    if marked.len() > 1 {
        // The marks are used up: the next time the selected row opens again.
        state.history.marked.clear();
        return Some(requests::open_merged(state, &marked));
    }
    let capture = state.history.current().cloned()?;
    Some(requests::open_capture(state, Box::new(capture)))
}

/// Clears the filter, or without one the marks.
pub(crate) fn step_back(state: &mut State) {
    if state.history.filter.is_empty() {
        state.history.marked.clear();
    } else {
        state.history.filter_by(String::new());
    }
}

/// Stores the name or note that was typed for the selected capture; an empty text removes it.
pub(crate) fn amend(state: &mut State, purpose: Purpose, text: &str) -> Option<Effect> {
    let capture = state.history.current().cloned()?;
    let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let amendment = if purpose == Purpose::Note {
        Amendment::Note(text)
    } else {
        Amendment::Title(text)
    };
    Some(request(
        state,
        HistoryEffect::Amend(Box::new(capture), amendment),
    ))
}

/// Updates the list.
pub(crate) fn on_response(state: &mut State, id: RequestId, response: HistoryResponse) {
    match response {
        HistoryResponse::List(captures, warnings) => {
            if state.history.load.awaits(id) {
                state.history.put(captures, warnings);
            }
        }
        HistoryResponse::Amended(capture, amendment) => on_amended(state, *capture, &amendment),
        HistoryResponse::Deleted(capture, days) => on_deleted(state, &capture, days),
        HistoryResponse::Restored(capture) => on_restored(state, capture.map(|capture| *capture)),
    }
}

/// The list could not be loaded.
pub(crate) fn on_failure(
    state: &mut State,
    id: RequestId,
    failure: Failure,
    _: Moment,
) -> Result<Outcome, Failure> {
    if !state.history.load.awaits(id) {
        return Err(failure);
    }
    state.history.load = Load::Failed(Box::new(failure));
    Ok(Outcome::default())
}

fn on_amended(state: &mut State, capture: Capture, amendment: &Amendment) {
    let what = name(&capture);
    state.say(match amendment {
        Amendment::Title(Some(title)) => format!("It is called {title} now."),
        Amendment::Title(None) => {
            format!(
                "It goes by its Worker's name again: {}.",
                capture.target().worker
            )
        }
        Amendment::Note(Some(_)) => format!("The note on {what} is kept."),
        Amendment::Note(None) => format!("There is no note on {what} now."),
        Amendment::Pinned(true) => {
            format!("{what} is pinned: pruning and the quota leave it alone.")
        }
        Amendment::Pinned(false) => format!("{what} is not pinned any more."),
    });
    if let Some(open) = state
        .profile
        .as_mut()
        .and_then(|profile| profile.source.capture.as_mut())
        && open.path == capture.path
    {
        open.keeping = capture.keeping.clone();
    }
    state.history.put_one(capture);
}

/// Says that a capture was deleted, and for how many days it can be restored.
fn on_deleted(state: &mut State, capture: &Capture, days: u64) {
    state.history.take_out(&capture.path);
    state.history.deleted = true;
    state.say(message![
        outside(name(capture)),
        " is deleted; ",
        Command::UndoDelete,
        format!(" restores it for {days} days, also in a later session."),
    ]);
}

fn on_restored(state: &mut State, capture: Option<Capture>) {
    let Some(capture) = capture else {
        return state.say("There is no deleted capture to bring back.");
    };
    let path = capture.path.clone();
    state.history.deleted = false;
    state.say(format!("{} is back.", name(&capture)));
    state.history.put_one(capture);
    state.history.select(&path);
}

/// Returns what a capture is called in a sentence.
fn name(capture: &Capture) -> String {
    let what = capture
        .keeping
        .title
        .as_ref()
        .unwrap_or(&capture.target().worker);
    let clock = crate::app::core::dates::clock(capture.provenance.answered_at);
    format!("{what} of {}", clock.get(..5).unwrap_or_default())
}
