//! The layout of the screen, in cells. Navigation needs it (which frames are drawn?), and drawing follows it.

/// Fewer columns than this: one line says so instead.
pub const MIN_COLUMNS: u16 = 60;
/// Fewer rows than this: one line says so instead.
pub const MIN_ROWS: u16 = 15;
/// From this many rows on, sections are set apart by blank rows and details take two lines.
const TALL_ROWS: u16 = 30;
/// From this many columns on, a table may be beside a deep icicle.
const BESIDE_COLUMNS: u16 = 160;

/// Whether a window is too small for any screen: one line says so, and keys do nothing that can't be seen.
#[must_use]
pub const fn is_too_small((columns, rows): (u16, u16)) -> bool {
    columns < MIN_COLUMNS || rows < MIN_ROWS
}

/// Whether there is room for blank rows between sections.
#[must_use]
pub const fn is_tall(rows: u16) -> bool {
    rows >= TALL_ROWS
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Area {
    /// Whether a cell lies in it.
    #[must_use]
    pub const fn holds(&self, x: u16, y: u16) -> bool {
        x >= self.x && x < self.x + self.width && y >= self.y && y < self.y + self.height
    }
}

/// The layout of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryGeometry {
    /// The list's lines.
    pub list: Area,
    /// The lines about the selected capture; no height: not shown.
    pub details: Area,
}

/// Divides the screen of the captures on disk.
#[must_use]
pub const fn history_geometry((columns, rows): (u16, u16)) -> HistoryGeometry {
    // The title and a blank row above, the message and the keys below.
    let free = rows.saturating_sub(4);
    let (lines, blank) = match rows {
        TALL_ROWS.. => (3, 2),
        24.. => (3, 1),
        20.. => (1, 1),
        _ => (0, 0),
    };
    let width = columns.saturating_sub(2);
    let list = Area {
        x: 1,
        y: 2,
        width,
        height: free.saturating_sub(lines + blank),
    };
    HistoryGeometry {
        list,
        details: Area {
            x: 1,
            y: list.y + list.height + 1,
            width,
            height: lines,
        },
    }
}

/// The layout of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProfileGeometry {
    /// The ceiling and the icicle's rows below it; no height: not shown.
    pub icicle: Area,
    /// The details' lines.
    pub details: Area,
    /// The table with its head; no height: not shown.
    pub table: Area,
    /// Whether the table is beside the icicle.
    pub beside: bool,
}

impl ProfileGeometry {
    /// Returns the rows of frames below the ceiling.
    #[must_use]
    pub const fn frame_rows(&self) -> u16 {
        self.icicle.height.saturating_sub(1)
    }

    /// Returns the rows of the table below its head.
    #[must_use]
    pub const fn table_rows(&self) -> u16 {
        self.table.height.saturating_sub(1)
    }
}

/// Returns the part of the free rows that the icicle takes at most.
fn part_of(free: u16) -> u16 {
    (u32::from(free) * 11 / 20) as u16
}

/// Returns the rows of frames in a stacked layout: as deep as the profile, at most 55% of what is free.
fn stacked_rows(rows: u16, depth: u32) -> u16 {
    let free = rows.saturating_sub(if is_tall(rows) { 9 } else { 6 });
    let most = part_of(free).max(4);
    u16::try_from(depth).unwrap_or(u16::MAX).clamp(1, most)
}

/// Places the parts of a profile that is `depth` frames deep. `larger` rows go from the icicle to the table.
#[must_use]
pub fn profile_geometry(
    size: (u16, u16),
    depth: u32,
    shape: Shape,
    larger: i16,
) -> ProfileGeometry {
    let (columns, rows) = size;
    let tall = is_tall(rows);
    let gap = u16::from(tall);
    let detail_lines = if tall { 2 } else { 1 };
    // Title above; the message line and the keys below.
    let body = rows.saturating_sub(3);
    let free = rows.saturating_sub(if tall { 9 } else { 6 });
    let beside = match shape {
        Shape::Auto => columns >= BESIDE_COLUMNS && depth > u32::from(part_of(free)),
        Shape::Beside => columns >= BESIDE_COLUMNS,
        _ => false,
    };
    if beside {
        return beside_geometry(columns, rows);
    }
    let full = |y, height| Area {
        x: 1,
        y,
        width: columns.saturating_sub(2),
        height,
    };
    match shape {
        Shape::Icicle => {
            let height = body.saturating_sub(detail_lines + 2 * gap);
            ProfileGeometry {
                icicle: full(1, height),
                details: full(1 + height + gap, detail_lines),
                ..ProfileGeometry::default()
            }
        }
        Shape::Table => ProfileGeometry {
            details: full(1, detail_lines),
            table: full(
                1 + detail_lines + gap,
                body.saturating_sub(detail_lines + 2 * gap),
            ),
            ..ProfileGeometry::default()
        },
        Shape::Auto | Shape::Stacked | Shape::Beside => {
            let usual = stacked_rows(rows, depth);
            let most = free.saturating_sub(2).max(1);
            let frames = usual.saturating_add_signed(-larger).clamp(1, most);
            let details_y = 2 + frames + gap;
            let table_y = details_y + detail_lines + gap;
            let table_rows = rows.saturating_sub(2 + gap).saturating_sub(table_y);
            ProfileGeometry {
                icicle: full(1, frames + 1),
                details: full(details_y, detail_lines),
                table: full(table_y, table_rows),
                beside: false,
            }
        }
    }
}

/// Returns the icicle and its details on the left, the table on the right.
fn beside_geometry(columns: u16, rows: u16) -> ProfileGeometry {
    let table = (u32::from(columns) * 2 / 5).clamp(64, 86) as u16;
    let left = columns.saturating_sub(2) - table - 3;
    let details_y = rows.saturating_sub(4);
    let area = |x, y, width, height| Area {
        x,
        y,
        width,
        height,
    };
    ProfileGeometry {
        icicle: area(1, 1, left, details_y.saturating_sub(2)),
        details: area(1, details_y, left, 2),
        table: area(1 + left + 3, 1, table, rows.saturating_sub(4)),
        beside: true,
    }
}

/// From this many columns on the list of Workers shows every metric.
pub(crate) const ALL_METRICS: u16 = 180;

/// Returns the areas of the list of Workers and of the pane of the selected one.
#[must_use]
pub fn workers_geometry(size: (u16, u16)) -> (Area, Area) {
    let (columns, rows) = size;
    if columns >= 100 {
        let list = match columns {
            ..160 => 47,
            160..ALL_METRICS => 60,
            // Memory and errors have columns of their own.
            ALL_METRICS.. => 77,
        };
        let height = rows.saturating_sub(4);
        let pane = list + 5;
        return (
            Area {
                x: 1,
                y: 2,
                width: list,
                height,
            },
            Area {
                x: pane,
                y: 2,
                width: columns.saturating_sub(1 + pane),
                height,
            },
        );
    }
    let inner = columns.saturating_sub(2);
    // A blank row, then the panel.
    let (gap, panel) = if rows >= 20 { (1, 7) } else { (0, 0) };
    // Title, list with its head and "more" line, panel, message line, keys.
    let list = rows.saturating_sub(3 + gap + panel);
    (
        Area {
            x: 1,
            y: 1,
            width: inner,
            height: list,
        },
        Area {
            x: 1,
            y: 1 + list + gap,
            width: inner,
            height: panel,
        },
    )
}

/// Returns the first row to show so that `selected` is on the screen, scrolling as little as possible.
#[must_use]
pub(crate) fn scrolled(offset: usize, selected: usize, count: usize, rows: usize) -> usize {
    // Without room nothing is shown; the selected row is then as good a start as any.
    let rows = rows.max(1);
    let last_start = count.saturating_sub(rows);
    let offset = offset
        .min(selected)
        .max((selected + 1).saturating_sub(rows));
    offset.min(last_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps_and_nothing_leaves_the_screen() {
        for columns in [60, 80, 100, 120, 160, 200, 300] {
            for rows in [15, 20, 24, 29, 30, 40, 50, 100] {
                for depth in [1, 4, 20, 255, 10_000] {
                    for shape in [
                        Shape::Auto,
                        Shape::Stacked,
                        Shape::Beside,
                        Shape::Icicle,
                        Shape::Table,
                    ] {
                        for larger in [-50, 0, 3, 50] {
                            let g = profile_geometry((columns, rows), depth, shape, larger);
                            check(&g, columns, rows);
                        }
                    }
                }
            }
        }
    }

    fn check(g: &ProfileGeometry, columns: u16, rows: u16) {
        let parts = [g.icicle, g.details, g.table];
        for part in parts.iter().filter(|p| p.height > 0) {
            assert!(
                part.x >= 1 && part.x + part.width < columns,
                "margins stay empty: {g:?} in {columns}×{rows}"
            );
            assert!(
                part.y >= 1 && part.y + part.height <= rows - 2,
                "title, message, keys: {g:?} in {columns}×{rows}"
            );
        }
        for (i, a) in parts.iter().enumerate() {
            for b in parts
                .iter()
                .skip(i + 1)
                .filter(|b| b.height > 0 && a.height > 0)
            {
                let apart = a.y + a.height <= b.y
                    || b.y + b.height <= a.y
                    || a.x + a.width <= b.x
                    || b.x + b.width <= a.x;
                assert!(apart, "{g:?} in {columns}×{rows}");
            }
        }
    }

    #[test]
    fn a_deep_profile_on_a_wide_screen_has_its_table_beside() {
        assert!(profile_geometry((200, 50), 255, Shape::Auto, 0).beside);
        assert!(!profile_geometry((200, 50), 4, Shape::Auto, 0).beside);
        assert!(!profile_geometry((159, 50), 255, Shape::Auto, 0).beside);
    }

    #[test]
    fn scrolling_moves_as_little_as_can_be() {
        assert_eq!(scrolled(0, 4, 10, 5), 0);
        assert_eq!(scrolled(0, 5, 10, 5), 1);
        assert_eq!(scrolled(4, 3, 10, 5), 3);
        assert_eq!(scrolled(9, 9, 10, 5), 5, "no blank rows below the last");
    }
}

/// How icicle and table share the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// Beside each other where the profile is deep and the screen wide, else stacked.
    #[default]
    Auto,
    /// The icicle above the table.
    Stacked,
    /// The table to the right of the icicle, on screens that are wide enough.
    Beside,
    /// The icicle alone.
    Icicle,
    /// The table alone.
    Table,
}
