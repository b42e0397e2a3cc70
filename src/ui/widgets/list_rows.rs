//! The rows of lists.

use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;

/// A list's selected row: cream with the focus, else marked and bold.
pub(crate) fn selected(c: &mut Canvas<'_>, x: u16, y: u16, room: u16, name: &str, focused: bool) {
    if focused {
        let at = c.put(x, y, "▸", Role::SelectedRow);
        let end = c.put_in(at, y, room.saturating_sub(2), name, Role::SelectedRow);
        c.put(end, y, " ", Role::SelectedRow);
    } else {
        c.put(x, y, "▸", Role::Accent);
        c.put_in(x + 1, y, room.saturating_sub(1), name, Role::Strong);
    }
}
