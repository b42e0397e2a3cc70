//! The rows of a list, as a table and as JSON, with the cells that several lists share.

use std::time::SystemTime;

use serde_json::Value;

use crate::api::ApiError;
use crate::cli::connect::note;
use crate::export::table;
use crate::export::table::{Align, TextTable};

/// The rows of a list: as a table and as JSON.
pub(super) struct Listed {
    table: Table,
    /// With fewer or shorter cells, for a narrow terminal.
    narrow: Option<Table>,
    pub(super) json: Vec<Value>,
}

struct Table {
    head: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

impl Listed {
    /// Lists entries by their cells and their JSON value.
    pub(super) fn new<T>(
        entries: &[T],
        head: &'static [&'static str],
        cells: impl Fn(&T) -> Vec<String>,
        json: impl Fn(&T) -> Value,
    ) -> Self {
        Self {
            table: Table {
                head,
                rows: entries.iter().map(cells).collect(),
            },
            narrow: None,
            json: entries.iter().map(json).collect(),
        }
    }

    /// Adds the cells for a narrow terminal, given the others.
    pub(super) fn or_narrow<T>(
        mut self,
        entries: &[T],
        head: &'static [&'static str],
        cells: impl Fn(&T, Vec<String>) -> Vec<String>,
    ) -> Self {
        let rows = entries.iter().zip(&self.table.rows);
        self.narrow = Some(Table {
            head,
            rows: rows.map(|(entry, row)| cells(entry, row.clone())).collect(),
        });
        self
    }

    /// Drops all but the first entries.
    pub(super) fn truncate(&mut self, count: usize) {
        self.json.truncate(count);
        for table in [Some(&mut self.table), self.narrow.as_mut()]
            .into_iter()
            .flatten()
        {
            table.rows.truncate(count);
        }
    }

    /// Returns the table. On a terminal of `room` columns no line wraps: a table that is too wide is written in its narrow
    /// form, and lines that are still too wide are cut.
    pub(super) fn table(&self, room: Option<usize>) -> String {
        let whole = self.table.text(None);
        let Some(room) = room.filter(|room| table::width(&whole) > *room) else {
            return whole;
        };
        self.narrow.as_ref().unwrap_or(&self.table).text(Some(room))
    }
}

impl Table {
    /// Columns whose head ends in `>` hold figures.
    fn text(&self, room: Option<usize>) -> String {
        let column = |name: &&'static str| match name.strip_suffix('>') {
            Some(name) => (name, Align::Right),
            None => (*name, Align::Left),
        };
        let head: Vec<_> = self.head.iter().map(column).collect();
        TextTable::new(&head, &self.rows).text(room)
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
            note(&format!("no traffic columns: {error}{ray}"));
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
        let cells = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let wide = ["api", "/home/dana/.cache/flarescope/api.pprof"];
        let listed = Listed::new(&[()], &["name", "path"], |()| cells(wide), |()| Value::Null)
            .or_narrow(&[()], &["name", "hash"], |(), _| cells(["api", "32cfc68f"]));
        assert!(listed.table(None).contains("/api.pprof"));
        assert!(
            listed.table(Some(80)).contains("/api.pprof"),
            "there is room"
        );
        assert_eq!(listed.table(Some(20)), "name  hash\napi   32cfc68f\n");
        assert_eq!(listed.table(Some(8)), "name  h…\napi   3…\n");
    }
}
