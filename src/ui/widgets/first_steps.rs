//! How to begin: three lines over the lower rows, at the first start only and until the first key.

use crate::app::{Screen, State};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, wrap};
use crate::ui::widgets::chrome;

/// Draws the three lines, with the keys in force.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    let steps = match state.screen {
        Screen::Workers => [
            "Choose a Worker: {down} and {up} walk, {search} and a part of its name find it.",
            "{capture} profiles it in production for some seconds; it keeps serving.",
        ],
        Screen::Profile => [
            "Width is time or bytes; below a frame stand those it calls, heaviest first.",
            "{left} {down} {up} {right} walk, {zoom-in} zooms, {search} searches, {next-hint} goes to what stands out.",
        ],
        Screen::History => [
            "These are the captures on this machine: {open} opens one, also without a network.",
            "{go-workers} goes to the Workers, {search} finds a capture by its Worker.",
        ],
        Screen::Welcome => [
            "Nothing is needed for a first look: {start-demo} opens recorded profiles of real Workers.",
            "{open-file} opens a profile that you have.",
        ],
    };
    let last = "{help} shows every key where you are, {quit} leaves. This is told once.";
    let room = c.columns().saturating_sub(3);
    let keys = &state.settings.keys;
    let lines: Vec<String> = steps
        .into_iter()
        .chain([last])
        .flat_map(|step| wrap(&keys.told(step), room))
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
