//! Showing a profile that was opened, and its export dialog.

use crate::app::action::Action;
use crate::app::core::dates;
use crate::app::core::ids::RequestId;
use crate::app::core::session::Screen;
use crate::app::keys::command::Command;
use crate::app::keys::message::{message, outside};
use crate::app::overlays::Overlay;
use crate::app::overlays::export_dialog::ExportDialog;
use crate::app::overlays::export_dialog::format::Format;
use crate::app::screens::profile::effect::Opened;
use crate::app::screens::profile::state::ProfileState;
use crate::app::state::State;
use crate::app::update::outcome::Outcome;
use crate::app::update::requests;

/// Shows a profile that was opened. One that was captured in the background is only announced.
pub(crate) fn on_opened(state: &mut State, id: RequestId, opened: Opened) -> Outcome {
    if state
        .profiles
        .exporting
        .take_if(|exporting| *exporting == id)
        .is_some()
    {
        export(state, opened);
        return Outcome::default();
    }
    // A capture that could be kept nowhere arrives like this.
    let running = &mut state.captures.running;
    let is_capture = running.take_if(|running| running.id == id).is_some();
    let opening = &mut state.profiles.opening;
    let is_awaited = opening.take_if(|opening| *opening == id).is_some();
    if !is_capture && !is_awaited {
        return Outcome::default();
    }
    if is_awaited || state.is_capture_watched() {
        show(state, opened);
    } else {
        hold(state, opened);
    }
    let outcome = Outcome::from(requests::list_captures(state));
    if is_capture {
        // What waits for the capture goes on.
        outcome.then(Action::Tick)
    } else {
        outcome
    }
}

fn show(state: &mut State, opened: Opened) {
    let (old, from) = (take_profile(state), state.screen);
    state.clear_overlays();
    state.show_opened(opened);
    if let (Some(profile), Some(old)) = (&mut state.profile, &old) {
        profile.inherit(old, state.size);
        if from == Screen::Profile {
            profile.back = old.back;
        }
    }
    state.hold(old);
}

/// Takes the open profile, or the one that a comparison suspended.
fn take_profile(state: &mut State) -> Option<ProfileState> {
    let suspended = state.profiles.suspended.take();
    let open = state.profile.take().filter(|old| old.compare.is_none());
    open.or(suspended.map(|suspended| *suspended))
}

/// Holds a profile that could be kept nowhere while the user does something else, and says how to get to it.
fn hold(state: &mut State, opened: Opened) {
    let name = opened.source.name.clone();
    let (shown, screen, notice) = (state.profile.take(), state.screen, state.notice.take());
    state.show_opened(opened);
    let held = std::mem::replace(&mut state.profile, shown);
    (state.screen, state.notice) = (screen, notice);
    state.hold(held);
    state.warn(message![
        outside(name),
        " is captured, but no folder could take it: ",
        Command::Quit,
        " asks first, and ",
        Command::Dismiss,
        " then shows it.",
    ]);
}

/// Opens the export dialog of a capture over the history.
fn export(state: &mut State, opened: Opened) {
    if state.screen != Screen::History || !state.overlays.is_empty() || state.input.is_some() {
        return;
    }
    let old = take_profile(state);
    let notice = state.notice.take();
    state.show_opened(opened);
    (state.screen, state.notice) = (Screen::History, notice);
    open_export(state);
    state.hold(old);
}

/// Opens the export dialog of the open profile.
pub(crate) fn open_export(state: &mut State) {
    if let Some(profile) = &state.profile {
        let dialog = export_dialog(profile, state.profiles.last_format);
        state.overlays.open(Overlay::Export(dialog));
    }
}

/// Proposes a file name from the target, the kind and the time of the capture.
fn export_dialog(profile: &ProfileState, last: Option<Format>) -> ExportDialog {
    let of_changes = profile.compare.is_some();
    let compared = if of_changes { "-compared" } else { "" };
    let source = &profile.source;
    let time = profile
        .taken_at()
        .map_or_else(String::new, |time| format!("-{}", dates::compact(time)));
    let kind = source.kind().to_string().replace(' ', "");
    let stem = format!("{}{compared}", source.export_stem());
    let nameless = format!("profile-{kind}{time}{compared}");
    let unit = profile.unit();
    let formats = Format::ALL.iter().copied();
    let formats = formats
        .filter(|format| format.can_hold(&unit, of_changes))
        .collect();
    ExportDialog::new(formats, last, [stem, nameless], of_changes)
}
