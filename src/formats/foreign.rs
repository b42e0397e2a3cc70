//! Files that people take for profiles, or have instead of one, and what to do with each.

/// What can be read, for files that are nothing known.
macro_rules! readable {
    () => {
        "pprof, .cpuprofile, .heapprofile, a DevTools trace, speedscope or folded stacks"
    };
}

/// A kind of file that is no profile, or one of a format that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// V8's objects.
    HeapSnapshot,
    /// The log of `node --prof`.
    V8Log,
    /// What profiler.firefox.com saves.
    Firefox,
    /// `perf.data`.
    Perf,
    /// pprof's format before the protocol buffer, as text.
    LegacyText,
    /// The same in binary, as gperftools writes it.
    LegacyBinary,
    /// Folded stacks with two values a line.
    FoldedDifference,
    /// A trace without a CPU profile.
    Trace,
    /// JSON that flarescope writes for other programs.
    OwnJson,
    /// A source map.
    SourceMap,
    /// Zip, 7z or tar.
    Archive,
    /// A compression that is not read.
    Compressed,
    /// PNG, JPEG, GIF, WebP or PDF.
    Picture,
    /// SVG.
    Svg,
    /// A web page.
    Html,
    /// XML of another kind.
    Xml,
    /// Text of another kind.
    Text,
    /// Bytes of another kind.
    Unknown,
}

impl Foreign {
    /// Says what it is and what to do, in one sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::HeapSnapshot => {
                "this is a V8 heap snapshot, which holds objects, not samples; record an allocation sampling profile (.heapprofile)"
            }
            Self::V8Log => "this is a log of node --prof; record with node --cpu-prof",
            Self::Firefox => {
                "this is a Firefox profile, which is not read; open it at profiler.firefox.com"
            }
            Self::Perf => {
                "this is a recording of Linux perf; convert it with perf script and stackcollapse-perf.pl to folded stacks"
            }
            Self::LegacyText | Self::LegacyBinary => {
                "this is a profile in pprof's older format; convert it with go tool pprof -proto"
            }
            Self::FoldedDifference => {
                "these are folded stacks of a comparison, with two values a line; compare the two profiles with flarescope diff"
            }
            Self::Trace => {
                "this trace has no CPU profile; record it with JavaScript samples (category v8.cpu_profiler)"
            }
            Self::OwnJson => {
                "this is JSON that flarescope writes for other programs; export as pprof to open it again"
            }
            Self::SourceMap => {
                "this is a source map, not a profile; give it with --source-map, or press m in a profile"
            }
            Self::Archive => "this is an archive; extract the profile first",
            Self::Compressed => {
                "this is compressed, and only gzip and zstd are read; decompress it first"
            }
            Self::Picture => "this is a picture, not a profile; open the profile that it shows",
            Self::Svg => {
                "this is an SVG picture, not a profile; a flame graph can't be read back: open the profile that it shows"
            }
            Self::Html => "this is an HTML page, not a profile; download the profile itself",
            Self::Xml => "this is XML, not a profile",
            Self::Text => concat!(
                "this is text, and no profile that can be read: ",
                readable!()
            ),
            Self::Unknown => concat!("this is no profile that can be read: ", readable!()),
        }
    }

    /// Recognizes a file by how it begins.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let begins = |(signatures, foreign): &(&[&[u8]], Self)| {
            signatures
                .iter()
                .any(|signature| head.starts_with(signature))
                .then_some(*foreign)
        };
        SIGNATURES.iter().find_map(begins).or_else(|| match head {
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some(Self::Picture),
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => Some(Self::Compressed),
            _ if head.get(257..262) == Some(b"ustar") => Some(Self::Archive),
            _ if is_legacy_binary(head) => Some(Self::LegacyBinary),
            _ => None,
        })
    }
}

const SIGNATURES: &[(&[&[u8]], Foreign)] = &[
    (
        &[b"PK\x03\x04", b"PK\x05\x06", b"7z\xbc\xaf\x27\x1c"],
        Foreign::Archive,
    ),
    (&[b"\xfd7zXZ\0", b"\x04\x22\x4d\x18"], Foreign::Compressed),
    (
        &[b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"%PDF-"],
        Foreign::Picture,
    ),
    (&[b"PERFILE2", b"2ELIFREP"], Foreign::Perf),
    (
        &[
            b"heap profile: ",
            b"goroutine profile: total ",
            b"threadcreate profile: total ",
            b"--- heap",
            b"--- growth",
            b"--- contention",
            b"--- mutex",
            b"--- thread",
            b"--- symbol",
            b"--- profile",
        ],
        Foreign::LegacyText,
    ),
    (&[b"v8-version,"], Foreign::V8Log),
];

/// gperftools begins with five machine words: 0, 3, 0, the period in microseconds, 0.
fn is_legacy_binary(head: &[u8]) -> bool {
    [(4, false), (4, true), (8, false), (8, true)]
        .into_iter()
        .any(|(size, is_big)| {
            let words: Vec<u64> = head
                .chunks_exact(size)
                .take(5)
                .map(|word| {
                    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
                    if is_big {
                        word.iter().fold(0, add)
                    } else {
                        word.iter().rev().fold(0, add)
                    }
                })
                .collect();
            matches!(words[..], [0, 3, 0, period, 0] if period > 0)
        })
}
