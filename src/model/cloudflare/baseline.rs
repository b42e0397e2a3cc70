//! The baseline of a capture: what it is compared with where nothing else is chosen.

use std::cmp::Reverse;
use std::time::SystemTime;

use crate::model::cloudflare::Capture;

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

/// Returns the captures of the same target and kind to compare a capture with, the best first: those of earlier versions,
/// by the versions' numbers where both are known, else by when each version was first captured; then those of the same
/// version before it; then those of later versions.
#[must_use]
pub fn baselines<'a>(
    captures: &'a [Capture],
    capture: &Capture,
) -> Vec<(&'a Capture, DefaultBaseline)> {
    let alike = |c: &&Capture| {
        c.target().worker == capture.target().worker
            && c.provenance.kind == capture.provenance.kind
            && c.target().object == capture.target().object
            && c.provenance.account_id == capture.provenance.account_id
            && c.path != capture.path
    };
    let all: Vec<&Capture> = captures.iter().filter(alike).collect();
    let first_of = |version: &Option<String>| -> Option<SystemTime> {
        let captures = all.iter().copied().chain([capture]);
        let of_it = captures.filter(|c| c.target().version_id == *version);
        of_it.map(|c| c.provenance.answered_at).min()
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
    let of = |why: DefaultBaseline, is_it: &dyn Fn(&Capture) -> bool| {
        let found = all.iter().copied().filter(|c| is_it(c));
        found.map(|c| (c, why)).collect::<Vec<_>>()
    };
    let taken = |c: &Capture| c.provenance.answered_at;
    let mut before = of(DefaultBaseline::VersionBefore, &|c| {
        is_other(c) && is_earlier(c)
    });
    before.sort_by_key(|(c, _)| Reverse((rank(c), taken(c))));
    let mut same = of(DefaultBaseline::CaptureBefore, &|c| {
        !is_other(c) && taken(c) < taken(capture)
    });
    same.sort_by_key(|(c, _)| Reverse(taken(c)));
    let mut after = of(DefaultBaseline::VersionAfter, &|c| {
        is_other(c) && !is_earlier(c)
    });
    after.sort_by_key(|(c, _)| (rank(c), Reverse(taken(c))));
    [before, same, after].concat()
}
