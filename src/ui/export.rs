//! The export sheet.

use super::canvas::{Canvas, width};
use super::parts::{Sheet, typed};
use super::sheets::{choices, field, place, wrapped};
use super::theme::Role;
use crate::app::{ExportDialog, ExportField, State};

/// Draws the sheet: format, what of the capture, whose names, the file, and what the format is for.
pub(super) fn sheet(c: &mut Canvas<'_>, state: &State, dialog: &ExportDialog) {
    let at = place(c, state, 9, "Export", Role::Accent);
    let focused = |line| dialog.field == line;
    let x = field(c, &at, at.y, "format", focused(ExportField::Format));
    let mut y = formats(c, &at, x, dialog);
    let is_screen = dialog.chosen().is_screen();
    let x = field(c, &at, y, "what", focused(ExportField::What));
    if is_screen {
        c.put(x + 1, y, "this screen", Role::Dim);
    } else {
        let what = ["this view".to_owned(), dialog.whole_name().to_owned()];
        choices(c, x, y, &what, usize::from(dialog.whole), focused(ExportField::What));
    }
    y += 1;
    let x = field(c, &at, y, "names", focused(ExportField::Names));
    if is_screen {
        c.put(x + 1, y, "as they are", Role::Dim);
    } else {
        let names = ["as they are".to_owned(), "stand-ins, to share".to_owned()];
        choices(c, x, y, &names, usize::from(dialog.anonymous), focused(ExportField::Names));
    }
    y += 1;
    let x = field(c, &at, y, "file", focused(ExportField::File));
    typed(c, x + 1, y, at.width.saturating_sub(12), &dialog.path, focused(ExportField::File));
    y += 2;
    if dialog.exists {
        c.put(at.x + 1, y, "!", Role::Warn);
        let text = "This file is there already. Enter once more replaces it.";
        c.put_in(at.x + 3, y, at.width - 3, text, Role::Text);
        return;
    }
    wrapped(c, at.x + 1, y, at.width - 1, at.end, dialog.purpose(), Role::Dim);
}

/// The formats in as many rows as they take. Answers the row after them.
fn formats(c: &mut Canvas<'_>, at: &Sheet, x: u16, dialog: &ExportDialog) -> u16 {
    let focused = dialog.field == ExportField::Format;
    let room = (at.x + at.width).saturating_sub(x);
    let (mut y, mut row, mut first, mut used) = (at.y, Vec::new(), 0, 0);
    for (place, format) in dialog.formats.iter().enumerate() {
        let name = format.name().to_owned();
        // The brackets or blanks around it, and a blank between two.
        let cells = width(&name) + 3;
        if used + cells > room && !row.is_empty() {
            choices(c, x, y, &row, dialog.format.wrapping_sub(first), focused);
            (row, first, used, y) = (Vec::new(), place, 0, y + 1);
        }
        row.push(name);
        used += cells;
    }
    choices(c, x, y, &row, dialog.format.wrapping_sub(first), focused);
    y + 1
}
