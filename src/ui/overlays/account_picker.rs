//! The rows of the list of accounts.

use crate::model::cloudflare::Account;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::list_rows::selected;

/// An account's row: its name, and its id where there is room.
pub(crate) fn row(
    c: &mut Canvas<'_>,
    account: &Account,
    (x, y, room): (u16, u16, u16),
    chosen: bool,
) {
    /// Cells of an id.
    const ID: u16 = 32;
    let names = room.saturating_sub(ID + 4).min(40);
    if chosen {
        selected(c, x, y, names + 2, &account.name, true);
    } else {
        c.put_in(x + 1, y, names, &account.name, Role::Text);
    }
    c.put_in(
        x + names + 3,
        y,
        room.saturating_sub(names + 3),
        &account.id,
        Role::Dim,
    );
}
