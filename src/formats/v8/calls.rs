//! What a view leaves of a profile as a call tree in V8's terms: functions, not lines of them.

use std::collections::HashMap;

use serde::Serialize;

use crate::formats::Unfit;
use crate::model::graph::sample_values::SamplesFrom;
use crate::model::graph::subset::Subset;
use crate::model::profile::{Function, Line, Location};

/// Beyond so many samples one stands for all of a stack: browsers keep each in memory.
const MOST_SAMPLES: u64 = 1 << 22;

/// The beginning of all stacks.
pub(super) const ROOT: u32 = 0;

/// A function, as the protocol has it: lines and columns count from 0; -1: not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallFrame {
    function_name: String,
    script_id: String,
    url: String,
    line_number: i64,
    column_number: i64,
}

/// A function called in one way.
#[derive(Debug)]
pub(super) struct Call {
    /// Index of its frame.
    pub(super) frame: u32,
    pub(super) children: Vec<u32>,
    /// Own value, in the unit that the tree was asked for.
    pub(super) value: i128,
    /// Own samples: at least one where there is a value.
    pub(super) samples: u64,
}

impl CallFrame {
    /// What the function is called; empty for an anonymous one.
    pub(super) fn name(&self) -> &str {
        &self.function_name
    }
}

/// The tree: a call comes before those below it, [`ROOT`] first.
#[derive(Debug)]
pub(super) struct Calls {
    pub(super) frames: Vec<CallFrame>,
    pub(super) calls: Vec<Call>,
}

impl Calls {
    /// Builds the tree of what a view leaves; `measure` turns its values into the wanted unit.
    ///
    /// # Errors
    /// [`Unfit::Negative`] for differences.
    pub(super) fn new(
        subset: &Subset<'_>,
        counts: SamplesFrom,
        measure: impl Fn(i64) -> i128,
    ) -> Result<Self, Unfit> {
        let mut frames = Frames::new(subset);
        let mut calls = vec![Call::new(frames.root())];
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        let mut stack = Vec::new();
        for record in subset.records() {
            let values = subset.profile().values(record);
            let value = values
                .get(subset.sample_type())
                .copied()
                .unwrap_or_default();
            let samples = match counts {
                SamplesFrom::Type(at) => values.get(at).copied().unwrap_or_default(),
                SamplesFrom::Records => 1,
            };
            if value < 0 || samples < 0 {
                return Err(Unfit::Negative);
            }
            if value == 0 && (samples == 0 || counts == SamplesFrom::Records) {
                continue;
            }
            stack.clear();
            stack.extend(subset.stack(record));
            let mut at = ROOT;
            for location in stack.iter().rev() {
                for frame in frames.of(*location) {
                    at = *known.entry((at, frame)).or_insert_with(|| {
                        let new = u32::try_from(calls.len()).unwrap_or(u32::MAX);
                        calls.push(Call::new(frame));
                        if let Some(caller) = calls.get_mut(at as usize) {
                            caller.children.push(new);
                        }
                        new
                    });
                }
            }
            if let Some(call) = calls.get_mut(at as usize) {
                call.value += measure(value);
                call.samples += samples.unsigned_abs();
            }
        }
        let all = calls
            .iter()
            .fold(0_u64, |sum, call| sum.saturating_add(call.samples));
        for call in &mut calls {
            let least = u64::from(call.value > 0 || call.samples > 0);
            call.samples = if all > MOST_SAMPLES {
                least
            } else {
                call.samples.max(least)
            };
        }
        Ok(Self {
            frames: frames.all,
            calls,
        })
    }

    /// A call's frame.
    pub(super) fn frame(&self, call: &Call) -> Option<&CallFrame> {
        self.frames.get(call.frame as usize)
    }
}

impl Call {
    fn new(frame: u32) -> Self {
        Self {
            frame,
            children: Vec::new(),
            value: 0,
            samples: 0,
        }
    }

    /// The value of each sample: whole numbers that add up to the value.
    pub(super) fn shares(&self) -> impl Iterator<Item = i128> + use<> {
        shares(self.value, self.samples)
    }

    /// The time before each of its entries, the first of which has none: as many as samples, or two for one with a time.
    pub(super) fn times(&self) -> impl Iterator<Item = i128> + use<> {
        let alone = u64::from(self.samples == 1 && self.value > 0);
        let first = (self.samples > 0).then_some(0);
        first
            .into_iter()
            .chain(shares(self.value, self.samples.saturating_sub(1) + alone))
    }
}

/// Cuts a value into whole numbers that add up to it.
fn shares(value: i128, count: u64) -> impl Iterator<Item = i128> {
    let count = i128::from(count);
    (0..count).map(move |at| value * (at + 1) / count - value * at / count)
}

/// The distinct frames, and which belong to each location.
struct Frames<'a> {
    subset: &'a Subset<'a>,
    all: Vec<CallFrame>,
    known: HashMap<CallFrame, u32>,
    of_location: HashMap<u32, Vec<u32>>,
    scripts: HashMap<String, usize>,
}

impl<'a> Frames<'a> {
    fn new(subset: &'a Subset<'a>) -> Self {
        let (known, of_location, scripts) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self {
            subset,
            all: Vec::new(),
            known,
            of_location,
            scripts,
        }
    }

    fn root(&mut self) -> u32 {
        self.id("(root)".to_owned(), String::new(), 0, 0)
    }

    /// The frames of a location, outermost first.
    fn of(&mut self, location: u32) -> Vec<u32> {
        if let Some(known) = self.of_location.get(&location) {
            return known.clone();
        }
        let (profile, place) = (self.subset.profile(), self.subset.location(location));
        let mut frames = Vec::new();
        for line in self.subset.lines(location).iter().rev() {
            let line = profile.parts().lines.get(*line as usize);
            let function = line.and_then(|line| profile.functions().get(line.function? as usize));
            frames.push(match (line, function) {
                (Some(line), Some(function)) => self.function(line, function),
                _ => self.address(place),
            });
        }
        if frames.is_empty() {
            frames.push(self.address(place));
        }
        self.of_location.insert(location, frames.clone());
        frames
    }

    fn function(&mut self, line: &Line, function: &Function) -> u32 {
        let text = |id| self.subset.profile().text(id).into_owned();
        // Viewers call it so if the name is empty.
        let name = Some(text(function.name))
            .filter(|name| name != "(anonymous)")
            .unwrap_or_default();
        let starts = function.start_line;
        // A column says where the function is only if it is that of its beginning.
        let column = if starts == line.line || starts <= 0 {
            line.column
        } else {
            0
        };
        self.id(
            name,
            text(function.file),
            if starts > 0 { starts } else { line.line },
            column,
        )
    }

    fn address(&mut self, location: &Location) -> u32 {
        self.id(
            self.subset.profile().address_name(location),
            String::new(),
            0,
            0,
        )
    }

    fn id(&mut self, function_name: String, url: String, line: i64, column: i64) -> u32 {
        let next = self.scripts.len() + 1;
        let script = if url.is_empty() {
            0
        } else {
            *self.scripts.entry(url.clone()).or_insert(next)
        };
        let from_0 = |from_1: i64| from_1.max(0) - 1;
        let (line_number, column_number) = (from_0(line), from_0(column));
        let frame = CallFrame {
            function_name,
            script_id: script.to_string(),
            url,
            line_number,
            column_number,
        };
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        *self.known.entry(frame).or_insert_with_key(|frame| {
            self.all.push(frame.clone());
            next
        })
    }
}
