//! Several captures or files opened as one: what is to be opened, what an opened one consists of, and what it is called.

use crate::app::screens::profile::source::Member;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::app::core::dates::clock;
use crate::app::screens::profile::source::Source;
use crate::model::cloudflare::{Capture, Origin, short};
use crate::model::profile::merge::{Member as Merging, MergeError, merge};

/// Digits of a hash that distinguish the captures of one profile.
const HASH_DIGITS: usize = 8;

/// Makes one source of several, and says what of them could not be taken over. One alone stays what it is.
///
/// # Errors
/// [`MergeError`] if their values are of different kinds, or there is none.
pub fn merge_sources(mut sources: Vec<Source>) -> Result<(Source, Option<String>), MergeError> {
    if sources.len() == 1
        && let Some(only) = sources.pop()
    {
        let remarks = remarks(&only);
        return Ok((only, remarks));
    }
    let remarks = sources.iter().find_map(remarks);
    let worker = |source: &Source| {
        source
            .capture
            .as_ref()
            .map(|capture| capture.target().worker.clone())
    };
    let first = sources.first().ok_or(MergeError::Nothing)?;
    let one_worker = worker(first).filter(|first| {
        sources
            .iter()
            .all(|source| worker(source).as_ref() == Some(first))
    });
    let names: Vec<String> = sources
        .iter()
        .map(|source| label(source, one_worker.is_some()))
        .collect();
    let parts: Vec<Merging<'_>> = sources
        .iter()
        .zip(&names)
        .map(|(source, name)| Merging {
            profile: &source.profile,
            name,
        })
        .collect();
    let merged = merge(&parts)?;
    let name = title(&sources);
    let mut members = Vec::new();
    for (source, name) in sources.into_iter().zip(merged.names) {
        if source.members.is_empty() {
            members.push(Member {
                name,
                capture: source.capture,
                path: source.path,
            });
        } else {
            // It was made of several before, and its records know which.
            members.extend(source.members);
        }
    }
    let left_out = (!merged.left_out.is_empty()).then(|| {
        format!(
            "Left out, as not all of them have it: {}.",
            merged.left_out.join(", ")
        )
    });
    let warnings: Vec<String> = remarks.into_iter().chain(left_out).collect();
    let warning = (!warnings.is_empty()).then(|| warnings.join(" "));
    Ok((
        Source {
            members,
            ..Source::new(merged.profile, name)
        },
        warning,
    ))
}

/// Says what of a file could not be read, and that frames are there which the producer wants gone, and why.
fn remarks(source: &Source) -> Option<String> {
    let mut remarks = source.profile.left_out().to_vec();
    let uncut = source.profile.uncut();
    remarks.extend(uncut.map(|fault| format!("no frame was dropped, for {fault}")));
    (!remarks.is_empty()).then(|| format!("{}: {}.", source.name, remarks.join("; ")))
}

/// Returns what a source's records are labelled with: a capture's time and the beginning of its hash, else the file's name.
fn label(source: &Source, one_worker: bool) -> String {
    let Some(capture) = &source.capture else {
        return source.name.clone();
    };
    let hash: String = capture.sha256.chars().take(HASH_DIGITS).collect();
    let of = if one_worker {
        String::new()
    } else {
        format!("{} ", capture.target().worker)
    };
    format!("{of}{} {hash}", clock(capture.provenance.asked_at))
}

/// Returns what several are called: by their common name, else by the first one's.
fn title(sources: &[Source]) -> String {
    let first = sources.first().map_or("", |source| source.name.as_str());
    let others = sources.iter().filter(|source| source.name != first).count();
    if others == 0 {
        first.to_owned()
    } else {
        format!("{first} +{others}")
    }
}

impl Source {
    /// Returns what it is of, beside its name: version, object, how many there are as one.
    #[must_use]
    pub fn target_facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        if self.common(|capture| Some(capture.provenance.origin)) == Some(Origin::Inspector) {
            facts.push("local".to_owned());
        }
        if let Some(id) = self.common(|capture| capture.target().version_id.clone()) {
            facts.push(short(&id).to_owned());
        }
        if let Some(object) = self.common(|capture| capture.target().object.clone()) {
            facts.push(
                object
                    .name
                    .unwrap_or_else(|| short(&object.object_id).to_owned()),
            );
        }
        if !self.members.is_empty() {
            let are_captures = self.members.iter().all(|member| member.capture.is_some());
            let word = if are_captures { "captures" } else { "profiles" };
            facts.push(format!("{} {word}", self.members.len()));
        }
        facts
    }

    /// Returns what it is of, in one line.
    #[must_use]
    pub fn target(&self) -> String {
        std::iter::once(self.name.clone())
            .chain(self.target_facts())
            .collect::<Vec<_>>()
            .join(" · ")
    }

    /// Returns when it was requested; of several captures the first one's time. `None` without a capture or a time.
    #[must_use]
    pub fn asked_at(&self) -> Option<SystemTime> {
        self.captures()
            .map(|capture| capture.provenance.asked_at)
            .filter(|time| *time > UNIX_EPOCH)
            .min()
    }

    /// Returns the captures that it is made of: one, several, or none if it is made of files.
    pub fn captures(&self) -> impl Iterator<Item = &Capture> {
        self.capture.iter().chain(
            self.members
                .iter()
                .filter_map(|member| member.capture.as_ref()),
        )
    }

    /// Returns what all of its captures have in common by some measure; `None` where it has none, or they differ.
    #[must_use]
    pub fn common<T: PartialEq>(&self, of: impl Fn(&Capture) -> Option<T>) -> Option<T> {
        let mut all = self.captures().map(of);
        let first = all.next()??;
        let is_common = all.all(|other| other.as_ref() == Some(&first));
        let only_captures = self.members.iter().all(|member| member.capture.is_some());
        (is_common && only_captures).then_some(first)
    }
}
