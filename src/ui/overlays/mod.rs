//! The overlays: which one is drawn, and where.

pub(crate) mod account_picker;
pub(crate) mod capture_facts;
pub(crate) mod capture_form;
pub(crate) mod capture_progress;
pub(crate) mod confirm_quit;
pub(crate) mod details;
pub(crate) mod export_dialog;
pub(crate) mod failure;
pub(crate) mod help;
pub(crate) mod hints_list;
pub(crate) mod object_picker;
pub(crate) mod picker;
pub(crate) mod traffic_wait;

use crate::app::{Overlay, Screen, State, workers_geometry};
use crate::ui::screens::worker_panel;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::chrome::{Sheet, sheet};

/// Draws the overlay in front, if one is.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    match state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => capture_form::draw(c, state, form),
        Some(Overlay::CaptureProgress) => {
            if let Some(running) = &state.captures.running {
                capture_progress::draw(c, state, running);
            }
        }
        Some(Overlay::TrafficWait) => {
            if let Some(awaiting) = &state.captures.traffic_wait {
                traffic_wait::draw(c, state, awaiting);
            }
        }
        Some(Overlay::ConfirmQuit) => confirm_quit::draw(c, state),
        Some(Overlay::Failure(failure)) => failure::draw(c, state, failure),
        Some(Overlay::Export(dialog)) => export_dialog::draw(c, state, dialog),
        Some(Overlay::Picker(picker)) => picker::draw(c, state, picker),
        Some(Overlay::Hints(selected)) => {
            if let Some(profile) = &state.profile {
                hints_list::draw(c, profile, &state.settings.keys, *selected);
            }
        }
        Some(Overlay::Details(_)) => {
            if let Some(profile) = &state.profile {
                capture_facts::draw(c, state, profile);
            }
        }
        Some(Overlay::Help(_)) | None => {}
    }
}

/// Puts an overlay of that many rows where it belongs: below the versions on a wide list, over the table of a profile, else
/// over the lower rows.
pub(crate) fn place(
    c: &mut Canvas<'_>,
    state: &State,
    rows: u16,
    title: &str,
    role: Role,
) -> Sheet {
    let (columns, height) = state.size;
    if state.screen == Screen::Workers && columns >= 100 {
        let (_, pane) = workers_geometry(state.size);
        c.clear(
            pane.x - 1,
            pane.y,
            pane.width + 2,
            height.saturating_sub(pane.y + 1),
        );
        let y = worker_panel::draw(c, state, pane, true).min(height.saturating_sub(rows + 2));
        return sheet(c, pane.x, y, pane.width, title, role);
    }
    let least = height.saturating_sub(rows + 2);
    let over_table = state
        .profile
        .as_ref()
        .filter(|_| state.screen == Screen::Profile)
        .map(|p| p.geometry)
        .filter(|g| !g.beside && g.table.height > 0)
        .map_or(least, |g| g.table.y.min(least));
    sheet(c, 1, over_table, columns.saturating_sub(2), title, role)
}
