//! The line that is being typed, in a search, a filter, the palette or a form's field.

use crate::app::core::clock::Moment;
use crate::app::core::session::Screen;
use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::keys::command::{COMMANDS, Command};
use crate::app::overlays::Overlay;
use crate::app::overlays::capture_form::{Form, FormField};
use crate::app::overlays::export_dialog::ExportField;
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::{Picker, PickerItem};
use crate::app::screens::profile::search::Search;
use crate::app::screens::workers::Section;
use crate::app::state::State;
use crate::app::update::{accounts, objects};
use crate::model::query::search::Query;

/// The line that has the keys: the one at the bottom, or a form's field.
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

/// Puts text in at the cursor.
pub(crate) fn insert(state: &mut State, added: &str) -> Vec<Effect> {
    if let Some(line) = line(state) {
        line.insert(added);
        changed(state);
    }
    Vec::new()
}

/// Does an editing command.
pub(crate) fn edit(state: &mut State, command: Command) -> Vec<Effect> {
    if let Some(line) = line(state)
        && line.edit(command)
    {
        changed(state);
    }
    Vec::new()
}

/// Follows the typed text at once: the search lights up, the list narrows.
fn changed(state: &mut State) {
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form)) if state.input.is_none() => form.complaint = None,
        Some(Overlay::Export(dialog)) if state.input.is_none() => dialog.exists = false,
        _ => {}
    }
    let Some(input) = &state.input else { return };
    let text = input.text.clone();
    match input.purpose {
        Purpose::Search => search(state, text),
        Purpose::CodeSearch => {
            if let Some(code) = state
                .profile
                .as_mut()
                .and_then(|profile| profile.code.as_mut())
            {
                code.type_search(text, state.size);
            }
        }
        Purpose::WorkerFilter => {
            state.workers.filter_by(text);
        }
        Purpose::HistoryFilter => {
            state.history.filter = text;
            state.history.arrange();
            state.history.selected = 0;
        }
        Purpose::Palette => {
            let behind = crate::app::interpret::behind(state);
            if let Some(Overlay::Picker(picker)) = state.overlays.top_mut() {
                *picker = Picker::commands(&text, |c| crate::app::interpret::is_offered(behind, c));
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
            preview(state);
        }
        Purpose::Account => accounts::narrow(state, true),
        Purpose::Object => objects::narrow(state, true),
        Purpose::Rename
        | Purpose::Note
        | Purpose::OpenFile
        | Purpose::SourceMap
        | Purpose::Field => {}
    }
}

/// Takes the chosen theme to look at.
pub(crate) fn preview(state: &mut State) {
    if let Some(Overlay::Picker(picker)) = state.overlays.top()
        && let Some(PickerItem::Theme(name)) = picker.items.get(picker.selected)
    {
        state.theme.name.clone_from(name);
    }
}

fn search(state: &mut State, text: String) {
    let Some(profile) = &mut state.profile else {
        return;
    };
    let mode = profile
        .search
        .as_ref()
        .map(|s| s.query.mode)
        .unwrap_or_default();
    profile.search = Some(Search::new(
        Query { text, mode },
        &profile.reading,
        profile.zoom,
    ));
    let frame = profile.reading.tree.frame(profile.selected_node());
    profile.table.filter(profile.search.as_ref(), frame);
}

/// Changes how the typed text is understood; a path is completed.
pub(crate) fn next_mode(state: &mut State) -> Vec<Effect> {
    if state
        .input
        .as_ref()
        .is_some_and(|input| input.purpose == Purpose::Object)
    {
        return objects::reorder(state);
    }
    if let Some(wish) = crate::app::update::path_completion::ask(state) {
        return vec![wish];
    }
    if state
        .input
        .as_ref()
        .is_some_and(|i| i.purpose == Purpose::Search)
        && let Some(profile) = &mut state.profile
    {
        let search = profile
            .search
            .get_or_insert_with(|| Search::new(Query::default(), &profile.reading, profile.zoom));
        search.next_mode();
        search.run(&profile.reading, profile.zoom);
        let frame = profile.reading.tree.frame(profile.selected_node());
        profile.table.filter(profile.search.as_ref(), frame);
    }
    Vec::new()
}

/// Keeps what was typed.
pub(crate) fn accept(state: &mut State, now: Moment) -> Vec<Effect> {
    let Some(input) = state.input.take() else {
        return Vec::new();
    };
    match input.purpose {
        Purpose::Search => {
            drop_empty_search(state);
            Vec::new()
        }
        Purpose::CodeSearch => Vec::new(),
        Purpose::WorkerFilter => crate::app::update::workers::rest(state, now.instant),
        Purpose::HistoryFilter | Purpose::HelpFilter | Purpose::ThemeFilter | Purpose::Field => {
            Vec::new()
        }
        Purpose::Rename | Purpose::Note => {
            crate::app::update::history::typed(state, input.purpose, &input.text)
        }
        Purpose::Object => objects::accept(state, &input.text, now),
        Purpose::Account => {
            // Until one fits, the line stays.
            state.input = Some(input);
            accounts::accept(state)
        }
        Purpose::OpenFile => {
            let path = input.text.trim().to_owned();
            if path.is_empty() {
                return Vec::new();
            }
            let id = state.fresh_id();
            state.opening = Some(id);
            vec![Effect::OpenFile(id, path.into())]
        }
        Purpose::SourceMap => {
            let path = input.text.trim().to_owned();
            let id = state.fresh_id();
            let profile = state.profile.as_mut().filter(|_| !path.is_empty());
            profile
                .map(|profile| profile.ask_map(id, path.into()))
                .into_iter()
                .collect()
        }
        Purpose::Palette => {
            let chosen = match state.overlays.close() {
                Some(Overlay::Picker(picker)) => picker.items.get(picker.selected).cloned(),
                _ => None,
            };
            // The command is one for the screen itself: what was in front of it is done with.
            state.overlays.clear();
            match chosen {
                Some(PickerItem::Command(command))
                    if crate::app::interpret::is_offered(
                        crate::app::interpret::behind(state),
                        command,
                    ) =>
                {
                    crate::app::update::commands::run(state, command, 1, now)
                }
                Some(PickerItem::Command(command)) => {
                    say_where(state, command);
                    Vec::new()
                }
                _ => Vec::new(),
            }
        }
    }
}

/// Says where a command works that does not work here.
fn say_where(state: &mut State, command: Command) {
    if let Some(row) = COMMANDS.iter().find(|row| row.command == command) {
        let scopes: Vec<_> = row.scopes.iter().map(|scope| scope.word()).collect();
        state.say(format!(
            "`{}` does nothing here; it works in: {}.",
            row.name,
            scopes.join(", ")
        ));
    }
}

fn drop_empty_search(state: &mut State) {
    if let Some(profile) = &mut state.profile
        && profile
            .search
            .as_ref()
            .is_some_and(|s| s.query.text.is_empty())
    {
        clear_search(profile);
    }
}

pub(crate) fn clear_search(profile: &mut crate::app::screens::profile::state::ProfileState) {
    profile.search = None;
    let frame = profile.reading.tree.frame(profile.selected_node());
    profile.table.filter(None, frame);
}

/// Leaves the line as it was before it was opened.
pub(crate) fn cancel(state: &mut State) -> Vec<Effect> {
    let Some(input) = state.input.take() else {
        return Vec::new();
    };
    match input.purpose {
        Purpose::Search => {
            search(state, input.before);
            drop_empty_search(state);
        }
        Purpose::CodeSearch => {
            if let Some(code) = state
                .profile
                .as_mut()
                .and_then(|profile| profile.code.as_mut())
            {
                code.type_search(input.before, state.size);
            }
        }
        Purpose::WorkerFilter => {
            state.workers.filter = input.before;
            state.workers.arrange();
        }
        Purpose::HistoryFilter => {
            state.history.filter = input.before;
            state.history.arrange();
        }
        Purpose::Palette | Purpose::Account => {
            crate::app::update::overlays::close(state);
        }
        Purpose::Object => {
            state.objects = None;
            crate::app::update::overlays::close(state);
        }
        Purpose::HelpFilter => {
            if let Some(Overlay::Help(help)) = state.overlays.top_mut() {
                *help = HelpSheet {
                    row: 0,
                    filter: input.before,
                };
            }
        }
        Purpose::ThemeFilter => {
            if let Some(Overlay::Picker(picker)) = state.overlays.top_mut() {
                picker.narrow_themes(&state.theme.known, &state.theme.name, &input.before);
            }
        }
        Purpose::Rename
        | Purpose::Note
        | Purpose::OpenFile
        | Purpose::SourceMap
        | Purpose::Field => {}
    }
    Vec::new()
}

/// Walks the rows or matches under the line while it is typed.
pub(crate) fn walk(state: &mut State, backwards: bool) -> Vec<Effect> {
    let step = if backwards { -1 } else { 1 };
    match state.input.as_ref().map(|i| i.purpose) {
        Some(Purpose::Search) => {
            crate::app::update::profile::next_match(state, backwards);
        }
        Some(Purpose::CodeSearch) => {
            if let Some(code) = state
                .profile
                .as_mut()
                .and_then(|profile| profile.code.as_mut())
            {
                let _ = code.next(backwards, state.size);
            }
        }
        Some(Purpose::WorkerFilter) => {
            let place = state.workers.selected.saturating_add_signed(step);
            state.workers.select(place);
        }
        Some(Purpose::HistoryFilter) => {
            state.history.step(step);
        }
        Some(Purpose::Object) => return objects::walk(state, step),
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
    Vec::new()
}

/// Opens the line for a source map's file, with the one that is in force.
pub(in crate::app) fn type_map(state: &mut State) {
    let Some(profile) = &state.profile else {
        return;
    };
    let names = profile.source.names.as_ref();
    let path = names
        .and_then(|names| names.paths.first())
        .map(|path| path.to_string_lossy().into_owned());
    state.overlays.clear();
    state.input = Some(Input::new(Purpose::SourceMap, path.unwrap_or_default()));
}

/// Opens the line that a `/` means here; what stands in front has nothing to search.
pub(crate) fn open_search(state: &mut State) -> Vec<Effect> {
    match state.overlays.top() {
        Some(Overlay::Help(help)) => {
            state.input = Some(Input::new(Purpose::HelpFilter, help.filter.clone()));
            return Vec::new();
        }
        Some(Overlay::Picker(_)) => {
            state.input = Some(Input::new(Purpose::ThemeFilter, ""));
            return Vec::new();
        }
        Some(_) => return Vec::new(),
        None => {}
    }
    state.input = match state.screen {
        Screen::Workers => {
            // What is filtered is the list.
            state.workers.section = Section::List;
            Some(Input::new(
                Purpose::WorkerFilter,
                state.workers.filter.clone(),
            ))
        }
        Screen::History => Some(Input::new(
            Purpose::HistoryFilter,
            state.history.filter.clone(),
        )),
        Screen::Profile
            if state
                .profile
                .as_ref()
                .is_some_and(|profile| profile.code.is_some()) =>
        {
            let code = state
                .profile
                .as_mut()
                .and_then(|profile| profile.code.as_mut());
            code.map(|code| {
                code.before = code.selected;
                Input::new(Purpose::CodeSearch, code.search.clone())
            })
        }
        Screen::Profile => {
            let typed = state
                .profile
                .as_ref()
                .and_then(|p| p.search.as_ref())
                .map(|s| s.query.text.clone());
            Some(Input::new(Purpose::Search, typed.unwrap_or_default()))
        }
        Screen::Welcome => None,
    };
    Vec::new()
}

/// The form in front, if that is what stands there.
pub(crate) fn form(state: &mut State) -> Option<&mut Form> {
    match state.overlays.top_mut() {
        Some(Overlay::CaptureForm(form)) => Some(form),
        _ => None,
    }
}
