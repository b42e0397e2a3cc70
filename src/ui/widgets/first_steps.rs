//! How to begin: three lines over the lower rows, at the first start only and until the first key.

use crate::app::keys::message::message;
use crate::app::{Command, Screen, State};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, wrap};
use crate::ui::widgets::chrome;

/// Draws the three lines, with the keys in force.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    let steps = match state.screen {
        Screen::Workers => [
            message![
                "Choose a Worker: ",
                Command::Down,
                " and ",
                Command::Up,
                " move, ",
                Command::Search,
                " and a part of its name find it."
            ],
            message![
                Command::Capture,
                " profiles it in production for some seconds; it keeps serving."
            ],
        ],
        Screen::Profile => [
            message!["Width is time or bytes; below a frame stand those it calls, heaviest first."],
            message![
                Command::Left,
                " ",
                Command::Down,
                " ",
                Command::Up,
                " ",
                Command::Right,
                " move, ",
                Command::ZoomIn,
                " zooms, ",
                Command::Search,
                " searches, ",
                Command::NextHint,
                " goes to what stands out."
            ],
        ],
        Screen::History => [
            message![
                "These are the captures on this machine: ",
                Command::Open,
                " opens one, also without a network."
            ],
            message![
                Command::GoWorkers,
                " goes to the Workers, ",
                Command::Search,
                " finds a capture by its Worker."
            ],
        ],
        Screen::Welcome => [
            message![
                "Nothing is needed for a first look: ",
                Command::StartDemo,
                " opens recorded profiles of real Workers."
            ],
            message![Command::OpenFile, " opens a profile that you have."],
        ],
    };
    let last = message![
        Command::Help,
        " shows every key where you are, ",
        Command::Quit,
        " leaves. This is shown once."
    ];
    let room = c.columns().saturating_sub(3);
    let keys = &state.settings.keys;
    let lines: Vec<String> = steps
        .into_iter()
        .chain([last])
        .flat_map(|step| wrap(&keys.expand_keys(&step), room))
        .collect();
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    // One rule, one blank row, the lines, the message line and the keys.
    let top = c.rows().saturating_sub(rows.saturating_add(4));
    let sheet = chrome::sheet(
        c,
        1,
        top,
        c.columns().saturating_sub(2),
        "The first time here",
        Role::Accent,
    );
    for (y, line) in (sheet.y..sheet.end).zip(&lines) {
        c.put_in(2, y, room, line, Role::Text);
    }
    chrome::message(c, state, "");
    chrome::keys(c, state);
}
