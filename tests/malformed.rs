//! Broken, hostile and odd files: each is refused in one sentence that names the fault, or read so that all adds up.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of a test fail the test"
)]

#[path = "support/wording.rs"]
mod wording;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use flarescope::formats;
use flarescope::model::graph::aggregate::{Reading, read};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::graph::icicle::{Content, Order, Window, layout};
use flarescope::model::graph::ranking::{Row, Sort, rank};
use flarescope::model::graph::view::{Direction, Identity, View};
use flarescope::model::profile::Profile;

use wording::wording;

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(path)
}

fn open(path: &str) -> Result<Profile, String> {
    formats::read(fs::File::open(fixture(path)).unwrap(), path).map_err(|error| error.to_string())
}

/// The reading of a file that can be read, in the view it opens in.
fn reading(path: &str) -> Reading {
    let profile = open(path).unwrap();
    read(&profile, &View::new(&profile)).unwrap()
}

/// The row of a function.
fn row(reading: &Reading, name: &str) -> Row {
    let rows = rank(reading, Sort::Samples, false);
    *rows
        .iter()
        .find(|row| reading.frames.name(row.frame) == name)
        .unwrap_or_else(|| panic!("no row for {name}"))
}

/// The names from the root along the heaviest frames.
fn heaviest_path(reading: &Reading) -> Vec<&str> {
    let mut names = Vec::new();
    let mut node = NodeId::ROOT;
    while let Some(child) = reading
        .tree
        .children(node, Order::Weight, &reading.frames)
        .nodes
        .first()
    {
        names.push(reading.frames.name(reading.tree.frame(*child).unwrap()));
        node = *child;
    }
    names
}

#[test]
fn refusals_name_the_fault_and_the_file() {
    let mut wording = wording!();
    for file in [
        "c01-empty.pb",
        "c03-gzip-truncated.pb.gz",
        "c04-gzip-bad-crc.pb.gz",
        "c08-api-error.json.pb",
        "w01-ends-in-varint.pb",
        "w03-length-1TiB.pb",
        "w05-varint-11-bytes.pb",
        "w06-wrong-wire-type.pb",
        "w22-bitflips-8.pb",
        "m01-string-index-past-end.pb",
        "m02-string-index-negative.pb",
        "m05-location-missing.pb",
        "m06-location-id-zero.pb",
        "m09-duplicate-location-id.pb",
        "m11-value-count-differs.pb",
        "m12-no-sample-types.pb",
    ] {
        let path = format!("malformed/{file}");
        let said_here = open(&path).unwrap_err();
        assert!(said_here.starts_with(&path), "{file}: {said_here}");
        wording.add(&said_here);
        assert_eq!(said_here.lines().count(), 1, "{file}: {said_here}");
    }
    let svg = open("cases/a02-answer-is-svg.pb").unwrap_err();
    assert!(svg.contains("SVG"), "{svg}");
}

#[test]
fn legal_but_unusual_encodings_are_the_same_profile() {
    for file in [
        "c06-gzip-two-members.pb.gz",
        "c10-zstd.pb.zst",
        "w08-unknown-fields.pb",
        "w09-unpacked-repeats.pb",
        "w10-reversed-field-order.pb",
        "m08-function-id-zero.pb",
        "m18-default-type-unknown.pb",
        "m28-comments-with-escapes.pb",
    ] {
        let reading = reading(&format!("malformed/{file}"));
        assert_eq!(
            (reading.total, reading.samples),
            (100_000_000, 100),
            "{file}"
        );
        assert_eq!(row(&reading, "JSON.parse").self_value, 40_000_000, "{file}");
        assert_eq!(row(&reading, "render").total, 40_000_000, "{file}");
    }
}

#[test]
fn layers_of_compression_are_peeled_off_but_not_without_end() {
    let mut wording = wording!();
    let plain = fs::read(fixture("malformed/w08-unknown-fields.pb")).unwrap();
    let pack = |bytes: &[u8]| {
        let mut packed = Vec::new();
        flate2::read::GzEncoder::new(bytes, flate2::Compression::fast())
            .read_to_end(&mut packed)
            .unwrap();
        packed
    };
    let twice = pack(&pack(&plain));
    assert_eq!(
        formats::read(twice.as_slice(), "twice")
            .unwrap()
            .record_count(),
        5
    );
    let often = (0..9).fold(plain, |bytes, _| pack(&bytes));
    let error = formats::read(often.as_slice(), "often")
        .unwrap_err()
        .to_string();
    wording.add(error);
}

#[test]
fn zstd_frames_are_read_one_after_the_other_and_checked() {
    let mut wording = wording!();
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    let plain = fs::read(fixture("malformed/w08-unknown-fields.pb")).unwrap();
    let (first, second) = plain.split_at(plain.len() / 2);
    let mut packed = compress_to_vec(first, CompressionLevel::Fastest);
    packed.extend(compress_to_vec(second, CompressionLevel::Fastest));
    assert_eq!(
        formats::read(packed.as_slice(), "two frames")
            .unwrap()
            .record_count(),
        5
    );
    // The last four bytes are the second frame's checksum.
    *packed.last_mut().unwrap() ^= 1;
    let error = formats::read(packed.as_slice(), "damaged")
        .unwrap_err()
        .to_string();
    wording.add(error);
    packed.truncate(packed.len() - 40);
    assert!(formats::read(packed.as_slice(), "cut").is_err());
}

#[test]
fn zstd_frames_that_readers_skip_are_skipped() {
    let mut wording = wording!();
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    let plain = fs::read(fixture("malformed/w08-unknown-fields.pb")).unwrap();
    let skipped = b"\x5a\x2a\x4d\x18\x05\0\0\0aside";
    let frame = compress_to_vec(plain.as_slice(), CompressionLevel::Fastest);
    for packed in [
        [skipped, frame.as_slice()].concat(),
        [skipped, frame.as_slice(), skipped].concat(),
    ] {
        assert_eq!(
            formats::read(packed.as_slice(), "skipped")
                .unwrap()
                .record_count(),
            5
        );
    }
    for rest in [&b"\x5a\x2a\x4d\x18\x05\0\0\0as"[..], b"more", b"m"] {
        let packed = [frame.as_slice(), rest].concat();
        let error = formats::read(packed.as_slice(), "more")
            .unwrap_err()
            .to_string();
        assert!(!error.contains('{'), "{error}");
        wording.add(error);
    }
}

#[test]
fn frames_inlined_by_the_million_are_refused_before_they_are_made() {
    let mut wording = wording!();
    // 7 kB: one stack of 20,000 places with thousands of frames in each.
    let error = open("hostile/inlined-by-the-million.pb.gz").unwrap_err();
    wording.add(error);
}

#[test]
fn text_is_distinguished_from_profiles_and_folded_stacks_from_other_text() {
    let mut wording = wording!();
    let read = |text: &str| formats::read(text.as_bytes(), "text");
    for (text, samples) in [
        ("<module>;f 5\n<module>;g 7\n", 12),
        ("[unknown];main 5\n", 5),
        ("{closure};a 3\n<init>;a 3\n", 6),
        ("[x] 8\n", 8),
        ("\u{feff}a;b 5\n", 5),
    ] {
        let profile = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let reading =
            flarescope::model::graph::aggregate::read(&profile, &View::new(&profile)).unwrap();
        assert_eq!(reading.total, samples, "{text}");
        let roots = reading
            .tree
            .children(NodeId::ROOT, Order::Weight, &reading.frames)
            .nodes
            .clone();
        let first = reading.frames.name(reading.tree.frame(roots[0]).unwrap());
        assert!(
            text.contains(first) && !first.contains('\u{feff}'),
            "{first}"
        );
    }
    for text in [
        "a;b 1.5\n",
        "a;b 3\na;c 1e3\n",
        "a;b 99999999999999999999\n",
        "a;b 3\na;c\n",
        "# Report\n\nall is well",
        "{\"a\": 5\n}",
        "[1, 2]",
        "<a>b</a>",
        "<html lang=\"en\">",
    ] {
        wording.case(text.escape_debug(), read(text).unwrap_err());
    }
}

#[test]
fn a_bomb_dies_at_its_first_bad_field() {
    let mut wording = wording!();
    /// Counts what is read of a gzip stream of zeroes that would inflate to a gigabyte.
    struct Counted<'a>(&'a mut usize, Box<dyn Read + Send>);
    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.1.read(buffer)?;
            *self.0 += read;
            Ok(read)
        }
    }
    let zeroes =
        flate2::read::GzEncoder::new(io::repeat(0).take(1 << 30), flate2::Compression::fast());
    let mut inflated_from = 0;
    let error = formats::read(Counted(&mut inflated_from, Box::new(zeroes)), "bomb").unwrap_err();
    wording.add(error.to_string());
    assert!(
        inflated_from < 1 << 20,
        "{inflated_from} bytes were read before it was refused"
    );
}

#[test]
fn values_beyond_64_bits_are_refused_by_name() {
    let mut wording = wording!();
    let profile = open("malformed/m16-i64-overflow.pb").unwrap();
    let error = read(&profile, &View::new(&profile))
        .unwrap_err()
        .to_string();
    wording.add(error);
}

#[test]
fn nothing_recorded_is_distinguished_from_something() {
    for file in [
        "malformed/m13-zero-samples.pb.gz",
        "malformed/m14-all-values-zero.pb",
        "cases/a05-no-samples.pb",
    ] {
        let reading = reading(file);
        assert_eq!(
            (reading.total, reading.base, reading.shown, reading.samples),
            (0, 0, 0, 0),
            "{file}"
        );
        assert!(
            reading.tree.is_empty() && rank(&reading, Sort::Samples, false).is_empty(),
            "{file}"
        );
        let window = Window {
            root: NodeId::ROOT,
            columns: 80,
            first_row: 0,
            rows: 10,
            order: Order::Weight,
            only: None,
        };
        assert!(
            layout(&reading.tree, &reading.frames, &window)
                .blocks
                .is_empty(),
            "{file}"
        );
    }
}

#[test]
fn reported_faults_of_others_are_not_ours() {
    let a01 = reading("cases/a01-default-type.pb");
    assert_eq!(
        (
            row(&a01, "make").self_value,
            row(&a01, "keep").self_value,
            a01.total
        ),
        (1000, 10, 1010)
    );

    let a03 = reading("cases/a03-two-addresses.pb");
    assert_eq!(row(&a03, "libworker.so 0x401000").samples, 30);
    assert_eq!(row(&a03, "libworker.so 0x402000").samples, 70);

    for inlined in ["cases/a04-inlined.pb", "malformed/m22-inlined-three.pb"] {
        let reading = reading(inlined);
        assert_eq!(
            heaviest_path(&reading),
            ["(root)", "outer", "middle", "inner"],
            "{inlined}"
        );
        assert_eq!(row(&reading, "inner").samples, 4, "{inlined}");
    }

    let a06 = reading("cases/a06-negative.pb");
    assert_eq!(
        (a06.total, a06.base, row(&a06, "shrank").total),
        (50, 250, -100)
    );
    assert_eq!(a06.tree.weight(NodeId::ROOT), 250);

    let a08 = reading("cases/a08-self-and-child.pb");
    assert_eq!(
        (
            row(&a08, "child").samples,
            row(&a08, "root").samples,
            row(&a08, "root").total_samples
        ),
        (25, 75, 100)
    );

    let a12 = reading("cases/a12-many-small.pb");
    let rows = rank(&a12, Sort::Samples, false);
    assert_eq!(rows.iter().filter(|row| row.samples == 1).count(), 300);
    assert_eq!(rows.iter().map(|row| row.samples).sum::<i64>(), 300);

    let a13 = reading("cases/a13-recursion.pb");
    assert_eq!(
        (row(&a13, "walk").total_samples, row(&a13, "walk").samples),
        (10, 4)
    );
    assert_eq!(
        (row(&a13, "leaf").samples, row(&a13, "visit").total_samples),
        (6, 4)
    );

    let a14 = reading("cases/a14-square-brackets.pb");
    for name in ["[unknown]", "[bold]x[/bold]", "[vdso]"] {
        row(&a14, name);
    }
    let a17 = reading("cases/a17-signatures.pb");
    assert_eq!(
        (
            row(&a17, "run(int)").samples,
            row(&a17, "run(String)").samples
        ),
        (5, 7)
    );
    row(&a17, "(anonymous namespace)::go()");

    let a24 = reading("cases/a24-anonymous.pb");
    let lines: Vec<Option<i64>> = rank(&a24, Sort::Samples, false)
        .iter()
        .filter(|row| row.samples > 0)
        .map(|row| a24.frames.info(row.frame).line)
        .collect();
    assert_eq!(lines, [Some(12), Some(48), Some(301)]);
}

#[test]
fn odd_stacks_keep_their_values() {
    let recursion = reading("malformed/m17-recursion.pb");
    assert_eq!(
        (
            row(&recursion, "a").total_samples,
            row(&recursion, "b").total_samples
        ),
        (5, 3)
    );
    assert_eq!(
        (row(&recursion, "a").samples, row(&recursion, "b").samples),
        (2, 3)
    );
    assert_eq!(recursion.tree.height(NodeId::ROOT), 60);

    let bare = reading("malformed/m20-sample-without-stack.pb");
    assert_eq!((bare.samples, row(&bare, "(no stack)").samples), (111, 11));

    let addresses = reading("malformed/m21-no-lines-only-addresses.pb");
    assert_eq!(
        heaviest_path(&addresses),
        ["libworker.so 0x401234", "libworker.so 0x401299"]
    );

    let special = reading("malformed/m24-v8-special-names.pb");
    // No name, and a name that says so, are one function.
    let rows = rank(&special, Sort::Samples, false);
    let of = |samples: i64| rows.iter().filter(|row| row.samples == samples).count();
    assert_eq!((of(2), of(4)), (5, 1));
}

/// Everything that can be seen of a profile adds up to the same.
#[test]
fn table_tree_and_totals_agree_in_every_view_of_every_file() {
    let mut files = 0;
    for folder in ["recordings", "cases", "malformed", "foreign"] {
        for entry in fs::read_dir(fixture(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(profile) = formats::read(fs::File::open(&path).unwrap(), "file") else {
                continue;
            };
            files += 1;
            for by in [
                Identity::Function,
                Identity::Name,
                Identity::Line,
                Identity::File,
                Identity::Package,
            ] {
                for (direction, fold_recursion, hide_idle) in [
                    (Direction::TopDown, false, false),
                    (Direction::TopDown, true, true),
                    (Direction::BottomUp, false, true),
                    (Direction::BottomUp, true, false),
                ] {
                    for sample_type in 0..profile.sample_types().len() {
                        let mut view = View::new(&profile);
                        (view.by, view.direction, view.sample_type) = (by, direction, sample_type);
                        (view.fold_recursion, view.hide_idle) = (fold_recursion, hide_idle);
                        if let Ok(reading) = read(&profile, &view) {
                            adds_up(&reading, &format!("{} {view:?}", path.display()));
                        }
                    }
                }
            }
        }
    }
    assert!(files > 70, "{files}");
}

fn adds_up(reading: &Reading, what: &str) {
    let tree = &reading.tree;
    let rows = rank(reading, Sort::Samples, false);
    assert_eq!(reading.shown + reading.idle, reading.total, "{what}");
    assert_eq!(
        rows.iter()
            .map(|row| i128::from(row.self_value))
            .sum::<i128>(),
        reading.shown,
        "{what}"
    );
    assert_eq!(
        rows.iter().map(|row| row.samples).sum::<i64>(),
        reading.samples,
        "{what}"
    );
    assert_eq!(
        i128::from(tree.total(NodeId::ROOT)),
        reading.shown,
        "{what}"
    );
    assert!(
        u128::from(tree.weight(NodeId::ROOT)) <= reading.base.unsigned_abs(),
        "{what}"
    );
    for node in tree.nodes() {
        let below: i64 = tree.unordered(node).map(|child| tree.total(child)).sum();
        assert_eq!(
            tree.total(node),
            tree.self_value(node) + below,
            "{what} {node:?}"
        );
        let below: u64 = tree.unordered(node).map(|child| tree.weight(child)).sum();
        assert_eq!(
            tree.weight(node),
            tree.self_weight(node) + below,
            "{what} {node:?}"
        );
    }
    for width in [20, 80, 200] {
        let window = Window {
            root: NodeId::ROOT,
            columns: width,
            first_row: 0,
            rows: 1,
            order: Order::Weight,
            only: None,
        };
        let layout = layout(tree, &reading.frames, &window);
        let drawn: u64 = layout
            .row(0)
            .iter()
            .map(|block| match block.content {
                Content::Frame(node) => tree.weight(node),
                Content::Collected(collected) => {
                    collected.weight(tree, &reading.frames, Order::Weight)
                }
            })
            .sum();
        assert_eq!(drawn, tree.weight(NodeId::ROOT), "{what} at {width}");
    }
}

/// What the fuzz target does, on what it found so far, on the fixtures, and on damaged copies of them.
#[test]
fn damaged_files_are_refused_or_add_up() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/decode");
    let folders = ["recordings", "cases", "malformed", "foreign"].map(fixture);
    let files = folders
        .iter()
        .chain([&corpus])
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let (mut read_whole, mut refused) = (0, 0);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % limit.max(1)
    };
    for file in files {
        let path = file.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        if bytes.starts_with(&[0x1f, 0x8b]) {
            // Damage to compressed bytes ends at the checksum; damage inside does not.
            let mut plain = Vec::new();
            let whole = flate2::read::MultiGzDecoder::new(bytes.as_slice())
                .read_to_end(&mut plain)
                .is_ok();
            if whole && plain.len() < 1 << 16 {
                bytes = plain;
            }
        }
        for round in 0..20 {
            let mut damaged = bytes.clone();
            match round % 4 {
                _ if damaged.is_empty() => {}
                0 if round == 0 => {}
                0 => damaged.truncate(below(bytes.len())),
                1 => damaged[below(bytes.len())] ^= 1 << below(8),
                2 => damaged[below(bytes.len())] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
                _ => {
                    let (at, count) = (below(bytes.len()), below(16));
                    damaged.splice(
                        at..at,
                        bytes.iter().copied().skip(below(bytes.len())).take(count),
                    );
                }
            }
            match formats::read(damaged.as_slice(), "damaged") {
                Err(error) => {
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                    refused += 1;
                }
                Ok(profile) => {
                    read_whole += 1;
                    for (by, direction, fold_recursion) in [
                        (Identity::Function, Direction::TopDown, false),
                        (Identity::Line, Direction::TopDown, true),
                        (Identity::Package, Direction::BottomUp, false),
                    ] {
                        let view = View {
                            by,
                            direction,
                            fold_recursion,
                            ..View::new(&profile)
                        };
                        if let Ok(reading) = read(&profile, &view) {
                            adds_up(
                                &reading,
                                &format!("{} round {round} {view:?}", path.display()),
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(
        read_whole > 300 && refused > 300,
        "{read_whole} read, {refused} refused"
    );
}

#[test]
fn no_byte_of_a_name_reaches_the_output_as_a_command() {
    for file in [
        "malformed/n01-terminal-escapes.pb",
        "malformed/n02-newline-tab-nul.pb",
        "cases/a23-escapes.pb",
    ] {
        for options in [
            &["top"][..],
            &["top", "--csv"],
            &["top", "--json"],
            &["export", "--to", "folded"],
        ] {
            let (command, rest) = options.split_first().unwrap();
            let output = Command::cargo_bin("flarescope")
                .unwrap()
                .arg(command)
                .arg(fixture(file))
                .args(rest)
                .output()
                .unwrap();
            assert!(output.status.success(), "{file} {options:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            let control = text.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(control, None, "{file} {options:?}");
        }
    }
}

/// What a file calls its values comes into refusals as well.
#[test]
fn no_byte_of_a_refusal_reaches_the_terminal_as_a_command() {
    let (kind, unit) = (
        fixture("hostile/escapes-in-a-type.pb"),
        fixture("hostile/escapes-in-a-unit.pb"),
    );
    let (kind, unit) = (kind.to_str().unwrap(), unit.to_str().unwrap());
    for arguments in [
        &["top", kind][..],
        &["top", kind, "--json"],
        &["export", kind, "--to", "svg"],
        &["render", kind],
        &["diff", kind, kind],
        &["export", unit, "--to", "cpuprofile"],
        &["export", unit, "--to", "heapprofile"],
    ] {
        let output = Command::cargo_bin("flarescope")
            .unwrap()
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8(text).unwrap();
            assert!(
                !text.chars().any(|c| c.is_control() && c != '\n'),
                "{arguments:?}: {text:?}"
            );
        }
    }
}

/// Where nobody can be told, the exit code still tells.
#[cfg(target_os = "linux")]
#[test]
fn a_refusal_that_can_not_be_written_is_the_same_refusal() {
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for arguments in [
        &["top", "there-is-none.pb"][..],
        &["top", "there-is-none.pb", "--json"],
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_flarescope"));
        let status = command
            .args(arguments)
            .stdout(full())
            .stderr(full())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1), "{arguments:?}");
    }
}

#[test]
fn a_refusal_is_one_line_on_stderr_and_exit_code_1() {
    let run = |options: &[&str]| {
        Command::cargo_bin("flarescope")
            .unwrap()
            .arg("top")
            .arg(fixture("malformed/m05-location-missing.pb"))
            .args(options)
            .output()
            .unwrap()
    };
    let plain = run(&[]);
    assert_eq!((plain.status.code(), plain.stdout.len()), (Some(1), 0));
    assert!(
        String::from_utf8(plain.stderr)
            .unwrap()
            .contains("location 77")
    );
    let json = run(&["--json"]);
    assert_eq!(json.status.code(), Some(1));
    let error: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("location 77"),
        "{error}"
    );
    assert_eq!(run(&["--sort", "size"]).status.code(), Some(2));
    assert_eq!(run(&["--json", "--csv"]).status.code(), Some(2));
}

#[test]
fn folded_stacks_can_be_read_by_others() {
    for file in [
        "malformed/n07-semicolons-and-counts.pb",
        "cases/a15-number-after-space.pb",
    ] {
        let output = Command::cargo_bin("flarescope")
            .unwrap()
            .args(["export", "--to", "folded"])
            .arg(fixture(file))
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let expected = reading(file);
        let (mut total, mut deepest) = (0, 0);
        // The first line is a comment on the values, which the flame graph tools pass over.
        let stacks = text.lines().skip(1);
        assert!(stacks.clone().all(|line| !line.starts_with('#')), "{text}");
        for line in stacks {
            let (stack, value) = line.rsplit_once(' ').unwrap();
            // A second number at the end would be taken for a difference.
            assert!(
                stack.rsplit(' ').next().unwrap().parse::<f64>().is_err(),
                "{line:?}"
            );
            assert!(
                !line.starts_with('#') && stack.trim_matches(' ') == stack,
                "{line:?}"
            );
            total += value.parse::<i128>().unwrap();
            deepest = deepest.max(stack.split(';').count());
        }
        let again = formats::read(text.as_bytes(), "folded").unwrap();
        let again = read(&again, &View::new(&again)).unwrap();
        assert_eq!(
            (again.total, again.tree.len()),
            (expected.total, expected.tree.len()),
            "{file}"
        );
        assert_eq!(total, expected.total, "{file}");
        assert_eq!(
            deepest,
            expected.tree.height(NodeId::ROOT) as usize,
            "{file}"
        );
    }
}
