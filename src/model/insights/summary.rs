//! What the lists say of a profile without reading it again.

use crate::model::cloudflare::Summary;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::frames::{IDLE, is_nameless};
use crate::model::graph::ranking::{Sort, rank};
use crate::model::profile::Profile;

/// Sums a reading up: the whole capture's total and samples, and the function with the largest self value beside idle
/// time.
#[must_use]
pub fn summarise(profile: &Profile, reading: &Reading) -> Summary {
    let rows = rank(reading, Sort::SelfValue, false);
    let top = rows
        .iter()
        .find(|row| reading.frames.name(row.frame) != IDLE)
        .filter(|row| row.self_value > 0);
    Summary {
        sample_type: profile.type_names(reading.sample_type),
        total: i64::try_from(reading.total).unwrap_or(i64::MAX),
        samples: reading.all_samples,
        top: top.map(|row| {
            let info = reading.frames.info(row.frame);
            let name = if is_nameless(info.name) {
                info.label()
            } else {
                info.name.into()
            };
            (name.into_owned(), row.self_value)
        }),
    }
}
