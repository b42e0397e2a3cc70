//! Verdicts on recordings of two builds, and on captures that are simulated.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use std::fs::File;
use std::path::Path;

use flarescope::formats;
use flarescope::model::graph::aggregate::read;
use flarescope::model::graph::view::View;
use flarescope::model::verdict::{
    Assessment, CantTell, CaptureSums, FunctionVerdict, Options, Overall, Verdict, judge,
};

const CHANGED: &str = "structuredCloneLite";

/// The eight recordings of a build.
fn recordings(build: &str) -> Vec<CaptureSums> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pairs");
    (0..8)
        .map(|at| {
            let name = format!("{build}-{at}.cpuprofile");
            let profile = formats::read(File::open(folder.join(&name)).unwrap(), &name).unwrap();
            sums(&name, &profile)
        })
        .collect()
}

fn sums(name: &str, profile: &flarescope::model::profile::Profile) -> CaptureSums {
    let view = View {
        hide_idle: true,
        ..View::new(profile)
    };
    let reading = read(profile, &view).unwrap();
    CaptureSums::new(name, &reading, &profile.type_names(reading.sample_type).1)
}

/// All ways to take `count` of eight.
fn choices(count: u32) -> Vec<Vec<usize>> {
    (0..256_u32)
        .filter(|bits| bits.count_ones() == count)
        .map(|bits| (0..8).filter(|at| bits & (1 << at) != 0).collect())
        .collect()
}

fn pick(all: &[CaptureSums], places: &[usize]) -> Vec<CaptureSums> {
    places.iter().map(|at| all[*at].clone()).collect()
}

fn of(base: &[CaptureSums], new: &[CaptureSums]) -> Assessment {
    judge(base, new, Options::default())
}

/// The functions that are said to have changed.
fn found(assessment: &Assessment) -> Vec<(&str, Verdict)> {
    let is_finding =
        |row: &&FunctionVerdict| matches!(row.verdict, Verdict::Worse | Verdict::Better);
    let rows = assessment.rows.iter().filter(is_finding);
    rows.map(|row| (row.words.function.name.as_str(), row.verdict))
        .collect()
}

#[test]
fn two_halves_of_one_build_are_rarely_told_apart() {
    for build in ["same", "twice"] {
        let all = recordings(build);
        let halves: Vec<Vec<usize>> = choices(4)
            .into_iter()
            .filter(|half| half.contains(&0))
            .collect();
        assert_eq!(halves.len(), 35);
        let alarms = halves.iter().filter(|half| {
            let rest: Vec<usize> = (0..8).filter(|at| !half.contains(at)).collect();
            !found(&of(&pick(&all, half), &pick(&all, &rest))).is_empty()
        });
        let alarms = alarms.count();
        assert!(alarms <= 4, "{build}: {alarms} of 35");
    }
}

#[test]
fn the_changed_function_is_worse_and_hardly_another() {
    let (same, twice) = (recordings("same"), recordings("twice"));
    for (count, needed) in [(3, 0.95), (5, 1.0), (8, 1.0)] {
        let (mut splits, mut named, mut others) = (0, 0, 0);
        // Of 3,136 ways with five a side every seventh.
        let step = if count == 5 { 7 } else { 1 };
        for (at, base) in choices(count).into_iter().enumerate() {
            for new in choices(count).into_iter().skip(at % step).step_by(step) {
                let assessment = of(&pick(&same, &base), &pick(&twice, &new));
                let found = found(&assessment);
                splits += 1;
                let is_worse = found.contains(&(CHANGED, Verdict::Worse));
                assert!(!is_worse || assessment.overall == Overall::Worse);
                named += usize::from(is_worse);
                others += usize::from(found.iter().any(|(name, _)| *name != CHANGED));
            }
        }
        let part = |some: usize| some as f64 / f64::from(splits);
        assert!(part(named) >= needed, "{count}: {named} of {splits}");
        assert!(
            part(others) <= 0.08,
            "{count}: others in {others} of {splits}"
        );
    }
}

#[test]
fn a_fix_is_never_called_worse() {
    let (same, twice) = (recordings("same"), recordings("twice"));
    for count in [3, 5] {
        for (base, new) in choices(count).iter().zip(choices(count).iter().rev()) {
            let assessment = of(&pick(&twice, base), &pick(&same, new));
            assert_ne!(
                assessment.overall,
                Overall::Worse,
                "{:?}",
                found(&assessment)
            );
        }
    }
}

#[test]
fn too_few_captures_or_samples_tell_nothing() {
    let all = recordings("same");
    let assessment = of(&all[..2], &all[2..8]);
    assert_eq!(assessment.overall, Overall::Unclear);
    assert_eq!(assessment.cant_tell, Some(CantTell::FewCaptures(2, 6)));
    let short = formats::read("main;work 150\nmain;other 40\n".as_bytes(), "short.folded").unwrap();
    let short = sums("short.folded", &short);
    let mut base = all[..2].to_vec();
    base.push(short);
    let assessment = of(&base, &all[2..8]);
    assert_eq!(assessment.cant_tell, Some(CantTell::FewCaptures(2, 6)));
    assert_eq!(assessment.left_out[0][0].name, "short.folded");
    assert_eq!(assessment.left_out[0][0].samples, 190);
}

/// A generator of numbers that are the same at each run.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (one, other) = (self.unit().max(1e-300), self.unit());
        (-2.0 * one.ln()).sqrt() * (2.0 * std::f64::consts::PI * other).cos()
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// A capture of so many samples of functions with these shares; `spread` is how much the shares differ between isolates
    /// as a part of p(1 − p).
    fn capture(&mut self, shares: &[f64], spread: f64, samples: f64) -> CaptureSums {
        let folded: String = shares
            .iter()
            .enumerate()
            .map(|(at, p)| {
                let variance = p * (1.0 - p);
                let own = (p + self.normal() * (variance * spread).sqrt()).max(0.0);
                let own = own * samples + self.normal() * (variance * samples).sqrt();
                format!("main;f{at} {}\n", own.max(0.0).round())
            })
            .collect();
        let profile = formats::read(folded.as_bytes(), "it.folded").unwrap();
        sums("simulated", &profile)
    }

    fn side(
        &mut self,
        shares: &[f64],
        spread: f64,
        count: usize,
        samples: (f64, f64),
    ) -> Vec<CaptureSums> {
        (0..count)
            .map(|_| {
                let samples = self.between(samples.0, samples.1);
                self.capture(shares, spread, samples)
            })
            .collect()
    }
}

/// The shares of a real capture's functions.
const SHARES: [f64; 15] = [
    0.614, 0.062, 0.059, 0.048, 0.039, 0.029, 0.029, 0.019, 0.019, 0.014, 0.0096, 0.0077, 0.0048,
    0.0048, 0.0048,
];
const SPREADS: [f64; 3] = [1e-9, 1.0 / 2000.0, 1.0 / 400.0];
const RUNS: usize = 40;

#[test]
fn simulated_captures_of_one_build_rarely_alarm() {
    let mut random = Random(7);
    let usual = (1500.0, 6000.0);
    let settings = [
        ((3, usual), (3, usual)),
        ((5, usual), (5, usual)),
        ((8, usual), (8, usual)),
        ((3, (200.0, 400.0)), (12, (6000.0, 6000.0))),
    ];
    for spread in SPREADS {
        for (base, new) in settings {
            let alarms = (0..RUNS).filter(|_| {
                let base = random.side(&SHARES, spread, base.0, base.1);
                let new = random.side(&SHARES, spread, new.0, new.1);
                !found(&of(&base, &new)).is_empty()
            });
            let alarms = alarms.count();
            // 8% of 60 are 4.8; a run of 60 may show twice that by chance, and no more.
            assert!(
                alarms <= 9,
                "spread {spread}, {base:?} {new:?}: {alarms} of {RUNS}"
            );
        }
    }
}

#[test]
fn many_small_functions_beside_few_large_ones_rarely_alarm() {
    let mut random = Random(11);
    let mut shares = vec![0.30, 0.14, 0.10, 0.06, 0.04];
    shares.extend([0.003; 120]);
    for count in [3, 8] {
        let alarms = (0..RUNS).filter(|_| {
            let base = random.side(&shares, 1.0 / 400.0, count, (1500.0, 6000.0));
            let new = random.side(&shares, 1.0 / 400.0, count, (1500.0, 6000.0));
            !found(&of(&base, &new)).is_empty()
        });
        let alarms = alarms.count();
        assert!(alarms <= 6, "{count}: {alarms} of {RUNS}");
    }
}

#[test]
fn eight_a_side_of_one_build_are_ok() {
    let mut random = Random(13);
    let ok = (0..RUNS).filter(|_| {
        let base = random.side(&SHARES, 1.0 / 2000.0, 8, (1500.0, 6000.0));
        let new = random.side(&SHARES, 1.0 / 2000.0, 8, (1500.0, 6000.0));
        of(&base, &new).overall == Overall::Ok
    });
    let ok = ok.count();
    assert!(ok * 10 >= RUNS * 9, "{ok} of {RUNS}");
}

#[test]
fn a_fix_of_the_hottest_function_never_fails_and_its_growth_does() {
    let mut random = Random(17);
    let scaled = |factor: f64| {
        let mut shares = SHARES;
        shares[0] *= factor;
        let all: f64 = shares.iter().sum();
        shares.map(|share| share / all)
    };
    for count in [3, 5, 8] {
        for _ in 0..20 {
            let base = random.side(&SHARES, 1.0 / 2000.0, count, (3000.0, 3000.0));
            for factor in [0.5, 0.25] {
                let new = random.side(&scaled(factor), 1.0 / 2000.0, count, (3000.0, 3000.0));
                let assessment = of(&base, &new);
                assert_ne!(
                    assessment.overall,
                    Overall::Worse,
                    "{:?}",
                    found(&assessment)
                );
            }
            let new = random.side(&scaled(2.0), 1.0 / 2000.0, count, (3000.0, 3000.0));
            assert!(found(&of(&base, &new)).contains(&("f0", Verdict::Worse)));
        }
    }
}
