//! Rows of text in columns, for people.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::model::text::cut::cut_middle;

use crate::model::text::sanitize::printable;

/// How wide a text is: its widest line.
#[must_use]
pub fn width(text: &str) -> usize {
    text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// The end of a path that takes at most so many columns: whole folders go first, as its file says most.
#[must_use]
pub fn cut_path(path: &str, room: usize) -> String {
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

/// Writes rows with every column as wide as its widest cell, the last one as it is. Columns whose head ends in `>` are
/// aligned to the right.
///
/// # Errors
/// If they can't be written.
pub fn write(out: &mut impl Write, head: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| printable(cell).into_owned())
                .collect()
        })
        .collect();
    let names: Vec<String> = head
        .iter()
        .map(|name| name.trim_end_matches('>').to_owned())
        .collect();
    let width = |column: usize| {
        rows.iter()
            .chain([&names])
            .filter_map(|row| row.get(column))
            .map(|cell| cell.width())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    for row in [&names].into_iter().chain(&rows) {
        let mut line = String::new();
        for ((cell, width), name) in row.iter().zip(&widths).zip(head) {
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            if name.ends_with('>') {
                line.push_str(&padding);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&padding);
            }
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
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
        let mut out = Vec::new();
        let rows = vec![
            vec!["a\u{1b}[2J".to_owned(), "7".to_owned()],
            vec!["日本".to_owned(), "1,904".to_owned()],
        ];
        write(&mut out, &["name", "req/s>"], &rows).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "name   req/s\na␛[2J      7\n日本   1,904\n"
        );
    }
}
