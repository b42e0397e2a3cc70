//! What stands in front of a screen: putting it there, closing it, bringing back what was beneath.

use crate::app::core::clock::Moment;
use crate::app::core::session::Screen;
use crate::app::effect::Effect;
use crate::app::overlays::Overlay;
use crate::app::overlays::picker::Picker;
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::{capture, compare, prompt, traffic_wait};

/// Opens an overlay over the one in front, which comes back if it holds work.
pub(in crate::app) fn push(state: &mut State, overlay: Overlay) -> Vec<Effect> {
    drop_preview(state);
    state.overlays.push(overlay);
    // The keys are the overlay's now.
    state.input = None;
    Vec::new()
}

/// Closes all overlays where another screen comes; a running capture goes on in the header.
pub(in crate::app) fn clear(state: &mut State) {
    drop_preview(state);
    state.clear_overlays();
}

/// A theme that was only looked at is not in force.
pub(crate) fn drop_preview(state: &mut State) {
    if let Some(Overlay::Picker(Picker {
        before: Some(before),
        ..
    })) = state.overlays.top()
    {
        state.theme.name.clone_from(before);
    }
}

/// Closes the overlay in front and returns it; the one beneath comes back, unless what it is about has ended.
pub(crate) fn close(state: &mut State) -> Option<Overlay> {
    let closed = state.overlays.close();
    while match state.overlays.top() {
        Some(Overlay::CaptureProgress) => state.capturing.is_none(),
        Some(Overlay::TrafficWait) => state.awaiting.is_none(),
        _ => false,
    } {
        state.overlays.close();
    }
    closed
}

/// Closes what is in front; with nothing in front, steps back from a search, a filter or a pane. Never leaves the program.
pub(crate) fn dismiss(state: &mut State, now: Moment) -> Vec<Effect> {
    drop_preview(state);
    match close(state) {
        Some(Overlay::CaptureProgress) => return capture::cancel(state, now.instant),
        Some(Overlay::TrafficWait) => return traffic_wait::cancel(state),
        Some(Overlay::ConfirmQuit) => state.show_held(),
        Some(_) => {}
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
