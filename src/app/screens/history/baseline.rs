//! The default baseline of a capture: the previous version, else the previous capture, else the
//! next version.

use crate::app::screens::history::History;
use crate::model::cloudflare::{Capture, short};

/// Why a capture is the default baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultBaseline {
    /// The newest one of the previous version.
    VersionBefore,
    /// The previous capture, as no earlier version has one.
    CaptureBefore,
    /// The newest one of the next version, which makes this capture the baseline, as it has no earlier one.
    VersionAfter,
}

impl DefaultBaseline {
    /// Returns the reason, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::VersionBefore => "the version before this one",
            Self::CaptureBefore => "the capture before this one",
            Self::VersionAfter => "the version after this one, which is the base",
        }
    }
}

impl History {
    /// Returns the default baseline, a capture of the same target and kind: the newest one of the previous version, by
    /// the versions' numbers where both are known, else by when each version was first captured. Without an earlier
    /// version it is the capture before of the same version, and without one the newest of the version after.
    #[must_use]
    pub fn default_baseline(&self, capture: &Capture) -> Option<(&Capture, DefaultBaseline)> {
        let alike = |c: &&Capture| {
            c.target().worker == capture.target().worker
                && c.provenance.kind == capture.provenance.kind
                && c.target().object == capture.target().object
                && c.provenance.account_id == capture.provenance.account_id
                && c.path != capture.path
        };
        let all: Vec<&Capture> = self.captures.iter().filter(alike).collect();
        let first_of = |version: &Option<String>| {
            let captures = all
                .iter()
                .copied()
                .chain([capture])
                .filter(|c| c.target().version_id == *version);
            captures.map(|c| c.provenance.answered_at).min()
        };
        let is_earlier =
            |c: &Capture| match (c.target().version_number, capture.target().version_number) {
                (Some(theirs), Some(ours)) => theirs < ours,
                _ => first_of(&c.target().version_id) < first_of(&capture.target().version_id),
            };
        // Versions that are not known are no others.
        let is_other = |c: &Capture| {
            c.target().version_id.is_some()
                && capture.target().version_id.is_some()
                && c.target().version_id != capture.target().version_id
        };
        let rank = |c: &Capture| (c.target().version_number, first_of(&c.target().version_id));
        let of_others = |earlier: bool| {
            let all = all.iter().copied().filter(|c| is_other(c));
            all.filter(move |c| is_earlier(c) == earlier)
        };
        let before = || of_others(true).max_by_key(|c| (rank(c), c.provenance.answered_at));
        let same = || {
            let before = all.iter().copied().filter(|c| {
                !is_other(c) && c.provenance.answered_at < capture.provenance.answered_at
            });
            before.max_by_key(|c| c.provenance.answered_at)
        };
        let after = || {
            of_others(false).min_by_key(|c| (rank(c), std::cmp::Reverse(c.provenance.answered_at)))
        };
        before()
            .map(|c| (c, DefaultBaseline::VersionBefore))
            .or_else(|| same().map(|c| (c, DefaultBaseline::CaptureBefore)))
            .or_else(|| after().map(|c| (c, DefaultBaseline::VersionAfter)))
    }
}

/// Returns a version as it is written beside others: the beginning of its id, and its number where known.
#[must_use]
pub(crate) fn version(capture: &Capture) -> Option<String> {
    let id = short(capture.target().version_id.as_deref()?);
    Some(
        capture
            .provenance
            .target
            .version_number
            .map_or_else(|| id.to_owned(), |number| format!("{id} v{number}")),
    )
}
