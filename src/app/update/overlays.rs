//! What stands in front of a screen: putting it there, closing it, bringing back what was beneath.

use crate::app::core::clock::Moment;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::overlays::{Overlay, Picker};
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::{capture, compare, prompt, traffic_wait};

/// Puts a sheet over what is in front; one that holds work comes back when this one is closed.
pub(in crate::app) fn over(state: &mut State, front: Overlay) -> Vec<Effect> {
    drop_preview(state);
    if let Some(
        Overlay::CaptureForm(_)
        | Overlay::CaptureProgress
        | Overlay::TrafficWait
        | Overlay::Failure(_)
        | Overlay::Export(_),
    ) = &state.front
    {
        state.beneath = state.front.take();
    }
    // The keys are the sheet's now.
    (state.front, state.input) = (Some(front), None);
    Vec::new()
}

/// Takes the sheets away where another screen comes; a running capture goes on in the header.
pub(in crate::app) fn leave_sheet(state: &mut State) {
    drop_preview(state);
    (state.front, state.beneath, state.input) = (None, None, None);
}

/// A theme that was only looked at is not in force.
pub(crate) fn drop_preview(state: &mut State) {
    if let Some(Overlay::Picker(Picker {
        before: Some(before),
        ..
    })) = &state.front
    {
        state.theme.name.clone_from(before);
    }
}

/// Brings the sheet beneath back, unless what it is about has ended.
pub(crate) fn uncover(state: &mut State) {
    state.front = state.beneath.take().filter(|front| match front {
        Overlay::CaptureProgress => state.capturing.is_some(),
        Overlay::TrafficWait => state.awaiting.is_some(),
        _ => true,
    });
}

/// Closes what is in front; with nothing in front, steps back from a search, a filter or a pane. Never leaves the program.
pub(crate) fn dismiss(state: &mut State, now: Moment) -> Vec<Effect> {
    drop_preview(state);
    match state.front.take() {
        Some(Overlay::CaptureProgress) => return capture::cancel(state, now.instant),
        Some(Overlay::TrafficWait) => return traffic_wait::cancel(state),
        Some(Overlay::ConfirmQuit) => {
            uncover(state);
            state.show_held();
        }
        Some(_) => uncover(state),
        None => match state.screen {
            Screen::Profile => {
                if let Some(profile) = state.profile.as_mut() {
                    if let Some(code) = &mut profile.code {
                        if code.search.is_empty() {
                            profile.code = None;
                        } else {
                            code.search.clear();
                        }
                    } else if profile.sandwich.is_some() {
                        profile.sandwich = None;
                    } else if profile.search.is_some() {
                        prompt::clear_search(profile);
                    } else if profile.compare.is_some() {
                        compare::end(state);
                    }
                }
            }
            Screen::Workers if state.workers.section != Section::List => {
                state.workers.section = Section::List
            }
            Screen::Workers if !state.workers.filter.is_empty() => {
                state.workers.filter.clear();
                state.workers.arrange();
            }
            Screen::History if !state.history.filter.is_empty() => {
                state.history.filter.clear();
                state.history.arrange();
            }
            Screen::History => state.history.marked.clear(),
            _ => {}
        },
    }
    Vec::new()
}
