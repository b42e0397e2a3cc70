//! What is done to captures on disk: names, notes, pins, deleting and bringing back, handing on.

use crate::app::keys::message::{message, outside};
use std::path::PathBuf;

use crate::app::action::Opened;
use crate::app::core::ids::RequestId;
use crate::app::core::session::Screen;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::keys::command::Command;
use crate::app::overlays::Overlay;
use crate::app::overlays::export_dialog::ExportDialog;
use crate::app::screens::profile::source::Source;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::model::cloudflare::{Amendment, Capture};

/// Does a command of the history to the selected capture.
pub(crate) fn run(state: &mut State, command: Command) -> Vec<Effect> {
    if command == Command::UndoDelete {
        return vec![Effect::BringBack(state.fresh_id())];
    }
    let Some(capture) = state.history.current().cloned() else {
        state.say("There is no capture here.");
        return Vec::new();
    };
    match command {
        Command::Rename => {
            let name = capture.keeping.title.unwrap_or_default();
            state.input = Some(Input::new(Purpose::Rename, name));
        }
        Command::Note => {
            let note = capture.keeping.note.unwrap_or_default();
            state.input = Some(Input::new(Purpose::Note, note));
        }
        Command::Pin => {
            let pinned = Amendment::Pinned(!capture.keeping.pinned);
            return vec![Effect::Amend(state.fresh_id(), Box::new(capture), pinned)];
        }
        Command::Delete => return vec![Effect::Delete(state.fresh_id(), Box::new(capture))],
        Command::Export => return open_for_export(state, capture),
        _ => {}
    }
    Vec::new()
}

/// Keeps the name or note that was typed for the selected capture; an empty one takes it away.
pub(crate) fn typed(state: &mut State, purpose: Purpose, text: &str) -> Vec<Effect> {
    let Some(capture) = state.history.current().cloned() else {
        return Vec::new();
    };
    let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let amendment = if purpose == Purpose::Note {
        Amendment::Note(text)
    } else {
        Amendment::Title(text)
    };
    vec![Effect::Amend(
        state.fresh_id(),
        Box::new(capture),
        amendment,
    )]
}

/// A capture was changed; shows how it now is.
pub(crate) fn amended(state: &mut State, capture: Capture, amendment: &Amendment) {
    let what = name(&capture);
    state.say(match amendment {
        Amendment::Title(Some(title)) => format!("It is called {title} now."),
        Amendment::Title(None) => {
            format!("It goes by its Worker's name again: {}.", capture.worker)
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

/// A capture was deleted, and can be brought back for so many days.
pub(crate) fn deleted(state: &mut State, capture: &Capture, days: u64) {
    state.history.take_out(&capture.path);
    state.history.deleted = true;
    state.say(message![
        outside(name(capture)),
        " is deleted; ",
        Command::UndoDelete,
        format!(" restores it for {days} days, also in a later session."),
    ]);
}

/// The capture that was deleted last is back, if there was one.
pub(crate) fn brought_back(state: &mut State, capture: Option<Capture>) {
    let Some(capture) = capture else {
        return state.say("There is no deleted capture to bring back.");
    };
    let path: PathBuf = capture.path.clone();
    state.history.deleted = false;
    state.say(format!("{} is back.", name(&capture)));
    state.history.put_one(capture);
    state.history.select(&path);
}

/// What a capture is called in a sentence.
fn name(capture: &Capture) -> String {
    let what = capture.keeping.title.as_ref().unwrap_or(&capture.worker);
    let clock = crate::app::core::dates::clock(capture.answered_at);
    format!("{what} of {}", clock.get(..5).unwrap_or_default())
}

/// Reads the selected capture, to write it in another format without leaving the history.
fn open_for_export(state: &mut State, capture: Capture) -> Vec<Effect> {
    let id = state.fresh_id();
    state.exporting = Some(id);
    vec![Effect::OpenCapture(id, Box::new(capture))]
}

/// Puts the export sheet of a profile that was read for it over the history. Answers the profile where it was read for
/// something else.
pub(crate) fn opened_for_export(
    state: &mut State,
    id: RequestId,
    opened: Opened,
) -> Option<Opened> {
    if state.exporting != Some(id) {
        return Some(opened);
    }
    state.exporting = None;
    if state.screen == Screen::History && state.overlays.is_empty() && state.input.is_none() {
        let Opened {
            profile,
            capture,
            name,
            path,
            members,
            names,
            view,
            reading,
            ..
        } = opened;
        let source = Source {
            profile,
            capture,
            name,
            path,
            members,
            names,
        };
        let profile = ProfileState::new(source, view, reading, state.size);
        state
            .overlays
            .open(Overlay::Export(ExportDialog::new(&profile)));
        let aside = state.aside.take().map(|aside| *aside);
        let old = state.profile.replace(profile);
        state.hold(old.filter(|old| old.compare.is_none()).or(aside));
    }
    None
}
