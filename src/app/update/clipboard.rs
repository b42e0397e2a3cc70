//! What the copy command copies.

use crate::app::core::session::Screen;
use crate::app::effect::Effect;
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
