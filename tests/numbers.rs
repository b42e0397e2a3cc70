//! Numbers that were wrong once, each with what is right.
//!
//! What is right was counted by hand in the small files, and taken from `go tool pprof -top` for the recordings.
#![expect(clippy::unwrap_used, reason = "helpers of a test fail the test")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a command prints, run among the fixtures.
fn printed(arguments: &[&str]) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let output = Command::new(env!("CARGO_BIN_EXE_flarescope"))
        .args(arguments)
        .current_dir(fixtures)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The first line that holds all of some words, among them where its table stands.
fn line<'a>(text: &'a str, words: &[&str]) -> &'a str {
    text.lines()
        .find(|line| words.iter().all(|word| line.contains(word)))
        .unwrap_or_else(|| unreachable!("no line has {words:?}: {text}"))
}

/// The half width of an interval in a row, in points of a percentage.
fn half_width(row: &str) -> &str {
    let (_, after) = row.split_once('±').unwrap();
    let end = after.find(|c: char| !c.is_ascii_digit() && c != '.');
    &after[..end.unwrap_or(after.len())]
}

/// The figures of a text that are percentages by their one decimal or their sign, blanks before it or not.
fn percentages(text: &str) -> Vec<f64> {
    let words = text.replace(" %", "%");
    let words = words.split_whitespace().filter(|word| {
        let digits = word.trim_end_matches('%');
        let decimals = digits
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        digits.starts_with(|c: char| c.is_ascii_digit()) && (decimals == 1 || word.ends_with('%'))
    });
    words
        .filter_map(|word| word.trim_end_matches('%').parse().ok())
        .collect()
}

/// Rows of `top --json`: function, file, line, samples.
fn rows(arguments: &[&str]) -> Vec<(String, String, i64, i64)> {
    let text = printed(&[&["top", "--json"], arguments].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    let rows = report["rows"].as_array().unwrap().iter();
    let mut rows: Vec<_> = rows
        .filter(|row| row["samples"] != 0)
        .map(|row| {
            let text = |field: &str| row[field].as_str().unwrap().to_owned();
            let number = |field: &str| row[field].as_i64().unwrap_or_default();
            (
                text("function"),
                text("file"),
                number("line"),
                number("samples"),
            )
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.3));
    rows
}

#[test]
fn under_a_filter_the_interval_has_the_base_of_its_percentage() {
    // Wilson's interval of 162 in 3,324 samples and of 254 in 5,769, at 95%.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let focused = printed(&["top", cpu, "--focus", "parseCart"]);
    assert_eq!(half_width(line(&focused, &["±", "parseCart"])), "0.7");
    let objects = "recordings/edge-metrics-objects.heap.pprof.gz";
    for heap in ["recordings/edge-metrics.heap.pprof.gz", objects] {
        let focused = printed(&["top", heap, "--focus", "^#merge$"]);
        assert_eq!(
            half_width(line(&focused, &["±", "#merge"])),
            "0.5",
            "{heap}"
        );
    }
}

#[test]
fn without_idle_time_the_interval_has_the_base_of_its_percentage() {
    // 162 of 3,324 samples, 141 of which are idle.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let busy = printed(&["top", cpu, "--no-idle"]);
    assert_eq!(half_width(line(&busy, &["±", "parseCart"])), "0.7");
}

#[test]
fn percentages_of_the_zoom_have_its_interval() {
    // handleCheckout has 2,911 samples, 2,221 of them in validateAddress.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let zoomed = printed(&["render", cpu, "--size", "120x40", "--keys", "k enter %"]);
    let row = line(&zoomed, &["2,221", "±", "worker.js:25"]);
    assert!(zoomed.contains("of zoom"), "{zoomed}");
    assert_eq!(half_width(row), "1.5", "{row}");
}

#[test]
fn no_percentage_of_the_zoom_is_above_all_of_it() {
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    for keys in ["enter %", "j j enter %", "j j enter % tab j j j"] {
        let zoomed = printed(&["render", cpu, "--size", "120x40", "--keys", keys]);
        assert!(zoomed.contains("of zoom"), "{zoomed}");
        for percentage in percentages(&zoomed) {
            assert!(percentage <= 100.0, "{keys}: {percentage} in {zoomed}");
        }
    }
}

#[test]
fn bottom_up_the_details_have_one_scope() {
    let heap = "recordings/checkout-api.heap.pprof.gz";
    let keys = "j p % S backspace t b enter";
    let zoomed = printed(&["render", heap, "--size", "120x40", "--keys", keys]);
    for percentage in percentages(&zoomed) {
        assert!(percentage <= 100.0, "{percentage} in {zoomed}");
    }
}

#[test]
fn a_recursive_function_has_the_same_self_time_in_its_sandwich() {
    // 2.20 of 5.00 s.
    let cpu = "recordings/deep-parser.cpu.pprof.gz";
    let ranked = printed(&["top", cpu]);
    assert!(percentages(line(&ranked, &["±", "parsePrimary"])).contains(&44.1));
    let keys = "/ \"parsePrimary\" enter n esc B";
    let sandwich = printed(&["render", cpu, "--size", "120x40", "--keys", keys]);
    let middle = line(&sandwich, &["parsePrimary", "total", "self"]);
    assert!(percentages(middle).contains(&44.1), "{middle}");
}

#[test]
fn three_callbacks_on_three_lines_are_three_functions() {
    let file = "found/n100-three-unnamed.cpuprofile";
    let at = |line, samples| {
        let (name, file) = ("(anonymous)", "file:///srv/worker/index.js");
        (name.to_owned(), file.to_owned(), line, samples)
    };
    assert_eq!(rows(&[file]), [at(15, 50), at(20, 30), at(32, 20)]);
    // In the call graph as well: fetch calls three.
    let graph: Value = serde_json::from_str(&printed(&["export", file, "--to", "json"])).unwrap();
    let nodes = graph["nodes"].as_array().unwrap();
    let mut samples: Vec<i64> = nodes
        .iter()
        .filter_map(|node| node["samples"].as_i64().filter(|samples| *samples > 0))
        .collect();
    samples.sort_unstable();
    assert_eq!(samples, [20, 30, 50]);
}

#[test]
fn a_map_distinguishes_functions_without_a_name() {
    let file = "found/n102/keepnames.cpuprofile";
    let places = |arguments: &[&str]| -> Vec<(String, i64, i64)> {
        let rows = rows(arguments).into_iter();
        rows.map(|(_, file, line, samples)| (file, line, samples))
            .collect()
    };
    let bundle = "file:///srv/out.js".to_owned();
    assert_eq!(places(&[file]), [(bundle.clone(), 2, 70), (bundle, 3, 30)]);
    // By hand: the map's two names begin on the source's lines 3 and 7.
    let source = "src/math.ts".to_owned();
    assert_eq!(
        places(&[file, "--source-map", "found/n102/out.js.map"]),
        [(source.clone(), 3, 70), (source, 7, 30)]
    );
}

#[test]
fn no_column_of_the_table_writes_over_another() {
    for (arguments, name, figures) in [
        (
            &["found/A1-table-number-overlap.folded"][..],
            "alpha",
            ["9,999,999,999"; 3],
        ),
        (
            &[
                "found/A1-heap-objects-scaled.pprof",
                "--sample-type",
                "objects",
            ],
            "serialise",
            ["73,720,000", "73,720,000", "205,440,000"],
        ),
    ] {
        for size in ["80x24", "120x30", "200x50"] {
            let drawn = printed(&[&["render", "--size", size], arguments].concat());
            // The details and the table's row stand below the icicle, the hint in a line that begins with `!`.
            let rows = drawn
                .lines()
                .filter(|line| line.contains(name) && !line.trim_start().starts_with('!'));
            let words: Vec<&str> = rows
                .rev()
                .take(2)
                .flat_map(|row| row.split(|c: char| c.is_whitespace() || c == '━'))
                .filter(|word| word.contains(','))
                .collect();
            assert!(!words.is_empty(), "{size}: {drawn}");
            for word in words {
                assert!(figures.contains(&word), "{size}: {word}\n{drawn}");
            }
        }
    }
}

/// A file of folded stacks, or a `.cpuprofile`, in a folder of its own.
struct Written(tempfile::TempDir);

impl Written {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// A `.cpuprofile` in which `fetch` calls functions of one file: name, line, column (from 0) and samples of each.
fn v8(functions: &[(&str, i64, i64, usize)]) -> String {
    let frame = |name: &str, line: i64, column: i64| {
        serde_json::json!({"functionName": name, "scriptId": "7", "url": "file:///srv/a.js",
            "lineNumber": line, "columnNumber": column})
    };
    let ids = 2..functions.len() + 2;
    let mut nodes = vec![
        serde_json::json!({"id": 1, "callFrame": frame("fetch", 9, 2), "hitCount": 0,
        "children": ids.collect::<Vec<_>>()}),
    ];
    let mut samples = Vec::new();
    for (id, (name, line, column, count)) in (2..).zip(functions) {
        nodes.push(
            serde_json::json!({"id": id, "callFrame": frame(name, *line, *column),
            "hitCount": count, "children": []}),
        );
        samples.extend(std::iter::repeat_n(id, *count));
    }
    serde_json::json!({"nodes": nodes, "startTime": 0, "endTime": samples.len() * 1000,
        "samples": samples, "timeDeltas": vec![1000; samples.len()]})
    .to_string()
}

/// Lines, columns and samples of the rows of `top --json`.
fn spots(arguments: &[&str]) -> Vec<(Option<i64>, Option<i64>, i64)> {
    let report: Value =
        serde_json::from_str(&printed(&[&["top", "--json"], arguments].concat())).unwrap();
    let rows = report["rows"].as_array().unwrap().iter();
    let spot = |row: &Value| {
        let number = |field: &str| row[field].as_i64();
        (number("line"), number("column"), number("samples").unwrap())
    };
    rows.map(spot).filter(|spot| spot.2 > 0).collect()
}

#[test]
fn functions_of_one_line_are_kept_apart_by_their_columns() {
    let names = ["", "anonymous", "<anonymous>"];
    let [one, other, third] = names;
    let files = Written::new(&[(
        "min.cpuprofile",
        &v8(&[
            (one, 0, 100, 50),
            (one, 0, 300, 30),
            (other, 4, 8, 15),
            (third, 6, 8, 5),
        ]),
    )]);
    let file = files.path("min.cpuprofile");
    let apart = [
        (Some(1), Some(101), 50),
        (Some(1), Some(301), 30),
        // Where the line is enough it is all.
        (Some(5), None, 15),
        (Some(7), None, 5),
    ];
    assert_eq!(spots(&[&file]), apart);
    let table = printed(&["top", &file]);
    for place in ["a.js:1:101", "a.js:1:301", "a.js:5", "a.js:7"] {
        line(&table, &[place]);
    }
    // The lines of one have nothing of the other.
    let source = printed(&["source", "--json", &file, "--function", "(anonymous)"]);
    let source: Value = serde_json::from_str(&source).unwrap();
    assert_eq!(source["lines"][0]["self"], 50_000_000);
    // By name they are what they are called.
    let by_name: Vec<i64> = spots(&[&file, "--by", "name"])
        .iter()
        .map(|spot| spot.2)
        .collect();
    assert_eq!(by_name, [80, 15, 5]);
    let compared = printed(&["diff", "--json", &file, &file]);
    let compared: Value = serde_json::from_str(&compared).unwrap();
    assert_eq!(compared["rows"].as_array().unwrap().len(), 5);
}

#[test]
fn the_place_is_beside_a_nameless_function_in_boxes_and_exports() {
    let file = "found/n100-three-unnamed.cpuprofile";
    let drawn = printed(&["render", file, "--size", "120x40"]);
    line(&drawn, &["(anonymous) index.js:15", "50.0%"]);
    for to in ["folded", "text", "markdown", "svg"] {
        let written = printed(&["export", file, "--to", to]);
        for place in ["index.js:15", "index.js:20", "index.js:32"] {
            line(&written, &["(anonymous)", place]);
        }
    }
}

#[test]
fn nameless_functions_are_still_apart_when_an_export_is_read_back() {
    let file = "found/n100-three-unnamed.cpuprofile";
    for to in ["pprof", "folded", "cpuprofile"] {
        let files = Written::new(&[]);
        let written = files.path(&format!("written.{to}"));
        printed(&["export", file, "--to", to, "-o", &written]);
        let report: Value = serde_json::from_str(&printed(&["top", "--json", &written])).unwrap();
        let rows = report["rows"].as_array().unwrap().iter();
        let own: Vec<i64> = rows.map(|row| row["self"].as_i64().unwrap()).collect();
        let own: Vec<i64> = own.into_iter().filter(|own| *own > 0).collect();
        let [one, other, third] = own[..] else {
            unreachable!("{to}: {own:?}")
        };
        assert_eq!((one * 3, one * 2), (other * 5, third * 5), "{to}");
    }
}

#[test]
fn other_filters_leave_share_and_interval_what_they_are() {
    // 162 of 3,324 samples in parseCart.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    for filter in [
        &["--ignore", "validateAddress"][..],
        &["--show-from", "parseCart"],
        &["--focus", "parseCart", "--no-idle"],
    ] {
        let table = printed(&[&["top", cpu], filter].concat());
        let row = line(&table, &["±", "parseCart"]);
        assert_eq!(half_width(row), "0.7", "{filter:?}: {row}");
    }
}

#[test]
fn of_what_is_shown_the_interval_is_that_as_well() {
    // 2,221 of the 3,183 samples that are not idle.
    let cpu = "recordings/checkout-api.cpu.pprof.gz";
    let shown = printed(&["render", cpu, "--size", "120x40", "--keys", "% %"]);
    let row = line(&shown, &["2,221", "±", "worker.js:25"]);
    assert_eq!(half_width(row), "1.6", "{row}");
}

#[test]
fn a_table_of_the_zoom_lists_what_is_in_it() {
    // c runs in a (10) and in b (30).
    let files = Written::new(&[("it.folded", "main;a;c 10\nmain;b;c 30\nmain;b;d 60\n")]);
    let file = files.path("it.folded");
    let drawn = |keys: &str| {
        let keys = format!("/ \"b\" enter n enter esc {keys}");
        printed(&["render", &file, "--size", "120x40", "--keys", &keys])
    };
    let is_row =
        |line: &&str, name: &str| line.trim_end().ends_with("no file") && line.contains(name);
    let row = |drawn: &str, name: &str| -> Option<String> {
        drawn
            .lines()
            .find(|line| is_row(line, name))
            .map(str::to_owned)
    };
    let whole = drawn("");
    assert_eq!(
        percentages(&row(&whole, " c ").unwrap()),
        [40.0, 40.0],
        "{whole}"
    );
    assert!(row(&whole, " a ").is_some(), "{whole}");
    let zoomed = drawn("%");
    assert_eq!(
        percentages(&row(&zoomed, " c ").unwrap())[0],
        33.3,
        "{zoomed}"
    );
    assert!(row(&zoomed, " a ").is_none(), "{zoomed}");
}

#[test]
fn bottom_up_a_function_has_its_self_time_where_it_is_on_top_only() {
    let files = Written::new(&[("it.folded", "main;a;c 10\nmain;b;c 30\nmain;b 60\n")]);
    let file = files.path("it.folded");
    let details = |keys: &str| printed(&["render", &file, "--size", "120x40", "--keys", keys]);
    let top = details("b g j");
    line(&top, &["self", "60", "60.0%", "total", "60.0%"]);
    // Its caller has none of it, and what it holds elsewhere is said to be its function's.
    let caller = details("b / \"c\" enter n esc j");
    line(&caller, &["self", "0", "total", "30", "30.0%"]);
}

#[test]
fn recursion_counts_once_wherever_it_is_looked_at() {
    // f holds itself: 3 and 4 below it are in it once.
    let files = Written::new(&[("it.folded", "main;f;g;f 3\nmain;f;f 4\nmain;f 2\nmain 1\n")]);
    let file = files.path("it.folded");
    let table = printed(&["top", &file]);
    let row = line(&table, &["90.0%", " f "]);
    assert!(percentages(row).iter().all(|value| *value == 90.0), "{row}");
    let keys = "/ \"f\" enter n esc B";
    let sandwich = printed(&["render", &file, "--size", "120x40", "--keys", keys]);
    let middle = line(&sandwich, &["total", "self"]);
    assert_eq!(percentages(middle), [90.0, 90.0], "{middle}");
    let bottom_up = printed(&["render", &file, "--size", "120x40", "--keys", "b"]);
    for percentage in percentages(&bottom_up) {
        assert!(percentage <= 100.0, "{bottom_up}");
    }
}

#[test]
fn a_comparison_is_as_wide_as_its_widest_number() {
    let stacks = |times: i64| {
        format!(
            "main;alpha {}\nmain;beta {}\n",
            9_999_999_999 * times,
            7 * times
        )
    };
    let files = Written::new(&[("one.folded", &stacks(1)), ("two.folded", &stacks(3))]);
    let (one, two) = (files.path("one.folded"), files.path("two.folded"));
    let table = printed(&["diff", &one, &two]);
    line(
        &table,
        &[
            "9,999,999,999",
            "29,999,999,997",
            "+19,999,999,998",
            "×3",
            "alpha",
        ],
    );
}

#[test]
fn own_code_packages_runtime_and_no_file_are_four_things() {
    // The module of the runtime has 60 samples, handle 40.
    let file = "found/n103-runtime-module.cpuprofile";
    let names = |arguments: &[&str]| -> Vec<(String, i64)> {
        rows(arguments)
            .into_iter()
            .map(|(name, _, _, samples)| (name, samples))
            .collect()
    };
    let named = |rows: &[(&str, i64)]| -> Vec<(String, i64)> {
        rows.iter()
            .map(|(name, samples)| ((*name).to_owned(), *samples))
            .collect()
    };
    assert_eq!(
        names(&[file, "--by", "package"]),
        named(&[("(runtime)", 60), ("srv", 40)])
    );
    let by_package = printed(&["top", file, "--by", "package"]);
    assert!(
        !line(&by_package, &["srv"]).contains("runtime"),
        "{by_package}"
    );
    let files = Written::new(&[("it.folded", "fetch;parse 3\n")]);
    let folded = files.path("it.folded");
    assert_eq!(
        names(&[&folded, "--by", "package"]),
        named(&[("(no file)", 3)])
    );
    assert_eq!(
        names(&[&folded, "--by", "file"]),
        named(&[("(no file)", 3)])
    );
    let table = printed(&["top", &folded]);
    assert!(
        table.contains("no file") && !table.contains("runtime"),
        "{table}"
    );
}

#[test]
fn the_kind_is_the_profiles_whichever_type_is_shown() {
    for (file, kind) in [
        ("foreign/go-goroutine.pb.gz", "goroutine"),
        ("foreign/go-block.pb.gz", "contentions"),
        ("foreign/go-heap.pb.gz", "heap"),
        ("foreign/go-cpu.pb.gz", "cpu"),
        ("recordings/checkout-api.heap.pprof.gz", "heap"),
    ] {
        for keys in ["g", "V", "V V"] {
            let drawn = printed(&["render", file, "--size", "160x40", "--keys", keys]);
            let title = drawn.lines().next().unwrap();
            assert!(title.contains(&format!("· {kind}")), "{keys}: {title}");
        }
    }
}

#[test]
fn changes_are_factors_where_they_are_large_and_percentages_where_not() {
    let files = Written::new(&[
        ("base.folded", "a 100\nb 100\nc 1000\nd 100\n"),
        ("new.folded", "a 2059\nb 127\nc 430\nd 100\n"),
    ]);
    let (base, new) = (files.path("base.folded"), files.path("new.folded"));
    let table = printed(&["diff", &base, &new]);
    for words in [
        ["×21", " a "],
        ["+27%", " b "],
        ["×0.43", " c "],
        ["–", " d "],
    ] {
        line(&table, &words);
    }
}

#[test]
fn small_and_cancelled_numbers_are_said_as_they_are() {
    let short = printed(&["render", "found/n130-short.cpuprofile", "--size", "120x40"]);
    line(&short, &["cpu 23 ms"]);
    let files = Written::new(&[
        ("one.folded", "a 1\n"),
        ("zero.folded", "main;a 5000000\nmain;b -1\n"),
        ("both.folded", "main;a 5\nmain;b -5\nidle 1\n"),
    ]);
    let one = printed(&["top", &files.path("one.folded")]);
    assert!(one.contains("1 sample,"), "{one}");
    for drawn in [
        printed(&["render", &files.path("zero.folded"), "--size", "120x40"]),
        printed(&["top", &files.path("zero.folded")]),
    ] {
        assert!(!drawn.contains("\u{2212}0.0"), "{drawn}");
    }
    let both = printed(&["render", &files.path("both.folded"), "--size", "120x40"]);
    line(&both, &["main", "+5 \u{2212}5"]);
}
