//! The ranked table.

use ratatui::style::Modifier;

use crate::app::{Column, Pane, PercentBase, ProfileState};
use crate::model::graph::frames::Family;
use crate::model::graph::ranking::{Row, Sort};
use crate::model::text::sanitize::printable;
use crate::model::text::share::wilson_half_width;
use crate::model::text::units::{Scaled, column, column_unit, thousands};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, cut, width};
use crate::ui::widgets::chrome;
use crate::ui::widgets::columns::{from_to, location};
use crate::ui::widgets::frame_style::{bar_role, frame_role};
use crate::ui::widgets::list_rows::selected;

/// Columns with their cells and the gap after them.
const COLUMNS: &[(Column, u16, u16)] = &[
    (Column::Samples, 7, 4),
    (Column::SelfValue, 8, 2),
    (Column::SelfShare, 6, 1),
    (Column::Interval, 4, 2),
    (Column::Spread, 10, 2),
    (Column::Bar, 8, 2),
    (Column::Total, 8, 2),
    (Column::TotalShare, 7, 3),
    (Column::Function, 0, 2),
    (Column::Location, 0, 0),
];
/// Columns that give way where there is no room, first to last.
const GIVE_WAY: &[Column] = &[
    Column::Interval,
    Column::SelfValue,
    Column::Spread,
    Column::Total,
    Column::Location,
    Column::Bar,
];
/// Cells for saying how many places a function stands for.
const PLACES: u16 = 12;
/// Least and most cells of a function's name, and of a location.
const FUNCTION: (u16, u16) = (20, 44);
const LOCATION: (u16, u16) = (16, 28);

/// What all rows share.
struct Scale {
    unit: Option<Scaled>,
    /// The share that a full bar stands for.
    full: f64,
    /// Samples of the whole, where they are counted; else there are no intervals.
    counted: Option<u64>,
    base: i128,
    /// The columns that fit, with their cells and gaps.
    columns: Vec<(Column, u16, u16)>,
}

/// Draws head and rows.
pub(crate) fn draw(c: &mut Canvas<'_>, profile: &ProfileState, wanted: &[Column]) {
    let area = profile.geometry.table;
    if area.height == 0 {
        return;
    }
    let scale = scale(profile, wanted);
    head(c, profile, &scale);
    let rows = usize::from(area.height.saturating_sub(1));
    let table = &profile.table;
    // Without the focus the table does not follow the icicle's selection: a move must not repaint it.
    let start = table.offset.min(table.shown.len().saturating_sub(1));
    let selected_frame = profile.selected_frame();
    for (place, &at) in table.shown.iter().enumerate().skip(start).take(rows) {
        let Some(row) = table.rows.get(at) else {
            continue;
        };
        let y = area.y + 1 + u16::try_from(place - start).unwrap_or(0);
        // A search may leave the selected function out of the table: then no row is marked.
        let chosen = if profile.pane == Pane::Table {
            place == table.selected
        } else {
            selected_frame == Some(row.frame)
        };
        draw_row(c, profile, &scale, row, y, chosen);
    }
    if table.shown.is_empty() {
        let text = if profile.search.is_some() {
            "No function matches."
        } else {
            "No function to rank."
        };
        c.put_in(area.x, area.y + 1, area.width, text, Role::Dim);
    }
}

fn scale(profile: &ProfileState, wanted: &[Column]) -> Scale {
    let rows = &profile.table.rows;
    let unit = profile.unit();
    let largest = rows
        .iter()
        .map(|r| r.total.unsigned_abs().max(r.self_value.unsigned_abs()))
        .max()
        .unwrap_or(0);
    let base = profile.base().0;
    let top = rows
        .iter()
        .map(|r| r.self_value.unsigned_abs())
        .max()
        .unwrap_or(0);
    let share = if base == 0 {
        0.0
    } else {
        top as f64 / base as f64
    };
    let full = [0.1, 0.25, 0.5]
        .into_iter()
        .find(|step| share <= *step)
        .unwrap_or(1.0);
    let counted = profile.reading.counted_samples();
    Scale {
        unit: column_unit(largest, &unit),
        full,
        counted,
        base,
        columns: columns(
            profile.geometry.table.width,
            counted.is_some(),
            has_spread(profile),
            wanted,
        ),
    }
}

/// Whether the captures' own shares can be told: they are of each capture, and stand beside shares of the whole.
fn has_spread(profile: &ProfileState) -> bool {
    profile.percent_base == PercentBase::Capture && profile.reading.spread.is_some()
}

/// The wanted columns that fit, with their cells and gaps.
fn columns(room: u16, intervals: bool, spread: bool, wanted: &[Column]) -> Vec<(Column, u16, u16)> {
    let mut keep = COLUMNS.to_vec();
    let drop = |keep: &mut Vec<(Column, u16, u16)>, gone: Column| {
        keep.retain(|(column, ..)| *column != gone);
        if gone == Column::Interval {
            for (_, _, gap) in keep
                .iter_mut()
                .filter(|(column, ..)| *column == Column::SelfShare)
            {
                *gap = 2;
            }
        }
    };
    for column in Column::ALL.iter().filter(|column| !wanted.contains(column)) {
        drop(&mut keep, *column);
    }
    if !intervals {
        drop(&mut keep, Column::Interval);
    }
    if !spread {
        drop(&mut keep, Column::Spread);
    }
    let has =
        |keep: &[(Column, u16, u16)], wanted| keep.iter().any(|(column, ..)| *column == wanted);
    for gone in GIVE_WAY {
        let fixed: u16 = keep.iter().map(|(_, cells, gap)| cells + gap).sum();
        let text = FUNCTION.0
            + if has(&keep, Column::Location) {
                LOCATION.0
            } else {
                0
            };
        if fixed + text <= room {
            break;
        }
        drop(&mut keep, *gone);
    }
    let fixed: u16 = keep.iter().map(|(_, cells, gap)| cells + gap).sum();
    let rest = room.saturating_sub(fixed);
    let location = if has(&keep, Column::Location) {
        (rest * 2 / 5).clamp(LOCATION.0, LOCATION.1)
    } else {
        0
    };
    let function =
        rest.saturating_sub(location)
            .min(if location > 0 { FUNCTION.1 } else { u16::MAX });
    for (column, cells, _) in &mut keep {
        match column {
            Column::Function => *cells = function,
            Column::Location => *cells = rest.saturating_sub(function),
            _ => {}
        }
    }
    keep
}

fn head(c: &mut Canvas<'_>, profile: &ProfileState, scale: &Scale) {
    let area = profile.geometry.table;
    let unit = scale
        .unit
        .map_or_else(|| profile.unit(), |u| u.symbol.to_owned());
    let counts = profile.counts(0);
    let sorted = profile.table.sort;
    let mark = if profile.table.reverse { "▴" } else { "▾" };
    let mut x = area.x;
    for &(column, cells, gap) in &scale.columns {
        let by = |sort| {
            if sorted == sort {
                Role::Strong
            } else {
                Role::Dim
            }
        };
        let (text, role) = match column {
            Column::Samples => (counts.clone(), by(Sort::Samples)),
            Column::SelfValue => (format!("self {unit}"), by(Sort::SelfValue)),
            Column::SelfShare => ("self %".to_owned(), by(Sort::SelfValue)),
            Column::Interval => ("±".to_owned(), Role::Dim),
            Column::Spread => ("from–to %".to_owned(), Role::Dim),
            Column::Bar => (format!("to {:.0}%", scale.full * 100.0), Role::Dim),
            Column::Total => (format!("total {unit}"), by(Sort::Total)),
            Column::TotalShare => ("total %".to_owned(), by(Sort::Total)),
            Column::Function => ("function".to_owned(), by(Sort::Name)),
            Column::Location => ("location".to_owned(), Role::Dim),
        };
        let at_left = matches!(
            column,
            Column::Interval | Column::Bar | Column::Function | Column::Location
        );
        let end = if at_left {
            c.put_in(x, area.y, cells, &text, role)
        } else {
            c.right(x + cells, area.y, &cut(&text, cells + 1), role);
            x + cells
        };
        let marked = match sorted {
            Sort::Samples => column == Column::Samples,
            Sort::SelfValue => column == Column::SelfShare,
            Sort::Total => column == Column::TotalShare,
            Sort::Name => column == Column::Function,
        };
        if column == Column::Function {
            chrome::above(c, end + 3, area.y, x + cells, profile.table.offset);
        }
        if marked {
            c.put(
                end + u16::from(column != Column::SelfShare),
                area.y,
                mark,
                Role::Accent,
            );
        }
        x += cells + gap;
    }
}

fn draw_row(
    c: &mut Canvas<'_>,
    profile: &ProfileState,
    scale: &Scale,
    row: &Row,
    y: u16,
    chosen: bool,
) {
    let info = profile.reading.frames.info(row.frame);
    let family = profile.reading.frames.family(row.frame);
    let own = matches!(family, Family::Own | Family::Dependency);
    let mut x = profile.geometry.table.x;
    for &(column, cells, gap) in &scale.columns {
        match column {
            Column::Samples => {
                c.right(
                    x + cells,
                    y,
                    &thousands(i128::from(row.samples)),
                    Role::Text,
                );
            }
            Column::SelfValue => {
                c.right(
                    x + cells,
                    y,
                    &column_text(row.self_value, scale),
                    Role::Text,
                );
            }
            Column::Total => {
                c.right(x + cells, y, &column_text(row.total, scale), Role::Text);
            }
            Column::SelfShare => {
                c.right(x + cells, y, &share(row.self_value, scale), Role::Text);
            }
            Column::TotalShare => {
                c.right(x + cells, y, &share(row.total, scale), Role::Text);
            }
            Column::Interval => {
                if let Some(all) = scale.counted {
                    let half = wilson_half_width(row.samples.unsigned_abs(), all);
                    // Four cells hold no decimal from ten on; there it says nothing either.
                    let half = half * 100.0;
                    let text = if half < 9.95 {
                        format!("±{half:.1}")
                    } else {
                        format!("±{half:.0}")
                    };
                    c.put_in(x, y, cells, &text, Role::Dim);
                }
            }
            Column::Spread => {
                if let Some(own) = profile
                    .reading
                    .spread
                    .as_ref()
                    .and_then(|spread| spread.own(row.frame))
                {
                    c.right(x + cells, y, &from_to(own), Role::Text);
                }
            }
            Column::Bar => {
                let part = if scale.base == 0 {
                    0.0
                } else {
                    row.self_value.unsigned_abs() as f64 / scale.base as f64
                };
                let role = frame_role(profile, row.frame, row.self_value.unsigned_abs(), 0, 0);
                c.bar(x, y, cells, part / scale.full, bar_role(role));
            }
            Column::Function => function(
                c,
                profile,
                row,
                Spot {
                    x,
                    y,
                    cells,
                    chosen,
                },
                own,
            ),
            Column::Location => {
                c.put_in(x, y, cells, &location(&info), Role::Dim);
            }
        }
        x += cells + gap;
    }
}

/// Where a function's name stands in its row.
#[derive(Clone, Copy)]
struct Spot {
    x: u16,
    y: u16,
    cells: u16,
    /// Selected, in this pane or the other.
    chosen: bool,
}

/// The function's name with how many places it stands for, marked if selected, its matched letters lit.
fn function(c: &mut Canvas<'_>, profile: &ProfileState, row: &Row, at: Spot, own: bool) {
    let Spot {
        x,
        y,
        cells,
        chosen,
    } = at;
    let name = printable(profile.reading.frames.name(row.frame));
    // The name matters more than the word: where both have no room, a sign stands for it.
    let text = match row.places {
        0 | 1 => name.into_owned(),
        places if width(&name) + PLACES <= cells => format!("{name}  {places} places"),
        places => {
            let places = format!(" ×{places}");
            format!(
                "{}{places}",
                cut(&name, cells.saturating_sub(width(&places) + 1))
            )
        }
    };
    let focused = chosen && profile.pane == Pane::Table;
    if focused {
        selected(c, x - 1, y, cells + 1, &text, true);
    } else {
        c.put_in(x, y, cells, &text, if own { Role::Text } else { Role::Dim });
        if chosen {
            // One cell only: it follows the icicle's selection, and a move must stay cheap.
            c.put(x - 1, y, "▸", Role::Accent);
        }
    }
    let Some(matcher) = profile.search.as_ref().and_then(|s| s.matcher.as_ref()) else {
        return;
    };
    let shown = cut(&text, cells.saturating_sub(u16::from(chosen)));
    for span in matcher.spans(&shown) {
        let (Some(before), Some(found)) = (shown.get(..span.start), shown.get(span.clone())) else {
            continue;
        };
        for column in 0..width(found) {
            let Some(cell) = c.buffer.cell_mut((x + width(before) + column, y)) else {
                continue;
            };
            if focused {
                cell.modifier |= Modifier::UNDERLINED;
            } else {
                cell.set_style(c.theme.style(Role::MatchText));
            }
        }
    }
}

fn column_text(value: i64, scale: &Scale) -> String {
    column(i128::from(value), scale.unit)
}

fn share(value: i64, scale: &Scale) -> String {
    if scale.base == 0 {
        return "–".to_owned();
    }
    let text = format!("{:.1}", value as f64 / scale.base as f64 * 100.0);
    text.replace('-', "\u{2212}")
}
