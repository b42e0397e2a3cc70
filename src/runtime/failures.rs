//! From each room's errors to a failure in the user's words.

use std::path::Path;

use crate::api::ApiError;
use crate::app::{Failure, FailureKind};
use crate::formats::FormatError;
use crate::model::view::ViewError;
use crate::store::StoreError;

/// What the API refused, with its code, status and ray.
pub(super) fn api(kind: FailureKind, error: &ApiError) -> Failure {
    let mut evidence = Vec::new();
    evidence.extend(error.code().map(|code| format!("code {code}")));
    evidence.extend(error.status().map(|status| format!("HTTP {status}")));
    evidence.extend(error.ray().map(|ray| format!("ray {ray}")));
    Failure {
        evidence: (!evidence.is_empty()).then(|| evidence.join(" · ")),
        hint: error.hint(),
        retry_after: error.retry_after(),
        code: error.code(),
        ..Failure::new(kind, sentence(&error.to_string()))
    }
}

/// A file that is no profile.
pub(super) fn format(error: &FormatError) -> Failure {
    Failure::new(FailureKind::File, sentence(&error.to_string()))
}

/// A file that can't be had.
pub(super) fn file(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(FailureKind::File, format!("{}: {error}.", path.display()))
}

/// The cache.
pub(super) fn store(error: &StoreError) -> Failure {
    Failure::new(FailureKind::File, sentence(&error.to_string()))
}

/// A view that can't be taken.
pub(super) fn view(error: &ViewError) -> Failure {
    Failure::new(FailureKind::File, sentence(&error.to_string()))
}

/// An export that failed.
pub(super) fn export(error: &super::export::FileError) -> Failure {
    Failure::new(FailureKind::File, sentence(&error.to_string()))
}

/// A task of ours that broke down.
pub(super) fn fault(what: &str) -> Failure {
    Failure {
        hint: Some("Nothing that had arrived is lost. This is a fault of flarescope; please report it.".to_owned()),
        ..Failure::new(FailureKind::Fault, format!("An internal task broke down: {what}."))
    }
}

/// An error's text as a sentence: with a capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map_or_else(String::new, |c| c.to_uppercase().collect());
    let whole = first + letters.as_str();
    if whole.ends_with(['.', '!', '?', ')']) { whole } else { whole + "." }
}
