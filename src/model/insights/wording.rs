//! How hints speak of what was measured, and how they keep to their line.

use unicode_width::UnicodeWidthStr as _;

use crate::model::cloudflare::Kind;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::sample_values::SamplesFrom;
use crate::model::insights::Context;
use crate::model::profile::Profile;
use crate::model::text::sanitize::printable;
use crate::model::text::share;
use crate::model::text::units;

/// Columns of a hint's line beside its mark and its number, on a screen of 80.
const COLUMNS: usize = 63;

/// What the values of a reading are, in words.
pub(crate) struct Subject {
    /// As in "63.7% of CPU", "48.6% of the bytes".
    pub(crate) noun: String,
    /// What is counted beside, in the plural: samples, objects, records.
    pub(crate) counts: String,
    /// The unit of the values.
    pub(crate) unit: String,
    /// The values are of memory: bytes, or objects.
    pub(crate) is_memory: bool,
    /// The values are time.
    pub(crate) is_time: bool,
    /// The profile is one that V8 takes in a window, as far as its types tell.
    pub(crate) is_v8: bool,
    base: i128,
}

impl Subject {
    pub(crate) fn new(profile: &Profile, reading: &Reading, context: &Context) -> Self {
        let (name, unit) = profile.type_names(reading.sample_type);
        let name = printable(&name).into_owned();
        let is_time = units::nanoseconds(1, &unit).is_some();
        let is_bytes = units::is_memory(&unit);
        // Objects that were allocated are counted beside their bytes.
        let beside = profile
            .sample_types()
            .iter()
            .any(|other| units::is_memory(&profile.type_names(*other).1));
        let is_memory = is_bytes || beside && !is_time;
        let noun = match (name.as_str(), is_time, is_bytes) {
            ("cpu", ..) => "CPU".to_owned(),
            ("wall", ..) => "wall time".to_owned(),
            (_, true, _) => name,
            (_, _, true) => "the bytes".to_owned(),
            _ => format!("the {name}"),
        };
        let counts = match reading.samples_from {
            SamplesFrom::Type(at) => {
                printable(&profile.type_names(profile.sample_types()[at]).0).into_owned()
            }
            SamplesFrom::Records => "records".to_owned(),
        };
        let word = counts.rsplit(['_', '-']).next().unwrap_or(&counts);
        let counts = format!("{}s", word.strip_suffix('s').unwrap_or(word));
        // Go's profiles name their types otherwise: `inuse_space`, `alloc_space`, and CPU time with a period of 10 ms.
        let is_v8_heap = profile.sample_type_named("space").is_some();
        let is_v8 = context.kind.is_some()
            || if is_memory {
                is_v8_heap
            } else {
                v8_period(profile)
            };
        Self {
            noun,
            counts,
            unit,
            is_memory,
            is_time,
            is_v8,
            base: reading.base,
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        if self.is_memory {
            Kind::Heap
        } else {
            Kind::Cpu
        }
    }

    pub(crate) fn value(&self, value: i64) -> String {
        let text = units::value(i128::from(value), &self.unit);
        if self.unit == "count" {
            format!("{text} {}", self.counts)
        } else {
            text
        }
    }

    pub(crate) fn share(&self, value: i64) -> String {
        share::per_cent(i128::from(value), self.base)
    }
}

/// V8 samples each millisecond.
fn v8_period(profile: &Profile) -> bool {
    profile.period().is_some_and(|(of, every)| {
        units::nanoseconds(i128::from(every), &profile.type_names(of).1) == Some(1_000_000)
    })
}

/// The first text that fits the line, else the last.
pub(crate) fn fitting(texts: &[String]) -> String {
    texts
        .iter()
        .find(|text| text.width() <= COLUMNS)
        .or(texts.last())
        .cloned()
        .unwrap_or_default()
}

/// Some things in a row: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A frame's name, safe to print.
pub(crate) fn name(reading: &Reading, frame: crate::model::graph::frames::FrameId) -> String {
    reading.frames.label(frame).into_owned()
}
