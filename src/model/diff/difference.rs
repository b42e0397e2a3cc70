//! A comparison as one profile: the new one's records as they are, the base's with their values turned around and a
//! label that says so, as `go tool pprof -diff_base` has them.

use crate::model::diff::join::join;
use crate::model::diff::side::Ratio;
use crate::model::diff::{CompareError, Comparison};
use crate::model::graph::view::{Direction, View};
use crate::model::profile::{BASE_LABEL, BASE_TEXT, Label, LabelValue, Profile, SampleType};

/// NEW − BASE as one profile.
#[derive(Debug)]
pub struct Difference {
    /// Without the label, for the filters.
    pub plain: Profile,
    /// With the base's records labelled.
    pub labelled: Profile,
    /// The view that shows what the comparison shows. Frames have the same ids in both.
    pub view: View,
}

impl Comparison {
    /// NEW − BASE as one profile of the sample types that both have, where this comparison is of the two in that view.
    /// If its values are scaled to equal totals, each type's are. The time is the earlier one, the duration the sum.
    ///
    /// # Errors
    /// [`CompareError::Overflow`] if a value does not fit 64 bits when it is turned around or scaled.
    pub fn difference(
        &self,
        base: &Profile,
        new: &Profile,
        view: &View,
    ) -> Result<Difference, CompareError> {
        let same = |one: &SampleType, other: &SampleType| {
            new.bytes(one.kind) == base.bytes(other.kind)
                && new.bytes(one.unit) == base.bytes(other.unit)
        };
        // Each type's place in the new profile, and in the base.
        let common: Vec<(usize, usize)> = (0..)
            .zip(new.sample_types())
            .filter_map(|(at, own)| {
                Some((
                    at,
                    base.sample_types()
                        .iter()
                        .position(|other| same(own, other))?,
                ))
            })
            .collect();
        let mut plain = join(new, base);
        let mut values = Vec::with_capacity(common.len() * plain.record_count());
        let sum = |profile: &Profile, at: usize| {
            (0..profile.record_count())
                .map(|record| i128::from(profile.values(record)[at]))
                .sum::<i128>()
        };
        let scale = |(of, to): &(usize, usize)| {
            Scale::new(self.is_normalised(), sum(new, *of), sum(base, *to))
        };
        let mut scales: Vec<Scale> = common.iter().map(scale).collect();
        for record in 0..new.record_count() {
            for ((at, _), scale) in common.iter().zip(&mut scales) {
                values.push(
                    scale
                        .next(new.values(record)[*at])
                        .ok_or(CompareError::Overflow)?,
                );
            }
        }
        for record in 0..base.record_count() {
            for (_, at) in &common {
                values.push(
                    base.values(record)[*at]
                        .checked_neg()
                        .ok_or(CompareError::Overflow)?,
                );
            }
        }
        let parts = &mut plain.parts;
        let mut text = |bytes: &[u8]| parts.strings.push(bytes);
        let mut sample_type = |own: &SampleType| SampleType {
            kind: text(new.bytes(own.kind)),
            unit: text(new.bytes(own.unit)),
        };
        parts.sample_types = common
            .iter()
            .map(|(at, _)| sample_type(&new.sample_types()[*at]))
            .collect();
        parts.period = new
            .parts
            .period
            .map(|(of, period)| (sample_type(&of), period));
        let view = View {
            sample_type: common
                .iter()
                .position(|(at, _)| *at == view.sample_type)
                .unwrap_or(0),
            direction: Direction::TopDown,
            ..view.clone()
        };
        if let Some(shown) = parts.sample_types.get(view.sample_type) {
            parts.default_sample_type = shown.kind;
        }
        parts.values = values;
        let times = [new.parts.time_nanos, base.parts.time_nanos]
            .into_iter()
            .filter(|time| *time != 0);
        parts.time_nanos = times.min().unwrap_or(0);
        parts.duration_nanos = new
            .parts
            .duration_nanos
            .saturating_add(base.parts.duration_nanos);
        plain.firsts = plain.parts.strings.firsts();
        Ok(Difference {
            labelled: labelled(&plain, new.record_count()),
            plain,
            view,
        })
    }
}

/// A joined profile with a label on all records from the base's first on.
fn labelled(plain: &Profile, first: usize) -> Profile {
    let mut parts = plain.parts.clone();
    let (key, text) = (
        parts.strings.push(BASE_LABEL.as_bytes()),
        parts.strings.push(BASE_TEXT.as_bytes()),
    );
    (parts.labels, parts.label_ends) = (Vec::new(), Vec::new());
    for record in 0..plain.record_count() {
        let is_base = record >= first;
        let own = plain.labels(record).iter();
        // A base that is a difference itself has some already.
        parts.labels.extend(
            own.filter(|label| !is_base || plain.bytes(label.key) != BASE_LABEL.as_bytes()),
        );
        if is_base {
            parts.labels.push(Label {
                key,
                value: LabelValue::Text(text),
            });
        }
        parts
            .label_ends
            .push(u32::try_from(parts.labels.len()).unwrap_or(u32::MAX));
    }
    let firsts = parts.strings.firsts();
    Profile {
        parts,
        paths: plain.paths.clone(),
        record_ends: plain.record_ends.clone(),
        firsts,
    }
}

/// Scales values one after the other, so that they add up to the scaled sum.
struct Scale {
    ratio: Ratio,
    sum: i128,
    handed_out: i128,
}

impl Scale {
    fn new(is_wanted: bool, of: i128, to: i128) -> Self {
        let fits = |sum: i128| sum > 0 && i64::try_from(sum).is_ok();
        let ratio = if is_wanted && fits(of) && fits(to) {
            Ratio { of, to }
        } else {
            Ratio::ONE
        };
        Self {
            ratio,
            sum: 0,
            handed_out: 0,
        }
    }

    /// `None` if it does not fit 64 bits.
    fn next(&mut self, value: i64) -> Option<i64> {
        self.sum += i128::from(value);
        let whole = match self.ratio {
            Ratio::ONE => self.sum,
            ratio => ratio.scale(i64::try_from(self.sum).ok()?.into()),
        };
        let scaled = whole - self.handed_out;
        self.handed_out = whole;
        i64::try_from(scaled).ok()
    }
}
