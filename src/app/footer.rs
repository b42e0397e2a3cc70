//! The last line: the rows of where the user is that do something there now, with the keys in force.

use std::borrow::Cow;

use crate::app::interpret::place;
use crate::app::keys::command::Command;
use crate::app::keys::context::Place;
use crate::app::keys::footer::{FooterRow, footer};
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::Form;
use crate::app::screens::workers::Section;
use crate::app::screens::workers::details::DetailRow;
use crate::app::state::State;
use crate::app::update::workers::detail_rows;
use crate::model::graph::call_tree::NodeId;
use crate::model::text::sanitize::printable;

/// Letters of a filter that the last row repeats at most.
const REPEATED: usize = 16;

/// Returns the rows of the last line where the user is, as keys and label: those that do something there now.
#[must_use]
pub fn footer_of(state: &State) -> Vec<(String, Cow<'static, str>)> {
    let place = place(state);
    let useful = footer(place)
        .iter()
        .filter(|row| is_useful(row, state, place));
    useful
        .filter_map(|row| {
            let keys = state.settings.keys.keys_of(row)?;
            Some((keys, label_in(row, state, place)))
        })
        .collect()
}

/// Returns whether the commands do something in this state.
fn is_useful(row: &FooterRow, state: &State, place: Place) -> bool {
    use Command as C;
    let Some(command) = row.commands().first() else {
        return true;
    };
    match (place, command) {
        (Place::Form, C::ServingVersion) => {
            form(state).is_some_and(|f| !f.is_local && (f.version > 0 || f.both))
        }
        // Both sides of a canary are captured once each.
        (Place::Form, C::OneMore) => form(state).is_some_and(|form| !form.both),
        (Place::Workers, C::Open | C::Capture) => state.workers.current().is_some(),
        (Place::Workers, C::NextPane) => !detail_rows(state).is_empty(),
        // A local runtime's isolates have no figures to be sorted by.
        (Place::Workers, C::Sort) => !state.is_local(),
        (Place::Code, C::Down) => {
            let code = state
                .profile
                .as_ref()
                .and_then(|profile| profile.code.as_ref());
            code.is_some_and(|code| code.last() > 1)
        }
        (
            Place::Icicle | Place::Table,
            C::Left | C::Down | C::ZoomIn | C::GoToFrame | C::Focus | C::Hide | C::Sandwich,
        ) => state
            .profile
            .as_ref()
            .is_some_and(|profile| profile.reading.tree.weight(NodeId::ROOT) > 0),
        (Place::AskQuit, C::CancelCapture) => state.capturing.is_some(),
        (Place::History, C::Dismiss) => !state.history.marked.is_empty(),
        (
            Place::Icicle | Place::Table | Place::Compare | Place::CompareTable,
            C::NextMatch | C::Dismiss,
        ) => {
            let search = state
                .profile
                .as_ref()
                .and_then(|profile| profile.search.as_ref());
            search.is_some_and(|search| !search.query.text.is_empty())
        }
        (_, C::UndoFilter) => state
            .profile
            .as_ref()
            .is_some_and(|profile| !profile.view.filters.is_empty()),
        _ => true,
    }
}

/// Returns the label in this state, where that depends on more than the place.
fn label_in(row: &FooterRow, state: &State, place: Place) -> Cow<'static, str> {
    use Command as C;
    let label = Cow::Borrowed(row.label());
    match (place, row.commands().first()) {
        (Place::History, Some(C::Open)) if state.history.marked.len() > 1 => {
            format!("open {} marked", state.history.marked.len()).into()
        }
        (Place::Workers, Some(C::Open)) => match state.workers.section {
            Section::Details(at) => match detail_rows(state).get(at) {
                Some(DetailRow::Version(_)) => "capture it".into(),
                Some(DetailRow::Namespace(_)) => "objects".into(),
                Some(DetailRow::Capture(_)) | None => label,
            },
            Section::List => label,
        },
        // Esc leaves the line as it was before it was opened.
        (Place::Filter | Place::Search, Some(C::CancelText)) => match before(state) {
            Some(before) if before.chars().count() <= REPEATED => {
                format!("keep {}", printable(before)).into()
            }
            Some(_) => "leave as it was".into(),
            None => label,
        },
        (Place::Note, Some(C::CancelText)) if before(state).is_some() => "leave as it was".into(),
        _ => label,
    }
}

/// What the line that is typed held when it was opened, if anything.
fn before(state: &State) -> Option<&str> {
    state
        .input
        .as_ref()
        .map(|input| input.before.as_str())
        .filter(|before| !before.is_empty())
}

fn form(state: &State) -> Option<&Form> {
    match state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => Some(form),
        _ => None,
    }
}
