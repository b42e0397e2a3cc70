//! Merges records that differ only in their values, as pprof does. It matters for negative values: what one record adds and
//! another takes away was never there, and the base of percentages must not count it twice.

use std::collections::HashMap;

use crate::model::hash::Quick;
use crate::model::profile::parts::{Label, LabelValue, Line, Parts};
use crate::model::profile::strings::StrId;

/// Merges equal records if there are negative values. Records whose sum would overflow stay apart.
pub(crate) fn merge(parts: &mut Parts) {
    let width = parts.sample_types.len();
    if width == 0 || parts.values.iter().all(|value| *value >= 0) {
        return;
    }
    let firsts = parts.strings.firsts();
    let places = same_places(parts, &firsts);
    let labels = |record: usize| {
        let to = parts.label_ends.get(record).map_or(0, |end| *end as usize);
        let from = record
            .checked_sub(1)
            .and_then(|before| parts.label_ends.get(before))
            .map_or(0, |end| *end as usize);
        parts.labels.get(from..to).unwrap_or_default()
    };
    let mut known: HashMap<(Vec<u32>, Vec<Tag>), usize, Quick> = HashMap::default();
    let mut kept = Parts::default();
    let mut from = 0;
    for (record, end) in parts.stack_ends.iter().enumerate() {
        let stack = &parts.stacks[from..*end as usize];
        from = *end as usize;
        let values = &parts.values[record * width..(record + 1) * width];
        let key = (
            stack.iter().map(|place| places[*place as usize]).collect(),
            tags(labels(record), &firsts),
        );
        if let Some(at) = known.get(&key) {
            let sums = &mut kept.values[at * width..(at + 1) * width];
            let added: Option<Vec<i64>> = sums
                .iter()
                .zip(values)
                .map(|(one, other)| one.checked_add(*other))
                .collect();
            if let Some(added) = added {
                sums.copy_from_slice(&added);
                continue;
            }
        }
        known.insert(key, kept.stack_ends.len());
        kept.stacks.extend_from_slice(stack);
        kept.stack_ends
            .push(u32::try_from(kept.stacks.len()).unwrap_or(u32::MAX));
        kept.values.extend_from_slice(values);
        kept.labels.extend_from_slice(labels(record));
        kept.label_ends
            .push(u32::try_from(kept.labels.len()).unwrap_or(u32::MAX));
    }
    drop(known);
    (parts.stacks, parts.stack_ends) = (kept.stacks, kept.stack_ends);
    (parts.values, parts.labels, parts.label_ends) = (kept.values, kept.labels, kept.label_ends);
}

/// A label, with the first of equal texts.
#[derive(PartialEq, Eq, Hash)]
enum Tag {
    Text(StrId, StrId),
    Number(StrId, i64, StrId),
}

/// Sorts labels by key; those of one key keep their order.
fn tags(labels: &[Label], firsts: &[StrId]) -> Vec<Tag> {
    let first = |id: StrId| firsts.get(id.0 as usize).copied().unwrap_or(StrId::EMPTY);
    let mut tags: Vec<Tag> = labels
        .iter()
        .map(|label| match label.value {
            LabelValue::Text(text) => Tag::Text(first(label.key), first(text)),
            LabelValue::Number(number, unit) => Tag::Number(first(label.key), number, first(unit)),
        })
        .collect();
    tags.sort_by_key(|tag| match tag {
        Tag::Text(key, _) => (*key, false),
        Tag::Number(key, ..) => (*key, true),
    });
    tags
}

/// Returns, for each location, the first equal one: the same lines at the same address of the same binary.
fn same_places(parts: &Parts, firsts: &[StrId]) -> Vec<u32> {
    let first = |id: StrId| firsts.get(id.0 as usize).copied().unwrap_or(StrId::EMPTY);
    let mut functions = HashMap::with_hasher(Quick::default());
    let functions: Vec<usize> = (0..)
        .zip(&parts.functions)
        .map(|(at, one)| {
            let key = (
                first(one.name),
                first(one.system_name),
                first(one.file),
                one.start_line,
            );
            *functions.entry(key).or_insert(at)
        })
        .collect();
    let mut known = HashMap::with_hasher(Quick::default());
    let place = |(at, one): (u32, &crate::model::profile::parts::Location)| {
        let mapping = one.mapping.map(|mapping| parts.mappings[mapping as usize]);
        let binary = mapping.map(|of| of.identity(first));
        let address = one.address.wrapping_sub(mapping.map_or(0, |of| of.start));
        let lines: Vec<(Option<usize>, i64, i64)> = parts.lines
            [one.lines_from as usize..one.lines_to as usize]
            .iter()
            .map(
                |Line {
                     function,
                     line,
                     column,
                 }| (function.map(|of| functions[of as usize]), *line, *column),
            )
            .collect();
        *known
            .entry((binary, address, one.folded, lines))
            .or_insert(at)
    };
    (0..).zip(&parts.locations).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::aggregate::read;
    use crate::model::graph::view::View;
    use crate::model::profile::{Function, Interner, Location, Profile, SampleType};

    /// One function at two locations that are the same place and one that is not.
    fn profile(records: &[(u32, &str, i64)]) -> Profile {
        let mut texts = Interner::default();
        let sample_type = SampleType {
            kind: texts.id(b"space"),
            unit: texts.id(b"bytes"),
        };
        let (name, key) = (texts.id(b"f"), texts.id(b"kind"));
        let mut parts = Parts {
            sample_types: vec![sample_type],
            functions: vec![Function {
                name,
                ..Function::default()
            }],
            lines: [4, 4, 5]
                .map(|line| Line {
                    function: Some(0),
                    line,
                    column: 0,
                })
                .to_vec(),
            ..Parts::default()
        };
        parts.locations.extend((0..3).map(|at| Location {
            mapping: None,
            address: 0,
            lines_from: at,
            lines_to: at + 1,
            folded: false,
        }));
        for (location, label, value) in records {
            parts.stacks.push(*location);
            parts
                .stack_ends
                .push(u32::try_from(parts.stacks.len()).unwrap());
            parts.values.push(*value);
            if !label.is_empty() {
                parts.labels.push(Label {
                    key,
                    value: LabelValue::Text(texts.id(label.as_bytes())),
                });
            }
            parts
                .label_ends
                .push(u32::try_from(parts.labels.len()).unwrap());
        }
        parts.strings = texts.finish();
        Profile::new(parts)
    }

    #[test]
    fn what_equal_records_add_and_take_away_was_never_there() {
        let most = i64::MAX;
        for (records, expected) in [
            // Records and base.
            (&[(0, "", 7), (0, "", -5)][..], (1, 2)),
            (&[(0, "", 7), (1, "", -5)], (1, 2)),
            (&[(0, "", 7), (2, "", -5)], (2, 12)),
            (&[(0, "", 7), (0, "slow", -5), (1, "slow", 1)], (2, 11)),
            (&[(0, "", 7), (0, "", 5)], (2, 12)),
            (&[(0, "", most - 1), (0, "", 1 - most), (0, "", -1)], (1, 1)),
        ] {
            let profile = profile(records);
            let reading = read(&profile, &View::new(&profile)).unwrap();
            assert_eq!(
                (profile.record_count(), reading.base),
                expected,
                "{records:?}"
            );
            let sum: i128 = records.iter().map(|(.., value)| i128::from(*value)).sum();
            assert_eq!(reading.total, sum, "{records:?}");
        }
    }
}
