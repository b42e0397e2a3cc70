//! The rows of a list, as a table and as JSON, with the cells that several lists share.

use std::io;
use std::time::SystemTime;

use serde_json::Value;

use crate::api::ApiError;
use crate::cli::columns;
use crate::cli::connect::note;
use crate::model::text::cut::cut;

/// The rows of a list: as a table and as JSON.
pub(super) struct Listed {
    pub(super) head: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
    /// Fewer or shorter cells, for a narrow terminal.
    pub(super) narrow: Option<Narrow>,
    pub(super) json: Vec<Value>,
}

/// The narrow form of a table.
pub(super) struct Narrow {
    pub(super) head: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
}

impl Listed {
    /// Returns the table. On a terminal of `room` columns no line wraps: a table that is too wide is written in its narrow
    /// form, and lines that are still too wide are cut.
    pub(super) fn table(&self, room: Option<usize>) -> io::Result<String> {
        let written = |head: &[&str], rows: &[Vec<String>]| {
            let mut text = Vec::new();
            columns::write(&mut text, head, rows)?;
            Ok::<_, io::Error>(String::from_utf8_lossy(&text).into_owned())
        };
        let whole = written(self.head, &self.rows)?;
        let Some(room) = room.filter(|room| columns::width(&whole) > *room) else {
            return Ok(whole);
        };
        let narrow = match &self.narrow {
            Some(narrow) => written(narrow.head, &narrow.rows)?,
            None => whole,
        };
        Ok(narrow.lines().map(|line| cut(line, room) + "\n").collect())
    }
}

/// Returns the metrics; `None` if they could not be loaded, after a note on stderr that says why.
pub(super) fn known<T>(figures: Result<T, ApiError>) -> Option<T> {
    match figures {
        Ok(figures) => Some(figures),
        Err(error) => {
            let ray = error
                .ray()
                .map_or_else(String::new, |ray| format!(" (cf-ray {ray})"));
            note(&format!(
                "the columns of the traffic figures stay empty: {error}{ray}"
            ));
            if let Some(hint) = error.hint() {
                note(&hint);
            }
            None
        }
    }
}

/// Returns a time as RFC 3339, to the second.
pub(super) fn time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_list_wraps_and_what_is_piped_is_whole() {
        let cells = |cells: &[&str]| {
            cells
                .iter()
                .map(|cell| (*cell).to_owned())
                .collect::<Vec<_>>()
        };
        let listed = Listed {
            head: &["name", "path"],
            rows: vec![cells(&["api", "/home/dana/.cache/flarescope/api.pprof"])],
            narrow: Some(Narrow {
                head: &["name", "hash"],
                rows: vec![cells(&["api", "32cfc68f"])],
            }),
            json: Vec::new(),
        };
        assert!(listed.table(None).unwrap().contains("/api.pprof"));
        assert!(
            listed.table(Some(80)).unwrap().contains("/api.pprof"),
            "there is room"
        );
        assert_eq!(
            listed.table(Some(20)).unwrap(),
            "name  hash\napi   32cfc68f\n"
        );
        assert_eq!(listed.table(Some(8)).unwrap(), "name  h…\napi   3…\n");
    }
}
