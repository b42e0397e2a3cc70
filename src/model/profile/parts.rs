//! The parts of a profile: records, stacks and functions in flat arrays, as readers collect them.

use crate::model::profile::strings::{StrId, Strings};

/// What a value of each record means, for instance `cpu` in `nanoseconds`.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Default)]
pub struct SampleType {
    /// What is counted.
    pub kind: StrId,
    /// Its unit.
    pub unit: StrId,
}

/// A binary or library that code was loaded from.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Default)]
pub struct Mapping {
    /// Where it begins in memory.
    pub start: u64,
    /// Where it ends in memory.
    pub limit: u64,
    /// The offset of `start` in the file.
    pub offset: u64,
    /// Its path.
    pub file: StrId,
    /// What identifies its build.
    pub build_id: StrId,
    /// What the producer says it resolved: functions, file names, line numbers, inlined frames.
    pub resolved: [bool; 4],
}

/// Mappings are compared by their size in pages: loaders round it up.
const PAGE: u64 = 0x1000;

impl Mapping {
    /// Returns its identity: its size, and where in which file. Loaders choose another address each time. `text` makes ids
    /// comparable.
    pub(crate) fn identity(&self, text: impl Fn(StrId) -> StrId) -> (u64, u64, StrId) {
        let pages = self.limit.wrapping_sub(self.start).div_ceil(PAGE);
        let file = match text(self.build_id) {
            StrId::EMPTY => text(self.file),
            build_id => build_id,
        };
        (pages, self.offset, file)
    }
}

/// A location of stacks: one address, and its source lines.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct Location {
    /// The mapping of the address.
    pub mapping: Option<u32>,
    /// The address, 0 if not given.
    pub address: u64,
    /// The first of its lines in [`Parts::lines`], innermost first: each one is inlined into the next.
    pub lines_from: u32,
    /// One past the last of its lines.
    pub lines_to: u32,
    /// Several functions with identical code were folded into this address.
    pub folded: bool,
}

/// One source line of a location.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct Line {
    /// The function, as an index; `None` if the file does not say.
    pub function: Option<u32>,
    /// Counted from 1; 0: not known.
    pub line: i64,
    /// Counted from 1; 0: not known.
    pub column: i64,
}

/// A function.
#[derive(Debug, Copy, Clone, Eq, PartialEq, Default, Hash)]
pub struct Function {
    /// As shown.
    pub name: StrId,
    /// As the system knows it, for instance mangled.
    pub system_name: StrId,
    /// Source file.
    pub file: StrId,
    /// The line it starts on; 0: not known.
    pub start_line: i64,
}

/// A function's name and position in the bundle, if it now has those of its source.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct Original {
    /// Its name there.
    pub name: StrId,
    /// The bundle.
    pub file: StrId,
    /// The line it starts on there, from 1; 0: not known.
    pub line: i64,
    /// The column, from 1; 0: not known.
    pub column: i64,
}

/// A record's label (pprof also calls it a tag).
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct Label {
    /// The tag's name.
    pub key: StrId,
    /// The tag's value.
    pub value: LabelValue,
}

/// The value of a [`Label`].
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub enum LabelValue {
    /// A text.
    Text(StrId),
    /// A number in a unit.
    Number(i64, StrId),
}

/// How often the sampler hit a line of a record's innermost function.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub struct Tick {
    /// The record.
    pub record: u32,
    /// The file that the line is in.
    pub file: StrId,
    /// The line, from 1; 0: not known.
    pub line: i64,
    /// How often.
    pub count: i64,
}

/// What readers collect, for [`Profile::new`](crate::model::profile::Profile::new).
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// All text.
    pub strings: Strings,
    /// What the values mean, in the order of each record's values.
    pub sample_types: Vec<SampleType>,
    /// The name of the type to show first; empty if not given.
    pub default_sample_type: StrId,
    /// The records' stacks, one after the other: indices of locations, root first.
    pub stacks: Vec<u32>,
    /// Where each record's stack ends.
    pub stack_ends: Vec<u32>,
    /// The records' values, one after the other, as many for each as there are sample types.
    pub values: Vec<i64>,
    /// The records' labels, one after the other.
    pub labels: Vec<Label>,
    /// Where each record's labels end; may be shorter than the records, which then have none.
    pub label_ends: Vec<u32>,
    /// Locations.
    pub locations: Vec<Location>,
    /// Their source lines.
    pub lines: Vec<Line>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Names and positions in the bundle of functions that a source map restored; may be shorter than `functions`.
    pub originals: Vec<Option<Original>>,
    /// The sampler's ticks by line, in formats that have them; no sample type is their sum.
    pub ticks: Vec<Tick>,
    /// Binaries and libraries.
    pub mappings: Vec<Mapping>,
    /// The type that is counted between two samples, and how many.
    pub period: Option<(SampleType, i64)>,
    /// When it began, in nanoseconds since 1970; 0: not given.
    pub time_nanos: i64,
    /// How long it took, in nanoseconds; 0: not given.
    pub duration_nanos: i64,
    /// Remarks of the producer.
    pub comments: Vec<StrId>,
    /// Regular expression of frames the producer wants gone, with all they called.
    pub drop_frames: StrId,
    /// Regular expression of frames to keep although `drop_frames` names them.
    pub keep_frames: StrId,
    /// Where the producer explains the profile.
    pub doc_url: StrId,
    /// What the reader could not make use of, each in a few words that are safe to print.
    pub left_out: Vec<String>,
}
