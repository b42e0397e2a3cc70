//! The first screen where no account is known: what can be done without, and how to get one.

use crate::app::{Command, State};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::chrome;

/// Draws the welcome.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    let why = state
        .session
        .offline
        .clone()
        .unwrap_or_else(|| "no Cloudflare login found".to_owned());
    chrome::title(c, "flarescope", &[why], &[], &[]);
    let x = 2.max(c.columns().saturating_sub(76) / 2);
    let mut y = 3.max((c.rows() / 2).saturating_sub(8));
    let room = c.columns().saturating_sub(x + 1);
    c.put_in(
        x,
        y,
        room,
        "Find the Worker that hurts, profile it in production, see why.",
        Role::Strong,
    );
    y += 2;
    for (command, what, more) in [
        (
            Command::StartDemo,
            "try the demo",
            "real recorded profiles; no account, no network",
        ),
        (
            Command::OpenFile,
            "open a profile file",
            "pprof, .cpuprofile, .heapprofile, folded",
        ),
        (
            Command::GoCaptures,
            "captures on disk",
            "what was captured earlier, offline",
        ),
        (
            Command::Refresh,
            "look for a login again",
            "after `npx wrangler login` elsewhere",
        ),
    ] {
        c.put(x, y, &state.settings.keys.name(command), Role::Key);
        c.put_in(x + 3, y, room.saturating_sub(3), what, Role::Text);
        c.put_in(x + 30, y, room.saturating_sub(30), more, Role::Dim);
        y += 1;
    }
    // The environment of a running program can't be changed.
    c.put(x, y, &state.settings.keys.name(Command::Quit), Role::Key);
    c.put_in(
        x + 3,
        y,
        room.saturating_sub(3),
        "quit, set a token",
        Role::Text,
    );
    c.put_in(
        x + 30,
        y,
        room.saturating_sub(30),
        "export CLOUDFLARE_API_TOKEN=…",
        Role::Accent,
    );
    y += 1;
    c.put_in(
        x + 30,
        y,
        room.saturating_sub(30),
        "with Workers Scripts Read",
        Role::Dim,
    );
    y += 2;
    y = nearby(c, state, x, y);
    for line in [
        "Account Analytics Read is optional: it adds requests/s and CPU to the",
        "lists. flarescope never stores a token and sends nothing but the calls",
        "you ask for.",
    ] {
        c.put_in(x, y, room, line, Role::Dim);
        y += 1;
    }
    chrome::message(c, state, "");
    chrome::keys(c, state);
}

/// Offers the local runtime that was found, if one was. Returns the next free row.
fn nearby(c: &mut Canvas<'_>, state: &State, x: u16, y: u16) -> u16 {
    let Some(nearby) = state.workers.nearby.ready() else {
        return y;
    };
    let room = c.columns().saturating_sub(x + 1);
    let count = nearby.runtime.isolates.len();
    let name = if nearby.runtime.name.is_empty() {
        "a runtime"
    } else {
        &nearby.runtime.name
    };
    let what = format!(
        "{name} at {}, {count} {}",
        nearby.address,
        if count == 1 { "Worker" } else { "Workers" }
    );
    let end = c.put(
        x,
        y,
        &state.settings.keys.name(Command::NextStep),
        Role::Key,
    ) + 1;
    c.put_in(
        end,
        y,
        room.saturating_sub(end - x),
        "profile what runs here",
        Role::Text,
    );
    c.put_in(x + 30, y, room.saturating_sub(30), &what, Role::Dim);
    y + 2
}
