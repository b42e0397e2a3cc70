//! Builds the merged profile.

use std::collections::HashMap;

use crate::model::hash::Quick;
use crate::model::profile::{
    Function, Interner, Label, LabelValue, Line, Location, Mapping, Original, Parts, Profile,
    SampleType, StrId, Tick,
};

/// The label that names a record's capture.
pub const LABEL: &str = "capture";

/// Returns the index of another profile's sample type in a profile.
pub(super) fn column(profile: &Profile, of: &Profile, wanted: SampleType) -> Option<usize> {
    let same = |own: &SampleType| {
        profile.bytes(own.kind) == of.bytes(wanted.kind)
            && profile.bytes(own.unit) == of.bytes(wanted.unit)
    };
    profile.sample_types().iter().position(same)
}

/// A location's identity.
#[derive(PartialEq, Eq, Hash)]
struct Place {
    mapping: Option<u32>,
    address: u64,
    lines: Vec<(Option<u32>, i64, i64)>,
    folded: bool,
}

/// The merged profile, as it is built.
pub(super) struct Merger {
    parts: Parts,
    strings: Interner,
    label: StrId,
    mappings: HashMap<(u64, u64, StrId), u32, Quick>,
    functions: HashMap<(StrId, StrId, StrId, i64), u32, Quick>,
    places: HashMap<Place, u32, Quick>,
}

/// Returns a count as an index. The readers' limits on each list are below half of `u32::MAX`.
pub(super) fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Merger {
    pub(super) fn new(first: &Profile, common: &[SampleType]) -> Self {
        let mut strings = Interner::default();
        let label = strings.id(LABEL.as_bytes());
        let mut text = |id: StrId| strings.id(first.bytes(id));
        // A type that is left out can't be the default.
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
            // Each capture's own were applied already, and must not apply to the others when this is written and read again.
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

    pub(super) fn add(
        &mut self,
        profile: &Profile,
        first: &Profile,
        common: &[SampleType],
        name: &str,
    ) {
        // Each text is looked up once, however often it is used.
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
        // A period of another type would be wrong for half of the samples.
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

    /// Returns a mapping's index, and what to add to addresses in it.
    fn mapping(&mut self, mapping: &Mapping, text: impl Fn(StrId) -> StrId) -> (u32, u64) {
        let mappings = &mut self.parts.mappings;
        let at = *self
            .mappings
            .entry(mapping.identity(&text))
            .or_insert_with(|| {
                mappings.push(Mapping {
                    file: text(mapping.file),
                    build_id: text(mapping.build_id),
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

    /// Adds a record's labels. A record that was merged before keeps its capture's name.
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

    pub(super) fn finish(self) -> Profile {
        Profile::new(Parts {
            strings: self.strings.finish(),
            ..self.parts
        })
    }
}
