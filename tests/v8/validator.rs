//! What the protocol's definition asks of a `Profiler.Profile` and a `HeapProfiler.SamplingHeapProfile`.

use std::collections::{HashMap, HashSet};

use json_event_parser::{JsonEvent, SliceJsonParser};
use serde_json::Value;

/// Parses JSON of any depth: heap trees go deeper than `serde_json` follows.
pub(crate) fn parse(json: &[u8]) -> Value {
    let mut parser = SliceJsonParser::new(json);
    // The arrays and objects that are open, each with the key that its next value goes under.
    let mut open: Vec<(Value, String)> = vec![(Value::Array(Vec::new()), String::new())];
    loop {
        let value = match parser.parse_next().unwrap() {
            JsonEvent::StartArray => {
                open.push((Value::Array(Vec::new()), String::new()));
                continue;
            }
            JsonEvent::StartObject => {
                open.push((Value::Object(serde_json::Map::new()), String::new()));
                continue;
            }
            JsonEvent::ObjectKey(key) => {
                open.last_mut().unwrap().1 = key.into_owned();
                continue;
            }
            JsonEvent::EndArray | JsonEvent::EndObject => open.pop().unwrap().0,
            JsonEvent::String(text) => Value::String(text.into_owned()),
            JsonEvent::Number(digits) => serde_json::from_str(&digits).unwrap(),
            JsonEvent::Boolean(boolean) => Value::Bool(boolean),
            JsonEvent::Null => Value::Null,
            JsonEvent::Eof => return open[0].0[0].take(),
        };
        match open.last_mut().unwrap() {
            (Value::Object(object), key) => assert_eq!(
                object.insert(std::mem::take(key), value),
                None,
                "a key twice"
            ),
            (array, _) => array.as_array_mut().unwrap().push(value),
        }
    }
}

/// A whole number, which the protocol's integers and V8's sizes and times are.
fn whole(value: &Value) -> Result<i64, String> {
    value
        .as_i64()
        .ok_or_else(|| format!("{value} is no whole number"))
}

fn array<'a>(of: &'a Value, key: &str) -> Result<&'a [Value], String> {
    of[key]
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| format!("{key} is no array"))
}

fn keys(object: &Value, allowed: &[&str]) -> Result<(), String> {
    let object = object
        .as_object()
        .ok_or_else(|| format!("{object} is no object"))?;
    object
        .keys()
        .find(|key| !allowed.contains(&key.as_str()))
        .map_or(Ok(()), |key| Err(format!("unknown key {key}")))
}

/// `Runtime.CallFrame`: all five are required.
fn call_frame(node: &Value) -> Result<(), String> {
    let frame = &node["callFrame"];
    keys(
        frame,
        &[
            "functionName",
            "scriptId",
            "url",
            "lineNumber",
            "columnNumber",
        ],
    )?;
    for key in ["functionName", "scriptId", "url"] {
        frame[key]
            .as_str()
            .ok_or_else(|| format!("{key} is no string"))?;
    }
    for key in ["lineNumber", "columnNumber"] {
        if whole(&frame[key])? < -1 {
            return Err(format!("{key} is below -1"));
        }
    }
    Ok(())
}

/// Checks a `.cpuprofile`.
pub(crate) fn cpu(profile: &Value) -> Result<(), String> {
    keys(
        profile,
        &[
            "nodes",
            "startTime",
            "endTime",
            "samples",
            "timeDeltas",
            "$flarescope",
        ],
    )?;
    let own = &profile["$flarescope"];
    if !own.is_null() && *own != serde_json::json!({ "counts": "hitCount" }) {
        return Err("what we say of the file is something else".to_owned());
    }
    let mut children: HashMap<i64, Vec<i64>> = HashMap::new();
    let mut hits: HashMap<i64, i64> = HashMap::new();
    let nodes = array(profile, "nodes")?;
    for node in nodes {
        keys(node, &["id", "callFrame", "hitCount", "children"])?;
        call_frame(node)?;
        let id = whole(&node["id"])?;
        let below = if node["children"].is_null() {
            &[][..]
        } else {
            array(node, "children")?
        };
        if children
            .insert(id, below.iter().map(whole).collect::<Result<_, _>>()?)
            .is_some()
        {
            return Err(format!("two nodes have the id {id}"));
        }
        hits.insert(id, whole(&node["hitCount"])?);
    }
    // A tree: from the first node every node is reached, and each once.
    let root = nodes.first().ok_or("there is no root")?;
    if root["callFrame"]["functionName"] != "(root)" {
        return Err("the first node is not (root)".to_owned());
    }
    let (mut waiting, mut reached) = (vec![whole(&root["id"])?], HashSet::new());
    while let Some(id) = waiting.pop() {
        if !reached.insert(id) {
            return Err(format!("node {id} is reached twice"));
        }
        waiting.extend(
            children
                .get(&id)
                .ok_or_else(|| format!("child {id} is not there"))?,
        );
    }
    if reached.len() != nodes.len() {
        return Err(format!(
            "{} nodes can't be reached",
            nodes.len() - reached.len()
        ));
    }
    let (samples, deltas) = (array(profile, "samples")?, array(profile, "timeDeltas")?);
    if samples.len() != deltas.len() {
        return Err("samples and timeDeltas differ in number".to_owned());
    }
    let mut counted: HashMap<i64, i64> = HashMap::new();
    for sample in samples {
        let id = whole(sample)?;
        if !reached.contains(&id) {
            return Err(format!("a sample names node {id}"));
        }
        *counted.entry(id).or_default() += 1;
    }
    // In ours a single sample may have an entry more, and what ends other stacks is none.
    let root = whole(&root["id"])?;
    let fits = |id: i64, hits: i64| {
        let counted = counted.get(&id).copied().unwrap_or(0);
        counted == hits || !own.is_null() && (id == root || (counted, hits) == (2, 1))
    };
    if let Some((id, _)) = hits.iter().find(|(id, hits)| !fits(**id, **hits)) {
        return Err(format!(
            "the hitCount of node {id} is not that of its samples"
        ));
    }
    let mut at = whole(&profile["startTime"])?;
    for delta in deltas {
        let delta = whole(delta)?;
        if delta < 0 {
            return Err("a timeDelta is below 0".to_owned());
        }
        at += delta;
    }
    if at > whole(&profile["endTime"])? {
        return Err("samples lie behind endTime".to_owned());
    }
    Ok(())
}

/// Checks a `.heapprofile`.
pub(crate) fn heap(profile: &Value) -> Result<(), String> {
    keys(profile, &["head", "samples"])?;
    let (mut waiting, mut sizes) = (vec![&profile["head"]], HashMap::new());
    while let Some(node) = waiting.pop() {
        keys(node, &["callFrame", "selfSize", "id", "children"])?;
        call_frame(node)?;
        let id = whole(&node["id"])?;
        if sizes.insert(id, whole(&node["selfSize"])?).is_some() {
            return Err(format!("two nodes have the id {id}"));
        }
        waiting.extend(array(node, "children")?);
    }
    if profile["head"]["callFrame"]["functionName"] != "(root)" {
        return Err("the head is not (root)".to_owned());
    }
    let mut ordinals = HashSet::new();
    for sample in array(profile, "samples")? {
        keys(sample, &["size", "nodeId", "ordinal"])?;
        let size = sizes
            .get_mut(&whole(&sample["nodeId"])?)
            .ok_or("a sample's node is not there")?;
        *size -= whole(&sample["size"])?;
        if !ordinals.insert(whole(&sample["ordinal"])?) {
            return Err("two samples have the same ordinal".to_owned());
        }
    }
    if let Some((id, left)) = sizes.iter().find(|(_, left)| **left != 0) {
        return Err(format!("the samples of node {id} miss {left} bytes"));
    }
    Ok(())
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let frame = r#""callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}"#;
    let sound = format!(
        r#"{{"nodes":[{{"id":1,{frame},"hitCount":0,"children":[2]}},{{"id":2,{frame},"hitCount":1}}],"startTime":0,"endTime":9,"samples":[2],"timeDeltas":[9]}}"#
    );
    let check = |json: &str| cpu(&parse(json.as_bytes()));
    assert_eq!(check(&sound), Ok(()));
    for (from, to) in [
        ("[2]}", "[1]}"),
        ("[2]}", "[]}"),
        ("[2]}", "[2,3]}"),
        ("\"id\":2", "\"id\":1"),
        ("\"samples\":[2]", "\"samples\":[1]"),
        ("\"samples\":[2]", "\"samples\":[5]"),
        ("[9]", "[-1]"),
        ("[9]", "[10]"),
        ("[9]", "[4,5]"),
        ("\"scriptId\":\"0\",", ""),
        ("\"hitCount\":1", "\"hitCount\":2"),
    ] {
        assert!(
            check(&sound.replacen(from, to, 1)).is_err(),
            "{from} → {to}"
        );
    }
    let sound = format!(
        r#"{{"head":{{{frame},"selfSize":8,"id":1,"children":[]}},"samples":[{{"size":8,"nodeId":1,"ordinal":1}}]}}"#
    );
    let check = |json: &str| heap(&parse(json.as_bytes()));
    assert_eq!(check(&sound), Ok(()));
    for (from, to) in [
        ("Size\":8", "Size\":9"),
        ("nodeId\":1", "nodeId\":2"),
        (",\"children\":[]", ""),
        ("\"url\":\"\",", ""),
    ] {
        assert!(
            check(&sound.replacen(from, to, 1)).is_err(),
            "{from} → {to}"
        );
    }
}
