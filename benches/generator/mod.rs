//! Made-up profiles shaped like those of V8: the same for the same seed, on every machine.

use flarescope::formats::pprof;
use flarescope::model::graph::subset::Subset;
use flarescope::model::graph::view::View;
use flarescope::model::profile::{Function, Interner, Line, Location, Parts, Profile, SampleType};

/// What the stacks look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// 30 to 200 deep, shared beginnings, some recursion, weights from a heavy tail.
    Js,
    /// One caller with all stacks below it.
    Wide,
    /// 10,000 deep.
    Deep,
    /// Two functions that call each other.
    Recursive,
}

/// A seeded random number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// A number from 0 on, half as likely with each doubling.
    fn heavy_tailed(&mut self, limit: u64) -> u64 {
        let scale = 1 << self.below(u64::from(limit.ilog2()) + 1);
        self.below(scale).min(limit - 1)
    }
}

/// The bytes of a profile with so many stacks, gzipped.
pub(crate) fn gzipped(shape: Shape, stacks: usize) -> Vec<u8> {
    let profile = Profile::new(parts(shape, stacks));
    pprof::encode(&Subset::new(&profile, &View::new(&profile), None).expect("a plain view"))
}

/// A profile with so many stacks.
fn parts(shape: Shape, stacks: usize) -> Parts {
    let mut random = Random(0x00f1_a4e5_c09e ^ stacks as u64);
    let functions = (12.0 * (stacks as f64).sqrt()).clamp(300.0, 20_000.0) as u32;
    let functions = if shape == Shape::Wide {
        functions.max(u32::try_from(stacks).expect("few stacks") + 1)
    } else {
        functions
    };
    let mut parts = named(functions, &mut random);
    let mut recent: Vec<Vec<u32>> = Vec::new();
    for number in 0..stacks {
        let stack = match shape {
            Shape::Js => js(&mut random, &recent, functions),
            Shape::Wide => vec![0, u32::try_from(number).expect("few stacks") + 1],
            Shape::Deep => (0..10_000)
                .map(|depth| (depth * 7) % 97)
                .chain([100 + number as u32 % 200])
                .collect(),
            Shape::Recursive => (0..30 + random.below(170))
                .map(|depth| (depth % 2) as u32)
                .chain([random.below(300) as u32])
                .collect(),
        };
        let samples = 1 + random.heavy_tailed(1_000) as i64;
        parts.stacks.extend_from_slice(&stack);
        parts
            .stack_ends
            .push(u32::try_from(parts.stacks.len()).expect("few frames"));
        parts.values.extend([samples, samples * 1_000_000]);
        if recent.len() < 4_096 {
            recent.push(stack);
        } else {
            let at = random.below(4_096) as usize;
            recent[at] = stack;
        }
    }
    parts
}

/// A stack that goes on from somewhere on one of the recent ones.
fn js(random: &mut Random, recent: &[Vec<u32>], functions: u32) -> Vec<u32> {
    let mut stack = vec![0];
    if !recent.is_empty() {
        let base = &recent[random.below(recent.len() as u64) as usize];
        // Mostly a sibling near the leaf, now and then a branch far above.
        let keep = if random.below(10) < 8 {
            base.len()
                .saturating_sub(1 + random.heavy_tailed(16) as usize)
        } else {
            random.below(base.len() as u64) as usize
        };
        stack = base[..keep.clamp(1, 190)].to_vec();
    }
    let depth = (stack.len() + 1 + random.heavy_tailed(8) as usize).max(30);
    while stack.len() < depth {
        if random.below(100) < 3 {
            let (one, other) = (1 + random.below(6) as u32, 1 + random.below(6) as u32);
            let levels = (1 + random.below(12) as usize).min(depth - stack.len());
            stack.extend((0..levels).map(|level| if level % 2 == 0 { one } else { other }));
        } else {
            stack.push(1 + random.heavy_tailed(u64::from(functions) - 1) as u32);
        }
    }
    stack
}

/// The functions, one location each, and everything but the stacks.
fn named(functions: u32, random: &mut Random) -> Parts {
    const FILES: [&str; 6] = [
        "file:///bundle/worker.js",
        "file:///src/router.ts",
        "file:///src/db/query.ts",
        "file:///node_modules/hono/dist/hono.js",
        "node-internal:crypto",
        "",
    ];
    let mut texts = Interner::default();
    let mut parts = Parts::default();
    for at in 0..functions {
        let name = match random.below(10) {
            _ if at == 0 => "(root)".to_owned(),
            0 => "(anonymous)".to_owned(),
            1..4 => format!("{:x}", random.below(4_096)),
            _ => format!("Class{}.method{at}", random.below(40)),
        };
        let file = if at == 0 {
            ""
        } else {
            FILES[random.below(6) as usize]
        };
        let (name, file) = (texts.id(name.as_bytes()), texts.id(file.as_bytes()));
        let line = i64::from(at % 900) + 1;
        parts.functions.push(Function {
            name,
            system_name: name,
            file,
            start_line: line,
        });
        parts.lines.push(Line {
            function: Some(at),
            line: line + 3,
            column: 0,
        });
        parts.locations.push(Location {
            mapping: None,
            address: 0,
            lines_from: at,
            lines_to: at + 1,
            folded: false,
        });
    }
    for (kind, unit) in [("samples", "count"), ("cpu", "nanoseconds")] {
        parts.sample_types.push(SampleType {
            kind: texts.id(kind.as_bytes()),
            unit: texts.id(unit.as_bytes()),
        });
    }
    parts.period = Some((parts.sample_types[1], 1_000_000));
    parts.strings = texts.finish();
    parts
}
