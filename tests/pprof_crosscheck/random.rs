//! Random profiles, as odd as the format allows, under random filters. `FLARESCOPE_RANDOM=5000` tries that many;
//! `FLARESCOPE_SEED=17` begins with that one.

use flarescope::formats;

use super::check::{Compared, Options, check, in_file};
use super::labels::GRANULARITIES;
use super::reference::Pprof;
use super::wire::{Function, Tag, Writer};

/// How many are tried when nobody asks for more.
const FEW: u64 = 24;
/// Those that have shown a fault are always tried: tags' units in records of nothing, an expression for the empty text in
/// a profile without mappings, a written profile that was pruned a second time.
const HAVE_SHOWN_FAULTS: [u64; 3] = [2, 53, 104];

const TYPES: [(&str, &str); 8] = [
    ("samples", "count"),
    ("cpu", "nanoseconds"),
    ("wall", "microseconds"),
    ("alloc_objects", "count"),
    ("alloc_space", "bytes"),
    ("delay", "milliseconds"),
    ("widgets", "furlongs"),
    ("events", ""),
];
const NAMES: [&str; 22] = [
    "",
    "main",
    "Main",
    "a",
    "b",
    "a b",
    "f(int)",
    "f(std::string)",
    "f<int>",
    "std::f<T>::g(T)",
    "(anonymous)",
    "(root)",
    "(idle)",
    "[x]",
    "λ→é",
    "pkg.(*T).Run",
    "pkg.(*T).Run.func1",
    "Class.<init>",
    "{{closure}}",
    "x 42",
    "#start",
    "a;b",
];
const FILES: [&str; 14] = [
    "",
    "a.js",
    "./a.js",
    "lib/../a.js",
    "b.ts",
    "/src/a.go",
    "/src//a.go",
    "/../src/./a.go",
    "C:\\src\\a.cs",
    "node:fs",
    "node_modules/@s/p/i.js",
    "file:///bundle/w.js",
    "src/lib.rs",
    "../up.c",
];
const BINARIES: [(&str, &str); 4] = [
    ("/bin/app", ""),
    ("/usr/lib/libx.so.1", "b1"),
    ("[vdso]", ""),
    ("/opt/other lib/app", "b2"),
];
const KEYS: [&str; 5] = ["kind", "bytes", "request", "offset", "thread id"];
const PATTERNS: [&str; 24] = [
    "main",
    "^a$",
    "a|b",
    "^f",
    r"\.go$",
    r"f\((int|std)",
    "(?i)MAIN",
    "[[:upper:]]",
    r"^\w+$",
    r"\bRun\b",
    "libx|vdso",
    r"\Qf<int>\E",
    "λ",
    "^$",
    "node",
    ".",
    "x{1,2}",
    "nothing at all",
    "app$",
    r"[^a-z]+$",
    "(a)(b)?",
    r"^\W",
    "[x]",
    r"\pL",
];
const TAGS: [&str; 14] = [
    "slow",
    "kind=slow",
    "kind=^fast$,slow",
    "kind:slow",
    "4kb:",
    ":4096",
    "1:100",
    "bytes=512b:1mb",
    "offset=1s:3000ms",
    "request=8kb",
    "thread id=7",
    "nothing=x",
    "kind=slow,",
    "512",
];
const DROPS: [&str; 9] = [
    "main",
    "f",
    r"pkg\..*",
    "a|b",
    r"std::f<T>::g|\{\{closure\}\}",
    r"\p{L}+",
    r"[\w-.]*",
    "(",
    "a)|(b",
];

/// A seeded random number generator (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap()
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    fn number(&mut self) -> i64 {
        let size = self.of(&[1, 10, 1_000, 1_000_000, 1 << 40]);
        i64::try_from(self.next() % size).unwrap()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }

    /// So many different ids, in no order; now and then from the whole range.
    fn ids(&mut self, count: usize) -> Vec<u64> {
        let spread = if self.once_in(4) {
            u64::MAX
        } else {
            3 * count as u64 + 1
        };
        let mut ids: Vec<u64> = Vec::new();
        while ids.len() < count {
            let id = 1 + self.next() % (spread - 1).max(1);
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }
}

fn profile(random: &mut Random) -> Vec<u8> {
    let mut types = TYPES;
    random.shuffle(&mut types);
    let types = &types[..1 + random.below(4)];
    let mut w = Writer::new(types);
    let first = w.fields.len();
    if random.once_in(3) {
        let name = if random.once_in(4) {
            "no such type"
        } else {
            types[random.below(types.len())].0
        };
        w.named(14, name);
    }
    if random.once_in(4) {
        w.named(7, random.of(&DROPS));
        if random.once_in(2) {
            w.named(8, random.of(&DROPS));
        }
    }
    if random.once_in(3) {
        w.period("cpu", "nanoseconds", 1_000_000);
    }
    let count = random.below(4);
    let mappings = random.ids(count);
    for (at, id) in mappings.iter().enumerate() {
        let (file, build) = BINARIES[at];
        let start = 0x1_0000 * (at as u64 + 1);
        w.mapping(*id, start, start + 0x8000, file, build);
    }
    let count = 1 + random.below(14);
    let functions = random.ids(count);
    for id in &functions {
        let (name, file) = (random.of(&NAMES), random.of(&FILES));
        let system = if random.once_in(2) { name } else { "_Zsystem" };
        let start = random.below(4);
        w.function(
            *id,
            &Function(name, system, file, i64::try_from(start).unwrap()),
        );
    }
    let count = 1 + random.below(20);
    let locations = random.ids(count);
    for id in &locations {
        let lines: Vec<(u64, i64)> = match random.below(8) {
            0 => Vec::new(),
            1..5 => vec![(
                random.of(&functions),
                i64::try_from(random.below(5)).unwrap(),
            )],
            more => (0..more - 3)
                .map(|_| {
                    (
                        random.of(&functions),
                        i64::try_from(random.below(5)).unwrap(),
                    )
                })
                .collect(),
        };
        let inside = if mappings.is_empty() || random.once_in(3) {
            None
        } else {
            Some(random.below(mappings.len()))
        };
        let address = if random.once_in(4) {
            0
        } else {
            random.next() % 0x8000
        };
        let (mapping, start) =
            inside.map_or((0, 0), |at| (mappings[at], 0x1_0000 * (at as u64 + 1)));
        w.location(
            *id,
            mapping,
            if address == 0 { 0 } else { start + address },
            &lines,
            random.once_in(9),
        );
    }
    let negative = random.once_in(3);
    for _ in 0..random.below(40) {
        let depth = if random.once_in(8) {
            random.below(60)
        } else {
            random.below(7)
        };
        let stack: Vec<u64> = (0..depth).map(|_| random.of(&locations)).collect();
        let mut value = || {
            let value = if random.once_in(5) {
                0
            } else {
                random.number()
            };
            if negative && random.once_in(3) {
                -value
            } else {
                value
            }
        };
        let values: Vec<i64> = types.iter().map(|_| value()).collect();
        let mut tags: Vec<(&str, Tag<'_>)> = Vec::new();
        while random.once_in(2) {
            let tag = if random.once_in(2) {
                Tag::Text(random.of(&["slow", "fast", "cold start", "1"]))
            } else {
                Tag::Number(
                    random.number() - 3,
                    random.of(&["bytes", "kilobytes", "seconds", "ms", "", "furlongs"]),
                )
            };
            tags.push((random.of(&KEYS), tag));
        }
        w.sample(&stack, &values, &tags);
        if random.once_in(10) {
            w.sample(&stack, &values, &tags);
        }
    }
    // The types' order means something, the other fields' does not.
    random.shuffle(&mut w.fields[first..]);
    w.finish()
}

fn options(random: &mut Random) -> Options {
    let mut options = Options::new();
    for name in [
        "focus",
        "ignore",
        "hide",
        "show_from",
        "tagfocus",
        "tagignore",
    ] {
        if random.once_in(4) {
            let text = if name.starts_with("tag") {
                random.of(&TAGS)
            } else {
                random.of(&PATTERNS)
            };
            options.push((name, text.to_owned()));
        }
    }
    options
}

fn asked(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

pub(crate) fn random_profiles_are_the_same() {
    let pprof = Pprof::find();
    let (first, count) = (
        asked("FLARESCOPE_SEED").unwrap_or(1),
        asked("FLARESCOPE_RANDOM").unwrap_or(FEW),
    );
    let mut compared = Compared::default();
    for seed in (first..first + count).chain(HAVE_SHOWN_FAULTS) {
        let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let bytes = profile(&mut random);
        let sets = [
            Options::new(),
            options(&mut random),
            options(&mut random),
            options(&mut random),
        ];
        let profile = formats::read(bytes.as_slice(), "random").unwrap();
        let file = in_file(&bytes);
        if let Some(folder) = std::env::var_os("FLARESCOPE_KEEP") {
            std::fs::write(
                std::path::Path::new(&folder).join(format!("{seed}.pb")),
                &bytes,
            )
            .unwrap();
        }
        compared += check(
            &pprof,
            file.path(),
            &profile,
            &sets,
            &GRANULARITIES,
            &format!("seed {seed}"),
        );
    }
    eprintln!("{compared:?}");
    let expected = usize::try_from(count).unwrap();
    assert!(
        compared.tables > 10 * expected && compared.edges > 6 * expected,
        "only {compared:?}"
    );
}
