//! Lists to choose from.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::app::{
    COMMANDS, Input, Load, Overlay, Picker, PickerItem, Purpose, State, is_offered, is_tall,
    screen_context,
};
use crate::model::text::units::thousands;
use crate::ui::overlays::{account_picker, object_picker, place};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room, width};
use crate::ui::widgets::list_rows::selected;

/// Draws the list, and below it why it is not whole.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, picker: &Picker) {
    let rows = u16::try_from(picker.items.len()).unwrap_or(u16::MAX).max(1);
    let most = state.size.1.saturating_sub(8).max(3);
    let trouble = trouble(state);
    // The text of an empty list may take two lines, that of a failure four.
    let trouble_rows: u16 = if trouble.is_some() { 4 } else { 0 };
    let mut at = place(
        c,
        state,
        (rows.max(2) + trouble_rows).min(most) + 1,
        picker.title,
        Role::Accent,
    );
    // A list needs no blank row below the rule.
    let first = at.y - 1;
    if let Some(trouble) = trouble {
        // Below the list, where the eye is.
        let listed = if picker.items.is_empty() {
            0
        } else {
            rows.saturating_add(1)
        };
        let y = first
            .saturating_add(listed)
            .min(at.end.saturating_sub(trouble_rows));
        c.put(at.x + 1, y, "!", Role::Warn);
        let (room, text) = (
            at.width.saturating_sub(3),
            state.settings.keys.expand_keys(&trouble),
        );
        c.put_wrapped(
            Room {
                x: at.x + 3,
                y,
                width: room,
                end: at.end,
            },
            &text,
            Role::Text,
        );
        at.end = y;
        if picker.items.is_empty() {
            return;
        }
    }
    let room = usize::from(
        at.end
            .saturating_sub(first + u16::from(is_tall(state.size.1))),
    );
    let start = (picker.selected + 1).saturating_sub(room);
    if start > 0 {
        // In the rule, which is the head of this list.
        let text = format!(" ▴ {} more", thousands(start as i128));
        c.right(at.x + at.width, first - 1, &text, Role::Dim);
    }
    for (place, item) in picker.items.iter().enumerate().skip(start).take(room) {
        let at = Room {
            x: at.x,
            y: first + u16::try_from(place - start).unwrap_or(0),
            width: at.width,
            end: at.end,
        };
        let chosen = place == picker.selected;
        match item {
            PickerItem::Command(command) => command_row(c, state, *command, at, chosen),
            PickerItem::Theme(name) => name_cell(c, name, at, chosen, Role::Text),
            PickerItem::Object(object) => {
                object_picker::row(c, state, object, (at.x, at.y, at.width), chosen);
            }
            PickerItem::Account(account) => {
                account_picker::row(c, account, (at.x, at.y, at.width), chosen);
            }
        }
    }
    if picker.items.is_empty() {
        let text = match &state.input {
            Some(Input {
                purpose: Purpose::Object,
                text,
                ..
            }) => object_picker::none(state, text.trim()),
            _ => nothing(state).into(),
        };
        let text = state.settings.keys.expand_keys(&text);
        c.put_wrapped(
            Room {
                x: at.x + 1,
                y: first,
                width: at.width.saturating_sub(1),
                end: at.end,
            },
            &text,
            Role::Dim,
        );
    }
}

/// A command's row: its name, its keys, and its help as far as there is room.
fn command_row(c: &mut Canvas<'_>, state: &State, command: Command, at: Room, chosen: bool) {
    let Some(row) = COMMANDS.iter().find(|row| row.command == command) else {
        return;
    };
    let context = screen_context(state);
    let works = is_offered(context, command);
    let name = row.name.replace('-', " ");
    name_cell(
        c,
        &name,
        at,
        chosen,
        if works { Role::Text } else { Role::Dim },
    );
    let key = state.settings.keys.names(row);
    c.put_in(
        at.x + 26,
        at.y,
        10,
        &key,
        if works { Role::Key } else { Role::Dim },
    );
    // What works elsewhere says where, as colour alone must not show it.
    let help = if works {
        row.help_at(context).to_owned()
    } else {
        let elsewhere = row.scopes.first().map_or("", |scope| scope.word());
        format!("({elsewhere}) {}", row.help_at(context))
    };
    let room = at.width.saturating_sub(37);
    // Without room for all of it, the main clause says more than a cut one.
    let main = help
        .find(" (")
        .or_else(|| help.find(';'))
        .and_then(|end| help.get(..end));
    let help = main
        .filter(|main| !main.is_empty() && width(&help) > room)
        .unwrap_or(&help);
    c.put_in(at.x + 37, at.y, room, help, Role::Dim);
}

/// The name at the beginning of a row.
fn name_cell(c: &mut Canvas<'_>, name: &str, at: Room, chosen: bool, role: Role) {
    if chosen {
        selected(c, at.x, at.y, 30, name, true);
    } else {
        c.put_in(at.x + 1, at.y, 24, name, role);
    }
}

/// Returns why a list to choose from is not whole, and what helps.
fn trouble(state: &State) -> Option<Message> {
    match (
        state.input.as_ref()?.purpose,
        &state.accounts.load,
        state.objects.as_ref().map(|objects| &objects.load),
    ) {
        (Purpose::Account, Load::Failed(failure), _) => Some(message![
            "Could not load the accounts; ",
            Command::CancelText,
            " and ",
            Command::ChooseAccount,
            " retry, or type the whole id of one. ",
            failure.brief(),
        ]),
        (Purpose::Object, _, Some(Load::Failed(failure))) => Some(message![
            "Could not load the objects; ",
            Command::NextRow,
            " retries, or type the whole id of one. ",
            failure.brief(),
        ]),
        _ => None,
    }
}

/// Returns what an empty list to choose from says.
fn nothing(state: &State) -> &'static str {
    match (&state.input, &state.accounts.load) {
        (
            Some(Input {
                purpose: Purpose::Account,
                text,
                ..
            }),
            load,
        ) => match load {
            Load::Running(_) if text.is_empty() => "loading accounts…",
            Load::Running(_) => "None of those that have come fits; more are coming.",
            _ => "None fits. The whole id of an account (32 digits) can be typed too.",
        },
        _ => "Nothing fits.",
    }
}

/// Returns the count at the right of the palette's line.
pub(crate) fn counted(state: &State) -> String {
    match (state.overlays.top(), &state.input) {
        (Some(Overlay::Picker(picker)), Some(input)) => {
            let (shown, all) = (picker.items.len(), picker.all as u64);
            match (input.purpose, &state.accounts.load) {
                (Purpose::Account, Load::Running(_)) => {
                    let all = state.accounts.total.unwrap_or(all).max(all);
                    format!("{shown} of {all} accounts, more are coming")
                }
                (Purpose::Account, _) => format!("{shown} of {all} accounts"),
                (Purpose::Object, _) => {
                    let more = state
                        .objects
                        .as_ref()
                        .is_some_and(crate::app::Objects::has_more);
                    format!(
                        "{shown} of {all} objects{}",
                        if more { ", there are more" } else { "" }
                    )
                }
                (Purpose::ThemeFilter, _) => format!("{shown} of {all} themes"),
                _ => format!("{shown} of {all} commands"),
            }
        }
        _ => String::new(),
    }
}
