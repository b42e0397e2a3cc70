//! Two profiles as one, so that one identity and one set of filters holds for the stacks of both.

use crate::model::profile::stack_trie::{NONE, Paths};
use crate::model::profile::{
    Function, Label, LabelValue, Line, Location, Mapping, Original, Parts, Profile, StrId, Strings,
};

/// Puts the records of one profile before those of another. The stacks stay apart as places in code, and become one where
/// their frames are named alike. It has no values and no sample types: those belong to each side.
pub(crate) fn join(first: &Profile, second: &Profile) -> Profile {
    // String 0 means "not given", here as in each of the two.
    let mut parts = Parts {
        strings: Strings::new(),
        ..Parts::default()
    };
    for profile in [first, second] {
        append(&mut parts, profile);
    }
    let firsts = parts.strings.firsts();
    let (paths, record_ends) = join_paths(first, second);
    Profile {
        parts,
        paths: paths.into(),
        record_ends: record_ends.into(),
        firsts,
    }
}

/// The readers' limits on each list are below half of what an index can tell.
fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}

fn append(parts: &mut Parts, profile: &Profile) {
    let from = &profile.parts;
    let strings = index(parts.strings.len());
    let string = |id: StrId| StrId(id.0 + strings);
    for at in 0..index(from.strings.len()) {
        parts.strings.push(from.strings.bytes(StrId(at)));
    }
    let (mappings, functions, lines) = (
        index(parts.mappings.len()),
        index(parts.functions.len()),
        index(parts.lines.len()),
    );
    parts
        .mappings
        .extend(from.mappings.iter().map(|mapping| Mapping {
            file: string(mapping.file),
            build_id: string(mapping.build_id),
            ..*mapping
        }));
    parts
        .functions
        .extend(from.functions.iter().map(|function| Function {
            name: string(function.name),
            system_name: string(function.system_name),
            file: string(function.file),
            ..*function
        }));
    // Those of the second profile's functions stand where those functions do.
    parts.originals.resize(functions as usize, None);
    parts
        .originals
        .extend(from.originals.iter().map(|original| {
            original.map(|original| Original {
                name: string(original.name),
                file: string(original.file),
                ..original
            })
        }));
    parts.lines.extend(from.lines.iter().map(|line| Line {
        function: line.function.map(|at| at + functions),
        ..*line
    }));
    parts
        .locations
        .extend(from.locations.iter().map(|location| Location {
            mapping: location.mapping.map(|at| at + mappings),
            lines_from: location.lines_from + lines,
            lines_to: location.lines_to + lines,
            ..*location
        }));
    for record in 0..profile.record_count() {
        parts
            .labels
            .extend(profile.labels(record).iter().map(|label| Label {
                key: string(label.key),
                value: match label.value {
                    LabelValue::Text(text) => LabelValue::Text(string(text)),
                    LabelValue::Number(number, unit) => LabelValue::Number(number, string(unit)),
                },
            }));
        parts.label_ends.push(index(parts.labels.len()));
    }
}

/// Hangs the second profile's paths beside the first one's. No place in code is in both, so there is nothing to merge.
fn join_paths(first: &Profile, second: &Profile) -> (Paths, Vec<u32>) {
    let mut paths = Paths::clone(&first.paths);
    let locations = index(first.parts.locations.len());
    // The second root is the first one; all other nodes follow.
    let nodes = index(paths.len()) - 1;
    let here = |node: u32| if node == 0 { 0 } else { node + nodes };
    let other = &second.paths;
    paths
        .parent
        .extend(other.parent.iter().skip(1).map(|node| here(*node)));
    paths
        .step
        .extend(other.step.iter().skip(1).map(|step| step + locations));
    paths
        .end
        .extend(other.end.iter().skip(1).map(|end| end + nodes));
    let all = index(paths.len());
    if let Some(root) = paths.end.first_mut() {
        *root = all;
    }
    let mut record_ends = first.record_ends.to_vec();
    record_ends.extend(second.record_ends.iter().map(|node| here(*node)));
    (paths, record_ends)
}
