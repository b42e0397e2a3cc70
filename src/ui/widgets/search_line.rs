//! What is said of a search, where its line is not open and above it where it is.

use crate::app::{ProfileState, Purpose, State};
use crate::model::query::search::Mode;
use crate::model::text::units::thousands;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, cut, width};

/// Draws the search that is in force while its line is closed: it leaves rows out and dims frames. Returns whether there is one.
pub(crate) fn kept_search(c: &mut Canvas<'_>, profile: &ProfileState) -> bool {
    let Some(search) = profile
        .search
        .as_ref()
        .filter(|search| !search.query.text.is_empty())
    else {
        return false;
    };
    let (y, end) = (c.rows().saturating_sub(2), c.columns().saturating_sub(1));
    let outcome = match &search.error {
        Some(error) => format!("no regular expression: {error}"),
        None => {
            let (shown, all) = (
                profile.table.shown.len() as i128,
                profile.table.rows.len() as i128,
            );
            let mode = match search.query.mode {
                Mode::Substring | Mode::Function => "",
                Mode::Word => "whole word · ",
                Mode::Regex => "regex · ",
                Mode::Fuzzy => "fuzzy · ",
            };
            // What a comparison is of is no part of one capture.
            let share = profile.compare.is_none().then(|| {
                format!(
                    " · {} of capture",
                    profile.reading.of_capture().share(search.whole.weight)
                )
            });
            let share = share.unwrap_or_default();
            format!(
                "{mode}{} of {} functions{share}",
                thousands(shown),
                thousands(all)
            )
        }
    };
    let x = c.put(1, y, "search ", Role::Dim);
    let outcome = cut(&outcome, (end - x) * 2 / 3).into_owned();
    let x = c.put_in(
        x,
        y,
        end.saturating_sub(x + width(&outcome) + 3),
        &search.query.text,
        Role::Accent,
    );
    c.put(x, y, &format!(" · {outcome}"), Role::Dim);
    true
}

/// Says above the line that is typed why it is no regular expression yet: what was typed stays whole.
pub(crate) fn faulty_search(c: &mut Canvas<'_>, state: &State, profile: &ProfileState) {
    let error = profile
        .search
        .as_ref()
        .and_then(|search| search.error.as_ref());
    let Some(error) = error.filter(|_| state.types(Purpose::Search)) else {
        return;
    };
    let y = c.rows().saturating_sub(3);
    c.clear(0, y, c.columns(), 1);
    c.put(1, y, "!", Role::Warn);
    c.put_in(
        3,
        y,
        c.columns().saturating_sub(4),
        &format!("no regular expression yet: {error}"),
        Role::Text,
    );
}
