//! The code of one function: each line with what it costs.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::{CodeState, PercentBase, ProfileState};
use crate::model::lines::costs::{CostKind, LineCost};
use crate::model::text::sanitize::printable;
use crate::model::text::share::per_cent;
use crate::model::text::units::{Scaled, column, column_unit, thousands, value};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, Room, width};
use crate::ui::widgets::list_rows::selected;

/// Least cells of a figure, and cells of its percentage, from the left edge.
const FIGURE: u16 = 9;
const SHARE: u16 = 8;
/// Cells of a bar.
const BAR: u16 = 8;
/// Columns from which on each per cent stands beside its figure.
const WIDE: u16 = 100;
/// The row of the column heads; code begins below.
const HEAD: u16 = 3;

/// Where the columns end, and how figures are written.
struct Columns {
    wide: bool,
    kind: CostKind,
    unit: Option<Scaled>,
    base: i128,
    largest: u64,
    figure: u16,
    number: u16,
}

/// Draws function, figures and code.
pub(crate) fn draw(c: &mut Canvas<'_>, profile: &ProfileState, state: &CodeState) {
    head(c, profile, state);
    let columns = columns(c, profile, state);
    heads(c, &columns);
    let end = c.rows().saturating_sub(2);
    if state.shown.code.is_none() {
        return without(c, state, &columns);
    }
    let costs = &state.shown.costs.lines;
    for (y, number) in (HEAD + 1..end).zip(state.first..=state.last()) {
        let cost = costs
            .binary_search_by_key(&number, |line| line.line)
            .ok()
            .and_then(|at| costs.get(at));
        row(c, state, &columns, y, number, cost);
    }
}

/// The function, its place, and what the figures are of.
fn head(c: &mut Canvas<'_>, profile: &ProfileState, state: &CodeState) {
    let shown = &state.shown;
    let end = c.columns().saturating_sub(1);
    let place = match shown.costs.start {
        Some(line) => format!("{}:{line}", shown.file),
        None => shown.file.clone(),
    };
    let place = match shown.code.as_ref().and_then(|code| code.read_from.as_ref()) {
        Some(path) => format!("{place} · read from {path}"),
        None => place,
    };
    let kind_at = c.right(end, 1, shown.costs.kind.words(), Role::Dim);
    let room = kind_at.saturating_sub(3);
    let x = c.put_in(
        1,
        1,
        room.min(c.columns() / 2),
        &printable(&shown.name),
        Role::Strong,
    ) + 2;
    c.put_in(x, 1, room.saturating_sub(x), &printable(&place), Role::Dim);

    let unit = profile.unit();
    let costs = &shown.costs;
    let base = profile.reading.of_capture();
    let of_capture = match profile.percent_base {
        PercentBase::Capture => "",
        PercentBase::Zoom | PercentBase::Shown => " of capture",
    };
    let of = |name, v: i64| {
        format!(
            "{name} {}  {}{of_capture}",
            value(v.into(), &unit),
            base.share(v)
        )
    };
    let mut text = format!("{}   {}", of("self", costs.own), of("total", costs.total));
    if costs.kind == CostKind::Ticks {
        let sum = costs
            .lines
            .iter()
            .map(|line| i128::from(line.own))
            .sum::<i128>()
            + i128::from(costs.elsewhere);
        text.push_str(&format!("   {} ticks", thousands(sum)));
        if costs.elsewhere > 0 {
            text.push_str(&format!(
                ", {} of them on no line of this file",
                thousands(costs.elsewhere.into())
            ));
        }
    }
    c.put_in(1, 2, end.saturating_sub(1), &text, Role::Text);
}

fn columns(c: &Canvas<'_>, profile: &ProfileState, state: &CodeState) -> Columns {
    let costs = &state.shown.costs;
    let largest = costs
        .lines
        .iter()
        .map(|line| costs.weight(line).max(line.own.unsigned_abs()))
        .max()
        .unwrap_or(0);
    let unit = match costs.kind {
        CostKind::Ticks => None,
        _ => column_unit(largest, &profile.unit()),
    };
    Columns {
        wide: c.columns() >= WIDE,
        kind: costs.kind,
        unit,
        figure: FIGURE.max(width(&column(largest.into(), unit)) + 1),
        base: costs.base,
        largest: largest.max(1),
        number: width(&state.last().to_string()).max(4),
    }
}

impl Columns {
    /// Where the self columns end.
    fn own_end(&self) -> u16 {
        if self.wide {
            1 + self.figure + SHARE
        } else {
            1 + SHARE
        }
    }

    /// Where the columns of figures end.
    fn figures_end(&self) -> u16 {
        match (self.kind, self.wide) {
            (CostKind::Ticks, true) => self.own_end(),
            (CostKind::Ticks, false) => 1 + self.figure,
            (_, true) => self.own_end() + 2 + self.figure + SHARE,
            (_, false) => self.own_end() + SHARE,
        }
    }

    fn bar(&self) -> u16 {
        self.figures_end() + 2
    }

    /// Where the lines' numbers end.
    fn number_end(&self) -> u16 {
        if self.wide {
            self.bar() + BAR + 2 + self.number
        } else {
            self.figures_end() + 2 + self.number
        }
    }

    /// Where the code begins, the sign of the selected line before it.
    fn code(&self) -> u16 {
        self.number_end() + 1
    }
}

fn heads(c: &mut Canvas<'_>, columns: &Columns) {
    let symbol = columns
        .unit
        .map_or_else(String::new, |unit| format!(" {}", unit.symbol));
    let dim = |c: &mut Canvas<'_>, end: u16, text: &str| c.right(end, HEAD, text, Role::Dim);
    match (columns.kind, columns.wide) {
        (CostKind::Ticks, true) => {
            dim(c, columns.own_end() - SHARE, "ticks");
            dim(c, columns.own_end(), "%");
        }
        (CostKind::Ticks, false) => {
            dim(c, columns.figures_end(), "ticks");
        }
        (_, true) => {
            dim(c, columns.own_end() - SHARE, &format!("self{symbol}"));
            dim(c, columns.own_end(), "self %");
            dim(c, columns.figures_end() - SHARE, &format!("total{symbol}"));
            dim(c, columns.figures_end(), "total %");
        }
        (_, false) => {
            dim(c, columns.own_end(), "self %");
            dim(c, columns.figures_end(), "total %");
        }
    }
    dim(c, columns.number_end(), "line");
}

fn row(
    c: &mut Canvas<'_>,
    state: &CodeState,
    columns: &Columns,
    y: u16,
    number: i64,
    cost: Option<&LineCost>,
) {
    if let Some(cost) = cost {
        figures(c, columns, y, cost);
    }
    let is_selected = number == state.selected;
    c.right(
        columns.number_end(),
        y,
        &number.to_string(),
        if is_selected { Role::Strong } else { Role::Dim },
    );
    let text = state
        .shown
        .code
        .as_ref()
        .and_then(|code| code.line(number))
        .unwrap_or_default();
    let x = columns.code();
    let room = c.columns().saturating_sub(x + 1);
    let text = part_of(text, state.left, room);
    if is_selected {
        selected(
            c,
            x,
            y,
            room,
            if text.is_empty() { " " } else { &text },
            true,
        );
    } else {
        c.put_in(
            x + 1,
            y,
            room.saturating_sub(2),
            &text,
            if cost.is_some() {
                Role::Text
            } else {
                Role::Dim
            },
        );
        matched(c, x + 1, y, room.saturating_sub(2), &text, &state.search);
    }
}

/// Underlines what was searched for, where it is in sight.
fn matched(c: &mut Canvas<'_>, x: u16, y: u16, room: u16, text: &str, search: &str) {
    if search.is_empty() {
        return;
    }
    let folds = !search.chars().any(char::is_uppercase);
    let lower = if folds {
        Cow::Owned(text.to_lowercase())
    } else {
        Cow::Borrowed(text)
    };
    // Lower case may have other lengths in few scripts; there the mark is left out.
    if lower.len() != text.len() {
        return;
    }
    for (at, _) in lower.match_indices(search) {
        let (Some(before), Some(found)) = (text.get(..at), text.get(at..at + search.len())) else {
            continue;
        };
        let start = width(before);
        if start + width(found) <= room {
            c.put(x + start, y, found, Role::MatchText);
        }
    }
}

fn figures(c: &mut Canvas<'_>, columns: &Columns, y: u16, cost: &LineCost) {
    let figure = |v: i64| {
        if v == 0 {
            "·".to_owned()
        } else {
            column(v.into(), columns.unit)
        }
    };
    let share = |v: i64| {
        if v == 0 {
            String::new()
        } else {
            per_cent(v.into(), columns.base)
        }
    };
    let total = cost.total.unwrap_or(cost.own);
    match (columns.kind, columns.wide) {
        (CostKind::Ticks, true) => {
            c.right(columns.own_end() - SHARE, y, &figure(cost.own), Role::Text);
            c.right(columns.own_end(), y, &share(cost.own), Role::Text);
        }
        (CostKind::Ticks, false) => {
            c.right(columns.figures_end(), y, &figure(cost.own), Role::Text);
        }
        (_, true) => {
            c.right(columns.own_end() - SHARE, y, &figure(cost.own), Role::Text);
            c.right(columns.own_end(), y, &share(cost.own), Role::Text);
            c.right(columns.figures_end() - SHARE, y, &figure(total), Role::Text);
            c.right(columns.figures_end(), y, &share(total), Role::Text);
        }
        (_, false) => {
            c.right(columns.own_end(), y, &share(cost.own), Role::Text);
            c.right(columns.figures_end(), y, &share(total), Role::Text);
        }
    }
    if columns.wide {
        c.bar(
            columns.bar(),
            y,
            BAR,
            total.unsigned_abs() as f64 / columns.largest as f64,
            Role::BarHot,
        );
    }
}

/// Draws the costs of lines whose source was not found, and how to get it.
fn without(c: &mut Canvas<'_>, state: &CodeState, columns: &Columns) {
    let end = c.rows().saturating_sub(2);
    let mut y = HEAD + 1;
    for cost in &state.shown.costs.lines {
        if y + 4 >= end {
            break;
        }
        figures(c, columns, y, cost);
        c.right(columns.number_end(), y, &cost.line.to_string(), Role::Dim);
        y += 1;
    }
    let room = c.columns().saturating_sub(2);
    let file = printable(&state.shown.file);
    let why = format!("Source of {file} not found.");
    y = c.put_wrapped(
        Room {
            x: 1,
            y: y + 1,
            width: room,
            end,
        },
        &why,
        Role::Strong,
    );
    let how = "Load a source map that contains it, or start flarescope with --source-root DIR.";
    c.put_wrapped(
        Room {
            x: 1,
            y,
            width: room,
            end,
        },
        how,
        Role::Text,
    );
}

/// A line without its first columns, and no longer than can be shown with a sign that it goes on: lines of bundles are
/// long, and this is done for each that is drawn.
fn part_of(line: &str, left: u32, room: u16) -> Cow<'_, str> {
    let (from, most) = (left as usize, usize::from(room) + 1);
    if line.is_ascii() {
        let to = from.saturating_add(most).min(line.len());
        return Cow::Borrowed(line.get(from..to).unwrap_or_default());
    }
    let (mut column, mut out, mut used) = (0, String::new(), 0);
    for grapheme in line.graphemes(true) {
        let cells = usize::from(width(grapheme));
        if column >= from {
            out.push_str(grapheme);
            used += cells;
        } else if column + cells > from {
            // Half of a wide character.
            out.push(' ');
            used += 1;
        }
        column += cells;
        if used > most {
            break;
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::part_of;

    #[test]
    fn a_part_of_a_line_keeps_characters_whole() {
        assert_eq!(part_of("abcdef", 0, 10), "abcdef");
        assert_eq!(part_of("abcdef", 2, 2), "cde");
        assert_eq!(part_of("abcdef", 9, 2), "");
        assert_eq!(part_of("日本語", 1, 10), " 本語");
        assert_eq!(part_of("日本語", 2, 1), "本語");
    }
}
