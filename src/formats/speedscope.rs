//! A reading ↔ speedscope's JSON, for its web page: one sampled profile in the unit of the view.
//!
//! The number of samples is lost. Known weak point: whole stacks are written for each place with values of its own, so deep trees make large files.

mod read;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::formats::Unfit;
use crate::model::graph::aggregate::Reading;
use crate::model::graph::call_tree::{NodeId, Tree};
use crate::model::text::sanitize::json_safe;
use crate::model::text::units;

pub(super) use read::Speedscope;

/// How our own files name their producer.
const EXPORTER: &str = "flarescope ";
const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: &'a str,
    exporter: String,
    active_profile_index: u32,
    shared: Shared<'a>,
    profiles: [Sampled<'a>; 1],
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<Frame<'a>>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    col: Option<i64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sampled<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    unit: &'static str,
    start_value: i128,
    end_value: i128,
    samples: Stacks<'a>,
    weights: Vec<i128>,
}

/// The stacks at and below a node, root first, of each place with values of its own.
struct Stacks<'a> {
    tree: &'a Tree,
    root: NodeId,
    /// Each frame's place among those that are written.
    places: &'a [u32],
}

impl Stacks<'_> {
    fn ends(&self) -> impl Iterator<Item = NodeId> {
        self.tree
            .within(self.root)
            .filter(|node| self.tree.self_value(*node) != 0)
    }
}

impl Serialize for Stacks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut stacks = serializer.serialize_seq(None)?;
        let mut stack = Vec::new();
        for end in self.ends() {
            stack.clear();
            let mut at = end;
            while let Some(frame) = self
                .tree
                .frame(at)
                .filter(|_| self.tree.is_within(at, self.root))
            {
                stack.push(self.places.get(frame.0 as usize).copied().unwrap_or(0));
                at = self.tree.parent(at);
            }
            stack.reverse();
            stacks.serialize_element(&stack)?;
        }
        stacks.end()
    }
}

/// Writes a reading at and below a node. The title names it; the values are those of a type of this name and unit.
///
/// # Errors
/// [`Unfit::Negative`] for differences.
pub fn write(
    reading: &Reading,
    root: NodeId,
    title: &str,
    (kind, unit): (&str, &str),
) -> Result<String, Unfit> {
    let (tree, frames) = (&reading.tree, &reading.frames);
    if tree.has_negative() {
        return Err(Unfit::Negative);
    }
    let (used, places) = reading.frames_within(root);
    let samples = Stacks {
        tree,
        root,
        places: &places,
    };
    // If the format has no such unit, the plain number is written.
    let (name, measure): (_, fn(i128, &str) -> Option<i128>) =
        if units::nanoseconds(0, unit).is_some() {
            ("nanoseconds", units::nanoseconds)
        } else if units::bytes(0, unit).is_some() {
            ("bytes", units::bytes)
        } else {
            ("none", |value, _| Some(value))
        };
    let weigh = |node| measure(tree.self_value(node).into(), unit).unwrap_or_default();
    let weights: Vec<i128> = samples.ends().map(weigh).collect();
    let frame = |frame| {
        let info = frames.info(frame);
        Frame {
            name: info.name,
            file: info.file,
            line: info.line,
            col: info.column,
        }
    };
    let profile = Sampled {
        kind: "sampled",
        name: kind,
        unit: name,
        start_value: 0,
        end_value: weights.iter().sum(),
        samples,
        weights,
    };
    let file = File {
        schema: SCHEMA,
        name: title,
        exporter: format!("{EXPORTER}{}", env!("CARGO_PKG_VERSION")),
        active_profile_index: 0,
        shared: Shared {
            frames: used.into_iter().map(frame).collect(),
        },
        profiles: [profile],
    };
    serde_json::to_string(&file)
        .map(json_safe)
        .map_err(Unfit::Json)
}
