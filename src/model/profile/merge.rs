//! Merges several captures into one profile.
//!
//! Values are matched by type and unit, locations by content. Every record has its capture's name as a label, so that a tag
//! filter can select one, and [`crate::model::graph::spread`] can show how far they agree.

mod merger;

use crate::model::profile::{Profile, SampleType};
pub use merger::LABEL;
use merger::{Merger, column};

/// Frames of all stacks together, and bytes of all text, that still fit the indices of one profile.
const ENTRIES_MAX: usize = 1 << 28;
const TEXT_MAX: usize = u32::MAX as usize;

/// One capture to merge.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// Its profile.
    pub profile: &'a Profile,
    /// The label of its records; need not be unique.
    pub name: &'a str,
}

/// Several captures as one.
#[derive(Debug)]
pub struct Merged {
    /// The profile.
    pub profile: Profile,
    /// The value of [`LABEL`] of each capture, in their order; each is unique.
    pub names: Vec<String>,
    /// Sample types that not all of them have, as `name (unit)`; their values are left out.
    pub left_out: Vec<String>,
}

/// Why captures can't become one profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There are no captures.
    #[error("there is nothing to merge")]
    Nothing,
    /// They have no sample type in common.
    #[error(
        "{first} holds {holds} and {second} holds {instead}: values of different kinds don't add up"
    )]
    Kinds {
        /// A capture's name.
        first: String,
        /// Its sample types.
        holds: String,
        /// The name of a capture that shares none of them.
        second: String,
        /// Its sample types.
        instead: String,
    },
    /// The captures are too large for one profile.
    #[error(
        "together they are too large: more than {0} frames, or more text than one profile can hold"
    )]
    TooLarge(usize),
}

/// Merges captures. The time is the earliest, the duration the sum, the period the largest.
///
/// # Errors
/// [`MergeError`] if they have no sample type in common, or are too large.
pub fn merge(members: &[Member<'_>]) -> Result<Merged, MergeError> {
    let (first, rest) = members.split_first().ok_or(MergeError::Nothing)?;
    let text: usize = members
        .iter()
        .map(|member| member.profile.parts.strings.size())
        .sum();
    let frames: usize = members.iter().map(|member| frames(member.profile)).sum();
    if frames > ENTRIES_MAX || text > TEXT_MAX {
        return Err(MergeError::TooLarge(ENTRIES_MAX));
    }
    let common: Vec<SampleType> = first
        .profile
        .sample_types()
        .iter()
        .copied()
        .filter(|wanted| {
            rest.iter()
                .all(|other| column(other.profile, first.profile, *wanted).is_some())
        })
        .collect();
    if common.is_empty() {
        let apart = |other: &&Member<'_>| {
            first
                .profile
                .sample_types()
                .iter()
                .all(|own| column(other.profile, first.profile, *own).is_none())
        };
        // Of three captures, each two may share a type that the third doesn't have.
        let second = rest.iter().find(apart).or(rest.first()).unwrap_or(first);
        return Err(MergeError::Kinds {
            first: first.name.to_owned(),
            holds: types(first.profile),
            second: second.name.to_owned(),
            instead: types(second.profile),
        });
    }
    let mut merger = Merger::new(first.profile, &common);
    let names = distinct(members);
    for (member, name) in members.iter().zip(&names) {
        merger.add(member.profile, first.profile, &common, name);
    }
    let left_out = left_out(members, first.profile, &common);
    Ok(Merged {
        profile: merger.finish(),
        names,
        left_out,
    })
}

/// Counts the frames of all stacks of a profile.
fn frames(profile: &Profile) -> usize {
    let mut depth = vec![0_usize; profile.paths.len()];
    for node in 1..depth.len() {
        depth[node] = depth[profile.paths.parent[node] as usize] + 1;
    }
    profile
        .record_ends
        .iter()
        .map(|node| depth[*node as usize])
        .sum()
}

fn types(profile: &Profile) -> String {
    let name = |sample_type: &SampleType| named(profile, *sample_type);
    let names: Vec<String> = profile.sample_types().iter().map(name).collect();
    if names.is_empty() {
        "no values".to_owned()
    } else {
        names.join(", ")
    }
}

fn named(profile: &Profile, sample_type: SampleType) -> String {
    let (kind, unit) = profile.type_names(sample_type);
    if unit.is_empty() {
        kind
    } else {
        format!("{kind} ({unit})")
    }
}

fn left_out(members: &[Member<'_>], first: &Profile, common: &[SampleType]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for Member { profile, .. } in members {
        let kept: Vec<usize> = common
            .iter()
            .filter_map(|wanted| column(profile, first, *wanted))
            .collect();
        let gone = profile
            .sample_types()
            .iter()
            .enumerate()
            .filter(|(at, _)| !kept.contains(at));
        for (_, sample_type) in gone {
            let name = named(profile, *sample_type);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Returns the members' names, with a number after repeated ones.
fn distinct(members: &[Member<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(members.len());
    for Member { name, .. } in members {
        let mut unique = (*name).to_owned();
        let mut number = 2;
        while names.contains(&unique) {
            unique = format!("{name} #{number}");
            number += 1;
        }
        names.push(unique);
    }
    names
}

#[cfg(test)]
mod tests;
