//! Hints: the current one on the message line, and the overlay with all of them.

use crate::app::{Bindings, Command, PercentBase, ProfileState, is_tall};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, width, wrap};
use crate::ui::widgets::list_rows;

/// Columns of a hint's number and the blanks around it.
const NUMBER: u16 = 3;
/// What continues from the message line, if there is room.
const NEXT: [(Command, &str); 2] = [(Command::NextHint, "go"), (Command::AllHints, "all hints")];

/// What follows a headline that says since when.
const COMPARE: [(Command, &str); 1] = [(Command::Compare, "compare")];
/// What follows one that can't, where two versions serve.
const BOTH: [(Command, &str); 1] = [(Command::Capture, "capture both versions")];
/// From this many columns on that is said.
const WIDE: u16 = 100;

/// Draws the headline, or once hints are walked the current one, if the message line is free.
pub(crate) fn line(c: &mut Canvas<'_>, profile: &ProfileState, bindings: &Bindings) {
    let hints = &profile.hints;
    let headline = Some(&profile.headline).filter(|_| !hints.visited);
    let of_hints = hints.current().map(|hint| {
        let is_its = headline.is_none_or(|headline| headline.is_of(hint));
        let count = match hints.list.len() {
            count if is_its => format!("hint {} of {count}", hints.at + 1),
            1 => "1 hint".to_owned(),
            count => format!("{count} hints"),
        };
        // What hints say is of the capture, whatever percentages beside them are of.
        match profile.percent_base {
            PercentBase::Capture => count,
            _ => format!("of capture · {count}"),
        }
    });
    let text = |room: u16| {
        let line = headline.and_then(|headline| headline.line(room.into()));
        line.or_else(|| hints.current().map(|hint| hint.text.clone()))
    };
    let (y, end) = (c.rows().saturating_sub(2), c.columns().saturating_sub(1));
    let Some(whole) = text(end) else { return };
    let x = c.put(1, y, "!", Role::Warn) + 1;
    let is_since = headline.is_some_and(|headline| headline.since.is_some());
    let is_wide = c.columns() >= WIDE;
    let (count, next): (String, &[(Command, &str)]) = match of_hints {
        _ if is_since && is_wide => (String::new(), &COMPARE),
        _ if is_wide && profile.wants_both_versions() => (String::new(), &BOTH),
        Some(count) => (count, &NEXT),
        None => (String::new(), &[]),
    };
    let next: Vec<(String, &str)> = next
        .iter()
        .map(|(command, word)| (bindings.name(*command), *word))
        .collect();
    let keys: u16 = next
        .iter()
        .map(|(key, word)| width(key) + 1 + width(word) + 2)
        .sum::<u16>()
        + 1;
    let has_room = x + width(&whole) + 2 + width(&count) + keys <= end;
    let room = if has_room && !next.is_empty() {
        with_keys(c, &count, end - keys, &next)
    } else {
        c.right(end, y, &count, Role::Dim)
    };
    let room = room.saturating_sub(x + 2);
    c.put_in(x, y, room, &text(room).unwrap_or_default(), Role::Text);
}

/// Draws the count with the keys after it; returns the count's first column.
fn with_keys(c: &mut Canvas<'_>, count: &str, count_end: u16, next: &[(String, &str)]) -> u16 {
    let y = c.rows().saturating_sub(2);
    let start = c.right(count_end, y, count, Role::Dim);
    let between = if count.is_empty() { "   " } else { " · " };
    let mut x = c.put(count_end, y, between, Role::Dim);
    for (key, word) in next {
        x = c.put(x, y, key, Role::Key);
        x = c.put(x + 1, y, word, Role::Dim) + 2;
    }
    start
}

/// Draws all hints over the table: two lines each, as many as there is room for around the selected one.
pub(crate) fn draw(
    c: &mut Canvas<'_>,
    profile: &ProfileState,
    bindings: &Bindings,
    selected: usize,
) {
    let hints = &profile.hints.list;
    let tall = is_tall(c.rows());
    let last = c.rows().saturating_sub(2);
    let end = c.columns().saturating_sub(1);
    // A hint takes the lines that it takes: nothing else shows the rest of it.
    let laid: Vec<(Vec<String>, Vec<String>)> = hints
        .iter()
        .map(|hint| {
            let beside = end.saturating_sub(width(hint.certainty()) + 1 + NUMBER + 4);
            (
                wrap(&hint.text, beside),
                wrap(
                    &bindings.expand_keys(&hint.detail()),
                    end.saturating_sub(1 + NUMBER),
                ),
            )
        })
        .collect();
    let height = |(text, why): &(Vec<String>, Vec<String>)| {
        u16::try_from(text.len() + why.len()).unwrap_or(u16::MAX) + u16::from(tall)
    };
    let wanted = laid.iter().map(height).fold(1, u16::saturating_add);
    let top = top(profile, last, wanted);
    c.clear(0, top, c.columns(), c.rows().saturating_sub(top));
    c.put(1, top, "Hints", Role::Accent);
    let found = match profile.percent_base {
        PercentBase::Capture => format!("{} found", hints.len()),
        _ => format!("{} found, shares of capture", hints.len()),
    };
    c.right(end, top, &found, Role::Dim);
    let room = last.saturating_sub(top + 1) + u16::from(tall);
    // As many above the selected one as leave room for it.
    let upwards = laid
        .iter()
        .take(selected + 1)
        .rev()
        .scan(0_u16, |used, hint| {
            *used = used.saturating_add(height(hint));
            (*used <= room).then_some(())
        });
    let first = (selected + 1).saturating_sub(upwards.count().max(1));
    crate::ui::widgets::chrome::above(c, 9, top, end / 2, first);
    let mut y = top + 1;
    for (at, (hint, (text, why))) in hints.iter().zip(&laid).enumerate().skip(first) {
        if y >= last {
            break;
        }
        c.put(1, y, &(at + 1).to_string(), Role::Key);
        c.right(end, y, hint.certainty(), Role::Dim);
        for (row, (line, role)) in text
            .iter()
            .map(|line| (line, Role::Text))
            .chain(why.iter().map(|line| (line, Role::Dim)))
            .enumerate()
        {
            if y >= last {
                break;
            }
            match role {
                // The cursor is one sign, however many lines the hint takes.
                Role::Text if at == selected && row > 0 => {
                    c.put(1 + NUMBER, y, line, Role::SelectedRow);
                }
                Role::Text if at == selected => list_rows::selected(c, NUMBER, y, end, line, true),
                role => {
                    c.put(1 + NUMBER, y, line, role);
                }
            }
            y += 1;
        }
        y += u16::from(tall);
    }
}

/// Returns the first row of the overlay: that of the table below the icicle, or higher if all hints need it.
fn top(profile: &ProfileState, last: u16, wanted: u16) -> u16 {
    let geometry = &profile.geometry;
    let least = last.saturating_sub(wanted);
    if geometry.beside || geometry.table.height == 0 {
        least
    } else {
        geometry.table.y.min(least)
    }
    .max(1)
}
