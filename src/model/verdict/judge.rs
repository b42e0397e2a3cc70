//! The verdicts themselves: per function, and for the whole.

use std::collections::{BTreeSet, HashMap};

use crate::model::verdict::estimate::{
    Estimate, Others, PRIOR_DEGREES, Shares, median, spread_between,
};
use crate::model::verdict::holm::holm;
use crate::model::verdict::student::quantile;
use crate::model::verdict::sums::{CaptureSums, Words};

/// Captures that each side needs.
pub const SIDE_MIN: usize = 3;
/// Busy samples that a capture needs: fewer say nothing of a function of a hundredth.
pub const SAMPLES_MIN: u64 = 200;
/// Functions that both sides need, for shares to be judged relative to those that did not change.
const OTHERS_MIN: usize = 5;
/// A change shows in the shares as they are at one part in so many of the level, alone.
const PLAIN_PARTS: f64 = 5.0;
/// The part of each side that functions of both need.
const COMMON_MIN: f64 = 0.6;

/// What is judged against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The change that is allowed, as a part of the base: 0.1.
    pub threshold: f64,
    /// The share below which a function has no verdict: 0.01.
    pub min: f64,
    /// 1 − the confidence: 0.05.
    pub alpha: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threshold: 0.1,
            min: 0.01,
            alpha: 0.05,
        }
    }
}

/// A verdict on a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It takes more, by more than is allowed.
    Worse,
    /// It takes less, by more than is allowed.
    Better,
    /// The captures can't tell.
    Unclear,
    /// It takes what its caller took before, as when a call is inlined in one isolate and not in another.
    Moved,
    /// Any change is smaller than allowed.
    Same,
}

impl Verdict {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Unclear => "unclear",
            Self::Moved => "moved",
            Self::Same => "same",
        }
    }
}

/// The verdict on the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overall {
    /// Nothing is worse.
    Ok,
    /// Something is.
    Worse,
    /// The captures can't tell.
    Unclear,
}

/// Why captures can't tell anything at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CantTell {
    /// A side has too few captures: so many of the base, so many of the new side.
    FewCaptures(usize, usize),
    /// The sides have too few functions in common.
    FewCommon,
    /// Growth can't be told from others' shrinking, as too few functions are on both sides.
    FewOthers,
}

/// A capture that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is called.
    pub name: String,
    /// Its busy samples.
    pub samples: u64,
}

/// A function, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionVerdict {
    /// Its identity, as [`crate::model::graph::frames::FrameInfo::identity`] has it.
    pub identity: String,
    /// Which one, in words.
    pub words: Words,
    /// Its mean share of the base's captures, from 0 to 1.
    pub base: f64,
    /// That of the new side's, as it is.
    pub new: f64,
    /// How many times its cost it has, relative to the functions that did not change; `None` from or to nothing.
    pub factor: Option<f64>,
    /// How far its share is above what others' growth explains.
    pub change: f64,
    /// The ends of the change's interval.
    pub interval: (f64, f64),
    /// The probability of such a change by chance alone.
    pub p: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// How many captures more a side would tell, if it is unclear and a hundred would.
    pub more_captures: Option<u32>,
    /// How it bears on the whole.
    weight: Weight,
}

/// How a function bears on the verdict on the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Not at all.
    None,
    /// It may be worse by what matters.
    MayBeWorse,
    /// It is.
    Worse,
}

/// Both sides, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The whole.
    pub overall: Overall,
    /// Why nothing can be told, if so.
    pub cant_tell: Option<CantTell>,
    /// The functions that hold the least share on either side, the verdicts in order, the largest change first.
    pub rows: Vec<FunctionVerdict>,
    /// The spread between isolates.
    pub tau: f64,
    /// How much larger the shares of unchanged functions are in the new side.
    pub others: f64,
    /// How much a share differs between isolates (median of standard deviation by mean).
    pub isolates: Option<f64>,
    /// The captures that were left out of each side.
    pub left_out: [Vec<LeftOut>; 2],
}

/// Judges what changed from one side to the other.
#[must_use]
pub fn judge(base: &[CaptureSums], new: &[CaptureSums], options: Options) -> Assessment {
    let (base, base_out) = usable(base);
    let (new, new_out) = usable(new);
    let mut assessment = Assessment {
        overall: Overall::Unclear,
        cant_tell: None,
        rows: Vec::new(),
        tau: 0.0,
        others: 1.0,
        isolates: None,
        left_out: [base_out, new_out],
    };
    if base.len() < SIDE_MIN || new.len() < SIDE_MIN {
        assessment.cant_tell = Some(CantTell::FewCaptures(base.len(), new.len()));
        return assessment;
    }
    let sides = Sides { base, new };
    let functions: Vec<(&str, Shares)> = sides
        .functions()
        .into_iter()
        .map(|function| (function.as_str(), sides.own(function)))
        .collect();
    if !has_common(&functions) {
        assessment.cant_tell = Some(CantTell::FewCommon);
        return assessment;
    }
    let held: Vec<&(&str, Shares)> = functions
        .iter()
        .filter(|(_, shares)| {
            let (m1, m2) = shares.means();
            m1.max(m2) >= options.min
        })
        .collect();
    let shares: Vec<Shares> = held.iter().map(|(_, shares)| shares.clone()).collect();
    assessment.tau = spread_between(&shares);
    let both: Vec<&Shares> = shares
        .iter()
        .filter(|shares| {
            let (m1, m2) = shares.means();
            m1.min(m2) >= options.min
        })
        .collect();
    let knows_growth = both.len() >= OTHERS_MIN;
    let others = if knows_growth {
        Others::new(&both, assessment.tau)
    } else {
        assessment.cant_tell = Some(CantTell::FewOthers);
        Others::NONE
    };
    assessment.others = others.ratio;
    assessment.isolates = median(shares.iter().filter_map(variation));
    let scale = Scale {
        tau: assessment.tau,
        others,
        knows_growth,
        options,
        quantile: quantile(options.alpha, degrees(&sides)),
    };
    assessment.rows = sides.rows(&held, &scale);
    assessment.overall = overall(&assessment.rows);
    assessment
}

/// Parts a side into what can be used and what has too few samples.
fn usable(side: &[CaptureSums]) -> (Vec<&CaptureSums>, Vec<LeftOut>) {
    let (good, few): (Vec<&CaptureSums>, Vec<&CaptureSums>) =
        side.iter().partition(|sums| sums.samples >= SAMPLES_MIN);
    let left_out = few.into_iter().map(|sums| LeftOut {
        name: sums.name.clone(),
        samples: sums.samples,
    });
    (good, left_out.collect())
}

/// Whether enough of each side is in functions of both.
fn has_common(functions: &[(&str, Shares)]) -> bool {
    let both = functions
        .iter()
        .map(|(_, shares)| shares.means())
        .filter(|(m1, m2)| *m1 > 0.0 && *m2 > 0.0);
    let (one, other) = both.fold((0.0, 0.0), |(a, b), (m1, m2)| (a + m1, b + m2));
    one.min(other) >= COMMON_MIN
}

/// Returns the standard deviation of a share between the captures of a side as a part of it.
fn variation(shares: &Shares) -> Option<f64> {
    let (m1, m2) = shares.means();
    let squares = |side: &[(f64, f64)], mean: f64| {
        side.iter()
            .map(|(share, _)| (share - mean).powi(2))
            .sum::<f64>()
    };
    #[expect(clippy::cast_precision_loss, reason = "a count of captures")]
    let degrees = (shares.base.len() + shares.new.len() - 2) as f64;
    let deviation = ((squares(&shares.base, m1) + squares(&shares.new, m2)) / degrees).sqrt();
    let mean = f64::midpoint(m1, m2);
    (mean > 0.0).then(|| deviation / mean)
}

/// What changes are judged by.
struct Scale {
    tau: f64,
    others: Others,
    /// Whether a growing share can be told from others that shrink.
    knows_growth: bool,
    options: Options,
    /// Of the intervals: all have the same degrees of freedom.
    quantile: f64,
}

/// Returns the degrees of freedom of every estimate.
#[expect(clippy::cast_precision_loss, reason = "a count of captures")]
fn degrees(sides: &Sides<'_>) -> f64 {
    PRIOR_DEGREES + (sides.base.len() + sides.new.len() - 2) as f64
}

/// The usable captures.
struct Sides<'a> {
    base: Vec<&'a CaptureSums>,
    new: Vec<&'a CaptureSums>,
}

impl<'a> Sides<'a> {
    fn functions(&self) -> BTreeSet<&'a String> {
        let all = self.base.iter().chain(&self.new);
        all.flat_map(|sums| sums.functions()).collect()
    }

    fn shares(&self, of: impl Fn(&CaptureSums) -> f64) -> Shares {
        #[expect(clippy::cast_precision_loss, reason = "a count of samples")]
        let side = |side: &[&CaptureSums]| {
            side.iter()
                .map(|sums| (of(sums), sums.samples as f64))
                .collect()
        };
        Shares {
            base: side(&self.base),
            new: side(&self.new),
        }
    }

    fn own(&self, function: &str) -> Shares {
        self.shares(|sums| sums.own(function))
    }

    fn rows(&self, held: &[&(&str, Shares)], scale: &Scale) -> Vec<FunctionVerdict> {
        let estimates: Vec<Estimate> = held
            .iter()
            .map(|(_, shares)| shares.estimate(scale.tau, scale.others.certain()))
            .collect();
        let stands = stands(held, &estimates, scale);
        let mut rows: Vec<FunctionVerdict> = held
            .iter()
            .zip(&estimates)
            .zip(stands)
            .filter_map(|(((function, shares), estimate), stands)| {
                self.row(function, shares, (estimate, stands), scale)
            })
            .collect();
        rows.sort_by(|a, b| {
            let size = b.change.abs().total_cmp(&a.change.abs());
            a.verdict.cmp(&b.verdict).then(size)
        });
        rows
    }

    fn row(
        &self,
        function: &str,
        shares: &Shares,
        (estimate, stands): (&Estimate, bool),
        scale: &Scale,
    ) -> Option<FunctionVerdict> {
        let options = scale.options;
        let allowed = options.threshold * estimate.base;
        let (low, high) = estimate.interval(scale.quantile);
        let change = estimate.change();
        let mut verdict = if stands && low > 0.0 && change > allowed {
            Verdict::Worse
        } else if stands && high < 0.0 && -change > allowed {
            Verdict::Better
        } else if low > -allowed && high < allowed {
            Verdict::Same
        } else {
            Verdict::Unclear
        };
        if matches!(verdict, Verdict::Worse | Verdict::Better) {
            verdict = self.with_caller(function, shares, scale).unwrap_or(verdict);
        }
        if verdict == Verdict::Worse && !scale.knows_growth {
            verdict = Verdict::Unclear;
        }
        // What is shown is in the new side's scale, as its shares are.
        let ratio = scale.others.ratio;
        let side = self.base.len().min(self.new.len());
        let more = (verdict == Verdict::Unclear)
            .then(|| estimate.more_captures(side, allowed, options.alpha))
            .flatten();
        // Its place is the new side's where it is there.
        let mut all = self.new.iter().chain(&self.base);
        let words = all.find_map(|sums| sums.words(function)).cloned()?;
        Some(FunctionVerdict {
            identity: function.to_owned(),
            words,
            base: estimate.base,
            new: shares.means().1,
            factor: (estimate.base > 0.0 && estimate.new > 0.0)
                .then(|| estimate.new / estimate.base),
            change: change * ratio,
            interval: (low * ratio, high * ratio),
            p: estimate.p,
            verdict,
            more_captures: more,
            weight: weight(verdict, change, (high, allowed), options),
        })
    }

    /// Returns the verdict on a function that changed where its heaviest caller's total did not: it moved if what the two own
    /// together is the same, and is unclear if that can't be told from a change. `None` if the caller changed, too.
    fn with_caller(&self, function: &str, shares: &Shares, scale: &Scale) -> Option<Verdict> {
        let mut callers = HashMap::new();
        for sums in self.base.iter().chain(&self.new) {
            sums.add_callers(function, &mut callers);
        }
        let heaviest = callers
            .into_iter()
            .max_by(|(one, a), (other, b)| a.total_cmp(b).then_with(|| other.cmp(one)));
        let (caller, _) = heaviest?;
        let Options {
            threshold, alpha, ..
        } = scale.options;
        let others = scale.others.certain();
        let total = self.shares(|sums| sums.total(caller));
        let total = total.estimate(scale.tau, others);
        let both = shares.plus(&self.own(caller)).estimate(scale.tau, others);
        let (low, high) = both.interval(scale.quantile);
        let allowed = threshold * both.base;
        let is_same = low > -allowed && high < allowed;
        match (total.p > alpha, is_same) {
            (true, true) => Some(Verdict::Moved),
            (true, false) if both.p > alpha => Some(Verdict::Unclear),
            _ => None,
        }
    }
}

/// Returns which changes are no chance. A change has to show in the shares as they are, and relative to the functions that did
/// not change. Where that makes it smaller, the uncertainty of that scale counts; growth that is left where all others grew,
/// as after a fix, has to be ten times as sure.
fn stands(held: &[&(&str, Shares)], scaled: &[Estimate], scale: &Scale) -> Vec<bool> {
    let alpha = scale.options.alpha;
    let by = |others: Others| -> Vec<Estimate> {
        held.iter()
            .map(|(_, shares)| shares.estimate(scale.tau, others))
            .collect()
    };
    let together = |estimates: &[Estimate], alpha: f64| {
        let probabilities: Vec<f64> = estimates.iter().map(|estimate| estimate.p).collect();
        holm(&probabilities, alpha)
    };
    let (plain, sure) = (by(Others::NONE), by(scale.others));
    let plain_stands = together(&plain, alpha);
    let scaled_stands = together(scaled, alpha);
    let sure_stands = together(&sure, alpha);
    let surer_stands = together(&sure, alpha / 10.0);
    let others_grew = scale.others.has_grown();
    (0..held.len())
        .map(|at| {
            let (plain, sure) = (&plain[at], &sure[at]);
            let shows = plain_stands[at] || plain.p <= alpha / PLAIN_PARTS;
            let is_one_way = (plain.change() > 0.0) == (sure.change() > 0.0);
            let is_smaller = sure.change().abs() < plain.change().abs();
            let stands = match (is_smaller, sure.change() > 0.0 && others_grew) {
                (false, _) => scaled_stands[at],
                (true, false) => sure_stands[at],
                (true, true) => surer_stands[at],
            };
            shows && is_one_way && stands
        })
        .collect()
}

/// Returns how a function bears on the whole: it counts only if it adds what matters, and what may be worse only if its upper
/// end passes what is allowed and would matter.
fn weight(verdict: Verdict, change: f64, (high, allowed): (f64, f64), options: Options) -> Weight {
    match verdict {
        Verdict::Worse if change >= options.min => Weight::Worse,
        Verdict::Unclear if high > allowed && high >= 2.0 * options.min => Weight::MayBeWorse,
        _ => Weight::None,
    }
}

/// Returns the verdict on the whole.
fn overall(rows: &[FunctionVerdict]) -> Overall {
    let has = |weight: Weight| rows.iter().any(|row| row.weight == weight);
    if has(Weight::Worse) {
        Overall::Worse
    } else if has(Weight::MayBeWorse) {
        Overall::Unclear
    } else {
        Overall::Ok
    }
}
