//! The question whether to leave while a capture runs, or with a profile that is in no file.

use crate::app::keys::message::{Message, message};
use crate::app::{Command, Origin, State};
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room};

/// Draws the question whether to leave while a capture runs.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State) {
    let unsaved = "It could be written nowhere, and is lost when you leave.";
    let captures = state.captures.running.is_some();
    let title = if captures {
        "A capture is running"
    } else {
        "A profile is in no file"
    };
    let at = place(c, state, 8, title, Role::ErrorRule);
    let (text, ends): (Message, bool) = match state.session.origin {
        _ if !captures => (unsaved.into(), true),
        // The demo server is a part of this program.
        Origin::Demo => (
            "The demo ends with the program, and the capture with it.".into(),
            true,
        ),
        _ => (
            message![
                "The capture goes on after you quit, and will be in the history (",
                Command::GoCaptures,
                ").",
            ],
            false,
        ),
    };
    let text = state.settings.keys.expand_keys(&text);
    let mut y = c.put_wrapped(
        Room {
            x: at.x + 1,
            y: at.y,
            width: at.width - 1,
            end: at.end,
        },
        &text,
        Role::Strong,
    );
    let left_out = match running_series(state) + state.captures.waiting.len() {
        0 => None,
        1 => Some("One more that waits is not sent.".to_owned()),
        several => Some(format!("{several} more that wait are not sent.")),
    };
    if let Some(text) = left_out {
        y = c.put_wrapped(
            Room {
                x: at.x + 1,
                y,
                width: at.width - 1,
                end: at.end,
            },
            &text,
            Role::Text,
        );
    }
    if captures && state.is_unsaved() {
        let text = format!("A profile is in no file. {unsaved}");
        y = c.put_wrapped(
            Room {
                x: at.x + 1,
                y,
                width: at.width - 1,
                end: at.end,
            },
            &text,
            Role::Text,
        );
    }
    let leave = if !captures {
        "leave, the profile is lost"
    } else if ends {
        "leave, the capture is lost"
    } else {
        "leave, and let it go on"
    };
    let keys = &state.settings.keys;
    let to_file = format!("stay; {} writes it to a file", keys.name(Command::Export));
    let ways: &[(Command, &str)] = if captures {
        &[
            (Command::Quit, leave),
            (Command::CancelCapture, "cancel it"),
            (Command::Dismiss, "stay, and wait for it"),
        ]
    } else {
        &[(Command::Quit, leave), (Command::Dismiss, &to_file)]
    };
    for (command, text) in ways.iter().copied() {
        y += 1;
        if y >= at.end {
            break;
        }
        c.put(at.x + 1, y, &keys.name(command), Role::Key);
        c.put(at.x + 6, y, text, Role::Text);
    }
}

/// Captures of the running batch that come after the running one.
fn running_series(state: &State) -> usize {
    let running = state.captures.running.as_ref();
    running.map_or(0, |running| {
        running
            .batch
            .steps
            .len()
            .saturating_sub(running.batch.kept.len() + 1)
    })
}
