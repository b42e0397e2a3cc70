//! Exported pictures, read back as a browser would: well-formed whatever the names, and laid out as the screen is.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

use flarescope::export::{Caption, Scene, json, markdown, svg, text};
use flarescope::formats;
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::ranking::{Sort, rank};
use flarescope::model::graph::view::{Direction, View};
use flarescope::model::profile::Profile;
use roxmltree::{Document, ParsingOptions};

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
    String::from_utf8(
        svg(&Scene {
            profile,
            reading,
            root,
            caption: &caption,
        })
        .unwrap(),
    )
    .unwrap()
}

fn parse(text: &str) -> Document<'_> {
    Document::parse_with_options(
        text,
        ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        },
    )
    .unwrap()
}

/// A box as it stands in the picture: its title, row, left end and width.
#[derive(Debug, Clone, PartialEq)]
struct Drawn {
    title: String,
    y: u64,
    x: u64,
    width: u64,
}

/// Reads the boxes of a flame graph.
fn drawn(document: &Document<'_>) -> Vec<Drawn> {
    let groups = document.descendants().filter(|node| node.has_tag_name("g"));
    let number = |node: &roxmltree::Node<'_, '_>, name: &str| {
        node.attributes()
            .find(|attribute| attribute.name() == name && attribute.namespace().is_some())
            .unwrap()
            .value()
            .parse()
            .unwrap()
    };
    groups
        .map(|group| {
            let title = group
                .children()
                .find(|node| node.has_tag_name("title"))
                .unwrap()
                .text()
                .unwrap();
            let rect = group
                .children()
                .find(|node| node.has_tag_name("rect"))
                .unwrap();
            let y = rect.attribute("y").unwrap().parse().unwrap();
            Drawn {
                title: title.to_owned(),
                y,
                x: number(&rect, "x"),
                width: number(&rect, "w"),
            }
        })
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
            let script = text
                .split("<script")
                .nth(1)
                .and_then(|rest| rest.split("</script>").next())
                .unwrap_or("");
            // The library's script is written in tabs and line ends of its own.
            let ours = text.replace(script, "");
            assert_eq!(ours.chars().find(|c| forbidden(*c)), None, "{name}");
            let document = parse(&text);
            let scripts = document
                .descendants()
                .filter(|node| node.has_tag_name("script"))
                .count();
            assert!(scripts <= 1, "{name}: {scripts} scripts");
            let allowed = [
                "svg",
                "g",
                "a",
                "rect",
                "text",
                "title",
                "defs",
                "linearGradient",
                "stop",
                "style",
                "script",
            ];
            for element in document.descendants().filter(roxmltree::Node::is_element) {
                let tag = element.tag_name().name();
                assert!(allowed.contains(&tag), "{name}: <{tag}>");
                let handler = element
                    .attributes()
                    .find(|attribute| attribute.name().starts_with("on"));
                assert!(handler.is_none() || tag == "svg", "{name}: {handler:?}");
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
        let mut found: Vec<u64> = drawn(&parse(&text)).iter().map(|one| one.width).collect();
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
            assert!(text.contains("frames under 0.01 % not drawn"), "{name}");
        }
    }
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
        assert!(row(0)[0].title.starts_with("all ("), "{:?}", row(0));
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
    let titles = |hide_idle| {
        let all = boxes("recordings/checkout-api.cpu.pprof.gz", |view| View {
            hide_idle,
            ..view
        });
        all.into_iter().map(|one| one.title).collect::<Vec<_>>()
    };
    for titles in [titles(true), titles(false)] {
        assert!(
            titles.contains(&"validateAddress (5.09 s, 63.7 %)".to_owned()),
            "{titles:?}"
        );
    }
    assert!(titles(false).contains(&"all (8.00 s, 100 %)".to_owned()));
    assert!(
        titles(true)
            .iter()
            .any(|title| title.starts_with("all (7.55 s, 94.3 %")),
        "{:?}",
        titles(true)
    );
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
    assert_eq!(boxes.len(), reading.tree.within(root).count() + 1);
    let widest = boxes
        .iter()
        .filter(|one| one.title.starts_with("handleCheckout ("))
        .map(|one| one.width)
        .max();
    assert_eq!(widest, Some(reading.tree.weight(root)));
    assert!(boxes.iter().any(|one| one.title.starts_with("validateAddress (") && one.title.ends_with("63.7 %)")));
}

#[test]
fn values_below_zero_and_empty_views_have_a_picture_of_their_own() {
    let profile = open("cases/a06-negative.pb");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    assert!(reading.tree.has_negative());
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    let titles: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(
        titles.len(),
        reading
            .tree
            .nodes()
            .filter(|node| reading.tree.weight(*node) > 0)
            .count()
    );
    assert!(
        titles.iter().any(|title| title.contains('\u{2212}')),
        "{titles:?}"
    );

    let profile = open("cases/a05-no-samples.pb");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let text = picture(&profile, &reading, NodeId::ROOT);
    parse(&text);
    assert!(text.contains("Nothing to draw"), "{text}");
}

#[test]
fn title_and_facts_stand_above() {
    let profile = open("recordings/checkout-api.cpu.pprof.gz");
    let reading = read(&profile, &View::new(&profile)).unwrap();
    let text = picture(&profile, &reading, NodeId::ROOT);
    let document = parse(&text);
    let said = |id: &str| {
        let node = document
            .descendants()
            .find(|node| node.attribute("id") == Some(id))
            .unwrap();
        node.text().unwrap_or_default().to_owned()
    };
    assert_eq!(said("title"), "checkout-api · cpu 8 s <&>");
    assert_eq!(said("subtitle"), "2026-11-30T03:12:40Z");
    assert!(text.contains("Matched of what is drawn: "));
    // The word that opens the search can be read on white.
    assert!(text.contains("#search { text-anchor:end; opacity:0.7;"));
}

#[test]
fn plain_text_holds_caption_icicle_and_table() {
    let page = report("recordings/checkout-api.cpu.pprof.gz", text);
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "checkout-api",
            "cpu · 2026-11-30T08:17:13Z · 8.01 s window · 3,183 samples · 7.55 s · 454 ms idle not shown",
            "",
            " all                                                                       94.3 % of capture  7.55 s",
            "▏handleCheckout  82.5 %  6.60 s                                                        ▏fet…▏   ▏ ▏▏",
            "▏validateAddress  63.7 %  5.09 s                                    ▏pric…▏parse…▏ ▏   ▏   ▏▏",
        ]
    );
    let row = lines
        .iter()
        .find(|line| line.contains("validateAddress") && line.contains("worker.js"))
        .unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>()[..9],
        [
            "2,221", "5.095", "s", "63.7", "%", "5.095", "s", "63.7", "%"
        ]
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
fn siblings_that_read_the_same_stay_two_boxes() {
    let functions = [
        ("main", "a.js"),
        ("get", "a.js"),
        ("get", "b.js"),
        ("get;", "a.js"),
        ("get:", "a.js"),
    ];
    let stacks: Vec<(Vec<usize>, u64)> = (1..5)
        .map(|callee| (vec![0, callee], 10 * callee as u64))
        .collect();
    let (profile, reading) = encoded(&functions, &stacks);
    let boxes = drawn(&parse(&picture(&profile, &reading, NodeId::ROOT)));
    let mut widths: Vec<u64> = boxes.iter().map(|one| one.width).collect();
    widths.sort_unstable();
    assert_eq!(widths, [10, 20, 30, 40, 100, 100], "{boxes:?}");
    assert!(
        boxes
            .iter()
            .any(|one| one.title.starts_with("get · b.js (")),
        "{boxes:?}"
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
    let boxes = drawn(&parse(&text)).len();
    assert!((40_000..=50_000).contains(&boxes), "{boxes} boxes");
    assert!(
        text.contains("deeper than 6,249 rows not drawn"),
        "{}",
        text.split("subtitle").nth(1).unwrap()
    );
}
