//! The last line: the rows of where the user is that do something there now, with the keys in force.

use std::borrow::Cow;

use crate::app::interpret::{help_context, key_context};
use crate::app::keys::command::Command;
use crate::app::keys::context::KeyContext;
use crate::app::keys::footer::{FooterRow, footer};
use crate::app::keys::help::help_page;
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::CaptureForm;
use crate::app::screens::workers::{DetailRow, Section};
use crate::app::state::State;
use crate::model::graph::call_tree::NodeId;
use crate::model::text::sanitize::printable;

/// Letters of a filter that the last row repeats at most.
const REPEATED: usize = 16;

/// Keys with their label, as the last line shows them.
#[derive(Debug)]
pub struct FooterKeys {
    /// The keys in force.
    pub keys: String,
    /// What they do here.
    pub label: Cow<'static, str>,
    /// Whether they are left out first where there is no room for all.
    pub is_extra: bool,
}

/// Returns the rows of the last line where the user is: those that do something there now.
#[must_use]
pub fn footer_of(state: &State) -> Vec<FooterKeys> {
    let context = key_context(state);
    let useful = footer(context)
        .iter()
        .filter(|row| is_useful(row, state, context));
    useful
        .filter_map(|row| {
            Some(FooterKeys {
                keys: state.settings.keys.keys_of(row)?,
                label: label_in(row, state, context),
                is_extra: matches!(row, FooterRow::Extra(..)),
            })
        })
        .collect()
}

/// Returns whether the commands do something in this state.
fn is_useful(row: &FooterRow, state: &State, context: KeyContext) -> bool {
    use Command as C;
    let Some(command) = row.commands().first() else {
        return true;
    };
    match (context, command) {
        (KeyContext::Form, C::ServingVersion) => {
            form(state).is_some_and(|f| !f.is_local && (f.version > 0 || f.both))
        }
        (KeyContext::Form, C::NextClass) => {
            form(state).is_some_and(|form| !form.details.namespaces.is_empty())
        }
        // Both sides of a canary are captured once each.
        (KeyContext::Form, C::OneMore) => form(state).is_some_and(|form| !form.both),
        (KeyContext::Workers, C::Open | C::Capture) => state.workers.current().is_some(),
        (KeyContext::Workers, C::NextPane) => !state.detail_rows().is_empty(),
        // A local runtime's isolates have no figures to be sorted by.
        (KeyContext::Workers, C::Sort) => !state.is_local(),
        (KeyContext::Code, C::Down) => {
            let code = state
                .profile
                .as_ref()
                .and_then(|profile| profile.code.as_ref());
            code.is_some_and(|code| code.last() > 1)
        }
        (
            KeyContext::Icicle | KeyContext::Table,
            C::Left | C::Down | C::ZoomIn | C::GoToFrame | C::Focus | C::Hide | C::Sandwich,
        ) => state
            .profile
            .as_ref()
            .is_some_and(|profile| profile.reading.tree.weight(NodeId::ROOT) > 0),
        // A page has nothing to scroll, nor have the facts of the whole.
        (KeyContext::Help, C::Down) => {
            let filter = match state.overlays.top() {
                Some(Overlay::Help(sheet)) => sheet.filter.as_str(),
                _ => "",
            };
            !filter.is_empty() || help_page(help_context(state), &state.settings.keys).is_none()
        }
        (KeyContext::Details, C::Down | C::CopyName) => state
            .profile
            .as_ref()
            .is_some_and(|profile| profile.selected_frame().is_some()),
        (KeyContext::AskQuit, C::CancelCapture) => state.captures.running.is_some(),
        (KeyContext::History, C::Dismiss) => !state.history.marked.is_empty(),
        (
            KeyContext::Icicle | KeyContext::Table | KeyContext::Compare | KeyContext::CompareTable,
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
fn label_in(row: &FooterRow, state: &State, context: KeyContext) -> Cow<'static, str> {
    use Command as C;
    let label = Cow::Borrowed(row.label());
    match (context, row.commands().first()) {
        (KeyContext::History, Some(C::Open)) if state.history.marked.len() > 1 => {
            format!("open {} marked", state.history.marked.len()).into()
        }
        (KeyContext::Workers, Some(C::Open)) => match state.workers.section {
            Section::Details(at) => match state.detail_rows().get(at) {
                Some(DetailRow::Version(_)) => "capture it".into(),
                Some(DetailRow::Namespace(_)) => "objects".into(),
                Some(DetailRow::Capture(_)) | None => label,
            },
            Section::List => label,
        },
        // Esc leaves the line as it was before it was opened.
        (KeyContext::Filter | KeyContext::Search, Some(C::CancelText)) => match before(state) {
            Some(before) if before.chars().count() <= REPEATED => {
                format!("keep {}", printable(before)).into()
            }
            Some(_) => "leave as it was".into(),
            None => label,
        },
        (KeyContext::Note, Some(C::CancelText)) if before(state).is_some() => {
            "leave as it was".into()
        }
        _ => label,
    }
}

/// Returns what the line that is typed held when it was opened, if anything.
fn before(state: &State) -> Option<&str> {
    state
        .input
        .as_ref()
        .map(|input| input.before.as_str())
        .filter(|before| !before.is_empty())
}

fn form(state: &State) -> Option<&CaptureForm> {
    match state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => Some(form),
        _ => None,
    }
}
