//! Hostile names through every way out of the program: what is printed, exported, copied and told as JSON or CSV.
//!
//! The ways out are found by walking the command line, the formats and the screen's table of commands, so that a new one
//! can't be forgotten.
#![cfg(all(feature = "demo", unix))]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test"
)]

#[path = "../session/mod.rs"]
mod session;

mod commands;
mod proxy;
mod screen;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Stands in each name, so that a test knows that names were told at all.
const MARK: &str = "Mk";

/// Something of every kind, for all that has one name only: a Worker, a file, a unit.
const PAYLOAD: &str = "Mk\u{1b}]0;p\u{7}\r\u{9b}31m\u{7f}\u{202e}\u{2028}\u{200b}\u{feff}\u{e0041}";

/// Names of functions: what terminals, shells, spreadsheets, Markdown, XML or a reader's eye take for something else.
const NAMES: [&str; 46] = [
    "Mk\u{1b}[2J",
    "Mk\u{1b}]0;title\u{7}",
    "Mk\u{1b}]52;c;aWQ=\u{1b}\\",
    "Mk\u{1b}P$q\u{1b}\\",
    "Mk\rsudo touch pwned\r",
    "Mk\ntouch pwned\n",
    "Mk\ttab",
    "Mk\0nul",
    "Mk\u{8}\u{8}back",
    "Mk\u{b}\u{c}",
    "Mk\u{7f}delete",
    "Mk\u{85}next line",
    "Mk\u{9b}31mC1",
    "Mk\u{9d}0;x\u{9c}",
    "Mk\u{90}q\u{9c}",
    "Mk\u{2028}line",
    "Mk\u{2029}paragraph",
    "Mk\u{202e}gpj.exe",
    "Mk\u{202a}x\u{202c}",
    "Mk\u{2066}x\u{2069}",
    "Mk\u{200e}left",
    "Mk\u{200f}right",
    "Mk\u{61c}letter",
    "Mk\u{200b}zero",
    "Mk\u{200d}join",
    "Mk\u{2060}word",
    "Mk\u{feff}mark",
    "\u{feff}Mk",
    "Mk\u{ad}hyphen",
    "Mk\u{e0041}\u{e0042}\u{e007f}",
    "Mk\u{fe0f}selector",
    "Mk\u{e0100}selector",
    "Mk\u{fff9}a\u{fffa}b\u{fffb}",
    "Mk\u{3164}filler",
    "Mk\u{206f}digits",
    "Mk\u{fffe}\u{ffff}",
    "Mk'; touch pwned; '",
    "Mk\u{1b}'; touch pwned; '",
    "Mk\\'\u{7}; touch pwned #",
    "Mk$(touch pwned)`touch pwned`\u{1b}",
    "=HYPERLINK(\"Mk\")",
    "+Mk",
    "-Mk\u{1b}",
    "@Mk",
    "\tMk=1",
    "--Mk <script>alert(1)</script> `|` \u{1b}",
];

/// Whether a character must not leave the program. Written down from the Unicode standard, not taken from the program:
/// controls, separators, what is ignored by default (bidirectional and zero-width marks, selectors, tags, fillers),
/// interlinear marks, noncharacters.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Fails where a text holds anything hostile but line feeds.
fn assert_safe(what: &str, text: &str) {
    let found = text
        .char_indices()
        .find(|(_, c)| *c != '\n' && is_hostile(*c));
    if let Some((at, c)) = found {
        let around: String = text[..at].chars().rev().take(60).collect();
        let around: String = around.chars().rev().collect();
        panic!("{what}: {c:?} after {around:?}");
    }
}

/// A `.cpuprofile` with a function of each name under `Mk`, the first one the heaviest, or the last one.
fn cpu_profile(is_reversed: bool) -> Value {
    let frame = |name: &str| {
        json!({"functionName": name, "scriptId": "1", "url": format!("file:///{PAYLOAD}.js"),
               "lineNumber": 4, "columnNumber": 2})
    };
    let first = 3;
    let ids: Vec<usize> = (first..first + NAMES.len()).collect();
    let mut nodes = vec![
        json!({"id": 1, "callFrame": frame("(root)"), "children": [2]}),
        json!({"id": 2, "callFrame": frame("Mk"), "children": ids}),
    ];
    let mut samples = Vec::new();
    for (id, name) in ids.iter().zip(NAMES) {
        let ticks = json!([{"line": 7, "ticks": 3}, {"line": 9, "ticks": 2}]);
        nodes.push(json!({"id": id, "callFrame": frame(name), "positionTicks": ticks}));
        let from_last = NAMES.len() + first - id;
        let count = if is_reversed { id - 1 } else { from_last };
        samples.extend(std::iter::repeat_n(*id, count));
    }
    let deltas = vec![1000; samples.len()];
    json!({"nodes": nodes, "samples": samples, "timeDeltas": deltas, "startTime": 1, "endTime": 5_000_001})
}

/// The same functions with what they allocated.
fn heap_profile() -> Value {
    let frame = |name: &str| json!({"functionName": name, "scriptId": "1", "url": format!("file:///{PAYLOAD}.js"), "lineNumber": 4});
    let children: Vec<Value> = (2..)
        .zip(NAMES)
        .map(|(id, name)| json!({"callFrame": frame(name), "selfSize": 4096, "id": id, "children": []}))
        .collect();
    json!({"head": {"callFrame": frame("(root)"), "selfSize": 0, "id": 1, "children": children}, "samples": []})
}

/// A pprof profile whose other texts are hostile: sample types, labels, mappings, comments.
fn pprof_profile() -> Vec<u8> {
    let mut texts = vec![String::new()];
    let mut text = |text: &str| {
        texts.push(text.to_owned());
        texts.len() as u64 - 1
    };
    let (kind, unit) = (text(PAYLOAD), text(&format!("{PAYLOAD}unit")));
    let (name, file) = (text(NAMES[0]), text(&format!("/{PAYLOAD}.go")));
    let (key, value, comment) = (text(PAYLOAD), text(PAYLOAD), text(PAYLOAD));
    let mut out = Vec::new();
    message(&mut out, 1, &[number(1, kind), number(2, unit)].concat());
    let label = [number(1, key), number(2, value)].concat();
    let mut sample = [number(1, 1), number(2, 5)].concat();
    message(&mut sample, 3, &label);
    message(&mut out, 2, &sample);
    message(&mut out, 3, &[number(1, 1), number(5, file)].concat());
    let mut location = [number(1, 1), number(2, 1), number(3, 7)].concat();
    message(&mut location, 4, &[number(1, 1), number(2, 3)].concat());
    message(&mut out, 4, &location);
    let function = [number(1, 1), number(2, name), number(4, file)].concat();
    message(&mut out, 5, &function);
    for text in &texts {
        message(&mut out, 6, text.as_bytes());
    }
    out.extend(number(13, comment));
    out
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn message(out: &mut Vec<u8>, field: u64, body: &[u8]) {
    out.extend(varint(field << 3 | 2));
    out.extend(varint(body.len() as u64));
    out.extend(body);
}

/// The hostile profiles as files in a folder, under hostile names.
struct Files {
    cpu: PathBuf,
    /// The same functions with other values.
    other: PathBuf,
    heap: PathBuf,
    pprof: PathBuf,
}

impl Files {
    fn new(folder: &Path) -> Self {
        let put = |ending: &str, bytes: &[u8]| {
            let path = folder.join(format!("{PAYLOAD}.{ending}"));
            std::fs::write(&path, bytes).unwrap();
            path
        };
        Self {
            cpu: put("cpuprofile", cpu_profile(false).to_string().as_bytes()),
            other: put("other.cpuprofile", cpu_profile(true).to_string().as_bytes()),
            heap: put("heapprofile", heap_profile().to_string().as_bytes()),
            pprof: put("pprof", &pprof_profile()),
        }
    }
}
