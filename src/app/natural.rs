//! Which capture another one is naturally compared with: the version before it, else the capture before it.

use super::History;
use crate::model::target::{Capture, short};

/// Why a capture is the one to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Natural {
    /// It is the newest one of the version before.
    VersionBefore,
    /// It is the capture before; there is none of an earlier version.
    CaptureBefore,
}

impl Natural {
    /// The reason, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::VersionBefore => "the version before this one",
            Self::CaptureBefore => "the capture before this one",
        }
    }
}

impl History {
    /// The capture of the same target and kind that tells most beside this one: the newest one of the version before, by
    /// the versions' numbers where both are known, else by when each version was first captured. Without an earlier
    /// version it is the capture before this one.
    #[must_use]
    pub fn natural_base(&self, capture: &Capture) -> Option<(&Capture, Natural)> {
        let alike = |c: &&Capture| {
            c.worker == capture.worker
                && c.kind == capture.kind
                && c.object == capture.object
                && c.account_id == capture.account_id
                && c.path != capture.path
        };
        let all: Vec<&Capture> = self.captures.iter().filter(alike).collect();
        let first_of = |version: &Option<String>, besides: Option<&Capture>| {
            let captures = all.iter().copied().chain(besides).filter(|c| c.version_id == *version);
            captures.map(|c| c.answered_at).min()
        };
        let here = first_of(&capture.version_id, Some(capture));
        let is_earlier = |c: &Capture| match (c.version_number, capture.version_number) {
            (Some(theirs), Some(ours)) => theirs < ours,
            _ => first_of(&c.version_id, None) < here,
        };
        let other_version = |c: &Capture| c.version_id.is_some() && c.version_id != capture.version_id;
        let earlier = all.iter().copied().filter(|c| capture.version_id.is_some() && other_version(c) && is_earlier(c));
        // The latest of the earlier versions, and of that one the newest capture.
        let rank = |c: &Capture| (c.version_number, first_of(&c.version_id, None), c.answered_at);
        if let Some(base) = earlier.max_by_key(|c| rank(c)) {
            return Some((base, Natural::VersionBefore));
        }
        let before = all.into_iter().filter(|c| c.answered_at < capture.answered_at);
        before.max_by_key(|c| c.answered_at).map(|base| (base, Natural::CaptureBefore))
    }
}

/// A version as it is written beside others: the beginning of its id, and its number where known.
#[must_use]
pub(crate) fn version(capture: &Capture) -> Option<String> {
    let id = short(capture.version_id.as_deref()?);
    Some(capture.version_number.map_or_else(|| id.to_owned(), |number| format!("{id} v{number}")))
}
