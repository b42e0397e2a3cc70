//! One table for people: as plain text in columns, and as Markdown.

use unicode_width::UnicodeWidthStr;

use crate::export::code_span;
use crate::model::text::cut::{cut, cut_middle, cut_name};
use crate::model::text::sanitize::printable;
use crate::model::text::units;

/// Columns of a name before what follows; longer names push it out rather than being cut.
const NAME_COLUMNS: usize = 48;
/// Columns that a name has on any terminal, and that a place keeps beside long names.
const NAME_LEAST: usize = 12;
const PLACE_LEAST: usize = 14;
/// Between two columns.
const GAP: usize = 2;

/// How a column is aligned, and what it loses where there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Figures.
    Right,
    /// A function's name, which loses its end.
    Name,
    /// A place in the source, which loses its first folders.
    Place,
}

/// A table. Its cells are safe to print.
#[derive(Debug, Clone)]
pub struct TextTable {
    aligns: Vec<Align>,
    /// Columns that go first where there is no room.
    give_way: Vec<usize>,
    /// The head, then the rows.
    lines: Vec<Vec<String>>,
}

impl TextTable {
    /// Creates a table; cells may hold text from outside.
    #[must_use]
    pub fn new(head: &[(&str, Align)], rows: &[Vec<String>]) -> Self {
        let safe = |cell: &String| printable(cell).into_owned();
        let names = head.iter().map(|(name, _)| (*name).to_owned()).collect();
        let rows = rows.iter().map(|row| row.iter().map(safe).collect());
        Self {
            aligns: head.iter().map(|(_, align)| *align).collect(),
            give_way: Vec::new(),
            lines: std::iter::once(names).chain(rows).collect(),
        }
    }

    /// Lets columns go, the first ones first, where names and places had no room beside them.
    #[must_use]
    pub fn giving_way(mut self, columns: &[usize]) -> Self {
        self.give_way = columns.to_vec();
        self
    }

    /// Returns it in columns as wide as their widest cells; columns without any text are left out. In `room` columns names and
    /// places are cut, then lines, so that none wraps.
    #[must_use]
    pub fn text(self, room: Option<usize>) -> String {
        let whole = self.clone().within(None);
        match room.filter(|room| width(&whole) > *room) {
            Some(room) => self.within(Some(room)),
            None => whole,
        }
    }

    fn within(mut self, room: Option<usize>) -> String {
        for column in std::mem::take(&mut self.give_way) {
            let is_full = |room| self.fixed() + NAME_LEAST + GAP + PLACE_LEAST > room;
            if room.is_some_and(is_full) {
                let cells = self
                    .lines
                    .iter_mut()
                    .filter_map(|line| line.get_mut(column));
                cells.for_each(String::clear);
            }
        }
        let widths = self.fit(room);
        let mut text = String::new();
        for row in &self.lines {
            let mut line = String::new();
            for ((cell, width), align) in row.iter().zip(&widths).zip(&self.aligns) {
                let Some(width) = width else { continue };
                let blanks = " ".repeat(width.saturating_sub(cell.width()));
                line += &if *align == Align::Right {
                    blanks + cell
                } else {
                    cell.clone() + &blanks
                };
                line += &" ".repeat(GAP);
            }
            let line = line.trim_end();
            text += &room.map_or_else(|| line.into(), |room| cut(line, room));
            text.push('\n');
        }
        text
    }

    /// Returns the width of a column's widest cell; `None` if all are empty.
    fn widest(&self, column: usize) -> Option<usize> {
        let cells = self.lines.iter().filter_map(|line| line.get(column));
        cells
            .map(|cell| cell.width())
            .max()
            .filter(|width| *width > 0)
    }

    /// Returns the columns of all that is neither name nor place.
    fn fixed(&self) -> usize {
        let aligns = self.aligns.iter().enumerate();
        aligns
            .filter(|(_, align)| matches!(align, Align::Left | Align::Right))
            .filter_map(|(column, _)| Some(self.widest(column)? + GAP))
            .sum()
    }

    /// Returns the columns' widths, `None` for empty ones. Cuts names and places that have no room.
    fn fit(&mut self, room: Option<usize>) -> Vec<Option<usize>> {
        let columns = 0..self.aligns.len();
        let mut widths: Vec<Option<usize>> = columns.map(|at| self.widest(at)).collect();
        let at = |align| self.aligns.iter().position(|other| *other == align);
        let (Some(name), place) = (at(Align::Name), at(Align::Place)) else {
            return widths;
        };
        let widest = widths.get(name).copied().flatten().unwrap_or(0);
        let mut name_width = widest.min(NAME_COLUMNS);
        if let Some(room) = room {
            let room = room.saturating_sub(self.fixed());
            let kept = place.map_or(0, |_| PLACE_LEAST + GAP);
            name_width = name_width.min(room.saturating_sub(kept)).max(NAME_LEAST);
            let left = room.saturating_sub(name_width + GAP);
            for line in self.lines.iter_mut().skip(1) {
                if let Some(cell) = line.get_mut(name) {
                    *cell = cut_name(cell, name_width).into_owned();
                }
                if let Some(cell) = place.and_then(|place| line.get_mut(place)) {
                    *cell = cut_path(cell, left);
                }
            }
        }
        if let Some(width) = widths.get_mut(name) {
            *width = Some(name_width);
        }
        widths
    }

    /// Returns it as Markdown, names and places in code spans, with a word on those of `all` rows that are left out.
    #[must_use]
    pub fn markdown(&self, all: usize) -> String {
        let (mut out, rows) = (String::new(), self.lines.len() - 1);
        let columns = 0..self.aligns.len();
        let kept: Vec<bool> = columns.map(|at| self.widest(at).is_some()).collect();
        let is_kept = |at: usize| kept.get(at) == Some(&true);
        for (number, line) in self.lines.iter().enumerate() {
            for (at, (cell, align)) in line.iter().zip(&self.aligns).enumerate() {
                if !is_kept(at) {
                    continue;
                }
                out += "| ";
                out += &if number > 0 && matches!(align, Align::Name | Align::Place) {
                    code_span(cell).replace('|', "\\|")
                } else {
                    cell.clone()
                };
                out.push(' ');
            }
            out += "|\n";
            if number == 0 {
                let rule = |align: &Align| match align {
                    Align::Right => "|---:",
                    _ => "|---",
                };
                let aligns = self.aligns.iter().enumerate();
                let aligns = aligns.filter(|(at, _)| is_kept(*at));
                out.extend(aligns.map(|(_, align)| rule(align)));
                out += "|\n";
            }
        }
        let more = i128::try_from(all.saturating_sub(rows)).unwrap_or(i128::MAX);
        if more > 0 {
            out += &format!("\nand {}.\n", units::counted(more, "more function"));
        }
        out
    }
}

/// Returns how wide a text is: its widest line.
#[must_use]
pub fn width(text: &str) -> usize {
    text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// The end of a path that takes at most so many columns: whole folders go first, as its file says most.
fn cut_path(path: &str, room: usize) -> String {
    if path.width() <= room {
        return path.to_owned();
    }
    let ends = path
        .match_indices('/')
        .map(|(at, _)| path.get(at..).unwrap_or_default());
    let fitting = ends
        .filter(|end| !end.starts_with("//"))
        .map(|end| format!("…{end}"))
        .find(|end| end.width() <= room);
    fitting
        .unwrap_or_else(|| cut_middle(path.rsplit('/').next().unwrap_or(path), room).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_loses_its_first_folders_then_its_middle() {
        let path = "file:///bundle/worker.js:25";
        for (room, cut_to) in [
            (27, path),
            (26, "…/bundle/worker.js:25"),
            (20, "…/worker.js:25"),
            (14, "…/worker.js:25"),
            (13, "worker.js:25"),
            (12, "worker.js:25"),
            (6, "w…s:25"),
        ] {
            assert_eq!(cut_path(path, room), cut_to, "{room}");
        }
    }

    #[test]
    fn columns_line_up_and_names_lose_their_escapes() {
        let rows = vec![
            vec!["a\u{1b}[2J".to_owned(), String::new(), "7".to_owned()],
            vec!["日本".to_owned(), String::new(), "1,904".to_owned()],
        ];
        let head = [
            ("name", Align::Left),
            ("", Align::Right),
            ("req/s", Align::Right),
        ];
        assert_eq!(
            TextTable::new(&head, &rows).text(None),
            "name   req/s\na␛[2J      7\n日本   1,904\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_room_and_names_and_lines_stay_as_long_as_they_can() {
        let head = [
            ("self", Align::Right),
            ("function", Align::Name),
            ("location", Align::Place),
        ];
        let rows = vec![vec![
            "5.091".to_owned(),
            "validateAddress".repeat(5),
            "file:///app/src/checkout/validate.ts:1234".to_owned(),
        ]];
        let table = TextTable::new(&head, &rows);
        let whole = table.clone().text(None);
        for room in 1..150 {
            let text = table.clone().text(Some(room));
            assert!(width(&text) <= room, "{room}: {text}");
            assert!(room < 36 || text.contains(":1234"), "{room}: {text}");
        }
        assert_eq!(table.text(Some(200)), whole);
    }
}
