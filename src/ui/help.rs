//! The keys that work here, in columns.

use super::canvas::Canvas;
use super::parts;
use super::theme::Role;
use crate::app::{Place, State, help_rows, key_names, keymap::behind};

/// Cells for a command's keys.
const KEYS: u16 = 14;

/// Draws the help over the whole screen.
pub(super) fn draw(c: &mut Canvas<'_>, state: &State, scroll: usize) {
    let place = behind(state);
    parts::title(c, "Keys", &[place.title().to_owned()], &[], &[]);
    let columns = if c.columns() >= 150 {
        3
    } else if c.columns() >= 110 {
        2
    } else {
        1
    };
    let lines = lines(place);
    let top = 2;
    let room = usize::from(c.rows().saturating_sub(top + 2));
    let per_column = lines.len().div_ceil(usize::from(columns)).max(room);
    let width = (c.columns().saturating_sub(2 + (columns - 1) * 3)) / columns;
    let scroll = scroll.min(lines.len().saturating_sub(room * usize::from(columns)));
    let mut hidden = 0;
    let per_column = if columns == 1 { lines.len() } else { per_column.min(room.max(1)) };
    for (at, line) in lines.iter().enumerate().skip(scroll) {
        let place = at - scroll;
        let (column, row) = (place / per_column.max(1), place % per_column.max(1));
        if column >= usize::from(columns) || row >= room {
            hidden += 1;
            continue;
        }
        let x = 1 + u16::try_from(column).unwrap_or(0) * (width + 3);
        let y = top + u16::try_from(row).unwrap_or(0);
        match line {
            Line::Heading(text) => {
                c.put(x, y, text, Role::Accent);
            }
            Line::Key(keys, help) => {
                c.put_in(x, y, KEYS - 1, keys, Role::Key);
                c.put_in(x + KEYS, y, width.saturating_sub(KEYS), help, Role::Text);
            }
            Line::Blank => {}
        }
    }
    if hidden > 0 {
        let end = c.columns().saturating_sub(1);
        c.right(end, c.rows().saturating_sub(2), &format!("▾ {hidden} more"), Role::Dim);
    }
    parts::keys(c, state);
}

enum Line {
    Heading(&'static str),
    Key(String, &'static str),
    Blank,
}

fn lines(place: Place) -> Vec<Line> {
    let mut lines = Vec::new();
    for (group, rows) in help_rows(place) {
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Heading(group.title()));
        lines.extend(rows.iter().map(|row| Line::Key(key_names(row), row.help)));
    }
    lines
}
