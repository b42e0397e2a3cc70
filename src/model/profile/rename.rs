//! A profile with other names: the same stacks and values, every text of the producer replaced.

use crate::model::profile::BASE_LABEL;
use crate::model::profile::merge::LABEL;
use crate::model::profile::{
    Function, Interner, Label, LabelValue, Mapping, Parts, Profile, StrId,
};

/// A text, by what it names. Never empty: empty texts stay.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Named<'a> {
    /// A function, with the file it is in.
    Function {
        /// Its name.
        name: &'a str,
        /// Its file; empty if not given.
        file: &'a str,
    },
    /// A source file.
    File(&'a str),
    /// A package of source files.
    Package(&'a str),
    /// A binary or library.
    Mapping(&'a str),
    /// What identifies a binary's build.
    BuildId(&'a str),
    /// A label's key.
    LabelKey(&'a str),
    /// A label's text.
    LabelText(&'a str),
    /// The unit of a label's number.
    LabelUnit(&'a str),
    /// The value of the label that marks the records of a difference's base.
    BaseMark(&'a str),
    /// A capture among several.
    Capture(&'a str),
    /// A remark of the producer.
    Comment(&'a str),
}

/// Returns the new name of a text.
pub(crate) type Rename<'a> = &'a mut dyn FnMut(Named<'_>) -> String;
/// Returns the new name of a text as a string of the new profile.
type Intern<'a> = &'a mut dyn FnMut(Named<'_>) -> StrId;

impl Profile {
    /// Returns the profile with other names. Expressions for frames to drop are left out, as they were applied already, and so
    /// is the documentation link. Sample types and their units stay.
    #[must_use]
    pub fn renamed(&self, rename: Rename<'_>) -> Self {
        let from = &self.parts;
        let mut strings = Interner::default();
        let mut same = |id: StrId| strings.id(self.bytes(id));
        let sample_type = |own: crate::model::profile::SampleType,
                           same: &mut dyn FnMut(StrId) -> StrId| {
            crate::model::profile::SampleType {
                kind: same(own.kind),
                unit: same(own.unit),
            }
        };
        let sample_types = from
            .sample_types
            .iter()
            .map(|own| sample_type(*own, &mut same))
            .collect();
        let period = from
            .period
            .map(|(of, period)| (sample_type(of, &mut same), period));
        let default_sample_type = same(from.default_sample_type);
        let mut name = |named: Named<'_>| match named {
            Named::Function { name: "", .. }
            | Named::File("")
            | Named::Package("")
            | Named::Mapping("")
            | Named::BuildId("")
            | Named::LabelKey("")
            | Named::LabelText("")
            | Named::LabelUnit("")
            | Named::BaseMark("")
            | Named::Capture("")
            | Named::Comment("") => StrId::EMPTY,
            named => strings.id(rename(named).as_bytes()),
        };
        let functions = from
            .functions
            .iter()
            .map(|function| self.renamed_function(function, &mut name))
            .collect();
        let mappings = from.mappings.iter().map(|mapping| Mapping {
            file: name(Named::Mapping(&self.text(mapping.file))),
            build_id: name(Named::BuildId(&self.text(mapping.build_id))),
            ..*mapping
        });
        let mappings = mappings.collect();
        let labels = from
            .labels
            .iter()
            .map(|label| self.renamed_label(label, &mut name))
            .collect();
        let comments = from
            .comments
            .iter()
            .map(|comment| name(Named::Comment(&self.text(*comment))))
            .collect();
        let strings = strings.finish();
        let firsts = strings.firsts();
        let parts = Parts {
            strings,
            sample_types,
            default_sample_type,
            functions,
            // What the bundle called them is a name as well.
            originals: Vec::new(),
            // No format that takes other names has lines of ticks.
            ticks: Vec::new(),
            mappings,
            labels,
            comments,
            period,
            drop_frames: StrId::EMPTY,
            keep_frames: StrId::EMPTY,
            doc_url: StrId::EMPTY,
            left_out: from.left_out.clone(),
            stacks: Vec::new(),
            stack_ends: Vec::new(),
            values: from.values.clone(),
            label_ends: from.label_ends.clone(),
            locations: from.locations.clone(),
            lines: from.lines.clone(),
            time_nanos: from.time_nanos,
            duration_nanos: from.duration_nanos,
        };
        Self {
            parts,
            paths: self.paths.clone(),
            record_ends: self.record_ends.clone(),
            firsts,
        }
    }

    fn renamed_function(&self, function: &Function, name: Intern<'_>) -> Function {
        let file = self.text(function.file);
        let mut of = |id: StrId| {
            name(Named::Function {
                name: &self.text(id),
                file: &file,
            })
        };
        Function {
            name: of(function.name),
            system_name: of(function.system_name),
            file: name(Named::File(&file)),
            start_line: function.start_line,
        }
    }

    fn renamed_label(&self, label: &Label, name: Intern<'_>) -> Label {
        let key = self.text(label.key);
        let value = match label.value {
            LabelValue::Text(text) => {
                let text = self.text(text);
                LabelValue::Text(name(match &*key {
                    LABEL => Named::Capture(&text),
                    BASE_LABEL => Named::BaseMark(&text),
                    _ => Named::LabelText(&text),
                }))
            }
            LabelValue::Number(number, unit) => {
                LabelValue::Number(number, name(Named::LabelUnit(&self.text(unit))))
            }
        };
        Label {
            key: name(Named::LabelKey(&key)),
            value,
        }
    }
}
