//! Where the user is, and what a key means there.

use crate::app::action::Action;
use crate::app::core::layout::{Shape, is_too_small};
use crate::app::core::session::Screen;
use crate::app::core::text_input::Purpose;
use crate::app::keys::command::{COMMANDS, Command, Scope};
use crate::app::keys::context::Place;
use crate::app::keys::key::Key;
use crate::app::overlays::Overlay;
use crate::app::screens::profile::display::Pane;
use crate::app::state::State;

/// Where the user is.
#[must_use]
pub fn place(state: &State) -> Place {
    match (
        state.input.as_ref().map(|input| input.purpose),
        state.overlays.top(),
    ) {
        (Some(Purpose::Palette), _) => Place::Palette,
        (Some(Purpose::Account), _) => Place::Accounts,
        (Some(Purpose::Object), _) => Place::Objects,
        (Some(Purpose::Search), _) => Place::Search,
        (
            Some(
                Purpose::WorkerFilter
                | Purpose::HistoryFilter
                | Purpose::HelpFilter
                | Purpose::ThemeFilter
                | Purpose::CodeSearch,
            ),
            _,
        ) => Place::Filter,
        (Some(Purpose::Rename | Purpose::Note), _) => Place::Note,
        (Some(Purpose::OpenFile | Purpose::SourceMap | Purpose::Field), _) => Place::Line,
        (None, Some(overlay)) => overlay.place(),
        (None, None) => behind(state),
    }
}

/// The place whose keys the help shows: where the user is once it is closed.
#[must_use]
pub fn place_of_help(state: &State) -> Place {
    state
        .overlays
        .beneath()
        .map_or_else(|| behind(state), Overlay::place)
}

/// The place behind every sheet, whose commands the palette runs.
#[must_use]
pub fn place_behind(state: &State) -> Place {
    behind(state)
}

/// Whether the palette can run a command at a place.
#[must_use]
pub fn is_offered(place: Place, command: Command) -> bool {
    let scopes = place.scopes();
    command != Command::Palette
        && COMMANDS.iter().any(|row| {
            row.command == command
                && row
                    .scopes
                    .iter()
                    .any(|s| *s != Scope::Text && scopes.contains(s))
        })
}

/// Where the user is when every sheet is taken away.
#[must_use]
pub(crate) fn behind(state: &State) -> Place {
    match state.screen {
        Screen::Welcome => Place::Welcome,
        Screen::Workers => Place::Workers,
        Screen::History => Place::History,
        Screen::Profile => match &state.profile {
            Some(profile) if profile.code.is_some() => Place::Code,
            Some(profile) if profile.sandwich.is_some() => Place::Sandwich,
            Some(profile) => {
                let in_table = profile.pane == Pane::Table || profile.shape == Shape::Table;
                match (profile.compare.is_some(), in_table) {
                    (true, true) => Place::CompareTable,
                    (true, false) => Place::Compare,
                    (false, true) => Place::Table,
                    (false, false) => Place::Icicle,
                }
            }
            None => Place::Icicle,
        },
    }
}

/// What a key means now; `None`: nothing.
#[must_use]
pub fn interpret(state: &State, key: Key) -> Option<Action> {
    let (place, keys) = (place(state), &state.settings.keys);
    if is_too_small(state.size) {
        // Also where a line is typed: nobody sees it.
        let meant = keys.find(Place::Details, key).map(|row| row.command);
        return meant
            .filter(|command| command.works_unseen())
            .map(Action::Run);
    }
    if place.is_text() {
        if let Key::Char(c) = key {
            return Some(Action::Type(c));
        }
        // A form's line of text is one field among others: these keys go on, or send the form.
        let field = match (place, key) {
            (Place::FormText | Place::ExportText, Key::Tab) => Some(Command::NextPane),
            (Place::FormText | Place::ExportText, Key::BackTab) => Some(Command::PreviousPane),
            (Place::FormText | Place::ExportText, Key::Up) => Some(Command::Up),
            (Place::FormText | Place::ExportText, Key::Down) => Some(Command::Down),
            (Place::FormText | Place::ExportText, Key::Esc) => Some(Command::Dismiss),
            (Place::FormText, Key::Enter) => Some(Command::StartCapture),
            (Place::ExportText, Key::Enter) => Some(Command::WriteExport),
            _ => None,
        };
        return field
            .or_else(|| keys.find(place, key).map(|row| row.command))
            .map(Action::Run);
    }
    if let Key::Char(c) = key
        && let Some(digit) = c.to_digit(10)
        && (digit > 0 || state.count.is_some())
    {
        return Some(Action::Digit(digit as u8));
    }
    keys.find(place, key).map(|row| Action::Run(row.command))
}
