//! The code of a function with the cost of each line, against figures of `go tool pprof -list` and ticks added up apart.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

#[path = "support/wording.rs"]
mod wording;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};

use wording::wording;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
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

fn source(arguments: &[&str]) -> Value {
    let (code, out, err) = flarescope(&[&["source"], arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

/// The lines of an answer: number, self, total.
fn lines(answer: &Value) -> Vec<(i64, i64, Option<i64>)> {
    let line = |line: &Value| {
        (
            line["line"].as_i64().unwrap(),
            line["self"].as_i64().unwrap(),
            line["total"].as_i64(),
        )
    };
    answer["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(line)
        .collect()
}

const MS: i64 = 1_000_000;

#[test]
fn lines_of_go_cost_what_pprof_says() {
    let mut wording = wording!();
    // From `go tool pprof -unit=ms -list '^main\.' -source_path=. -trim_path=example.com/shop go-twice.cpu.pb.gz`.
    let file = "go/go-twice.cpu.pb.gz";
    let ship = source(&[file, "--function", "main.ship", "--source-root", "go"]);
    assert_eq!(
        lines(&ship),
        [
            (53, 0, Some(770 * MS)),
            (56, 0, Some(350 * MS)),
            (57, 0, Some(750 * MS))
        ]
    );
    assert_eq!(
        (&ship["kind"], &ship["self"], &ship["total"]),
        (&json!("lines"), &json!(0), &json!(1870 * MS))
    );
    assert_eq!(ship["lines"][0]["text"], "    if price(o) == 0 {");
    let price = source(&[file, "--function", "main.price", "--source-root", "go"]);
    assert_eq!(lines(&price)[0], (30, 500 * MS, Some(510 * MS)));
    assert_eq!(lines(&price).last(), Some(&(32, 880 * MS, Some(1010 * MS))));
    assert_eq!(
        (price["self"].as_i64(), price["total"].as_i64()),
        (Some(1380 * MS), Some(1520 * MS))
    );
    let (_, out, _) = flarescope(&[
        "source",
        file,
        "--function",
        "main.ship",
        "--source-root",
        "go",
    ]);
    for line in out.lines().take(3) {
        wording.add(line);
    }
    assert!(
        out.contains("func ship(o *order) int {") && out.contains("return cost + price(o)"),
        "{out}"
    );
    // The function's end is shown, and nothing far away.
    assert!(
        out.contains("     58  }") && !out.contains("package main"),
        "{out}"
    );
}

#[test]
fn memory_of_go_is_reported_by_line() {
    let observe = source(&[
        "go/go-packages.heap.pb.gz",
        "--function",
        "example.com/shop/metrics.Observe",
        "--source-root",
        "go",
    ]);
    let sum: i64 = lines(&observe).iter().map(|line| line.1).sum();
    assert_eq!(observe["self"].as_i64(), Some(sum));
    let at = |number: i64| {
        lines(&observe)
            .into_iter()
            .find(|line| line.0 == number)
            .unwrap()
    };
    // pprof rounds to a hundredth of a megabyte: 19.55, 34.03 and 1.84 MB.
    let hundredths = |bytes: i64| (bytes as f64 / 1_048_576.0 * 100.0).round() as i64;
    assert_eq!(
        (
            hundredths(at(10).1),
            hundredths(at(12).2.unwrap()),
            hundredths(at(14).1)
        ),
        (1955, 3403, 184)
    );
}

#[test]
fn ticks_of_v8_are_added_up_by_line() {
    // The recording's positionTicks of all nodes of these functions, by line, added up apart from this program.
    let file = "v8/chat-rooms.cpuprofile.gz";
    let ticks = |answer: &Value| -> Vec<(i64, i64)> {
        lines(answer).iter().map(|line| (line.0, line.1)).collect()
    };
    let fetch = source(&[file, "--function", "fetch", "--focus", "^fetch$"]);
    assert_eq!(
        fetch["file"], "file:///bundle/worker.js",
        "the heaviest of that name"
    );
    assert_eq!(
        ticks(&fetch),
        [(40, 178), (72, 282), (73, 1), (74, 3), (76, 10)]
    );
    assert_eq!(
        (&fetch["kind"], &fetch["lines"][0]["total"]),
        (&json!("ticks"), &Value::Null)
    );
    let post = source(&[file, "--function", "#postMessage"]);
    assert_eq!(ticks(&post), [(46, 65), (47, 3), (49, 2), (50, 2), (51, 8)]);

    // Lines 46 and 47 to 51 of the bundle are line 21 and lines 22 to 26 of the source.
    let mapped = source(&[
        file,
        "--function",
        "#postMessage",
        "--source-map",
        "maps/chat-rooms.js.map",
    ]);
    assert_eq!(mapped["file"], "workers/chat-rooms/index.ts");
    assert_eq!(
        ticks(&mapped),
        [(21, 65), (22, 3), (24, 2), (25, 2), (26, 8)]
    );
    assert_eq!(mapped["elsewhere"], 0);
    assert!(
        mapped["lines"][0]["text"]
            .as_str()
            .unwrap()
            .contains("#postMessage("),
        "{mapped}"
    );
    let (_, out, _) = flarescope(&[
        "source",
        file,
        "--function",
        "#postMessage",
        "--source-map",
        "maps/chat-rooms.js.map",
    ]);
    assert!(out.contains("         65     21  "), "{out}");
}

#[test]
fn a_function_start_is_all_that_v8s_pprof_has() {
    let mut wording = wording!();
    let file = "recordings/geo-router.cpu.pprof.gz";
    let map = ["--source-map", "maps/geo-router/worker.js.map"];
    let found = source(&[&[file, "--function", "haversineKm"], &map[..]].concat());
    assert_eq!(
        (&found["kind"], &found["line"]),
        (&json!("start"), &json!(5))
    );
    assert_eq!(
        lines(&found),
        [(5, found["self"].as_i64().unwrap(), found["total"].as_i64())]
    );
    let text = found["lines"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("export function haversineKm("), "{text}");
    let (_, out, _) =
        flarescope(&[&["source", file, "--function", "haversineKm"], &map[..]].concat());
    for line in out.lines().take(3) {
        wording.add(line);
    }

    // Ticks in a bundle that is one long line say no more: all of a function's are on the line it starts on.
    let ticked = source(
        &[
            &["v8/geo-router.cpuprofile.gz", "--function", "haversineKm"],
            &map[..],
        ]
        .concat(),
    );
    assert_eq!(
        (&ticked["kind"], &ticked["line"]),
        (&json!("start"), &json!(5))
    );

    // Without a map, the one line of the bundle is cut around the function.
    let (_, out, _) = flarescope(&[
        "source",
        file,
        "--function",
        "b",
        "--source-root",
        "maps/geo-router",
    ]);
    assert!(
        out.contains("function b(n,e,r,t)") && out.lines().all(|line| line.chars().count() < 220),
        "{out}"
    );
}

#[test]
fn what_is_not_at_hand_is_said() {
    let mut wording = wording!();
    let file = "recordings/checkout-api.cpu.pprof.gz";
    let (code, out, err) = flarescope(&["source", file, "--function", "validateAddress"]);
    assert_eq!(code, 0);
    wording.add(&err);
    assert!(out.contains("validateAddress"), "{out}{err}");
    let (code, _, err) = flarescope(&["source", file, "--function", "nobody\u{1b}[2J"]);
    assert_eq!(code, 1);
    wording.add(&err);
    let (code, _, err) = flarescope(&["source", file, "--function", "(garbage collector)"]);
    assert_eq!(code, 0);
    wording.add(err);
    let (code, out, _) = flarescope(&["source", file, "--function", "nobody", "--json"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("{\"error\""), "{out}");
}

#[test]
fn code_from_outside_is_neutralised() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("main.go"),
        format!("\u{1b}]0;x\u{7}{}", "\n\tx\u{1b}[2J\u{202e}".repeat(60)),
    )
    .unwrap();
    let root = dir.path().to_str().unwrap();
    for format in [&[][..], &["--json"]] {
        let arguments = [
            &[
                "source",
                "go/go-twice.cpu.pb.gz",
                "--function",
                "main.ship",
                "--source-root",
                root,
            ],
            format,
        ];
        let (code, out, _) = flarescope(&arguments.concat());
        assert_eq!(code, 0);
        assert!(
            out.contains('␛') && !out.contains('\u{1b}') && !out.contains('\u{202e}'),
            "{out:?}"
        );
    }
}

#[test]
fn the_file_of_an_address_is_read_and_named() {
    let (profile, root) = ("found/n118/blank.cpuprofile", "found/n118/root");
    let arguments = [
        "source",
        profile,
        "--function",
        "hot",
        "--source-root",
        root,
    ];
    let (code, out, err) = flarescope(&arguments);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("function hot(n)"), "{out}");
    assert!(err.contains("my app/main.js"), "{err}");
    // On the screen as well.
    let (_, out, _) = flarescope(&[
        "render",
        profile,
        "--source-root",
        root,
        "--keys",
        "j v",
        "--size",
        "160x30",
    ]);
    assert!(
        out.contains("my app/main.js") && out.contains("function hot(n)"),
        "{out}"
    );
    // A namesake is not taken for it: without that folder two other files have the name.
    let dir = tempfile::tempdir().unwrap();
    for folder in ["a", "b"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
        fs::write(dir.path().join(folder).join("main.js"), "other\n\n\n\n").unwrap();
    }
    let root = dir.path().to_str().unwrap();
    let (_, out, err) = flarescope(&[
        "source",
        profile,
        "--function",
        "hot",
        "--source-root",
        root,
    ]);
    assert!(!out.contains("other") && !err.is_empty(), "{out}{err}");
}

#[test]
fn ticks_beyond_64_bits_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.cpuprofile");
    let max = i64::MAX;
    let profile = |ticks: &str| {
        format!(
            r#"{{"nodes":[{{"id":1,"callFrame":{{"functionName":"a","url":"a.js","lineNumber":0,"columnNumber":0}},"positionTicks":[{ticks}]}}],
            "samples":[1],"timeDeltas":[1000]}}"#
        )
    };
    let arguments = ["source", path.to_str().unwrap(), "--function", "a"];
    // Of one line, and of lines that are on none.
    for ticks in [
        format!(r#"{{"line":2,"ticks":{max}}},{{"line":2,"ticks":{max}}}"#),
        format!(r#"{{"line":3,"ticks":{max}}},{{"line":3,"ticks":1}}"#),
    ] {
        fs::write(&path, profile(&ticks)).unwrap();
        let (code, out, err) = flarescope(&arguments);
        assert_eq!(code, 1, "{out}{err}");
        assert!(err.contains("positionTicks"), "{err}");
    }
    // Of two lines each fits, and so does their percentage.
    fs::write(
        &path,
        profile(&format!(
            r#"{{"line":2,"ticks":{max}}},{{"line":3,"ticks":{max}}}"#
        )),
    )
    .unwrap();
    let (code, out, err) = flarescope(&arguments);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("9,223,372,036,854,775,807"), "{out}");
}
