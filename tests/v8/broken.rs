//! Odd, broken and hostile JSON: read so that all adds up, or refused in one sentence that names the fault.

use std::fs;
use std::io::Read;

use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::view::View;

use crate::table;

fn refusal(json: &str) -> String {
    let said = formats::read(json.as_bytes(), "file")
        .unwrap_err()
        .to_string();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// A node of a `.cpuprofile`.
fn node(id: i64, name: &str, children: &str) -> String {
    let frame = format!(
        r#"{{"functionName":"{name}","scriptId":"1","url":"file:///w.js","lineNumber":{id},"columnNumber":4}}"#
    );
    format!(
        r#"{{"id":{id},"callFrame":{frame},"hitCount":7,"children":[{children}],"positionTicks":[]}}"#
    )
}

fn cpu(nodes: &[String], rest: &str) -> String {
    format!(
        r#"{{"nodes":[{}],"startTime":1000,"endTime":9000{rest}}}"#,
        nodes.join(",")
    )
}

#[test]
fn hit_counts_and_deltas_below_zero_are_not_trusted() {
    let nodes = [node(1, "(root)", "2,3"), node(2, "a", ""), node(3, "b", "")];
    let json = cpu(
        &nodes,
        r#","samples":[2,3,2,1],"timeDeltas":[1000,-1,2000,5]"#,
    );
    let profile = formats::read(json.as_bytes(), "file").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let rows = table(&reading);
    let row = |name: &str, file: &str| rows[&(name.to_owned(), file.to_owned())];
    // The step back is taken from what follows.
    assert_eq!(row("a", "file:///w.js"), (2_999_000, 2_999_000, 2));
    assert_eq!(row("b", "file:///w.js"), (0, 0, 1));
    assert_eq!(row("(no stack)", ""), (5_000, 5_000, 1));
    assert_eq!((reading.total, reading.samples), (3_004_000, 4));
    // Places count from 1 here.
    let line = profile.lines(&profile.locations()[1])[0];
    assert_eq!((line.line, line.column), (3, 5));
}

#[test]
fn half_a_surrogate_pair_in_a_name_is_replaced() {
    let nodes = [
        node(1, "(root)", "2"),
        node(2, r"a\ud800\ud83d\ude00\\ud800", ""),
    ];
    let profile = formats::read(
        cpu(&nodes, r#","samples":[2],"timeDeltas":[1000]"#).as_bytes(),
        "file",
    )
    .unwrap();
    let table = table(&read(&profile, &View::new(&profile)).unwrap());
    assert!(
        table.keys().any(|(name, _)| name == "a\u{fffd}😀\\ud800"),
        "{table:?}"
    );
}

#[test]
fn a_window_that_ends_before_it_begins_has_no_duration() {
    let json = cpu(&[node(1, "(root)", "")], r#","samples":[],"timeDeltas":[]"#);
    let profile = formats::read(json.as_bytes(), "file").unwrap();
    assert_eq!(
        profile.duration(),
        Some(std::time::Duration::from_millis(8))
    );
    let without = formats::read(
        cpu(&[node(1, "(root)", "")], r#","samples":[]"#).as_bytes(),
        "file",
    )
    .unwrap();
    assert_eq!(without.record_count(), 0);
    let profile = formats::read(json.replace("9000", "900").as_bytes(), "file").unwrap();
    assert_eq!((profile.duration(), profile.record_count()), (None, 0));
}

#[test]
fn links_may_go_up_and_parts_may_stand_in_any_order() {
    let up = |node: String, parent: i64| {
        node.replace(r#""children":[]"#, &format!(r#""parent":{parent}"#))
    };
    let nodes = [
        up(node(9, "b", ""), 5),
        node(1, "(root)", ""),
        up(node(5, "a", ""), 1),
    ];
    let json = format!(
        "\u{feff} \n{{\"timeDeltas\":[10,20.0],\"more\":[{{\"a\":[1e400]}}],\"samples\":[9,5],\"nodes\":[{}]}}\n",
        nodes.join(",")
    );
    let profile = formats::read(json.as_bytes(), "file").unwrap();
    let rows = table(&read(&profile, &View::new(&profile)).unwrap());
    let row = |name: &str| rows[&(name.to_owned(), "file:///w.js".to_owned())];
    assert_eq!(
        (row("b"), row("a")),
        ((10_000, 10_000, 1), (20_000, 30_000, 1))
    );
}

#[test]
fn broken_cpu_profiles_are_refused_by_what_is_wrong() {
    let tree = [node(1, "(root)", "2"), node(2, "a", "")];
    let sound = r#","samples":[2],"timeDeltas":[1]"#;
    for (json, said) in [
        (
            cpu(&tree, r#","samples":[76,77],"timeDeltas":[1,1]"#),
            "sample 1 names node 76",
        ),
        (
            cpu(&tree, r#","samples":[2,2],"timeDeltas":[1]"#),
            "2 samples, but 1 timeDeltas",
        ),
        (
            cpu(&tree, r#","samples":[2]"#),
            "1 samples, but 0 timeDeltas",
        ),
        (cpu(&tree, ""), "hit counts alone"),
        (
            cpu(&tree, r#","samples":["x"],"timeDeltas":[1]"#),
            "a sample is no number",
        ),
        (
            cpu(&tree, r#","samples":[2],"timeDeltas":[1e30]"#),
            "does not fit 64 bits",
        ),
        (
            cpu(
                &tree,
                r#","samples":[2,2],"timeDeltas":[1,9007199254740991000]"#,
            ),
            "290 years",
        ),
        (
            cpu(
                &[node(1, "(root)", "2,2"), node(2, "a", ""), node(2, "b", "")],
                sound,
            ),
            "two nodes with the id 2",
        ),
        (
            cpu(
                &[
                    node(1, "(root)", "2,3"),
                    node(2, "a", "3"),
                    node(3, "b", ""),
                ],
                sound,
            ),
            "node 3 has two parents",
        ),
        (
            cpu(&[node(1, "(root)", "2,8"), node(2, "a", "")], sound),
            "node 1 has the child 8",
        ),
        (
            cpu(
                &[node(1, "(root)", ""), node(2, "a", "3"), node(3, "b", "2")],
                sound,
            ),
            "above itself",
        ),
        (cpu(&[node(2, "a", "2")], sound), "above itself"),
        (
            cpu(&[r#"{"id":1}"#.to_owned()], sound),
            "node 1 has no callFrame",
        ),
        (cpu(&["3".to_owned()], sound), "node 1 is no object"),
        (cpu(&tree, sound) + "{}", "broken"),
        (
            cpu(&tree, sound).replace("\"id\":2", "\"id\":02"),
            "broken in line 1",
        ),
        (
            cpu(&tree, sound).replace("\"nodes\"", "\"head\":{\"callFrame\":{}},\"nodes\""),
            "both nodes and a head",
        ),
    ] {
        let refusal = refusal(&json);
        assert!(
            refusal.starts_with("file: ") && refusal.contains(said),
            "{said}: {refusal}"
        );
    }
    let whole = cpu(&tree, sound);
    for end in whole.find("nodes").unwrap() + 10..whole.len() {
        let refusal = refusal(&whole[..end]);
        assert!(refusal.contains("cut short"), "{end}: {refusal}");
    }
}

/// A chain of calls as a heap profile has it, the last of them with all the bytes.
fn nested(depth: usize, rest: &str) -> String {
    let mut json = String::from(
        r#"{"head":{"callFrame":{"functionName":"(root)","url":""},"selfSize":0,"id":1,"children":["#,
    );
    for level in 2..=depth + 1 {
        let size = if level == depth + 1 { 4096 } else { 0 };
        // Children first: the protocol fixes no order.
        json += &format!(r#"{{"id":{level},"selfSize":{size},"children":["#);
    }
    for level in 0..depth {
        json += &format!(
            r#"],"callFrame":{{"functionName":"f{}","url":"w.js","lineNumber":0}}}}"#,
            level % 7
        );
    }
    json + "]}" + rest + "}"
}

#[test]
fn heap_trees_deeper_than_any_stack_are_read_up_to_a_limit() {
    for depth in [1, 127, 128, 129, 1_000, 10_000] {
        let rest = format!(
            r#","samples":[{{"size":2048,"nodeId":{0},"ordinal":1}},{{"size":2048,"nodeId":{0}}}]"#,
            depth + 1
        );
        let profile = formats::read(nested(depth, &rest).as_bytes(), "file").unwrap();
        let reading = read(&profile, &View::new(&profile)).unwrap();
        assert_eq!((reading.total, reading.samples), (4096, 2));
        assert_eq!(reading.tree.height(NodeId::ROOT) as usize, depth);
        assert_eq!(profile.period().map(|(_, period)| period), Some(2048));
    }
    let refusal = refusal(&nested(20_000, ""));
    assert!(refusal.contains("16384"), "{refusal}");
}

#[test]
fn broken_heap_profiles_are_refused_by_what_is_wrong() {
    let sound = nested(2, r#","samples":[{"size":9,"nodeId":3}]"#);
    for (json, said) in [
        (sound.replace("4096", "-4096"), "negative selfSize"),
        (
            sound.replace(
                "\"callFrame\":{\"functionName\":\"f1\"",
                "\"frame\":{\"functionName\":\"f1\"",
            ),
            "no callFrame",
        ),
        (sound.replace("[{\"id\":3", "[3,{\"id\":3"), "no object"),
        (
            sound.replace("\"url\":\"\"", "\"url\":[]"),
            "a url is no string",
        ),
        (
            sound.replace("{\"head\":", "{\"head\":{\"callFrame\":{}},\"head\":"),
            "two heads",
        ),
    ] {
        assert_ne!(json, sound, "{said}");
        let refusal = refusal(&json);
        assert!(refusal.contains(said), "{said}: {refusal}");
    }
    // Runtimes that give no samples: bytes are all there is.
    let profile = formats::read(nested(2, "").as_bytes(), "file").unwrap();
    assert_eq!(
        profile.type_names(profile.sample_types()[0]),
        ("space".to_owned(), "bytes".to_owned())
    );
    assert_eq!(
        (profile.sample_types().len(), profile.record_count()),
        (1, 1)
    );
}

/// What a file's functions hold by name, and what was said to be left out of it.
fn read_all(json: &str) -> (Vec<(String, i64, i64)>, Vec<String>) {
    let profile = formats::read(json.as_bytes(), "file").unwrap();
    let rows = table(&read(&profile, &View::new(&profile)).unwrap());
    let mut rows: Vec<_> = rows
        .into_iter()
        .map(|((name, _), (own, _, samples))| (name, own, samples))
        .collect();
    rows.sort();
    (rows, profile.left_out().to_vec())
}

#[test]
fn a_heap_sample_of_a_node_that_is_not_there_costs_no_bytes() {
    let path = crate::fixtures().join("found/n105-sample-without-node.heapprofile");
    let json = fs::read_to_string(path).unwrap();
    let bytes = [
        ("load".to_owned(), 65_536, 2),
        ("parse".to_owned(), 32_768, 1),
    ];
    let (rows, said) = read_all(&json);
    assert_eq!(rows, bytes);
    assert!(
        said.len() == 1 && said[0].starts_with("1 of 4 "),
        "{said:?}"
    );
    let profile = formats::read(json.as_bytes(), "file").unwrap();
    assert_eq!(profile.period().map(|(_, period)| period), Some(32_768));

    let uncounted = [
        ("load".to_owned(), 65_536, 1),
        ("parse".to_owned(), 32_768, 1),
    ];
    for (from, to, rows, said) in [
        // Two of the four samples name a node by an id that two have, one names none.
        ("\"id\": 3", "\"id\": 2", &uncounted, "4 of 4 "),
        (
            "\"nodeId\": 3",
            "\"node\": 3",
            &[bytes[0].clone(), ("parse".to_owned(), 32_768, 0)],
            "2 of 4 ",
        ),
        (
            "\"nodeId\": 3",
            "\"nodeId\": \"3\"",
            &[bytes[0].clone(), ("parse".to_owned(), 32_768, 0)],
            "wrong type ignored: nodeId",
        ),
        (
            "\"size\": 32768",
            "\"size\": {}",
            &bytes,
            "wrong type ignored: size",
        ),
        (
            "\"id\": 1",
            "\"id\": [1, {}]",
            &bytes,
            "wrong type ignored: id",
        ),
        (
            "\"lineNumber\": 3",
            "\"lineNumber\": \"3\"",
            &bytes,
            "wrong type ignored: lineNumber",
        ),
        (
            "\"samples\": [",
            "\"samples\": 7, \"more\": [",
            &uncounted,
            "they are no array",
        ),
        (
            "\"samples\": [",
            "\"samples\": null, \"more\": [",
            &uncounted,
            "",
        ),
    ] {
        let (read, told) = read_all(&json.replacen(from, to, 1));
        assert_eq!(&read, rows, "{to}");
        assert_eq!(told.is_empty(), said.is_empty(), "{to}: {told:?}");
        assert!(told.join("; ").contains(said), "{to}: {told:?}");
    }
}

#[test]
fn a_cpu_sample_of_a_node_that_is_not_there_takes_its_time_with_it() {
    let nodes = [node(1, "(root)", "2"), node(2, "a", "")];
    let json = cpu(
        &nodes,
        r#","samples":[2,77,2],"timeDeltas":[1000,2500,500]"#,
    );
    let (rows, said) = read_all(&json);
    assert_eq!(rows, [("a".to_owned(), 1_500_000, 2)]);
    assert!(
        said.len() == 1 && said[0].starts_with("1 of 3 ") && said[0].contains("2.50 ms"),
        "{said:?}"
    );
}

#[test]
fn what_only_stands_beside_the_values_may_be_of_any_type() {
    let nodes = [node(1, "(root)", "2"), node(2, "a", "")];
    let sound = cpu(&nodes, r#","samples":[2],"timeDeltas":[1000]"#);
    let expected = vec![("a".to_owned(), 1_000_000, 1)];
    assert_eq!(read_all(&sound), (expected.clone(), vec![]));
    for (from, to, field) in [
        ("\"startTime\":1000", "\"startTime\":\"1000\"", "startTime"),
        ("\"endTime\":9000", "\"endTime\":1e300", "endTime"),
        ("\"endTime\":9000", "\"endTime\":null", ""),
        ("\"hitCount\":7", "\"hitCount\":true", "hitCount"),
        ("\"hitCount\":7", "\"hitCount\":null", ""),
        (
            "\"positionTicks\":[]",
            "\"positionTicks\":{\"line\":[1]}",
            "positionTicks",
        ),
        (
            "\"positionTicks\":[]",
            "\"positionTicks\":[3,{\"line\":[],\"ticks\":1}]",
            "positionTicks",
        ),
        (
            "\"columnNumber\":4",
            "\"columnNumber\":\"4\"",
            "columnNumber",
        ),
        ("\"scriptId\":\"1\"", "\"scriptId\":1", ""),
        ("\"hitCount\":7", "\"parent\":null", ""),
        (
            "\"functionName\":\"(root)\"",
            "\"functionName\":\"(root)\",\"url\":null",
            "",
        ),
    ] {
        let json = sound.replace(from, to);
        assert_ne!(json, sound, "{to}");
        let said = match field {
            "" => vec![],
            field => vec![format!("values of a wrong type ignored: {field}")],
        };
        assert_eq!(read_all(&json), (expected.clone(), said), "{to}");
    }
}

#[test]
fn other_json_is_still_no_profile() {
    let long = format!(r#"{{"result":"{}"}}"#, "x".repeat(200_000));
    let deep = "[".repeat(100_000);
    for json in ["{}", "[]", "[1,2", "{\"a\":", "{]", &long, &deep] {
        assert!(
            refusal(json).ends_with("not a profile"),
            "{}",
            refusal(json)
        );
    }
    let answer = r#"{"success":false,"errors":[{"code":7003,"message":"no route"}]}"#;
    assert!(refusal(answer).ends_with("no route (code 7003)"));
    assert!(refusal(r#"{"snapshot":{"meta":{}},"nodes":[1]}"#).contains("heap snapshot"));
}

#[test]
fn a_small_file_can_not_mean_endless_stacks() {
    // Each of the chain's nodes is sampled, so its stacks together are the square of its length.
    let length = 20_000;
    let nodes: Vec<String> = (1..=length)
        .map(|id| {
            node(
                id,
                "f",
                &if id < length {
                    (id + 1).to_string()
                } else {
                    String::new()
                },
            )
        })
        .collect();
    let ids: Vec<String> = (1..=length).map(|id| id.to_string()).collect();
    let deltas = vec!["1"; ids.len()].join(",");
    let json = cpu(
        &nodes,
        &format!(r#","samples":[{}],"timeDeltas":[{deltas}]"#, ids.join(",")),
    );
    assert!(
        refusal(&json).contains("in all stacks"),
        "{}",
        refusal(&json)
    );
}

#[test]
fn damage_is_refused_or_still_adds_up() {
    let (mut read_whole, mut refused) = (0, 0);
    for file in ["status-page.cpuprofile", "chat-rooms.heapprofile"] {
        let path = crate::raw(file);
        let mut sound = fs::read(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "gz") {
            let packed = std::mem::take(&mut sound);
            flate2::read::GzDecoder::new(&packed[..])
                .read_to_end(&mut sound)
                .unwrap();
        }
        let step = (sound.len() / 250).max(1);
        for at in (0..sound.len()).step_by(step) {
            let mut damaged = sound.clone();
            // One bit, another in each place.
            damaged[at] ^= 1 << (at / step % 7);
            match formats::read(damaged.as_slice(), "file") {
                Err(error) => {
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                    refused += 1;
                }
                Ok(profile) => {
                    let reading = read(&profile, &View::new(&profile)).unwrap();
                    let own: i128 = reading
                        .tree
                        .nodes()
                        .map(|node| i128::from(reading.tree.self_value(node)))
                        .sum();
                    assert_eq!(
                        (own, reading.total),
                        (reading.shown, reading.base),
                        "{file} {at}"
                    );
                    read_whole += 1;
                }
            }
        }
    }
    assert!(
        read_whole > 50 && refused > 50,
        "{read_whole} read, {refused} refused"
    );
}
