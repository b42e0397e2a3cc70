//! What one capture holds of each function: all that verdicts need of it.

use std::collections::HashMap;

use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::frames::{FrameId, FunctionName, IDLE};
use crate::model::text::units::nanoseconds;

/// The busy values of one capture, function by function.
#[derive(Debug, Clone)]
pub struct CaptureSums {
    /// What it is called.
    pub name: String,
    /// Its busy samples.
    pub samples: u64,
    /// All busy values.
    busy: f64,
    /// By identity, which outlives a version as far as it can.
    functions: HashMap<String, Held>,
    /// The values of a function as called by another one.
    calls: HashMap<(String, String), f64>,
}

/// What a function holds in a capture.
#[derive(Debug, Clone)]
struct Held {
    own: f64,
    total: f64,
    words: Words,
}

/// A function in words. Text from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Its name, file and line.
    pub function: FunctionName,
    /// Its name for people, with its place if it is nameless.
    pub label: String,
    /// Its file's own name and line, safe to print.
    pub place: String,
}

impl CaptureSums {
    /// CaptureSums a reading up that leaves idle time out. Time is counted in samples, which chance is of; memory in bytes.
    #[must_use]
    pub fn new(name: impl Into<String>, reading: &Reading, unit: &str) -> Self {
        let by_samples = reading.counted_samples().is_some() && nanoseconds(1, unit).is_some();
        let is_idle = |frame: FrameId| reading.frames.name(frame) == IDLE;
        let pick = |samples: i64, value: i64| number(if by_samples { samples } else { value });
        let (mut busy, mut samples) = (0.0, 0);
        let mut functions: HashMap<String, Held> = HashMap::new();
        for frame in reading.frames.ids().filter(|frame| !is_idle(*frame)) {
            let stat = reading.stat(frame);
            if stat.nodes == 0 {
                continue;
            }
            let own = pick(stat.samples, stat.self_value);
            busy += own;
            samples += stat.samples;
            let info = reading.frames.info(frame);
            let held = functions.entry(info.identity()).or_insert_with(|| Held {
                own: 0.0,
                total: 0.0,
                words: Words {
                    function: info.function(),
                    label: info.label().into_owned(),
                    place: info.short_place(),
                },
            });
            held.own += own;
            held.total += pick(stat.total_samples, stat.total);
        }
        let mut calls = HashMap::new();
        for node in reading.tree.nodes() {
            let caller = reading.tree.parent(node);
            let (Some(to), Some(from)) = (reading.tree.frame(node), reading.tree.frame(caller))
            else {
                continue;
            };
            if node == NodeId::ROOT || from == to || is_idle(to) {
                continue;
            }
            let name = |frame: FrameId| reading.frames.info(frame).identity();
            let value = pick(reading.tree.total_samples(node), reading.tree.total(node));
            *calls.entry((name(to), name(from))).or_insert(0.0) += value;
        }
        Self {
            name: name.into(),
            samples: u64::try_from(samples).unwrap_or(0),
            busy,
            functions,
            calls,
        }
    }

    /// Returns the functions.
    pub(super) fn functions(&self) -> impl Iterator<Item = &String> {
        self.functions.keys()
    }

    /// Returns a function in words, if it is there.
    pub(super) fn words(&self, function: &str) -> Option<&Words> {
        self.functions.get(function).map(|held| &held.words)
    }

    /// Returns the share of the busy values that is a function's own.
    pub(super) fn own(&self, function: &str) -> f64 {
        self.share(self.functions.get(function).map_or(0.0, |held| held.own))
    }

    /// Returns the share that a function holds with its callees.
    pub(super) fn total(&self, function: &str) -> f64 {
        self.share(self.functions.get(function).map_or(0.0, |held| held.total))
    }

    /// Adds the values of a function's callers to a sum by caller.
    pub(super) fn add_callers<'a>(&'a self, function: &str, sums: &mut HashMap<&'a str, f64>) {
        for ((to, from), value) in &self.calls {
            if to == function {
                *sums.entry(from.as_str()).or_insert(0.0) += self.share(*value);
            }
        }
    }

    fn share(&self, value: f64) -> f64 {
        if self.busy > 0.0 {
            value / self.busy
        } else {
            0.0
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shares need no more")]
const fn number(value: i64) -> f64 {
    value as f64
}
