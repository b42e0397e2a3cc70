//! The values of one sample type, record by record, with the number of samples behind each.

use crate::model::graph::view::ViewError;
use crate::model::profile::{BASE_LABEL, BASE_TEXT, Label, LabelValue, Profile};

/// Where the number of samples comes from.
#[derive(Debug, Copy, Clone, Eq, PartialEq)]
pub enum SamplesFrom {
    /// The sample type of this index counts them.
    Type(usize),
    /// No type does: each record with a value counts as one.
    Records,
}

impl SamplesFrom {
    /// The word for one of what was counted.
    #[must_use]
    pub const fn one(self) -> &'static str {
        match self {
            Self::Type(_) => "sample",
            Self::Records => "record",
        }
    }

    /// As JSON says it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Type(_) => "type",
            Self::Records => "records",
        }
    }
}

/// One record's share of a reading.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) value: i64,
    pub(crate) samples: i64,
}

impl Amount {
    pub(crate) fn is_nothing(self) -> bool {
        self.value == 0 && self.samples == 0
    }
}

/// The values of one sample type, with the number of samples that belongs to each.
pub(crate) struct Column<'a> {
    values: &'a [i64],
    width: usize,
    at: usize,
    pub(crate) samples_from: SamplesFrom,
    pub(crate) total: i128,
    pub(crate) base: i128,
    /// Sum of the absolute counts of samples.
    pub(crate) counted: i128,
    pub(crate) negative: bool,
}

impl<'a> Column<'a> {
    pub(crate) fn new(profile: &'a Profile, at: usize) -> Result<Self, ViewError> {
        let width = profile.sample_types().len();
        if at >= width {
            return Err(ViewError::NoSuchType(at));
        }
        let samples_from =
            samples_type(profile, at).map_or(SamplesFrom::Records, SamplesFrom::Type);
        let mut column = Self {
            values: &profile.parts.values,
            width,
            at,
            samples_from,
            total: 0,
            base: 0,
            counted: 0,
            negative: false,
        };
        let is_difference = profile
            .parts
            .labels
            .iter()
            .any(|label| is_of_base(profile, label));
        let mut of_base = 0;
        for record in 0..profile.record_count() {
            let Amount { value, samples } = column.of(record);
            let size = i128::from(value.unsigned_abs());
            column.total += i128::from(value);
            column.base += size;
            column.negative |= value < 0;
            column.counted += i128::from(samples.unsigned_abs());
            if is_difference
                && profile
                    .labels(record)
                    .iter()
                    .any(|label| is_of_base(profile, label))
            {
                of_base += size;
            }
        }
        // Every sum that is taken later is one of some of these values, so none of them can overflow either.
        for (sum, at) in [
            (column.base, Some(at)),
            (column.counted, samples_type(profile, at)),
        ] {
            if let Some(at) = at.filter(|_| sum > i128::from(i64::MAX)) {
                return Err(ViewError::Overflow(
                    profile.text(profile.sample_types()[at].kind).into_owned(),
                ));
            }
        }
        if of_base > 0 {
            column.base = of_base;
        }
        Ok(column)
    }

    pub(crate) fn of(&self, record: usize) -> Amount {
        let values = &self.values[record * self.width..(record + 1) * self.width];
        let value = values[self.at];
        let samples = match self.samples_from {
            SamplesFrom::Type(at) => values[at],
            SamplesFrom::Records => i64::from(value != 0),
        };
        Amount { value, samples }
    }
}

/// Whether it is the label by which a difference marks the records of its base: pprof takes those alone for what per
/// cents are of.
fn is_of_base(profile: &Profile, label: &Label) -> bool {
    match label.value {
        LabelValue::Text(text) => {
            profile.bytes(label.key) == BASE_LABEL.as_bytes()
                && profile.bytes(text) == BASE_TEXT.as_bytes()
        }
        LabelValue::Number(..) => false,
    }
}

/// The type that counts the samples behind a type's values: itself, or the count that belongs to it by name.
fn samples_type(profile: &Profile, of: usize) -> Option<usize> {
    const COUNTS: [&[u8]; 7] = [
        b"samples",
        b"sample",
        b"objects",
        b"contentions",
        b"count",
        b"events",
        b"allocations",
    ];
    let types = profile.sample_types();
    let kind = |at: usize| profile.bytes(types[at].kind);
    let counts = |at: usize| profile.bytes(types[at].unit) == b"count";
    fn stem(name: &[u8]) -> Option<&[u8]> {
        name.split(|byte| matches!(byte, b'_' | b'-'))
            .next()
            .filter(|stem| *stem != name)
    }
    if counts(of) {
        return Some(of);
    }
    let same_stem = stem(kind(of)).and_then(|wanted| {
        (0..types.len())
            .find(|at| counts(*at) && stem(kind(*at)).is_some_and(|stem| stem == wanted))
    });
    same_stem.or_else(|| {
        (0..of)
            .rev()
            .chain(of + 1..types.len())
            .find(|at| counts(*at) && COUNTS.contains(&kind(*at)))
    })
}
