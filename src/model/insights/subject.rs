//! What the values of a reading are of.

use crate::model::graph::aggregate::Reading;
use crate::model::graph::sample_values::SamplesFrom;
use crate::model::insights::Context;
use crate::model::profile::Profile;
use crate::model::text::units;

/// What the values of a reading are of. Names are from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The sample type's name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The name of the type that counts beside it; `None` if records are counted.
    pub counts: Option<String>,
    /// Whether the values are of memory: bytes, or objects.
    pub is_memory: bool,
    /// Whether the values are time.
    pub is_time: bool,
    /// Whether V8 took the profile, as far as its types show.
    pub is_v8: bool,
    /// What percentages are of.
    pub base: i128,
}

impl Subject {
    pub(crate) fn new(profile: &Profile, reading: &Reading, context: &Context) -> Self {
        let (name, unit) = profile.type_names(reading.sample_type);
        let is_time = units::nanoseconds(1, &unit).is_some();
        // Objects that were allocated are counted beside their bytes.
        let has_bytes = profile
            .sample_types()
            .iter()
            .any(|other| units::is_memory(&profile.type_names(*other).1));
        let is_memory = has_bytes && !is_time;
        let counts = match reading.samples_from {
            SamplesFrom::Type(at) => Some(profile.type_names(profile.sample_types()[at]).0),
            SamplesFrom::Records => None,
        };
        // Go's profiles have other types: `inuse_space`, `alloc_space`, and CPU time with a period of 10 ms.
        let is_v8 = context.kind.is_some()
            || if is_memory {
                profile.sample_type_named("space").is_some()
            } else {
                has_v8_period(profile)
            };
        Self {
            name,
            unit,
            counts,
            is_memory,
            is_time,
            is_v8,
            base: reading.base,
        }
    }
}

/// Whether the profile was sampled each millisecond, as V8 does.
fn has_v8_period(profile: &Profile) -> bool {
    profile.period().is_some_and(|(of, every)| {
        units::nanoseconds(i128::from(every), &profile.type_names(of).1) == Some(1_000_000)
    })
}
