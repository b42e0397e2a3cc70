//! What the copy command copies.

use crate::app::core::session::Screen;
use crate::app::effect::{EditorJob, Effect};
use crate::app::keys::message::{message, outside};
use crate::app::overlays::Overlay;
use crate::app::screens::profile::state::ProfileState;
use crate::app::screens::workers::{DetailRow, Section};
use crate::app::state::State;
use crate::app::update::requests;
use crate::model::text::sanitize::printable;

/// Copies the name, id or path of what is selected, or the text of what is in front.
pub(crate) fn copy_selected(state: &mut State) -> Option<Effect> {
    let text = selected(state)?;
    Some(requests::copy(state, &text))
}

/// Opens the editor at the selected function or line. Text of a source map is in no file: only its place is copied.
pub(crate) fn open_editor(state: &mut State) -> Option<Effect> {
    let profile = state.profile.as_ref()?;
    let job = match &profile.code {
        Some(code) => {
            let is_file = code
                .shown
                .code
                .as_ref()
                .is_none_or(|code| code.read_from.is_some());
            EditorJob {
                root: profile.source_root.clone().filter(|_| is_file),
                file: code.shown.file.clone(),
                line: code.selected,
                place: format!("{}:{}", code.shown.file, code.selected),
            }
        }
        None => {
            let info = profile.reading.frames.info(profile.selected_frame()?);
            if info.file.is_empty() {
                let name = outside(info.name.to_owned());
                state.say(message![name, " has no file."]);
                return None;
            }
            EditorJob {
                root: profile.source_root.clone(),
                file: info.file.to_owned(),
                line: info.line.unwrap_or(1),
                place: info.place(),
            }
        }
    };
    Some(Effect::OpenEditor(state.fresh_id(), Box::new(job)))
}

fn selected(state: &State) -> Option<String> {
    match (state.overlays.top(), state.screen) {
        (Some(Overlay::Failure(failure)), _) => {
            // Its lines stay lines.
            Some(state.settings.keys.expand_keys(&failure.text()))
        }
        (Some(Overlay::Hints(at)), _) => {
            let hint = state.profile.as_ref()?.hints.list.get(*at)?;
            Some(format!("{}\n{}", hint.text, hint.why))
        }
        (_, Screen::Workers) => match state.workers.section {
            Section::List => Some(printable(&state.workers.current()?.name).into_owned()),
            Section::Details(at) => Some(match state.detail_rows().get(at)? {
                DetailRow::Version(version) => version.id.clone(),
                DetailRow::Namespace(class) => class.namespace.id.clone(),
                DetailRow::Capture(capture) => {
                    printable(&capture.path.to_string_lossy()).into_owned()
                }
            }),
        },
        (_, Screen::History) => {
            let path = &state.history.current()?.path;
            Some(printable(&path.to_string_lossy()).into_owned())
        }
        (_, Screen::Profile) => selected_in(state.profile.as_ref()?),
        (_, Screen::Welcome) => None,
    }
}

fn selected_in(profile: &ProfileState) -> Option<String> {
    Some(match &profile.code {
        Some(code) => printable(code.line()?.trim()).into_owned(),
        None => {
            let frame = profile.selected_frame()?;
            printable(profile.reading.frames.name(frame)).into_owned()
        }
    })
}
