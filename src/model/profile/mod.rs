//! A recorded profile: immutable, in flat arrays, its text as bytes. [`crate::model::graph::view`] says how to look at it.

pub mod merge;
pub mod rename;

pub(crate) mod dedup;
pub(crate) mod drop_frames;
pub(crate) mod parts;
pub(crate) mod stack_trie;
pub(crate) mod strings;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

pub use crate::model::profile::parts::{
    Function, Label, LabelValue, Line, Location, Mapping, Original, Parts, SampleType, Tick,
};
use crate::model::profile::stack_trie::{NONE, Paths};
pub use crate::model::profile::strings::{Interner, StrId, Strings};
use crate::model::text::pattern::PatternError;

/// The label of a base's records, by which pprof knows the base of percentages.
pub const BASE_LABEL: &str = "pprof::base";

/// The label's value.
pub const BASE_TEXT: &str = "true";

/// A decoded profile. Immutable, so it may be shared as `Arc<Profile>`.
#[derive(Debug)]
pub struct Profile {
    pub(crate) parts: Parts,
    /// The stacks, merged by prefix; steps are locations.
    pub(crate) paths: Arc<Paths>,
    /// The node of `paths` at which each record's stack ends.
    pub(crate) record_ends: Arc<[u32]>,
    /// For each string, the first one with the same bytes.
    pub(crate) firsts: Vec<StrId>,
}

impl Profile {
    /// Builds a profile from its parts. Every index in them must be in range: readers check the file's.
    #[must_use]
    pub fn new(mut parts: Parts) -> Self {
        debug_assert_eq!(
            parts.values.len(),
            parts.stack_ends.len() * parts.sample_types.len()
        );
        crate::model::profile::dedup::merge(&mut parts);
        crate::model::profile::drop_frames::prune(&mut parts);
        let (paths, record_ends) = Paths::merge(&parts.stacks, &parts.stack_ends);
        // The merged tree takes a tenth of the space.
        parts.stacks = Vec::new();
        parts.stack_ends = Vec::new();
        let firsts = parts.strings.firsts();
        Self {
            parts,
            paths: paths.into(),
            record_ends: record_ends.into(),
            firsts,
        }
    }

    /// Counts the locations of the distinct stacks, common prefixes once, and their frames, inlined ones included.
    #[must_use]
    pub(crate) fn places_and_frames(&self) -> (usize, usize) {
        let places = self.paths.len() - 1;
        let lines = |location: &Location| {
            location.lines_to.saturating_sub(location.lines_from).max(1) as usize
        };
        if self
            .parts
            .locations
            .iter()
            .all(|location| lines(location) == 1)
        {
            return (places, places);
        }
        let steps = self
            .paths
            .step
            .iter()
            .filter_map(|step| self.parts.locations.get(*step as usize));
        (places, steps.map(lines).fold(0, usize::saturating_add))
    }

    /// Returns the same records and stacks with other texts, functions and lines. Locations must stay the same.
    pub(crate) fn with_parts(&self, parts: Parts) -> Self {
        let firsts = parts.strings.firsts();
        Self {
            parts,
            paths: Arc::clone(&self.paths),
            record_ends: Arc::clone(&self.record_ends),
            firsts,
        }
    }

    /// Returns why the producer's frames to drop were not dropped: its expression is invalid.
    #[must_use]
    pub fn uncut(&self) -> Option<PatternError> {
        crate::model::profile::drop_frames::expressions(&self.parts).err()
    }

    /// Returns what could not be read of the file, each in a few words, safe to print.
    #[must_use]
    pub fn left_out(&self) -> &[String] {
        &self.parts.left_out
    }

    /// Returns the types of each record's values.
    #[must_use]
    pub fn sample_types(&self) -> &[SampleType] {
        &self.parts.sample_types
    }

    /// Returns the index of the type to show first: the one the file names, else the last.
    #[must_use]
    pub fn default_sample_type(&self) -> usize {
        let named = self.first(self.parts.default_sample_type);
        self.parts
            .sample_types
            .iter()
            .position(|sample_type| named != StrId::EMPTY && self.first(sample_type.kind) == named)
            .unwrap_or_else(|| self.parts.sample_types.len().saturating_sub(1))
    }

    /// Returns the index of the type with a name.
    #[must_use]
    pub fn sample_type_named(&self, name: &str) -> Option<usize> {
        self.parts
            .sample_types
            .iter()
            .position(|sample_type| self.bytes(sample_type.kind) == name.as_bytes())
    }

    /// Returns the text of a string, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn text(&self, id: StrId) -> Cow<'_, str> {
        self.parts.strings.text(id)
    }

    /// Returns the bytes of a string.
    #[must_use]
    pub fn bytes(&self, id: StrId) -> &[u8] {
        self.parts.strings.bytes(id)
    }

    /// Counts the records (pprof calls them samples).
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.record_ends.len()
    }

    /// Returns a record's values, one for each sample type.
    #[must_use]
    pub fn values(&self, record: usize) -> &[i64] {
        let width = self.parts.sample_types.len();
        self.parts
            .values
            .get(record * width..(record + 1) * width)
            .unwrap_or_default()
    }

    /// Returns a record's labels.
    #[must_use]
    pub fn labels(&self, record: usize) -> &[Label] {
        let Some(&end) = self.parts.label_ends.get(record) else {
            return &[];
        };
        let start = record
            .checked_sub(1)
            .map_or(0, |before| self.parts.label_ends[before]);
        &self.parts.labels[start as usize..end as usize]
    }

    /// Returns a record's stack: indices into [`Self::locations`], leaf first.
    pub fn stack(&self, record: usize) -> impl Iterator<Item = u32> + '_ {
        let mut node = self.record_ends.get(record).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let step = self.paths.step[node as usize];
            node = self.paths.parent[node as usize];
            (step != NONE).then_some(step)
        })
    }

    /// Returns the locations.
    #[must_use]
    pub fn locations(&self) -> &[Location] {
        &self.parts.locations
    }

    /// Returns the source lines of a location, innermost first.
    #[must_use]
    pub fn lines(&self, location: &Location) -> &[Line] {
        self.parts
            .lines
            .get(location.lines_from as usize..location.lines_to as usize)
            .unwrap_or_default()
    }

    /// Returns the functions.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.parts.functions
    }

    /// Returns the sampler's ticks by line; none in most formats.
    #[must_use]
    pub fn ticks(&self) -> &[Tick] {
        &self.parts.ticks
    }

    /// Returns a function's name and position in the bundle, if a source map replaced them.
    #[must_use]
    pub fn original(&self, function: u32) -> Option<&Original> {
        self.parts.originals.get(function as usize)?.as_ref()
    }

    /// Returns the binaries and libraries.
    #[must_use]
    pub fn mappings(&self) -> &[Mapping] {
        &self.parts.mappings
    }

    /// Returns the type that is counted between two samples, and how many.
    #[must_use]
    pub fn period(&self) -> Option<(SampleType, i64)> {
        self.parts.period
    }

    /// Returns when it began.
    #[must_use]
    pub fn time(&self) -> Option<SystemTime> {
        let nanos = u64::try_from(self.parts.time_nanos)
            .ok()
            .filter(|nanos| *nanos > 0)?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_nanos(nanos))
    }

    /// Returns how long it took.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        u64::try_from(self.parts.duration_nanos)
            .ok()
            .filter(|nanos| *nanos > 0)
            .map(Duration::from_nanos)
    }

    /// Whether any line has a column, without which a source map can't resolve a bundle of one line.
    #[must_use]
    pub fn has_columns(&self) -> bool {
        self.parts.lines.iter().any(|line| line.column > 0)
    }

    /// Returns the producer's remarks. Text from outside: show it through [`crate::model::text::sanitize`].
    pub fn comments(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.parts.comments.iter().map(|id| self.text(*id))
    }

    /// Returns what a writer needs besides the records: type names, text, and the like.
    #[must_use]
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Returns the first string with the same bytes, so that ids can be compared instead of texts.
    pub(crate) fn first(&self, id: StrId) -> StrId {
        self.firsts
            .get(id.0 as usize)
            .copied()
            .unwrap_or(StrId::EMPTY)
    }
}

impl Profile {
    /// Returns a sample type's name and unit.
    #[must_use]
    pub fn type_names(&self, sample_type: SampleType) -> (String, String) {
        let text = |id: StrId| self.text(id).into_owned();
        (text(sample_type.kind), text(sample_type.unit))
    }
}
