//! The sheets over the lower part of a screen: where they stand, the export's, lists to choose from.
//! Those of a capture are in `capture`.

pub(crate) mod capture;
pub(crate) mod export_dialog;
pub(crate) mod help;
pub(crate) mod hints_list;

use crate::app::{
    COMMANDS, Input, Load, Overlay, Picker, PickerItem, Purpose, Screen, State, is_offered,
    is_tall, place_behind, workers_geometry,
};
use crate::model::cloudflare::{Account, Kind, Object, short};
use crate::model::text::units::thousands;
use crate::ui::screens::{worker_panel, workers};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width, wrap};
use crate::ui::widgets::chrome::{Sheet, sheet};

/// Draws the sheet in front, if one is.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    match state.overlays.top() {
        Some(Overlay::CaptureForm(form)) => capture::form(c, state, form),
        Some(Overlay::CaptureProgress) => {
            if let Some(running) = &state.capturing {
                capture::countdown(c, state, running);
            }
        }
        Some(Overlay::TrafficWait) => {
            if let Some(awaiting) = &state.awaiting {
                capture::awaiting(c, state, awaiting);
            }
        }
        Some(Overlay::ConfirmQuit) => capture::ask_quit(c, state),
        Some(Overlay::Failure(failure)) => capture::failure(c, state, failure),
        Some(Overlay::Export(dialog)) => export_dialog::sheet(c, state, dialog),
        Some(Overlay::Picker(picker)) => picker_sheet(c, state, picker),
        Some(Overlay::Hints(selected)) => {
            if let Some(profile) = &state.profile {
                hints_list::sheet(c, profile, *selected);
            }
        }
        Some(Overlay::Help(_) | Overlay::Details(_)) | None => {}
    }
}

/// Puts a sheet of that many rows where it belongs: below the versions on a wide list, over the table of a profile, else
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

/// A form's line: its name, marked where the focus is. Answers the column of its value.
pub(crate) fn field(c: &mut Canvas<'_>, at: &Sheet, y: u16, name: &str, focused: bool) -> u16 {
    if focused {
        c.put(at.x, y, "▸", Role::Accent);
    }
    c.put(
        at.x + 1,
        y,
        name,
        if focused { Role::Accent } else { Role::Dim },
    );
    at.x + 10
}

/// Values side by side, the chosen one in brackets.
pub(crate) fn choices(
    c: &mut Canvas<'_>,
    mut x: u16,
    y: u16,
    items: &[String],
    chosen: usize,
    focused: bool,
) {
    for (at, item) in items.iter().enumerate() {
        x = if at == chosen {
            c.put(
                x,
                y,
                &format!("[{item}]"),
                if focused {
                    Role::SelectedRow
                } else {
                    Role::Strong
                },
            )
        } else {
            c.put(x, y, &format!(" {item} "), Role::Dim)
        } + 1;
    }
}

/// Writes a text over as many rows as it takes, between words where it can. Answers the row after it.
pub(crate) fn wrapped(
    c: &mut Canvas<'_>,
    x: u16,
    mut y: u16,
    room: u16,
    end: u16,
    text: &str,
    role: Role,
) -> u16 {
    for line in wrap(text, room) {
        if y >= end {
            break;
        }
        c.put_in(x, y, room, &line, role);
        y += 1;
    }
    y
}

fn picker_sheet(c: &mut Canvas<'_>, state: &State, picker: &Picker) {
    let rows = u16::try_from(picker.items.len()).unwrap_or(u16::MAX).max(1);
    let most = state.size.1.saturating_sub(8).max(3);
    let trouble = trouble(state);
    // What an empty list says may take two lines; what did not come, four.
    let told: u16 = if trouble.is_some() { 4 } else { 0 };
    let mut at = place(
        c,
        state,
        (rows.max(2) + told).min(most) + 1,
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
            .min(at.end.saturating_sub(told));
        c.put(at.x + 1, y, "!", Role::Warn);
        let (room, text) = (
            at.width.saturating_sub(3),
            state.settings.keys.told(&trouble),
        );
        wrapped(c, at.x + 3, y, room, at.end, &text, Role::Text);
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
        let y = first + u16::try_from(place - start).unwrap_or(0);
        let works = match item {
            PickerItem::Command(command) => is_offered(place_behind(state), *command),
            PickerItem::Theme(_) | PickerItem::Account(_) | PickerItem::Object(_) => true,
        };
        let (name, key, help) = match item {
            PickerItem::Command(command) => COMMANDS
                .iter()
                .find(|row| row.command == *command)
                .map_or((String::new(), String::new(), ""), |row| {
                    (
                        row.name.replace('-', " "),
                        state.settings.keys.names(row),
                        row.help_at(place_behind(state)),
                    )
                }),
            PickerItem::Theme(name) => (name.clone(), String::new(), ""),
            PickerItem::Object(object) => {
                object_row(
                    c,
                    state,
                    object,
                    (at.x, y, at.width),
                    place == picker.selected,
                );
                continue;
            }
            PickerItem::Account(account) => {
                account_row(c, account, (at.x, y, at.width), place == picker.selected);
                continue;
            }
        };
        // What works elsewhere says where, as colours alone must not tell.
        let help = if works {
            help.to_owned()
        } else {
            format!("({}) {help}", elsewhere(item))
        };
        if place == picker.selected {
            workers::selected(c, at.x, y, 30, &name, true);
        } else {
            c.put_in(
                at.x + 1,
                y,
                24,
                &name,
                if works { Role::Text } else { Role::Dim },
            );
        }
        c.put_in(
            at.x + 26,
            y,
            10,
            &key,
            if works { Role::Key } else { Role::Dim },
        );
        let room = at.width.saturating_sub(37);
        // Without room for all of it, the main clause says more than a cut one.
        let main = help
            .find(" (")
            .or_else(|| help.find(';'))
            .and_then(|end| help.get(..end));
        let help = main
            .filter(|main| !main.is_empty() && width(&help) > room)
            .unwrap_or(&help);
        c.put_in(at.x + 37, y, room, help, Role::Dim);
    }
    if picker.items.is_empty() {
        let text = match &state.input {
            Some(Input {
                purpose: Purpose::Object,
                text,
                ..
            }) => no_object(state, text.trim()),
            _ => nothing(state).to_owned(),
        };
        wrapped(
            c,
            at.x + 1,
            first,
            at.width.saturating_sub(1),
            at.end,
            &text,
            Role::Dim,
        );
    }
}

/// Why a list to choose from is not whole, and what helps.
fn trouble(state: &State) -> Option<String> {
    match (
        state.input.as_ref()?.purpose,
        &state.accounts.load,
        state.objects.as_ref().map(|objects| &objects.load),
    ) {
        (Purpose::Account, Load::Failed(failure), _) => Some(format!(
            "The accounts did not come; {{cancel-text}} and {{choose-account}} ask again, and the whole id of one can be \
             typed. {}",
            failure.brief()
        )),
        (Purpose::Object, _, Some(Load::Failed(failure))) => Some(format!(
            "The objects did not come; {{next-row}} asks again, and the whole id of one can be typed. {}",
            failure.brief()
        )),
        _ => None,
    }
}

/// An account's row: its name, and its id where there is room.
fn account_row(c: &mut Canvas<'_>, account: &Account, (x, y, room): (u16, u16, u16), chosen: bool) {
    /// Cells of an id.
    const ID: u16 = 32;
    let names = room.saturating_sub(ID + 4).min(40);
    if chosen {
        workers::selected(c, x, y, names + 2, &account.name, true);
    } else {
        c.put_in(x + 1, y, names, &account.name, Role::Text);
    }
    c.put_in(
        x + names + 3,
        y,
        room.saturating_sub(names + 3),
        &account.id,
        Role::Dim,
    );
}

/// An object's row: what it is called, its CPU time and memory, whether it keeps data, and the version it runs.
fn object_row(
    c: &mut Canvas<'_>,
    state: &State,
    object: &Object,
    (x, y, room): (u16, u16, u16),
    chosen: bool,
) {
    /// Cells of the columns behind the name.
    const REST: u16 = 40;
    let names = room.saturating_sub(REST + 2);
    let name = match &object.name {
        Some(name) => format!("{name}  {}", short(&object.id)),
        None => object.id.clone(),
    };
    if chosen {
        workers::selected(c, x, y, names + 2, &name, true);
    } else {
        c.put_in(x + 1, y, names, &name, Role::Text);
    }
    let at = x + names + 2;
    // What they are ordered by stands out.
    let order = state.objects.as_ref().map(|objects| objects.order);
    let role = |kind| {
        if order == Some(kind) {
            Role::Text
        } else {
            Role::Dim
        }
    };
    if let Some(cpu) = object.cpu_seconds {
        // Tenths of many seconds say nothing, and cost the gap before them.
        let cpu = if cpu < 999.95 {
            format!("{cpu:.1}")
        } else {
            thousands(cpu.round() as i128)
        };
        c.right(at + 12, y, &format!("{cpu} s CPU"), role(Kind::Cpu));
    }
    if let Some(bytes) = object.memory_p99 {
        c.right(
            at + 20,
            y,
            &format!("{} MB", workers::megabytes(bytes)),
            role(Kind::Heap),
        );
    }
    if object.has_stored_data == Some(false) {
        c.put(at + 22, y, "no data", Role::Dim);
    }
    if let Some(version) = &object.version_id {
        let known = state.workers.current_details().and_then(Load::ready);
        let number = known
            .and_then(|d| d.versions.iter().find(|v| v.id == *version))
            .map(|v| format!("v{}", v.number));
        c.put_in(
            at + 31,
            y,
            REST - 31,
            number.as_deref().unwrap_or_else(|| short(version)),
            Role::Dim,
        );
    }
}

/// What an empty list of objects says.
fn no_object(state: &State, typed: &str) -> String {
    let digits = typed.len();
    let hex = typed.bytes().all(|byte| byte.is_ascii_hexdigit());
    let more = state
        .objects
        .as_ref()
        .is_some_and(crate::app::Objects::has_more);
    match (typed.is_empty(), digits >= 40 && hex, more) {
        (true, _, true) => "asking for the objects…".to_owned(),
        (true, _, false) => "This class has no objects.".to_owned(),
        (_, true, _) => format!("An object's id has 64 hexadecimal digits; this one has {digits}."),
        (.., true) => {
            "None of those that have come fits. Enter looks for this name; down asks for more."
                .to_owned()
        }
        (.., false) => {
            "None fits. Enter looks for an object of this name in the traffic of late.".to_owned()
        }
    }
}

/// What an empty list to choose from says.
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
            Load::Running(_) if text.is_empty() => "asking for the accounts…",
            Load::Running(_) => "None of those that have come fits; more are coming.",
            _ => "None fits. The whole id of an account (32 digits) can be typed too.",
        },
        _ => "Nothing fits.",
    }
}

/// Where a command works, in one word.
fn elsewhere(item: &PickerItem) -> &'static str {
    let row = COMMANDS
        .iter()
        .find(|row| matches!(item, PickerItem::Command(command) if row.command == *command));
    row.and_then(|row| row.scopes.first())
        .map_or("", |scope| scope.word())
}

/// The count at the right of the palette's line.
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
