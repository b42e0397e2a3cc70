//! The sheets over the lower part of a screen: form, countdown, failure, export, lists to choose from.

use super::canvas::{Canvas, wrap};
use super::parts::{Sheet, sheet, typed};
use super::theme::Role;
use super::{hints, worker_panel, workers};
use crate::app::form::percentage;
use crate::app::{
    COMMANDS, Capturing, ExportDialog, ExportField, Failure, Form, FormField, Format, Front, Input, NextStep, Picker,
    PickerItem, Screen, Stage, State, WINDOWS, age, is_tall, workers_geometry,
};
use crate::model::target::{CaptureRequest, Kind, short};

/// Draws the sheet in front, if one is.
pub(super) fn draw(c: &mut Canvas<'_>, state: &State) {
    match &state.front {
        Some(Front::Form(form)) => form_sheet(c, state, form),
        Some(Front::Capturing) => {
            if let Some(running) = &state.capturing {
                countdown(c, state, running);
            }
        }
        Some(Front::AskQuit) => ask_quit(c, state),
        Some(Front::Failure(failure)) => failure_sheet(c, state, failure),
        Some(Front::Export(dialog)) => export_sheet(c, state, dialog),
        Some(Front::Picker(picker)) => picker_sheet(c, state, picker),
        Some(Front::Hints(selected)) => {
            if let Some(profile) = &state.profile {
                hints::sheet(c, profile, *selected);
            }
        }
        Some(Front::Help(_) | Front::Details(_)) | None => {}
    }
}

/// Puts a sheet of that many rows where it belongs: below the versions on a wide list, over the table of a profile, else
/// over the lower rows.
fn place(c: &mut Canvas<'_>, state: &State, rows: u16, title: &str, role: Role) -> Sheet {
    let (columns, height) = state.size;
    if state.screen == Screen::Workers && columns >= 100 {
        let (_, pane) = workers_geometry(state.size);
        c.clear(pane.x - 1, pane.y, pane.width + 2, height.saturating_sub(pane.y + 1));
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
fn field(c: &mut Canvas<'_>, at: &Sheet, y: u16, name: &str, focused: bool) -> u16 {
    if focused {
        c.put(at.x, y, "▸", Role::Accent);
    }
    c.put(at.x + 1, y, name, if focused { Role::Accent } else { Role::Dim });
    at.x + 10
}

/// Values side by side, the chosen one in brackets.
fn choices(c: &mut Canvas<'_>, mut x: u16, y: u16, items: &[String], chosen: usize, focused: bool) {
    for (at, item) in items.iter().enumerate() {
        x = if at == chosen {
            c.put(x, y, &format!("[{item}]"), if focused { Role::SelectedRow } else { Role::Strong })
        } else {
            c.put(x, y, &format!(" {item} "), Role::Dim)
        } + 1;
    }
}

fn form_sheet(c: &mut Canvas<'_>, state: &State, form: &Form) {
    let at = place(c, state, 12, &format!("Capture a profile of {}", form.worker), Role::Accent);
    let mut y = at.y;
    for line in form.fields() {
        let focused = line == form.field;
        match line {
            FormField::Kind => {
                let x = field(c, &at, y, "kind", focused);
                choices(c, x, y, &["cpu".to_owned(), "heap".to_owned()], usize::from(form.kind == Kind::Heap), focused);
            }
            FormField::Window => {
                let x = field(c, &at, y, "window", focused);
                let items: Vec<String> = WINDOWS.iter().map(|s| format!("{s} s")).collect();
                choices(c, x, y, &items, form.window, focused);
            }
            FormField::Version => {
                let x = field(c, &at, y, "version", focused);
                version_line(c, form, x, y, &at, focused);
            }
            FormField::Class => {
                let x = field(c, &at, y, "object", focused);
                let any = std::iter::once("any isolate".to_owned());
                let items: Vec<String> =
                    any.chain(form.details.namespaces.iter().map(|n| n.class().to_owned())).collect();
                choices(c, x, y, &items, form.class, focused);
            }
            FormField::Object => {
                let x = field(c, &at, y, "name/id", focused);
                typed(c, x + 1, y, at.width.saturating_sub(12), &form.object, focused);
            }
        }
        y += 1;
    }
    meaning(c, &at, y + 1, form);
}

fn version_line(c: &mut Canvas<'_>, form: &Form, x: u16, y: u16, at: &Sheet, focused: bool) {
    let Some(version) = form.chosen() else {
        c.put(x + 1, y, "asking for its versions…", Role::Dim);
        return;
    };
    let end = if focused {
        c.put(x, y, &format!("[{}]", version.short_id()), Role::SelectedRow)
    } else {
        c.put(x + 1, y, version.short_id(), Role::Strong) + 1
    };
    let about = format!(
        "v{} · {} % of traffic · {}",
        version.number,
        percentage(version.percentage),
        age(version.created_on, c.now.wall)
    );
    c.put_in(end + 1, y, (at.x + at.width).saturating_sub(end + 1), &about, Role::Dim);
}

fn meaning(c: &mut Canvas<'_>, at: &Sheet, mut y: u16, form: &Form) {
    let (warns, lines) = form.meaning();
    let mut x = at.x + 1;
    if warns {
        c.put(x, y, "!", Role::Warn);
        x += 2;
    }
    for line in lines {
        y = wrapped(c, x, y, (at.x + at.width).saturating_sub(x), at.end, &line, Role::Text);
    }
}

/// Writes a text over as many rows as it takes, between words where it can. Answers the row after it.
pub(super) fn wrapped(c: &mut Canvas<'_>, x: u16, mut y: u16, room: u16, end: u16, text: &str, role: Role) -> u16 {
    for line in wrap(text, room) {
        if y >= end {
            break;
        }
        c.put_in(x, y, room, &line, role);
        y += 1;
    }
    y
}

/// What a request is about, after its Worker's name.
fn about(state: &State, request: &CaptureRequest) -> String {
    let mut parts: Vec<String> = request.version.iter().map(|id| short(id).to_owned()).collect();
    let details = state.workers.details_of(&request.worker);
    if let Some(version) = details.and_then(|d| d.versions.iter().find(|v| Some(&v.id) == request.version.as_ref())) {
        parts.push(format!("v{}", version.number));
        parts.push(format!("{} % of traffic", percentage(version.percentage)));
    }
    if let Some(object) = &request.object {
        parts.push(object.name.clone().unwrap_or_else(|| short(&object.object_id).to_owned()));
    }
    parts.join(" · ")
}

fn countdown(c: &mut Canvas<'_>, state: &State, running: &Capturing) {
    let request = &running.request;
    let title = if request.kind == Kind::Cpu { "Capturing CPU" } else { "Capturing heap" };
    let at = place(c, state, 8, title, Role::Accent);
    let x = c.put_in(at.x + 1, at.y, at.width / 2, &request.worker, Role::Strong);
    let room = (at.x + at.width).saturating_sub(x + 2);
    c.put_in(x + 2, at.y, room, &about(state, request), Role::Dim);

    let left = running.left(c.now.instant);
    let cells = at.width.saturating_sub(14);
    let window = request.window.as_secs_f64();
    let done = if window > 0.0 { 1.0 - left.as_secs_f64() / window } else { 1.0 };
    let used = c.bar(at.x + 1, at.y + 2, cells, done, Role::BarHot);
    let rest = usize::from(cells - used.min(cells));
    c.put(at.x + 1 + used, at.y + 2, &"─".repeat(rest), Role::Rule);
    let text = if left.is_zero() {
        format!("{:.1} s waited", running.waited(c.now.instant).as_secs_f64())
    } else {
        format!("{:.1} s left", left.as_secs_f64())
    };
    c.right(at.x + at.width, at.y + 2, &text, Role::Strong);

    let stage = if running.stage == Stage::Sampling && left.is_zero() { Stage::Answer } else { running.stage };
    let mut x = at.x + 1;
    for (step, word) in
        [(Stage::Sampling, "sampling"), (Stage::Answer, "answer"), (Stage::OnDisk, "on disk"), (Stage::Open, "open")]
    {
        let now = step == stage;
        x = c.put(x, at.y + 4, if now { "●" } else { "·" }, if now { Role::Accent } else { Role::Dim });
        x = c.put(x + 1, at.y + 4, word, if step <= stage { Role::Text } else { Role::Dim }) + 3;
    }
    let how = match request.kind {
        Kind::Cpu => "One loaded isolate, a sample each 1 ms; it keeps serving.",
        Kind::Heap => "One loaded isolate, a sample each 512 kB allocated; it keeps serving.",
    };
    c.put_in(at.x + 1, at.y + 5, at.width - 1, how, Role::Dim);
}

fn ask_quit(c: &mut Canvas<'_>, state: &State) {
    let at = place(c, state, 6, "A capture is running", Role::ErrorRule);
    c.put_in(at.x + 1, at.y, at.width - 1, "Leaving now gives it up: what was sampled is lost.", Role::Strong);
    let x = c.put(at.x + 1, at.y + 2, "q", Role::Key);
    c.put(x + 4, at.y + 2, "leave", Role::Text);
    let x = c.put(at.x + 1, at.y + 3, "esc", Role::Key);
    c.put(x + 2, at.y + 3, "stay, and wait for it", Role::Text);
}

fn failure_sheet(c: &mut Canvas<'_>, state: &State, failure: &Failure) {
    let at = place(c, state, 12, failure.kind.title(), Role::ErrorRule);
    let room = at.width.saturating_sub(1);
    let mut y = wrapped(c, at.x + 1, at.y, room, at.end, &failure.message, Role::Strong);
    if let Some(evidence) = &failure.evidence {
        y = wrapped(c, at.x + 1, y, room, at.end, evidence, Role::Dim);
    }
    if let Some(hint) = &failure.hint {
        y = wrapped(c, at.x + 1, y + 1, room, at.end.saturating_sub(4), hint, Role::Text);
    }
    y = (y + 1).min(at.end.saturating_sub(3));
    let mut steps: Vec<(&str, &str)> = Vec::new();
    match &failure.step {
        Some(NextStep::ServingVersion { offer } | NextStep::Again { offer }) => steps.push(("enter", offer)),
        None => {}
    }
    if failure.again.is_some() && !matches!(failure.step, Some(NextStep::Again { .. })) {
        steps.push(("R", "try the same again"));
    }
    steps.push(("y", "copy this text"));
    for (at_step, (key, text)) in steps.iter().enumerate() {
        if y >= at.end {
            break;
        }
        c.put(at.x + 1, y, key, Role::Key);
        c.put_in(at.x + 8, y, room.saturating_sub(7), text, if at_step == 0 { Role::Strong } else { Role::Text });
        y += 1;
    }
}

fn export_sheet(c: &mut Canvas<'_>, state: &State, dialog: &ExportDialog) {
    let at = place(c, state, 8, "Export", Role::Accent);
    let focused = |line| dialog.field == line;
    let x = field(c, &at, at.y, "format", focused(ExportField::Format));
    let formats: Vec<String> = Format::ALL.iter().map(|f| f.name().to_owned()).collect();
    choices(c, x, at.y, &formats, dialog.format, focused(ExportField::Format));
    let x = field(c, &at, at.y + 1, "what", focused(ExportField::What));
    let what = ["this view".to_owned(), "the whole capture".to_owned()];
    choices(c, x, at.y + 1, &what, usize::from(dialog.whole), focused(ExportField::What));
    let x = field(c, &at, at.y + 2, "file", focused(ExportField::File));
    typed(c, x + 1, at.y + 2, at.width.saturating_sub(12), &dialog.path, focused(ExportField::File));
    if dialog.exists {
        c.put(at.x + 1, at.y + 4, "!", Role::Warn);
        c.put_in(
            at.x + 3,
            at.y + 4,
            at.width - 3,
            "This file is there already. Enter once more replaces it.",
            Role::Text,
        );
        return;
    }
    let text = match dialog.chosen() {
        Format::Pprof => "For go tool pprof, speedscope and every pprof viewer; can be opened here again.",
        Format::Svg => "A flame graph for a browser: click zooms, ctrl-f searches.",
        Format::Folded => "One stack a line with its value, for scripts and other flame graph tools.",
    };
    wrapped(c, at.x + 1, at.y + 4, at.width - 1, at.end, text, Role::Dim);
}

fn picker_sheet(c: &mut Canvas<'_>, state: &State, picker: &Picker) {
    let rows = u16::try_from(picker.items.len()).unwrap_or(u16::MAX).max(1);
    let most = state.size.1.saturating_sub(8).max(3);
    let at = place(c, state, rows.min(most) + 1, picker.title, Role::Accent);
    // A list needs no blank row below the rule.
    let first = at.y - 1;
    let room = usize::from(at.end.saturating_sub(first + u16::from(is_tall(state.size.1))));
    let start = (picker.selected + 1).saturating_sub(room);
    for (place, item) in picker.items.iter().enumerate().skip(start).take(room) {
        let y = first + u16::try_from(place - start).unwrap_or(0);
        let (name, key, help) = match item {
            PickerItem::Command(command) => {
                COMMANDS.iter().find(|row| row.command == *command).map_or((String::new(), String::new(), ""), |row| {
                    (row.name.replace('-', " "), state.settings.keys.names(row), row.help)
                })
            }
            PickerItem::Theme(name) => (name.clone(), String::new(), ""),
        };
        if place == picker.selected {
            workers::selected(c, at.x, y, 30, &name, true);
        } else {
            c.put_in(at.x + 1, y, 24, &name, Role::Text);
        }
        c.put_in(at.x + 26, y, 10, &key, Role::Key);
        c.put_in(at.x + 37, y, at.width.saturating_sub(37), help, Role::Dim);
    }
    if picker.items.is_empty() {
        c.put(at.x + 1, first, "Nothing fits.", Role::Dim);
    }
}

/// The count at the right of the palette's line.
pub(super) fn counted(state: &State) -> String {
    match (&state.front, &state.input) {
        (Some(Front::Picker(picker)), Some(Input { .. })) => {
            format!("{} of {} commands", picker.items.len(), picker.all)
        }
        _ => String::new(),
    }
}
