//! Regular expressions in Go's syntax, as filters and searches match them.

use std::borrow::Cow;

use regex::{Regex, RegexBuilder};

use crate::model::text::go_syntax::from_go;
use crate::model::text::sanitize::printable;

/// The largest program a regular expression may compile to, in bytes: a crafted one must not take all memory.
const REGEX_SIZE_LIMIT: usize = 10 << 20;
/// The longest regular expression, in bytes: its parsed form may be 10,000 times as large.
const REGEX_LENGTH_MAX: usize = 16 << 10;
/// Longest part of a refused expression that an error quotes, in characters.
const REFUSED_MAX: usize = 60;

/// Why a regular expression was refused. One line, safe to print.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{source_text}` is no regular expression: {reason}")]
pub struct PatternError {
    /// The expression, or its beginning.
    pub source_text: String,
    /// What is wrong with it, and where.
    pub reason: String,
}

impl PatternError {
    /// Creates the error for an expression, with a reason.
    pub(crate) fn new(source: &str, reason: &str) -> Self {
        let safe = |text: &str| printable(text).into_owned();
        Self {
            source_text: safe(&brief(source, REFUSED_MAX)),
            reason: safe(reason),
        }
    }
}

/// Compiles an expression in Go's syntax.
///
/// # Errors
/// [`PatternError`] with the reason.
pub(crate) fn compile(source: &str) -> Result<Regex, PatternError> {
    if source.len() > REGEX_LENGTH_MAX {
        let reason = format!("it is longer than {} KiB", REGEX_LENGTH_MAX >> 10);
        return Err(PatternError::new(source, &reason));
    }
    build(source)
}

/// Compiles an expression in Go's syntax that may be long, as it is made of names.
fn build(source: &str) -> Result<Regex, PatternError> {
    let built = RegexBuilder::new(&from_go(source))
        .size_limit(REGEX_SIZE_LIMIT)
        .build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(limit) => PatternError::new(
            source,
            &format!("matching it would take more than {} MiB", limit >> 20),
        ),
        // Its first lines show the expression as it was rewritten.
        error => {
            let text = error.to_string();
            let reason = text.rsplit("error: ").next().unwrap_or(&text);
            PatternError::new(source, reason)
        }
    })
}

/// Returns the beginning of a text, with `…` if there is more.
fn brief(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns text as Go reads it: every byte that is not UTF-8 becomes U+FFFD.
fn as_go_reads(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut read = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        read.push_str(chunk.valid());
        read.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(read)
}

/// A regular expression in Go's syntax, matched against function name, file and mapping.
#[derive(Debug, Clone)]
pub struct Pattern {
    regex: Regex,
    source: String,
    /// The name that it was made from, if any.
    name: Option<String>,
    /// Whether it is a function's identity, which frames are compared with, not texts.
    is_function: bool,
}

impl Pattern {
    /// Compiles a regular expression.
    ///
    /// # Errors
    /// [`PatternError`] with the reason.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        compile(source).map(|regex| Self::of(regex, source))
    }

    fn of(regex: Regex, source: &str) -> Self {
        Self {
            regex,
            source: source.to_owned(),
            name: None,
            is_function: false,
        }
    }

    /// Returns a pattern for one function, by its identity: `NAME@FILE:LINE`, as frames write it.
    ///
    /// # Errors
    /// [`PatternError`] for an identity too long for the matcher.
    pub fn function(identity: &str) -> Result<Self, PatternError> {
        let (name, place) = identity.split_once('@').unwrap_or((identity, ""));
        let file = place.rsplit('/').next().filter(|file| !file.is_empty());
        let label = file.map_or_else(|| name.to_owned(), |file| format!("{name} {file}"));
        Ok(Self {
            name: Some(label),
            is_function: true,
            ..Self::of(build(&regex::escape(identity))?, identity)
        })
    }

    /// Returns a pattern for exactly this text, for instance a selected function's name.
    ///
    /// # Errors
    /// [`PatternError`] for a name too long for the matcher.
    pub fn exact_name(name: &str) -> Result<Self, PatternError> {
        let source = format!("^{}$", regex::escape(name));
        Ok(Self {
            name: Some(name.to_owned()),
            ..Self::of(build(&source)?, &source)
        })
    }

    /// Returns a pattern for exactly any of these texts; `None` if there are none, or too many.
    #[must_use]
    pub fn any_of(names: &[String]) -> Option<Self> {
        match names {
            [] => None,
            [only] => Self::exact_name(only).ok(),
            several => {
                let names: Vec<String> = several.iter().map(|name| regex::escape(name)).collect();
                let source = format!("^(?:{})$", names.join("|"));
                build(&source).ok().map(|regex| Self::of(regex, &source))
            }
        }
    }

    /// Returns the name that it was made from; `None` for a function's identity.
    #[must_use]
    pub fn exact(&self) -> Option<&str> {
        self.name.as_deref().filter(|_| !self.is_function)
    }

    /// Returns the identity of the function that it stands for, if any.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        self.is_function.then_some(self.source.as_str())
    }

    /// Returns its label on the screen: the name that it was made from, with the file of a function, else the expression.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.source)
    }

    /// Returns the regular expression as given.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it matches anywhere in a text; for a pattern made from a name, whether that name is shown for the text.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        match self.exact() {
            Some(name) => String::from_utf8_lossy(text) == name,
            None => self.regex.is_match(&as_go_reads(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_one_unknown_character_each() {
        for (expression, text, matches) in [
            ("^.$", &b"\xff"[..], true),
            ("^..a$", b"\xe2\x82a", true),
            ("^[^a]$", b"\xff", true),
            (r"^a\Wb$", b"a\xffb", true),
            (r"^\PL\D$", b"\xff\xfe", true),
            (r"^\x{FFFD}$", b"\xff", true),
            (r"^\w$", b"\xff", false),
            ("^.$", b"\xe2\x82", false),
        ] {
            assert_eq!(
                Pattern::new(expression).unwrap().matches(text),
                matches,
                "{expression} on {text:?}"
            );
        }
        let name = String::from_utf8_lossy(b"a\xe2\x82").into_owned();
        assert!(
            Pattern::exact_name(&name).unwrap().matches(b"a\xe2\x82"),
            "as it is shown, so it is found"
        );
    }

    #[test]
    fn a_refusal_is_one_line_without_what_a_terminal_obeys() {
        for (expression, expected) in [
            (
                "a\n(\u{1b}[31m]",
                "`a␊(␛[31m]` is no regular expression: unclosed group",
            ),
            (
                "[b-\u{1b}]",
                "`[b-␛]` is no regular expression: invalid character class range, the start must be <= the end",
            ),
        ] {
            assert_eq!(Pattern::new(expression).unwrap_err().to_string(), expected);
        }
        let expected = Pattern::new(&format!("({}", "x".repeat(500))).unwrap_err();
        assert_eq!(expected.source_text, format!("({}…", "x".repeat(59)));
    }

    #[test]
    fn depth_size_and_length_have_limits() {
        let deep = |depth: usize| format!("{}a{}", "(b*".repeat(depth), ")+".repeat(depth));
        assert!(Pattern::new(&deep(80)).unwrap().matches(b"a"));
        for (expression, reason) in [
            (
                deep(300),
                "exceed the maximum number of nested parentheses/brackets (250)",
            ),
            (
                r"(?:\pL{500}){2}\pL{1000}".to_owned(),
                "matching it would take more than 10 MiB",
            ),
            (r"\pL".repeat(5_462), "it is longer than 16 KiB"),
        ] {
            assert_eq!(Pattern::new(&expression).unwrap_err().reason, reason);
        }
        let names: Vec<String> = (0..5_000).map(|at| format!("worker.handle.{at}")).collect();
        let many = Pattern::any_of(&names).unwrap();
        assert!(many.matches(b"worker.handle.4999") && !many.matches(b"worker.handle.5000"));
    }
}
