//! The export dialog.

use crate::app::keys::message::message;
use crate::app::{Command, ExportDialog, ExportField, State};
use crate::ui::overlays::place;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room, width, wrap};
use crate::ui::widgets::chrome::{Sheet, typed};
use crate::ui::widgets::form::{choices, field};

/// Draws the dialog: format, what of the capture, whose names, the file, and what the format is for.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, dialog: &ExportDialog) {
    // The formats, three more lines, a blank one, and what the format is for; the rule and the row below it.
    let lines = rows_of(dialog, c.columns().saturating_sub(12)).len()
        + 4
        + if dialog.exists {
            1
        } else {
            wrap(dialog.purpose(), c.columns().saturating_sub(3)).len()
        };
    let at = place(
        c,
        state,
        u16::try_from(lines).unwrap_or(0).max(7) + 2,
        "Export",
        Role::Accent,
    );
    let focused = |line| dialog.field == line;
    let x = field(c, &at, at.y, "format", focused(ExportField::Format));
    let mut y = formats(c, &at, x, dialog);
    let is_screen = dialog.chosen().is_screen();
    let x = field(c, &at, y, "what", focused(ExportField::What));
    if is_screen {
        c.put(x + 1, y, "this screen", Role::Dim);
    } else {
        let what = ["this view".to_owned(), dialog.whole_name().to_owned()];
        choices(
            c,
            x,
            y,
            &what,
            usize::from(dialog.whole),
            focused(ExportField::What),
        );
    }
    y += 1;
    let x = field(c, &at, y, "names", focused(ExportField::Names));
    if is_screen {
        c.put(x + 1, y, "original", Role::Dim);
    } else {
        let names = ["original".to_owned(), "anonymized".to_owned()];
        choices(
            c,
            x,
            y,
            &names,
            usize::from(dialog.anonymous),
            focused(ExportField::Names),
        );
    }
    y += 1;
    let x = field(c, &at, y, "file", focused(ExportField::File));
    typed(
        c,
        x + 1,
        y,
        at.width.saturating_sub(12),
        &dialog.path,
        focused(ExportField::File),
    );
    y += 2;
    if dialog.exists {
        c.put(at.x + 1, y, "!", Role::Warn);
        let text = message![
            "This file exists already; ",
            Command::WriteExport,
            " again replaces it."
        ];
        let text = state.settings.keys.expand_keys(&text);
        c.put_in(at.x + 3, y, at.width - 3, &text, Role::Text);
        return;
    }
    c.put_wrapped(
        Room {
            x: at.x + 1,
            y,
            width: at.width - 1,
            end: at.end,
        },
        dialog.purpose(),
        Role::Dim,
    );
}

/// Returns the formats in as many rows as they take. Returns the row after them.
fn formats(c: &mut Canvas<'_>, at: &Sheet, x: u16, dialog: &ExportDialog) -> u16 {
    let focused = dialog.field == ExportField::Format;
    let room = (at.x + at.width).saturating_sub(x);
    let (mut y, mut first) = (at.y, 0);
    for row in rows_of(dialog, room) {
        choices(c, x, y, &row, dialog.format.wrapping_sub(first), focused);
        (first, y) = (first + row.len(), y + 1);
    }
    y
}

/// Returns the names of the formats in rows of at most `room` cells.
fn rows_of(dialog: &ExportDialog, room: u16) -> Vec<Vec<String>> {
    let (mut rows, mut used) = (vec![Vec::new()], 0);
    for format in &dialog.formats {
        let name = format.name().to_owned();
        // The brackets or blanks around it, and a blank between two.
        let cells = width(&name) + 3;
        if used + cells > room && used > 0 {
            rows.push(Vec::new());
            used = 0;
        }
        used += cells;
        rows.last_mut()
            .into_iter()
            .for_each(|row| row.push(name.clone()));
    }
    rows
}
