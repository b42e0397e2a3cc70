//! Bytes from outside ↔ [`crate::model`]: one file a format. Every count, length and depth that a file can claim is bounded here.
//!
//! A pprof profile is inflated on one thread and decoded on another as a stream, so that a bomb dies at its first bad field and
//! nothing waits for the end of the file. Must not know where the bytes come from.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::borrow::Cow;
use std::io::Read;

use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;

mod events;
pub mod folded;
mod foreign;
mod input;
mod json;
pub mod limits;
mod lines;
mod places;
pub mod pprof;
mod sniff;
pub mod source_map;
pub mod speedscope;
mod surrogates;
mod utf16;
pub mod v8;

pub use foreign::Foreign;

/// Why a file can't be read, with the file's name. One sentence.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {fault}")]
pub struct FormatError {
    /// The file's name as the user gave it, safe to print.
    pub name: String,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It is empty.
    #[error("the file is empty")]
    Empty,
    /// JSON instead of a profile. Where it is an answer of the API with an error, that error.
    #[error("this is JSON, not a profile{}", detail(.0.as_ref()))]
    Json(Option<Answer>),
    /// A file of another kind.
    #[error("{}", .0.words())]
    Foreign(Foreign),
    /// It could not be read at all.
    #[error("it can't be read: {0}")]
    Io(#[source] std::io::Error),
    /// It ends in the middle.
    #[error("it is cut short: {0} ends in the middle")]
    Cut(&'static str),
    /// The compressed data is damaged.
    #[error("its {format} data is damaged: {reason}")]
    Damaged {
        /// `gzip` or `zstd`.
        format: &'static str,
        /// The decompressor's message.
        reason: String,
    },
    /// It claims more of something than is accepted.
    #[error("too large: more than {limit} {what}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many are accepted.
        limit: usize,
    },
    /// It is not a profile, or a broken one.
    #[error("{0}")]
    Malformed(String),
}

/// Why a format can't hold what a view shows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// It holds values of another kind.
    #[error(
        "a {format} holds {holds}, but `{}` is in {}; other values are chosen with --sample-type",
        printable(.kind), printable(.unit)
    )]
    Unit {
        /// The format.
        format: &'static str,
        /// What it holds.
        holds: &'static str,
        /// The name of the type in view.
        kind: String,
        /// Its unit.
        unit: String,
    },
    /// There are values below zero, as comparisons have.
    #[error("this format can't hold values below zero")]
    Negative,
    /// The value could not be written as JSON; no input is known to cause this.
    #[error("it could not be written as JSON: {0}")]
    Json(#[source] serde_json::Error),
}

/// An error that the API answered in place of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The API's error code.
    pub code: Option<i64>,
    /// Its message, safe to print.
    pub message: String,
}

fn detail(answer: Option<&Answer>) -> String {
    let Some(Answer { code, message }) = answer else {
        return String::new();
    };
    let code = code.map_or_else(String::new, |code| format!(" (code {code})"));
    format!("; it says: {message}{code}")
}

/// Reads a profile in any format known, compressed with gzip or zstd or not at all.
///
/// # Errors
/// [`FormatError`], which names the file and says in one sentence what is wrong with it.
pub fn read<R: Read + Send>(input: R, name: &str) -> Result<Profile, FormatError> {
    input::open(input)
        .and_then(|content| match content {
            input::Content::Pprof(stream) => pprof::decode(stream),
            input::Content::Folded(stream) => folded::read(stream),
            input::Content::Json(stream) => json::read(stream),
            input::Content::JsonLines(stream) => json::read_messages(stream),
        })
        .map_err(|fault| FormatError {
            name: printable(name).into_owned(),
            fault,
        })
}

/// Returns the text of a file in UTF-8 or UTF-16 without its byte order mark, with U+FFFD for what is in neither.
#[must_use]
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    utf16::text(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes))
}
