//! Turns each room's errors into a failure with a message for the user.

use std::path::Path;

use crate::api::{ApiError, ErrorKind, Missing, Step};
use crate::app::keys::message::{message, outside};
use crate::app::{Failure, FailureKind, NextStep, Refusal};
use crate::formats::FormatError;
use crate::inspector::InspectorError;
use crate::model::graph::view::ViewError;
use crate::store::StoreError;

/// Returns the failure for an API error, with its code, status and ray.
pub(super) fn api(kind: FailureKind, error: &ApiError) -> Failure {
    let mut evidence = Vec::new();
    evidence.extend(error.code().map(|code| format!("code {code}")));
    evidence.extend(error.status().map(|status| format!("HTTP {status}")));
    evidence.extend(error.ray().map(|ray| format!("ray {ray}")));
    // The token may not read this account's list, but maybe another account's.
    let elsewhere = matches!(
        error.kind(),
        ErrorKind::Forbidden | ErrorKind::NotFound(Missing::Account)
    );
    let step = (kind == FailureKind::List && elsewhere)
        .then(|| NextStep::Account("choose another account".into()));
    Failure {
        evidence: (!evidence.is_empty()).then(|| evidence.join(" · ")),
        // The screen counts the pause down; a sentence with its length would soon be wrong.
        hint: error.hint().filter(|_| !is_limited(error)).map(outside),
        retry_after: error.retry_after(),
        refusal: refusal(error),
        step,
        ..Failure::new(kind, outside(sentence(error)))
    }
}

fn is_limited(error: &ApiError) -> bool {
    matches!(error.kind(), ErrorKind::RateLimited { .. })
}

/// Returns the capture errors that have next steps of their own. Errors of other calls have their own messages.
fn refusal(error: &ApiError) -> Option<Refusal> {
    Some(match error.kind() {
        ErrorKind::TokenRefused if error.is_renewed() => Refusal::LoginRenewed,
        ErrorKind::TokenRefused => Refusal::NoLogin,
        ErrorKind::RateLimited { .. } => Refusal::TooMany,
        _ if error.step() != Step::Capture => return None,
        ErrorKind::NoTraffic => Refusal::NoTraffic,
        ErrorKind::NoIsolate => Refusal::NoIsolate,
        ErrorKind::ProfilingUnavailable => Refusal::Unavailable,
        ErrorKind::ProfilingUnsupported => Refusal::Unsupported,
        ErrorKind::NotStarted => Refusal::NotStarted,
        ErrorKind::Forbidden => Refusal::NotAllowed,
        ErrorKind::NotFound(Missing::Worker) => Refusal::NoWorker,
        ErrorKind::NotFound(Missing::Version) => Refusal::NoVersion,
        ErrorKind::NotFound(Missing::Namespace) => Refusal::NoObject,
        ErrorKind::TimedOut { .. } => Refusal::TimedOut,
        _ => return None,
    })
}

/// Returns the failure for an error of a local runtime.
pub(super) fn inspector(kind: FailureKind, error: &InspectorError) -> Failure {
    Failure {
        hint: error.hint().map(outside),
        ..Failure::new(kind, outside(sentence(error)))
    }
}

/// Returns the failure for a file that is not a profile.
pub(super) fn format(error: &FormatError) -> Failure {
    Failure::new(FailureKind::File, outside(sentence(error)))
}

/// Returns the failure for a file that can't be read.
pub(super) fn file(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        FailureKind::File,
        outside(format!("{}: {error}.", path.display())),
    )
}

/// The cache.
pub(super) fn store(error: &StoreError) -> Failure {
    Failure::new(FailureKind::File, outside(sentence(error)))
}

/// Returns the failure for a view that can't be computed.
pub(super) fn view(error: &ViewError) -> Failure {
    Failure::new(FailureKind::File, outside(sentence(error)))
}

/// Returns the failure for an export.
pub(super) fn export(error: &crate::runtime::export::WriteError) -> Failure {
    Failure::new(FailureKind::File, outside(sentence(error)))
}

/// Returns the failure for a task that panicked.
pub(super) fn fault(what: &str) -> Failure {
    Failure {
        hint: Some(
            "No data that had arrived is lost. This is a bug in flarescope; please report it."
                .into(),
        ),
        ..Failure::new(
            FailureKind::Fault,
            message!["An internal task failed: ", outside(what), "."],
        )
    }
}

/// Returns an error's text as a sentence: capitalized, with a full stop.
pub(super) fn sentence(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first: String = letters
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().collect());
    let whole = first + letters.as_str();
    if whole.ends_with(['.', '!', '?', ')']) {
        whole
    } else {
        whole + "."
    }
}
