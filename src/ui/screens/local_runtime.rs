//! A local runtime's isolates, where an account's Workers would stand.

use crate::app::core::layout::Area;
use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message};
use crate::app::{Load, Purpose, Section, State, clock, workers_geometry};
use crate::model::cloudflare::local_runtime::Isolate;
use crate::ui::screens::worker_panel;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width};
use crate::ui::widgets::chrome;
use crate::ui::widgets::list_rows::selected;

/// Draws the screen of the isolates.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    let workers = &state.workers;
    let mut facts = Vec::new();
    if !workers.runtime.name.is_empty() {
        facts.push(workers.runtime.name.clone());
    }
    facts.push(state.session.account_name.clone());
    facts.push(counted(state));
    let mut right = Vec::new();
    if let Some(chip) = chrome::captures_chip(state, c) {
        right.push((chip, Role::Accent));
    }
    if let Some(at) = workers.as_of {
        let word = if matches!(workers.load, Load::Running(_)) {
            "loading"
        } else {
            "as of"
        };
        right.push((format!("{word} {}", clock(at)), Role::Dim));
    }
    right.push(("local".to_owned(), Role::Accent));
    chrome::title(c, "flarescope", &facts, &[], &right);

    let (list, pane) = workers_geometry(state.size);
    if state.is_list_hidden() {
        worker_panel::draw(c, state, list, false);
    } else {
        rows(c, state, list);
        if pane.height > 0 {
            worker_panel::draw(c, state, pane, false);
        }
    }
    let filters = state.types(Purpose::WorkerFilter);
    let count = if filters {
        format!("{} of {}", workers.order.len(), workers.rows.len())
    } else {
        String::new()
    };
    chrome::message(c, state, &count);
    chrome::keys(c, state);
}

fn counted(state: &State) -> String {
    let workers = &state.workers;
    let all = workers.rows.len();
    let word = if all == 1 { "Worker" } else { "Workers" };
    if !workers.filter.is_empty() {
        return format!(
            "{} of {all} {word} match {}",
            workers.order.len(),
            workers.filter
        );
    }
    match workers.load {
        Load::Running(_) if all == 0 => "loading Workers…".to_owned(),
        _ => format!("{all} {word}"),
    }
}

fn rows(c: &mut Canvas<'_>, state: &State, list: Area) {
    let workers = &state.workers;
    let shown = || {
        workers
            .order
            .iter()
            .enumerate()
            .filter_map(|(place, &at)| Some((place, workers.rows.get(at)?)))
    };
    let isolate = |name: &str| workers.isolate(name);
    let kind = |found: Option<&Isolate>| match found {
        Some(Isolate {
            obstacle: Some(_), ..
        }) => "can't be profiled".to_owned(),
        found => found.map_or_else(String::new, |isolate| isolate.kind.clone()),
    };
    let kinds = shown()
        .map(|(_, row)| width(&kind(isolate(&row.name))))
        .max()
        .unwrap_or(0)
        .max(4)
        .min(list.width / 2);
    let (names, end) = (list.width.saturating_sub(kinds + 3), list.x + list.width);
    let name_end = c.put(list.x + 1, list.y, "Worker", Role::Strong);
    chrome::above(c, name_end + 4, list.y, list.x + names, workers.offset);
    c.right(end, list.y, "kind", Role::Dim);
    let room = usize::from(list.height.saturating_sub(2));
    for (place, row) in shown().skip(workers.offset).take(room) {
        let y = list.y + 1 + u16::try_from(place - workers.offset).unwrap_or(0);
        let found = isolate(&row.name);
        let role = if found.is_some_and(|isolate| isolate.obstacle.is_some()) {
            Role::Dim
        } else {
            Role::Text
        };
        if place == workers.selected {
            let focused = workers.section == Section::List && state.input.is_none();
            selected(c, list.x, y, names, &row.name, focused);
        } else {
            c.put_in(list.x + 1, y, names - 1, &row.name, role);
        }
        let kind = kind(found);
        c.put_in(end - width(&kind).min(kinds), y, kinds, &kind, Role::Dim);
    }
    let hidden = workers.order.len().saturating_sub(workers.offset + room);
    if hidden > 0 {
        c.put(
            list.x + 1,
            list.y + list.height.saturating_sub(1),
            &format!("▾ {hidden} more"),
            Role::Dim,
        );
    }
    if workers.order.is_empty() {
        let text = match &workers.load {
            Load::Ready(()) if !workers.filter.is_empty() => {
                message![
                    "No Worker's name matches; ",
                    Command::Dismiss,
                    " shows all again."
                ]
            }
            Load::Ready(()) => message![
                "The runtime runs no Worker; ",
                Command::Refresh,
                " asks again."
            ],
            Load::Failed(_) => message!["Could not load the list; ", Command::Refresh, " retries."],
            _ => Message::default(),
        };
        let text = &state.settings.keys.expand_keys(&text);
        c.put_in(
            list.x + 1,
            list.y + 1,
            c.columns().saturating_sub(2),
            text,
            Role::Dim,
        );
    }
}
