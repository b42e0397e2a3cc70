//! The contents of the configuration file. It never holds a token, only how to get one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::{Bindings, Column};
use crate::model::cloudflare::Kind;
use crate::model::text::mistakes::Mistake;

/// The entries of the file. `None` if an entry is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// The file's path; `None` if there is no file.
    pub path: Option<PathBuf>,
    /// A command that prints the API token.
    pub token_command: Option<Command>,
    /// The account, as `--account` takes it.
    pub account: Option<String>,
    /// The theme's name, not checked to exist.
    pub theme: Option<String>,
    /// Whether 24-bit colours are used.
    pub truecolor: Option<bool>,
    /// Whether only ASCII is drawn.
    pub ascii: Option<bool>,
    /// Whether the terminal reports the mouse.
    pub mouse: Option<bool>,
    /// The quota of the captures on disk, in bytes.
    pub quota: Option<u64>,
    /// The default kind of capture.
    pub kind: Option<Kind>,
    /// The default capture window; one of [`crate::app::WINDOWS`].
    pub window: Option<Duration>,
    /// The table's columns, in order.
    pub columns: Option<Vec<Column>>,
    /// The key bindings.
    pub keys: Bindings,
    /// Unknown tables, which are ignored: they may be a newer version's.
    pub warnings: Vec<Mistake>,
    /// The line of each entry, from 1, by its name with the table's before it: `capture.kind`.
    pub(super) lines: BTreeMap<String, usize>,
}

/// A command, as words or as a line for the shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// For the shell.
    Line(String),
    /// The program and its arguments.
    Words(Vec<String>),
}

impl Command {
    /// Returns the program it runs, without arguments, which may hold secrets.
    #[must_use]
    pub fn program(&self) -> &str {
        match self {
            Self::Line(line) => line.split_whitespace().next().unwrap_or_default(),
            Self::Words(words) => words.first().map_or("", String::as_str),
        }
    }
}

impl File {
    /// Returns the line of an entry, from 1; `None` if the file doesn't have it.
    #[must_use]
    pub fn line(&self, entry: &str) -> Option<usize> {
        self.lines.get(entry).copied()
    }

    /// Returns the position of an entry as `FILE:LINE`; `None` if the file doesn't have it.
    #[must_use]
    pub fn spot(&self, entry: &str) -> Option<String> {
        let line = self.line(entry)?;
        Some(format!(
            "{}:{line}",
            self.path.as_deref().map(Path::display)?
        ))
    }
}
