//! Mistakes in a file that the user wrote, each with its line.

use std::fmt;
use std::ops::Range;

use crate::model::text::fuzzy::did_you_mean;

/// A mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, with the closest valid name.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Collects the mistakes in the text of a file.
#[derive(Debug)]
pub struct Mistakes<'a> {
    file: &'a str,
    text: &'a str,
    /// In the order they were found.
    pub list: Vec<Mistake>,
}

impl<'a> Mistakes<'a> {
    /// Creates an empty list. Messages name `file`.
    #[must_use]
    pub const fn new(file: &'a str, text: &'a str) -> Self {
        Self {
            file,
            text,
            list: Vec::new(),
        }
    }

    /// Returns the line of a position, from 1.
    #[must_use]
    pub fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.bytes().take(span.start);
        1 + before.filter(|byte| *byte == b'\n').count()
    }

    /// Adds a mistake at a position.
    pub fn add(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.list.push(Mistake {
            file: self.file.to_owned(),
            line: self.line(&span),
            message: message.into(),
        });
    }

    /// Adds an unknown word at a position, with the closest known one.
    pub fn unknown<'k>(
        &mut self,
        span: Range<usize>,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let hint = did_you_mean(word, known);
        self.add(span, format!("unknown {what} `{word}`{hint}"));
    }
}
