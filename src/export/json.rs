//! A view as one JSON value, for other programs.

use serde::Serialize;

use crate::export::{ExportError, Scene, TypeNames};
use crate::model::graph::call_tree::NodeId;
use crate::model::text::sanitize::json_safe;

/// The value; integers are in the profile's own unit.
#[derive(Serialize)]
struct Document<'a> {
    title: &'a str,
    facts: &'a str,
    sample_type: TypeNames,
    total: i128,
    base: i128,
    shown: i128,
    samples: i64,
    samples_from: &'static str,
    /// What the nodes' `frame` counts into.
    frames: Vec<Frame<'a>>,
    /// Each before what it calls; the first is the whole.
    nodes: Vec<Node>,
}

#[derive(Serialize)]
struct Frame<'a> {
    function: &'a str,
    file: &'a str,
    line: Option<i64>,
    /// Where nameless functions of one line need it.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<i64>,
}

#[derive(Serialize)]
struct Node {
    frame: Option<u32>,
    parent: Option<u32>,
    samples: i64,
    #[serde(rename = "self")]
    own: i64,
    total: i64,
}

/// Returns a view as one line of JSON.
///
/// # Errors
/// [`ExportError::Json`] if it can't be written, which nothing known leads to.
pub fn json(scene: &Scene<'_>) -> Result<Vec<u8>, ExportError> {
    let reading = scene.reading;
    let (kind, unit) = scene.profile.type_names(reading.sample_type);
    let (frames, places) = reading.frames_within(scene.root);
    let node = |node: NodeId| Node {
        frame: reading
            .tree
            .frame(node)
            .and_then(|frame| places.get(frame.0 as usize).copied()),
        parent: (node != scene.root).then(|| reading.tree.parent(node).0 - scene.root.0),
        samples: reading.tree.self_samples(node),
        own: reading.tree.self_value(node),
        total: reading.tree.total(node),
    };
    let document = Document {
        title: &scene.caption.title,
        facts: &scene.caption.facts,
        sample_type: TypeNames { kind, unit },
        total: reading.total,
        base: reading.base,
        shown: match scene.root {
            NodeId::ROOT => reading.shown,
            root => reading.tree.total(root).into(),
        },
        samples: reading.tree.total_samples(scene.root),
        samples_from: reading.samples_from.word(),
        frames: frames
            .into_iter()
            .map(|frame| reading.frames.info(frame))
            .map(|info| Frame {
                function: info.name,
                file: info.file,
                line: info.start,
                column: info.column,
            })
            .collect(),
        nodes: reading.tree.within(scene.root).map(node).collect(),
    };
    let text = serde_json::to_string(&document).map_err(ExportError::Json)?;
    Ok((json_safe(text) + "\n").into_bytes())
}
