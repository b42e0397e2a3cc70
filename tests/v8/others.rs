//! What other tools and older versions save: read as what it is, or named with what to do instead.

use std::fs;
use std::io::Read as _;

use flarescope::formats::{self, Fault, Foreign};
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::view::View;
use flarescope::model::profile::{LabelValue, Profile};

use crate::wording::wording;
use crate::{fixtures, raw, table};

fn found(file: &str) -> Vec<u8> {
    fs::read(fixtures().join("found").join(file)).unwrap()
}

fn profile(bytes: &[u8]) -> Profile {
    formats::read(bytes, "file").unwrap()
}

/// Name, own value and samples of each function, by name.
fn rows(profile: &Profile) -> Vec<(String, i64, i64)> {
    let table = table(&read(profile, &View::new(profile)).unwrap());
    let mut rows: Vec<_> = table
        .into_iter()
        .map(|((name, _), (own, _, samples))| (name, own, samples))
        .collect();
    rows.sort();
    rows
}

/// What functions should have, as [`rows`] has it.
fn expected(rows: &[(&str, i64, i64)]) -> Vec<(String, i64, i64)> {
    rows.iter()
        .map(|(name, own, samples)| ((*name).to_owned(), *own, *samples))
        .collect()
}

/// The line of each function, by name.
fn lines(profile: &Profile) -> Vec<(String, i64)> {
    let functions = profile.functions().iter();
    functions
        .map(|function| {
            (
                profile.text(function.name).into_owned(),
                function.start_line,
            )
        })
        .collect()
}

fn foreign(bytes: &[u8]) -> Foreign {
    match formats::read(bytes, "file").unwrap_err().fault {
        Fault::Foreign(foreign) => foreign,
        other => unreachable!("{other:?}"),
    }
}

fn utf16(text: &str, is_big: bool) -> Vec<u8> {
    let pair = |unit: u16| {
        if is_big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    text.encode_utf16().flat_map(pair).collect()
}

const MS: i64 = 1_000_000;

#[test]
fn the_older_tree_of_a_cpu_profile_is_read() {
    let bytes = found("n106-head-tree.cpuprofile");
    let profile = profile(&bytes);
    // The first sample comes with the start.
    let parsed = expected(&[("fetch", 0, 0), ("parse", 5 * MS, 6), ("render", 4 * MS, 4)]);
    assert_eq!(rows(&profile), parsed);
    assert_eq!(profile.duration().unwrap().as_millis(), 10);
    // Lines count from 1 there.
    assert!(lines(&profile).contains(&("parse".to_owned(), 15)));

    let text = String::from_utf8(bytes).unwrap();
    // Without ids no sample can be given to a node.
    let without = formats::read(text.replace("\"id\":", "\"uid\":").as_bytes(), "file");
    assert!(without.unwrap_err().to_string().contains("no id"));
    // On a clock of its own.
    let other = text.replace("\"startTime\": 1000,", "\"startTime\": 99000,");
    assert_eq!(rows(&self::profile(other.as_bytes())), parsed);
}

#[test]
fn the_older_tree_of_a_heap_profile_is_read() {
    let json = r#"{"head":{"functionName":"(root)","url":"","lineNumber":0,"selfSize":0,"children":[
        {"functionName":"load","url":"w.js","lineNumber":7,"columnNumber":1,"selfSize":512,"id":2,"children":[]}]}}"#;
    let profile = profile(json.as_bytes());
    assert_eq!(rows(&profile), expected(&[("load", 512, 1)]));
    assert!(lines(&profile).contains(&("load".to_owned(), 7)));
}

#[test]
fn timestamps_stand_for_deltas() {
    let json = r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},
        {"id":2,"callFrame":{"functionName":"a","url":"w.js","lineNumber":0,"columnNumber":0}}],
        "startTime":5000,"endTime":8000,"samples":[2,2,2],"timestamps":[6000,7000,8000]}"#;
    assert_eq!(
        rows(&profile(json.as_bytes())),
        expected(&[("a", 3 * MS, 3)])
    );
}

#[test]
fn profiles_in_traces_are_read() {
    let bytes = found("n107-performance-trace.json");
    let trace = profile(&bytes);
    assert_eq!(rows(&trace), expected(&[("parse", 3 * MS, 3)]));
    assert!(lines(&trace).contains(&("parse".to_owned(), 15)));
    assert_eq!(trace.labels(0), []);

    // The events alone, as older versions save them.
    let text = String::from_utf8(bytes).unwrap();
    let from = text.find("\"traceEvents\": ").unwrap() + "\"traceEvents\": ".len();
    let events = &text[from..text.len() - 1];
    assert_eq!(rows(&profile(events.as_bytes())), rows(&trace));
}

/// An event of a trace; what stands in `args` comes first, as no order is fixed.
fn event(name: &str, id: &str, (pid, tid): (u32, u32), args: &str) -> String {
    format!(r#"{{"args":{args},"ph":"P","id":"{id}","pid":{pid},"tid":{tid},"name":"{name}"}}"#)
}

fn chunk(nodes: &str, samples: &str, deltas: &str) -> String {
    format!(
        r#"{{"data":{{"timeDeltas":[{deltas}],"cpuProfile":{{"nodes":[{nodes}],"samples":[{samples}]}}}}}}"#
    )
}

fn node(id: u32, parent: &str, name: &str) -> String {
    format!(
        r#"{{"id":{id},{parent}"callFrame":{{"functionName":"{name}","url":"w.js","lineNumber":{id},"columnNumber":0}}}}"#
    )
}

#[test]
fn several_profiles_of_a_trace_are_threads_of_one() {
    let root = node(1, "", "(root)");
    let (main, worker) = ((1, 10), (1, 20));
    let start = r#"{"data":{"startTime":100,"endTime":"x"}}"#;
    let events = [
        event("thread_name", "", main, r#"{"name":"CrRendererMain"}"#),
        event("Profile", "0x1", main, start),
        event("Profile", "0x2", worker, start),
        // Chunks come from a thread of the profiler's.
        event("ProfileChunk", "0x1", (1, 99), &chunk(&root, "", "")),
        event(
            "ProfileChunk",
            "0x2",
            (1, 99),
            &chunk(
                &format!("{root},{}", node(2, r#""parent":1,"#, "spin")),
                "2,2",
                "1000,1000",
            ),
        ),
        event(
            "ProfileChunk",
            "0x1",
            (1, 99),
            &chunk(&node(2, r#""parent":1,"#, "draw"), "2", "1000"),
        ),
        // A later chunk names a node of an earlier one.
        event(
            "ProfileChunk",
            "0x1",
            (1, 99),
            &chunk("", "2,2", "1000,500"),
        ),
        event("Layout", "", main, r#"{"data":{"nodes":3,"startTime":[]}}"#),
    ];
    let json = format!("[{}]", events.join(","));
    let profile = profile(json.as_bytes());
    assert_eq!(
        rows(&profile),
        expected(&[("draw", 2_500_000, 3), ("spin", 2 * MS, 2)])
    );
    let thread = |record: usize| match profile.labels(record)[0].value {
        LabelValue::Text(text) => profile.text(text).into_owned(),
        LabelValue::Number(..) => unreachable!("a text was written"),
    };
    assert_eq!(
        (thread(0), thread(1)),
        ("CrRendererMain".to_owned(), "thread 20".to_owned())
    );

    // The protocol sends a trace in pieces.
    let piece = |events: &[String]| {
        let events = events.join(",");
        format!(r#"{{"method":"Tracing.dataCollected","params":{{"value":[{events}]}}}}"#)
    };
    let log = [
        r#"{"id":1,"result":{}}"#.to_owned(),
        piece(&events[..4]),
        piece(&events[4..]),
        r#"{"method":"Tracing.tracingComplete","params":{"dataLossOccurred":false}}"#.to_owned(),
    ];
    assert_eq!(
        rows(&self::profile(log.join("\n").as_bytes())),
        rows(&profile)
    );

    for none in [
        r#"{"traceEvents":[{"ph":"X"}]}"#.to_owned(),
        format!("[{}]", events[1]),
    ] {
        assert_eq!(foreign(none.as_bytes()), Foreign::Trace, "{none}");
    }
}

#[test]
fn answers_of_the_debugging_protocol_are_read() {
    for file in ["status-page.cpuprofile", "deep-parser.heapprofile"] {
        let path = raw(file);
        let mut bytes = fs::read(&path).unwrap();
        if path.extension().is_some_and(|extension| extension == "gz") {
            let packed = std::mem::take(&mut bytes);
            flate2::read::GzDecoder::new(&packed[..])
                .read_to_end(&mut bytes)
                .unwrap();
        }
        let plain = profile(&bytes);
        let json = String::from_utf8(bytes).unwrap();
        for answer in [
            format!(r#"{{"id":7,"result":{{"profile":{json}}}}}"#),
            format!(r#"{{"profile":{json}}}"#),
            format!(
                r#"{{"method":"Profiler.consoleProfileFinished","params":{{"id":"1","profile":{json}}}}}"#
            ),
        ] {
            assert_eq!(rows(&profile(answer.as_bytes())), rows(&plain), "{file}");
        }
        // A log has a message a line, most of them without a profile.
        let other = r#"{"id":1,"result":{}}"#;
        let told = r#"{"method":"Debugger.scriptParsed","params":{"scriptId":"1","startTime":4}}"#;
        let line = json.replace('\n', " ");
        let answer = format!(r#"{{"id":2,"result":{{"profile":{line}}}}}"#);
        for log in [
            format!("{other}\n{told}\n{answer}\n{other}\n"),
            format!("\n{other}\r\n{answer}\r\n"),
        ] {
            assert_eq!(rows(&profile(log.as_bytes())), rows(&plain), "{file}");
        }
        let several = format!("{other}\n{answer}\n{answer}\n");
        assert!(matches!(
            formats::read(several.as_bytes(), "log").unwrap_err().fault,
            Fault::Malformed(_)
        ));
        let none = format!("{other}\n{told}\n");
        assert!(matches!(
            formats::read(none.as_bytes(), "log").unwrap_err().fault,
            Fault::Json(None)
        ));
    }
    let refused = br#"{"id":7,"error":{"code":-32000,"message":"No recording profiles found"}}"#;
    match formats::read(&refused[..], "file").unwrap_err().fault {
        Fault::Json(Some(answer)) => assert_eq!(answer.code, Some(-32_000)),
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn utf_16_is_read_in_every_format_of_text() {
    let mark = "\u{feff}";
    let cpu = found("n112-utf16.cpuprofile");
    let expected_rows = expected(&[("parse", 10 * MS, 10)]);
    assert_eq!(rows(&profile(&cpu)), expected_rows);
    let json = String::from_utf16(
        &cpu.chunks(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect::<Vec<_>>(),
    )
    .unwrap();
    let json = json.trim_start_matches(mark);
    for is_big in [false, true] {
        for text in [json.to_owned(), format!("{mark}{json}")] {
            assert_eq!(rows(&profile(&utf16(&text, is_big))), expected_rows);
        }
        let folded = utf16(&format!("{mark}main;parse😀 5\r\n"), is_big);
        let expected = expected(&[("main", 0, 0), ("parse😀", 5, 5)]);
        assert_eq!(rows(&profile(&folded)), expected);
        let mut packed = Vec::new();
        flate2::read::GzEncoder::new(&folded[..], flate2::Compression::fast())
            .read_to_end(&mut packed)
            .unwrap();
        assert_eq!(rows(&profile(&packed)), expected);
        let html = utf16(&format!("{mark}<html><body>"), is_big);
        assert_eq!(foreign(&html), Foreign::Html);
    }
}

#[test]
fn what_is_no_profile_is_named() {
    let mut tar = vec![b'a'; 600];
    tar[257..262].copy_from_slice(b"ustar");
    let legacy = |size: usize, is_big: bool| -> Vec<u8> {
        let words = [0_u64, 3, 0, 10_000, 0, 5, 1];
        let bytes = words.iter().flat_map(|word| {
            if is_big {
                word.to_be_bytes()[8 - size..].to_vec()
            } else {
                word.to_le_bytes()[..size].to_vec()
            }
        });
        bytes.collect()
    };
    for (bytes, expected) in [
        (found("n111-picture.png"), Foreign::Picture),
        (b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), Foreign::Picture),
        (b"GIF89a\x01\0".to_vec(), Foreign::Picture),
        (b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), Foreign::Picture),
        (b"%PDF-1.7\n".to_vec(), Foreign::Picture),
        (b"PK\x03\x04\x14\0".to_vec(), Foreign::Archive),
        (b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), Foreign::Archive),
        (tar, Foreign::Archive),
        (b"\xfd7zXZ\0\0\x04".to_vec(), Foreign::Compressed),
        (b"BZh91AY&SY".to_vec(), Foreign::Compressed),
        (b"PERFILE2\x68\0\0\0".to_vec(), Foreign::Perf),
        (legacy(8, false), Foreign::LegacyBinary),
        (legacy(4, true), Foreign::LegacyBinary),
        (
            b"heap profile: 1: 512 [9: 4096] @ heap/524288\n1: 512 [9: 4096] @ 0x1\n".to_vec(),
            Foreign::LegacyText,
        ),
        (
            b"goroutine profile: total 7\n4 @ 0x1 0x2\n".to_vec(),
            Foreign::LegacyText,
        ),
        (
            b"--- contention:\ncycles/second=1000\n".to_vec(),
            Foreign::LegacyText,
        ),
        (b"v8-version,12,4,254,21,0\n".to_vec(), Foreign::V8Log),
        (
            br#"{"meta":{"interval":1},"libs":[],"threads":[{"samples":{}}]}"#.to_vec(),
            Foreign::Firefox,
        ),
        (
            br#"{"snapshot":{"meta":{}},"nodes":[1,2]}"#.to_vec(),
            Foreign::HeapSnapshot,
        ),
        (
            br#"{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}"#.to_vec(),
            Foreign::SourceMap,
        ),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'>".to_vec(),
            Foreign::Svg,
        ),
        (b"<!DOCTYPE html><html>".to_vec(), Foreign::Html),
        (
            b"main;parse 5 6\nmain 7 8\n".to_vec(),
            Foreign::FoldedDifference,
        ),
        (b"\x7fELF\x02\x01\x01\0".to_vec(), Foreign::Unknown),
        (b"\0asm\x01\0\0\0".to_vec(), Foreign::Unknown),
    ] {
        assert_eq!(foreign(&bytes), expected, "{bytes:?}");
        let said = formats::read(&bytes[..], "file").unwrap_err().to_string();
        assert!(
            !said.contains("damaged") && said.lines().count() == 1,
            "{said}"
        );
    }
    let mut wording = wording!();
    for foreign in [
        Foreign::HeapSnapshot,
        Foreign::V8Log,
        Foreign::Firefox,
        Foreign::Perf,
        Foreign::LegacyText,
        Foreign::FoldedDifference,
        Foreign::Trace,
        Foreign::OwnJson,
        Foreign::SourceMap,
        Foreign::Archive,
        Foreign::Compressed,
        Foreign::Picture,
        Foreign::Svg,
        Foreign::Html,
        Foreign::Unknown,
    ] {
        wording.add(foreign.words());
    }
}

#[test]
fn what_began_as_a_profile_is_damaged() {
    for file in ["w05-varint-11-bytes.pb", "w22-bitflips-8.pb"] {
        let bytes = fs::read(fixtures().join("malformed").join(file)).unwrap();
        let fault = formats::read(&bytes[..], file).unwrap_err().fault;
        assert!(!matches!(fault, Fault::Foreign(_)), "{file}: {fault:?}");
    }
}

#[test]
fn time_outside_the_samples_is_reported_and_never_work() {
    let tail = profile(&found("n114-tail.cpuprofile"));
    assert_eq!(
        rows(&tail),
        expected(&[("(idle)", 400_000, 1), ("init", 600_000, 1)])
    );
    assert!(
        tail.left_out().len() == 1 && tail.left_out()[0].contains("16 ms after"),
        "{:?}",
        tail.left_out()
    );
    let text = String::from_utf8(found("n114-tail.cpuprofile")).unwrap();
    // A function is running when the first sample comes 15 ms after the start.
    let late = text
        .replace("\"samples\": [2, 3]", "\"samples\": [3, 3, 2]")
        .replace("[400, 600]", "[15000, 1000, 1000]");
    let late = profile(late.as_bytes());
    assert_eq!(rows(&late), expected(&[("(idle)", MS, 1), ("init", MS, 2)]));
    assert!(
        late.left_out()[0].contains("15 ms before"),
        "{:?}",
        late.left_out()
    );
    // A first delta of another clock; and a step back, which is taken from what follows.
    let other = text
        .replace("\"samples\": [2, 3]", "\"samples\": [2, 3, 3, 3]")
        .replace("[400, 600]", "[86400000000, 8000, -500, 8000]");
    let other = profile(other.as_bytes());
    assert_eq!(
        rows(&other),
        expected(&[("(idle)", 0, 1), ("init", 15_500_000, 3)])
    );
    assert_eq!(other.left_out().len(), 1, "{:?}", other.left_out());
}

#[test]
fn times_in_folded_stacks_are_no_samples() {
    let unknown = profile(&found("n117-nanoseconds.folded"));
    let reading = read(&unknown, &View::new(&unknown)).unwrap();
    assert_eq!((reading.total, reading.samples), (1_000_000_000, 2));
    let (kind, unit) = unknown.type_names(unknown.sample_types()[0]);
    assert_eq!((&*kind, &*unit), ("values", ""));
    // Ours say what their values are.
    for (text, types) in [
        (
            "# values: cpu in nanoseconds\nmain;parse 5\n",
            ("cpu", "nanoseconds"),
        ),
        (
            "\u{feff}# values: alloc in space in bytes\r\nmain 5\r\n",
            ("alloc in space", "bytes"),
        ),
        ("# values: odd\nmain 5\n", ("samples", "count")),
        ("main 16000000\n", ("samples", "count")),
        // One stack whose name ends in a number makes no comparison.
        ("main;operator new 3 4\nmain 1\n", ("samples", "count")),
    ] {
        let profile = profile(text.as_bytes());
        let (kind, unit) = profile.type_names(profile.sample_types()[0]);
        assert_eq!((&*kind, &*unit), types, "{text}");
    }
}

const SPEEDSCOPE: &str = r#"{"$schema":"https://www.speedscope.app/file-format-schema.json",
    "profiles":[PROFILES],"shared":{"frames":[{"name":"main"},{"name":"parse","file":"w.js","line":7,"col":3}]},
    "exporter":"speedscope@1.20.0","activeProfileIndex":0}"#;

fn speedscope(profiles: &str) -> String {
    SPEEDSCOPE.replace("PROFILES", profiles)
}

#[test]
fn speedscope_files_of_other_tools_are_read() {
    for (profiles, types, expected_rows) in [
        (
            r#"{"type":"sampled","name":"a","unit":"milliseconds","startValue":0,"endValue":4.5,"samples":[[0,1],[0],[]],"weights":[2.5,1,1]}"#,
            ("time", "nanoseconds"),
            &[
                ("(no stack)", MS, 1),
                ("main", MS, 1),
                ("parse", 2_500_000, 1),
            ][..],
        ),
        (
            r#"{"weights":[0.001,0.0005],"samples":[[0,1],[0,1]],"unit":"seconds","name":"a","type":"sampled"}"#,
            ("time", "nanoseconds"),
            &[("main", 0, 0), ("parse", 1_500_000, 1)],
        ),
        (
            r#"{"type":"evented","unit":"microseconds","startValue":100,"endValue":900,"events":[
                {"type":"O","frame":0,"at":100},{"type":"O","frame":1,"at":200},{"type":"C","frame":1,"at":500.5},
                {"type":"C","frame":0,"at":600},{"at":800,"frame":0,"type":"O"}]}"#,
            ("time", "nanoseconds"),
            &[("main", 299_500, 1), ("parse", 300_500, 1)],
        ),
        (
            r#"{"type":"sampled","unit":"bytes","samples":[[0,1]],"weights":[512]},
               {"type":"sampled","unit":"seconds","samples":[[0]],"weights":[1]}"#,
            ("space", "bytes"),
            &[("main", 0, 0), ("parse", 512, 1)],
        ),
        (
            r#"{"type":"sampled","unit":"none","name":"one","samples":[[0,1]],"weights":[3]},
               {"type":"sampled","unit":"none","name":"two","samples":[[0]],"weights":[4]}"#,
            ("samples", "count"),
            &[("main", 4, 4), ("parse", 3, 3)],
        ),
    ] {
        let profile = profile(speedscope(profiles).as_bytes());
        let (kind, unit) = profile.type_names(profile.sample_types()[0]);
        assert_eq!((&*kind, &*unit), types, "{profiles}");
        assert_eq!(rows(&profile), expected(expected_rows), "{profiles}");
        assert!(lines(&profile).contains(&("parse".to_owned(), 7)));
        let is_two = profiles.contains("\"seconds\",\"samples\":[[0]]");
        assert_eq!(profile.left_out().len(), usize::from(is_two), "{profiles}");
        let is_labelled = profiles.contains("\"one\"");
        assert_eq!(profile.labels(0).len(), usize::from(is_labelled));
    }
}

#[test]
fn broken_speedscope_files_are_refused_by_what_is_wrong() {
    let sampled = r#"{"type":"sampled","unit":"none","samples":[[0,1]],"weights":[3]}"#;
    let evented = r#"{"type":"evented","unit":"none","endValue":9,"events":[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":5}]}"#;
    for (profiles, said) in [
        (sampled.replace("[0,1]", "[0,7]"), "frame 7"),
        (sampled.replace("[0,1]", "[-1]"), "frame -1"),
        (sampled.replace("[3]", "[3,4]"), "1 samples, but 2 weights"),
        (sampled.replace("[3]", "[-3]"), "below zero"),
        (sampled.replace("[3]", "[1e40]"), "64 bits"),
        (sampled.replace("[3]", "[9223372036854775807.5]"), "64 bits"),
        (sampled.replace("[3]", "[\"3\"]"), "a weight is no number"),
        (sampled.replace("[[0,1]]", "[7]"), "a sample is no array"),
        (
            evented.replace("\"C\",\"frame\":0", "\"C\",\"frame\":1"),
            "not open",
        ),
        (evented.replace("\"at\":5", "\"at\":0"), "back in time"),
        (
            evented.replace("\"frame\":0,\"at\":5", "\"at\":5"),
            "no type, frame or time",
        ),
    ] {
        // Frames first: what comes before them has not begun as a profile.
        let json = speedscope(&profiles);
        let (before, after) = json.split_once("\"profiles\"").unwrap();
        let (profiles, frames) = after.split_once(",\"shared\"").unwrap();
        let (frames, rest) = frames.split_once("}]},").unwrap();
        let json = format!("{before}\"shared\"{frames}}}]}},\"profiles\"{profiles},{rest}");
        let refusal = formats::read(json.as_bytes(), "file")
            .unwrap_err()
            .to_string();
        assert!(refusal.contains(said), "{said}: {refusal}");
    }
}

#[test]
fn a_small_file_can_not_mean_endless_profiles() {
    let threads = vec!["{}"; 20_000].join(",");
    let json = format!(r#"{{"shared":{{"frames":[]}},"profiles":[{threads}]}}"#);
    let events: Vec<String> = (0..20_000)
        .map(|id| event("Profile", &id.to_string(), (1, 1), "{}"))
        .collect();
    for json in [json, format!("[{}]", events.join(","))] {
        let fault = formats::read(json.as_bytes(), "file").unwrap_err().fault;
        assert!(
            matches!(fault, Fault::TooMany { limit: 16_384, .. }),
            "{fault:?}"
        );
    }
}
