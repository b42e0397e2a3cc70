//! The configuration file: what can't be a flag each time. It never holds a token, only how to get one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::{Bindings, Column};
use crate::model::cloudflare::Kind;

/// What the file says. `None`: nothing of this.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Where it was read from; `None`: there is none.
    pub path: Option<PathBuf>,
    /// A command that prints the API token.
    pub token_command: Option<Command>,
    /// The account, as `--account` takes it.
    pub account: Option<String>,
    /// The theme's name. Whether there is one of this name is not known here.
    pub theme: Option<String>,
    /// Whether 24-bit colours are sent.
    pub truecolor: Option<bool>,
    /// Whether ASCII alone is drawn.
    pub ascii: Option<bool>,
    /// Whether the terminal reports the mouse.
    pub mouse: Option<bool>,
    /// The most that the captures on disk may take, in bytes.
    pub quota: Option<u64>,
    /// What is sampled where nothing is said.
    pub kind: Option<Kind>,
    /// How long, where nothing is said; one of [`crate::app::WINDOWS`].
    pub window: Option<Duration>,
    /// The columns that the table may show, in their order.
    pub columns: Option<Vec<Column>>,
    /// The keys in force.
    pub keys: Bindings,
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
    /// The program it runs. The rest may hold what is nobody's business.
    #[must_use]
    pub fn program(&self) -> &str {
        match self {
            Self::Line(line) => line.split_whitespace().next().unwrap_or_default(),
            Self::Words(words) => words.first().map_or("", String::as_str),
        }
    }
}

impl File {
    /// The line of an entry, from 1; `None`: the file says nothing of it.
    #[must_use]
    pub fn line(&self, entry: &str) -> Option<usize> {
        self.lines.get(entry).copied()
    }

    /// Where an entry stands, as `FILE:LINE`; `None`: the file says nothing of it.
    #[must_use]
    pub fn spot(&self, entry: &str) -> Option<String> {
        let line = self.line(entry)?;
        Some(format!(
            "{}:{line}",
            self.path.as_deref().map(Path::display)?
        ))
    }
}
