//! Several captures opened as one profile.
//!
//! Values are matched by their type and unit, places in code by what they are; every record keeps the name of its capture
//! as a label, so that a tag filter takes one out again and [`crate::model::graph::spread`] can tell how far the captures agree.

use std::collections::HashMap;

use crate::model::hash::Quick;
use crate::model::profile::{
    Function, Interner, Label, LabelValue, Line, Location, Mapping, Original, Parts, Profile,
    SampleType, StrId, Tick,
};

/// The label that names a record's capture.
pub const LABEL: &str = "capture";

/// Frames of all stacks together, and bytes of all text, that still fit the indices of one profile.
const ENTRIES_MAX: usize = 1 << 28;
const TEXT_MAX: usize = u32::MAX as usize;
/// Mappings are compared by their size in pages: loaders round it up.
const PAGE: u64 = 0x1000;

/// One capture to merge.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// What was recorded.
    pub profile: &'a Profile,
    /// What its records are to be told by. Need not be unique.
    pub name: &'a str,
}

/// Several captures as one.
#[derive(Debug)]
pub struct Merged {
    /// The profile.
    pub profile: Profile,
    /// The value of [`LABEL`] of each capture, in their order; no two are the same.
    pub names: Vec<String>,
    /// Sample types that not all of them have, as `name (unit)`; their values are left out.
    pub left_out: Vec<String>,
}

/// Why captures can't become one profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is none.
    #[error("there is nothing to merge")]
    Nothing,
    /// No type of values is in all of them.
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

/// Makes one profile of several captures. The time is the earliest, the duration the sum, the period the largest.
///
/// # Errors
/// [`MergeError`] if there are no values that all of them have, or too many.
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
        // With three captures each two may share a type that the third has not.
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

/// The place of another profile's sample type in a profile.
fn column(profile: &Profile, of: &Profile, wanted: SampleType) -> Option<usize> {
    let same = |own: &SampleType| {
        profile.bytes(own.kind) == of.bytes(wanted.kind)
            && profile.bytes(own.unit) == of.bytes(wanted.unit)
    };
    profile.sample_types().iter().position(same)
}

/// How many frames the stacks of a profile have together.
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

/// The members' names, with a number behind those that stood before.
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

/// What makes two mappings one: how large, where in which file. Loaders choose the address anew each time.
type MappingKey = (u64, u64, StrId);

/// What makes two places in code one.
#[derive(PartialEq, Eq, Hash)]
struct Place {
    mapping: Option<u32>,
    address: u64,
    lines: Vec<(Option<u32>, i64, i64)>,
    folded: bool,
}

/// The profile that grows.
struct Merger {
    parts: Parts,
    strings: Interner,
    label: StrId,
    mappings: HashMap<MappingKey, u32, Quick>,
    functions: HashMap<(StrId, StrId, StrId, i64), u32, Quick>,
    places: HashMap<Place, u32, Quick>,
}

/// The readers' limits on each list are below half of what an index can tell.
fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Merger {
    fn new(first: &Profile, common: &[SampleType]) -> Self {
        let mut strings = Interner::default();
        let label = strings.id(LABEL.as_bytes());
        let mut text = |id: StrId| strings.id(first.bytes(id));
        // One that is not kept can't be shown first.
        let wanted = first.bytes(first.parts.default_sample_type);
        let is_kept = common.iter().any(|own| first.bytes(own.kind) == wanted);
        let default = if is_kept {
            text(first.parts.default_sample_type)
        } else {
            StrId::EMPTY
        };
        let parts = Parts {
            sample_types: common
                .iter()
                .map(|own| SampleType {
                    kind: text(own.kind),
                    unit: text(own.unit),
                })
                .collect(),
            default_sample_type: default,
            // Each capture's own were cut already; what is written and read again is not to be cut by another's.
            drop_frames: StrId::EMPTY,
            keep_frames: StrId::EMPTY,
            doc_url: text(first.parts.doc_url),
            period: first.parts.period.map(|(of, period)| {
                (
                    SampleType {
                        kind: text(of.kind),
                        unit: text(of.unit),
                    },
                    period,
                )
            }),
            ..Parts::default()
        };
        let (mappings, functions, places) =
            (HashMap::default(), HashMap::default(), HashMap::default());
        Self {
            parts,
            strings,
            label,
            mappings,
            functions,
            places,
        }
    }

    fn add(&mut self, profile: &Profile, first: &Profile, common: &[SampleType], name: &str) {
        // Each text is looked up once, however often it is named.
        let from = &profile.parts;
        let strings: Vec<StrId> = (0..from.strings.len())
            .map(|at| self.strings.id(from.strings.bytes(StrId(index(at)))))
            .collect();
        let text = |id: StrId| strings.get(id.0 as usize).copied().unwrap_or(StrId::EMPTY);
        self.head(from, text);
        let mappings: Vec<(u32, u64)> = from
            .mappings
            .iter()
            .map(|mapping| self.mapping(mapping, text))
            .collect();
        let functions: Vec<u32> = from
            .functions
            .iter()
            .map(|function| self.function(function, text))
            .collect();
        for (old, new) in (0..).zip(&functions) {
            let Some(original) = profile.original(old) else {
                continue;
            };
            let originals = &mut self.parts.originals;
            originals.resize(originals.len().max(*new as usize + 1), None);
            originals[*new as usize].get_or_insert(Original {
                name: text(original.name),
                file: text(original.file),
                ..*original
            });
        }
        let places: Vec<u32> = from
            .locations
            .iter()
            .map(|location| self.place(profile, location, &mappings, &functions))
            .collect();
        let columns: Vec<usize> = common
            .iter()
            .filter_map(|wanted| column(profile, first, *wanted))
            .collect();
        let name = self.strings.id(name.as_bytes());
        let records = index(self.parts.stack_ends.len());
        let ticks = from.ticks.iter().map(|tick| Tick {
            record: tick.record + records,
            file: text(tick.file),
            ..*tick
        });
        self.parts.ticks.extend(ticks);
        for record in 0..profile.record_count() {
            let bottom = self.parts.stacks.len();
            self.parts.stacks.extend(
                profile
                    .stack(record)
                    .map(|location| places[location as usize]),
            );
            self.parts.stacks[bottom..].reverse();
            self.parts.stack_ends.push(index(self.parts.stacks.len()));
            let values = profile.values(record);
            self.parts
                .values
                .extend(columns.iter().map(|at| values[*at]));
            self.labels(profile, record, text, name);
        }
    }

    fn head(&mut self, from: &Parts, text: impl Fn(StrId) -> StrId) {
        let parts = &mut self.parts;
        if from.time_nanos != 0 && (parts.time_nanos == 0 || from.time_nanos < parts.time_nanos) {
            parts.time_nanos = from.time_nanos;
        }
        parts.duration_nanos = parts.duration_nanos.saturating_add(from.duration_nanos);
        // A period of another kind would say something wrong of half of the samples.
        parts.period = match (parts.period, from.period) {
            (Some((of, largest)), Some((kind, period)))
                if of
                    == (SampleType {
                        kind: text(kind.kind),
                        unit: text(kind.unit),
                    }) =>
            {
                Some((of, largest.max(period)))
            }
            _ => None,
        };
        for comment in from.comments.iter().map(|comment| text(*comment)) {
            if !parts.comments.contains(&comment) {
                parts.comments.push(comment);
            }
        }
    }

    /// A mapping's place, and what is to be added to addresses in it.
    fn mapping(&mut self, mapping: &Mapping, text: impl Fn(StrId) -> StrId) -> (u32, u64) {
        let size = mapping.limit.wrapping_sub(mapping.start).div_ceil(PAGE);
        let (file, build_id) = (text(mapping.file), text(mapping.build_id));
        let key = (
            size,
            mapping.offset,
            if build_id == StrId::EMPTY {
                file
            } else {
                build_id
            },
        );
        let mappings = &mut self.parts.mappings;
        let at = *self.mappings.entry(key).or_insert_with(|| {
            mappings.push(Mapping {
                file,
                build_id,
                ..*mapping
            });
            index(mappings.len() - 1)
        });
        (at, mappings[at as usize].start.wrapping_sub(mapping.start))
    }

    fn function(&mut self, function: &Function, text: impl Fn(StrId) -> StrId) -> u32 {
        let Function {
            name,
            system_name,
            file,
            start_line,
        } = *function;
        let function = Function {
            name: text(name),
            system_name: text(system_name),
            file: text(file),
            start_line,
        };
        let key = (
            function.name,
            function.system_name,
            function.file,
            start_line,
        );
        let functions = &mut self.parts.functions;
        *self.functions.entry(key).or_insert_with(|| {
            functions.push(function);
            index(functions.len() - 1)
        })
    }

    fn place(
        &mut self,
        profile: &Profile,
        location: &Location,
        mappings: &[(u32, u64)],
        functions: &[u32],
    ) -> u32 {
        let mapping = location.mapping.map(|at| mappings[at as usize]);
        let moved = mapping.map_or(0, |(_, by)| by);
        let address = if location.address == 0 {
            0
        } else {
            location.address.wrapping_add(moved)
        };
        let lines = profile.lines(location).iter();
        let lines = lines
            .map(|line| {
                (
                    line.function.map(|at| functions[at as usize]),
                    line.line,
                    line.column,
                )
            })
            .collect();
        let place = Place {
            mapping: mapping.map(|(at, _)| at),
            address,
            lines,
            folded: location.folded,
        };
        if let Some(known) = self.places.get(&place) {
            return *known;
        }
        let lines_from = index(self.parts.lines.len());
        self.parts
            .lines
            .extend(place.lines.iter().map(|(function, line, column)| Line {
                function: *function,
                line: *line,
                column: *column,
            }));
        let lines_to = index(self.parts.lines.len());
        let Place {
            mapping,
            address,
            folded,
            ..
        } = place;
        self.parts.locations.push(Location {
            mapping,
            address,
            lines_from,
            lines_to,
            folded,
        });
        let at = index(self.parts.locations.len() - 1);
        self.places.insert(place, at);
        at
    }

    /// A record's labels. One that names its capture already, because it was merged before, keeps that name.
    fn labels(
        &mut self,
        profile: &Profile,
        record: usize,
        text: impl Fn(StrId) -> StrId,
        name: StrId,
    ) {
        let mut is_named = false;
        for label in profile.labels(record) {
            let key = text(label.key);
            let value = match label.value {
                LabelValue::Text(value) => {
                    is_named |= key == self.label;
                    LabelValue::Text(text(value))
                }
                LabelValue::Number(number, unit) => LabelValue::Number(number, text(unit)),
            };
            self.parts.labels.push(Label { key, value });
        }
        if !is_named {
            self.parts.labels.push(Label {
                key: self.label,
                value: LabelValue::Text(name),
            });
        }
        self.parts.label_ends.push(index(self.parts.labels.len()));
    }

    fn finish(self) -> Profile {
        Profile::new(Parts {
            strings: self.strings.finish(),
            ..self.parts
        })
    }
}

#[cfg(test)]
mod tests;
