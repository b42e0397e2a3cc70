//! What a view leaves of a profile → `.cpuprofile` or `.heapprofile`.
//!
//! The order of the samples is lost, so those of one stack are together. Some viewers count a sample's time from the one
//! before, as V8 does (speedscope), others to the one after (Chrome DevTools). So each stack begins with a sample without
//! time, and both find the same sum. A stack of one sample has two entries for that: `hitCount` has the number of samples,
//! and `$flarescope` says so.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::formats::Unfit;
use crate::formats::v8::HIT_COUNTS;
use crate::formats::v8::calls::{Call, CallFrame, Calls, ROOT};
use crate::model::graph::sample_values::SamplesFrom;
use crate::model::graph::subset::Subset;
use crate::model::text::sanitize::json_safe;
use crate::model::text::units;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CpuProfile<'a> {
    nodes: Vec<Node<'a>>,
    start_time: i128,
    end_time: i128,
    samples: Vec<u32>,
    time_deltas: Vec<i128>,
    /// [`crate::formats::v8::OWN_KEY`]
    #[serde(rename = "$flarescope")]
    own: Own,
}

/// What other viewers ignore.
#[derive(Serialize)]
struct Own {
    counts: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    id: u32,
    call_frame: Option<&'a CallFrame>,
    hit_count: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<u32>,
}

/// Writes the times that a view leaves as a `.cpuprofile`. `counts` says where the number of samples comes from.
///
/// # Errors
/// [`Unfit`] if the values in view are no times, or some are below zero.
pub fn cpuprofile(subset: &Subset<'_>, counts: SamplesFrom) -> Result<String, Unfit> {
    let profile = subset.profile();
    let (kind, unit) = shown(subset);
    if units::nanoseconds(0, &unit).is_none() {
        return Err(Unfit::Unit {
            format: ".cpuprofile",
            holds: "times",
            kind,
            unit,
        });
    }
    let tree = Calls::new(subset, counts, |value| {
        units::nanoseconds(value.into(), &unit).unwrap_or_default()
    })?;
    let mut order: Vec<(u32, &Call)> = (1..).zip(&tree.calls).collect();
    order.sort_by_key(|(_, call)| place(&tree, call));
    let (mut samples, mut deltas) = (Vec::new(), Vec::new());
    // Deltas are whole microseconds; rounding the clock, not them, keeps the sum.
    let (mut clock, mut written) = (0, 0);
    for (id, call) in order {
        // Viewers draw these on top of what ran before, which is nothing here.
        if place(&tree, call) != OTHER && !samples.is_empty() && call.samples > 0 {
            samples.push(ROOT + 1);
            deltas.push(0);
        }
        for share in call.times() {
            clock += share;
            samples.push(id);
            deltas.push(clock / 1_000 - written);
            written = clock / 1_000;
        }
    }
    // Viewers that count to the next sample estimate the time of the last one.
    if !samples.is_empty() {
        samples.push(ROOT + 1);
        deltas.push(0);
    }
    let nodes = (1..).zip(&tree.calls).map(|(id, call)| Node {
        id,
        call_frame: tree.frame(call),
        hit_count: call.samples,
        children: call.children.iter().map(|child| child + 1).collect(),
    });
    let microseconds =
        |duration: Duration| i128::try_from(duration.as_micros()).unwrap_or_default();
    let since_1970 = profile
        .time()
        .and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let start = since_1970.map_or(0, microseconds);
    let window = profile.duration().map_or(0, microseconds).max(written);
    let nodes = nodes.collect();
    let own = Own { counts: HIT_COUNTS };
    let file = CpuProfile {
        nodes,
        start_time: start,
        end_time: start + window,
        samples,
        time_deltas: deltas,
        own,
    };
    serde_json::to_string(&file)
        .map(json_safe)
        .map_err(Unfit::Json)
}

/// Writes the bytes that a view leaves as a `.heapprofile`. `counts` says where the number of objects comes from.
///
/// # Errors
/// [`Unfit`] if the values in view are no bytes, or some are below zero.
pub fn heapprofile(subset: &Subset<'_>, counts: SamplesFrom) -> Result<String, Unfit> {
    let (kind, unit) = shown(subset);
    if units::bytes(0, &unit).is_none() {
        return Err(Unfit::Unit {
            format: ".heapprofile",
            holds: "bytes",
            kind,
            unit,
        });
    }
    let tree = Calls::new(subset, counts, |value| {
        units::bytes(value.into(), &unit).unwrap_or_default()
    })?;
    let mut text = String::from("{\"head\":");
    // What is still to be written: calls, and the ends of those whose children come before. The tree may be deeper than
    // the program's own stack.
    let mut waiting = vec![Step::Begin(ROOT)];
    while let Some(step) = waiting.pop() {
        let Step::Begin(at) = step else {
            text.push_str("]}");
            continue;
        };
        let Some(call) = tree.calls.get(at as usize) else {
            continue;
        };
        if text.ends_with('}') {
            text.push(',');
        }
        let frame = serde_json::to_string(&tree.frame(call)).map_err(Unfit::Json)?;
        let (size, id) = (call.value, at + 1);
        // Writing into a String does not fail.
        let _ = write!(
            text,
            "{{\"callFrame\":{frame},\"selfSize\":{size},\"id\":{id},\"children\":["
        );
        waiting.push(Step::End);
        waiting.extend(call.children.iter().rev().map(|child| Step::Begin(*child)));
    }
    text.push_str(",\"samples\":[");
    let samples = (1..)
        .zip(&tree.calls)
        .flat_map(|(id, call)| call.shares().map(move |size| (id, size)));
    for (ordinal, (id, size)) in (1_u64..).zip(samples) {
        let comma = if ordinal == 1 { "" } else { "," };
        let _ = write!(
            text,
            "{comma}{{\"size\":{size},\"nodeId\":{id},\"ordinal\":{ordinal}}}"
        );
    }
    text.push_str("]}");
    Ok(json_safe(text))
}

/// The rank of code, and of all else that is drawn where it was called.
const OTHER: u8 = 2;

/// Returns the rank of a call's samples in time: first what viewers draw on top of the stack before.
fn place(tree: &Calls, call: &Call) -> u8 {
    match tree.frame(call).map(CallFrame::name) {
        Some("(garbage collector)") => 0,
        Some("(program)") => 1,
        _ => OTHER,
    }
}

enum Step {
    Begin(u32),
    End,
}

/// The name and the unit of the values in view.
fn shown(subset: &Subset<'_>) -> (String, String) {
    let profile = subset.profile();
    profile.type_names(
        profile
            .sample_types()
            .get(subset.sample_type())
            .copied()
            .unwrap_or_default(),
    )
}
