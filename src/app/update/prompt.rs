//! The line that is being typed, in a search, a filter, the palette or a form's field.

use crate::app::core::session::Screen;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::interpret::{is_offered, screen_context};
use crate::app::keys::command::Command;
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::FormField;
use crate::app::overlays::export_dialog::ExportField;
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::{Picker, PickerItem};
use crate::app::screens::profile::source_view::CodeState;
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::model::text::units;

/// Returns the line that has the keys: the one at the bottom, or a form's field.
fn line(state: &mut State) -> Option<&mut Input> {
    if state.input.is_some() {
        return state.input.as_mut();
    }
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form)) if form.field == FormField::Object => {
            Some(&mut form.object)
        }
        Some(Overlay::Export(dialog)) if dialog.field == ExportField::File => {
            Some(&mut dialog.path)
        }
        _ => None,
    }
}

/// Inserts text at the cursor. Returns whether a line is open.
pub(crate) fn insert(state: &mut State, text: &str) -> bool {
    let Some(line) = line(state) else {
        return false;
    };
    if !line.insert(text) {
        let size = units::thousands(text.len() as i128);
        state.warn(format!("{size} bytes are too long for this line."));
    }
    true
}

/// Runs an editing command. Returns whether the text has changed.
pub(crate) fn edit(state: &mut State, command: Command) -> bool {
    line(state).is_some_and(|line| line.edit(command))
}

/// Follows the typed text at once: the search lights up, the list narrows.
pub(crate) fn follow(state: &mut State) {
    match (&state.input, state.overlays.top_mut()) {
        (None, Some(Overlay::CaptureForm(form))) => form.complaint = None,
        (None, Some(Overlay::Export(dialog))) => dialog.exists = false,
        _ => {}
    }
    let Some(input) = &state.input else { return };
    let text = input.text.clone();
    match input.purpose {
        Purpose::WorkerFilter => state.workers.filter_by(text),
        Purpose::HistoryFilter => {
            state.history.filter_by(text);
            state.history.selected = 0;
        }
        Purpose::Palette => {
            let context = screen_context(state);
            if let Some(Overlay::Picker(picker)) = state.overlays.top_mut() {
                *picker = Picker::commands(&text, |command| is_offered(context, command));
            }
        }
        purpose => {
            apply(state, purpose, text);
            preview(state);
        }
    }
}

/// Applies the text of a search or filter whose rows are not reordered by it.
fn apply(state: &mut State, purpose: Purpose, text: String) {
    match purpose {
        Purpose::Search => {
            if let Some(profile) = &mut state.profile {
                profile.search_for(text);
            }
        }
        Purpose::CodeSearch => {
            let size = state.size;
            if let Some(code) = code(state) {
                code.type_search(text, size);
            }
        }
        Purpose::HelpFilter => {
            if let Some(Overlay::Help(help)) = state.overlays.top_mut() {
                *help = HelpSheet {
                    row: 0,
                    filter: text,
                };
            }
        }
        Purpose::ThemeFilter => {
            if let Some(Overlay::Picker(picker)) = state.overlays.top_mut() {
                picker.narrow_themes(&state.theme.known, &state.theme.name, &text);
            }
        }
        _ => {}
    }
}

/// Previews the chosen theme, if a theme is being chosen.
fn preview(state: &mut State) {
    if let Some(Overlay::Picker(picker)) = state.overlays.top()
        && let Some(PickerItem::Theme(name)) = picker.items.get(picker.selected)
    {
        state.theme.name.clone_from(name);
    }
}

/// Returns the source on the screen, if it is shown.
fn code(state: &mut State) -> Option<&mut CodeState> {
    state.profile.as_mut()?.code.as_mut()
}

/// Leaves everything as it was before a line was opened.
pub(crate) fn undo(state: &mut State, input: Input) {
    match input.purpose {
        Purpose::Search => {
            if let Some(profile) = &mut state.profile {
                let search = profile.search.as_ref();
                let is_kept = search.is_some_and(|search| search.query.typed() == input.before);
                if !is_kept {
                    profile.search_for(input.before);
                }
                profile.clear_empty_search();
            }
        }
        Purpose::WorkerFilter => {
            state.workers.filter = input.before;
            state.workers.arrange();
        }
        Purpose::HistoryFilter => state.history.filter_by(input.before),
        Purpose::Palette | Purpose::Account | Purpose::Object => {
            state.close_overlay();
        }
        purpose => apply(state, purpose, input.before),
    }
}

/// Brings the last search into a line that is empty. Returns whether it did.
pub(crate) fn recall_search(state: &mut State) -> bool {
    let last = state.profile.as_ref().map(|profile| &profile.last_search);
    match (&mut state.input, last) {
        (Some(input), Some(last)) if input.text.is_empty() && !last.is_empty() => {
            input.insert(last);
            true
        }
        _ => false,
    }
}

/// Moves through the rows or matches while the line is typed.
pub(crate) fn walk(state: &mut State, step: isize) {
    let size = state.size;
    match state.input.as_ref().map(|input| input.purpose) {
        Some(Purpose::CodeSearch) => {
            if let Some(code) = code(state) {
                let _ = code.next(step < 0, size);
            }
        }
        Some(Purpose::WorkerFilter) => {
            let row = state.workers.selected.saturating_add_signed(step);
            state.workers.select(row);
        }
        Some(Purpose::HistoryFilter) => state.history.step(step),
        Some(Purpose::Palette | Purpose::ThemeFilter | Purpose::Account) => {
            if let Some(Overlay::Picker(picker)) = state.overlays.top_mut() {
                picker.step(step);
            }
            preview(state);
        }
        Some(Purpose::HelpFilter) => {
            if let Some(Overlay::Help(help)) = state.overlays.top_mut() {
                help.row = help.row.saturating_add_signed(step);
            }
        }
        _ => {}
    }
}

/// Opens the line of the search or filter that the user is at; most overlays have nothing to search.
pub(crate) fn open_search(state: &mut State) {
    let (purpose, text) = match (state.overlays.top(), state.screen) {
        (Some(Overlay::Help(help)), _) => (Purpose::HelpFilter, help.filter.clone()),
        (Some(Overlay::Picker(_)), _) => (Purpose::ThemeFilter, String::new()),
        (Some(_), _) | (None, Screen::Welcome) => return,
        (None, Screen::Workers) => {
            // What is filtered is the list.
            state.workers.section = Section::List;
            (Purpose::WorkerFilter, state.workers.filter.clone())
        }
        (None, Screen::History) => (Purpose::HistoryFilter, state.history.filter.clone()),
        (None, Screen::Profile) => match code(state) {
            Some(code) => {
                code.before = code.selected;
                (Purpose::CodeSearch, code.search.clone())
            }
            None => {
                let profile = state.profile.as_ref();
                let search = profile.and_then(|profile| profile.search.as_ref());
                let text = search.map(|search| search.query.typed().to_owned());
                (Purpose::Search, text.unwrap_or_default())
            }
        },
    };
    let mut input = Input::new(purpose, text);
    if purpose == Purpose::Search {
        // Another word is looked for as a rule; the last one comes back with a key.
        input.edit(Command::EraseLine);
    }
    state.input = Some(input);
}
