//! The lines of a form.

use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::chrome::Sheet;

/// Returns a form's line: its name, marked where the focus is. Returns the column of its value.
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
