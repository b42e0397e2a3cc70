//! Exported pictures, read back as a browser would: well-formed whatever the names, and laid out as the screen is.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

#[path = "support/wording.rs"]
mod wording;

use std::fs;
use std::path::{Path, PathBuf};

use flarescope::export::{Caption, Scene, json, markdown, svg, text};
use flarescope::formats;
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::view::{Direction, View};
use flarescope::model::profile::Profile;
use roxmltree::Document;

use wording::wording;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn open(path: &str) -> Profile {
    formats::read(fs::File::open(fixtures().join(path)).unwrap(), path).unwrap()
}

/// Every profile among the fixtures that can be read at all.
fn readable() -> Vec<(String, Profile)> {
    let folders = ["recordings", "cases", "malformed"].map(|folder| fixtures().join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut found: Vec<(String, Profile)> = files
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            Some((
                name.clone(),
                formats::read(fs::File::open(&path).unwrap(), &name).ok()?,
            ))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(found.len() > 50, "{} readable profiles", found.len());
    found
}

/// Exports a file's whole view in one of the formats that are text.
fn report(path: &str, write: impl FnOnce(&Scene<'_>) -> Vec<u8>) -> String {
    let profile = open(path);
    let view = View {
        hide_idle: true,
        ..View::new(&profile)
    };
    let reading = read(&profile, &view).unwrap();
    let caption = Caption::new("checkout-api", &profile, &view, &reading);
    let scene = Scene {
        profile: &profile,
        reading: &reading,
        root: NodeId::ROOT,
        caption: &caption,
    };
    String::from_utf8(write(&scene)).unwrap()
}

fn picture(profile: &Profile, reading: &Reading, root: NodeId) -> String {
    let caption = Caption {
        title: "checkout-api · cpu 8 s <&>".into(),
        facts: "2026-11-30T03:12:40Z".into(),
        ..Caption::default()
    };
    let drawn = svg(&Scene {
        profile,
        reading,
        root,
        caption: &caption,
    });
    String::from_utf8(drawn).unwrap()
}

/// Parses as a browser does: a fault anywhere is an error.
fn parse(text: &str) -> Document<'_> {
    Document::parse(text).unwrap()
}

/// A box as it is drawn: the lines of its title, its label, left end and width in the profile's units and in pixels.
#[derive(Debug, Clone, PartialEq)]
struct Drawn {
    title: Vec<String>,
    label: String,
    y: u64,
    x: u64,
    width: u64,
    pixels: (f64, f64),
    fill: String,
}

/// Reads the boxes of a flame graph.
fn drawn(document: &Document<'_>) -> Vec<Drawn> {
    let frames = document
        .descendants()
        .find(|node| node.attribute("class") == Some("frames"));
    let groups = frames.iter().flat_map(|frames| frames.children());
    groups
        .filter(roxmltree::Node::is_element)
        .map(|group| {
            let child = |tag: &str| group.children().find(|node| node.has_tag_name(tag));
            let text = |tag: &str| child(tag).and_then(|node| node.text()).unwrap_or_default();
            let rect = child("rect").unwrap();
            let number = |name: &str| group.attribute(name).unwrap().parse().unwrap();
            let pixels = |name: &str| rect.attribute(name).unwrap().parse().unwrap();
            Drawn {
                title: text("title").split('\n').map(str::to_owned).collect(),
                label: text("text").to_owned(),
                y: rect.attribute("y").unwrap().parse().unwrap(),
                x: number("data-x"),
                width: number("data-w"),
                pixels: (pixels("x"), pixels("width")),
                fill: rect.attribute("fill").unwrap().to_owned(),
            }
        })
        .collect()
}

/// The texts of a class, one a line.
fn said<'a>(document: &'a Document<'_>, class: &str) -> Vec<&'a str> {
    document
        .descendants()
        .filter(|node| node.attribute("class") == Some(class))
        .map(|node| node.text().unwrap_or_default())
        .collect()
}

fn boxes(path: &str, view: impl FnOnce(View) -> View) -> Vec<Drawn> {
    let profile = open(path);
    let reading = read(&profile, &view(View::new(&profile))).unwrap();
    drawn(&parse(&picture(&profile, &reading, NodeId::ROOT)))
}

#[test]
fn pictures_are_well_formed_whatever_the_names() {
    for (name, profile) in readable() {
        for direction in [Direction::TopDown, Direction::BottomUp] {
            let Ok(reading) = read(
                &profile,
                &View {
                    direction,
                    ..View::new(&profile)
                },
            ) else {
                continue;
            };
            let text = picture(&profile, &reading, NodeId::ROOT);
            let forbidden =
                |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
            assert_eq!(text.chars().find(|c| forbidden(*c)), None, "{name}");
            let document = parse(&text);
            let scripts = document
                .descendants()
                .filter(|node| node.has_tag_name("script"))
                .count();
            assert!(scripts <= 1, "{name}: {scripts} scripts");
            let allowed = ["svg", "g", "rect", "text", "title", "style", "script"];
            for element in document.descendants().filter(roxmltree::Node::is_element) {
                let tag = element.tag_name().name();
                assert!(allowed.contains(&tag), "{name}: <{tag}>");
                let handler = element.attributes().find(|attribute| {
                    attribute.name().starts_with("on") || attribute.name() == "style"
                });
                assert!(handler.is_none(), "{name}: {handler:?}");
            }
        }
    }
}

#[test]
fn every_frame_is_one_box_as_wide_as_its_weight() {
    for (name, profile) in readable() {
        let Ok(reading) = read(&profile, &View::new(&profile)) else {
            continue;
        };
        let tree = &reading.tree;
        if tree.has_negative() || tree.weight(NodeId::ROOT) == 0 {
            continue;
        }
        let text = picture(&profile, &reading, NodeId::ROOT);
        let boxes = drawn(&parse(&text));
        let mut found: Vec<u64> = boxes.iter().map(|one| one.width).collect();
        let mut wanted: Vec<u64> = tree
            .nodes()
            .map(|node| tree.weight(node))
            .filter(|weight| *weight > 0)
            .collect();
        found.sort_unstable();
        wanted.sort_unstable();
        if wanted.len() <= 5_000 {
            assert_eq!(found, wanted, "{name}");
        } else {
            assert!(text.contains("frames narrower than"), "{name}");
            assert!(boxes.len() < wanted.len(), "{name}");
        }
        // What is below a box is inside it and doesn't overlap, drawn one by one or not.
        let mut open: Vec<(&Drawn, u64)> = Vec::new();
        for one in &boxes {
            while open.last().is_some_and(|(above, _)| above.y >= one.y) {
                open.pop();
            }
            if let Some((above, covered)) = open.last_mut() {
                assert!(one.x >= above.x + *covered, "{name}: {one:?}");
                *covered = one.x + one.width - above.x;
                assert!(*covered <= above.width, "{name}: {one:?}");
            }
            open.push((one, 0));
            let scale = 1180.0 / boxes[0].width as f64;
            let (x, width) = (10.0 + one.x as f64 * scale, one.width as f64 * scale);
            assert!((one.pixels.0 - x).abs() < 0.01, "{name}: {one:?}");
            assert!(
                one.pixels.1 <= width + 0.01 && one.pixels.1 > width - 0.52,
                "{name}: {one:?}"
            );
        }
    }
}

#[test]
fn frames_too_narrow_to_draw_are_one_box_that_counts_them() {
    let name = |at: usize| format!("f{at}");
    let functions: Vec<String> = (0..6_001).map(name).collect();
    let functions: Vec<(&str, &str)> = functions.iter().map(|name| (&**name, "a.js")).collect();
    // One callee of 12,000 and 6,000 of 1 each, beside the 12,000 an eighteen-thousandth of the whole.
    let mut stacks = vec![(vec![0], 12_000)];
    stacks.extend((1..6_001).map(|callee| (vec![0, callee], 1)));
    let (profile, reading) = encoded(&functions, &stacks);
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    let boxes = drawn(&document);
    let titles: Vec<&str> = boxes.iter().map(|one| &*one.title[0]).collect();
    assert_eq!(titles, ["all", "f0", "+6,000 frames"]);
    assert_eq!((boxes[2].x, boxes[2].width), (0, 6_000));
    assert!(
        boxes[2].title[1].starts_with("total 6 µs, 33.3"),
        "{boxes:?}"
    );
    let facts = said(&document, "facts").concat();
    assert!(facts.contains("6,000 frames narrower than"), "{facts}");
}

#[test]
fn the_root_is_on_top_and_the_heaviest_stand_left() {
    for path in [
        "recordings/checkout-api.cpu.pprof.gz",
        "recordings/monolith.cpu.pprof.gz",
    ] {
        let boxes = boxes(path, |view| view);
        let mut rows: Vec<u64> = boxes.iter().map(|one| one.y).collect();
        rows.sort_unstable();
        rows.dedup();
        let row = |at: usize| {
            let mut row: Vec<&Drawn> = boxes.iter().filter(|one| one.y == rows[at]).collect();
            row.sort_by_key(|one| one.x);
            row
        };
        assert_eq!(row(0).len(), 1, "{path}");
        assert_eq!(row(0)[0].title[0], "all", "{:?}", row(0));
        for at in 1..rows.len() {
            for caller in row(at - 1) {
                let below: Vec<&Drawn> = row(at)
                    .into_iter()
                    .filter(|one| one.x >= caller.x && one.x + one.width <= caller.x + caller.width)
                    .collect();
                assert!(
                    below.is_sorted_by(|one, other| one.width >= other.width),
                    "{path}: {below:?}"
                );
                assert!(
                    below.first().is_none_or(|first| first.x == caller.x),
                    "{path}: callees start where {caller:?} does"
                );
            }
        }
    }
}

#[test]
fn self_time_stays_blank_beside_the_callee() {
    let boxes = boxes("cases/a08-self-and-child.pb", |view| view);
    let widths: Vec<(u64, u64)> = boxes.iter().map(|one| (one.x, one.width)).collect();
    let total = boxes.iter().map(|one| one.width).max().unwrap();
    let child = boxes.iter().max_by_key(|one| one.y).unwrap();
    assert_eq!((child.x, child.width * 4), (0, total), "{widths:?}");
}

#[test]
fn figures_are_those_of_the_screen() {
    let all = |hide_idle| {
        boxes("recordings/checkout-api.cpu.pprof.gz", |view| View {
            hide_idle,
            ..view
        })
    };
    for boxes in [all(true), all(false)] {
        let named = boxes.iter().find(|one| one.title[0] == "validateAddress");
        let named = named.unwrap();
        assert_eq!(
            named.title[1..],
            [
                "total 5.09 s, 63.7%",
                "self 5.09 s, 63.7%",
                "file:///bundle/worker.js:25"
            ]
        );
        assert_eq!(named.label, "validateAddress  63.7%");
    }
    assert_eq!(all(false)[0].title[1], "total 8.00 s, 100%");
    assert_eq!(all(true)[0].title[1], "total 7.55 s, 94.3%");
}

#[test]
fn a_zoomed_view_is_exported_from_its_root_down() {
    let profile = open("recordings/checkout-api.cpu.pprof.gz");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let frame = rank(&reading, Sort::Total, false)
        .into_iter()
        .find(|row| reading.frames.name(row.frame) == "handleCheckout")
        .unwrap()
        .frame;
    let root = reading
        .tree
        .nodes()
        .find(|node| reading.tree.frame(*node) == Some(frame))
        .unwrap();
    let boxes = drawn(&parse(&picture(&profile, &reading, root)));
    assert_eq!(boxes.len(), reading.tree.within(root).count());
    assert_eq!(boxes[0].title[0], "handleCheckout");
    assert_eq!(boxes[0].width, reading.tree.weight(root));
    let below = boxes.iter().find(|one| one.title[0] == "validateAddress");
    assert_eq!(below.unwrap().title[1], "total 5.09 s, 63.7%");
}

#[test]
fn values_below_zero_are_as_wide_as_without_their_sign() {
    let profile = open("cases/a06-negative.pb");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let tree = &reading.tree;
    assert!(tree.has_negative());
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    let boxes = drawn(&document);
    let count = tree.nodes().filter(|node| tree.weight(*node) > 0).count();
    assert_eq!(boxes.len(), count);
    let below = boxes
        .iter()
        .filter(|one| one.title[1].contains("total \u{2212}"));
    let fills: Vec<&str> = below.map(|one| &*one.fill).collect();
    assert!(
        !fills.is_empty() && fills.iter().all(|fill| *fill == fills[0]),
        "{boxes:?}"
    );
    assert!(text.contains(">below zero</text>") && text.contains("data-of=\"of the width\""));
}

#[test]
fn an_empty_view_says_so_and_needs_no_script() {
    let profile = open("cases/a05-no-samples.pb");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    assert!(
        said(&document, "facts")
            .concat()
            .contains("Nothing to draw")
    );
    assert!(drawn(&document).is_empty() && !text.contains("<script"));
}

#[test]
fn caption_and_legend_are_above_the_frames() {
    let profile = open("recordings/checkout-api.cpu.pprof.gz");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    assert_eq!(said(&document, "title"), ["checkout-api · cpu 8 s <&>"]);
    let facts = said(&document, "facts").concat();
    let program = concat!("flarescope\u{a0}", env!("CARGO_PKG_VERSION"));
    assert_eq!(facts, format!("2026-11-30T03:12:40Z · {program}"));
    let legend = document
        .descendants()
        .find(|node| node.attribute("class") == Some("legend"))
        .unwrap();
    let fills: Vec<&str> = legend
        .children()
        .filter_map(|node| node.attribute("fill"))
        .collect();
    let boxes = drawn(&document);
    let hot = boxes.iter().find(|one| one.title[0] == "validateAddress");
    assert_eq!(fills[0], hot.unwrap().fill, "the hottest comes first");
    for one in boxes.iter().filter(|one| one.title[0] != "all") {
        assert!(fills.contains(&&*one.fill), "{one:?} is in no legend");
    }
}

#[test]
fn long_captions_are_broken_into_lines() {
    let profile = open("cases/a08-self-and-child.pb");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let caption = Caption {
        title: "a/very/long/path/".repeat(9),
        facts: "some words ".repeat(40),
        ..Caption::default()
    };
    let scene = Scene {
        profile: &profile,
        reading: &reading,
        root: NodeId::ROOT,
        caption: &caption,
    };
    let text = String::from_utf8(svg(&scene)).unwrap();
    let document = parse(&text);
    let (title, facts) = (said(&document, "title"), said(&document, "facts"));
    assert_eq!(title.concat(), caption.title);
    assert!(facts.concat().starts_with(&caption.facts));
    let longest = |lines: &[&str]| lines.iter().map(|line| line.trim_end().len()).max();
    assert_eq!((title.len(), longest(&title)), (3, Some(56)));
    assert!(
        longest(&facts) <= Some(134) && facts.len() == 4,
        "{facts:?}"
    );
    // The frames start below the last line.
    assert!(drawn(&document)[0].y > 22 * 3 + 16 * 4);
}

#[test]
fn the_script_is_the_same_in_every_picture() {
    let script = |path: &str| {
        let profile = open(path);
        let reading = read(&profile, &View::new(&profile)).unwrap();
        let text = picture(&profile, &reading, NodeId::ROOT);
        let document = parse(&text);
        let script = document
            .descendants()
            .find(|node| node.has_tag_name("script"));
        script.unwrap().text().unwrap().to_owned()
    };
    let (one, other) = (
        script("recordings/checkout-api.cpu.pprof.gz"),
        script("cases/a20-svg-templates.pb"),
    );
    assert_eq!(one, other);
    for sink in [
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "eval(",
        "Function(",
        "document.write",
    ] {
        assert!(!one.contains(sink), "{sink} would run what a name says");
    }
}

#[test]
fn plain_text_holds_caption_icicle_and_table() {
    let mut wording = wording!();
    let page = report("recordings/checkout-api.cpu.pprof.gz", text);
    let lines: Vec<&str> = page.lines().collect();
    wording.add(lines[..6].join("\n"));
    let row = lines
        .iter()
        .find(|line| line.contains("validateAddress") && line.contains("worker.js"))
        .unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>()[..7],
        ["2,221", "5.095", "s", "63.7%", "5.095", "s", "63.7%"]
    );
}

#[test]
fn text_formats_hold_no_control_character_and_no_markup_of_a_name() {
    for (name, profile) in readable() {
        let view = View::new(&profile);
        let Ok(reading) = read(&profile, &view) else {
            continue;
        };
        let caption = Caption::new(&name, &profile, &view, &reading);
        let scene = Scene {
            profile: &profile,
            reading: &reading,
            root: NodeId::ROOT,
            caption: &caption,
        };
        for bytes in [text(&scene), markdown(&scene), json(&scene).unwrap()] {
            let written = String::from_utf8(bytes).unwrap();
            assert_eq!(
                written.chars().find(|c| c.is_control() && *c != '\n'),
                None,
                "{name}"
            );
        }
        let report = String::from_utf8(markdown(&scene)).unwrap();
        for row in report.lines().filter(|line| line.starts_with('|')) {
            let columns = row.replace("\\|", "").matches('|').count();
            assert_eq!(columns, 8, "{name}: {row}");
        }
    }
}

#[test]
fn json_holds_the_whole_tree() {
    let value: serde_json::Value =
        serde_json::from_str(&report("recordings/checkout-api.cpu.pprof.gz", |scene| {
            json(scene).unwrap()
        }))
        .unwrap();
    let nodes = value["nodes"].as_array().unwrap();
    let own: i64 = nodes
        .iter()
        .map(|node| node["self"].as_i64().unwrap())
        .sum();
    assert_eq!(Some(own), value["shown"].as_i64());
    assert_eq!(nodes[0]["parent"], serde_json::Value::Null);
    for node in &nodes[1..] {
        let parent = &nodes[usize::try_from(node["parent"].as_u64().unwrap()).unwrap()];
        assert!(parent["total"].as_i64() >= node["total"].as_i64());
    }
    let busiest = nodes
        .iter()
        .max_by_key(|node| node["self"].as_i64())
        .unwrap();
    let frame = usize::try_from(busiest["frame"].as_u64().unwrap()).unwrap();
    assert_eq!(value["frames"][frame]["function"], "validateAddress");
    assert_eq!(
        value["sample_type"],
        serde_json::json!({ "type": "cpu", "unit": "nanoseconds" })
    );
}

/// Encodes a profile of nanoseconds: functions as name and file, stacks as places in that list from the root down.
fn encode(functions: &[(&str, &str)], stacks: &[(Vec<usize>, u64)]) -> Vec<u8> {
    fn varint(mut number: u64, out: &mut Vec<u8>) {
        while number > 0x7f {
            out.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }
    fn field(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
        out.push(tag << 3 | 2);
        varint(bytes.len() as u64, out);
        out.extend(bytes);
    }
    fn numbers(pairs: &[(u8, u64)]) -> Vec<u8> {
        let mut out = Vec::new();
        for (tag, number) in pairs {
            out.push(tag << 3);
            varint(*number, &mut out);
        }
        out
    }
    let mut out = Vec::new();
    field(1, &numbers(&[(1, 1), (2, 2)]), &mut out);
    for (stack, value) in stacks {
        let mut locations = Vec::new();
        stack
            .iter()
            .rev()
            .for_each(|function| varint(*function as u64 + 1, &mut locations));
        let mut sample = Vec::new();
        field(1, &locations, &mut sample);
        sample.extend(numbers(&[(2, *value)]));
        field(2, &sample, &mut out);
    }
    for at in 0..functions.len() as u64 {
        let mut location = numbers(&[(1, at + 1)]);
        field(4, &numbers(&[(1, at + 1)]), &mut location);
        field(4, &location, &mut out);
        field(
            5,
            &numbers(&[(1, at + 1), (2, 3 + 2 * at), (4, 4 + 2 * at)]),
            &mut out,
        );
    }
    for text in ["", "cpu", "nanoseconds"] {
        field(6, text.as_bytes(), &mut out);
    }
    for (name, file) in functions {
        field(6, name.as_bytes(), &mut out);
        field(6, file.as_bytes(), &mut out);
    }
    out
}

fn encoded(functions: &[(&str, &str)], stacks: &[(Vec<usize>, u64)]) -> (Profile, Reading) {
    let profile = formats::read(&encode(functions, stacks)[..], "encoded").unwrap();
    let reading = read(&profile, &View::new(&profile)).unwrap();
    (profile, reading)
}

#[test]
fn names_are_as_they_are() {
    let names = [
        "get;",
        "get:",
        "a  b",
        "v 1.5",
        "# remark",
        "read_[k]",
        "<b>&amp;\"q\" 'r'</b>",
        "]]><script>",
    ];
    let mut functions: Vec<(&str, &str)> = names.iter().map(|name| (*name, "a.js")).collect();
    functions.extend([
        ("get;", "b.js"),
        ("\u{1b}]0;x\u{7}", ""),
        ("a\u{fffe}b", ""),
    ]);
    let stacks: Vec<(Vec<usize>, u64)> = (0..functions.len()).map(|at| (vec![at], 10)).collect();
    let (profile, reading) = encoded(&functions, &stacks);
    let boxes = drawn(&parse(&picture(&profile, &reading, NodeId::ROOT)));
    let titles = boxes.iter().skip(1).map(|one| {
        (
            &*one.title[0],
            one.title.last().map_or("", String::as_str),
            one.label.split("  10").next().unwrap(),
        )
    });
    let titles: Vec<_> = titles.collect();
    for name in names {
        assert!(
            titles.iter().any(|(title, _, _)| *title == name),
            "{name}: {titles:?}"
        );
    }
    // Two functions of one name stay two boxes, told apart by their place.
    for (name, place) in [
        ("get;", "a.js"),
        ("get;", "b.js"),
        ("␛]0;x␇", "no file"),
        ("a\u{fffd}b", "no file"),
    ] {
        assert!(
            titles
                .iter()
                .any(|(title, at, _)| (*title, *at) == (name, place)),
            "{name}: {titles:?}"
        );
    }
    let short = |label: &&(&str, &str, &str)| label.0.len() < 10;
    assert!(
        titles
            .iter()
            .filter(short)
            .all(|(title, _, label)| label.starts_with(title))
    );
}

#[test]
fn stacks_too_deep_for_a_browser_are_cut_and_it_is_said() {
    let functions: Vec<(String, &str)> = (0..7_000).map(|at| (format!("f{at}"), "a.js")).collect();
    let functions: Vec<(&str, &str)> = functions
        .iter()
        .map(|(name, file)| (name.as_str(), *file))
        .collect();
    // Eight chains that part at the top, and nothing but their ends was sampled.
    let stacks: Vec<(Vec<usize>, u64)> = (0..8)
        .map(|chain| ((chain..7_000).collect(), 100))
        .collect();
    let (profile, reading) = encoded(&functions, &stacks);
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    let boxes = drawn(&document).len();
    assert!((40_000..=50_000).contains(&boxes), "{boxes} boxes");
    let facts = said(&document, "facts").concat();
    assert!(facts.contains("6,249"), "{facts}");
}
