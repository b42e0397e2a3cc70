//! The keys that work here, in columns.

use crate::app::keys::command::Command;
use crate::app::keys::message::message;
use crate::app::{
    HelpGroup, HelpSheet, KeyContext, Purpose, State, help_context, help_page, help_rows,
};
use crate::model::text::units::counted;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, wrap};
use crate::ui::widgets::chrome;

/// Cells for a command's keys.
const KEYS: u16 = 10;
/// Least cells for a column of keys and words.
const COLUMN_MIN: u16 = 50;
/// Gap between columns.
const GAP: u16 = 3;

/// Draws the help over the whole screen.
pub(crate) fn draw(c: &mut Canvas<'_>, state: &State, sheet: &HelpSheet) {
    let context = help_context(state);
    let chips: Vec<_> = (!sheet.filter.is_empty())
        .then(|| format!("[/{}]", sheet.filter))
        .into_iter()
        .collect();
    chrome::title(c, "Keys", &[context.title().to_owned()], &chips, &[]);
    if sheet.filter.is_empty()
        && !state.types(Purpose::HelpFilter)
        && let Some(groups) = help_page(context, &state.settings.keys)
        && page(c, &groups)
    {
        chrome::message(c, state, "");
        return chrome::keys(c, state);
    }
    let inner = c.columns().saturating_sub(2);
    let columns = ((inner + GAP) / (COLUMN_MIN + GAP)).clamp(1, 3);
    let width = (inner - (columns - 1) * GAP) / columns;
    let lines = lines(state, context, sheet, width.saturating_sub(KEYS));
    let top = 2;
    let room = usize::from(c.rows().saturating_sub(top + 2)).max(1);
    // All columns are as high as the screen; scrolling moves the text through them.
    let capacity = room * usize::from(columns);
    let scroll = sheet.row.min(lines.len().saturating_sub(capacity));
    for (place, line) in lines.iter().skip(scroll).take(capacity).enumerate() {
        let column = u16::try_from(place / room).unwrap_or(0);
        let x = 1 + column * (width + GAP);
        let y = top + u16::try_from(place % room).unwrap_or(0);
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
    chrome::above(c, 1, top - 1, c.columns(), scroll);
    let hidden = lines.len().saturating_sub(scroll + capacity);
    if hidden > 0 {
        let end = c.columns().saturating_sub(1);
        c.right(
            end,
            c.rows().saturating_sub(2),
            &format!("▾ {hidden} more"),
            Role::Dim,
        );
    }
    if lines.is_empty() {
        let text = state.settings.keys.expand_keys(&message![
            "No key here matches; ",
            Command::Palette,
            " finds every command by its name.",
        ]);
        c.put_in(1, top, inner, &text, Role::Text);
    }
    let found = lines
        .iter()
        .filter(|line| matches!(line, Line::Key(keys, _) if !keys.is_empty()))
        .count();
    chrome::message(c, state, &counted(found as i128, "key"));
    chrome::keys(c, state);
}

/// Draws the groups in two columns, half of them in each. Returns whether there is room for them.
fn page(c: &mut Canvas<'_>, groups: &[HelpGroup]) -> bool {
    const TOP: u16 = 2;
    let half = c.columns() / 2;
    let halves = [
        (1, &groups[..groups.len() / 2]),
        (half + 1, &groups[groups.len() / 2..]),
    ];
    let rows = |groups: &[HelpGroup]| {
        let rows: usize = groups.iter().map(|(_, rows)| rows.len() + 2).sum();
        u16::try_from(rows).unwrap_or(u16::MAX).saturating_sub(1)
    };
    let room = c.rows().saturating_sub(TOP + 1);
    if halves.iter().any(|(_, groups)| rows(groups) > room) {
        return false;
    }
    for (x, groups) in halves {
        let mut y = TOP;
        for (title, rows) in groups {
            c.put(x, y, title, Role::Accent);
            y += 1;
            for (keys, words) in rows {
                let end = c.put_in(x, y, half.saturating_sub(2), keys, Role::Key);
                let words_at = end.max(x + KEYS - 1) + 1;
                c.put_in(
                    words_at,
                    y,
                    (x + half).saturating_sub(words_at + 1),
                    words,
                    Role::Text,
                );
                y += 1;
            }
            y += 1;
        }
    }
    true
}

enum Line {
    Heading(&'static str),
    Key(String, String),
    Blank,
}

/// Returns the commands by group that match the search; a help text that is too long continues in the next line.
fn lines(state: &State, context: KeyContext, sheet: &HelpSheet, room: u16) -> Vec<Line> {
    let bindings = &state.settings.keys;
    let mut lines = Vec::new();
    for (group, rows) in help_rows(context, bindings) {
        let fitting: Vec<_> = rows
            .into_iter()
            .filter(|row| sheet.fits(row, context, &bindings.names(row)))
            .collect();
        if fitting.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::Blank);
        }
        lines.push(Line::Heading(group.title()));
        for row in fitting {
            let mut keys = bindings.names(row);
            for part in wrap(row.help_at(context), room) {
                lines.push(Line::Key(std::mem::take(&mut keys), part));
            }
        }
    }
    lines
}
