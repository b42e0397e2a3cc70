//! Source maps against answers that another reader of maps gave, and against maps that are none or another build's.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

#[path = "../fuzz/fuzz_targets/check_map.rs"]
#[expect(
    clippy::expect_used,
    clippy::panic,
    reason = "the fuzz target's: a fault ends it"
)]
mod check_map;

#[path = "support/wording.rs"]
mod wording;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assert_cmd::Command;
use flarescope::app::map_outcome;
use flarescope::formats;
use flarescope::formats::source_map::Found;
use flarescope::model::profile::Profile;
use flarescope::model::source_map::{Fit, Restored, SourceMap, restore};
use flarescope::store::Store;
use serde_json::{Value, json};

use wording::wording;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn profile(path: &str) -> Profile {
    formats::read(fs::File::open(fixtures().join(path)).unwrap(), path).unwrap()
}

fn text(path: &str) -> String {
    fs::read_to_string(fixtures().join("maps").join(path)).unwrap()
}

/// What reading a file given as a source map says, without the file's name.
fn read(text: &str) -> Result<SourceMap, String> {
    match formats::source_map::read(text.as_bytes(), "m")
        .map_err(|error| error.fault.to_string())?
    {
        Found::Map(map) => Ok(*map),
        Found::Elsewhere(url) => Err(format!("elsewhere: {url}")),
    }
}

fn geo_router(with_bundle: bool) -> SourceMap {
    let map = read(&text("geo-router/worker.js.map")).unwrap();
    if with_bundle {
        map.with_bundle(&text("geo-router/worker.js"))
    } else {
        map
    }
}

fn with(profile: &Profile, map: SourceMap) -> Restored {
    restore(profile, &[Arc::new(map)])
}

/// A function in its bundle: name, line, column.
type InBundle = (String, i64, i64);
/// A function in its source: name, file, line, column.
type InSource = (String, String, i64, i64);

/// The functions of a restored profile by their name and position in the bundle: name, file, line and column now.
fn places(profile: &Profile) -> HashMap<InBundle, InSource> {
    let parts = profile.parts();
    let of_line = |line: &flarescope::model::profile::Line| {
        let number = line.function?;
        let (function, original) = (
            profile.functions()[number as usize],
            profile.original(number)?,
        );
        let now = (
            profile.text(function.name).into_owned(),
            profile.text(function.file).into_owned(),
            function.start_line,
            line.column,
        );
        assert_eq!(profile.bytes(original.file), b"file:///bundle/worker.js");
        assert_eq!(
            profile.bytes(function.system_name),
            profile.bytes(original.name)
        );
        Some((
            (
                profile.text(original.name).into_owned(),
                original.line,
                original.column,
            ),
            now,
        ))
    };
    parts.lines.iter().filter_map(of_line).collect()
}

#[test]
fn every_frame_is_restored_as_another_reader_of_maps_has_it() {
    for kind in ["cpu", "heap"] {
        let expected: Vec<Value> = serde_json::from_slice(
            &fs::read(fixtures().join(format!("expected/geo-router.{kind}.symbols.json"))).unwrap(),
        )
        .unwrap();
        assert!(expected.len() >= 14, "answers are missing");
        for file in [
            format!("recordings/geo-router.{kind}.pprof.gz"),
            format!("v8/geo-router.{kind}profile.gz"),
        ] {
            for with_bundle in [false, true] {
                let restored = with(&profile(&file), geo_router(with_bundle));
                let told = &restored.uses[0];
                assert_eq!(
                    (told.fit, told.restored, told.of),
                    (Fit::Fits, expected.len(), expected.len()),
                    "{file}"
                );
                let places = places(&restored.profile.unwrap());
                assert_eq!(places.len(), expected.len(), "{file}");
                for answer in &expected {
                    let number = |key: &str| answer[key].as_i64().unwrap();
                    let word = |key: &str| answer[key].as_str().unwrap().to_owned();
                    let mangled = Some(word("mangled")).filter(|name| !name.is_empty());
                    let key = (
                        mangled.unwrap_or_else(|| "(anonymous)".to_owned()),
                        number("generated_line"),
                        number("generated_column_1based"),
                    );
                    let place = (
                        word("expected_name"),
                        word("source"),
                        number("line"),
                        number("column_1based"),
                    );
                    assert_eq!(
                        places.get(&key),
                        Some(&place),
                        "{file}, with the bundle: {with_bundle}, {key:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn values_stay_what_they_were() {
    let before = profile("recordings/geo-router.cpu.pprof.gz");
    let after = with(&before, geo_router(false)).profile.unwrap();
    assert_eq!(after.record_count(), before.record_count());
    for record in 0..before.record_count() {
        assert_eq!(after.values(record), before.values(record));
        assert!(
            after.stack(record).eq(before.stack(record)),
            "record {record}"
        );
    }
    let again = with(&after, geo_router(false));
    assert!(
        again.profile.is_none(),
        "what is restored is of no bundle any more"
    );
    assert_eq!(again.uses[0].fit, Fit::NoBundle);
}

#[test]
fn without_columns_only_the_bundle_can_tell_functions_of_one_line_apart() {
    let mut wording = wording!();
    let no_columns = profile("recordings/geo-router-nocol.cpu.pprof.gz");
    let alone = with(&no_columns, geo_router(false));
    assert!(alone.profile.is_none());
    assert_eq!(alone.uses[0].fit, Fit::NoColumns);
    wording.add(map_outcome(&alone.uses[0]));
    let beside = with(&no_columns, geo_router(true));
    // Of the 16 functions two have no name that could be looked for.
    assert_eq!(
        (
            beside.uses[0].fit,
            beside.uses[0].restored,
            beside.uses[0].of
        ),
        (Fit::Fits, 14, 16)
    );
    let names: Vec<String> = places(&beside.profile.unwrap())
        .into_values()
        .map(|(name, ..)| name)
        .collect();
    for name in ["haversineKm", "toRadians", "#evictOldest", "fetch"] {
        assert!(
            names.iter().any(|other| other == name),
            "{name} in {names:?}"
        );
    }
}

#[test]
fn lines_alone_are_enough_where_each_has_one_function() {
    let restored = with(
        &profile("recordings/checkout-api.cpu.pprof.gz"),
        read(&text("checkout-api.js.map")).unwrap(),
    );
    assert_eq!(
        (
            restored.uses[0].fit,
            restored.uses[0].restored,
            restored.uses[0].of
        ),
        (Fit::Fits, 12, 12)
    );
    let places = places(&restored.profile.unwrap());
    // By eye: line 25 of the bundle is line 5 of address.ts.
    let (name, file, line, column) = &places[&("validateAddress".to_owned(), 25, 0)];
    assert_eq!(
        (name.as_str(), file.as_str(), *line, *column),
        ("validateAddress", "workers/checkout-api/address.ts", 5, 0)
    );
}

/// A number as maps write it.
fn vlq(number: u32) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut rest, mut out) = (number << 1, String::new());
    loop {
        let more = if rest > 31 { 32 } else { 0 };
        out.push(DIGITS[(rest % 32 + more) as usize].into());
        rest /= 32;
        if rest == 0 {
            return out;
        }
    }
}

#[test]
fn a_map_of_another_build_is_refused() {
    let mut wording = wording!();
    let profile = profile("recordings/geo-router.cpu.pprof.gz");
    let mut map: Value = serde_json::from_str(&text("geo-router/worker.js.map")).unwrap();
    let mappings = map["mappings"].as_str().unwrap().to_owned();
    assert!(mappings.starts_with('A'), "its first position is column 0");
    // The same code behind a few more characters: what one more import or a banner makes of it.
    for columns in 1..300 {
        map["mappings"] = format!("{}{}", vlq(columns), &mappings[1..]).into();
        let restored = with(&profile, read(&map.to_string()).unwrap());
        assert!(
            restored.profile.is_none(),
            "moved by {columns}: {:?}",
            restored.uses
        );
        assert!(
            matches!(restored.uses[0].fit, Fit::OtherBuild { .. }),
            "moved by {columns}: {:?}",
            restored.uses
        );
    }
    for other in ["checkout-api.js.map", "chat-rooms.js.map", "namer.js.map"] {
        let restored = with(&profile, read(&text(other)).unwrap());
        assert!(restored.profile.is_none(), "{other}");
        wording.add(map_outcome(&restored.uses[0]));
    }
    let text = text("geo-router/worker.js").replacen("class", "class ", 1);
    let restored = with(&profile, geo_router(false).with_bundle(&text));
    assert!(
        restored.profile.is_none(),
        "the bundle beside the map is another one"
    );
}

#[test]
fn a_map_without_the_sources_still_fits_its_own_build_alone() {
    let profile = profile("recordings/geo-router.cpu.pprof.gz");
    let mut map: Value = serde_json::from_str(&text("geo-router/worker.js.map")).unwrap();
    map.as_object_mut().unwrap().remove("sourcesContent");
    let restored = with(&profile, read(&map.to_string()).unwrap());
    assert_eq!(
        (restored.uses[0].fit, restored.uses[0].restored),
        (Fit::Fits, 16)
    );
    let names: Vec<String> = places(&restored.profile.unwrap())
        .into_values()
        .map(|(name, ..)| name)
        .collect();
    assert!(
        names.contains(&"toRadians".to_owned()) && names.contains(&"#evictOldest".to_owned()),
        "{names:?}"
    );
    assert!(
        !names.contains(&"request".to_owned()),
        "a parameter's name is no function's"
    );
    let mappings = map["mappings"].as_str().unwrap().to_owned();
    for columns in 1..300 {
        map["mappings"] = format!("{}{}", vlq(columns), &mappings[1..]).into();
        let restored = with(&profile, read(&map.to_string()).unwrap());
        assert!(
            restored.profile.is_none(),
            "moved by {columns}: {:?}",
            restored.uses
        );
    }
}

#[test]
fn of_several_maps_the_one_that_fits_is_used() {
    let maps: Vec<Arc<SourceMap>> = [
        "checkout-api.js.map",
        "geo-router/worker.js.map",
        "chat-rooms.js.map",
    ]
    .map(|name| Arc::new(read(&text(name)).unwrap()))
    .into();
    let fits = |profile: &Profile| -> Vec<bool> {
        restore(profile, &maps)
            .uses
            .iter()
            .map(|made| made.fit == Fit::Fits)
            .collect()
    };
    assert_eq!(
        fits(&profile("recordings/geo-router.heap.pprof.gz")),
        [false, true, false]
    );
    assert_eq!(
        fits(&profile("recordings/checkout-api.heap.pprof.gz")),
        [true, false, false]
    );
    assert_eq!(
        fits(&profile("recordings/chat-rooms.cpu.pprof.gz")),
        [false, false, true]
    );
    assert_eq!(
        fits(&profile("recordings/deep-parser.cpu.pprof.gz")),
        [false, false, false]
    );
    assert_eq!(
        fits(&profile("recordings/no-traffic.heap.pprof.gz")),
        [false, false, false]
    );
    assert_eq!(
        fits(&profile("foreign/go-cpu.pb.gz")),
        [false, false, false]
    );
}

#[test]
fn sections_are_put_together_in_whatever_order_they_come() {
    let whole: Value = serde_json::from_str(&text("geo-router/worker.js.map")).unwrap();
    let empty = json!({"version": 3, "sources": ["banner.js"], "names": [], "mappings": "AAAA"});
    let at = |line: u32, column: u32, map: &Value| json!({"offset": {"line": line, "column": column}, "map": map});
    let index = json!({"version": 3, "file": "worker.js", "sections": [at(5, 0, &empty), at(0, 0, &whole)]});
    let profile = profile("recordings/geo-router.cpu.pprof.gz");
    let restored = with(&profile, read(&index.to_string()).unwrap());
    assert_eq!(
        (restored.uses[0].fit, restored.uses[0].restored),
        (Fit::Fits, 16)
    );
    let moved = json!({"version": 3, "sections": [at(0, 1, &whole)]});
    assert!(
        with(&profile, read(&moved.to_string()).unwrap())
            .profile
            .is_none(),
        "the offset's column counts"
    );
}

#[test]
fn hostile_maps_end_in_a_sentence() {
    let mut wording = wording!();
    let map = |mappings: &str| {
        json!({"version": 3, "sources": ["a"], "names": ["n"], "mappings": mappings}).to_string()
    };
    let nested = |inner: Value| json!({"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": inner}]});
    let deep = "[".repeat(100_000);
    let far = map(&format!("{}AAAA", ";".repeat((1 << 24) + 2)));
    let below = json!({"sections": [{"offset": {"line": 20_000_000, "column": 0}, "map": {"sources": ["a"], "mappings": "AAAA"}}]});
    for text in [String::new(), "{".to_owned(), "[]".to_owned(), format!("{{\"names\":{deep}"), "var a = 1;".to_owned(), "//# sourceMappingURL=worker.js.map".to_owned(), "//# sourceMappingURL=data:application/json;base64,e30".to_owned(), "//# sourceMappingURL=data:application/json;base64,@@@@".to_owned(), "//# sourceMappingURL=data:application/json,{}".to_owned(), json!({"version": 3}).to_string(), map(""), map("AAAA,!"), map("AAAA,é"), map("gggggggggggggB"), map("DAAA"), map("AADA"), map("AAgggggE"), map("ACAA"), map("AAAAC"), map("AA"), map("AAAAAAAAA"), map(&",".repeat((1 << 22) + 1)), far, below.to_string(), format!("{{\"names\":[{}0],\"mappings\":\"AAAA\"}}", "0,".repeat(1 << 20)), nested(nested(json!({"mappings": "AAAA"}))).to_string(), json!({"sections": [{"offset": {"line": 0, "column": 0}, "url": "b.map"}]}).to_string(), json!({"sections": [{"offset": {"line": -1, "column": 0}, "map": {"mappings": "AAAA"}}]}).to_string(), json!({"sections": [{"offset": {"line": u32::MAX, "column": u32::MAX}, "map": {"sources": ["a"], "mappings": "AAAA"}}]}).to_string(), json!({"sections": []}).to_string(), json!({"version": 3, "sources": [], "mappings": "", "names": [], "x_facebook_sources": []}).to_string()] {
        let Err(error) = read(&text) else { panic!("{text:.80} is taken for a map") };
        assert!(!error.contains('\u{1b}'), "{error}");
        wording.case(format_args!("{text:.60}"), error);
    }
    let error = formats::source_map::read(&[0xff, 0xfe], "m\u{1b}[2J").unwrap_err();
    wording.add(error.to_string());
}

#[test]
fn what_a_map_points_at_need_not_be_there() {
    let profile = profile("recordings/geo-router.cpu.pprof.gz");
    // Every position leads to line 5,001 of a source without that line, without text, or without a name.
    let mappings = format!("AA{}AA", vlq(5_000));
    let sources = [
        (json!(["a.ts"]), json!([null])),
        (json!(["\u{1b}[2J.ts"]), json!(["x"])),
        (json!([null]), json!([])),
    ];
    for (sources, content) in sources {
        let map = json!({"version": 3, "sources": sources, "sourcesContent": content, "names": ["\u{1b}]0;x\u{7}"],
            "mappings": mappings});
        let map = read(&map.to_string()).unwrap();
        let restored = with(&profile, map);
        assert!(restored.profile.is_none(), "{:?}", restored.uses);
    }
}

fn flarescope(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("flarescope").unwrap();
    let output = command
        .args(arguments)
        .current_dir(fixtures())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

const PROFILE: &str = "recordings/geo-router.cpu.pprof.gz";
const MAP: &str = "maps/geo-router/worker.js.map";

#[test]
fn top_has_the_names_of_the_source_and_says_what_they_were() {
    let mut wording = wording!();
    let (code, out, _) = flarescope(&["top", PROFILE, "--json"]);
    assert_eq!(code, 0);
    let before: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (
            before["rows"][0]["function"].as_str(),
            &before["rows"][0]["original"]
        ),
        (Some("b"), &Value::Null)
    );
    let (code, out, err) = flarescope(&["top", PROFILE, "--json", "--source-map", MAP]);
    assert_eq!((code, err.as_str()), (0, ""));
    let after: Value = serde_json::from_str(&out).unwrap();
    let row = &after["rows"][0];
    assert_eq!(row["function"], "haversineKm");
    assert_eq!(
        (row["file"].as_str(), row["line"].as_i64()),
        (Some("workers/geo-router/geo.ts"), Some(5))
    );
    let original =
        json!({"function": "b", "file": "file:///bundle/worker.js", "line": 1, "column": 560});
    assert_eq!(row["original"], original);
    assert_eq!(
        (&after["total"], &row["self"], &row["total"]),
        (
            &before["total"],
            &before["rows"][0]["self"],
            &before["rows"][0]["total"]
        )
    );
    let (_, out, _) = flarescope(&[
        "top",
        PROFILE,
        "--source-map",
        "maps/geo-router",
        "--focus",
        "^toRadians$",
        "--by",
        "package",
    ]);
    wording.lines(&out, "worker.js.map");
    assert!(out.contains("workers"), "{out}");
}

#[test]
fn exports_are_written_with_the_names_of_the_source() {
    for format in [
        "svg",
        "folded",
        "speedscope",
        "cpuprofile",
        "json",
        "markdown",
        "text",
    ] {
        let (code, out, err) =
            flarescope(&["export", PROFILE, "--to", format, "--source-map", MAP]);
        assert_eq!((code, err.as_str()), (0, ""), "{format}");
        assert!(out.contains("haversineKm"), "{format}");
        assert!(out.contains("toRadians"), "{format}");
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("named.pprof");
    let written = path.to_str().unwrap();
    assert_eq!(
        flarescope(&[
            "export",
            PROFILE,
            "--to",
            "pprof",
            "-o",
            written,
            "--source-map",
            MAP
        ])
        .0,
        0
    );
    let (_, out, _) = flarescope(&["top", written, "--json", "-n", "1"]);
    assert!(
        out.contains("haversineKm") && out.contains("workers/geo-router/geo.ts"),
        "{out}"
    );
    let (_, out, _) = flarescope(&["export", PROFILE, "--to", "markdown", "--source-map", MAP]);
    assert!(
        out.contains(&format!("--source-map {MAP}")),
        "the command that shows the same: {out}"
    );
}

#[test]
fn a_comparison_names_both_sides() {
    let (code, out, _) = flarescope(&["diff", PROFILE, PROFILE, "--json", "--source-map", MAP]);
    assert_eq!(code, 0);
    assert!(out.contains("\"haversineKm\""), "{out}");
}

#[test]
fn a_map_that_does_not_help_is_reported_and_changes_nothing() {
    let mut wording = wording!();
    let (code, out, err) = flarescope(&[
        "top",
        PROFILE,
        "--json",
        "--source-map",
        "maps/namer.js.map",
    ]);
    assert_eq!((code, out), (0, flarescope(&["top", PROFILE, "--json"]).1));
    wording.add(&err);
    let (code, _, err) = flarescope(&["top", PROFILE, "--source-map", "maps/none.map"]);
    assert_eq!(code, 1);
    assert!(err.contains("maps/none.map"), "{err}");
    let (code, _, err) = flarescope(&["top", PROFILE, "--source-map", PROFILE]);
    assert_eq!(code, 1);
    wording.add(err);
    let (code, out, _) = flarescope(&["render", PROFILE, "--source-map", MAP, "--size", "100x30"]);
    assert_eq!(code, 0);
    assert!(out.contains("haversineKm"), "{out}");
}

#[test]
fn a_worker_keeps_its_map() {
    let mut wording = wording!();
    let cache = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("worker.js.map");
    fs::copy(fixtures().join(MAP), &map).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("flarescope").unwrap();
        command
            .env("FLARESCOPE_CACHE_DIR", cache.path())
            .args(arguments)
            .current_dir(fixtures());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    run(&["cache", "import", PROFILE]);
    let listed: Value = serde_json::from_str(&run(&["list", "captures", "--json"])).unwrap();
    let hash = listed[0]["sha256"].as_str().unwrap().to_owned();
    let render = |keys: &str| run(&["render", &hash, "--size", "160x30", "--keys", keys]);
    assert!(!render("").contains("haversineKm"));
    let keys = format!("m \"{}\" enter", map.display());
    wording.lines(&render(&keys), "worker.js.map");
    assert!(
        !render("").contains("haversineKm"),
        "drawing leaves nothing behind"
    );
    // As the screen does.
    let store = Store::open(cache.path());
    store
        .remember_source_maps(&store.find(&hash).unwrap(), std::slice::from_ref(&map))
        .unwrap();
    let again = render("");
    assert!(again.contains("haversineKm"), "{again}");
    wording.lines(&again, "worker.js.map");
    assert!(
        run(&["top", &hash])
            .lines()
            .all(|line| !line.contains("haversineKm")),
        "a script says what it wants"
    );

    fs::copy(fixtures().join("maps/namer.js.map"), &map).unwrap();
    let other = render("");
    wording.lines(&other, "! ");
    fs::remove_file(&map).unwrap();
    let gone = render("");
    wording.lines(&gone, "! ");
    // It stays remembered.
    fs::copy(fixtures().join(MAP), &map).unwrap();
    assert!(render("").contains("haversineKm"));

    for broken in [
        "",
        "{",
        "{\"format\":9,\"workers\":{}}",
        "{\"format\":1,\"workers\":[1]}",
    ] {
        fs::write(cache.path().join("source-maps.json"), broken).unwrap();
        assert!(render("").contains("geo-router"), "{broken}");
    }
    fs::write(cache.path().join("source-maps.json"), "{}").unwrap();
    run(&["cache", "clear"]);
    assert!(!cache.path().join("source-maps.json").exists());
}

/// What the fuzz target does, on what it found so far, on the fixtures, and on damaged copies of them.
#[test]
fn damaged_maps_are_refused_or_change_nothing_but_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "fuzz/corpus/maps",
        "tests/fixtures/maps",
        "tests/fixtures/maps/geo-router",
    ];
    let entries = folders
        .into_iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    assert!(files.len() > 40, "{}", files.len());
    for file in files {
        let bytes = fs::read(&file).unwrap();
        check_map::check(&bytes);
        // In the middle of numbers, of names and of what holds them together.
        for at in (0..bytes.len()).step_by(bytes.len() / 8 + 1) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 7);
            check_map::check(&damaged);
            check_map::check(&bytes[..at]);
        }
    }
}

/// The functions of a profile among `found/` with a map: name, file and line, by own value.
fn named(profile: &str, map: &str) -> Vec<(String, String, i64)> {
    let arguments = ["top", profile, "--json", "--source-map", map];
    let (code, out, err) = flarescope(&arguments);
    assert_eq!(code, 0, "{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let line = row["line"].as_i64().unwrap();
        (text("function"), text("file"), line)
    })
    .collect()
}

fn rows(expected: &[(&str, &str, i64)]) -> Vec<(String, String, i64)> {
    let row =
        |(name, file, line): &(&str, &str, i64)| ((*name).to_owned(), (*file).to_owned(), *line);
    expected.iter().map(row).collect()
}

#[test]
fn an_inline_map_is_found_wherever_it_is() {
    let bundle = "found/n121/inline-then-comment.js";
    let expected = rows(&[("alpha", "src/alpha.ts", 3), ("beta", "src/beta.ts", 5)]);
    let profile = "found/n121/p.cpuprofile";
    assert_eq!(named(profile, bundle), expected);

    let text = fs::read_to_string(fixtures().join(bundle)).unwrap();
    let (code, rest) = text.split_once("//# sourceMappingURL=").unwrap();
    let (url, comment) = rest.split_once('\n').unwrap();
    let json = data_encoding::BASE64
        .decode(url.split_once(',').unwrap().1.as_bytes())
        .unwrap();
    let percent: String = json.iter().map(|byte| format!("%{byte:02X}")).collect();
    let dir = tempfile::tempdir().unwrap();
    for (at, text) in [
        format!(
            "{code}//# sourceMappingURL=data:application/json;charset=utf-8,{percent}\n{comment}"
        ),
        // The name of a comment in a text of the program is none.
        format!("{code}//# sourceMappingURL={url}\nvar x = \"//# sourceMappingURL=\" + y + \"z\""),
        format!("{code}//@ sourceMappingURL={url}\u{2028}// last"),
    ]
    .iter()
    .enumerate()
    {
        let path = dir.path().join(format!("{at}.js"));
        fs::write(&path, text).unwrap();
        assert_eq!(named(profile, path.to_str().unwrap()), expected, "{text}");
    }
}

#[test]
fn a_source_without_a_name_is_none() {
    assert_eq!(
        named("found/n124/p.cpuprofile", "found/n124/out.js.map"),
        rows(&[("a", "file:///srv/out.js", 1), ("beta", "src/beta.ts", 5)])
    );
}

#[test]
fn addresses_in_a_profile_and_its_bundle_are_decoded() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let bundle = fs::read_to_string(fixtures().join("found/n124/out.js")).unwrap();
    let map = fs::read_to_string(fixtures().join("found/n124/out.js.map")).unwrap();
    let map = map.replace("null", "\"dist/../src/alpha.ts\"");
    let map = map.replace("\"out.js\"", "\"my out.js\"");
    put("my out.js.map", &map);
    put(
        "my out.js",
        &format!(
            "{}\n//# sourceMappingURL=my%20out.js.map?v=3\n",
            bundle.trim_end()
        ),
    );
    let profile = fs::read_to_string(fixtures().join("found/n124/p.cpuprofile")).unwrap();
    put(
        "p.cpuprofile",
        &profile.replace("out.js", "my%20out.js?v=3"),
    );
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(
        named(&path("p.cpuprofile"), &path("my out.js")),
        rows(&[("alpha", "src/alpha.ts", 3), ("beta", "src/beta.ts", 5)])
    );
}

#[test]
fn lines_of_a_bundle_end_where_v8_ends_them() {
    let map = |lines: &str, bundle: &str| {
        let json = format!(
            r#"{{"version":3,"file":"out.js","sources":["a.ts"],"names":["alpha"],"mappings":"{lines}AAEA,SAASA"}}"#
        );
        read(&json).unwrap().with_bundle(bundle)
    };
    for end in ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"] {
        let profile = r#"{"nodes":[{"id":1,"callFrame":{"functionName":"a","url":"file:///out.js","lineNumber":1,"columnNumber":10}}],
            "samples":[1],"timeDeltas":[1000]}"#;
        let profile = formats::read(profile.as_bytes(), "p").unwrap();
        let restored = with(
            &profile,
            map(";", &format!("// first{end}function a(){{}}")),
        );
        let named = restored.profile.unwrap();
        let names: Vec<_> = named
            .functions()
            .iter()
            .map(|f| named.text(f.name))
            .collect();
        assert!(
            names.iter().any(|name| name == "alpha"),
            "{end:?}: {names:?}"
        );
    }
}

#[test]
fn an_error_of_a_map_does_not_repeat_the_file() {
    for text in [
        fs::read_to_string(fixtures().join("found/F-map-error-echoes-content.map")).unwrap(),
        format!(r#"{{"version":3,"sections":"{}"}}"#, "x".repeat(5_000)),
        format!(
            r#"{{"version":3,"mappings":"AAAA","names":{{"{}":1}}}}"#,
            "y".repeat(5_000)
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.chars().count() < 260, "{error}");
    }
}

#[test]
fn maps_are_read_in_utf_16() {
    let text = fs::read_to_string(fixtures().join("found/n124/out.js.map")).unwrap();
    let bytes: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert!(formats::source_map::read(&bytes, "m").is_ok());
}
