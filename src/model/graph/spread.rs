//! How far the captures of a merged profile agree: what each of them says of each frame. One isolate is luck.

use std::fmt;

use crate::model::graph::call_tree::{NodeId, Tree, Values};
use crate::model::graph::frame_stats;
use crate::model::graph::frames::FrameId;
use crate::model::graph::sample_values::{Amount, Column};
use crate::model::graph::view::Direction;
use crate::model::profile::merge::LABEL;
use crate::model::profile::{LabelValue, Profile, StrId};
use crate::model::text::share::points;

/// Captures and values that are kept; beyond either there is no spread. A crafted file may name a capture
/// for each of its records.
const CAPTURES_MAX: usize = 64;
const FIGURES_MAX: usize = 1 << 22;

/// One capture of a merged profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// Its name. Text from outside: show it through [`crate::model::text::sanitize`].
    pub name: String,
    /// The sum of its absolute values, before filters: what its per cents are of.
    pub base: i128,
    /// The net sum of its values, before filters.
    pub total: i128,
}

/// What one capture holds of a frame.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// Net value of the frame's own.
    pub own: i64,
    /// Net value under it, each once however often it recurs.
    pub total: i64,
}

/// The lowest and the highest share of a frame, as parts of one capture each.
#[derive(Debug, Copy, Clone, PartialEq)]
pub struct Extremes {
    /// The lowest share, 1 being the whole capture.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
}

impl fmt::Display for Extremes {
    /// Both as percentages without the sign: `12.0–63.7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}–{}", points(self.lowest), points(self.highest))
    }
}

/// What each capture of a merged profile says of each frame, after filters.
#[derive(Debug, Clone)]
pub struct Spread {
    /// The captures, in the order of their first records.
    pub captures: Vec<Captured>,
    /// Of each frame, capture by capture.
    held: Vec<Held>,
}

impl Spread {
    /// What the captures hold of a frame, in their order.
    #[must_use]
    pub fn held(&self, frame: FrameId) -> &[Held] {
        let width = self.captures.len();
        let at = frame.0 as usize * width;
        self.held.get(at..at + width).unwrap_or_default()
    }

    /// The extremes of a frame's own share.
    #[must_use]
    pub fn own(&self, frame: FrameId) -> Option<Extremes> {
        self.extremes(frame, |held| held.own)
    }

    /// The extremes of a frame's share with what it calls.
    #[must_use]
    pub fn total(&self, frame: FrameId) -> Option<Extremes> {
        self.extremes(frame, |held| held.total)
    }

    /// A capture without any value has no shares.
    fn extremes(&self, frame: FrameId, of: impl Fn(&Held) -> i64) -> Option<Extremes> {
        let shares = self
            .captures
            .iter()
            .zip(self.held(frame))
            .filter(|(capture, _)| capture.base != 0);
        let shares = shares.map(|(capture, held)| of(held) as f64 / capture.base as f64);
        shares.fold(None, |seen, share| {
            Some(seen.map_or(
                Extremes {
                    lowest: share,
                    highest: share,
                },
                |seen: Extremes| Extremes {
                    lowest: seen.lowest.min(share),
                    highest: seen.highest.max(share),
                },
            ))
        })
    }

    /// Tells the captures of a profile apart. `node` says in which node of the tree a record is shown, if it is. `None`
    /// where there are not at least two captures.
    pub(in crate::model) fn new(
        profile: &Profile,
        column: &Column<'_>,
        nodes: (&[u32], &[u32]),
        frames: usize,
        node: impl Fn(usize) -> Option<u32>,
    ) -> Option<Self> {
        let (of_record, names) = captures(profile)?;
        if names.len() < 2 || names.len().saturating_mul(frames) > FIGURES_MAX {
            return None;
        }
        let mut captures: Vec<Captured> = names
            .iter()
            .map(|name| Captured {
                name: profile.text(*name).into_owned(),
                base: 0,
                total: 0,
            })
            .collect();
        for (record, capture) in of_record.iter().enumerate() {
            if let Some(capture) = captures.get_mut(*capture) {
                let Amount { value, .. } = column.of(record);
                capture.base += i128::from(value.unsigned_abs());
                capture.total += i128::from(value);
            }
        }
        let mut held = vec![Held::default(); frames * names.len()];
        let (parent, frame) = nodes;
        for place in 0..names.len() {
            let shown = || {
                let own = of_record.iter().enumerate().filter(|(_, of)| **of == place);
                own.filter_map(|(record, _)| Some((node(record)?, column.of(record))))
            };
            let negative = shown().any(|(_, amount)| amount.value < 0);
            let mut values = Values::new(frame.len(), shown().map(|(node, _)| node), negative);
            for (node, amount) in shown() {
                values.add(node, amount.value, amount.samples);
            }
            let tree = Tree::new(parent.to_vec(), frame.to_vec(), values);
            let stats = frame_stats::stats(&tree, NodeId::ROOT, frames, Direction::TopDown);
            for (at, stat) in stats.into_iter().enumerate() {
                held[at * names.len() + place] = Held {
                    own: stat.self_value,
                    total: stat.total,
                };
            }
        }
        Some(Self { captures, held })
    }
}

/// The place of each record's capture among all names, and these; a record that names none has no place among them.
fn captures(profile: &Profile) -> Option<(Vec<usize>, Vec<StrId>)> {
    let mut names: Vec<StrId> = Vec::new();
    let mut of_record = Vec::with_capacity(profile.record_count());
    for record in 0..profile.record_count() {
        let name = profile
            .labels(record)
            .iter()
            .find_map(|label| match label.value {
                LabelValue::Text(text) if profile.bytes(label.key) == LABEL.as_bytes() => {
                    Some(profile.first(text))
                }
                _ => None,
            });
        let place = name.map_or(usize::MAX, |name| {
            names
                .iter()
                .position(|known| *known == name)
                .unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
        });
        if names.len() > CAPTURES_MAX {
            return None;
        }
        of_record.push(place);
    }
    Some((of_record, names))
}
