//! The ranked table.

use ratatui::style::Modifier;

use crate::app::{Column, Pane, PercentBase, ProfileState};
use crate::model::graph::base::Base;
use crate::model::graph::frames::Family;
use crate::model::graph::ranking::{Row, Sort};
use crate::model::text::sanitize::printable;
use crate::model::text::units::{self, Scaled, column_unit, thousands};
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::{Canvas, cut, cut_name, width};
use crate::ui::widgets::chrome;
use crate::ui::widgets::frame_style::{bar_role, frame_role};
use crate::ui::widgets::list_rows::selected;

/// Columns with their least cells and the gap after them. One of figures is as wide as the widest of them.
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
    base: Base,
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
    let most = |of: fn(&Row) -> i64| {
        rows.iter()
            .map(of)
            .map(i64::unsigned_abs)
            .max()
            .unwrap_or(0)
    };
    let own = most(|row| row.self_value);
    let base = profile.base().0;
    let share = base.part(own);
    let full = [0.1, 0.25, 0.5]
        .into_iter()
        .find(|step| share <= *step)
        .unwrap_or(1.0);
    let mut scale = Scale {
        unit: column_unit(own.max(most(|row| row.total)), &profile.unit()),
        full,
        base,
        columns: Vec::new(),
    };
    let mut columns = COLUMNS.to_vec();
    columns.retain(|(column, ..)| wanted.contains(column) && has(profile, base, *column));
    for (column, cells, _) in &mut columns {
        *cells = widest(profile, &scale, *column).max(*cells);
    }
    scale.columns = fitting(profile.geometry.table.width, columns);
    scale
}

/// Whether a column can say anything.
fn has(profile: &ProfileState, base: Base, column: Column) -> bool {
    match column {
        Column::Interval => base.has_intervals(),
        Column::Spread => {
            let first = profile.table.rows.first();
            first.is_some_and(|row| profile.spread(row.frame).is_some())
        }
        _ => true,
    }
}

/// The cells of a column's widest figure. The largest and the least of them are that, so few are written out.
fn widest(profile: &ProfileState, scale: &Scale, column: Column) -> u16 {
    if column == Column::Interval {
        return scale.base.widest_interval().map_or(0, |text| width(&text));
    }
    let of = |row: &&Row| match column {
        Column::Samples => row.samples,
        Column::Total | Column::TotalShare => row.total,
        _ => row.self_value,
    };
    let rows = || profile.table.rows.iter();
    let ends = [rows().max_by_key(of), rows().min_by_key(of)];
    let cells = ends
        .into_iter()
        .flatten()
        .filter_map(|row| figure(profile, scale, column, row))
        .map(|text| width(&text));
    cells.max().unwrap_or(0)
}

/// A row's figure in a column; `None` where the column has none.
fn figure(profile: &ProfileState, scale: &Scale, column: Column, row: &Row) -> Option<String> {
    let percentage = |value: i64| {
        let share = scale.base.share(value);
        share.trim_end_matches('%').to_owned()
    };
    Some(match column {
        Column::Samples => thousands(row.samples.into()),
        Column::SelfValue => units::column(row.self_value.into(), scale.unit),
        Column::Total => units::column(row.total.into(), scale.unit),
        Column::SelfShare => percentage(row.self_value),
        Column::TotalShare => percentage(row.total),
        Column::Interval => scale.base.interval(row.samples)?,
        Column::Spread => profile.spread(row.frame)?.to_string(),
        Column::Bar | Column::Function | Column::Location => return None,
    })
}

/// The columns that fit, with their cells and gaps.
fn fitting(room: u16, mut keep: Vec<(Column, u16, u16)>) -> Vec<(Column, u16, u16)> {
    let has = |keep: &[(Column, u16, u16)], of| keep.iter().any(|(column, ..)| *column == of);
    let fixed = |keep: &[(Column, u16, u16)]| keep.iter().map(|(_, cells, gap)| cells + gap).sum();
    for gone in GIVE_WAY {
        if !has(&keep, Column::Interval) {
            let own = keep.iter_mut().find(|(of, ..)| *of == Column::SelfShare);
            own.into_iter().for_each(|(_, _, gap)| *gap = 2);
        }
        let location = if has(&keep, Column::Location) {
            LOCATION.0
        } else {
            0
        };
        let fixed: u16 = fixed(&keep);
        if fixed + FUNCTION.0 + location <= room {
            break;
        }
        keep.retain(|(column, ..)| column != gone);
    }
    let fixed: u16 = fixed(&keep);
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

/// The head of the functions: of what rows and percentages are, where that is not the whole capture.
fn function_head(profile: &ProfileState) -> String {
    let of = profile.base().1;
    match profile.percent_base {
        PercentBase::Capture => "function".to_owned(),
        PercentBase::Zoom => format!("function in the zoom, % {of}"),
        PercentBase::Shown => format!("function, % {of}"),
    }
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
        // Half a unit is another unit.
        let with_unit = |word: &str| {
            let whole = format!("{word} {unit}");
            if width(&whole) <= cells + 1 {
                whole
            } else {
                word.to_owned()
            }
        };
        let (text, role) = match column {
            Column::Samples => (counts.clone(), by(Sort::Samples)),
            Column::SelfValue => (with_unit("self"), by(Sort::SelfValue)),
            Column::SelfShare => ("self %".to_owned(), by(Sort::SelfValue)),
            Column::Interval => ("±".to_owned(), Role::Dim),
            Column::Spread => ("from–to %".to_owned(), Role::Dim),
            Column::Bar => (format!("to {:.0}%", scale.full * 100.0), Role::Dim),
            Column::Total => (with_unit("total"), by(Sort::Total)),
            Column::TotalShare => ("total %".to_owned(), by(Sort::Total)),
            Column::Function => (function_head(profile), by(Sort::Name)),
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
    let mut columns = scale.columns.iter();
    let has_location = columns.any(|(column, ..)| *column == Column::Location);
    for &(column, cells, gap) in &scale.columns {
        match column {
            Column::Bar => {
                let own = row.self_value.unsigned_abs();
                let role = frame_role(profile, row.frame, own, 0, 0);
                c.bar(
                    x,
                    y,
                    cells,
                    scale.base.part(own) / scale.full,
                    bar_role(role),
                );
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
                    has_location,
                },
                own,
            ),
            Column::Location => {
                c.put_place(x, y, cells, &info.short_place(), Role::Dim);
            }
            Column::Interval => {
                let text = figure(profile, scale, column, row).unwrap_or_default();
                c.put_in(x, y, cells, &text, Role::Dim);
            }
            _ => {
                let text = figure(profile, scale, column, row).unwrap_or_default();
                c.right(x + cells, y, &text, Role::Text);
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
    /// The place has a column of its own.
    has_location: bool,
}

/// The function's name with how many places it stands for, marked if selected, its matched letters lit.
fn function(c: &mut Canvas<'_>, profile: &ProfileState, row: &Row, at: Spot, own: bool) {
    let Spot {
        x,
        y,
        cells,
        chosen,
        has_location,
    } = at;
    let frames = &profile.reading.frames;
    let name = if has_location {
        printable(frames.name(row.frame))
    } else {
        let info = frames.info(row.frame);
        info.fitting_label(|label| width(label) <= cells)
    };
    // The name matters more than the word: where both have no room, a sign stands for it.
    let text = match row.places {
        0 | 1 => cut_name(&name, cells).into_owned(),
        places if width(&name) + PLACES <= cells => format!("{name}  {places} places"),
        places => {
            let places = format!(" ×{places}");
            format!(
                "{}{places}",
                cut_name(&name, cells.saturating_sub(width(&places) + 1))
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
