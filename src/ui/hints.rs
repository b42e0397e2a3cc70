//! Hints: the one that is told on the message line, and the sheet with all of them.

use super::canvas::{Canvas, width};
use super::theme::Role;
use super::workers;
use crate::app::{Bindings, Command, Hints, ProfileState, is_tall};

/// Columns of a hint's number and the blanks around it.
const NUMBER: u16 = 3;
/// What goes on from the message line, where there is room for it.
const NEXT: [(Command, &str); 2] = [(Command::NextHint, "go"), (Command::AllHints, "all hints")];

/// Draws the hint that is told, where nothing else stands on the message line.
pub(super) fn line(c: &mut Canvas<'_>, hints: &Hints, bindings: &Bindings) {
    let Some(hint) = hints.current() else { return };
    let y = c.rows().saturating_sub(2);
    let end = c.columns().saturating_sub(1);
    let x = c.put(1, y, "!", Role::Warn) + 1;
    let count = format!("hint {} of {}", hints.at + 1, hints.list.len());
    let next = NEXT.map(|(command, word)| (bindings.name(command), word));
    let keys: u16 = next.iter().map(|(key, word)| width(key) + 1 + width(word)).sum::<u16>() + 5;
    let whole = x + width(&hint.text) + 2;
    let room = if whole + width(&count) + keys <= end {
        with_keys(c, &count, end - keys, &next)
    } else {
        c.right(end, y, &count, Role::Dim)
    };
    c.put_in(x, y, room.saturating_sub(x + 2), &hint.text, Role::Text);
}

/// Draws the count with the keys after it; answers the count's first column.
fn with_keys(c: &mut Canvas<'_>, count: &str, count_end: u16, next: &[(String, &str)]) -> u16 {
    let y = c.rows().saturating_sub(2);
    let start = c.right(count_end, y, count, Role::Dim);
    let mut x = c.put(count_end, y, " · ", Role::Dim);
    for (key, word) in next {
        x = c.put(x, y, key, Role::Key);
        x = c.put(x + 1, y, word, Role::Dim) + 2;
    }
    start
}

/// Draws all hints over the table: two lines each, as many as there is room for around the selected one.
pub(super) fn sheet(c: &mut Canvas<'_>, profile: &ProfileState, selected: usize) {
    let hints = &profile.hints.list;
    let tall = is_tall(c.rows());
    let last = c.rows().saturating_sub(2);
    let lines = if tall { 3 } else { 2 };
    let wanted = u16::try_from(hints.len()).unwrap_or(u16::MAX).saturating_mul(lines).saturating_add(1);
    let top = top(profile, last, wanted);
    c.clear(0, top, c.columns(), c.rows().saturating_sub(top));
    c.put(1, top, "Hints", Role::Accent);
    let end = c.columns().saturating_sub(1);
    c.right(end, top, &format!("{} found", hints.len()), Role::Dim);
    let fitting = usize::from((last.saturating_sub(top + 1) + u16::from(tall)) / lines).max(1);
    let first = (selected + 1).saturating_sub(fitting);
    let mut y = top + 1;
    for (at, hint) in hints.iter().enumerate().skip(first).take(fitting) {
        c.put(1, y, &(at + 1).to_string(), Role::Key);
        let certainty = c.right(end, y, hint.certainty.word(), Role::Dim);
        let room = certainty.saturating_sub(1 + NUMBER + 2);
        if at == selected {
            workers::selected(c, NUMBER, y, room, &hint.text, true);
        } else {
            c.put_in(1 + NUMBER, y, room.saturating_sub(1), &hint.text, Role::Text);
        }
        c.put_in(1 + NUMBER, y + 1, end.saturating_sub(1 + NUMBER), &hint.why, Role::Dim);
        y += lines;
    }
}

/// Where the sheet begins: at the table if it stands below the icicle, but high enough for all hints if that can be.
fn top(profile: &ProfileState, last: u16, wanted: u16) -> u16 {
    let geometry = &profile.geometry;
    let least = last.saturating_sub(wanted);
    if geometry.beside || geometry.table.height == 0 { least } else { geometry.table.y.min(least) }.max(1)
}
