//! Which key context is in force, and what a key means there.

use crate::app::action::Action;
use crate::app::core::layout::{Shape, is_too_small};
use crate::app::core::session::Screen;
use crate::app::core::text_input::Purpose;
use crate::app::keys::command::{COMMANDS, Command, Scope};
use crate::app::keys::context::KeyContext;
use crate::app::keys::key::Key;
use crate::app::keys::keymap::Bindings;
use crate::app::overlays::Overlay;
use crate::app::screens::profile::display::Pane;
use crate::app::state::State;

/// Returns the context whose keys are in force.
#[must_use]
pub fn key_context(state: &State) -> KeyContext {
    match (
        state.input.as_ref().map(|input| input.purpose),
        state.overlays.top(),
    ) {
        (Some(Purpose::Palette), _) => KeyContext::Palette,
        (Some(Purpose::Account), _) => KeyContext::Accounts,
        (Some(Purpose::Object), _) => KeyContext::Objects,
        (Some(Purpose::Search), _) => KeyContext::Search,
        (
            Some(
                Purpose::WorkerFilter
                | Purpose::HistoryFilter
                | Purpose::HelpFilter
                | Purpose::ThemeFilter
                | Purpose::CodeSearch,
            ),
            _,
        ) => KeyContext::Filter,
        (Some(Purpose::Rename | Purpose::Note), _) => KeyContext::Note,
        (Some(Purpose::OpenFile | Purpose::SourceMap | Purpose::Field), _) => KeyContext::Line,
        (None, Some(overlay)) => overlay.context(),
        (None, None) => screen_context(state),
    }
}

/// Returns the context whose keys the help shows: the one that is in force once it is closed.
#[must_use]
pub fn help_context(state: &State) -> KeyContext {
    state
        .overlays
        .beneath()
        .map_or_else(|| screen_context(state), Overlay::context)
}

/// Whether the palette can run a command in a context.
#[must_use]
pub fn is_offered(context: KeyContext, command: Command) -> bool {
    let scopes = context.scopes();
    command != Command::Palette
        && COMMANDS.iter().any(|row| {
            row.command == command
                && row
                    .scopes
                    .iter()
                    .any(|s| *s != Scope::Text && scopes.contains(s))
        })
}

/// Returns the context of the screen behind all overlays, whose commands the palette runs.
#[must_use]
pub fn screen_context(state: &State) -> KeyContext {
    match state.screen {
        Screen::Welcome => KeyContext::Welcome,
        Screen::Workers => KeyContext::Workers,
        Screen::History => KeyContext::History,
        Screen::Profile => match &state.profile {
            Some(profile) if profile.code.is_some() => KeyContext::Code,
            Some(profile) if profile.sandwich.is_some() => KeyContext::Sandwich,
            Some(profile) => {
                let in_table = profile.pane == Pane::Table || profile.shape == Shape::Table;
                match (profile.compare.is_some(), in_table) {
                    (true, true) => KeyContext::CompareTable,
                    (true, false) => KeyContext::Compare,
                    (false, true) => KeyContext::Table,
                    (false, false) => KeyContext::Icicle,
                }
            }
            None => KeyContext::Icicle,
        },
    }
}

/// Returns what a key means now; `None` if nothing.
#[must_use]
pub fn interpret(state: &State, key: Key) -> Option<Action> {
    let (context, keys) = (key_context(state), &state.settings.keys);
    if is_too_small(state.size) {
        // Also while a line is typed: it is not visible.
        let meant = keys.find(KeyContext::Details, key).map(|row| row.command);
        return meant
            .filter(|command| command.works_unseen())
            .map(Action::Run);
    }
    if context.is_text() {
        if let Key::Char(c) = key {
            return Some(Action::Type(c));
        }
        return text_command(keys, context, key).map(Action::Run);
    }
    if let Key::Char(c) = key
        && let Some(digit) = c.to_digit(10)
        && (digit > 0 || state.keys.count.is_some())
    {
        return Some(Action::Digit(digit as u8));
    }
    let meant = keys.find(context, key).map(|row| Action::Run(row.command));
    meant.or_else(|| {
        let is_known = COMMANDS.iter().any(|row| keys.of(row).contains(&key));
        (is_known && state.overlays.is_empty()).then_some(Action::Unbound(key))
    })
}

/// Returns what a key means in a line of text. A form's line is one field among others: there the commands of a line go on to
/// the next field, or send the form.
fn text_command(keys: &Bindings, context: KeyContext, key: Key) -> Option<Command> {
    use Command as C;
    let command = keys.find(context, key).map(|row| row.command);
    let send = match context {
        KeyContext::FormText => C::StartCapture,
        KeyContext::ExportText => C::WriteExport,
        _ => return command,
    };
    Some(match command {
        Some(C::Accept) => send,
        Some(C::CancelText) => C::Dismiss,
        Some(C::MatchMode) => C::NextPane,
        Some(C::PreviousRow) => C::Up,
        Some(C::NextRow) => C::Down,
        Some(other) => other,
        // The one key of a form's other fields that no line has.
        None => {
            let row = keys.find(KeyContext::Form, key)?;
            return (row.command == C::PreviousPane).then_some(C::PreviousPane);
        }
    })
}
